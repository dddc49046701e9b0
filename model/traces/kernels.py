"""What a piece of GPU work does: compute, communication or neither.

The category of the event comes first, then what the profiler noted of the collective,
then the kernel's name. Names are matched so that compute with a similar name stays
compute: `small_reduce_kernel` holds "all_reduce", and no all-reduce.

Names are from NCCL 2.4 to 2.28 and RCCL (ncclAllReduceRingLLKernel_sum_f32,
ncclKernel_AllReduce_RING_LL_Sum_float, ncclDevKernel_AllReduce_Sum_f32_RING_LL,
ncclSymkDevKernel_ReduceScatter_LDMC, ncclDevKernel_Generic_4), MSCCL and MSCCL++
(mscclpp::collective::allreducePacket), vLLM, SGLang and AITER
(cross_device_reduce_1stage, quickreduce::allreduce_prototype_twoshot), symmetric memory
of PyTorch (multimem_all_reduce_kernel), FlashInfer and TensorRT-LLM
(allreduce_fusion_kernel_oneshot_lamport), Transformer Engine (userbuffers), NVSHMEM,
DeepEP (deep_ep::intranode::dispatch), MORI (EpDispatchIntraNodeKernel), oneCCL, and
HCCL and its like (hcom_allReduce_).

AMD's runtime copies and fills by kernels too, __amd_rocclr_copyBuffer and its like.
They occupy the GPU as other kernels do, and profilers list them among those, so they
count as compute, as in what others measure of such traces; a rule can change that.
"""

import math
import re
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from overlap_widget.model.timeline import Collective, Kind

Args = Mapping[str, Any]


class Category(Enum):
    """What kind of event the profiler recorded."""

    KERNEL = "kernel"
    COPY = "copy"
    FILL = "fill"
    LAUNCH = "launch"
    GPU_RANGE = "range on the GPU"
    HOST = "host"


# Kineto's names since 2020, and those of its ports to other devices.
CATEGORIES = (
    (Category.KERNEL, r"(?:concurrent_)?kernel"),
    (Category.COPY, r"(?:gpu_|mlu_|gcu_)?memcpy"),
    (Category.FILL, r"(?:gpu_|mlu_|gcu_)?memset"),
    (Category.LAUNCH, r"(?:(?:cuda|hip|xpu|mlu|gcu|privateuse1)_)?(?:runtime|driver)"),
    (Category.GPU_RANGE, r"(?:gpu|mlu|gcu)_user_annotation"),
)
GPU_WORK = (Category.KERNEL, Category.COPY, Category.FILL)

_CATEGORY_PATTERNS = tuple(
    (category, re.compile(pattern, re.IGNORECASE)) for category, pattern in CATEGORIES
)
_COMMUNICATES = re.compile(
    r"(?i:nccl|rccl|msccl|oneccl|nvshmem|rocshmem|userbuffers|cross_device_reduce)"
    r"|(?i:(?<![a-z])(?:[hxm]ccl|cncl|eccl|bkcl|ucc|hcom)_|\bccl::)"
    r"|(?:(?<![A-Za-z])all|All)_?[Rr]educe"
    r"|(?:(?<![A-Za-z])all|All)_?[Gg]ather"
    r"|(?:(?<![A-Za-z])all|All)_?[Tt]o_?[Aa]ll"
    r"|(?:(?<![A-Za-z])reduce|Reduce)_?[Ss]catter"
    r"|\bdeep_ep::(?!layout)|\bhybrid_ep::|\bpplx::|\bquickreduce::"
    r"|Ep(?:Dispatch|Combine)(?:Intra|Inter)Node|A2A(?:Dispatch|Combine)"
    r"|\bc10d::(?!checkForNaN)"
)
_ONLY_COMPUTES = re.compile(
    r"at::native::|^triton_\w+_fused_|checkForNaN"
    # all lanes of a warp or block, not all ranks
    r"|(?i:(?:warp|block|thread|wave|quad|lane|cta|tile)_?all_?reduce)",
)
_LIBRARY = re.compile(r"(?i:nccl|rccl|msccl|oneccl)")
_MULTIPLIES = re.compile(
    r"gemm|mat_?mul|(?<![a-z])mm(?![a-z])|conv[123]d",
    re.IGNORECASE,
)
_OPERATIONS = (
    (Collective.ALL_REDUCE, r"all_?reduce|cross_device_reduce|\bquickreduce::"),
    (Collective.REDUCE_SCATTER, r"reduce_?scatter"),
    (Collective.ALL_GATHER, r"all_?gather"),
    (
        Collective.ALL_TO_ALL,
        r"all_?to_?all|(?:deep_ep|hybrid_ep|pplx)::.*(?:dispatch|combine)"
        r"|(?:Ep|A2A)(?:dispatch|combine)",
    ),
    (Collective.BROADCAST, r"broadcast"),
    (
        Collective.SEND_RECV,
        r"send_?recv|(?:push|pull)_?(?:send|recv)|^_?send|^_?recv"
        r"|hcom_(?:send|receive)|nvshmem\w*_(?:put|get)(?:_|\b)",
    ),
    (Collective.REDUCE, r"^_?reduce(?:_|$)|ccl.*reduce"),
)
_OPERATION_PATTERNS = tuple(
    (collective, re.compile(pattern, re.IGNORECASE))
    for collective, pattern in _OPERATIONS
)
_PEER = re.compile(r"PtoP|P2P|peer", re.IGNORECASE)

_ITEM_BYTES = {
    1: "byte char bool int8 uint8 float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
    "float8_e5m2fnuz float8_e8m0fnu",
    2: "short half bfloat16 float16 int16 uint16",
    4: "int float int32 uint32 float32 complexhalf",
    8: "long double int64 uint64 float64 complexfloat complex64",
    16: "complexdouble complex128",
}
_SIZES = {name: size for size, names in _ITEM_BYTES.items() for name in names.split()}


@lru_cache(maxsize=256)
def category_of(cat: str) -> Category:
    """The category of an event by its "cat"; `HOST` when none of the GPU's fits."""
    for category, pattern in _CATEGORY_PATTERNS:
        if pattern.fullmatch(cat):
            return category
    return Category.HOST


def classify(
    category: Category, name: str, collective_name: str = ""
) -> tuple[Kind, Collective]:
    """The kind of a piece of GPU work, and the collective if it communicates.

    A copy between two GPUs is `OTHER` with `PEER_COPY`: the caller decides whether it
    counts. `collective_name` is what the profiler noted, "" if nothing.
    """
    if category is not Category.KERNEL:
        peer = category is Category.COPY and _PEER.search(name)
        return Kind.OTHER, Collective.PEER_COPY if peer else Collective.NONE
    communicates = _COMMUNICATES.search(name) and not is_fused(name)
    if _computes(name) or not (collective_name or communicates):
        return Kind.COMPUTE, Collective.NONE
    noted = _operation(collective_name)
    return Kind.COMMUNICATION, noted if noted is not None else _named(name)


def collective_bytes(args: Args) -> float:
    """Bytes of the whole array that a collective works on; NaN if not noted.

    For a reduce-scatter the input, for an all-gather the output: the larger of both.
    """
    item_bytes = _SIZES.get(re.sub(r".*[.:]", "", str(args.get("dtype"))).lower())
    counts = [_count(args.get(f"{side} msg nelems")) for side in ("In", "Out")]
    known = [count for count in counts if count is not None]
    return max(known) * item_bytes if known and item_bytes else math.nan


def copied_bytes(args: Args) -> float:
    """Bytes that a copy moves; NaN if not noted."""
    count = _count(args.get("bytes", args.get("size")))
    return math.nan if count is None else count


def from_library(name: str) -> bool:
    """Whether a kernel is of a library that does nothing but communicate."""
    return bool(_LIBRARY.search(name))


def is_fused(name: str) -> bool:
    """Whether a kernel multiplies and communicates in one: it counts as compute."""
    return bool(
        _MULTIPLIES.search(name)
        and _COMMUNICATES.search(name)
        and not _ONLY_COMPUTES.search(name)
        and not from_library(name)
    )


def _computes(name: str) -> bool:
    """Kernels that only prepare or unpack what a collective moves."""
    return bool(_ONLY_COMPUTES.search(name)) and not from_library(name)


def _named(name: str) -> Collective:
    operation = _operation(name)
    return Collective.UNKNOWN if operation is None else operation


def _operation(text: str) -> Collective | None:
    for collective, pattern in _OPERATION_PATTERNS:
        if pattern.search(text):
            return collective
    return None


def _count(value: object) -> float | None:
    try:
        count = float(str(value))
    except ValueError:
        return None
    return count if 0 <= count < math.inf else None
