"""What is read of rocprofv3's JSON, typed: all else is skipped while it is decoded.

Names are those of ROCm's rocprofiler-sdk (source/lib/output/generateJSON.cpp).
"""

from typing import Any

import msgspec


class Record(msgspec.Struct, frozen=True, gc=False):
    """A base for what is decoded."""


class Handle(Record, frozen=True, gc=False):
    """A number that stands for something else."""

    handle: int = 0


class Correlation(Record, frozen=True, gc=False):
    """What a record shares with the call that caused it."""

    internal: int = 0


class Dispatch(Record, frozen=True, gc=False):
    """Which kernel ran where."""

    kernel_id: int = 0
    agent_id: Handle = Handle()
    queue_id: Handle = Handle()


class Kernel(Record, frozen=True, gc=False):
    """A kernel that ran; times in nanoseconds."""

    start_timestamp: int
    end_timestamp: int
    dispatch_info: Dispatch = Dispatch()
    correlation_id: Correlation = Correlation()
    stream_id: Handle = Handle()


class Copy(Record, frozen=True, gc=False):
    """A copy of memory."""

    start_timestamp: int
    end_timestamp: int
    src_agent_id: Handle = Handle()
    dst_agent_id: Handle = Handle()
    correlation_id: Correlation = Correlation()
    bytes: int | None = None


class ApiCall(Record, frozen=True, gc=False):
    """A call of a library on the CPU; kind and operation count the strings."""

    start_timestamp: int
    end_timestamp: int
    kind: int = -1
    operation: int = -1
    thread_id: int = 0
    correlation_id: Correlation = Correlation()


class Agent(Record, frozen=True, gc=False):
    """A CPU (type 1) or GPU (type 2)."""

    id: Handle = Handle()
    type: int = 0
    node_id: int = 0


class Symbol(Record, frozen=True, gc=False):
    """A kernel's names."""

    kernel_id: int = -1
    formatted_kernel_name: str = ""
    demangled_kernel_name: str = ""
    kernel_name: str = ""


class Kind(Record, frozen=True, gc=False):
    """A kind of record, and the names of its operations."""

    kind: str = ""
    operations: list[str] = []


class Message(Record, frozen=True, gc=False):
    """The text of a roctx range, by the internal correlation of its record."""

    key: int = 0
    value: str = ""


class Strings(Record, frozen=True, gc=False):
    """Texts that records count."""

    buffer_records: list[Kind] = []
    marker_api: list[Message] = []


class Records(Record, frozen=True, gc=False):
    """All that was traced."""

    kernel_dispatch: list[Kernel] = []
    memory_copy: list[Copy] = []
    hip_api: list[ApiCall] = []
    marker_api: list[ApiCall] = []
    rccl_api: list[ApiCall] = []


class Metadata(Record, frozen=True, gc=False):
    """Of the process."""

    pid: int = 0


class Process(Record, frozen=True, gc=False):
    """What one process did."""

    metadata: Metadata = Metadata()
    agents: list[Agent] = []
    strings: Strings = Strings()
    kernel_symbols: list[Symbol] = []
    buffer_records: Records = Records()


class Document(Record, frozen=True, gc=False, rename={"tool": "rocprofiler-sdk-tool"}):
    """The file: a list of processes, or the only one."""

    tool: list[Process] | Process = []


DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Document, strict=False)
