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
from overlap_widget.model.gradients import gradient_rows
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link_fit import LinkFit, Refused
from overlap_widget.model.plans import Best, best_of
from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Kind

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
    """

    backward_s: float
    layers: tuple[Layer, ...]
    plan: Plan
    start_s: tuple[float, ...]
    end_s: tuple[float, ...]

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
    recording: Recording, device: int, step: int, fit: LinkFit
) -> Replay | Refused:
    """Replay a step (an index) of a device, or say why it can't be."""
    measured = measured_pass(recording, device, step)
    if isinstance(measured, Refused):
        return measured
    simulation = simulate(measured.layers, measured.plan, fit.link)
    replay = Replay(
        measured=measured,
        fit=fit,
        simulation=simulation,
        best=best_of(measured.layers, fit.link),
    )
    off = abs(replay.error_s) / measured.backward_s
    if off > MOST_ERROR:
        return Refused(
            "replayed with its own buckets, this step ends "
            f"{off:.0%} of the pass too {'late' if replay.error_s > 0 else 'soon'}, "
            f"and more than {MOST_ERROR:.0%} would mislead"
        )
    return replay


def measured_pass(
    recording: Recording, device: int, step: int
) -> MeasuredPass | Refused:
    """The pass of a step (an index) on a device, or why none can be told.

    It lasts from the first kernel of the backward pass to the end of the last.
    """
    spans = recording.spans
    here = (recording.device == device) & (recording.step == step)
    computes = here & recording.backward
    if not computes.any():
        return Refused(
            "the recording doesn't tell which kernels of this step are of the backward "
            "pass, so that there is no pass to replay"
        )
    begun_s = float(spans.start_s[computes].min())
    backward_s = float(spans.end_s[computes].max()) - begun_s
    rows = _sent(recording, here & (spans.start_s >= begun_s))
    if not len(rows) or backward_s == 0:
        return Refused("no gradients of known size are sent in this step")
    if len(rows) > MOST_TRANSFERS:
        return Refused(
            f"this step sends its gradients in {len(rows):,} transfers, and a replay "
            f"takes up to {MOST_TRANSFERS:,}"
        )
    return _pass_of(recording, rows, begun_s, backward_s)


def _pass_of(
    recording: Recording, rows: Rows, begun_s: float, backward_s: float
) -> MeasuredPass:
    """The pass with these transfers, on its own clock."""
    spans = recording.spans
    start_s, end_s = spans.start_s[rows] - begun_s, spans.end_s[rows] - begun_s
    sizes = spans.size_bytes[rows]
    ready_s = _ready_s(spans.ready_s[rows] - begun_s, start_s, end_s, sizes, backward_s)
    plan = _plan(sizes)
    return MeasuredPass(
        backward_s=backward_s,
        layers=_layers(ready_s, sizes, plan),
        plan=plan,
        start_s=tuple(start_s.tolist()),
        end_s=tuple(end_s.tolist()),
    )


def _sent(recording: Recording, within: NDArray[np.bool_]) -> Rows:
    """Rows of the transfers of gradients, in the order of their start."""
    spans = recording.spans
    rows = np.flatnonzero(spans.kind == Kind.COMMUNICATION)
    gradients = gradient_rows(
        spans.collective[rows],
        recording.group[rows],
        recording.groups,
        spans.size_bytes[rows],
    )
    rows = rows[gradients & within[rows]]
    return rows[np.argsort(spans.start_s[rows], kind="stable")]


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
