"""Rules on kernel names from a JSON file: what kernels of one's own count as.

    {"communication": ["my_ar_*"],
     "compute": ["fused_*", "void mine::matmul<*>(*"],
     "other": ["*_heartbeat"]}

A pattern is for whole names: `*` stands for any text and `?` for one character. A name
that fits several has the class of the last one, in the order of the file.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overlap_widget.model.classes import Rule
from overlap_widget.model.quoted import quoted
from overlap_widget.model.small_file import content_of
from overlap_widget.model.timeline import Kind

MOST_BYTES = 2**20
MOST_RULES = 1_000
KINDS = {kind.name.lower(): kind for kind in Kind}
_CLASSES = "communication, compute and other"
_EXAMPLE = '{"communication": ["my_all_reduce_*"]}'
_TOO_LARGE = "more than rules need; write patterns with * in place of many names"


class RulesError(ValueError):
    """One sentence for the user: which file, which place in it, what it expects."""


def load_rules(path: str | Path) -> tuple[Rule, ...]:
    """The rules in a JSON file, in its order; at least one.

    Raises RulesError for a file that can't be read or doesn't hold any.
    """
    try:
        rules = tuple(_rules(_parsed(_content(Path(path)))))
        if not rules:
            raise RulesError(f"names no kernels; expected {_EXAMPLE}")
        if len(rules) > MOST_RULES:
            raise RulesError(
                f"holds {len(rules):,} patterns, expected at most {MOST_RULES:,}; "
                "put names together with *"
            )
    except RulesError as fault:
        raise RulesError(f"{path}: {fault}") from fault
    return rules


def _content(path: Path) -> bytes:
    try:
        return content_of(path, MOST_BYTES, "a JSON file", _TOO_LARGE)
    except ValueError as fault:
        raise RulesError(str(fault)) from fault


def _parsed(content: bytes) -> Any:
    """The JSON value; an object as its pairs, so that none is lost."""
    if not content.strip():
        raise RulesError(f"is empty; expected {_EXAMPLE}")
    try:
        return json.loads(content, object_pairs_hook=tuple)
    except json.JSONDecodeError as error:
        raise RulesError(
            f"line {error.lineno}, column {error.colno}: not JSON ({error.msg}); "
            "correct it there"
        ) from error
    except UnicodeDecodeError as error:
        raise RulesError(
            f"byte {error.start}: not text; expected JSON in UTF-8"
        ) from error
    except (RecursionError, ValueError) as error:  # a number of 5,000 digits, say
        raise RulesError(f"is no file of rules; expected {_EXAMPLE}") from error


def _rules(value: Any) -> Iterator[Rule]:
    if not isinstance(value, tuple):
        raise RulesError(f"is {_shown(value)}, expected {_EXAMPLE}")
    place: dict[str, str] = {}
    seen: set[str] = set()
    for name, patterns in value:
        if name not in KINDS:
            raise RulesError(f"{quoted(name)} is no class; the classes are {_CLASSES}")
        if name in seen:
            raise RulesError(f"{name} stands twice; put its patterns into one list")
        seen.add(name)
        for pattern in _patterns(name, patterns):
            if pattern in place:
                raise RulesError(
                    f"{quoted(pattern)} stands under {place[pattern]} and under "
                    f"{name}; leave one of them"
                )
            place[pattern] = name
            yield Rule(pattern, KINDS[name])


def _patterns(name: str, patterns: Any) -> list[str]:
    if not isinstance(patterns, list):
        raise RulesError(
            f"{name} is {_shown(patterns)}, expected a list of kernel names in quotes"
        )
    for number, pattern in enumerate(patterns, start=1):
        if not isinstance(pattern, str) or not pattern:
            raise RulesError(
                f"{name}: pattern {number} is {_shown(pattern)}, expected the name of "
                "a kernel in quotes, in which * stands for any text"
            )
    return list(dict.fromkeys(patterns))


def _shown(value: Any) -> str:
    """A JSON value as its sentence quotes it."""
    if isinstance(value, tuple):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return quoted(value) if value else "empty"
    text = json.dumps(value)
    return text if len(text) <= len(_EXAMPLE) else "a long number"
