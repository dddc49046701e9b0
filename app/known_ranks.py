"""The ranks of one run as they compare, worked out once for all sessions."""

from overlap_widget.app.remembered import remembered
from overlap_widget.model.measured_file import MeasuredFile, measured_file
from overlap_widget.model.ranks import Ranks
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.recording import Recording

known_file = remembered(measured_file)


@remembered
def known_ranks(
    first: Recording, *others: Recording
) -> tuple[tuple[MeasuredFile, ...], Ranks]:
    """The recordings measured, and the comparison of them."""
    files = tuple(known_file(one) for one in (first, *others))
    return files, compare_ranks(files)
