"""What to call a process group: what it is for in words, and as the file calls it."""

from collections import Counter
from collections.abc import Iterable
from functools import reduce

from overlap_widget.app.said import Said, text
from overlap_widget.app.words import ENGLISH, speaking
from overlap_widget.model.group_purpose import label, purposes
from overlap_widget.model.recording import Group

MOST_RANKS = 8
"""That stand for a group without a name; of more only how many they are."""


def group_texts(groups: Iterable[Iterable[Group]]) -> dict[Group, str | Said]:
    """A text for each group of several files, given file by file.

    Groups of one label are one row of a table: the ranks of a tensor-parallel run have
    as many groups. Only where a single file has several of one label the names that
    the framework gives tell them apart.
    """
    by_file = [dict.fromkeys(one) for one in groups]
    counts = [Counter(map(label, one)) for one in by_file]
    alike = {text for count in counts for text in count if count[text] > 1}
    return {
        group: group_text(group, with_name=label(group) in alike)
        for one in by_file
        for group in one
    }


def group_text(group: Group, with_name: bool = False) -> str | Said:
    """`tensor-parallel (mesh_tp)`; `mesh_tp` where nobody knows what it is for."""
    called = label(group)
    if with_name and group.name != called:
        called = f"{called} {group.name}"
    if not called:
        return _ranks_text(group)
    kinds = [Said(f"group.purpose.{one}", {}) for one in purposes(group)]
    if not kinds:
        return called
    said = reduce(_and, kinds)
    with speaking(ENGLISH):
        is_alike = text(said) == called  # as frameworks call them
    return said if is_alike else Said("group.called", {"what": said, "name": called})


def _and(one: Said, other: Said) -> Said:
    return Said("group.purpose.and", {"one": one, "other": other})


def _ranks_text(group: Group) -> Said:
    """Of a group without a name, which happens to have ranks."""
    if not 0 < len(group.ranks) <= MOST_RANKS:
        return Said("group.unnamed", {})
    return Said("group.of_ranks", {"ranks": ", ".join(map(str, group.ranks))})
