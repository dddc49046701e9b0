"""Among which rows of several ranks the same collective is looked for, by its place.

Ranks of a group run its collectives in one order, so counting tells which are the same,
once it is known from where to count. Profilers note a number that all ranks of a group
count alike since the group was made; else the count begins with each step.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import NO_SEQUENCE
from overlap_widget.model.timeline import Collective

Index = NDArray[np.int64]
Mask = NDArray[np.bool_]


def buckets(table: Mapping[str, NDArray[Any]]) -> Index:
    """For each row a number: only rows of the same one can be the same collective.

    `table` has columns `kind` (equal for the same operation on the same group), `group`
    (0 where unknown), `collective`, `sequence`, `step` (equal for those of one name)
    and `member`. By kind and number where every row of the kind has one: whatever its
    step where no member has it twice, since captures and steps may begin at different
    moments. By kind and step where numbers are missing.
    """
    kind, step = table["kind"], table["step"]
    numbered = _numbered(table)
    sequence = np.where(numbered, table["sequence"], NO_SEQUENCE)
    step = np.where(numbered & _once(kind, sequence, table["member"]), -1, step)
    return _codes(kind, sequence, step)


def _numbered(table: Mapping[str, NDArray[Any]]) -> Mask:
    """Rows of kinds all of whose rows have a number that all ranks count alike.

    Sends and receives aren't counted by their group but by each rank.
    """
    told = (table["sequence"] != NO_SEQUENCE) & (table["group"] > 0)
    told &= table["collective"] != Collective.SEND_RECV
    kinds, kind = np.unique(table["kind"], return_inverse=True)
    missing = np.bincount(kind, weights=~told, minlength=len(kinds))
    numbered: Mask = missing[kind] == 0
    return numbered


def _once(kind: Index, sequence: Index, member: Index) -> Mask:
    """Rows whose kind and number no member has twice."""
    event = _codes(kind, sequence)
    of_member = _codes(event, member)
    count = np.bincount(of_member)[of_member]
    most = np.zeros(len(event), dtype=np.int64)
    np.maximum.at(most, event, count)
    once: Mask = most[event] == 1
    return once


def _codes(*columns: Index) -> Index:
    """Counts from 0, the same where all columns have the same."""
    order = np.lexsort(columns)
    changes = np.zeros(len(order), dtype=bool)
    for column in columns:
        changes[1:] |= np.diff(column[order]) != 0
    codes = np.empty(len(order), dtype=np.int64)
    codes[order] = np.cumsum(changes)
    return codes
