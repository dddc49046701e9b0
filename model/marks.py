"""What to draw of many spans in few marks: the narrow ones merged.

A step may hold 100,000 kernels and a screen has a thousand pixels. Spans narrower
than a pixel that lie less than a pixel apart become one mark, so that a lane never
has more than about two marks a pixel, and zooming in takes them apart again.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.intervals import Intervals
from overlap_widget.model.timeline import Timeline


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Columns of what to draw, one row a mark, ordered by start.

    start_s, end_s: float64[m]
    spans:          int64[m], how many spans a mark stands for
    row:            int64[m], row of the longest of them in the timeline
    """

    start_s: NDArray[np.float64]
    end_s: NDArray[np.float64]
    spans: NDArray[np.int64]
    row: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.start_s)


def marks(
    timeline: Timeline,
    rows: NDArray[np.bool_],
    window_s: tuple[float, float],
    pixel_s: float,
) -> Marks:
    """The marks of the chosen rows that a window [start, end] shows.

    `pixel_s` is the time that one pixel stands for; 0 merges nothing.
    """
    shown = rows & (timeline.end_s >= window_s[0]) & (timeline.start_s <= window_s[1])
    index = np.flatnonzero(shown)
    index = index[np.argsort(timeline.start_s[index], kind="stable")]
    start_s, end_s = timeline.start_s[index], timeline.end_s[index]
    if not len(index):
        return Marks(start_s, end_s, index.astype(np.int64), index.astype(np.int64))
    first = np.flatnonzero(_begins_a_mark(start_s, end_s, pixel_s))
    spans = np.diff(np.r_[first, len(index)])
    return Marks(
        start_s=start_s[first],
        end_s=np.maximum.reduceat(end_s, first),
        spans=spans,
        row=index[_longest(end_s - start_s, first, spans)],
    )


def _begins_a_mark(
    start_s: NDArray[np.float64], end_s: NDArray[np.float64], pixel_s: float
) -> NDArray[np.bool_]:
    """Whether a span stands apart from all before it, or either is wide."""
    wide = end_s - start_s >= pixel_s
    apart = start_s[1:] - np.maximum.accumulate(end_s)[:-1] >= pixel_s
    begins: NDArray[np.bool_] = np.r_[True, apart | wide[1:] | wide[:-1]]
    return begins


def _longest(
    length_s: NDArray[np.float64], first: NDArray[np.int64], spans: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Position of the longest span of each mark."""
    mark = np.repeat(np.arange(len(first)), spans)
    order = np.lexsort((length_s, mark))
    last: NDArray[np.int64] = order[np.cumsum(spans) - 1]
    return last


def visible_parts(
    parts: Intervals, span_s: NDArray[np.float64], pixel_s: float
) -> NDArray[np.float64]:
    """What to draw of parts of spans: float64[m, 3], rows [start, end, covered].

    `span_s` is the length of the span that each part belongs to. A run of parts less
    than a pixel apart is one mark where they cover at least half of it, so that a mark
    never tells of much more than there is. What is narrower than a pixel then is left
    out, unless it is at least half of its span.
    """
    if not len(parts):
        return np.empty((0, 3))
    length_s = parts[:, 1] - parts[:, 0]
    begins = np.r_[True, parts[1:, 0] - parts[:-1, 1] >= pixel_s]
    first = np.flatnonzero(begins)
    last = np.r_[first[1:], len(parts)] - 1
    covered_s = np.add.reduceat(length_s, first)
    runs = np.column_stack([parts[first, 0], parts[last, 1], covered_s])
    dense = covered_s >= (runs[:, 1] - runs[:, 0]) / 2
    alone = ~dense[np.cumsum(begins) - 1]
    marks = np.r_[runs[dense], np.column_stack([parts, length_s])[alone]]
    whole_s = np.r_[span_s[first][dense], span_s[alone]]
    seen = (marks[:, 1] - marks[:, 0] >= pixel_s) | (marks[:, 2] >= whole_s / 2)
    shown = marks[seen]
    in_order: NDArray[np.float64] = shown[np.argsort(shown[:, 0], kind="stable")]
    return in_order
