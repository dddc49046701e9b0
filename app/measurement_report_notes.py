"""Notes on the files of a measurement: each sentence once, with whose it is."""

from collections.abc import Sequence
from typing import Protocol

from overlap_widget.app.text_table import on_one_line, wrapped
from overlap_widget.model.quoted import quoted

BOTH = 2
MOST_PATTERNS = 5
"""Of rules, in a note."""
WORDS = {
    "note": "Note: {note}.",
    "one file": "{first}: ",
    "both files": "both files: ",
    "all files": "all {count} files: ",
    "unfitted one": "{patterns} of the rules fits no kernel; --kernels lists all names",
    "unfitted": "{patterns} of the rules fit no kernel; --kernels lists all names",
    "unfitted more": "{patterns} and {count} more",
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


def on_unfitted(patterns: Sequence[Sequence[str]]) -> list[str]:
    """A note on the patterns that fit no name of any file; given are those of each."""
    if not patterns:
        return []
    others = [set(one) for one in patterns[1:]]
    nowhere = [one for one in patterns[0] if all(one in other for other in others)]
    if not nowhere:
        return []
    said = ", ".join(map(quoted, nowhere[:MOST_PATTERNS]))
    if len(nowhere) > MOST_PATTERNS:
        more = f"{len(nowhere) - MOST_PATTERNS:,}"
        said = WORDS["unfitted more"].format(patterns=said, count=more)
    key = "unfitted one" if len(nowhere) == 1 else "unfitted"
    return [WORDS[key].format(patterns=said)]


def notes_text(said: Sequence[str]) -> str:
    """As lines for a terminal; empty without any."""
    return "\n".join(wrapped(WORDS["note"].format(note=note)) for note in said)
