"""What `simulate` and `sweep` are asked for: scenario, buckets, link, and effects."""

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from overlap_widget.app.bucket_options import Buckets, add_bucket_arguments, buckets_of
from overlap_widget.app.link_options import AskedLink, add_link_arguments, link_of
from overlap_widget.app.option_readers import (
    MOST_TIME,
    given_or,
    reader,
    share,
    short,
    whole_number,
)
from overlap_widget.model.backward import Simulation, simulate
from overlap_widget.model.effects import MOST_SLOWDOWN, OFF, Effects
from overlap_widget.model.layer import Plan
from overlap_widget.model.scenario_file import ScenarioError, load_scenario
from overlap_widget.model.scenarios import COURSE, SCENARIOS, Scenario
from overlap_widget.model.units import time_s


@dataclass(frozen=True, slots=True)
class Inputs:
    """A step as the command line asks for it."""

    scenario: Scenario
    link: AskedLink
    effects: Effects
    buckets: Buckets

    @property
    def simulation(self) -> Simulation:
        """The step with the buckets that were asked for."""
        return self.simulation_of(self.buckets.plan)

    def simulation_of(self, plan: Plan) -> Simulation:
        """The step with other buckets."""
        return simulate(self.scenario.layers, plan, self.link.cost, self.effects)

    @property
    def options(self) -> dict[str, Any]:
        """For JSON: all beyond scenario, bucket size, bandwidth and overhead."""
        off = asdict(OFF)
        effects = {
            key: value
            for key, value in asdict(self.effects).items()
            if value != off[key]
        }
        return self.buckets.options | self.link.options | effects


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that all commands on a simulated step share."""
    parser.add_argument(
        "--scenario",
        metavar="NAME|FILE",
        default=COURSE.name,
        help=f"{', '.join(SCENARIOS)}, or a JSON file of layers; default %(default)s",
    )
    add_bucket_arguments(parser)
    add_link_arguments(parser)
    _add_effect_arguments(parser)


def _add_effect_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what the simple model leaves out")
    group.add_argument(
        "--no-overlap",
        action="store_true",
        help="all transfers wait for the end of the pass",
    )
    group.add_argument(
        "--slowdown",
        metavar="SHARE",
        type=reader(share, zero=True, most=f"{MOST_SLOWDOWN:.0%}"),
        help="how much longer compute takes beside a transfer: 0.19 or 19%%",
    )
    group.add_argument(
        "--late",
        metavar="TIME",
        type=reader(time_s, zero=True, most=MOST_TIME),
        help="by how much another rank is late: 5ms; a bare number is us",
    )
    group.add_argument(
        "--micro-steps",
        metavar="N",
        type=whole_number,
        help="backward passes whose gradients are added up in a step",
    )
    group.add_argument(
        "--every-micro-step",
        action="store_true",
        help="send the gradients of each of them, and not of the last alone",
    )


def inputs_of(arguments: argparse.Namespace) -> Inputs:
    """What was asked for; raises ValueError for inputs that don't fit together."""
    scenario = _scenario(arguments.scenario)
    effects = _effects(arguments)
    link = link_of(arguments, scenario.link)
    return Inputs(
        scenario, link, effects, buckets_of(arguments, scenario, link.cost, effects)
    )


def _scenario(name: str) -> Scenario:
    if name in SCENARIOS:
        return SCENARIOS[name]
    if not name or (not name.endswith(".json") and not Path(name).exists()):
        known = ", ".join(SCENARIOS)
        raise ScenarioError(
            f"no scenario {short(name)!r}; choose {known}, or a JSON file"
        )
    return load_scenario(name)


def _effects(arguments: argparse.Namespace) -> Effects:
    micro_steps = given_or(arguments.micro_steps, OFF.micro_steps)
    if arguments.every_micro_step and micro_steps == 1:
        raise ValueError("--every-micro-step goes with --micro-steps of 2 or more")
    return Effects(
        overlap=not arguments.no_overlap,
        slowdown=given_or(arguments.slowdown, OFF.slowdown),
        late_s=given_or(arguments.late, OFF.late_s),
        micro_steps=micro_steps,
        every_micro_step=arguments.every_micro_step,
    )
