"""Records of rocprofv3's JSON as rows of a process."""

import math
from collections.abc import Mapping

from overlap_widget.model.traces.nccl_calls import Call
from overlap_widget.model.traces.range_steps import NamedRange
from overlap_widget.model.traces.rocm_rows import (
    MOST_INT64,
    Place,
    RocmRows,
    clipped_ns,
)
from overlap_widget.model.traces.rocprof_json_records import ApiCall, Process

_GPU = 2
_DIRECTIONS = {
    (False, False): "MEMORY_COPY_HOST_TO_HOST",
    (False, True): "MEMORY_COPY_HOST_TO_DEVICE",
    (True, False): "MEMORY_COPY_DEVICE_TO_HOST",
    (True, True): "MEMORY_COPY_DEVICE_TO_DEVICE",
}


def rows_of(process: Process) -> RocmRows:
    """The kernels, copies, launches and ranges of a process."""
    rows = RocmRows()
    gpus = _gpus(process)
    _add_kernels(rows, process, gpus)
    _add_copies(rows, process, gpus)
    _add_calls(rows, process)
    return rows


def nameless(process: Process) -> int:
    """How many kernels have no name."""
    names = _names(process)
    ran = [one.dispatch_info for one in process.buffer_records.kernel_dispatch]
    return sum(not names.get(one.kernel_id) for one in ran)


def _names(process: Process) -> dict[int, str]:
    return {
        symbol.kernel_id: symbol.formatted_kernel_name
        or symbol.demangled_kernel_name
        or symbol.kernel_name
        for symbol in process.kernel_symbols
    }


def _add_kernels(rows: RocmRows, process: Process, gpus: Mapping[int, int]) -> None:
    names = _names(process)
    for kernel in process.buffer_records.kernel_dispatch:
        ran = kernel.dispatch_info
        rows.add_kernel(
            names.get(ran.kernel_id) or f"(kernel without a name, {ran.kernel_id})",
            Place(
                device=gpus.get(ran.agent_id.handle, ran.agent_id.handle),
                queue=ran.queue_id.handle,
                stream=kernel.stream_id.handle,
            ),
            kernel.correlation_id.internal,
            (kernel.start_timestamp, kernel.end_timestamp),
        )


def _add_copies(rows: RocmRows, process: Process, gpus: Mapping[int, int]) -> None:
    for copy in process.buffer_records.memory_copy:
        ends = copy.src_agent_id.handle, copy.dst_agent_id.handle
        rows.add_copy(
            _DIRECTIONS[ends[0] in gpus, ends[1] in gpus],
            (gpus.get(ends[0], 0), gpus.get(ends[1], 0)),
            copy.correlation_id.internal,
            (copy.start_timestamp, copy.end_timestamp),
            math.nan if copy.bytes is None else copy.bytes,
        )


def _add_calls(rows: RocmRows, process: Process) -> None:
    """Launches, ranges and calls of RCCL."""
    messages = {one.key: one.value for one in process.strings.marker_api}
    records = process.buffer_records
    wanted = {one.correlation_id.internal for one in records.kernel_dispatch}
    wanted |= {one.correlation_id.internal for one in records.memory_copy}
    for call in records.hip_api:
        if call.correlation_id.internal in wanted:
            number = call.correlation_id.internal
            rows.add_launch(number, call.start_timestamp, call.thread_id)
    for call in records.marker_api:
        if call.end_timestamp > call.start_timestamp:  # a mark has no length
            text = messages.get(call.correlation_id.internal) or _name(call, process)
            rows.ranges.append(NamedRange(text, *_when(call)))
    for call in records.rccl_api:
        rows.calls.append(Call(_name(call, process), *_when(call), {}))


def _when(call: ApiCall) -> tuple[int, int, int]:
    return (
        clipped_ns(call.start_timestamp),
        clipped_ns(call.end_timestamp),
        call.thread_id % MOST_INT64,
    )


def _name(call: ApiCall, process: Process) -> str:
    kinds = process.strings.buffer_records
    operations = kinds[call.kind].operations if 0 <= call.kind < len(kinds) else []
    known = 0 <= call.operation < len(operations)
    return operations[call.operation] if known else ""


def _gpus(process: Process) -> dict[int, int]:
    """The number of each GPU, from 0 in the order of the nodes, by its handle."""
    agents = [agent for agent in process.agents if agent.type == _GPU]
    ordered = sorted(agents, key=lambda agent: agent.node_id)
    return {agent.id.handle: number for number, agent in enumerate(ordered)}
