"""Which steps of two runs are compared: the same rank and device of both."""

from collections import Counter
from collections.abc import Sequence

from overlap_widget.app.comparison_report import Pair
from overlap_widget.app.measurement_report_rows import (
    ALL,
    Told,
    place_in,
    steps_told,
    told,
    transfers_by_place,
)
from overlap_widget.app.measurement_report_said import place_of
from overlap_widget.app.option_readers import short
from overlap_widget.model.comparison import (
    StepNumbers,
    compare,
    numbers_of_rows,
    spread_s,
)
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import Measurement, StepRow

Run = tuple[Sequence[MeasuredFile], Measurement]
_Place = tuple[int | None, int]


def pairs(
    before: Run, after: Run, before_step: str | None, after_step: str | None
) -> list[Pair]:
    """The steps of both runs by rank and device; of one each whatever those are.

    Without a name the step to look at first. ValueError, one sentence, where there is
    nothing to compare.
    """
    if ALL in (before_step, after_step):
        raise ValueError("two steps are compared; name one with --step, not all")
    olds, news = told(*before, before_step), told(*after, after_step)
    for run, rows in ((before, olds), (after, news)):
        _require_steps(run, rows)
    if len(olds) == len(news) == 1:
        matched = [(olds[0], news[0])]
    else:
        by_place = _by_place(before, olds)
        those = _by_place(after, news)
        matched = [(by_place[at], those[at]) for at in those if at in by_place]
    if not matched:
        raise ValueError(
            f"{_path(before)} and {_path(after)} have no rank and device in common; "
            "name one file of each"
        )
    olds, news = [old for old, _ in matched], [new for _, new in matched]
    found = zip(_numbers(before, olds), _numbers(after, news), strict=True)
    return [
        Pair(_named(before, old), _named(after, new), compare(*numbers))
        for old, new, numbers in zip(olds, news, found, strict=True)
    ]


def _require_steps(run: Run, rows: Sequence[Told]) -> None:
    if not all(isinstance(one.row, StepRow) for one in rows):
        raise ValueError(
            f"{_path(run)}: no step is complete; name one with --step, or with "
            "--against-step"
        )


def _path(run: Run) -> str:
    return short(run[0][0].path)


def _by_place(run: Run, rows: Sequence[Told]) -> dict[_Place, Told]:
    places = [(one.row.rank, one.row.device) for one in rows]
    ((rank, device), most) = Counter(places).most_common(1)[0]
    if most > 1:
        raise ValueError(
            f"{_path(run)}: rank {'?' if rank is None else rank}, device {device} is "
            "there more than once; name one file to compare with"
        )
    return dict(zip(places, rows, strict=True))


def _named(run: Run, one: Told) -> str:
    place = place_of(one, short(one.row.file), len(run[1].totals) > len(run[0]))
    return f"{place[:1].lower()}{place[1:]}"


def _numbers(run: Run, rows: Sequence[Told]) -> list[StepNumbers]:
    """The numbers of each row, with how far the steps around it are apart."""
    moved = transfers_by_place(run[1])
    lengths_s: dict[tuple[int, int], list[float]] = {}
    for one in steps_told(*run):
        if isinstance(one.row, StepRow) and one.row.complete:
            place = one.file, one.row.device
            lengths_s.setdefault(place, []).append(one.row.span_s)
    return [
        numbers_of_rows(
            one.row,
            moved.get(place_in(one.row), []),
            spread_s(lengths_s.get((one.file, one.row.device), [])),
        )
        for one in rows
        if isinstance(one.row, StepRow)
    ]
