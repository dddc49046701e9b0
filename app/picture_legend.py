"""What the fills of a drawing mean, in rows below each other."""

from collections.abc import Sequence

from overlap_widget.app.picture_drawing import Drawing
from overlap_widget.app.picture_frame import number, prose_px
from overlap_widget.app.picture_marks import bar_paint
from overlap_widget.app.picture_style import Bars, Lines, Style
from overlap_widget.app.picture_tags import escaped, painted, segment, tag
from overlap_widget.app.words import words

SIZE_PX, ROW_PX, SWATCH_PX, GAP_PX, APART_PX = 13, 20, 24, 8, 20
HIGH_PX = {"waiting": 5, "late": 8, "slowed": 8}
"""Of the swatches that are thinner than the rest, as the bars are."""


def draw_legend(
    drawing: Drawing, roles: Sequence[str], width_px: float
) -> tuple[str, float]:
    """A swatch and words for each role that is there, and how high they stand."""
    styles = {style.source: style for style in drawing.styles}
    ident, parts = drawing.ident, []
    x = y = 0.0
    for role in filter(drawing.is_there, roles):
        text = words(f"legend.{role}")
        needed_px = SWATCH_PX + GAP_PX + prose_px(text, SIZE_PX)
        if x and x + needed_px > width_px:
            x, y = 0.0, y + ROW_PX
        place = {"transform": f"translate({number(x)} {number(y)})"}
        parts.append(tag("g", place, _swatch(styles[role], ident) + _words(text)))
        x += needed_px + APART_PX
    return "".join(parts), y + ROW_PX


def _words(text: str) -> str:
    at = {"x": SWATCH_PX + GAP_PX, "y": 14, "font-size": SIZE_PX}
    return tag("text", at | painted(fill="muted"), escaped(text))


def _swatch(style: Style, ident: str) -> str:
    middle = ROW_PX / 2 - 1
    if isinstance(style, Lines):
        line = segment(("12", middle - 7), ("12", middle + 7))
        width = {"stroke-width": number(style.width_px)}
        return tag("g", painted(line=style.line) | width, line)
    assert isinstance(style, Bars)
    high_px = HIGH_PX.get(style.source, 14)
    size = {"width": SWATCH_PX, "height": high_px}
    place = {"y": number(middle - high_px / 2)}
    return tag("rect", place | size | bar_paint(style, ident))
