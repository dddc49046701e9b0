"""The options on what kernels count as, shared by the commands that open traces."""

import argparse

from overlap_widget.model.classes import Classes
from overlap_widget.model.rules_file import load_rules


def add_class_arguments(parser: argparse.ArgumentParser) -> None:
    """What counts as communication beyond what the loaders know."""
    parser.add_argument(
        "--rules",
        metavar="FILE",
        help="what kernels of one's own count as: JSON with lists of names under "
        "communication, compute and other, * for any text",
    )
    parser.add_argument(
        "--count-peer-copies",
        action="store_true",
        help="take copies between GPUs for communication",
    )


def classes_of(arguments: argparse.Namespace) -> Classes:
    """The choice; RulesError where the file of rules is none."""
    rules = () if arguments.rules is None else load_rules(arguments.rules)
    return Classes(rules, arguments.count_peer_copies)
