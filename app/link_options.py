"""The options that set the link: a rate and an overhead, a measured link, a ring."""

import argparse
from dataclasses import dataclass, replace
from typing import Any

from overlap_widget.app.link_sources import (
    LinkSource,
    line_text,
    source_called,
    source_of,
    table_text,
)
from overlap_widget.app.option_readers import (
    MOST_RATE,
    MOST_TIME,
    given_or,
    reader,
    whole_number,
)
from overlap_widget.app.quantities import count_text, rate_text
from overlap_widget.model.link import Cost, Link, ring_bandwidth_bytes_per_s
from overlap_widget.model.links import LINKS, with_ranks
from overlap_widget.model.units import rate_bytes_per_s, time_s


@dataclass(frozen=True, slots=True)
class AskedLink:
    """What a transfer costs, and where that is from.

    says:    one sentence
    options: those beyond the plain ones, by their JSON keys
    source:  the measured link that was asked for
    """

    cost: Cost
    says: str
    options: dict[str, Any]
    source: LinkSource | None = None


def add_link_arguments(parser: argparse.ArgumentParser) -> None:
    """The straight line, or what was measured, or a ring."""
    group = parser.add_argument_group("link")
    _add_line_arguments(group)
    _add_measured_arguments(group)
    group.add_argument(
        "--ranks",
        metavar="N",
        type=whole_number,
        help="of a ring: makes the bandwidth from --port-rate, or from a named --link",
    )
    group.add_argument(
        "--port-rate",
        metavar="RATE",
        type=reader(rate_bytes_per_s, zero=False, most=MOST_RATE),
        help="of each rank of the ring: 50GB/s, 400Gb/s; a bare number is GB/s",
    )


def _add_line_arguments(group: Any) -> None:
    group.add_argument(
        "--bandwidth",
        metavar="RATE",
        type=reader(rate_bytes_per_s, zero=False, most=MOST_RATE),
        help="of the link: 12GB/s, 100Gb/s; a bare number is GB/s",
    )
    group.add_argument(
        "--overhead",
        metavar="TIME",
        type=reader(time_s, zero=True, most=MOST_TIME),
        help="of each transfer: 200us, 1ms; a bare number is us",
    )


def _add_measured_arguments(group: Any) -> None:
    group.add_argument(
        "--link",
        metavar="NAME|FILE",
        help="the line of a measured link: one that `overlap scenarios` lists, or of "
        "a CSV (size_bytes,time_us) or the output of all_reduce_perf",
    )
    group.add_argument(
        "--table",
        action="store_true",
        help="what was measured of --link, interpolated, instead of its line",
    )


def link_of(arguments: argparse.Namespace, own: Link) -> AskedLink:
    """The link asked for, else `own`; raises ValueError for options that don't fit."""
    _check(arguments)
    asked = None if arguments.link is None else source_called(arguments.link)
    if asked and arguments.table:
        return _of_table(asked)
    line = start = asked.line if asked else own
    changes: list[str] = []
    if arguments.ranks is not None:
        line, change = _ring(arguments, asked, line)
        changes.append(change)
    line = Link(
        overhead_s=given_or(arguments.overhead, line.overhead_s),
        bandwidth_bytes_per_s=given_or(arguments.bandwidth, line.bandwidth_bytes_per_s),
    )
    if asked and arguments.bandwidth is not None:
        changes.append("with another bandwidth")
    if asked and arguments.overhead is not None:
        changes.append("with another overhead")
    source = asked or (source_of(own) if line == start else None)
    says = line_text(source, line, changes)
    return AskedLink(line, says, _options(arguments), asked)


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was asked for beyond bandwidth and overhead, by its JSON keys."""
    asked = {
        "link": arguments.link,
        "table": arguments.table or None,
        "ranks": arguments.ranks,
        "port_bytes_per_s": arguments.port_rate,
    }
    return {key: value for key, value in asked.items() if value is not None}


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options of the link that contradict each other."""
    for option, value in (
        ("--bandwidth", arguments.bandwidth),
        ("--overhead", arguments.overhead),
        ("--ranks", arguments.ranks),
        ("--port-rate", arguments.port_rate),
    ):
        if arguments.table and value is not None:
            raise ValueError(
                f"--table takes all times as they were measured; leave out {option}"
            )
    if arguments.table and arguments.link is None:
        raise ValueError("--table goes with --link; name the link that was measured")
    if arguments.port_rate is not None and arguments.ranks is None:
        raise ValueError("--port-rate goes with --ranks; name both")
    if arguments.ranks is not None and arguments.bandwidth is not None:
        raise ValueError(
            "--bandwidth and --ranks both set the bandwidth; leave out one"
        )


def _of_table(source: LinkSource) -> AskedLink:
    if source.table is None:
        raise ValueError(
            f"{source.name} has no table here, only its line; leave out --table"
        )
    says = table_text(source, source.table)
    options = {"link": source.name, "table": True}
    return AskedLink(source.table, says, options, source)


def _ring(
    arguments: argparse.Namespace, asked: LinkSource | None, line: Link
) -> tuple[Link, str]:
    """The line between so many ranks, and what became of it, in words."""
    ranks, port = arguments.ranks, arguments.port_rate
    if port is not None:
        bandwidth = ring_bandwidth_bytes_per_s(port, ranks)
        change = (
            f"as a ring of {count_text('ranks', ranks)} with {rate_text(port)} a port"
        )
        return replace(line, bandwidth_bytes_per_s=bandwidth), change
    if asked is None or asked.ranks is None:
        raise ValueError("--ranks goes with --port-rate, or with a named --link")
    return (
        with_ranks(LINKS[asked.name], ranks),
        f"between {ranks} ranks instead of {asked.ranks}",
    )
