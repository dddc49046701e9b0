"""A recording with other kinds: those that rules give to its kernels."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.classes import Classes
from overlap_widget.model.completeness import steps_with_completeness
from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Collective, Kind, Timeline


def classified(recording: Recording, classes: Classes) -> Recording:
    """The recording with the kinds that the classes give, from those of its loader.

    Its steps are judged anew, and its warnings say what was chosen.
    """
    kind = _kinds(recording, classes)
    spans = _spans(recording, kind)
    steps = recording.steps
    if len(steps) > 1 and not np.array_equal(kind, recording.spans.kind):
        names = [step.name for step in steps]
        steps = steps_with_completeness(names, recording.step, kind, spans.size_bytes)
    old = choices_said(recording)
    chosen = replace(recording, spans=spans, steps=steps, classes=classes)
    kept = tuple(one for one in recording.warnings if one not in old)
    return replace(chosen, warnings=(*kept, *choices_said(chosen)))


def choices_said(recording: Recording) -> tuple[str, ...]:
    """A sentence on each choice that changes what counts as communication."""
    said = []
    peers = int((recording.spans.collective == Collective.PEER_COPY).sum())
    if peers:
        said.append(_on_peer_copies(peers, recording.classes.count_peer_copies))
    if recording.classes.rules:
        changed = recording.spans.kind != _kinds(
            recording, replace(recording.classes, rules=())
        )
        names = len(np.unique(recording.spans.name[changed]))
        said.append(_on_rules(names, int(changed.sum())))
    return tuple(said)


def unfitted(recording: Recording) -> tuple[str, ...]:
    """The patterns of its rules that fit none of its names, in their order."""
    rules, names = recording.classes.rules, recording.spans.names
    return tuple(one.pattern for one in rules if not any(map(one.fits, names)))


def _kinds(recording: Recording, classes: Classes) -> NDArray[np.uint8]:
    kind = recording.loaded_kind.copy()
    if classes.count_peer_copies:
        kind[recording.spans.collective == Collective.PEER_COPY] = Kind.COMMUNICATION
    for code, name in enumerate(recording.spans.names):
        given = classes.kind_of(name)
        if given is not None:
            kind[recording.spans.name == code] = given
    return kind


def _spans(recording: Recording, kind: NDArray[np.uint8]) -> Timeline:
    """With other kinds; of a new transfer neither operation nor size is known.

    What was one by earlier rules only, and is none any more, is as it was loaded.
    """
    spans, moves = recording.spans, kind == Kind.COMMUNICATION
    collective, size_bytes = spans.collective.copy(), spans.size_bytes.copy()
    new = moves & (collective == Collective.NONE)
    old = (recording.loaded_kind != Kind.COMMUNICATION) & ~moves
    old &= collective == Collective.UNKNOWN
    collective[old], size_bytes[old] = Collective.NONE, 0.0
    collective[new] = Collective.UNKNOWN
    size_bytes[new] = np.nan
    return replace(spans, kind=kind, collective=collective, size_bytes=size_bytes)


def _on_peer_copies(count: int, are_counted: bool) -> str:
    copies = f"{count:,} peer {'copy' if count == 1 else 'copies'} between GPUs"
    if are_counted:
        return f"{copies} counted as communication"
    return (
        f"{copies} not counted as communication, only collectives are "
        "(--count-peer-copies counts both)"
    )


def _on_rules(names: int, spans: int) -> str:
    if not spans:
        return "no kernel counts as something else by the rules"
    kernels = "1 kernel name counts" if names == 1 else f"{names:,} kernel names count"
    total = "1 span" if spans == 1 else f"{spans:,} spans"
    return f"{kernels} as something else by the rules ({total})"
