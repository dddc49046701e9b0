"""How frameworks fill buckets: each rule as a plan.

Each counts in its own unit: PyTorch's DDP in MiB, Megatron in parameters, DeepSpeed in
elements. None splits a tensor, so that layers here had best be tensors; whole blocks
get the buckets of a model whose tensors are that large. All layers are taken to hold
numbers of one type on one device, and none to be sparse: the frameworks fill separate
buckets for each type (DDP also for each device), and DDP sends a sparse gradient alone.

DDP's buckets with find_unused_parameters=True are those of `small_last`, in the first
step too: they are filled in the order of definition, sent in reverse and never rebuilt.
That a cap is also the first bucket's came with pull request 121640: not in 2.3.1
(pytorch/pytorch@d44533f9), in 2.4.0 (@e4ee3be4).

Horovod is left out: what it fuses depends on which gradients are ready at its next
cycle of 1 ms and on others that it skips or looks ahead to, so there is no plan to
tell beforehand. Its threshold of 64 MB in the documentation is 128 MiB in the code
(horovod/horovod@7dc1b447 horovod/common/operations.cc, @2fa9fc12 controller.cc).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from overlap_widget.model.effects import Effects
from overlap_widget.model.elements import elements_bytes
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost
from overlap_widget.model.plans import Filling, best_of, by_bytes
from overlap_widget.model.units import MIB

DDP_CAP_MIB = 25
DDP_FIRST_MIB = 1
MEGATRON_PARAMETERS = 40_000_000
MEGATRON_PARAMETERS_PER_RANK = 1_000_000
DEEPSPEED_ELEMENTS = 500_000_000

_DDP_SOURCE = "pytorch/pytorch@ad78a7b3 torch/csrc/distributed/c10d/reducer.cpp"
_DDP_START_SOURCE = "pytorch/pytorch@e4ee3be4 torch/nn/parallel/distributed.py"


def ddp(
    layers: Sequence[Layer],
    bucket_cap_mib: float | None = None,
    *,
    small_last: bool = False,
    first_step: bool = False,
    older_release: bool = False,
) -> Plan:
    """The buckets of PyTorch's DistributedDataParallel, exactly.

    A bucket closes once it holds at least its limit; what remains is the last one.

    bucket_cap_mib: `bucket_cap_mb`, the limit; if not given, 1 MiB and then 25 MiB
    small_last:     DDP_SET_LAST_BUCKET_CAP=1: filled from the other end, so that the
                    first limit is that of the bucket sent last
    first_step:     all in one, before buckets are rebuilt as gradients came
    older_release:  before 2.4, when the first limit was 1 MiB whatever the cap

    Raises ValueError for a cap that is no size.
    """
    if first_step:
        return by_bytes(layers, math.inf, math.inf)
    limit_bytes = _mib_bytes(DDP_CAP_MIB if bucket_cap_mib is None else bucket_cap_mib)
    is_first_small = bucket_cap_mib is None or older_release
    first_bytes = _mib_bytes(DDP_FIRST_MIB) if is_first_small else limit_bytes
    if small_last:
        return by_bytes(layers[::-1], limit_bytes, first_bytes)[::-1]
    return by_bytes(layers, limit_bytes, first_bytes)


def _mib_bytes(mib: float) -> float:
    """Whole bytes of so many MiB; DDP cuts off the rest."""
    if not 0 <= mib < math.inf:
        raise ValueError(f"a bucket's cap must be 0 MiB or more, not {mib:g}")
    return math.floor(mib * MIB)


def megatron(
    layers: Sequence[Layer],
    element_bytes: float,
    data_parallel_ranks: int = 1,
    bucket_size: int | None = None,
) -> Plan:
    """The buckets of Megatron Core with overlap_grad_reduce on the first stage.

    A bucket closes once it holds at least `bucket_size` parameters: 40,000,000 if not
    given, or 1,000,000 for each rank where that is more. `element_bytes` is that of a
    gradient: 4 where they are reduced in fp32. Left out: the distributed optimizer pads
    tensors to 64 elements and buckets to a multiple of 128 and of the ranks, and sends
    shared embeddings alone; later pipeline stages have a single bucket.
    Raises ValueError for less than one rank, and as `elements_bytes` does.
    """
    return megatron_filling(element_bytes, data_parallel_ranks, bucket_size).plan_of(
        layers
    )


def megatron_filling(
    element_bytes: float, data_parallel_ranks: int = 1, bucket_size: int | None = None
) -> Filling:
    """How `megatron` fills buckets."""
    if data_parallel_ranks < 1:
        raise ValueError(
            f"data parallelism takes 1 rank or more, not {data_parallel_ranks}"
        )
    if bucket_size is None:
        per_rank = MEGATRON_PARAMETERS_PER_RANK * data_parallel_ranks
        bucket_size = max(MEGATRON_PARAMETERS, per_rank)
    limit_bytes = elements_bytes(bucket_size, element_bytes)
    return Filling(limit_bytes, limit_bytes)


def deepspeed(
    layers: Sequence[Layer],
    element_bytes: float,
    reduce_bucket_size: int = DEEPSPEED_ELEMENTS,
) -> Plan:
    """The buckets of DeepSpeed's ZeRO, all stages, with overlap_comm.

    A bucket is sent before the gradient that would take it above `reduce_bucket_size`
    elements: it holds at most that many, unless one tensor alone holds more. DeepSpeed
    notices so only with that next gradient; here a bucket is ready with its own last.
    Raises ValueError as `elements_bytes` does.
    """
    return deepspeed_filling(element_bytes, reduce_bucket_size).plan_of(layers)


def deepspeed_filling(
    element_bytes: float, reduce_bucket_size: int = DEEPSPEED_ELEMENTS
) -> Filling:
    """How `deepspeed` fills buckets."""
    most_bytes = elements_bytes(reduce_bucket_size, element_bytes)
    return Filling(most_bytes, most_bytes, is_most=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """A named way to make a plan.

    title:   at most 40 characters
    says:    what it does, one sentence
    source:  repository@commit path, several separated by semicolons
    fill:    layers, link, effects, the bytes of an element, and the data-parallel
             ranks in; the plan out
    filling: the limits of a rule that is nothing else
    """

    title: str
    says: str
    source: str
    fill: Callable[[Sequence[Layer], Cost, Effects, float, int], Plan]
    filling: Filling | None = None

    def plan_of(
        self,
        layers: Sequence[Layer],
        link: Cost,
        effects: Effects,
        element_bytes: float,
        ranks: int = 1,
    ) -> Plan:
        """The plan of these layers; only some rules look at all of it."""
        return self.fill(layers, link, effects, element_bytes, ranks)


def filled(title: str, says: str, source: str, filling: Filling) -> Rule:
    """A rule that fills buckets by bytes alone."""
    return Rule(
        title, says, source, lambda layers, *_: filling.plan_of(layers), filling
    )


RULES = {
    "ddp": Rule(
        title="PyTorch DDP",
        says=(
            "A bucket closes once it holds at least 25 MiB, the first one 1 MiB: "
            "PyTorch's DDP when no cap is given."
        ),
        source=_DDP_SOURCE,
        fill=lambda layers, *_: ddp(layers),
    ),
    "ddp-first-step": Rule(
        title="PyTorch DDP, first step",
        says=(
            "All gradients in one bucket, as in DDP's first step, before it knows in "
            "which order gradients come."
        ),
        source=_DDP_START_SOURCE,
        fill=lambda layers, *_: ddp(layers, first_step=True),
    ),
    "ddp-small-last": Rule(
        title="PyTorch DDP, small bucket last",
        says=(
            "DDP's buckets filled from the other end, so that the small one is sent "
            "last: DDP_SET_LAST_BUCKET_CAP=1, or a search for unused parameters."
        ),
        source=f"{_DDP_SOURCE}; {_DDP_START_SOURCE}",
        fill=lambda layers, *_: ddp(layers, small_last=True),
    ),
    "megatron": Rule(
        title="Megatron Core",
        says=(
            "A bucket closes once it holds at least 40,000,000 parameters, or "
            "1,000,000 for each rank from 40 ranks on: Megatron Core's default."
        ),
        source=(
            "NVIDIA/Megatron-LM@00119989 "
            "megatron/core/distributed/distributed_data_parallel.py; "
            "NVIDIA/Megatron-LM@0e9fcc1d "
            "megatron/core/distributed/param_and_grad_buffer.py"
        ),
        fill=lambda layers, _link, _effects, *of: megatron(layers, *of),
    ),
    "deepspeed": Rule(
        title="DeepSpeed ZeRO",
        says=(
            "A bucket is sent before a gradient would take it above 500,000,000 "
            "elements, DeepSpeed's default."
        ),
        source=(
            "deepspeedai/DeepSpeed@7dee2e06 deepspeed/runtime/zero/stage_1_and_2.py; "
            "deepspeedai/DeepSpeed@cbf3d661 deepspeed/runtime/zero/config.py"
        ),
        fill=lambda layers, _link, _effects, each, _: deepspeed(layers, each),
    ),
    "best": Rule(
        title="Best plan",
        says=(
            "The grouping of consecutive layers with the shortest tail of all, found "
            "by a recurrence over prefixes; with slowed compute, or transfers after "
            "every micro-step, the best that is known."
        ),
        source="Overlap Explorer model/plans.py",
        fill=lambda layers, link, effects, *_: best_of(layers, link, effects).plan,
    ),
}
