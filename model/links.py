"""Named real links: what was measured, and the line fitted to it.

Each line is fitted to the sizes that gradient buckets have, 1 MiB to 256 MiB, as far
as they were measured, since these are the transfers that the model sends. `fit` says
which sizes these are and by how much it misses single ones, from 2 to 40 percent;
outside it may miss by more. A `table` doesn't.
"""

from dataclasses import dataclass

from overlap_widget.model.fit import Fit, fit
from overlap_widget.model.link import (
    Link,
    MeasuredLink,
    ring_bandwidth_bytes_per_s,
    ring_factor,
)
from overlap_widget.model.link_tables import TABLES, LinkTable
from overlap_widget.model.units import US

DIGITS = 4
"""Significant digits of a line: one that misses by 20 percent has no more."""


@dataclass(frozen=True, slots=True)
class NamedLink:
    """A link that somebody measured, and where they say so.

    ranks: GPUs that took part in each all-reduce
    fit:   the line as fitted, its errors, and the sizes it was fitted to
    table: everything that was measured; None where only the fit is at hand
    """

    name: str
    title: str
    ranks: int
    hardware: str
    source: str
    fit: Fit
    table: MeasuredLink | None

    @property
    def line(self) -> Link:
        """The fitted line, to four significant digits."""
        return _rounded(self.fit.link)


def with_ranks(named: NamedLink, ranks: int) -> Link:
    """The line of a named link between another number of ranks, ports as they are.

    Each port moves 2 (n - 1) / n of the gradient's bytes, so the rate changes by the
    ratio of these factors. The overhead is kept, although a ring of more ranks takes
    more hops and its overhead really grows about as their number does: for many more
    ranks this line is too good. Raises ValueError for fewer than 2 ranks.
    """
    line = named.line
    ratio = ring_bandwidth_bytes_per_s(ring_factor(named.ranks), ranks)
    return Link(line.overhead_s, line.bandwidth_bytes_per_s * ratio)


def _rounded(line: Link) -> Link:
    return Link(
        overhead_s=float(f"{line.overhead_s:.{DIGITS}g}"),
        bandwidth_bytes_per_s=float(f"{line.bandwidth_bytes_per_s:.{DIGITS}g}"),
    )


def _measured(name: str, table: LinkTable) -> NamedLink:
    fitted = fit(table.sizes_bytes, table.times_s)
    return NamedLink(
        name=name,
        title=table.title,
        ranks=table.ranks,
        hardware=table.hardware,
        source=table.source,
        fit=fitted,
        table=MeasuredLink(table.sizes_bytes, table.times_s, _rounded(fitted.link)),
    )


_ZARATAN = NamedLink(
    name="a100-zaratan-8",
    title="8 A100, two nodes of UMD Zaratan, tree",
    ranks=8,
    hardware="two Zaratan nodes of four A100, NVLink inside, NCCL_ALGO=TREE",
    source="github.com/CMSC828G/CMSC828G@ef92f6c assignment-2/allreduce-times.csv",
    fit=Fit(
        link=Link(overhead_s=3476.87 * US, bandwidth_bytes_per_s=1e12 / 67.235),
        max_error=0.398,
        rms_error=0.191,
        points=8,
        low_bytes=1_637_420.0,
        high_bytes=209_589_760.0,
    ),
    table=None,
)
"""Its table isn't carried over here, so the fit stands as it was worked out from it."""

_ALL = (*(_measured(*item) for item in TABLES.items()), _ZARATAN)

LINKS: dict[str, NamedLink] = {link.name: link for link in _ALL}
