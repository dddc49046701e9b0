"""The controls of numbers: their bounds and the stops that their sliders run over."""

from dataclasses import dataclass

from overlap_widget.model.scenarios import Scenario
from overlap_widget.model.units import GB, MS, US

E24 = (
    *(10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30),
    *(33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91),
)
"""Steps of a decade of about 10 % each (IEC 60063), in tenths."""

DEFAULT_BUCKET = 4


@dataclass(frozen=True, slots=True)
class Control:
    """A quantity that the learner moves: bounds and stops in its SI unit."""

    key: str
    stops: tuple[float, ...]

    @property
    def low(self) -> float:
        """The smallest value."""
        return self.stops[0]

    @property
    def high(self) -> float:
        """The largest value."""
        return self.stops[-1]


def _decades(first: float, count: int) -> tuple[float, ...]:
    """E24 stops from `first` over so many decades, both ends included."""
    stops = [
        float(f"{first * 10**decade * tenths / 10:.12g}")
        for decade in range(count)
        for tenths in E24
    ]
    return (*stops, float(f"{first * 10**count:.12g}"))


BANDWIDTH = Control("bandwidth", _decades(0.1 * GB, 4))
OVERHEAD = Control("overhead", (0.0, *_decades(1 * US, 4)))
assert OVERHEAD.high == 10 * MS
RANKS = Control(
    "ranks",
    (
        *(2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128),
        *(192, 256, 384, 512, 768, 1024),
    ),
)
PORT = Control("port", (*BANDWIDTH.stops, 1200 * GB, 1500 * GB, 1800 * GB, 2000 * GB))
SLOWDOWN = Control("slowdown", tuple(percent / 100 for percent in range(0, 101, 5)))
LATE = Control("late", (0.0, *_decades(10 * US, 4)))
MICRO_STEPS = Control("micro_steps", tuple(range(1, 17)))


def bucket_control(scenario: Scenario) -> Control:
    """One layer to a bucket up to all of them."""
    return Control("bucket", tuple(range(1, len(scenario.layers) + 1)))


def default_bucket(scenario: Scenario) -> int:
    """A size that shows several buckets and room on both sides."""
    return min(DEFAULT_BUCKET, len(scenario.layers))
