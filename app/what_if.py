"""What if the shown step had other buckets or another link: its run as a scenario."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from overlap_widget.app.catalogue import SHIPPED
from overlap_widget.app.controls import BANDWIDTH, LATE, OVERHEAD, Control
from overlap_widget.app.known_ranks import known_ranks
from overlap_widget.app.measured import Measured, example
from overlap_widget.app.rank_family import family
from overlap_widget.app.remembered import remembered
from overlap_widget.app.said import Data, cell, text
from overlap_widget.app.settings import (
    DEFAULT,
    READERS,
    Settings,
    settings_of,
    shown_as,
)
from overlap_widget.app.shown_link import shown_link
from overlap_widget.app.words import ENGLISH, speaking, words
from overlap_widget.model.link import Link
from overlap_widget.model.link_fit import LinkFit, Refused
from overlap_widget.model.recording import Recording
from overlap_widget.model.replay import Replay, replayed
from overlap_widget.model.scenarios import Ghost, Scenario
from overlap_widget.model.what_if_caps import (
    best_sizes_bytes,
    caps,
    default_cap,
    piece_bytes,
)


def shown_replay(measured: Measured) -> Replay | Refused:
    """The chosen step replayed, or why it can't be."""
    places = family(measured.recordings, measured.recording)
    together = [measured.recordings[at] for at in places]
    at = places.index(measured.recording)
    fit = link_of(*together)
    if isinstance(fit, Refused):
        return fit
    device = measured.shown.devices[measured.device]
    return replay_of(*together, at=at, device=device, step=measured.step, fit=fit)


@remembered
def link_of(first: Recording, *others: Recording) -> LinkFit | Refused:
    """The link that all ranks of a run were on, where a control can be set to it."""
    found = shown_link(*known_ranks(first, *others))
    if isinstance(found, Refused):
        return found
    return _out_of_reach(found.link) or found


@dataclass(frozen=True, slots=True)
class OutOfReach(Refused):
    """What no slider could be set to; `reason` is its sentence in English."""

    said: Data


def _beyond(key: str, ending: str, value: float, control: Control) -> OutOfReach:
    ends = {"value": value, "low": control.low, "high": control.high}
    values = {f"{name}_{ending}": one for name, one in ends.items()}
    said = cell(f"what_if.beyond.{key}", **values)
    with speaking(ENGLISH):
        return OutOfReach(text(said), said)


def _out_of_reach(link: Link) -> Refused | None:
    """A link that no slider could be set to."""
    for control, value, ending in (
        (BANDWIDTH, link.bandwidth_bytes_per_s, "bytes_per_s"),
        (OVERHEAD, link.overhead_s, "s"),
    ):
        if not control.low <= value <= control.high:
            return _beyond(control.key, ending, value, control)
    return None


@remembered
def replay_of(
    first: Recording, *others: Recording, at: int, device: int, step: int, fit: LinkFit
) -> Replay | Refused:
    """A step (an index) of one of several ranks on that link."""
    files, ranks = known_ranks(first, *others)
    found = replayed(files[at], device, step, fit, ranks.waiting_s[at])
    if isinstance(found, Replay) and found.measured.late_s > LATE.high:
        return _beyond("late", "s", found.measured.late_s, LATE)
    return found


def what_if_view(measured: Measured) -> dict[str, Any]:
    """Why there is no estimate, or its numbers and the scenario to explore it with."""
    replay = shown_replay(measured)
    if isinstance(replay, Refused):
        why = replay.said if isinstance(replay, OutOfReach) else replay.reason
        reason = cell("what_if.refused", reason=why)
        return {"reason": reason, "numbers": None, "scenario": None}
    return {
        "reason": None,
        "numbers": _numbers(replay),
        "scenario": run_name(measured),
    }


def _numbers(replay: Replay) -> dict[str, Any]:
    fit, measured, best = asdict(replay.fit), replay.measured, replay.best
    default, sizes_bytes = default_cap(replay), best_sizes_bytes(replay)
    return {
        **fit.pop("link"),
        **fit,
        "late_s": measured.late_s,
        "measured_tail_s": measured.tail_s,
        "replayed_tail_s": replay.simulation.tail.total_s,
        "replay_error_s": replay.error_s,
        "replay_error": abs(replay.error_s) / measured.backward_s,
        "best_tail_s": best.plan_tail_s,
        "best_transfers": len(best.plan),
        "best_low_bytes": min(sizes_bytes),
        "best_high_bytes": max(sizes_bytes),
        "default_tail_s": default.tail_s,
        "default_transfers": default.transfers,
        "piece_bytes": piece_bytes(replay),
        "buckets": len(measured.plan),
        "caps": _columns([asdict(row) for row in caps(replay)]),
    }


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    names = ("cap_bytes", "transfers", "tail_s")
    return {name: [row[name] for row in rows] for name in names}


def run_of(measured: Measured) -> Scenario | None:
    """The chosen step as a scenario; None where it can't be replayed."""
    replay = shown_replay(measured)
    if isinstance(replay, Refused):
        return None
    found, name = replay.measured, run_name(measured)
    transfers = replay.simulation.transfers
    return Scenario(
        name=name,
        title=name,  # its words: `titles.scenario_title`
        layers=found.layers,
        link=replay.fit.link,
        source=words("what_if.source"),
        ghost=Ghost(
            plan=found.plan,
            backward_s=found.backward_s,
            tail_s=found.tail_s,
            size_bytes=tuple(one.size_bytes for one in transfers),
            start_s=found.start_s,
            end_s=found.end_s,
            late_s=round(found.late_s, 9),
        ),
    )


def run_name(measured: Measured) -> str:
    """File and step, and as much more as tells it from all other open ones."""
    recording = measured.shown
    step = recording.steps[measured.step].name
    steps = [one.name for one in recording.steps]
    parts = [*_file(measured.recordings, measured.recording)]
    if len(recording.devices) > 1:
        parts.append(f"device {recording.devices[measured.device]}")
    parts.append(f"step {step}")
    if steps.count(step) > 1:
        parts.append(f"#{measured.step + 1}")
    return " ".join(parts)


def _file(recordings: Sequence[Recording], at: int) -> list[str]:
    """The name of a file; its path where others have that name; a number for several
    processes of one file.
    """
    path = recordings[at].path
    name = Path(path).name
    alike = {one.path for one in recordings if Path(one.path).name == name}
    title = name if len(alike) == 1 else path
    is_alone = [one.path for one in recordings].count(path) == 1
    return [title] if is_alone else [title, f"#{at + 1}"]


def beginning(query: str, recordings: Sequence[Recording]) -> Settings:
    """How a session starts: it knows the run that its address names, if it is open."""
    name = dict(parse_qsl(query.lstrip("?#"))).get("scenario")
    if name is None or name in SHIPPED.scenarios:
        return DEFAULT
    shown = tuple(recordings) or (example(),)
    for at, recording in enumerate(shown):
        for device in range(len(recording.devices)):
            for step in range(len(recording.steps)):
                place = Measured(shown, recording=at, device=device, step=step)
                run = run_of(place) if run_name(place) == name else None
                if run:
                    return replace(DEFAULT, catalogue=SHIPPED.with_scenario(run))
    return DEFAULT


def tried(settings: Settings, measured: Measured) -> Settings:
    """Explore the chosen step; ValueError where it can't be replayed."""
    run = run_of(measured) if measured.recordings else None
    if run is None:
        raise ValueError("this step can't be replayed")
    catalogue = settings.catalogue.with_scenario(run)
    fields = (*READERS, "lesson")
    return shown_as(settings_of(run, catalogue), settings, fields)
