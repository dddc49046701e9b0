"""What commands write to: the answer to stdout, sentences to stderr.

Either may be closed (`>&-`), and Python then has None in its place.
"""

import contextlib
import io
import os
import re
import sys

from overlap_widget.app.text_table import on_one_line

LONGEST = 60
"""Of a name that a sentence repeats, in characters."""
MOST_WORD = 255
"""Characters of a word in a sentence; a path has no longer names."""
_LONG_WORD = re.compile(rf"(\S{{60}})\S{{{MOST_WORD - 60},}}?(?=:?(?:\s|$))")


def answer(text: str) -> None:
    """Write to stdout; OSError when it is closed, since then nobody gets the answer."""
    if sys.stdout is None:
        raise OSError(
            "the standard output is closed; leave it open, or write to a file"
        )
    sys.stdout.write(text)


def flush_answer() -> None:
    """Write what is still held back, where a reader that left can still be caught."""
    if sys.stdout is not None:
        sys.stdout.flush()


def tell(sentence: str) -> None:
    """Write one short line to stderr; where that can't be, the exit code has to do."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # a full disk, say
            sys.stderr.write(f"overlap: {short_line(sentence)}\n")


def short_line(sentence: str) -> str:
    """A sentence as one line.

    What a name holds of line breaks becomes a space, of other signs that can't be
    printed a question mark, and a word longer than any file's name is cut.
    """
    line = on_one_line(re.sub(r"\s*[\r\n]\s*", " ", sentence))
    return _LONG_WORD.sub(r"\1...", line)


def remark(lines: str) -> None:
    """Write lines that tell of no failure to stderr, as they are; nothing if empty."""
    if lines and sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{lines}\n")


def let_any_name_through() -> None:
    """A kernel or layer may have a name that the terminal's encoding can't show."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def leave_stdout() -> None:
    """Send what is still in the buffer nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
