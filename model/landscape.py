"""The landscape: the tail and its regime for each bucket size on each of many links.

One call does all points of bucket size x bandwidth x overhead. It loops over bucket
sizes, buckets and, where transfers slow them, layers; never over links.
"""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overlap_widget.model.backward import exceeds
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.grid import GridSchedules, LinkGrid, grid_schedules
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.plans import whole_layers
from overlap_widget.model.regime import Outcome, regimes_of
from overlap_widget.model.schedule import hideable_s, running_totals, sent_bytes

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """Why the step outlasts the pass, at b bucket sizes, w bandwidths, o overheads.

    The numbers are those of `simulate` and `regime` at each point, to the last bit.
    All columns are read-only, and two landscapes are equal only if they are one.

    buckets:                int64[b], layers to a bucket
    bandwidths_bytes_per_s: float64[w]
    overheads_s:            float64[o]
    late_s:                 waiting for the late rank, the same everywhere
    queued_s:               float64[b, w, o], the last bucket waits for the link
    overhead_s:             float64[b, w, o], its per-transfer overhead
    wire_s:                 float64[b, w, o], its bytes
    tail_s:                 float64[b, w, o], the sum of these four in this order
    backward_s:             float64[b, w, o], the end of the pass; it differs from point
                            to point only where transfers slow compute
    regime:                 uint8[b, w, o], the place in `list(Regime)`
    """

    buckets: NDArray[np.int64]
    bandwidths_bytes_per_s: Floats
    overheads_s: Floats
    late_s: float
    queued_s: Floats
    overhead_s: Floats
    wire_s: Floats
    tail_s: Floats
    backward_s: Floats
    regime: NDArray[np.uint8]

    def __post_init__(self) -> None:
        """Close the columns to changes."""
        for field in fields(self):
            column = getattr(self, field.name)
            if isinstance(column, np.ndarray):
                column.flags.writeable = False


def landscape(
    layers: Sequence[Layer],
    bandwidths_bytes_per_s: ArrayLike,
    overheads_s: ArrayLike,
    buckets: Iterable[int] | None = None,
    effects: Effects = OFF,
) -> Landscape:
    """The tail for each bucket size, bandwidth and overhead; all bucket sizes if None.

    Raises ValueError for an axis that is empty or holds what no link or plan can have,
    and when the times of any point are too large to add up.
    """
    links = LinkGrid.of(bandwidths_bytes_per_s, overheads_s)
    plans = _plans(len(layers), buckets)
    with np.errstate(over="ignore", invalid="ignore"):  # refused where they matter
        return _landscape(layers, plans, links, effects)


def _plans(layers: int, buckets: Iterable[int] | None) -> list[Plan]:
    """The plan of each bucket size."""
    sizes = range(1, layers + 1) if buckets is None else buckets
    try:
        plans = [whole_layers(layers, operator.index(size)) for size in sizes]
    except TypeError as error:
        raise ValueError("a bucket size must be a whole number of layers") from error
    if not plans:
        raise ValueError("a landscape needs a layer and a bucket size, one or more")
    return plans


def _landscape(
    layers: Sequence[Layer], plans: Sequence[Plan], links: LinkGrid, effects: Effects
) -> Landscape:
    totals = running_totals(tuple(layers) * effects.micro_steps)
    found = grid_schedules(totals, plans, links, effects)
    tail_s, hideable = found.tail_s, hideable_s(layers, effects)

    def queued_for_bytes_s() -> Floats:
        return grid_schedules(totals, plans, links.free_starts, effects).queued_s

    outcome = Outcome(
        effects=effects,
        transfers=found.transfers,
        traffic_exceeds_work=exceeds(
            links.transfer_s(sent_bytes(layers, effects)),
            hideable,
        ),
        hideable_s=hideable,
        tail_s=tail_s,
        queued_s=found.queued_s,
        queued_for_bytes_s=queued_for_bytes_s,
    )
    return _columns(plans, links, found, tail_s, regimes_of(outcome, tail_s.shape))


def _columns(
    plans: Sequence[Plan],
    links: LinkGrid,
    found: GridSchedules,
    tail_s: Floats,
    regime: NDArray[np.uint8],
) -> Landscape:
    """The landscape of what was found, every column at its full shape."""
    return Landscape(
        buckets=np.array([plan[0] for plan in plans]),
        bandwidths_bytes_per_s=links.bandwidths_bytes_per_s[:, 0],
        overheads_s=links.overheads_s,
        late_s=found.late_s,
        queued_s=found.queued_s,
        overhead_s=np.broadcast_to(found.overhead_s, tail_s.shape),
        wire_s=np.broadcast_to(found.wire_s, tail_s.shape),
        tail_s=tail_s,
        backward_s=np.broadcast_to(found.backward_s, tail_s.shape),
        regime=regime,
    )
