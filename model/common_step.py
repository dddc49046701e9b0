"""Which step of several ranks to look at first: the same one in all of their files."""

from collections.abc import Sequence
from dataclasses import dataclass

from overlap_widget.model.default_step import to_nanosecond
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import StepRow


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A step of one file, over all of its devices."""

    name: str
    is_first: bool
    is_complete: bool
    moves: bool
    length_s: float


def common_step(files: Sequence[MeasuredFile]) -> str | None:
    """The name of a step that is whole in all files, by the rule of `default_step`.

    Its length is that of the rank that takes longest for it. Where no step is whole in
    all of them, it is the default step of the first file.
    """
    if not files:
        return None
    of_first = files[0].default_step
    fallback = None if of_first is None else files[0].steps[of_first].name
    by_file = [{one.name: one for one in _stretches(file)} for file in files]
    names = [name for name in by_file[0] if all(name in one for one in by_file)]
    found = {name: [one[name] for one in by_file] for name in names}
    choice = [name for name in names if all(one.is_complete for one in found[name])]
    if len(files) == 1 or not choice:
        return fallback
    choice = [
        name for name in choice if any(one.moves for one in found[name])
    ] or choice
    later = [name for name in choice if not any(one.is_first for one in found[name])]
    lengths_s = {name: max(one.length_s for one in found[name]) for name in names}
    ordered = sorted(later or choice, key=lambda name: lengths_s[name])
    return ordered[(len(ordered) - 1) // 2]


def _stretches(file: MeasuredFile) -> list[_Stretch]:
    devices = len(file.total_rows)
    return [
        _stretch(at == 0, file.step_rows[at * devices : (at + 1) * devices])
        for at in range(len(file.steps))
    ]


def _stretch(is_first: bool, rows: Sequence[StepRow]) -> _Stretch:
    """Rows of a step, one a device, of which those without work have no length."""
    worked = [row for row in rows if row.span_s > 0]
    start_s = min((row.start_s for row in worked), default=0.0)
    end_s = max((row.start_s + row.span_s for row in worked), default=0.0)
    return _Stretch(
        name=rows[0].step,
        is_first=is_first,
        is_complete=rows[0].complete,
        moves=any(row.communication_s > 0 for row in rows),
        length_s=to_nanosecond(end_s - start_s),
    )
