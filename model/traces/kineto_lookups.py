"""What repeats in a PyTorch profiler trace, worked out once: dicts that fill up.

The values of an event are scalars of any type, since old and rewritten files have
numbers as text.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.kernels import Category, category_of, classify
from overlap_widget.model.traces.kineto_events import KinetoEvent, Scalar
from overlap_widget.model.traces.kineto_names import (
    HOST_RANGES,
    LAUNCH_NOTHING,
    PROCESSES,
    is_known_aside,
)

_LAUNCH_NOTHING = re.compile(LAUNCH_NOTHING)
_MOST_NAMES = 20_000
_SAMPLES = 64  # of the work of a batch
_INT32 = np.iinfo(np.int32)
_INTEGER = re.compile(r"-?\d{1,18}")
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d*)?(?:[eE][+-]?\d{1,3})?")


class Codes(dict[object, int]):
    """A code for each value, in the order in which they come."""

    def __missing__(self, value: object) -> int:
        self[value] = code = len(self)
        return code


class Integers(dict[Scalar, int]):
    """Devices and streams as int32, from whatever stands for them."""

    def __missing__(self, value: Scalar) -> int:
        self[value] = number = _narrow(integer(value))
        return number


class Threads(dict[Scalar, int]):
    """A code for each thread; 7 and "7" are one."""

    def __init__(self) -> None:
        self._codes = Codes()

    def __missing__(self, value: Scalar) -> int:
        self[value] = code = self._codes[str(value)]
        return code


class Categories(dict[str, Category | None]):
    """The category of a "cat"; None where nobody knows it."""

    def __missing__(self, cat: str) -> Category | None:
        category: Category | None = category_of(cat)
        if category is Category.HOST and not is_known_aside(cat):
            category = None
        self[cat] = category
        return category


class Starts(dict[str, str]):
    """Which of `HOST_RANGES` a name starts with, "" if none."""

    def __missing__(self, name: str) -> str:
        met = [start for start in HOST_RANGES if name.startswith(start)]
        if len(self) >= _MOST_NAMES:
            self.clear()  # bounded, though each name were another one
        self[name] = start = met[0] if met else ""
        return start


class Launching(dict[str, bool]):
    """Whether a call of a runtime, by its name, may launch work."""

    def __missing__(self, name: str) -> bool:
        self[name] = launches = not _LAUNCH_NOTHING.match(name)
        return launches


class Processes:
    """The processes under which each device stands: one, if the file is of one rank."""

    def __init__(self, integers: Integers) -> None:
        self._integers = integers
        self._places: set[tuple[int, Scalar]] = set()

    def sample(self, work: Sequence[KinetoEvent]) -> None:
        """Take some of the work, since all of it would take time."""
        for event in work[:: max(len(work) // _SAMPLES, 1)]:
            if event.args.device is not None:
                self._places.add((self._integers[event.args.device], event.pid))

    def several(self) -> dict[str, int]:
        """How many they are, by `PROCESSES` and the device, where not one."""
        counts = Counter(device for device, _ in self._places)
        return {f"{PROCESSES}{device}": n for device, n in counts.items() if n > 1}


class WorkKind(NamedTuple):
    """What all work of one name, category and noted collective has in common."""

    kind: Kind
    collective: Collective
    name: int
    is_kernel: bool


class WorkKinds(dict[tuple[str, str, Scalar], int]):
    """A code for each kind of work; `kinds` has them in order, `names` their names."""

    def __init__(self) -> None:
        self.kinds: list[WorkKind] = []
        self.names = Codes()

    def __missing__(self, key: tuple[str, str, Scalar]) -> int:
        cat, name, noted = key
        category = category_of(cat)
        kind, collective = classify(category, name, str(noted or ""))
        is_kernel = category is Category.KERNEL
        self.kinds.append(WorkKind(kind, collective, self.names[name], is_kernel))
        self[key] = code = len(self)
        return code


def integer(value: Scalar) -> int | None:
    """An integer, or the first one in a text such as "stream 7"."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = int(value) if _INTEGER.fullmatch(value) else float(value)
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else None
    if isinstance(value, str):
        found = _INTEGER.search(value)
        return int(found[0]) if found else None
    return value


def _narrow(number: int | None) -> int:
    """As int32; numbers that don't fit are folded into it."""
    if number is None:
        return 0
    return number if _INT32.min <= number <= _INT32.max else number % _INT32.max
