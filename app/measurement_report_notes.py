"""Notes on the files of a measurement: each sentence once, with whose it is."""

from collections.abc import Sequence
from typing import Protocol

from overlap_widget.app.text_table import on_one_line, wrapped

BOTH = 2
WORDS = {
    "note": "Note: {note}.",
    "one file": "{first}: ",
    "both files": "both files: ",
    "all files": "all {count} files: ",
    "some files": "{first} and {others} more: ",
}


class Warned(Protocol):
    """What has a path and warnings: a row of a measurement, or a recording."""

    @property
    def path(self) -> str:
        """Of the file."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on it."""


def notes(found: Sequence[str], files: Sequence[Warned]) -> list[str]:
    """What was found, and the warnings of the files, named where there are several."""
    said: dict[str, list[str]] = {}
    for file in files:
        for warning in file.warnings:
            paths = said.setdefault(on_one_line(warning), [])
            if file.path not in paths:
                paths.append(file.path)
    several = len({file.path for file in files})
    of_files = [
        one if paths[0] in one else f"{_whose(paths, several)}{one}"
        for one, paths in said.items()
    ]
    return [*map(on_one_line, found), *of_files]


def _whose(paths: Sequence[str], several: int) -> str:
    """The files that a note is of; nothing where there is one file."""
    if several == 1:
        return ""
    first, *others = map(on_one_line, paths)
    key = "some files" if others else "one file"
    if len(paths) == several:
        key = "both files" if several == BOTH else "all files"
    return WORDS[key].format(first=first, others=f"{len(others):,}", count=several)


def notes_text(said: Sequence[str]) -> str:
    """As lines for a terminal; empty without any."""
    return "\n".join(wrapped(WORDS["note"].format(note=note)) for note in said)
