"""The start of an exported page, from the options of the command line.

The page offers what the options name beyond what ships: layers from a file, a measured
link, buckets of another size. Its controls have bounds, and what lies outside of them
is refused here: a page that showed something else would be wrong without a word.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from overlap_widget.app.address import address, read_address
from overlap_widget.app.bucket_options import Buckets
from overlap_widget.app.catalogue import SHIPPED, Catalogue
from overlap_widget.app.controls import (
    BANDWIDTH,
    LATE,
    MICRO_STEPS,
    OVERHEAD,
    RANKS,
    SLOWDOWN,
    Control,
    default_bucket,
)
from overlap_widget.app.link_sources import LinkSource
from overlap_widget.app.option_readers import given_or, short
from overlap_widget.app.quantities import percent_text, rate_text, size_text, time_text
from overlap_widget.app.settings import LAYERS, Settings, settings_of
from overlap_widget.app.simulation_inputs import Inputs, inputs_of
from overlap_widget.app.titles import GIVEN
from overlap_widget.model.link import Cost, MeasuredLink
from overlap_widget.model.links import NamedLink
from overlap_widget.model.rules import filled
from overlap_widget.model.scenarios import Scenario

MOST_LAYERS = 1000
"""Of a scenario: with more of them a browser is too slow to move a slider."""


def page_settings(arguments: argparse.Namespace) -> Settings:
    """How the page starts; ValueError for what no page can show, in one sentence."""
    inputs = inputs_of(arguments)
    scenario = _named_apart(inputs.scenario)
    catalogue = _catalogue(arguments, inputs, scenario)
    cost, ranks = inputs.link.cost, given_or(arguments.ranks, 2)
    is_table = isinstance(cost, MeasuredLink)
    line = cost.line if isinstance(cost, MeasuredLink) else cost
    _check(inputs, ranks)
    settings = replace(
        settings_of(scenario, catalogue),
        bucket=given_or(arguments.bucket, default_bucket(scenario)),
        bandwidth_bytes_per_s=line.bandwidth_bytes_per_s,
        overhead_s=line.overhead_s,
        plan=_plan_name(arguments, inputs.buckets),
        table=_link_name(inputs.link.source) if is_table else "",
        ranks=ranks,
        effects=inputs.effects,
        mode="measured" if arguments.trace else "explore",
    )
    return read_address(address(settings), settings)[0]  # as the page will read it


def _named_apart(scenario: Scenario) -> Scenario:
    """A scenario of a file that has the name of one that ships gets another one."""
    shipped = SHIPPED.scenarios.get(scenario.name)
    if shipped is None or shipped is scenario:
        return scenario
    return replace(scenario, name=f"{scenario.name} ({GIVEN})")


def _catalogue(
    arguments: argparse.Namespace, inputs: Inputs, scenario: Scenario
) -> Catalogue:
    found = SHIPPED.with_scenario(scenario)
    source = inputs.link.source
    if source and source.name not in SHIPPED.links:
        found = found.with_link(_link(source))
    if inputs.buckets.filling:
        rule = filled(
            _asked(arguments), inputs.buckets.says, "", inputs.buckets.filling
        )
        found = found.with_rule(GIVEN, rule)
    return found


def _plan_name(arguments: argparse.Namespace, buckets: Buckets) -> str:
    return GIVEN if buckets.filling else arguments.plan or LAYERS


def _link_name(source: LinkSource | None) -> str:
    assert source, "only a measured link has a table"
    return source.name if source.name in SHIPPED.links else GIVEN


def _link(source: LinkSource) -> NamedLink:
    """The link of a file; its path stays where it is, only the file's name is shown."""
    name = Path(source.name).name
    return NamedLink(
        name=GIVEN,
        title=name,
        ranks=2,
        hardware="",
        source=name,
        fit=source.fit,
        table=source.table,
    )


def _asked(arguments: argparse.Namespace) -> str:
    """What the option said that asked for these buckets; of elements a bare number."""
    if arguments.bucket_bytes is not None:
        return size_text(arguments.bucket_bytes)
    if arguments.bucket_elements is not None:
        return f"{int(arguments.bucket_elements):,}"
    return str(arguments.plan)


def _check(inputs: Inputs, ranks: int) -> None:
    """Refuse what the page's controls can't show; ValueError says their bounds."""
    effects = inputs.effects
    layers = len(inputs.scenario.layers)
    if layers > MOST_LAYERS:
        raise ValueError(
            f"{short(inputs.scenario.name)} has {layers:,} layers and a page takes at "
            f"most {MOST_LAYERS:,}; put tensors together"
        )
    rows: list[tuple[str, float, Control, Callable[[float], str]]] = [
        ("a slowdown", effects.slowdown, SLOWDOWN, percent_text),
        ("a late rank", effects.late_s, LATE, time_text),
        ("micro-steps", effects.micro_steps, MICRO_STEPS, _count_text),
        ("ranks", ranks, RANKS, _count_text),
    ]
    for of, line in _lines(inputs).items():
        rows += [
            (f"a bandwidth{of}", line.bandwidth_bytes_per_s, BANDWIDTH, rate_text),
            (f"an overhead{of}", line.overhead_s, OVERHEAD, time_text),
        ]
    for name, value, control, text in rows:
        if not control.low <= value <= control.high:
            raise ValueError(
                f"a page shows {name} of {text(control.low)} to {text(control.high)}, "
                f"not {text(value)}; choose one within, or use `overlap simulate`"
            )


def _lines(inputs: Inputs) -> dict[str, Cost]:
    """All that the sliders may come to stand at, not only what the page starts with.

    Another scenario and back starts with the link of its own, and a link has a name.
    """
    cost, source = inputs.link.cost, inputs.link.source
    lines: dict[str, Cost] = {
        "": cost.line if isinstance(cost, MeasuredLink) else cost,
        " in a scenario": inputs.scenario.link,
    }
    return lines | {" in a link": source.line} if source else lines


def _count_text(count: float) -> str:
    return f"{count:,.0f}"
