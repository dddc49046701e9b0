"""Bars, lines and texts of a figure's columns, drawn in a frame."""

from collections.abc import Iterable, Mapping, Sequence
from operator import not_
from typing import Any

from overlap_widget.app.columns import rows_where
from overlap_widget.app.picture_frame import Frame, number
from overlap_widget.app.picture_style import Bars, Hatch, Lines, Style
from overlap_widget.app.picture_tags import group, painted, segment, tag
from overlap_widget.app.picture_texts import draw_texts

Columns = Mapping[str, Sequence[Any]]

TOUCHING, GAP_FROM_PX = "compute", 6
"""The bars that stand side by side; narrower ones on average have no gaps."""
PASS_END_PX = 1.5
_STRIPES = {
    "/": "M-2.25 8L2.25 -1M1.25 8L5.75 -1M4.75 8L9.25 -1",
    "|": "M4 -1V8",
    "-": "M-1 4H8",
}
"""Lines of a tile of 7 px, as Bokeh draws its hatches."""


def draw(
    styles: Iterable[Style],
    columns: Mapping[str, Any],
    frame: Frame,
    ident: str,
) -> str:
    """The marks of a figure: bars and lines, then its pass end, then texts."""
    sources = columns["sources"]
    shapes: list[str] = []
    texts: list[str] = []
    for style in styles:
        rows = sources[style.source]
        if isinstance(style, Bars):
            shapes += _bars(style, rows, frame, ident)
        elif isinstance(style, Lines):
            shapes.append(_lines(style, rows, frame))
        else:
            texts.append(draw_texts(style, rows, frame))
    pass_end = _pass_end(columns["props"]["pass_end"]["location"], frame)
    return "".join([*shapes, pass_end, *texts])


def hatches(styles: Iterable[Style], sources: Mapping[str, Columns], ident: str) -> str:
    """The patterns of the hatched bars that are there."""
    made = [
        _pattern(style.fill, style.hatch, f"{ident}-{style.source}")
        for style in styles
        if isinstance(style, Bars) and style.hatch and sources[style.source]["left"]
    ]
    return tag("defs", {}, "".join(made)) if made else ""


def _pattern(fill: str, hatch: Hatch, ident: str) -> str:
    """Stripes on the fill, in one tile that repeats."""
    size = number(hatch.tile_px)
    place = {"id": ident, "patternUnits": "userSpaceOnUse"}
    stripes = {
        "d": _STRIPES[hatch.pattern],
        "stroke-width": number(hatch.width_px),
        "stroke-opacity": number(hatch.alpha),
    }
    ground = tag("rect", {"width": size, "height": size} | painted(fill=fill))
    return tag(
        "pattern",
        place | {"width": size, "height": size},
        ground + tag("path", stripes | painted(line=hatch.role)),
    )


def _bars(style: Bars, rows: Columns, frame: Frame, ident: str) -> list[str]:
    """All bars of a source; those without an outline apart."""
    paint = bar_paint(style, ident)
    if style.outlined:
        is_outlined = [bool(alpha) for alpha in rows[style.outlined]]
        bare = {key: paint[key] for key in ("class", "fill")} | {"stroke": "none"}
        return [
            group(bare, _rects(rows_where(rows, map(not_, is_outlined)), frame)),
            group(paint, _rects(rows_where(rows, is_outlined), frame)),
        ]
    touch = style.source == TOUCHING and style.line == "ground"
    if touch and rows["left"]:
        paint |= _gaps(style, rows, frame)
    return [group(paint, _rects(rows, frame))]


def bar_paint(style: Bars, ident: str) -> dict[str, object]:
    """Fill, outline and its width."""
    width = {"stroke-width": number(style.width_px)}
    if not style.hatch:
        return painted(style.fill, style.line) | width
    return painted(line=style.line) | {"fill": f"url(#{ident}-{style.source})"} | width


def _gaps(style: Bars, rows: Columns, frame: Frame) -> dict[str, object]:
    """Bars that touch have a gap between them where there is room, else no seam."""
    since = frame.since(frame.share(_average_width(rows)), GAP_FROM_PX)
    if since is None:
        return painted(style.fill, style.fill)
    return painted(style.fill, style.line, [f"overlap-gap-{since}"] if since else [])


def _average_width(rows: Columns) -> float:
    return float(max(rows["right"]) - min(rows["left"])) / len(rows["left"])


def _rects(rows: Columns, frame: Frame) -> list[str]:
    """The part of each bar that is in sight."""
    bars = zip(rows["left"], rows["right"], rows["bottom"], rows["top"], strict=True)
    return [
        _rect(frame, max(left, frame.start), min(right, frame.end), low, high)
        for left, right, low, high in bars
        if frame.shows(left, right)
    ]


def _rect(frame: Frame, left: float, right: float, low: float, high: float) -> str:
    top_px = frame.y(high)
    place = f'x="{frame.x_text(left)}" y="{number(top_px)}"'
    size = (frame.width_text(right - left), number(frame.y(low) - top_px))
    return f'<rect {place} width="{size[0]}" height="{size[1]}"/>'


def _lines(style: Lines, rows: Columns, frame: Frame) -> str:
    paint = painted(line=style.line) | {"stroke-width": number(style.width_px)}
    if style.alpha != 1:
        paint["stroke-opacity"] = number(style.alpha)
    ends = zip(rows["x0"], rows["y0"], rows["x1"], rows["y1"], strict=True)
    return group(paint, [_line(frame, *each) for each in ends])


def _line(frame: Frame, x0: float, y0: float, x1: float, y1: float) -> str:
    return segment((frame.x_text(x0), frame.y(y0)), (frame.x_text(x1), frame.y(y1)))


def _pass_end(location: float | None, frame: Frame) -> str:
    """A dashed line across all lanes; none where no pass ends, or out of sight."""
    if location is None or not frame.start <= location <= frame.end:
        return ""
    dashes = {"stroke-width": number(PASS_END_PX), "stroke-dasharray": "5 4"}
    line = _line(frame, location, frame.high, location, frame.low)
    return group(painted(line="text") | dashes, [line])
