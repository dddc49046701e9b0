"""Which of the effects decides the tail of a simulated step."""

from enum import Enum

from overlap_widget.model.backward import Simulation, simulate


class Regime(Enum):
    """Why the tail is as long as it is; the value is the key of its sentence."""

    OVERLAP_OFF = "overlap_off"
    LATE = "late"
    ONE_TRANSFER = "one_transfer"
    TRAFFIC = "traffic"
    OVERHEAD = "overhead"
    QUEUE = "queue"
    LAST_BUCKET = "last_bucket"
    HIDDEN = "hidden"


LITTLE = 0.01
"""Of the pass: a tail no longer than this counts as hidden."""


def regime(simulation: Simulation) -> Regime:
    """The first that holds.

    Overlap off: every transfer waits for the end of the pass.
    Late: most of the tail is waiting for the late rank.
    One transfer: it can't start before the pass has ended.
    Traffic: all gradients in one piece take longer than the pass; no arrangement
    hides them.
    Overhead: the last bucket waits, and wouldn't if transfers began for free.
    Queue: the last bucket waits for bytes of earlier ones.
    Last bucket: the link is free when the pass ends; its own transfer remains.
    Hidden: that too, and it is too short to matter.
    """
    if not simulation.effects.overlap:
        return Regime.OVERLAP_OFF
    if 2 * simulation.tail.late_s > simulation.tail.total_s:
        return Regime.LATE
    if len(simulation.transfers) == 1:
        return Regime.ONE_TRANSFER
    if simulation.traffic_exceeds_work:
        return Regime.TRAFFIC
    if simulation.tail.queued_s == 0:
        is_little = simulation.tail.total_s <= LITTLE * simulation.backward_s
        return Regime.HIDDEN if is_little else Regime.LAST_BUCKET
    free_start = simulation.link.scaled(overhead=0)
    without = simulate(
        simulation.layers, simulation.plan, free_start, simulation.effects
    )
    return Regime.QUEUE if without.tail.queued_s > 0 else Regime.OVERHEAD
