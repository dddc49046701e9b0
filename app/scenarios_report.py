"""The named scenarios and links as text for a terminal, and as JSON for a program."""

import json
import textwrap
from collections.abc import Iterable
from typing import Any

from overlap_widget.app.quantities import (
    count_text,
    percent_text,
    rate_text,
    size_text,
    time_text,
)
from overlap_widget.model.link import Link
from overlap_widget.model.links import NamedLink
from overlap_widget.model.scenarios import Scenario
from overlap_widget.model.schedule import running_totals

WIDTH = 88
"""Of the text, in columns; only an address may be longer."""
LABEL_WIDTH = 10


def as_json(scenarios: Iterable[Scenario], links: Iterable[NamedLink]) -> str:
    """Seconds and bytes, units in the key names; each scenario is a scenario file."""
    links = tuple(links)
    document = {
        "scenarios": [_scenario_document(one, links) for one in scenarios],
        "links": [_link_document(one) for one in links],
    }
    return json.dumps(document, indent=2, allow_nan=False)


def as_text(scenarios: Iterable[Scenario], links: Iterable[NamedLink]) -> str:
    """Each scenario and each link with its numbers and its sources."""
    links = tuple(links)
    return "\n\n".join(
        (
            "Scenarios: start one with `overlap simulate --scenario NAME`.",
            *(_scenario_text(one, links) for one in scenarios),
            "Links: lines fitted to measured all-reduces, for gradients of any model.",
            *(_link_text(one) for one in links),
        )
    )


def _scenario_document(scenario: Scenario, links: tuple[NamedLink, ...]) -> Any:
    done_s, held_bytes = running_totals(scenario.layers)
    return {
        "name": scenario.name,
        "title": scenario.title,
        "source": scenario.source,
        "times": scenario.times,
        "backward_s": done_s[-1],
        "gradient_bytes": held_bytes[-1],
        "element_bytes": scenario.element_bytes,
        "link": {
            "name": _name_of(scenario.link, links),
            "bandwidth_bytes_per_s": scenario.link.bandwidth_bytes_per_s,
            "overhead_s": scenario.link.overhead_s,
        },
        "layers": [
            {
                "name": layer.name,
                "backward_s": layer.backward_s,
                "gradient_bytes": layer.gradient_bytes,
            }
            for layer in scenario.layers
        ],
    }


def _link_document(link: NamedLink) -> Any:
    return {
        "name": link.name,
        "title": link.title,
        "hardware": link.hardware,
        "source": link.source,
        "ranks": link.ranks,
        "bandwidth_bytes_per_s": link.line.bandwidth_bytes_per_s,
        "overhead_s": link.line.overhead_s,
        "max_relative_error": link.fit.max_error,
        "from_bytes": link.fit.low_bytes,
        "to_bytes": link.fit.high_bytes,
    }


def _scenario_text(scenario: Scenario, links: tuple[NamedLink, ...]) -> str:
    done_s, held_bytes = running_totals(scenario.layers)
    name = _name_of(scenario.link, links)
    return _entry(
        f"{scenario.name}  {scenario.title}",
        {
            "pass": f"{count_text('layers', len(scenario.layers))} in "
            f"{time_text(done_s[-1])}, {size_text(held_bytes[-1])} of gradients",
            "link": f"{name}, {_rates(scenario.link)}"
            if name
            else _rates(scenario.link),
            "sizes": scenario.source,
            "times": scenario.times,
        },
    )


def _link_text(link: NamedLink) -> str:
    from_size, to_size = size_text(link.fit.low_bytes), size_text(link.fit.high_bytes)
    error = percent_text(link.fit.max_error)
    return _entry(
        f"{link.name}  {link.title}",
        {
            "line": f"{link.ranks} ranks, {_rates(link.line)}",
            "fit": f"misses transfers of {from_size} to {to_size} by {error} at most",
            "hardware": link.hardware,
            "source": link.source,
        },
    )


def _entry(heading: str, fields: dict[str, str]) -> str:
    """A heading, and below it each field with its label, wrapped."""
    lines = [heading]
    for label, text in fields.items():
        lines += textwrap.wrap(
            text,
            WIDTH,
            initial_indent=f"  {label:{LABEL_WIDTH}}",
            subsequent_indent=" " * (2 + LABEL_WIDTH),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def _rates(link: Link) -> str:
    overhead, bandwidth = link.overhead_s, link.bandwidth_bytes_per_s
    return f"overhead {time_text(overhead)}, bandwidth {rate_text(bandwidth)}"


def _name_of(link: Link, links: tuple[NamedLink, ...]) -> str | None:
    """The name of the link whose line this is; None where it has none."""
    return next((one.name for one in links if one.line == link), None)
