"""What several ranks in a step say: who is late, and who waits for it."""

from collections.abc import Sequence

from overlap_widget.app.rank_steps import RankStep
from overlap_widget.app.said import Said
from overlap_widget.model.ranks import Parts, Ranks


def late_row(steps: Sequence[RankStep], ranks: Ranks, name: str) -> int | None:
    """Which of the rows is the late rank's; None if nobody is late."""
    late = ranks.late.get(name)
    if late is None:
        return None
    members = [one.member for one in steps]
    return members.index(late.member) if late.member in members else None


def rank_said(step: RankStep, devices: int, begins: bool = True) -> Said:
    """What to call a rank whose file has so many devices; not at the start: small."""
    values = {"rank": step.rank, "device": step.row.device}
    if step.rank is None:
        key = "device.numbered" if begins else "device.within"
        return Said(key, {"n": step.row.device})
    key = "rank.numbered" if begins else "rank.within"
    return Said(key if devices == 1 else f"{key}.device", values)


def ranks_said(steps: Sequence[RankStep], ranks: Ranks, name: str) -> tuple[Said, ...]:
    """The late rank with the one that waits longest, or why nobody is named."""
    row = late_row(steps, ranks, name)
    told = [one.parts for one in steps if one.parts is not None]
    if row is None:
        return (Said("ranks.nobody_late" if told else "ranks.untold", {}),)
    others = [one for at, one in enumerate(steps) if at != row]
    longest = max(others, key=lambda one: _waiting_s(one.parts))
    bare_s = longest.parts.exposed_waiting_s if longest.parts else 0.0
    values = {
        "rank": _named(steps, steps[row]),
        "other": _named(steps, longest, begins=False),
        "longest_s": _waiting_s(longest.parts),
        "exposed_s": bare_s,
        "all_ranks": ranks.late[name].waiting,
    }
    count = "one" if ranks.late[name].waiting == 1 else "several"
    return (Said(f"ranks.late.{count}" + ("" if bare_s > 0 else ".hidden"), values),)


def _waiting_s(parts: Parts | None) -> float:
    return 0.0 if parts is None else parts.waiting_s


def _named(steps: Sequence[RankStep], step: RankStep, begins: bool = True) -> Said:
    devices = sum(other.file == step.file for other in steps)
    return rank_said(step, devices, begins)
