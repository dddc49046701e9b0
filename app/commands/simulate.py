"""`overlap simulate`: one backward pass, what shows of its communication, and why."""

import argparse

from overlap_widget.app import simulation_inputs
from overlap_widget.app.simulation_report import as_json, as_text
from overlap_widget.app.standard_streams import answer

SUMMARY = "simulate one backward pass and explain its tail"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The inputs, and whether to answer in JSON."""
    simulation_inputs.add_arguments(parser)
    parser.add_argument(
        "--json", action="store_true", help="answer in JSON, in seconds and bytes"
    )


def run(arguments: argparse.Namespace) -> int:
    """Simulate and print; raises ValueError for inputs that don't fit together."""
    report = as_json if arguments.json else as_text
    answer(f"{report(simulation_inputs.inputs_of(arguments))}\n")
    return 0
