"""Layers slowed by the transfers beside them, over many links at once.

Operations and their order are those of `schedule.py`.
"""

import itertools
import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class SlowedPasses:
    """Passes that are as far as the last bucket sent; they go on with each one.

    A point is one link of the grid. All transfers are kept, since each point is busy
    with another one: 16 bytes for each transfer and point.

    layers:  how many are done
    done_s:  float64[points], when they are
    sent:    how many transfers there are
    start_s: float64[(transfers + 1) * points], infinite until sent
    end_s:   the same for their ends
    pending: int64[points], the place in both of the first transfer that may not have
             ended yet: its number times points, plus the point
    """

    def __init__(
        self,
        undisturbed_s: list[float],
        first: int,
        transfers: int,
        shape: tuple[int, int],
        slowdown: float,
    ) -> None:
        self.undisturbed_s, self.slowdown, self.shape = undisturbed_s, slowdown, shape
        points = math.prod(shape)
        self.layers, self.sent = first, 0
        self.done_s = np.full(points, undisturbed_s[first])
        self.start_s = np.full((transfers + 1) * points, math.inf)
        self.end_s = np.full((transfers + 1) * points, math.inf)
        self.pending = np.arange(points)

    def ready_s(self, layers: int) -> Floats:
        """Go on until the first `layers` are done, and say when that is."""
        undisturbed_s = self.undisturbed_s[self.layers : layers + 1]
        delay_s = self.done_s - undisturbed_s[0]
        for begin_s, end_s in itertools.pairwise(undisturbed_s):
            delay_s += self._slowed_s(begin_s + delay_s, end_s - begin_s)
            self.done_s = end_s + delay_s
        self.layers = layers
        return self.done_s.reshape(self.shape)

    def send(self, start_s: Floats, end_s: Floats) -> None:
        """Remember a transfer that layers still to come may run beside."""
        row = slice(self.sent * start_s.size, (self.sent + 1) * start_s.size)
        self.start_s[row], self.end_s[row] = start_s.flat, end_s.flat
        self.sent += 1

    def _slowed_s(self, now_s: Floats, layer_s: float) -> Floats:
        """How much longer than `layer_s` a layer takes that begins now.

        Each round looks at one transfer of each point, the next of its own: one that
        is over moves `pending` on, and a layer that ends before it leaves the rounds.
        """
        count, slowdown = len(now_s), self.slowdown
        slowed_s, work_s = np.zeros(count), np.full(count, layer_s)
        points, at = np.arange(count), self.pending
        while points.size:
            start_s, end_s = self.start_s[at], self.end_s[at]
            is_over = end_s <= now_s
            gap_s = np.where(is_over, 0.0, np.maximum(0.0, start_s - now_s))
            stays = is_over | (work_s > gap_s)
            now_s, work_s = now_s + gap_s, work_s - gap_s
            beside_s = np.minimum(work_s * (1 + slowdown), end_s - now_s)
            beside_s = np.where(stays & ~is_over, beside_s, 0.0)
            slowed_s[points] += beside_s * slowdown / (1 + slowdown)
            now_s, work_s = now_s + beside_s, work_s - beside_s / (1 + slowdown)
            at = at + count
            self.pending[points[is_over]] = at[is_over]
            points, at = points[stays], at[stays]
            now_s, work_s = now_s[stays], work_s[stays]
        return slowed_s
