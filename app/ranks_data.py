"""The ranks of steps for the embedded page: each step once, in few characters."""

from typing import Any

from overlap_widget.app.packed import packed

View = dict[str, Any]


def place_of(view: View, kept: list[View]) -> int | None:
    """Where a view of ranks stands in the list, which grows; None for an empty one.

    It is the same object for all ranks of a step.
    """
    if not view:
        return None
    for place, one in enumerate(kept):
        if one is view:
            return place
    kept.append(view)
    return len(kept) - 1


def packed_ranks(view: View) -> View:
    """Tables and sources packed; `static/twin/ranks_lookup.js` unpacks them."""
    figure = view["figures"]["ranks"]
    sources = {name: packed(columns) for name, columns in figure["sources"].items()}
    return view | {
        "rows": packed(view["rows"]),
        "groups": packed(view["groups"]),
        "figures": {"ranks": figure | {"sources": sources}},
    }
