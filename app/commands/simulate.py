"""`overlap simulate`: one backward pass, what shows of its communication, and why."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from overlap_widget.app.controls import DEFAULT_BUCKET, default_bucket
from overlap_widget.app.simulation_report import as_json, as_text
from overlap_widget.model import Link, Plan, by_bytes, simulate, whole_layers
from overlap_widget.model.scenario_file import ScenarioError, load_scenario
from overlap_widget.model.scenarios import COURSE, SCENARIOS, Scenario
from overlap_widget.model.units import MIB, rate_bytes_per_s, size_bytes, time_s

SUMMARY = "simulate one backward pass and explain its tail"

FIRST_BUCKET_BYTES = 1 * MIB  # kDefaultFirstBucketBytes in PyTorch's reducer.hpp

Quantity = TypeVar("Quantity")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The inputs (scenario, buckets, link), and whether to answer in JSON."""
    _add_scenario_and_buckets(parser)
    parser.add_argument(
        "--bandwidth",
        metavar="RATE",
        type=_read(rate_bytes_per_s, zero=False),
        help="of the link: 12GB/s, 100Gb/s; a bare number is GB/s",
    )
    parser.add_argument(
        "--overhead",
        metavar="TIME",
        type=_read(time_s, zero=True),
        help="of each transfer: 200us, 1ms; a bare number is us",
    )
    parser.add_argument(
        "--json", action="store_true", help="answer in JSON, in seconds and bytes"
    )


def run(arguments: argparse.Namespace) -> int:
    """Simulate and print; raises ValueError for inputs that don't fit together."""
    scenario = _scenario(arguments.scenario)
    link = Link(
        overhead_s=_or(arguments.overhead, scenario.link.overhead_s),
        bandwidth_bytes_per_s=_or(
            arguments.bandwidth, scenario.link.bandwidth_bytes_per_s
        ),
    )
    plan = _plan(scenario, arguments)
    report = as_json if arguments.json else as_text
    answer = report(scenario.name, simulate(scenario.layers, plan, link))
    sys.stdout.write(f"{answer}\n")
    return 0


def _add_scenario_and_buckets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scenario",
        metavar="NAME|FILE",
        default=COURSE.name,
        help=f"{', '.join(SCENARIOS)}, or a JSON file of layers; default %(default)s",
    )
    buckets = parser.add_mutually_exclusive_group()
    buckets.add_argument(
        "--bucket",
        metavar="N",
        type=int,
        help=f"layers to a bucket; default {DEFAULT_BUCKET}",
    )
    buckets.add_argument(
        "--bucket-bytes",
        metavar="SIZE",
        type=_read(size_bytes, zero=False),
        help="close a bucket once it holds this: 25MiB, 25MB; a bare number is MB",
    )
    parser.add_argument(
        "--first-bucket",
        metavar="SIZE",
        type=_read(size_bytes, zero=False),
        help="the same for the first bucket; default 1MiB, as in PyTorch's DDP",
    )


def _read(quantity: Callable[[str], float], *, zero: bool) -> Callable[[str], float]:
    """A reader whose sentence argparse repeats; of a bare ValueError it drops it."""

    def read(text: str) -> float:
        try:
            value = quantity(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        if value < 0 or (value == 0 and not zero):
            least = "0 or more" if zero else "above 0"
            raise argparse.ArgumentTypeError(f"{text!r} is too low; it must be {least}")
        return value

    return read


LONGEST = 60
"""Of a name that is repeated in a sentence, in characters."""


def _scenario(name: str) -> Scenario:
    if name in SCENARIOS:
        return SCENARIOS[name]
    if not name or (not name.endswith(".json") and not Path(name).exists()):
        known = ", ".join(SCENARIOS)
        asked = name if len(name) <= LONGEST else f"{name[:LONGEST]}..."
        raise ScenarioError(f"no scenario {asked!r}; choose {known}, or a JSON file")
    return load_scenario(name)


def _plan(scenario: Scenario, arguments: argparse.Namespace) -> Plan:
    layers = scenario.layers
    if arguments.bucket_bytes is not None:
        first_bytes = _or(arguments.first_bucket, FIRST_BUCKET_BYTES)
        return by_bytes(layers, arguments.bucket_bytes, first_bytes)
    if arguments.first_bucket is not None:
        raise ValueError("--first-bucket goes with --bucket-bytes; name both")
    return whole_layers(len(layers), _or(arguments.bucket, default_bucket(scenario)))


def _or(given: Quantity | None, otherwise: Quantity) -> Quantity:
    return otherwise if given is None else given
