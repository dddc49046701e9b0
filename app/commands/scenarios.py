"""`overlap scenarios`: the named scenarios and links, with their sources."""

import argparse

from overlap_widget.app.scenarios_report import as_json, as_text
from overlap_widget.app.standard_streams import answer
from overlap_widget.model.links import LINKS
from overlap_widget.model.scenarios import SCENARIOS

SUMMARY = "list the named scenarios and links, with their sources"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to answer in JSON."""
    parser.add_argument(
        "--json",
        action="store_true",
        help="answer in JSON, in seconds and bytes; each scenario is a scenario file",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print all of them."""
    report = as_json if arguments.json else as_text
    answer(f"{report(SCENARIOS.values(), LINKS.values())}\n")
    return 0
