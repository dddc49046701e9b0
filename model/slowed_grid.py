"""Layers slowed by the transfers beside them, over many plans and links at once.

Operations and their order are those of `schedule.py`.
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.effects import Effects

Floats = NDArray[np.float64]


class SlowedPasses:
    """Passes beside the transfers of several plans; they go on layer by layer.

    A point is one plan on one link of the grid. All transfers are kept, since each
    point is busy with another one: 16 bytes for each transfer and link.

    layers:  how many are done
    done_s:  float64[plans, links], when they are
    delay_s: float64[plans, links], how much later than undisturbed
    start_s: float64[all transfers * links], infinite until sent; those of a plan follow
             each other, with an empty one at the end
    end_s:   the same for their ends
    next:    int64[plans], the place in both where a plan's next transfer goes
    pending: int64[plans * links], the place of the first transfer of each point that
             may not have ended yet
    """

    def __init__(
        self,
        undisturbed_s: Sequence[float],
        first: int,
        transfers: Sequence[int],
        links: int,
        effects: Effects,
    ) -> None:
        self.undisturbed_s, self.links = undisturbed_s, links
        self.slowdown = effects.slowdown
        self.layers = first
        self.done_s = np.full((len(transfers), links), undisturbed_s[first])
        self.delay_s = np.zeros((len(transfers), links))
        rows = np.cumsum([0, *(count + 1 for count in transfers)])
        self.start_s = np.full(rows[-1] * links, math.inf)
        self.end_s = np.full(rows[-1] * links, math.inf)
        self.next = rows[:-1] * links
        self.pending = (self.next[:, np.newaxis] + np.arange(links)).ravel()

    def go_on(self, layers: int) -> None:
        """Until the first `layers` are done."""
        moments_s = self.undisturbed_s[self.layers : layers + 1]
        for begin_s, end_s in itertools.pairwise(moments_s):
            now_s = (begin_s + self.delay_s).ravel()
            slowed_s = self._slowed_s(now_s, end_s - begin_s)
            self.delay_s += slowed_s.reshape(self.delay_s.shape)
            self.done_s = end_s + self.delay_s
        self.layers = layers

    def send(self, plans: NDArray[np.intp], start_s: Floats, end_s: Floats) -> None:
        """Remember a transfer of each of these plans, which layers may run beside."""
        places = self.next[plans, np.newaxis] + np.arange(self.links)
        self.start_s[places] = start_s.reshape(places.shape)
        self.end_s[places] = end_s.reshape(places.shape)
        self.next[plans] += self.links
        self.delay_s[plans] = self.done_s[plans] - self.undisturbed_s[self.layers]

    def _slowed_s(self, now_s: Floats, layer_s: float) -> Floats:
        """How much longer than `layer_s` a layer takes that begins now.

        Each round looks at one transfer of each point, the next of its own: one that
        is over moves `pending` on, and a layer that ends before it leaves the rounds.
        """
        slowdown, slowed_s = self.slowdown, np.zeros(len(now_s))
        gap_s = np.maximum(0.0, self.start_s[self.pending] - now_s)
        points = np.flatnonzero(layer_s > gap_s)  # the others are done before it
        now_s, at = now_s[points], self.pending[points]
        work_s = np.full(points.size, layer_s)
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
            at = at + self.links
            self.pending[points[is_over]] = at[is_over]
            points, at = points[stays], at[stays]
            now_s, work_s = now_s[stays], work_s[stays]
        return slowed_s
