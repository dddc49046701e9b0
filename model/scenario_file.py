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
from pathlib import Path
from typing import Any

from overlap_widget.model.elements import MOST_ELEMENT_BYTES
from overlap_widget.model.layer import FP32_BYTES, Layer
from overlap_widget.model.link import Link
from overlap_widget.model.scenarios import COURSE, Scenario

MOST_LAYERS = 100_000
MOST_BYTES = 64 * 2**20  # far above what so many layers need

_SECONDS = "a number of seconds, 0 or more"
_BYTES = "a number of bytes, 0 or more"
_RATE = "a number of bytes a second, above 0"
_ELEMENT = f"a number of bytes, above 0 and at most {MOST_ELEMENT_BYTES}"
_LAYERS = 'a list of {"name": ..., "backward_s": ..., "gradient_bytes": ...}'
_TEXT = "a text in quotes"
_LONGEST = 40  # characters of a wrong text that its sentence quotes


class ScenarioError(ValueError):
    """One sentence for the user: which file, which place in it, what it expects."""


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
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise ScenarioError("is a directory; name a JSON file in it") from None
    except FileNotFoundError:
        raise ScenarioError("there is no such file; check the path") from None
    except (OSError, ValueError) as error:  # a path with a null byte, for one
        reason = getattr(error, "strerror", None) or error
        raise ScenarioError(f"can't be read ({reason})") from error
    if len(content) > MOST_BYTES:
        raise ScenarioError(
            f"is larger than {MOST_BYTES // 2**20} MiB, more than a scenario needs; "
            "open a profiler trace with `overlap measure`"
        )
    return content


def _parsed(content: bytes) -> Any:
    """The JSON value; every number a float, so that 1e400 is infinite, as 10^400 is."""
    if not content.strip():
        raise ScenarioError('is empty; expected {"name": ..., "layers": [...]}')
    try:
        return json.loads(content, parse_int=float)
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
        element_bytes=_element_bytes(value) if "element_bytes" in value else FP32_BYTES,
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
        bandwidth_bytes_per_s=_positive(value, "bandwidth_bytes_per_s", "link", _RATE),
        overhead_s=_number(value, "overhead_s", "link", _SECONDS),
    )


def _element_bytes(value: Any) -> float:
    size = _positive(value, "element_bytes", "the scenario", _ELEMENT)
    if size > MOST_ELEMENT_BYTES:
        raise ScenarioError(
            f"the scenario: element_bytes is {_shown(size)}, expected {_ELEMENT}"
        )
    return size


def _positive(value: Any, key: str, place: str, expected: str) -> float:
    number = _number(value, key, place, expected)
    if number == 0:
        raise ScenarioError(f"{place}: {key} is 0, expected {expected}")
    return number


def _number(value: Any, key: str, place: str, expected: str) -> float:
    number = _member(value, key, place, expected)
    if not (isinstance(number, float) and math.isfinite(number) and number >= 0):
        raise ScenarioError(f"{place}: {key} is {_shown(number)}, expected {expected}")
    return number


def _text(value: Any, key: str, place: str) -> str:
    text = _member(value, key, place, _TEXT)
    if not isinstance(text, str):
        raise ScenarioError(f"{place}: {key} is {_shown(text)}, expected {_TEXT}")
    return text


def _member(value: Any, key: str, place: str, expected: str) -> Any:
    if not isinstance(value, dict):
        raise ScenarioError(
            f"{place} is {_shown(value)}, expected an object with {key}"
        )
    if key not in value:
        raise ScenarioError(f"{place}: {key} is missing, expected {expected}")
    return value[key]


def _shown(value: Any) -> str:
    """A JSON value as its sentence quotes it."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.15g}"  # every number was read as a float, 3 as 3.0
    return json.dumps(value)
