"""Links that were measured, by name or in a file, and how a terminal tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from overlap_widget.app.option_readers import short
from overlap_widget.app.quantities import percent_text, rate_text, size_text, time_text
from overlap_widget.model.fit import Fit
from overlap_widget.model.link import Link, MeasuredLink
from overlap_widget.model.link_file import line_through, load_link
from overlap_widget.model.link_rows import LinkError
from overlap_widget.model.links import LINKS, NamedLink

FILES = (".csv", ".txt", ".log", ".out")
"""Ends of a name that can only be a file's."""


@dataclass(frozen=True, slots=True)
class LinkSource:
    """A link that was measured: one of `LINKS`, or a file's.

    name:      as it is known, or the path
    what:      what was measured, for a sentence
    fitted_to: what of it the line was fitted to
    ranks:     those that took part; None where a file doesn't tell
    """

    name: str
    what: str
    fitted_to: str
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
    return _of_file(name, load_link(name))


def _of_file(path: str, table: MeasuredLink) -> LinkSource:
    """A link from a file; its line may be fitted to a part of the sizes."""
    fit, sizes = line_through(table.sizes_bytes, table.times_s), len(table.sizes_bytes)
    all_of_it = f"its {sizes:,} sizes"
    return LinkSource(
        name=path,
        what=all_of_it,
        fitted_to=all_of_it if fit.points == sizes else f"{fit.points} of {all_of_it}",
        ranks=None,
        line=table.line,
        fit=fit,
        table=table,
    )


def _named(link: NamedLink) -> LinkSource:
    return LinkSource(
        name=link.name,
        what=link.title,
        fitted_to=link.title,
        ranks=link.ranks,
        line=link.line,
        fit=link.fit,
        table=link.table,
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

    source:  what was measured
    changes: what was done to it since, and how a line without a source came about
    """
    rates = (
        f"{rate_text(line.bandwidth_bytes_per_s)}, {time_text(line.overhead_s)} "
        "before each transfer"
    )
    if source is None:
        return f"Link{''.join(f', {change}' for change in changes)}: {rates}."
    of = f"{source.name}, the line fitted to {source.fitted_to}"
    if changes:
        return f"Link: {of}, {' and '.join(changes)}: {rates}."
    sizes = f"{size_text(source.fit.low_bytes)} to {size_text(source.fit.high_bytes)}"
    error = percent_text(round(source.fit.max_error, 9))  # of an exact line 0 %
    return f"Link: {of}: {rates}; it misses transfers of {sizes} by {error} at most."
