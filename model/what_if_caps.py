"""What other caps of DDP's buckets would give a measured pass: the tail of each."""

import itertools
from dataclasses import dataclass

from overlap_widget.model.backward import simulate
from overlap_widget.model.layer import Plan
from overlap_widget.model.replay import Replay
from overlap_widget.model.rules import DDP_CAP_MIB, ddp
from overlap_widget.model.units import MIB

CAPS_MIB = (1, 2, 5, 10, 25, 50, 100, 200, 500, 1000)
"""What people set `bucket_cap_mb` to."""


@dataclass(frozen=True, slots=True)
class CapRow:
    """A pass with the buckets of one cap: how many transfers, and the tail."""

    cap_bytes: float
    transfers: int
    tail_s: float


def caps(replay: Replay) -> tuple[CapRow, ...]:
    """The caps that the pieces of this pass can tell apart, the smallest first.

    A cap below the largest piece closes a bucket with every piece, and one of all bytes
    or more never closes one; neither is listed. So there may be none.
    """
    sizes = [layer.gradient_bytes for layer in replay.measured.layers]
    return tuple(
        _row(replay, ddp(replay.measured.layers, cap_mib), cap_mib)
        for cap_mib in CAPS_MIB
        if max(sizes) < cap_mib * MIB < sum(sizes)
    )


def default_cap(replay: Replay) -> CapRow:
    """DDP's buckets where no cap is given: 1 MiB for the first, then 25 MiB."""
    return _row(replay, ddp(replay.measured.layers), DDP_CAP_MIB)


def piece_bytes(replay: Replay) -> float:
    """The size of a piece of this pass, on average: no bucket can be smaller."""
    sizes = [layer.gradient_bytes for layer in replay.measured.layers]
    return sum(sizes) / len(sizes)


def best_sizes_bytes(replay: Replay) -> tuple[float, ...]:
    """The size of each transfer of the best plan."""
    pieces = iter(replay.measured.layers)
    return tuple(
        sum(one.gradient_bytes for one in itertools.islice(pieces, count))
        for count in replay.best.plan
    )


def _row(replay: Replay, plan: Plan, cap_mib: int) -> CapRow:
    found = replay.measured
    played = simulate(found.layers, plan, replay.fit.link, found.effects)
    return CapRow(
        cap_bytes=cap_mib * MIB, transfers=len(plan), tail_s=played.tail.total_s
    )
