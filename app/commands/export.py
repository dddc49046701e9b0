"""`overlap export`: the widget as one page for a course, or its picture for a slide."""

import argparse
import errno
import importlib
import os
import stat
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from overlap_widget.app import simulation_inputs
from overlap_widget.app.class_options import add_class_arguments, classes_of
from overlap_widget.app.measured_data import left_out
from overlap_widget.app.measuring import recordings
from overlap_widget.app.option_readers import short
from overlap_widget.app.page_settings import page_settings
from overlap_widget.app.quantities import size_text
from overlap_widget.app.settings import Settings
from overlap_widget.app.standard_streams import answer, tell
from overlap_widget.app.words import ENGLISH, languages
from overlap_widget.model.recording import Recording

SUMMARY = "write the widget as one page (.html) or its picture (.svg)"
PAGE = ".html"
HEAVY_BYTES = 3_000_000
"""Of a page: about twice what it takes with a recording."""
Write = Callable[[Settings, list[Recording]], str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, the inputs as for `simulate`, and recordings for measured mode."""
    parser.add_argument(
        "out",
        metavar="OUT",
        help="page.html: the whole widget in one file, which needs no server and no "
        "network; picture.svg: its picture for slides and papers",
    )
    parser.add_argument(
        "--trace",
        metavar="TRACE",
        nargs="+",
        action="extend",
        default=[],
        help="a profiler's files or folders, shown first and kept in the page",
    )
    parser.add_argument(
        "--lang",
        choices=languages(),
        default=ENGLISH,
        help="the language it starts in, en or es; a page has all of them",
    )
    add_class_arguments(parser)
    simulation_inputs.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the file and say so; ValueError for inputs that don't fit together."""
    path = Path(arguments.out)
    write = _writer(path)
    settings = replace(page_settings(arguments), lang=arguments.lang)
    opened = recordings(arguments.trace, classes_of(arguments))
    if _is_page(path):
        for sentence in left_out(opened):
            tell(sentence)
    text = write(settings, opened)
    _replace(path, text)
    size_bytes = len(text.encode())
    size = size_text(size_bytes)
    if size_bytes > HEAVY_BYTES:
        tell(f"{arguments.out}: {size} is much for a reader's line; name fewer traces")
    answer(f"{arguments.out}: {size}, one file that needs no server and no network\n")
    return 0


def _is_page(path: Path) -> bool:
    return path.suffix.lower() == PAGE


def _writer(path: Path) -> Write:
    """What makes such a file; only what it needs is imported."""
    makers = {
        PAGE: ("embedded", "embedded_page"),
        ".svg": ("picture_file", "picture_file"),
    }
    if path.suffix.lower() not in makers:
        raise ValueError(
            f"{short(str(path))} is neither a page nor a picture; name a file that "
            "ends in .html or .svg"
        )
    module, name = makers[path.suffix.lower()]
    made: Write = getattr(importlib.import_module(f"overlap_widget.app.{module}"), name)
    return made


def _replace(path: Path, text: str) -> None:
    """Put the whole file there at once: what stood there stays if it can't be written.

    A link to a file stays, and a file keeps its rights. OSError names the file that was
    asked for.
    """
    handle = None
    try:
        target = _file_at(path)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".overlap-")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, _rights(target))
        os.replace(name, target)
    except BaseException as error:  # an interrupt too leaves nothing behind
        if handle is not None:
            Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _file_at(path: Path) -> Path:
    """Where the file lies that is written; OSError where it isn't one, or is kept."""
    target = Path(os.path.realpath(path))
    if target.exists():
        if not target.is_file():
            kind = errno.EISDIR if target.is_dir() else errno.EINVAL
            raise OSError(kind, os.strerror(kind))
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


def _rights(path: Path) -> int:
    """Those of the file that is replaced, else of any new one."""
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
