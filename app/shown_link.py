"""The fitted link of a run in digits that a control has room for.

Page and command line replay on the same one, or their numbers would differ.
"""

from collections.abc import Sequence
from dataclasses import replace

from overlap_widget.model.link import Link
from overlap_widget.model.link_fit import LinkFit, Refused, fitted_link
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Ranks


def shown_link(files: Sequence[MeasuredFile], ranks: Ranks) -> LinkFit | Refused:
    """The link that all files of a run were on, or why there is none.

    What ranks waited for each other is no part of it, where they tell.
    """
    found = fitted_link(files, ranks.waiting_s)
    if isinstance(found, Refused):
        return found
    rounded = Link(
        overhead_s=round(float(f"{found.link.overhead_s:.3g}"), 9),
        bandwidth_bytes_per_s=float(f"{found.link.bandwidth_bytes_per_s:.4g}"),
    )
    return replace(found, link=rounded)
