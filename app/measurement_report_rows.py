"""Which rows of a measurement to tell of, and what tells them apart in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from overlap_widget.app.option_readers import short
from overlap_widget.app.text_table import on_one_line
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import (
    Measurement,
    StepRow,
    TotalRow,
    TransferRow,
)
from overlap_widget.model.quoted import quoted

ALL = "all"
MOST_NAMED = 3
"""Of the files in a sentence."""
MOST_LABEL = 28
"""Characters of a file's name in a table."""
_ENDINGS = (".gz", ".zip", ".json", ".trace", ".pt", ".csv", ".sqlite")


@dataclass(frozen=True, slots=True)
class Told:
    """A row to tell of: a step on a device, or all of a file on it.

    file: index into the files, since two processes in one file have the same path
    """

    file: int
    row: StepRow | TotalRow


def told(
    files: Sequence[MeasuredFile], measurement: Measurement, step: str | None
) -> list[Told]:
    """The rows of a step by name, or of `all`; without one of each file's default.

    Of a file without a complete step the whole is told of. ValueError, with the steps
    that there are, where no file has such a step.
    """
    rows = steps_told(files, measurement)
    if step is not None:
        found = [one for one in rows if step in (ALL, step_of(one))]
        if not found:
            raise ValueError(_no_step(step, measurement))
        return found
    found = []
    for at, name in enumerate(_defaults(files)):
        if name is None:
            found += [one for one in totals_told(files, measurement) if one.file == at]
        found += [one for one in rows if (one.file, step_of(one)) == (at, name)]
    return found


def totals_told(files: Sequence[MeasuredFile], measurement: Measurement) -> list[Told]:
    """The rows of the whole files."""
    counts = [len(file.total_rows) for file in files]
    return [
        Told(at, row)
        for at, row in zip(_owners(counts), measurement.totals, strict=True)
    ]


def steps_told(files: Sequence[MeasuredFile], measurement: Measurement) -> list[Told]:
    """The rows of all steps."""
    counts = [len(file.step_rows) for file in files]
    return [
        Told(at, row)
        for at, row in zip(_owners(counts), measurement.steps, strict=True)
    ]


def step_of(one: Told) -> str | None:
    """The step of a row; None for a whole file."""
    return one.row.step if isinstance(one.row, StepRow) else None


def _owners(counts: Sequence[int]) -> list[int]:
    """The file of each row, where each has so many."""
    return [at for at, count in enumerate(counts) for _ in range(count)]


def _defaults(files: Sequence[MeasuredFile]) -> list[str | None]:
    """The step of each file to look at first: that of the first, where all have it."""
    own = [
        None if file.default_step is None else file.steps[file.default_step].name
        for file in files
    ]
    shared = all(own[0] in [step.name for step in file.steps] for file in files)
    return [own[0]] * len(files) if shared else own


def _no_step(step: str, measurement: Measurement) -> str:
    names = dict.fromkeys(row.step for row in measurement.steps)
    paths = dict.fromkeys(file.path for file in measurement.files)
    files = ", ".join(list(paths)[:MOST_NAMED])
    files += ", ..." if len(paths) > MOST_NAMED else ""
    known = ", ".join(map(short, names))
    return f"{files}: there is no step {quoted(step)}; the steps are {known}"


def only(measurement: Measurement, step: str | None) -> Measurement:
    """Without the rows of other steps; the totals stay those of the whole files."""
    if step is None or step == ALL:
        return measurement
    return replace(
        measurement,
        steps=tuple(row for row in measurement.steps if row.step == step),
        transfers=tuple(row for row in measurement.transfers if row.step == step),
    )


Place = tuple[str, int | None, int, str | None]
"""File, rank, device and step."""


def place_in(row: StepRow | TotalRow | TransferRow) -> Place:
    """Where a row belongs; a whole file has the transfers outside of all steps."""
    step = None if isinstance(row, TotalRow) else row.step
    return row.file, row.rank, row.device, step


def transfers_by_place(measurement: Measurement) -> dict[Place, list[TransferRow]]:
    """The transfers of each step on each device."""
    found: dict[Place, list[TransferRow]] = {}
    for row in measurement.transfers:
        found.setdefault(place_in(row), []).append(row)
    return found


def labels(paths: Sequence[str]) -> dict[str, str]:
    """A short name of each path, none like another: the end of it that is its own.

    Where that is too long to tell them apart their numbers: see `legend`.
    """
    distinct = list(dict.fromkeys(paths))
    names = _ends(distinct)
    shortened = {path: _cut(on_one_line(names[path])) for path in distinct}
    if len(set(shortened.values())) < len(distinct):
        shortened = {path: f"file {at}" for at, path in enumerate(distinct, start=1)}
    return shortened


def legend(paths: Sequence[str]) -> list[str]:
    """Which file each number is; nothing where `labels` are names."""
    numbered = {path: f"file {at}" for at, path in enumerate(dict.fromkeys(paths), 1)}
    if labels(paths) != numbered:
        return []
    return [f"{label}: {on_one_line(path)}" for path, label in numbered.items()]


def _ends(distinct: Sequence[str]) -> dict[str, str]:
    """Each path from the folder on that tells it from the others."""
    names: dict[str, str] = {}
    most = max((len(PurePath(path).parts) for path in distinct), default=0)
    for count in range(1, most + 1):
        ends = {
            path: str(PurePath(*PurePath(path).parts[-count:]))
            for path in distinct
            if path not in names
        }
        times = Counter(ends.values())
        names |= {path: end for path, end in ends.items() if times[end] == 1}
    return {path: names.get(path, path) for path in distinct}


def _cut(name: str) -> str:
    """A long name without its endings, then without its middle."""
    if len(name) <= MOST_LABEL:
        return name
    while name.endswith(_ENDINGS):
        name = name.rpartition(".")[0]
    if len(name) <= MOST_LABEL:
        return name
    half = (MOST_LABEL - 3) // 2
    return f"{name[:half]}...{name[-half:]}"
