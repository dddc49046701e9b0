"""What each rank did in the step of one name: a row each, for tables and rows alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import StepRow
from overlap_widget.model.ranks import Clock, Parts, Ranks


@dataclass(frozen=True, slots=True)
class RankStep:
    """A step on a device of a file.

    file, step, device: indices into the files, the steps of the file and its devices
    member:  index into the members of the comparison; None where it takes no part
    rank:    of the file; None where it doesn't tell
    row:     its numbers
    parts:   how its communication divides; None where nothing is told
    last:    of how many collectives it is the last to begin; None where nothing is told
    clock:   of the member; None without one
    """

    file: int
    step: int
    device: int
    member: int | None
    rank: int | None
    row: StepRow
    parts: Parts | None
    last: int | None
    clock: Clock | None


def rank_steps(
    files: Sequence[MeasuredFile], ranks: Ranks, name: str
) -> tuple[RankStep, ...]:
    """The ranks that have a step of this name, in the order of files and devices."""
    return tuple(
        _rank_step(files, ranks, at, step, device)
        for at, file in enumerate(files)
        for step in _steps_named(file, name)
        for device in range(len(file.total_rows))
    )


def _steps_named(file: MeasuredFile, name: str) -> Iterator[int]:
    """The first step of that name, if there is one."""
    for step, one in enumerate(file.steps):
        if one.name == name:
            yield step
            return


def _rank_step(
    files: Sequence[MeasuredFile], ranks: Ranks, at: int, step: int, device: int
) -> RankStep:
    file = files[at]
    number = file.total_rows[device].device
    member = _member(ranks, at, number)
    parts = ranks.parts.get((at, step, number))
    return RankStep(
        file=at,
        step=step,
        device=device,
        member=member,
        rank=file.rank,
        row=file.step_rows[step * len(file.total_rows) + device],
        parts=parts,
        last=None if parts is None else _times_last(file, ranks, at, step, number),
        clock=None if member is None else ranks.clocks[member],
    )


def _member(ranks: Ranks, file: int, device: int) -> int | None:
    for at, member in enumerate(ranks.members):
        if (member.file, member.device) == (file, device):
            return at
    return None


def _times_last(
    file: MeasuredFile, ranks: Ranks, at: int, step: int, device: int
) -> int:
    moved = file.transfers
    here = (moved.step == step) & (moved.device == device)
    return int((ranks.latest[at][here] == _member(ranks, at, device)).sum())
