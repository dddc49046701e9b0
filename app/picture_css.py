"""The styles of a picture in a page: colours by their roles, texts by its width."""

from functools import cache

from overlap_widget.app.picture_frame import LEFT_PX, RIGHT_PX, STEPS_PX
from overlap_widget.app.picture_style import LIGHT

TEXT_PX = 16
"""The text of a page for which pictures are made; with larger text all of one grows."""


@cache
def picture_css() -> str:
    """Follows the theme and forced colours of `static/css`, and the picture's width.

    That is asked of the element around it: `.overlap-lanes` of the snapshot, or any
    other with `container: overlap-picture / inline-size`.
    """
    return "\n".join([_LAYOUT, *_roles(), _HIDDEN, *map(_from, STEPS_PX), _PRINT])


def _roles() -> list[str]:
    fills = (
        f".overlap-picture .overlap-fill-{role} {{ fill: {_colour(role)}; }}"
        for role in LIGHT
    )
    lines = (
        f".overlap-picture .overlap-line-{role} {{ stroke: {_colour(role)}; }}"
        for role in LIGHT
    )
    return [*fills, *lines]


def _colour(role: str) -> str:
    return f"var(--overlap-{role}, {LIGHT[role]})"


def _from(width_px: int) -> str:
    """What is shown from this width on, and what is not any more."""
    rules = {
        "from": "display: inline",
        "below": "display: none",
        "gap": f"stroke: {_colour('ground')}",
    }
    inner = " ".join(
        f".overlap-picture .overlap-{name}-{width_px} {{ {rule}; }}"
        for name, rule in rules.items()
    )
    width = f"{width_px / TEXT_PX:g}em"
    return f"@container overlap-picture (min-width: {width}) {{ {inner} }}"


_LAYOUT = f"""\
/* The picture that Python draws. */
.overlap-snapshot .overlap-lanes {{ container: overlap-picture / inline-size; }}
.overlap-picture {{
  display: block;
  box-sizing: border-box;
  width: 100%;
  padding: 0 {RIGHT_PX}px 0 {LEFT_PX}px;
  overflow: visible;
  forced-color-adjust: none;
}}
.overlap-picture text {{ forced-color-adjust: none; }}
@supports (zoom: calc(1rem / 16px)) {{
  .overlap-snapshot .overlap-picture {{
    zoom: calc(max(1rem, {TEXT_PX}px) / {TEXT_PX}px);
  }}
}}"""

_HIDDEN = f"""\
.overlap-picture [class*="overlap-gap-"] {{ stroke: {_colour("compute")}; }}
.overlap-picture [class*="overlap-below-"] {{ display: inline; }}
.overlap-picture [class*="overlap-from-"] {{ display: none; }}"""

_PRINT = f"""\
@media print {{
  .overlap-picture,
  .overlap.overlap-snapshot,
  .overlap.overlap-snapshot[data-theme] {{
    {" ".join(f"--overlap-{role}: {colour};" for role, colour in LIGHT.items())}
    background: var(--overlap-ground);
    color-scheme: light;
    print-color-adjust: exact;
  }}
  .overlap-picture {{ break-inside: avoid; }}
}}"""
