"""Where things lie in a picture: from milliseconds to pixels, or to percent of a width.

A picture of a page is as wide as the page leaves it, and its text is never scaled: x is
in percent, y in pixels. What fits only a wide picture carries a class that the page's
styles show from that width on; see `picture_css`. A picture for a file has its width.
"""

import math
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

STEPS_PX = (
    *(280, 320, 360, 400, 450, 500, 560, 640),
    *(720, 800, 900, 1000, 1120, 1280, 1440, 1600, 1800),
)
"""Widths of a page's picture from which on more of its texts are shown."""
NARROWEST_PX = 240
"""What fits so narrow a picture is always shown."""
LEFT_PX, RIGHT_PX = 2, 12
"""Beside the frame in a page's picture, as in the Bokeh figures."""
THINNEST = 1e-4
"""Of the frame: how wide a bar is drawn at least, so that none goes missing."""

CHARACTER_PX = 7.2
"""Of text of 12 px, on the safe side; as in `static/front/figure_texts.js`."""
TEXT_PX = 12
PROSE = 0.54
"""How wide a character is in sentences, as a share of its height, in a wide font."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a picture in which data lie.

    start, end:  of the time axis, in milliseconds
    low, high:   of the y axis, upwards
    top_px, height_px:  where that is in the picture
    left_px, width_px:  the same across; no width where x is in percent
    """

    start: float
    end: float
    low: float
    high: float
    top_px: float
    height_px: float
    left_px: float = 0.0
    width_px: float | None = None

    @property
    def bottom_px(self) -> float:
        """Where the time axis lies."""
        return self.top_px + self.height_px

    def share(self, length: float) -> float:
        """A length on the time axis as a share of it."""
        return length / (self.end - self.start)

    def shows(self, start: float, end: float) -> bool:
        """Whether any part of a span is in sight; one without length, if it is."""
        if start == end:
            return self.start <= start <= self.end
        return start < self.end and end > self.start

    def x(self, value: float, dx_px: float = 0.0) -> dict[str, str]:
        """The attributes that put something at a time, and a little beside it."""
        at = {"x": self.x_text(value)}
        return at | ({"transform": f"translate({number(dx_px)} 0)"} if dx_px else {})

    def x_text(self, value: float) -> str:
        """A time as a coordinate."""
        share = self.share(value - self.start)
        if self.width_px is None:
            return _percent(share)
        return number(self.left_px + share * self.width_px)

    def width_text(self, length: float) -> str:
        """A length on the time axis as a width, never nothing."""
        share = max(self.share(length), THINNEST)
        if self.width_px is None:
            return _percent(share)
        return number(share * self.width_px)

    def y(self, value: float) -> float:
        """A height of the y axis in pixels from the top of the picture."""
        share = (self.high - value) / (self.high - self.low)
        return self.top_px + share * self.height_px

    def since(self, share: float, needed_px: float) -> int | None:
        """How wide the picture must be for a share of its frame to have so many pixels.

        One of `STEPS_PX`; 0 for any width, None for none.
        """
        if self.width_px is not None:
            return 0 if share * self.width_px >= needed_px else None
        if needed_px <= 0:
            return 0
        if share <= 0:
            return None
        picture_px = needed_px / share + LEFT_PX + RIGHT_PX
        if picture_px <= NARROWEST_PX:
            return 0
        step = bisect_left(STEPS_PX, picture_px)
        return STEPS_PX[step] if step < len(STEPS_PX) else None


def number(value: float) -> str:
    """Pixels to a hundredth, without zeros at the end; ValueError for no number."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no place in a picture")
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _percent(share: float) -> str:
    """A share of 1; at 2,000 px the last decimal is a five-hundredth of a pixel."""
    if not math.isfinite(share):
        raise ValueError(f"{share} is no place in a picture")
    return f"{100 * share:.4f}".rstrip("0").rstrip(".") + "%"


def columns_of(text: str) -> int:
    """How many characters wide a text is; Chinese and such count as two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def prose_px(text: str, size_px: float) -> float:
    """About how wide a part of a sentence is."""
    return PROSE * size_px * columns_of(text)


def text_px(text: str, size_px: float = TEXT_PX) -> float:
    """How wide a text is at most, also one of digits alone."""
    return CHARACTER_PX * size_px / TEXT_PX * columns_of(text)
