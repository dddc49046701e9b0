"""Two measured steps beside each other, in sentences for page and terminal."""

from typing import Any

from overlap_widget.app.said import Said
from overlap_widget.model.comparison import Change, Comparison, StepNumbers


def comparison_said(found: Comparison) -> tuple[Said, ...]:
    """What differs and why, the length first; what can't be compared comes last."""
    return (
        _length(found),
        _communication(found.before, found.after),
        *_traffic(found.before, found.after),
        *_waiting(found.before, found.after),
        *(Said(f"compare.doubt.{doubt.value}", {}) for doubt in found.doubts),
    )


def _length(found: Comparison) -> Said:
    """How long the steps are, with the changes that make up the difference."""
    values: dict[str, Any] = {
        "before_s": found.before.span_s,
        "after_s": found.after.span_s,
        "change_s": abs(found.change_s),
    }
    key = f"compare.{found.length.value}"
    if not found.reasons:
        return Said(key, values)
    because = Said(f"{key}.why", values | {"why": _joined(found.reasons)})
    if not found.against:
        return because
    all_values = {"said": because, "against": _joined(found.against)}
    return Said("compare.against", all_values)


def _joined(changes: tuple[Change, ...]) -> Said:
    """`a`, `a and b` or `a, b and c`."""
    *rest, last = map(_change, changes)
    if not rest:
        return last
    if len(rest) == 1:
        return Said("compare.two", {"one": rest[0], "other": last})
    return Said("compare.three", {"one": rest[0], "two": rest[1], "three": last})


def _change(change: Change) -> Said:
    way = "more" if change.change_s > 0 else "less"
    return Said(
        f"compare.{change.cause.value}.{way}", {"change_s": abs(change.change_s)}
    )


def _communication(before: StepNumbers, after: StepNumbers) -> Said:
    """How long communication runs and which share of it is hidden."""
    shares = before.hidden_share, after.hidden_share
    values = {
        "before_s": before.communication_s,
        "after_s": after.communication_s,
    }
    if shares == (None, None):
        return Said("compare.communication.none", {})
    if shares[0] is None:
        return Said("compare.communication.new", values | {"hides_share": shares[1]})
    if shares[1] is None:
        return Said("compare.communication.gone", values | {"hid_share": shares[0]})
    shown = {"hid_share": shares[0], "hides_share": shares[1]}
    return Said("compare.communication", values | shown)


def _traffic(before: StepNumbers, after: StepNumbers) -> tuple[Said, ...]:
    """How many transfers move how much, where both steps have any."""
    if not (before.transfers and after.transfers):
        return ()
    counts = {
        "before_transfers": before.transfers,
        "after_transfers": after.transfers,
    }
    if before.size_bytes is None or after.size_bytes is None:
        return (Said("compare.transfers", counts),)
    sizes = {"from_bytes": before.size_bytes, "to_bytes": after.size_bytes}
    is_same = before.size_bytes == after.size_bytes
    key = "compare.same_bytes" if is_same else "compare.other_bytes"
    return (Said(key, counts | sizes),)


def _waiting(before: StepNumbers, after: StepNumbers) -> tuple[Said, ...]:
    """How much of communication waits for a late rank, where both tell."""
    if before.waiting_s is None or after.waiting_s is None:
        return ()
    if not before.waiting_s and not after.waiting_s:
        return (Said("compare.no_waiting", {}),)
    values = {"before_s": before.waiting_s, "after_s": after.waiting_s}
    return (Said("compare.waiting", values),)
