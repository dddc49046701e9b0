"""A measured backward pass as layers, to be replayed with other buckets and links.

The recording tells when each bucket of gradients was ready and how large it was. In
between, production is taken as even: the time and the bytes from one bucket to the
next are cut into equal pieces, which stand for layers. Grouped as measured they make
the measured buckets again, so that the replay can be held against the recording.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.backward import Simulation, simulate
from overlap_widget.model.effects import Effects
from overlap_widget.model.gradients import gradient_rows
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link_fit import LinkFit, Refused
from overlap_widget.model.measured_file import MeasuredFile, Transfers
from overlap_widget.model.plans import Best, best_of

Times = NDArray[np.float64]
Rows = NDArray[np.intp]

MOST_ERROR = 0.1
"""Of the pass: what a replay may be off by at the end of its last transfer. A tail is
often that long, and an estimate that is off by more says nothing of it."""
PIECES = 48
"""About as many layers as a slider has room for, whatever the buckets."""
MOST_TRANSFERS = 1000
"""Of a step: above it every change of a bucket takes seconds."""
QUEUED_S = 20e-6
"""A transfer that starts sooner after the one before it has waited for the link."""


@dataclass(frozen=True, slots=True)
class MeasuredPass:
    """The backward pass of a step, and the transfers of its gradients.

    Times are seconds since the pass began. The layers take all of it, and hold all of
    the bytes.

    backward_s: how long the pass takes
    layers:     in backward order, as even pieces of the measured buckets
    plan:       how many of them each measured bucket has
    start_s, end_s: of each transfer, in the order of their start
    late_s:     how much later than here a bucket was ready on all ranks; 0 where
                nothing tells
    """

    backward_s: float
    layers: tuple[Layer, ...]
    plan: Plan
    start_s: tuple[float, ...]
    end_s: tuple[float, ...]
    late_s: float = 0.0

    @property
    def effects(self) -> Effects:
        """The other ranks come so late to every bucket."""
        return Effects(late_s=self.late_s)

    @property
    def tail_s(self) -> float:
        """From the end of the pass to the end of the last transfer; 0 if before."""
        return max(0.0, max(self.end_s) - self.backward_s)


@dataclass(frozen=True, slots=True)
class Replay:
    """A measured pass, replayed on the fitted link with its own buckets.

    best: what is best for this pass on that link
    """

    measured: MeasuredPass
    fit: LinkFit
    simulation: Simulation
    best: Best

    @property
    def error_s(self) -> float:
        """By how much the last transfer ends later than measured; sooner below 0."""
        return self.simulation.step_s - max(self.measured.end_s)


def replayed(
    file: MeasuredFile,
    device: int,
    step: int,
    fit: LinkFit,
    waiting_s: Times | None = None,
) -> Replay | Refused:
    """Replay a step (an index) of a device, or say why it can't be.

    waiting_s: how long each transfer of the file waited for other ranks, NaN where that
               is unknown
    """
    measured = measured_pass(file, device, step, waiting_s)
    if isinstance(measured, Refused):
        return measured
    layers, effects = measured.layers, measured.effects
    replay = Replay(
        measured=measured,
        fit=fit,
        simulation=simulate(layers, measured.plan, fit.link, effects),
        best=best_of(layers, fit.link, effects),
    )
    off = abs(replay.error_s) / measured.backward_s
    if off > MOST_ERROR:
        way = "late" if replay.error_s > 0 else "soon"
        return Refused(
            f"replayed with its own buckets, this step ends {100 * off:.0f} % of the "
            f"pass too {way}, and more than {100 * MOST_ERROR:.0f} % would mislead"
        )
    return replay


def measured_pass(
    file: MeasuredFile, device: int, step: int, waiting_s: Times | None = None
) -> MeasuredPass | Refused:
    """The pass of a step (an index) on a device, or why none can be told.

    It lasts from the first kernel of the backward pass to the end of the last.
    """
    if (step, device) not in file.passes:
        return Refused(
            "the recording doesn't tell which kernels of this step are of its one "
            "backward pass, so that there is none to replay"
        )
    begun_s, ended_s = file.passes[step, device]
    rows = _sent(file.transfers, device, step, begun_s)
    if not len(rows) or ended_s == begun_s:
        return Refused("no gradients of known size are sent in this step")
    if len(rows) > MOST_TRANSFERS:
        return Refused(
            f"this step sends its gradients in {len(rows):,} transfers, and a replay "
            f"takes up to {MOST_TRANSFERS:,}"
        )
    waits_s = np.zeros(len(rows)) if waiting_s is None else waiting_s[rows]
    return _pass_of(file.transfers, rows, waits_s, begun_s, ended_s - begun_s)


def _sent(moved: Transfers, device: int, step: int, begun_s: float) -> Rows:
    """Rows of the transfers of gradients since the pass began, ordered by start."""
    sent = gradient_rows(moved.collective, moved.group, moved.groups, moved.size_bytes)
    sent &= (moved.step == step) & (moved.device == device)
    sent &= moved.start_s >= begun_s
    rows = np.flatnonzero(sent)
    return rows[np.argsort(moved.start_s[rows], kind="stable")]


def _pass_of(
    moved: Transfers, rows: Rows, waits_s: Times, begun_s: float, backward_s: float
) -> MeasuredPass:
    """The pass with these transfers, ordered by start, on its own clock."""
    start_s, end_s = moved.start_s[rows] - begun_s, moved.end_s[rows] - begun_s
    sizes = moved.size_bytes[rows]
    ready_s = _ready_s(moved.ready_s[rows] - begun_s, start_s, end_s, sizes, backward_s)
    plan = _plan(sizes)
    return MeasuredPass(
        backward_s=backward_s,
        layers=_layers(ready_s, sizes, plan),
        plan=plan,
        start_s=tuple(start_s.tolist()),
        end_s=tuple(end_s.tolist()),
        late_s=_late_s(ready_s, start_s, waits_s),
    )


def _late_s(ready_s: Times, start_s: Times, waiting_s: Times) -> float:
    """From when a bucket was ready here to when all ranks had it; of the last to wait.

    A transfer waits until the last of its ranks begins it. One that follows another on
    a busy link waits no longer, however late its bucket was elsewhere.
    """
    waits = np.flatnonzero(waiting_s > QUEUED_S)  # not where it is unknown
    if not len(waits):
        return 0.0
    last = waits[-1]
    return max(0.0, float(start_s[last] + waiting_s[last] - ready_s[last]))


def _ready_s(
    told_s: Times, start_s: Times, end_s: Times, sizes: Times, backward_s: float
) -> Times:
    """When each bucket was ready, never later than the next one.

    Where the recording doesn't tell: when it started, if the link was free; else
    between its neighbours, by the bytes made. The last one is taken for ready with the
    end of the pass, which makes it.
    """
    free_s = np.r_[-np.inf, np.maximum.accumulate(end_s)[:-1]]
    known = (told_s < start_s) | (start_s - free_s > QUEUED_S)
    known[-1] = False
    made = np.cumsum(sizes)
    between_s = np.interp(
        made,
        np.r_[0.0, made[known], made[-1]],
        np.r_[0.0, np.clip(told_s[known], 0.0, backward_s), backward_s],
    )
    ready_s = np.minimum(between_s, np.where(known, between_s, np.maximum(start_s, 0)))
    ready_s[-1] = backward_s
    rising: Times = np.maximum.accumulate(np.clip(ready_s, 0.0, backward_s))
    return rising


def _plan(sizes: Times) -> Plan:
    """How many pieces each bucket is cut into: all pieces about alike in bytes."""
    counts = np.maximum(1, np.rint(sizes * (PIECES / sizes.sum())))
    return tuple(int(count) for count in counts)


def _layers(ready_s: Times, sizes: Times, plan: Plan) -> tuple[Layer, ...]:
    """The pieces of all buckets, named by the number of the bucket and their own."""
    layers: list[Layer] = []
    begun_s = 0.0
    for number, (until_s, size, count) in enumerate(
        zip(ready_s.tolist(), sizes.tolist(), plan, strict=True), start=1
    ):
        ends_s = np.linspace(begun_s, until_s, count + 1)
        ends = np.rint(np.linspace(0, size, count + 1))  # whole bytes add up exactly
        ends[-1] = size
        layers += [
            Layer(f"part {number}.{piece}" if count > 1 else f"part {number}", *one)
            for piece, one in enumerate(
                zip(np.diff(ends_s).tolist(), np.diff(ends).tolist(), strict=True),
                start=1,
            )
        ]
        begun_s = until_s
    return tuple(layers)
