"""The sentences of a measurement: what is exposed, and when."""

from collections.abc import Sequence

from overlap_widget.app.measurement_report_rows import Told
from overlap_widget.app.quantities import count_text, time_text
from overlap_widget.app.text_table import on_one_line
from overlap_widget.model.measurement_rows import StepRow, TotalRow
from overlap_widget.model.ranks import Late
from overlap_widget.model.step_remarks import Remark

WORDS = {
    "step": "Step {step}",
    "one step": "The {step}",
    "all": "The whole file",
    "rank": ", rank {rank}",
    "device": ", device {device}",
    "several": "{place}, {count} {noun}",
    "runs": (
        "{place}: communication runs {communication}, {hidden} of it hidden behind "
        "compute and {exposed} exposed"
    ),
    "runs hidden": (
        "{place}: communication runs {communication}, all of it hidden behind compute"
    ),
    "runs exposed": (
        "{place}: communication runs {communication}, none of it hidden behind compute"
    ),
    "tail": "{said}; the tail after the backward pass is {tail}.",
    "tail guessed": (
        "{said}; the tail is {tail}, if the backward pass ends where it seems to."
    ),
    "inside": (
        "{said} At least {inside} of what is exposed comes before that, in gaps of "
        "compute."
    ),
    "waits": "{said} Of what is exposed, {waiting} waits for a late rank.",
    "waits not": "{said} None of it waits for a late rank.",
    "none": "{place}: there is no communication; compute runs {compute}.",
    "idle": "{said} Of its {span}, the GPU computes {compute} and is idle {idle}.",
    "ranks run": "{place}: communication runs {communication}, {exposed} of it exposed",
    "ranks wait": "{said}, of which {waiting} waits for a late rank.",
    "ranks wait not": "{said}, none of which waits for a late rank.",
    "late": (
        "{place}: {slowest} is the slowest; {count} wait {waiting} for it, all of them "
        "together."
    ),
    "late one": "{place}: {slowest} is the slowest; {count} waits {waiting} for it.",
    "nobody late": "{place}: no rank keeps others waiting as far as their clocks tell.",
    "cut": "{said} The capture doesn't hold all of this step.",
    "first": "{said} This is the first step, which often warms up.",
    "long": "{said} This step is far longer than the others.",
    "short": "{said} This step is far shorter than the others.",
}
INSIDE = 0.1
"""Of what is exposed: less before the tail isn't worth a sentence."""


def sentence(told: Told, place: str, exposed_waiting_s: float | None = None) -> str:
    """What is hidden and exposed of a row, its tail, and how busy the GPU is.

    `exposed_waiting_s` is how long the exposed part waits for a late rank; None where
    nothing tells.
    """
    row = told.row
    if not row.communication_s:
        said = WORDS["none"].format(place=place, compute=time_text(row.compute_s))
    else:
        said = WORDS[_key(row)].format(
            place=place,
            communication=time_text(row.communication_s),
            hidden=time_text(row.hidden_s),
            exposed=time_text(row.exposed_s),
        )
        said = f"{said}." if isinstance(row, TotalRow) else _with_tail(said, row)
        said = _with_waiting(said, row, exposed_waiting_s)
    return _with_idle(said, row) if isinstance(row, StepRow) else said


def _key(row: StepRow | TotalRow) -> str:
    if not row.hidden_s:
        return "runs exposed"
    return "runs" if row.exposed_s else "runs hidden"


def _with_tail(said: str, row: StepRow) -> str:
    key = "tail" if row.backward_found else "tail guessed"
    said = WORDS[key].format(said=said, tail=time_text(row.tail_s))
    inside_s = row.exposed_s - row.tail_s
    if inside_s <= INSIDE * row.exposed_s:
        return said
    return WORDS["inside"].format(said=said, inside=time_text(inside_s))


def _with_waiting(
    said: str, row: StepRow | TotalRow, exposed_waiting_s: float | None
) -> str:
    if exposed_waiting_s is None or not row.exposed_s:
        return said
    key = "waits" if exposed_waiting_s else "waits not"
    return WORDS[key].format(said=said, waiting=time_text(exposed_waiting_s))


def _with_idle(said: str, row: StepRow) -> str:
    said = WORDS["idle"].format(
        said=said,
        span=time_text(row.span_s),
        compute=time_text(row.compute_s),
        idle=time_text(row.idle_s),
    )
    return _with_remark(said, [row])


def _with_remark(said: str, rows: Sequence[StepRow]) -> str:
    """What stands out of a step, the same on all ranks."""
    remarks = {row.remark if row.complete else Remark.CUT.value for row in rows}
    remark = remarks.pop() if len(remarks) == 1 else ""
    return WORDS[remark].format(said=said) if remark else said


def place_of(told: Told, label: str, with_device: bool) -> str:
    """The step, and as much of where it ran as tells it from others."""
    row = told.row
    place = step_place(row.step) if isinstance(row, StepRow) else WORDS["all"]
    if row.rank is not None:
        place += WORDS["rank"].format(rank=row.rank)
    if with_device:
        place += WORDS["device"].format(device=row.device)
    return f"{place}, {label}" if label else place


def several_place(step: str, count: int, noun: str) -> str:
    """`Step 6, 3 ranks`; the noun in its plural."""
    noun = noun.removesuffix("s") if count == 1 else noun
    return WORDS["several"].format(place=step_place(step), count=count, noun=noun)


def step_place(step: str) -> str:
    """`Step 6`, or `The whole capture`."""
    key = "step" if step[:1].isdigit() else "one step"
    return WORDS[key].format(step=on_one_line(step))


def late_sentence(place: str, label: str | None, late: Late | None) -> str:
    """Which rank the others wait for, `label` its name; None where nobody does."""
    if late is None or label is None:
        return WORDS["nobody late"].format(place=place)
    key = "late one" if late.waiting == 1 else "late"
    return WORDS[key].format(
        place=place,
        slowest=label,
        count=count_text("ranks", late.waiting),
        waiting=time_text(late.waiting_s),
    )


def range_sentence(
    rows: Sequence[StepRow], place: str, exposed_waiting_s: Sequence[float | None]
) -> str:
    """What several ranks have in common in a step: from the least to the most.

    `place` says how many they are; `exposed_waiting_s` as in `sentence`, one a row.
    """
    if not any(row.communication_s for row in rows):
        compute = _range([row.compute_s for row in rows])
        said = WORDS["none"].format(place=place, compute=compute)
        return _with_remark(said, rows)
    said = WORDS["ranks run"].format(
        place=place,
        communication=_range([row.communication_s for row in rows]),
        exposed=_range([row.exposed_s for row in rows]),
    )
    waiting_s = [one for one in exposed_waiting_s if one is not None]
    if len(waiting_s) < len(rows) or not any(row.exposed_s for row in rows):
        return _with_remark(f"{said}.", rows)
    key = "ranks wait" if any(waiting_s) else "ranks wait not"
    said = WORDS[key].format(said=said, waiting=_range(waiting_s))
    return _with_remark(said, rows)


def _range(seconds: Sequence[float]) -> str:
    """`2 ms`, or `2 ms to 5 ms` where ranks differ."""
    texts = time_text(min(seconds)), time_text(max(seconds))
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"
