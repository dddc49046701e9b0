"""What the learner says that kernels count as: edits, their undoing, what a row shows.

An edit is a rule on one exact name. All open recordings follow the same rules.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.measured import Measured
from overlap_widget.app.measured_tables import MIXED
from overlap_widget.app.remembered import remembered
from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.classified import classified
from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Collective, Kind

AS_LOADED = "loaded"
MOST_RULES = 1_000
"""Of a session: each is asked about every name."""
MOST_UNDONE = 50


def exact(name: str) -> str:
    """The pattern that fits this name.

    And no other, but names that have another sign where it has a `*`.
    """
    return name.replace("*", "?")


def kernel_class_of(measured: Measured, name: str, value: str) -> Measured:
    """Every kernel of this name counts as a kind, or as its loader had it.

    KeyError for a name that no open recording has and for a value that is no kind.
    """
    if not any(name in one.spans.names for one in measured.recordings):
        raise KeyError(name)
    pattern, classes = exact(name), measured.classes
    rules = tuple(rule for rule in classes.rules if rule.pattern != pattern)
    bare = replace(classes, rules=rules)
    kind = None if value == AS_LOADED else Kind[value.upper()]
    if kind is None and bare.kind_of(name) is not None:
        kind = _loaded_kind(measured, name)  # over the rule that fits it and others
    if kind is not None:
        bare = replace(bare, rules=(*rules, Rule(pattern, kind)))
    return reclassified(measured, bare)


def peer_copies_counted(measured: Measured, are_counted: bool) -> Measured:
    """Copies between GPUs are communication, or aren't."""
    return reclassified(
        measured, replace(measured.classes, count_peer_copies=are_counted)
    )


def dropped_rule(measured: Measured, at: int) -> Measured:
    """Without one of the rules; ValueError for one that isn't there."""
    rules = measured.classes.rules
    if not 0 <= at < len(rules):
        raise ValueError(f"there is no rule {at}")
    kept = (*rules[:at], *rules[at + 1 :])
    return reclassified(measured, replace(measured.classes, rules=kept))


def all_as_loaded(measured: Measured) -> Measured:
    """Without any rule; the choice of peer copies stays."""
    return reclassified(measured, replace(measured.classes, rules=()))


def undone(measured: Measured) -> Measured:
    """As it was before the last change; nothing changes where there was none."""
    if not measured.earlier:
        return measured
    *earlier, before = measured.earlier
    back = reclassified(measured, before)
    return replace(back, earlier=tuple(earlier))


def reclassified(measured: Measured, classes: Classes) -> Measured:
    """All open recordings under other rules; ValueError for too many of them."""
    if len(classes.rules) > MOST_RULES:
        raise ValueError(f"more than {MOST_RULES} rules")
    if classes == measured.classes:
        return measured
    earlier = (*measured.earlier, measured.classes)[-MOST_UNDONE:]
    recordings = tuple(classified(one, classes) for one in measured.recordings)
    return replace(measured, recordings=recordings, classes=classes, earlier=earlier)


@remembered
def kinds_as_loaded(recording: Recording) -> NDArray[np.uint8]:
    """The kind of each name without any rule: uint8[names].

    `MIXED` for a name whose spans have several, or that has none.
    """
    kind = recording.loaded_kind.copy()
    if recording.classes.count_peer_copies:
        kind[recording.spans.collective == Collective.PEER_COPY] = Kind.COMMUNICATION
    count, name = len(recording.spans.names), recording.spans.name
    least = np.full(count, MIXED, dtype=np.uint8)
    most = np.zeros(count, dtype=np.uint8)
    np.minimum.at(least, name, kind)
    np.maximum.at(most, name, kind)
    return np.where(least == most, least, MIXED).astype(np.uint8)


def _loaded_kind(measured: Measured, name: str) -> Kind | None:
    """What all kernels of a name were loaded as; None where they differ."""
    found = {
        int(kinds_as_loaded(one)[one.spans.names.index(name)])
        for one in measured.recordings
        if name in one.spans.names
    }
    return Kind(found.pop()) if len(found) == 1 and MIXED not in found else None


def classes_view(measured: Measured) -> dict[str, Any]:
    """The rules, and what may be chosen beside them, as plain data."""
    spans = measured.shown.spans
    peers = int((spans.collective == Collective.PEER_COPY).sum())
    rules = measured.classes.rules
    known = {
        exact(name): name for one in measured.recordings for name in one.spans.names
    }
    return {
        "rules": {
            "name": [known.get(rule.pattern, rule.pattern) for rule in rules],
            "kind": [rule.kind.name.lower() for rule in rules],
        },
        "can_undo": bool(measured.earlier),
        "peer_copies": peers,
        "counts_peer_copies": measured.classes.count_peer_copies,
        "search": measured.search,
    }
