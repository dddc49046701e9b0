"""`overlap sweep`: the tail for every bucket size, and what is best."""

import argparse

from overlap_widget.app import simulation_inputs
from overlap_widget.app.standard_streams import answer
from overlap_widget.app.sweep_report import as_json, as_text

SUMMARY = "try every bucket size and say which is best"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The inputs, as for `simulate`, and whether to answer in JSON.

    Buckets that are asked for are compared with the best.
    """
    simulation_inputs.add_arguments(parser)
    parser.add_argument(
        "--json", action="store_true", help="answer in JSON, in seconds and bytes"
    )


def run(arguments: argparse.Namespace) -> int:
    """Sweep and print; raises ValueError for inputs that don't fit together."""
    report = as_json if arguments.json else as_text
    answer(f"{report(simulation_inputs.inputs_of(arguments))}\n")
    return 0
