"""A measurement as text for a terminal: the sentence first, then tables and notes."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overlap_widget.app.measurement_report_notes import notes, notes_text
from overlap_widget.app.measurement_report_rows import (
    Told,
    labels,
    legend,
    place_in,
    step_of,
    steps_told,
    totals_told,
    transfers_by_place,
)
from overlap_widget.app.measurement_report_said import (
    late_sentence,
    place_of,
    range_sentence,
    sentence,
    several_place,
    step_place,
)
from overlap_widget.app.measurement_report_tables import (
    group_table,
    step_table,
    total_table,
    transfer_table,
)
from overlap_widget.app.rank_groups import groups_table
from overlap_widget.app.rank_steps import rank_steps
from overlap_widget.app.text_table import wrapped
from overlap_widget.app.what_if_report import what_if_sentences
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import (
    Measurement,
    StepRow,
    TotalRow,
    TransferRow,
)
from overlap_widget.model.ranks import Parts, Ranks

MOST_SENTENCES = 4
"""Rows that are told of one by one; of more only what they have in common."""
WORDS = {
    "groups": "Process groups. {place}:",
    "groups of ranks": "Process groups. {place}, all ranks together:",
    "transfers": "Transfers. {place}:",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What is printed: the files, what was measured of them, which rows are told of.

    ranks:    the comparison of the files
    notes:    on the files that were found
    is_whole: whether all steps are listed, and not only those told of
    """

    files: tuple[MeasuredFile, ...]
    measurement: Measurement
    told: tuple[Told, ...]
    ranks: Ranks
    notes: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def all_notes(self) -> list[str]:
        """What is to be said of the files, each once."""
        return notes(self.notes, self.measurement.files)

    @property
    def are_ranks(self) -> bool:
        """Whether the files are several ranks, each known and there once."""
        ranks = [file.rank for file in self.files]
        return len(ranks) > 1 and None not in ranks and len({*ranks}) == len(ranks)


def as_text(report: Report) -> str:
    """Sentences on the rows to tell of, the tables, and what is doubtful."""
    parts = [
        *_sentences(report),
        _legend(report),
        _steps(report),
        _totals(report),
        *_groups(report),
        *_transfers(report),
        _what_if(report),
        notes_text(report.all_notes),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _what_if(report: Report) -> str:
    """The link of the transfers, and how the steps told of replay on it."""
    places = [_place(report, one) for one in report.told]
    said = what_if_sentences(report.files, report.ranks, report.told, places)
    return "\n".join(map(wrapped, said))


def _sentences(report: Report) -> list[str]:
    """One on each row; on many rows or ranks what they have in common in each step."""
    if not report.are_ranks and len(report.told) <= MOST_SENTENCES:
        return [wrapped(_sentence(report, one)) for one in report.told]
    by_step: dict[str, list[Told]] = {}
    for one in report.told:
        by_step.setdefault(step_of(one) or "", []).append(one)
    return [
        "\n".join(map(wrapped, _on_step(report, step, rows)))
        for step, rows in by_step.items()
    ]


def _on_step(report: Report, step: str, told: Sequence[Told]) -> Iterator[str]:
    """Who is late in a step, and what all ranks have in common."""
    rows = [one.row for one in told if isinstance(one.row, StepRow)]
    if not rows:  # whole files
        yield from (_sentence(report, one) for one in told)
        return
    if len(told) == 1 and not report.are_ranks:
        yield _sentence(report, told[0])
        return
    place, ranks = step_place(step), report.ranks
    late = ranks.late.get(step)
    if late or _can_compare(report, told):
        label = ranks.members[late.member].label if late else None
        yield late_sentence(place, label, late)
    noun = "ranks" if report.are_ranks else "recordings"
    noun = "devices" if len(report.files) == 1 else noun
    several = several_place(step, len(rows), noun)
    yield range_sentence(
        rows, several, [_exposed_waiting_s(report, one) for one in told]
    )


def _can_compare(report: Report, told: Sequence[Told]) -> bool:
    """Whether it says something that nobody is late: not of runs without a relation."""
    known = sum(_parts(report, one) is not None for one in told)
    return known > 1 and (report.are_ranks or known == len(told))


def _sentence(report: Report, one: Told) -> str:
    return sentence(one, _place(report, one), _exposed_waiting_s(report, one))


def _exposed_waiting_s(report: Report, one: Told) -> float | None:
    """How long the exposed part of a step waits; None where nothing tells."""
    parts = _parts(report, one)
    return None if parts is None else parts.exposed_waiting_s


def _parts(report: Report, one: Told) -> Parts | None:
    """How the communication of a step divides; None where nothing tells."""
    if not isinstance(one.row, StepRow):
        return None
    return report.ranks.parts.get((one.file, _step_index(report, one), one.row.device))


def _place(report: Report, one: Told) -> str:
    (label,) = _labels(report, [one.row])
    with_device = len(report.measurement.totals) > len(report.files)
    return place_of(one, label, with_device)


def _legend(report: Report) -> str:
    """The files by number, where the tables have nothing better to call them."""
    if len(report.files) == 1 or report.are_ranks:
        return ""
    return "\n".join(legend([file.path for file in report.files]))


def _steps(report: Report) -> str:
    """All steps of one file; of several only those that are told of."""
    whole = report.is_whole and len(report.files) == 1
    rows = steps_told(report.files, report.measurement) if whole else report.told
    shown = [one.row for one in rows if isinstance(one.row, StepRow)]
    return step_table(shown, _labels(report, shown)) if shown else ""


def _totals(report: Report) -> str:
    found = totals_told(report.files, report.measurement)
    rows = [one.row for one in found if isinstance(one.row, TotalRow)]
    return total_table(rows, _labels(report, rows))


def _labels(report: Report, rows: Sequence[StepRow | TotalRow]) -> list[str]:
    """A name of the file of each row, where the ranks don't tell them apart."""
    if len(report.files) == 1 or report.are_ranks:
        return [""] * len(rows)
    names = labels([file.path for file in report.files])
    return [names[row.file] for row in rows]


def _groups(report: Report) -> Iterator[str]:
    """What each process group costs in each step, where there are several."""
    steps = dict.fromkeys(filter(None, map(step_of, report.told)))
    for step in itertools.islice(steps, MOST_SENTENCES):
        rows = rank_steps(report.files, report.ranks, step)
        groups = groups_table(report.files, report.ranks, rows)
        if len(groups["name"]) > 1:
            key = "groups of ranks" if len(rows) > 1 else "groups"
            head = WORDS[key].format(place=step_place(step))
            yield f"{head}\n{group_table(groups)}"


def _transfers(report: Report) -> list[str]:
    """The transfers of each step that is told of; of many only those of the first."""
    steps = [one for one in report.told if isinstance(one.row, StepRow)]
    moved = transfers_by_place(report.measurement)
    return [
        _transfers_of(report, one, moved.get(place_in(one.row), []))
        for one in (steps if len(steps) <= MOST_SENTENCES else steps[:1])
    ]


def _transfers_of(report: Report, one: Told, moved: Sequence[TransferRow]) -> str:
    head = wrapped(WORDS["transfers"].format(place=_place(report, one)))
    return f"{head}\n{transfer_table(moved, _waiting_s(report, one))}" if moved else ""


def _waiting_s(report: Report, one: Told) -> list[float | None]:
    """How long each transfer of a step waits, in their order; None where unknown."""
    moved = report.files[one.file].transfers
    here = (moved.step == _step_index(report, one)) & (moved.device == one.row.device)
    found = report.ranks.waiting_s[one.file][here].tolist()
    return [None if math.isnan(one) else one for one in found]


def _step_index(report: Report, one: Told) -> int:
    names = [step.name for step in report.files[one.file].steps]
    return names.index(step_of(one) or "")
