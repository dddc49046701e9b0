"""The command `overlap`: finds the command's module, runs it, words its failures.

Only the module of the command that was asked for is imported, so that reading a
trace in a terminal doesn't load Panel.
"""

import argparse
import importlib
import importlib.metadata
import io
import os
import re
import sys
from typing import Any, NoReturn

SUMMARIES = {
    "serve": "open the widget in the browser, with traces if any are named",
    "simulate": "simulate one backward pass and explain its tail",
    "sweep": "try every bucket size and say which is best",
    "measure": "read profiler traces and say what is hidden and what is exposed",
    "scenarios": "list the named scenarios and links, with their sources",
}

WRONG_USE = 2
INTERRUPTED = 128 + 2  # as a shell reports a program that ended by SIGINT,
UNREAD = 128 + 13  # and by SIGPIPE


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
        raise UsageError(f"{place}{message}; see `{self.prog} --help`")


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code, 2 for what the user can put right.

    Without `argv` the arguments of the process.
    """
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()  # here, where a reader that left can still be caught
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _leave_stdout()
        return UNREAD
    except (ValueError, OSError) as error:
        sys.stderr.write(f"overlap: {_sentence(error)}\n")
        return WRONG_USE
    return code


def _run(argv: list[str]) -> int:
    _let_any_name_through(sys.stdout)
    asked = argv[0] if argv and argv[0] in SUMMARIES else None
    command = (
        importlib.import_module(f"{__package__}.commands.{asked}") if asked else None
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
    version = importlib.metadata.version("overlap-widget")
    parser.add_argument("--version", action="version", version=f"overlap {version}")
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


def _let_any_name_through(stream: Any) -> None:
    """A kernel or layer may have a name that the terminal's encoding can't show."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def _leave_stdout() -> None:
    """Send what is still in the buffer nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
