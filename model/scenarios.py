"""Named backward passes to explore, each with the source of its numbers."""

from dataclasses import dataclass

from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link
from overlap_widget.model.units import GB, MB, MS


@dataclass(frozen=True, slots=True)
class Scenario:
    """Layers in backward order, the link they start with, and where both are from."""

    name: str
    title: str
    layers: tuple[Layer, ...]
    link: Link
    source: str


def _equal_layers(backward_s: float) -> tuple[Layer, ...]:
    """Twelve equal layers, 12 first: the backward pass starts at the last."""
    return tuple(
        Layer(f"layer {number}", backward_s, gradient_bytes=40 * MB)
        for number in range(12, 0, -1)
    )


COURSE = Scenario(
    name="course",
    title="Course example: twelve equal layers",
    layers=_equal_layers(5 * MS),
    link=Link(overhead_s=1 * MS, bandwidth_bytes_per_s=12 * GB),
    source="Chosen for teaching: 5 ms and 40 MB a layer, 12 GB/s, 1 ms a transfer.",
)

FAST_HARDWARE = Scenario(
    name="fast-hardware",
    title="Fast hardware: the same layers in half the time",
    layers=_equal_layers(2.5 * MS),
    link=COURSE.link,
    source="The course example with compute twice as fast, so that transfers queue.",
)

SCENARIOS = {scenario.name: scenario for scenario in (COURSE, FAST_HARDWARE)}
