"""Bars, labels and lines of a simulated step as columns, in milliseconds."""

from collections.abc import Sequence
from typing import Any

from overlap_widget.app.figures import (
    BRACKET_Y,
    CAPTION_Y,
    COMPUTE_Y,
    LINK_Y,
    WAITING_Y,
)
from overlap_widget.app.words import words
from overlap_widget.model.backward import Simulation, Transfer, running_totals
from overlap_widget.model.units import MB, MS

Columns = dict[str, list[Any]]


def layers_text(names: Sequence[str]) -> str:
    """The first and the last name, or the one layer's name."""
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def compute_bars(simulation: Simulation) -> Columns:
    """The layers, one after the other."""
    totals_ms = [total_s / MS for total_s in running_totals(simulation.layers)[0]]
    starts_ms, ends_ms = totals_ms[:-1], totals_ms[1:]
    return _bars(starts_ms, ends_ms, COMPUTE_Y) | {
        "layers": [layer.name for layer in simulation.layers],
        "size": [layer.gradient_bytes / MB for layer in simulation.layers],
        "start": starts_ms,
        "end": ends_ms,
    }


def layer_labels(simulation: Simulation) -> Columns:
    """The middle of each layer's bar, and its name without what all share."""
    bars = compute_bars(simulation)
    names = bars["layers"]
    words_of = [name.rsplit(" ", 1) for name in names]
    alike = len({first for first, *_ in words_of}) == 1
    return _labels(bars, [parts[-1] for parts in words_of] if alike else names)


def bucket_labels(bars: Columns) -> Columns:
    """The number of each transfer in the middle of its bar."""
    return _labels(bars, [str(number) for number in bars["bucket"]])


def link_bars(transfers: Sequence[Transfer], from_ms: float, to_ms: float) -> Columns:
    """The part of each transfer between two times; none where nothing remains."""
    shown = [
        (number, one, max(one.start_s / MS, from_ms), min(one.end_s / MS, to_ms))
        for number, one in enumerate(transfers, start=1)
        if max(one.start_s / MS, from_ms) < min(one.end_s / MS, to_ms)
    ]
    bars = _bars(
        [left for *_, left, _ in shown], [right for *_, right in shown], LINK_Y
    )
    return bars | _transfer_fields([(number, one) for number, one, *_ in shown])


def waiting_bars(transfers: Sequence[Transfer]) -> Columns:
    """From ready to start, one below the other while several wait."""
    waiting = [
        (number, one)
        for number, one in enumerate(transfers, start=1)
        if one.start_s > one.ready_s
    ]
    rows = _rows([(one.ready_s, one.start_s) for _, one in waiting])
    low, high = WAITING_Y
    height = min(0.45, (high - low) / (max(rows, default=0) + 1))
    tops = [high - row * height for row in rows]
    return {
        "left": [one.ready_s / MS for _, one in waiting],
        "right": [one.start_s / MS for _, one in waiting],
        "bottom": [top - 0.72 * height for top in tops],
        "top": tops,
    } | _transfer_fields(waiting)


def _rows(spans: Sequence[tuple[float, float]]) -> list[int]:
    """The first row that is free for each span; spans come ordered by start."""
    ends: list[float] = []
    rows = []
    for start, end in spans:
        free = (row for row, until in enumerate(ends) if until <= start)
        row = next(free, len(ends))
        ends[row : row + 1] = [end]
        rows.append(row)
    return rows


def _transfer_fields(transfers: Sequence[tuple[int, Transfer]]) -> Columns:
    """What the card of a transfer names."""
    return {
        "bucket": [number for number, _ in transfers],
        "layers": [layers_text(one.layers) for _, one in transfers],
        "size": [one.size_bytes / MB for _, one in transfers],
        "ready": [one.ready_s / MS for _, one in transfers],
        "start": [one.start_s / MS for _, one in transfers],
        "end": [one.end_s / MS for _, one in transfers],
    }


def ready_lines(transfers: Sequence[Transfer]) -> Columns:
    """From the moment a bucket is ready down to the start of its transfer."""
    return {
        "x0": [one.ready_s / MS for one in transfers],
        "y0": [COMPUTE_Y[0]] * len(transfers),
        "x1": [one.start_s / MS for one in transfers],
        "y1": [LINK_Y[1]] * len(transfers),
    }


def bracket(pass_ms: float, end_ms: float) -> Columns:
    """A line over the exposed part with a foot at each end."""
    foot_y = LINK_Y[1] + 0.2
    return {
        "x0": [pass_ms, pass_ms, end_ms],
        "y0": [BRACKET_Y, foot_y, foot_y],
        "x1": [end_ms, pass_ms, end_ms],
        "y1": [BRACKET_Y, BRACKET_Y, BRACKET_Y],
    }


def captions() -> Columns:
    """The names of the lanes."""
    lanes = tuple(CAPTION_Y)
    return {
        "x": [0] * len(lanes),
        "y": [CAPTION_Y[lane] for lane in lanes],
        "text": [words(f"lane.{lane}") for lane in lanes],
    }


def _bars(
    left: list[float], right: list[float], between_y: tuple[float, float]
) -> Columns:
    low, high = between_y
    return {
        "left": left,
        "right": right,
        "bottom": [low] * len(left),
        "top": [high] * len(left),
    }


def _labels(bars: Columns, texts: Sequence[str]) -> Columns:
    """A text in the middle of each bar, with the room it has."""
    spans = list(
        zip(bars["left"], bars["right"], bars["bottom"], bars["top"], strict=True)
    )
    return {
        "x": [(left + right) / 2 for left, right, *_ in spans],
        "y": [(bottom + top) / 2 for *_, bottom, top in spans],
        "text": list(texts),
        "room": [right - left for left, right, *_ in spans],
    }
