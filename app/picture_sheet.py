"""A drawing as a file for slides and papers: the verdict above, its settings below."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overlap_widget.app.picture_drawing import Drawing, drawn, named
from overlap_widget.app.picture_frame import number, prose_px
from overlap_widget.app.picture_legend import draw_legend
from overlap_widget.app.picture_tags import escaped, painted, tag
from overlap_widget.app.picture_wrap import wrapped
from overlap_widget.app.verdicts import Verdict

WIDTH_PX, MARGIN_PX = 960, 24
INNER_PX = WIDTH_PX - 2 * MARGIN_PX


@dataclass(frozen=True, slots=True)
class Paragraph:
    """How lines of text are set, one below the other."""

    size_px: int
    line_px: int
    role: str


TITLE = Paragraph(24, 36, "text")
WHY = Paragraph(14, 20, "text")
FOOT = Paragraph(12, 17, "muted")
APART_PX = 14
"""Between the parts of a sheet."""


def sheet_svg(
    drawing: Drawing,
    verdict: Verdict,
    summary: str,
    legend: Sequence[str],
    foot: str,
) -> str:
    """The whole file: title, why, legend, drawing, and what it is a drawing of."""
    attributes, names = named(drawing, verdict.sentence, summary)
    parts = []
    y = float(MARGIN_PX)
    for part, height_px in _parts(drawing, verdict, legend, foot):
        shift = {"transform": f"translate({MARGIN_PX} {number(y)})"}
        parts.append(tag("g", shift, part))
        y += height_px
    height = number(y + MARGIN_PX)
    size = {"width": WIDTH_PX, "height": height, "viewBox": f"0 0 {WIDTH_PX} {height}"}
    ground = {"width": WIDTH_PX, "height": height} | painted(fill="ground")
    return tag(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", **size, **attributes},
        "".join([names, tag("rect", ground), *parts]),
    )


def _parts(
    drawing: Drawing, verdict: Verdict, legend: Sequence[str], foot: str
) -> Iterator[tuple[str, float]]:
    """Each part at its own place, and how far the next one stands below."""
    yield _title(verdict), TITLE.line_px
    why, why_px = _paragraph(WHY, verdict.why)
    yield why, why_px + APART_PX
    shown, legend_px = draw_legend(drawing, legend, INNER_PX)
    yield shown, legend_px + APART_PX
    yield drawn(drawing, drawing.frame(0, 0, INNER_PX)), drawing.height_px + APART_PX
    yield _paragraph(FOOT, foot)


def _title(verdict: Verdict) -> str:
    number_in_it = tag("tspan", painted(fill="exposed"), escaped(verdict.number))
    text = escaped(verdict.before) + number_in_it + escaped(verdict.after)
    bold = {"font-size": TITLE.size_px, "font-weight": "bold"}
    return tag("text", {"y": TITLE.size_px} | bold | painted(fill=TITLE.role), text)


def _paragraph(style: Paragraph, text: str) -> tuple[str, float]:
    """Text in lines of the sheet's width, and how high they stand."""
    lines = wrapped(text, INNER_PX, lambda part: prose_px(part, style.size_px))
    spans = (
        tag("tspan", {"x": 0, "y": at * style.line_px + style.size_px}, escaped(line))
        for at, line in enumerate(lines)
    )
    font = {"font-size": style.size_px} | painted(fill=style.role)
    return tag("text", font, "".join(spans)), len(lines) * style.line_px
