"""Links that were measured, by name or in a file, and how a terminal tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from overlap_widget.app.option_readers import short
from overlap_widget.app.quantities import percent_text, rate_text, size_text, time_text
from overlap_widget.model.fit import Fit
from overlap_widget.model.link import Link, MeasuredLink
from overlap_widget.model.link_file import LinkError, line_through, load_link
from overlap_widget.model.links import LINKS, NamedLink

FILES = (".csv", ".txt", ".log", ".out")
"""Ends of a name that can only be a file's."""


@dataclass(frozen=True, slots=True)
class LinkSource:
    """A link that was measured: one of `LINKS`, or a file's.

    name:  as it is known, or the path
    what:  what was measured, for a sentence
    ranks: those that took part; None where a file doesn't tell
    """

    name: str
    what: str
    ranks: int | None
    line: Link
    fit: Fit
    table: MeasuredLink | None


def source_called(name: str) -> LinkSource:
    """The measured link of this name, or in this file."""
    if name in LINKS:
        return _named(LINKS[name])
    if not name or (not name.endswith(FILES) and not Path(name).exists()):
        known = ", ".join(LINKS)
        raise LinkError(f"no link {short(name)!r}; choose {known}, or a file")
    table = load_link(name)
    return LinkSource(
        name=name,
        what=f"its {len(table.sizes_bytes)} sizes",
        ranks=None,
        line=table.line,
        fit=line_through(table.sizes_bytes, table.times_s),
        table=table,
    )


def _named(link: NamedLink) -> LinkSource:
    return LinkSource(
        link.name, link.title, link.ranks, link.line, link.fit, link.table
    )


def source_of(line: Link) -> LinkSource | None:
    """The named link whose line this is."""
    return next((_named(one) for one in LINKS.values() if one.line == line), None)


def table_text(source: LinkSource, table: MeasuredLink) -> str:
    """The link in one sentence, where its table is the cost."""
    low, high = table.sizes_bytes[0], table.sizes_bytes[-1]
    return (
        f"Link: {source.name}, measured table of {source.what}, from {size_text(low)} "
        f"to {size_text(high)}."
    )


def line_text(source: LinkSource | None, line: Link, changes: Sequence[str]) -> str:
    """A straight line in one sentence, with the error of its fit if it is as fitted.

    source:  what it was fitted to
    changes: what was done to it since, and how a line without a source came about
    """
    rates = (
        f"{rate_text(line.bandwidth_bytes_per_s)}, {time_text(line.overhead_s)} "
        "before each transfer"
    )
    if source is None:
        return f"Link{''.join(f', {change}' for change in changes)}: {rates}."
    of = f"{source.name}, the line fitted to {source.what}"
    if changes:
        return f"Link: {of}, {' and '.join(changes)}: {rates}."
    sizes = f"{size_text(source.fit.low_bytes)} to {size_text(source.fit.high_bytes)}"
    error = percent_text(source.fit.max_error)
    return f"Link: {of}: {rates}; it misses transfers of {sizes} by {error} at most."
