"""Sentences on a comparison of ranks: what it rests on, and what it can't tell."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Clock, Member, Verdict
from overlap_widget.model.ranks_shared import Mask, split_groups
from overlap_widget.model.ranks_waiting import Waits
from overlap_widget.model.recording import OUTSIDE, Group

ALONE = (
    "one rank alone can't tell waiting from transfer: what it waits for slower ranks "
    "counts as communication too; open the files of the other ranks with it"
)
UNTOLD = "so waiting can't be told from transfer"
_NS_PER_S = 1e9
_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))


def sentences(
    files: Sequence[MeasuredFile],
    members: Sequence[Member],
    clock: Sequence[Clock],
    told: Waits,
) -> tuple[tuple[str, ...], ...]:
    """For each file, in its order."""
    said: list[list[str]] = [[] for _ in files]
    if len(members) == 1:
        said[members[0].file].append(ALONE)
    else:
        for member, one in zip(members, clock, strict=True):
            said[member.file] += _on_clock(member, members[one.reference], one)
    for at, sentence in (
        *_on_twins(files),
        *_on_missing(files, members, clock),
        *_on_split(files, members),
    ):
        said[at].append(sentence)
    for at, file in enumerate(files):
        said[at] += _on_untold(file, np.isfinite(told.waiting_s[at]))
    return tuple(map(tuple, said))


def repeated_ranks(files: Sequence[MeasuredFile]) -> dict[int, list[int]]:
    """Rank numbers that several files have, and which files."""
    counts = Counter(file.rank for file in files if file.rank is not None)
    return {
        rank: [at for at, file in enumerate(files) if file.rank == rank]
        for rank, count in counts.items()
        if count > 1
    }


def _on_twins(files: Sequence[MeasuredFile]) -> Iterator[tuple[int, str]]:
    for rank, places in repeated_ranks(files).items():
        one = (
            f"{len(places)} files are of rank {rank}, as of several runs, so this one "
            "isn't compared with other ranks"
        )
        yield from ((at, one) for at in places)


def _on_clock(member: Member, reference: Member, clock: Clock) -> Iterator[str]:
    if clock.verdict is Verdict.UNSHARED:
        yield (
            f"{member.label} shares no collective with the others that ends for all "
            f"ranks at once, {UNTOLD}"
        )
    if clock.verdict is Verdict.REFUSED and member == reference:
        yield f"no clock can be set by that of {member.label}, {UNTOLD}"
    elif clock.verdict is Verdict.REFUSED:
        yield (
            f"the clock of {member.label} can't be set by that of {reference.label}: "
            "the collectives that they share don't end together (nine of ten within "
            f"{_roughly(clock.spread_s)}), {UNTOLD}"
        )
    elif clock.verdict is Verdict.SHIFTED and clock.shift_ns is not None:
        way = "ahead of" if clock.shift_ns > 0 else "behind"
        yield (
            f"the clock of {member.label} is {_time_text(abs(clock.shift_ns))} {way} "
            f"that of {reference.label}, by the common ends of "
            f"{_counted(clock.shared, 'collective')}, and was set by it"
        )
    if clock.is_set and clock.drift:
        way = "gains" if clock.drift > 0 else "loses"
        yield (
            f"the clock of {member.label} {way} "
            f"{_roughly(abs(clock.drift))} a second on that of "
            f"{reference.label}, which was taken off"
        )


def _on_missing(
    files: Sequence[MeasuredFile], members: Sequence[Member], clock: Sequence[Clock]
) -> Iterator[tuple[int, str]]:
    """On the first file of a comparison; of the group that lacks the most ranks."""
    compared = [
        member for member, one in zip(members, clock, strict=True) if one.is_set
    ]
    here: Counter[Group] = Counter(
        group for member in compared for group in _groups_of(files[member.file])
    )
    lacking = [
        (size - count, size, count)
        for group, count in here.items()
        if (size := group.size or len(group.ranks)) > count
    ]
    several = len({member.file for member in compared}) > 1
    if lacking and len(compared) > 1:
        _, size, count = max(lacking)
        yield compared[0].file, _few_of(f"{count} of the {size} ranks of a group are")
    elif several and not here:
        unknown = "the files don't tell how many ranks took part: only these are"
        yield compared[0].file, _few_of(unknown)


def _few_of(subject: str) -> str:
    return f"{subject} compared, and the one that they wait for may be another"


def _on_split(
    files: Sequence[MeasuredFile], members: Sequence[Member]
) -> Iterator[tuple[int, str]]:
    for group, count in split_groups(files, members).items():
        one = (
            f"{count} ranks name a process group {group.name} of {group.size}, and the "
            "files don't list its ranks, so its collectives aren't matched"
        )
        for at in sorted({member.file for member in members}):
            if group in _groups_of(files[at]):
                yield at, one


def _on_untold(file: MeasuredFile, told: Mask) -> Iterator[str]:
    inside = file.transfers.step != OUTSIDE
    untold = int((inside & ~told).sum())
    if untold and told.any():
        yield (
            f"{untold:,} of {int(inside.sum()):,} transfers in steps can't be matched "
            "with those of other ranks, so what they wait counts as transfer"
        )


def _groups_of(file: MeasuredFile) -> set[Group]:
    codes = np.unique(file.transfers.group)
    return {file.transfers.groups[code] for code in codes if code >= 0}


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _roughly(seconds: float) -> str:
    """Three digits: `30 µs`."""
    return _time_text(round(float(f"{seconds * _NS_PER_S:.3g}")))


def _time_text(ns: int) -> str:
    """All of its digits, so that a shift can be checked: `1,204.5 s`, `57.2 µs`."""
    unit_ns, unit = next((one for one in _UNITS if ns >= one[0]), _UNITS[-1])
    whole, rest = divmod(ns, unit_ns)
    digits = f"{rest:0{len(str(unit_ns)) - 1}d}".rstrip("0") if rest else ""
    return f"{whole:,}.{digits} {unit}" if digits else f"{whole:,} {unit}"
