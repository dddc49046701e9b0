"""A scenario from a JSON file: layers in backward order, and what else is given.

    {"name": "two layers",
     "layers": [{"name": "head", "backward_s": 0.002, "gradient_bytes": 8e6},
                {"name": "stem", "backward_s": 0.003, "gradient_bytes": 2e6}],
     "link": {"bandwidth_bytes_per_s": 12e9, "overhead_s": 0.0001},
     "element_bytes": 2,
     "source": "Measured on our cluster."}

`element_bytes` is the size of one gradient element, 4 (fp32) where it isn't given, and
`source` says where the numbers are from. Other keys are left alone.
"""

import json
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overlap_widget.model.elements import MOST_ELEMENT_BYTES
from overlap_widget.model.layer import FP32_BYTES, Layer
from overlap_widget.model.link import Link
from overlap_widget.model.quoted import quoted
from overlap_widget.model.scenarios import COURSE, Scenario
from overlap_widget.model.small_file import content_of

MOST_LAYERS = 100_000
MOST_BYTES = 64 * 2**20  # far above what so many layers need
_TOO_LARGE = "more than a scenario needs; open a profiler trace with `overlap measure`"

_LAYERS = 'a list of {"name": ..., "backward_s": ..., "gradient_bytes": ...}'
_TEXT = "a text in quotes"
_HALF_SIGN = re.compile("[\ud800-\udfff]")  # of two that only together are a sign


class ScenarioError(ValueError):
    """One sentence for the user: which file, which place in it, what it expects."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a number must be: in words, at most so much, and above 0 or not."""

    says: str
    most: float = sys.float_info.max
    zero: bool = True

    def holds(self, value: Any) -> bool:
        """Whether the value is such a number."""
        return isinstance(value, float) and (
            0 < value <= self.most or (self.zero and value == 0)
        )


_SECONDS = Expected("a number of seconds from 0 to 1e9", most=1e9)
_BYTES = Expected("a number of bytes, 0 or more")
_RATE = Expected("a number of bytes a second, above 0 and at most 1e24", 1e24, False)
_ELEMENT = Expected(
    f"a number of bytes, above 0 and at most {MOST_ELEMENT_BYTES}",
    most=MOST_ELEMENT_BYTES,
    zero=False,
)


class _Doubled(dict[str, Any]):
    """An object of a JSON file in which `twice` is the name of two values."""

    twice = ""


def load_scenario(path: str | Path) -> Scenario:
    """The scenario in a JSON file, with the course's link where it names none.

    Raises ScenarioError for a file that can't be read or doesn't hold one.
    """
    try:
        return _scenario(_parsed(_content(Path(path))), str(path))
    except ScenarioError as fault:
        raise ScenarioError(f"{path}: {fault}") from fault


def _content(path: Path) -> bytes:
    try:
        return content_of(path, MOST_BYTES, "a JSON file", _TOO_LARGE)
    except ValueError as fault:
        raise ScenarioError(str(fault)) from fault


def _parsed(content: bytes) -> Any:
    """The JSON value; every number a float, so that 1e400 is infinite, as 10^400 is."""
    if not content.strip():
        raise ScenarioError('is empty; expected {"name": ..., "layers": [...]}')
    try:
        return json.loads(content, parse_int=float, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ScenarioError(
            f"line {error.lineno}, column {error.colno}: not JSON ({error.msg}); "
            "correct it there"
        ) from error
    except UnicodeDecodeError as error:
        raise ScenarioError(
            f"byte {error.start}: not text; expected JSON in UTF-8"
        ) from error
    except RecursionError as error:
        raise ScenarioError("is nested too deeply for a scenario") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """As JSON has it; which place it has in the file is known only later."""
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    counts = Counter(name for name, _ in pairs)
    doubled = _Doubled(value)
    doubled.twice = next(name for name, count in counts.items() if count > 1)
    return doubled


def _scenario(value: Any, path: str) -> Scenario:
    name = _text(value, "name", "the scenario")
    layers = tuple(
        Layer(
            name=_text(row, "name", f"layer {number}"),
            backward_s=_number(row, "backward_s", f"layer {number}", _SECONDS),
            gradient_bytes=_number(row, "gradient_bytes", f"layer {number}", _BYTES),
        )
        for number, row in enumerate(_rows(value), start=1)
    )
    return Scenario(
        name=name,
        title=name,
        layers=layers,
        link=_link(value["link"]) if "link" in value else COURSE.link,
        source=_text(value, "source", "the scenario") if "source" in value else path,
        element_bytes=_number(value, "element_bytes", "the scenario", _ELEMENT)
        if "element_bytes" in value
        else FP32_BYTES,
    )


def _rows(value: Any) -> list[Any]:
    rows = _member(value, "layers", "the scenario", _LAYERS)
    if not isinstance(rows, list):
        raise ScenarioError(f"layers is {_shown(rows)}, expected {_LAYERS}")
    if not rows:
        raise ScenarioError("layers is empty; a backward pass needs at least one layer")
    if len(rows) > MOST_LAYERS:
        raise ScenarioError(
            f"layers holds {len(rows):,}, expected at most {MOST_LAYERS:,}; "
            "put tensors together"
        )
    return rows


def _link(value: Any) -> Link:
    return Link(
        bandwidth_bytes_per_s=_number(value, "bandwidth_bytes_per_s", "link", _RATE),
        overhead_s=_number(value, "overhead_s", "link", _SECONDS),
    )


def _number(value: Any, key: str, place: str, expected: Expected) -> float:
    number = _member(value, key, place, expected.says)
    if not expected.holds(number):
        raise ScenarioError(
            f"{place}: {key} is {_shown(number)}, expected {expected.says}"
        )
    return float(number)


def _text(value: Any, key: str, place: str) -> str:
    text = _member(value, key, place, _TEXT)
    if not isinstance(text, str):
        raise ScenarioError(f"{place}: {key} is {_shown(text)}, expected {_TEXT}")
    if _HALF_SIGN.search(text):
        raise ScenarioError(
            f"{place}: {key} holds half of a sign (\\ud800 to \\udfff alone), expected "
            "text; write the whole sign"
        )
    return text


def _member(value: Any, key: str, place: str, expected: str) -> Any:
    if not isinstance(value, dict):
        raise ScenarioError(
            f"{place} is {_shown(value)}, expected an object with {key}"
        )
    if isinstance(value, _Doubled):
        twice = value.twice if value.twice.isidentifier() else quoted(value.twice)
        raise ScenarioError(f"{place}: {twice} stands twice; leave one of them")
    if key not in value:
        raise ScenarioError(f"{place}: {key} is missing, expected {expected}")
    return value[key]


def _shown(value: Any) -> str:
    """A JSON value as its sentence quotes it."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):  # as every number was read, 3 as 3.0
        return "too large" if value == math.inf else f"{value:.15g}"
    return json.dumps(value)
