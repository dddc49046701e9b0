"""The command `overlap`: finds the command's module, runs it, words its failures.

Only the module of the command that was asked for is imported, so that reading a
trace in a terminal doesn't load Panel; and this one imports next to nothing, so that
what comes after can be interrupted without a traceback.
"""

import argparse
import importlib
import re
import sys
from typing import Any, NoReturn

from overlap_widget.app.ending import ended_at_once
from overlap_widget.app.standard_streams import (
    LONGEST,
    answer,
    flush_answer,
    leave_stdout,
    let_any_name_through,
    tell,
)

SUMMARIES = {
    "serve": "open the widget in the browser, with traces if any are named",
    "simulate": "simulate one backward pass and explain its tail",
    "sweep": "try every bucket size and say which is best",
    "measure": "read profiler traces and say what is hidden and what is exposed",
    "export": "write the widget as one page (.html) or its picture (.svg)",
    "scenarios": "list the named scenarios and links, with their sources",
}

WRONG_USE = 2
INTERRUPTED = 128 + 2  # as a shell reports a program that ended by SIGINT,
UNREAD = 128 + 13  # and by SIGPIPE


_REPEATED = re.compile(
    r"""(?<=unrecognized[ ]arguments:[ ]).+|'[^']*'|"[^"]*"|\S+""", re.S | re.X
)
"""What a message may repeat of the command line: options, a text in quotes, a word."""


class UsageError(ValueError):
    """The command line itself is wrong."""


class Parser(argparse.ArgumentParser):
    """An argument parser that fails in one sentence, without the usage above it.

    `-1us` is a value, which its option refuses, and not an option that nobody knows.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and where the options are listed."""
        command = self.prog.removeprefix("overlap").strip()
        place = f"{command}: " if command else ""
        said = _REPEATED.sub(_cut, message)
        raise UsageError(f"{place}{said}; see `{self.prog} --help`")


class Version(argparse.Action):
    """`--version`; what knows it takes longer to load than all of this module."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Say the version and end."""
        metadata = importlib.import_module("importlib.metadata")
        answer(f"overlap {metadata.version('overlap-widget')}\n")
        parser.exit()


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code, 2 for what the user can put right.

    Without `argv` the arguments of the process.
    """
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        flush_answer()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        leave_stdout()
        return UNREAD
    except (ValueError, OSError) as error:
        tell(_sentence(error))
        return WRONG_USE
    return code


def _run(argv: list[str]) -> int:
    let_any_name_through()
    asked = argv[0] if argv and argv[0] in SUMMARIES else None
    with ended_at_once():
        command = (
            importlib.import_module(f"{__package__}.commands.{asked}")
            if asked
            else None
        )
    try:
        arguments = _parser(asked, command).parse_args(argv)
    except SystemExit as done:  # --help and --version
        return int(done.code or 0)
    return int(command.run(arguments)) if command else 0


def _parser(asked: str | None, command: Any) -> Parser:
    """The parser of all commands; only the one that was asked for has its options."""
    parser = Parser(
        prog="overlap",
        description="See how communication hides behind compute in training.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action=Version, nargs=0, help="show the version and exit"
    )
    commands = parser.add_subparsers(metavar="command", required=True)
    for name, summary in SUMMARIES.items():
        options = commands.add_parser(
            name, help=summary, description=summary, allow_abbrev=False
        )
        if name == asked:
            command.add_arguments(options)
    return parser


def _sentence(error: ValueError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}"
    return str(error)


def _cut(repeated: re.Match[str]) -> str:
    """A long text cut, in quotes as it was."""
    text = repeated[0]
    if len(text) <= LONGEST:
        return text
    quote = text[-1] if text[0] == text[-1] and text[0] in "'\"" else ""
    return f"{text[:LONGEST]}...{quote}"
