"""What an operation of XLA does, by its category, its opcode or its name.

An operation is called after its opcode, `all-reduce-start.3`, or as the user or JAX
called it, `psum.1`. Then its category ("all-reduce") or the text behind its name
(`%psum.1 = f32[8]{0} all-reduce(...)`) tells; JAX's own names come last.
"""

import math
import re
from functools import lru_cache

from overlap_widget.model.recording import Phase
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.kernels import Args, Category, classify, from_library
from overlap_widget.model.traces.xla_shapes import TEXT

_OPCODES = (
    (Collective.ALL_REDUCE, r"all-reduce"),
    (Collective.REDUCE_SCATTER, r"reduce-scatter|all-reduce-scatter"),
    (Collective.ALL_GATHER, r"all-gather"),
    (Collective.ALL_TO_ALL, r"(?:ragged-)?all-to-all"),
    (Collective.BROADCAST, r"collective-broadcast"),
    (Collective.SEND_RECV, r"collective-permute|send|recv"),
    (Collective.UNKNOWN, r"collective"),
)
_JAX_NAMES = (
    (Collective.ALL_REDUCE, r"(?:psum|pmean|pmax|pmin)(?:_invariant)?"),
    (Collective.REDUCE_SCATTER, r"(?:psum|reduce)_scatter"),
    (Collective.ALL_GATHER, r"all_gather(?:_invariant)?"),
    (Collective.ALL_TO_ALL, r"(?:ragged_)?all_to_all"),
    (Collective.SEND_RECV, r"p(?:permute|shuffle)"),
)
_COUNTED = r"(?:\.(?:\d+|clone|remat\d*))*"
_PATTERNS = tuple(
    (
        collective,
        re.compile(rf"%?(?:async-)?(?:{name})(?:-start|-done|-update)?{_COUNTED}"),
    )
    for collective, name in (*_OPCODES, *_JAX_NAMES)
)
_FUSED = re.compile(r"[ -]fusion\b")
_SAYS_NOTHING = re.compile(
    r"%?(?:async-(?:start|done|update)|custom-call|call)[\d.]*|(?:custom )?fusion"
)
_MOVES_LOCALLY = re.compile(
    r"%?(?:copy|(?:dynamic-)?slice|dynamic-update-slice)-(?:start|done)[\d.]*"
    r"|host[ -](?:send|recv).*|%?(?:infeed|outfeed)[\d.]*"
)
_COPIES = (
    (Category.COPY, re.compile(r"(?:hip|cuda)?Memcpy", re.IGNORECASE)),
    (Category.FILL, re.compile(r"(?:hip|cuda)?Memset", re.IGNORECASE)),
)
_COPIED = re.compile(r"\bsize:(\d{1,15})\b")
_BACKWARD, _FORWARD = "transpose(", "jvp("


@lru_cache(maxsize=4096)
def kernel_kind(name: str, operation: str) -> tuple[Kind, Collective]:
    """What ran on a stream of a GPU, by the operation it is part of, then by name."""
    for category, pattern in _COPIES:
        if pattern.match(name):
            return classify(category, name)
    collective = collective_of(operation or name)
    if collective is not Collective.NONE:
        by_name = classify(Category.KERNEL, name)[1]
        known = collective is not Collective.UNKNOWN or by_name is Collective.NONE
        return Kind.COMMUNICATION, collective if known else by_name
    if operation and not _SAYS_NOTHING.fullmatch(operation) and not from_library(name):
        return Kind.COMPUTE, Collective.NONE
    return classify(Category.KERNEL, name)


def operation_kind(name: str, args: Args) -> tuple[Kind, Collective]:
    """What an operation of a core does; moves within its memory are neither."""
    for told in (*_told(args), name):
        collective = collective_of(told)
        if collective not in (Collective.NONE, Collective.UNKNOWN):
            return Kind.COMMUNICATION, collective
        if _MOVES_LOCALLY.fullmatch(told):
            return Kind.OTHER, Collective.NONE
        if collective is Collective.NONE and not _SAYS_NOTHING.fullmatch(told):
            return Kind.COMPUTE, Collective.NONE
    communicates = any(collective_of(told) for told in (*_told(args), name))
    if communicates:
        return Kind.COMMUNICATION, Collective.UNKNOWN
    return Kind.COMPUTE, Collective.NONE


@lru_cache(maxsize=4096)
def collective_of(operation: str) -> Collective:
    """The collective that an operation is; `NONE` for all others."""
    bare = _FUSED.sub("", operation)
    for collective, pattern in _PATTERNS:
        if pattern.fullmatch(bare):
            return collective
    return Collective.NONE


def phase_told(args: Args) -> Phase:
    """The phase, from the path of JAX's transformations that made an operation."""
    path = str(args.get("tf_op", ""))
    if _BACKWARD in path:
        return Phase.BACKWARD
    return Phase.FORWARD if _FORWARD in path else Phase.UNKNOWN


def peer_bytes(args: Args) -> float:
    """Bytes that a copy moves, from the notes on it; NaN if they don't tell."""
    found = _COPIED.search(str(args.get("memcpy_details", "")))
    return float(found[1]) if found else math.nan


def _told(args: Args) -> list[str]:
    """The category, then the opcode, as far as they are noted."""
    text = TEXT.match(str(args.get("long_name", "")))
    told = (args.get("hlo_category"), text and text["opcode"])
    return [one for one in told if isinstance(one, str) and one]
