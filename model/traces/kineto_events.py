"""An event of a PyTorch profiler trace, typed: the fields that are read of it.

Times stay text, so that no digit is lost. Numbers may be texts: old files have
"stream 7" for a thread.
"""

from typing import Any

import msgspec

from overlap_widget.model.traces.repair import Event

Scalar = int | float | str | None


class Args(msgspec.Struct, frozen=True, gc=False):
    """What is noted on an event."""

    device: Scalar = None
    stream: Scalar = None
    correlation: Scalar = 0
    graph_node: Scalar = msgspec.field(default=0, name="graph node id")
    collective: Scalar = msgspec.field(default=None, name="Collective name")
    elements_in: Scalar = msgspec.field(default=None, name="In msg nelems")
    elements_out: Scalar = msgspec.field(default=None, name="Out msg nelems")
    group_size: Scalar = msgspec.field(default=None, name="Group size")
    dtype: Scalar = None
    group: Scalar = msgspec.field(default=None, name="Process Group Name")
    group_description: Scalar = msgspec.field(
        default=None, name="Process Group Description"
    )
    group_ranks: Scalar | list[Scalar] = msgspec.field(
        default=None, name="Process Group Ranks"
    )
    sequence: Scalar = msgspec.field(default=None, name="Seq")
    copied: Scalar = msgspec.field(default=None, name="bytes")
    size: Scalar = None


NO_ARGS = Args()


class KinetoEvent(msgspec.Struct, gc=False):
    """An event; `ts` and `dur` are JSON texts, empty where there is none.

    The order of the fields is the profiler's, which makes decoding a little faster.
    """

    ph: str = "X"
    cat: str | None = ""
    name: str = "(no name)"
    pid: Scalar = None
    tid: Scalar = None
    ts: msgspec.Raw = msgspec.Raw(b"")
    dur: msgspec.Raw = msgspec.Raw(b"")
    args: Args = NO_ARGS


_ARGS = {one.encode_name: one.name for one in msgspec.structs.fields(Args)}


def event_of(read: Event) -> KinetoEvent:
    """The event that was read as a dict; what has an odd type counts as missing.

    Of the dict, decimals are text (see `repair.decoded`).
    """
    args = read.get("args")
    return KinetoEvent(
        ph=str(read.get("ph", "X")),
        cat=str(read.get("cat") or ""),
        name=str(read.get("name", "(no name)")),
        ts=_text(read.get("ts")),
        dur=_text(read.get("dur")),
        pid=_scalar(read.get("pid")),
        tid=_scalar(read.get("tid")),
        args=_args(args) if isinstance(args, dict) and args else NO_ARGS,
    )


def _args(read: dict[str, Any]) -> Args:
    found: dict[str, Any] = {
        _ARGS[name]: _scalar(read[name]) for name in _ARGS.keys() & read.keys()
    }
    ranks = read.get("Process Group Ranks")
    if isinstance(ranks, list):
        found["group_ranks"] = [_scalar(rank) for rank in ranks]
    return Args(**found)


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, int | float | str) else None


def _text(value: object) -> msgspec.Raw:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return msgspec.Raw(b"")
    return msgspec.Raw(str(value).encode(errors="replace"))
