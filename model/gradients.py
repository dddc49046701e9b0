"""Which transfers of a recording carry the gradients of the backward pass.

Gradients are summed over the ranks, by one operation on one process group: an
all-reduce, or a reduce-scatter where each rank keeps a part. Other collectives of the
same recording move parameters or activations, and follow other rules.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Group
from overlap_widget.model.timeline import Collective

SUMS = (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.REDUCE)
LEAST_SHARE = 1e-3
"""Of the largest: a smaller one is a loss or a norm rather than a bucket."""
_OF_ACTIVATIONS = re.compile(
    r"tensor|pipeline|context|embedding|expert_model|(^|[^a-z])[tpc]p([^a-z]|$)", re.I
)

Mask = NDArray[np.bool_]


def gradient_rows(
    collective: NDArray[np.uint8],
    group: NDArray[np.int32],
    groups: Sequence[Group],
    size_bytes: NDArray[np.float64],
) -> Mask:
    """Which of these transfers carry gradients: bool[n], all of known size.

    Those of the operation and group that move the most bytes; a group whose name says
    that it splits the model comes after all others. Columns as in `Transfers`.
    """
    sums: Mask = np.isin(collective, SUMS) & (size_bytes > 0)  # not where it is NaN
    if not sums.any():
        return sums
    pair = collective.astype(np.int64) * (len(groups) + 1) + group + 1
    pairs, place = np.unique(pair[sums], return_inverse=True)
    moved = np.bincount(place, size_bytes[sums])
    places = pairs % (len(groups) + 1) - 1
    is_model = np.array([_splits_model(groups, int(at)) for at in places])
    most = pairs[np.lexsort((-moved, is_model))[0]]
    sums &= pair == most
    sums &= size_bytes >= LEAST_SHARE * size_bytes[sums].max()
    return sums


def _splits_model(groups: Sequence[Group], at: int) -> bool:
    """Whether a group is called one of tensor, pipeline or context parallelism."""
    if at < 0:
        return False
    return bool(_OF_ACTIVATIONS.search(f"{groups[at].name} {groups[at].description}"))
