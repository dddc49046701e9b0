"""The time axis of a picture: the ticks that Bokeh would choose, and its label."""

import math
from collections.abc import Iterator

from overlap_widget.app.picture_frame import (
    LEFT_PX,
    RIGHT_PX,
    TEXT_PX,
    Frame,
    number,
    prose_px,
    text_px,
)
from overlap_widget.app.picture_tags import (
    escaped,
    group,
    painted,
    segment,
    shown_from,
    tag,
)

MANTISSAS = (0.5, 1, 2, 5, 10)
WANTED_TICKS = 6
TICK_IN_PX, TICK_OUT_PX = 2, 6
NUMBERS_PX, LABEL_PX = 21, 40
"""Baselines of the ticks' numbers and of the label, below the axis."""
EDGE = 1e-6
"""Of the axis: what is so near to one of its ends is there."""
APART_PX = 6
"""Between two numbers of the axis."""


def draw_axis(frame: Frame, label: str) -> str:
    """The axis below a frame."""
    step = tick_step(frame.end - frame.start)
    first = math.ceil(frame.start / step - 1e-9)
    last = math.floor(frame.end / step + 1e-9)
    ticks = range(first, last + 1)
    y = frame.bottom_px
    return group(
        painted(line="axis"),
        [
            segment((frame.x_text(frame.start), y), (frame.x_text(frame.end), y)),
            *(_tick(frame, at * step) for at in ticks),
        ],
    ) + group(
        painted(fill="muted") | {"font-size": TEXT_PX, "text-anchor": "middle"},
        [*_numbers(frame, ticks, step), _label(frame, label)],
    )


def tick_step(span: float) -> float:
    """How far apart ticks stand: 1, 2 or 5 of a power of ten, for about six of them.

    As in Bokeh's AdaptiveTicker: of equally good steps the smallest.
    """
    power = math.floor(math.log10(span / WANTED_TICKS))
    steps = [float(f"{mantissa:g}e{power}") for mantissa in MANTISSAS]
    return min(steps, key=lambda step: abs(WANTED_TICKS - span / step))


def _tick(frame: Frame, at: float) -> str:
    x = frame.x_text(at)
    return segment(
        (x, frame.bottom_px - TICK_IN_PX), (x, frame.bottom_px + TICK_OUT_PX)
    )


def _numbers(frame: Frame, ticks: range, step: float) -> Iterator[str]:
    """The number of each tick; where they are tight, every second one gives way."""
    texts = {at: tick_text(at * step, step) for at in ticks}
    needed_px = max(map(text_px, texts.values()), default=0) + APART_PX
    y = {"y": number(frame.bottom_px + NUMBERS_PX)}
    for at, text in texts.items():
        apart = frame.share(step) * ((at & -at) or len(texts))
        since = frame.since(apart, needed_px)
        if since is not None:
            x = frame.x(at * step, _inwards(frame, at * step, text))
            drawn = tag("text", x | y, text)
            yield group(shown_from(since), [drawn]) if since else drawn


def _inwards(frame: Frame, value: float, text: str) -> float:
    """How far a number at the very edge moves to stay in the picture, in pixels."""
    half_px = text_px(text) / 2
    if frame.share(value - frame.start) < EDGE:
        return max(0.0, half_px - LEFT_PX)
    is_last = frame.share(frame.end - value) < EDGE
    return min(0.0, RIGHT_PX - half_px) if is_last else 0.0


def tick_text(value: float, step: float) -> str:
    """A tick's number with the decimals that its step needs: 0, 0.5, 1."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def _label(frame: Frame, label: str) -> str:
    """The whole label; where that is too long, what it has in brackets: the unit."""
    since = frame.since(1, prose_px(label, TEXT_PX))
    whole = _centred(frame, label)
    if since == 0 or "(" not in label:
        return whole
    unit = _centred(frame, label.rpartition("(")[2].removesuffix(")"))
    if since is None:
        return unit
    return group(shown_from(since), [whole]) + group(shown_from(0, since), [unit])


def _centred(frame: Frame, text: str) -> str:
    middle = (frame.start + frame.end) / 2
    y = {"y": number(frame.bottom_px + LABEL_PX)}
    return tag("text", frame.x(middle) | y, escaped(text))
