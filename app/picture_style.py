"""How a picture draws what the Bokeh figures draw: their glyphs as plain data.

The looks are read off the figures themselves, so that neither can drift. Colours are
roles there and here; the page's styles and `LIGHT` say what they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from bokeh.models import Quad, Segment, Text

from overlap_widget.app import figures

LIGHT = {
    "ground": "#ffffff",
    "text": "#1a1f24",
    "muted": "#4f5b66",
    "axis": "#6b7680",
    "compute": "#0072b2",
    "hidden": "#8fd3bf",
    "hidden_line": "#00614a",
    "exposed": "#9c3000",
    "on_compute": "#ffffff",
    "on_hidden": "#1a1f24",
    "on_exposed": "#ffffff",
}
"""The roles that pictures use, as on the light theme of `static/css/roles.css`."""


@dataclass(frozen=True, slots=True)
class Hatch:
    """Stripes over a fill: `/`, `|` or `-`."""

    pattern: str
    role: str
    alpha: float
    width_px: float
    tile_px: float


@dataclass(frozen=True, slots=True)
class Bars:
    """Rectangles of a source; `outlined` names the column of which have a line."""

    source: str
    fill: str
    line: str
    width_px: float
    hatch: Hatch | None
    outlined: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Segments of a source."""

    source: str
    line: str
    width_px: float
    alpha: float


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts of a source; `ground` is the role behind them, if any.

    align:  `center` and `left` of their point, or `align` for one that may end there
    """

    source: str
    colour: str
    ground: str
    padding_px: float
    size_px: float
    is_bold: bool
    align: str
    dx_px: float


Style = Bars | Lines | Texts


@cache
def lane_styles() -> tuple[Style, ...]:
    """Of the lanes of a simulated step, in the order in which they are drawn."""
    return _styles(figures.lanes())


@cache
def stream_styles() -> tuple[Style, ...]:
    """Of the lanes of a recording."""
    return _styles(figures.recording())


def _styles(plot: Any) -> tuple[Style, ...]:
    made = ((_MAKERS[type(each.glyph)], each) for each in plot.renderers)
    return tuple(make(each.data_source.name, each.glyph) for make, each in made)


def _roles(glyph: Any) -> dict[str, str]:
    return dict(tag.split("=") for tag in glyph.tags)


def _bars(source: str, glyph: Any) -> Bars:
    roles, alpha = _roles(glyph), glyph.line_alpha
    return Bars(
        source=source,
        fill=roles["fill_color"],
        line=roles["line_color"],
        width_px=glyph.line_width,
        hatch=_hatch(glyph, roles) if glyph.hatch_pattern else None,
        outlined=alpha if isinstance(alpha, str) else "",
    )


def _hatch(glyph: Any, roles: dict[str, str]) -> Hatch:
    return Hatch(
        pattern=glyph.hatch_pattern,
        role=roles["hatch_color"],
        alpha=glyph.hatch_alpha,
        width_px=glyph.hatch_weight,
        tile_px=glyph.hatch_scale,
    )


def _lines(source: str, glyph: Any) -> Lines:
    role = _roles(glyph)["line_color"]
    return Lines(source, role, glyph.line_width, glyph.line_alpha)


def _texts(source: str, glyph: Any) -> Texts:
    roles = _roles(glyph)
    return Texts(
        source=source,
        colour=roles["text_color"],
        ground=roles.get("background_fill_color", ""),
        padding_px=glyph.padding,
        size_px=float(glyph.text_font_size.removesuffix("px")),
        is_bold=glyph.text_font_style == "bold",
        align=glyph.text_align,
        dx_px=glyph.x_offset,
    )


_MAKERS: dict[type, Callable[[str, Any], Style]] = {
    Quad: _bars,
    Segment: _lines,
    Text: _texts,
}
