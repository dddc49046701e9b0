"""The view state of several ranks in a step: who is late, who waits, and their rows.

It is the same whichever of the ranks is shown, so it is kept with their recordings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from overlap_widget.app.known_ranks import known_ranks
from overlap_widget.app.measured import Measured
from overlap_widget.app.rank_columns import RankLane, rank_columns
from overlap_widget.app.rank_family import family
from overlap_widget.app.rank_groups import groups_table
from overlap_widget.app.rank_steps import RankStep, rank_steps
from overlap_widget.app.ranks_said import late_row, rank_said, ranks_said
from overlap_widget.app.remembered import remembered
from overlap_widget.app.said import as_data
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Ranks, waiting_of
from overlap_widget.model.recording import Recording, window

View = dict[str, Any]
DIVIDED = ("waiting_s", "transfer_s", "untold_s", "exposed_waiting_s")
"""How communication divides where several ranks tell."""
LEAST = 2
"""Ranks of which something can be told beside each other."""


def ranks_view(measured: Measured) -> View:
    """The ranks of the shown step as plain data; empty for one rank alone."""
    if not measured.recordings or not measured.shown.steps:
        return {}
    places = family(measured.recordings, measured.recording)
    if len(places) == 1 and len(measured.shown.devices) == 1:
        return {}
    name = measured.shown.steps[measured.step].name
    together = [measured.recordings[at] for at in places]
    return ranks_of_step(together[0], *together[1:], name=name, places=places)


def choose_rank(measured: Measured, row: int) -> Measured:
    """The rank of a row of the shown step, at the step of the same name."""
    rows = ranks_view(measured).get("rows")
    if not rows:
        return measured
    at = min(max(row, 0), len(rows["rank"]) - 1)
    places = {key: rows[key][at] for key in ("recording", "device", "step")}
    return replace(measured, window_s=None, part_s=None, **places)


def rank_numbers(measured: Measured) -> dict[str, float | None]:
    """How the communication of the shown step divides; nothing for one rank alone.

    None where it isn't told, as of a part of a step.
    """
    rows = ranks_view(measured).get("rows")
    if not rows:
        return {}
    if measured.part_s is not None:
        return dict.fromkeys(DIVIDED)
    here = (measured.recording, measured.device, measured.step)
    places = zip(rows["recording"], rows["device"], rows["step"], strict=True)
    found = [at for at, place in enumerate(places) if place == here]
    return {key: rows[key][found[0]] if found else None for key in DIVIDED}


@remembered
def ranks_of_step(
    first: Recording, *others: Recording, name: str, places: tuple[int, ...]
) -> View:
    """The ranks in the step of this name; empty where they don't communicate.

    places: where the recordings stand among all that are open
    """
    recordings = (first, *others)
    files, ranks = known_ranks(first, *others)
    steps = rank_steps(files, ranks, name)
    if len(steps) < LEAST or not any(one.row.communication_s for one in steps):
        return {}
    return {
        "rows": _rows(steps, places, files),
        "late": late_row(steps, ranks, name),
        "said": [as_data(said) for said in ranks_said(steps, ranks, name)],
        "notes": list(dict.fromkeys(_notes(ranks, steps))),
        "groups": groups_table(files, ranks, steps),
        "figures": {"ranks": _figure(recordings, files, ranks, steps)},
    }


def _rows(
    steps: Sequence[RankStep], places: Sequence[int], files: Sequence[MeasuredFile]
) -> dict[str, list[Any]]:
    """The ranks as columns: which they are, and where their time goes."""
    rows: dict[str, list[Any]] = {
        "recording": [places[one.file] for one in steps],
        "device": [one.device for one in steps],
        "devices": [len(files[one.file].total_rows) for one in steps],
        "device_number": [one.row.device for one in steps],
        "step": [one.step for one in steps],
        "rank": [one.rank for one in steps],
        "last": [one.last for one in steps],
    }
    for key in ("compute_s", "communication_s", "exposed_s", "tail_s"):
        rows[key] = [getattr(one.row, key) for one in steps]
    for key in DIVIDED:
        rows[key] = [one.parts and getattr(one.parts, key) for one in steps]
    return rows


def _notes(ranks: Ranks, steps: Sequence[RankStep]) -> Iterator[str]:
    """What is doubtful about the comparison, as sentences."""
    for at in dict.fromkeys(step.file for step in steps):
        for one in ranks.sentences[at]:
            yield f"{one[:1].upper()}{one[1:]}."


def _figure(
    recordings: Sequence[Recording],
    files: Sequence[MeasuredFile],
    ranks: Ranks,
    steps: Sequence[RankStep],
) -> View:
    """The rows on the clock that all share; one without it starts with the first."""
    starts_s = [_start_s(one) for one in steps]
    first_s = min((at for at in starts_s if at is not None), default=0.0)
    lanes = []
    for one, start_s in zip(steps, starts_s, strict=True):
        place = (one.file, one.step, one.row.device)
        lanes.append(
            RankLane(
                text=as_data(rank_said(one, len(files[one.file].total_rows))),
                timeline=window(
                    recordings[one.file], one.row.device, one.step
                ).timeline,
                start_s=0.0 if start_s is None else start_s - first_s,
                waiting=waiting_of(files, ranks, *place) - one.row.start_s,
            )
        )
    return rank_columns(lanes)


def _start_s(step: RankStep) -> float | None:
    """When it starts on the common clock, if it can be told."""
    if step.clock is None or not step.clock.is_set:
        return None
    clock = step.clock
    return clock.rate * step.row.start_s - clock.behind_s
