"""Named backward passes to explore, each with the source of its numbers."""

from dataclasses import dataclass

from overlap_widget.model.gpt2_large import (
    GPT2_LARGE_SIZES,
    MEASURED_TIMES,
    gpt2_large,
)
from overlap_widget.model.layer import FP32_BYTES, Layer, Plan
from overlap_widget.model.link import Link
from overlap_widget.model.links import LINKS
from overlap_widget.model.resnets import (
    RESNET_18_SIZES,
    RESNET_18_TIMES,
    RESNET_50_SIZES,
    RESNET_50_TIMES,
    resnet_18,
    resnet_50,
)
from overlap_widget.model.transformers import (
    BERT_BASE_SIZES,
    COMPUTED_TIMES,
    GPT2_SMALL_SIZES,
    bert_base,
    gpt2_small,
)
from overlap_widget.model.units import GB, MB, MS


@dataclass(frozen=True, slots=True)
class Ghost:
    """What was measured of the run whose pass a scenario replays.

    Times are seconds since the pass began, one a transfer, in the order of their start.

    plan:       the buckets that the run had, in layers of the scenario
    backward_s: how long the pass takes
    tail_s:     from its end to the end of the last transfer
    late_s:     how much later the other ranks had their buckets, as far as is known
    """

    plan: Plan
    backward_s: float
    tail_s: float
    size_bytes: tuple[float, ...]
    start_s: tuple[float, ...]
    end_s: tuple[float, ...]
    late_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Scenario:
    """Layers in backward order, the link they start with, and where both are from.

    source:        where the sizes are from, or all of it
    times:         where the backward times are from; empty where `source` says it
    element_bytes: of one element of a gradient
    ghost:         of a measured run what was measured; None for all others
    """

    name: str
    title: str
    layers: tuple[Layer, ...]
    link: Link
    source: str
    times: str = ""
    element_bytes: float = FP32_BYTES
    ghost: Ghost | None = None


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
    source="Chosen for teaching: 40 MB a layer, 12 GB/s, 1 ms a transfer.",
    times="Chosen for teaching: 5 ms a layer.",
)

FAST_HARDWARE = Scenario(
    name="fast-hardware",
    title="Fast hardware: the same layers in half the time",
    layers=_equal_layers(2.5 * MS),
    link=COURSE.link,
    source="The course example.",
    times="Chosen for teaching: 2.5 ms a layer, half the course's, so transfers queue.",
)

TRAFFIC_ABOVE_WORK = Scenario(
    name="traffic-above-work",
    title="Traffic above work: a slow link",
    layers=COURSE.layers,
    link=Link(overhead_s=1 * MS, bandwidth_bytes_per_s=4 * GB),
    source=(
        "The course example on a link of 4 GB/s, chosen so that the gradients take "
        "about twice as long as the pass."
    ),
    times=COURSE.times,
)

GPT2_SMALL = Scenario(
    name="gpt2-small",
    title="GPT-2 small: twelve blocks",
    layers=gpt2_small(),
    link=LINKS["a100-ib-16"].line,
    source=GPT2_SMALL_SIZES,
    times=COMPUTED_TIMES,
)

BERT_BASE = Scenario(
    name="bert-base",
    title="BERT-base: twelve blocks",
    layers=bert_base(),
    link=LINKS["a100-ib-16"].line,
    source=BERT_BASE_SIZES,
    times=f"{COMPUTED_TIMES} The pooler sees one token of each 512.",
)

GPT2_LARGE = Scenario(
    name="gpt2-large",
    title="GPT-2 large: 36 measured blocks",
    layers=gpt2_large(),
    link=LINKS["a100-zaratan-8"].line,
    source=GPT2_LARGE_SIZES,
    times=MEASURED_TIMES,
)

RESNET_50 = Scenario(
    name="resnet-50",
    title="ResNet-50: 161 tensors",
    layers=resnet_50(),
    link=LINKS["v100-pcie-4"].line,
    source=RESNET_50_SIZES,
    times=RESNET_50_TIMES,
)

RESNET_18 = Scenario(
    name="resnet-18",
    title="ResNet-18: 62 tensors",
    layers=resnet_18(),
    link=LINKS["v100-pcie-4"].line,
    source=RESNET_18_SIZES,
    times=RESNET_18_TIMES,
)

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        *(COURSE, FAST_HARDWARE, TRAFFIC_ABOVE_WORK),
        *(GPT2_SMALL, BERT_BASE, GPT2_LARGE, RESNET_50, RESNET_18),
    )
}
