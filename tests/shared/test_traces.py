"""Captured traces give the numbers of an independent script, within 0.01 %."""

import csv

import pytest

from overlap_widget.model import Kind, break_down, window
from overlap_widget.model.traces import TraceError, load, load_all

US = 1e6
CLOSE = 1e-4
DDP = "ddp-2gpu-a100/rank0.json.gz"
DLRM = ("dlrm-8rank-v100/rank0.pt.trace.json", "dlrm-8rank-v100/rank3.pt.trace.json")
NSYS = "nsys-2gpu-nccl-sendrecv/report.sqlite"
JAX = "jax-mi300x-8gpu-nocomm/trace.json.gz"
WITHOUT_COMMUNICATION = (
    JAX,
    "alexnet-nocomm/trace.json.gz",
    "kineto-2021-resnet50-nocomm/worker0.pt.trace.json.gz",
    "kineto-2026-cuda13/trace.json",
    "mi250-minitoy-nocomm/trace.json.gz",
)
WHOLE = {
    "comm_us": "communication_s",
    "compute_us": "compute_s",
    "overlapped_us": "hidden_s",
    "exposed_us": "exposed_s",
}


def close_to(parts, numbers, keys):
    for theirs, ours in keys.items():
        assert getattr(parts, ours) * US == pytest.approx(
            numbers[theirs], rel=CLOSE, abs=1e-9
        ), theirs


@pytest.mark.parametrize("name", [DDP, *DLRM])
def test_the_whole_file_agrees_with_the_reference(shared, reference, name):
    recording = load(str(shared(f"traces/{name}")))
    for device, numbers in reference[name].items():
        parts = break_down(window(recording, int(device), None).timeline)
        close_to(parts, numbers, WHOLE | {"span_us": "span_s"})


@pytest.mark.parametrize("name", [DDP, *DLRM])
def test_each_step_agrees_with_the_reference(shared, reference, name):
    recording = load(str(shared(f"traces/{name}")))
    for device, numbers in reference[name].items():
        by_step = numbers["per_step_by_launch"]
        names = [f"ProfilerStep#{step.name}" for step in recording.steps]
        assert names == list(by_step)
        for at, step in enumerate(names):
            shown = window(recording, int(device), at)
            tail = {"comm_after_backward_us": "tail_s"}
            close_to(break_down(shown.timeline), by_step[step], WHOLE | tail)
            assert shown.backward_found


def test_the_tails_of_ddp_on_two_gpus(shared):
    recording = load(str(shared(f"traces/{DDP}")))
    tails_ms = [
        break_down(window(recording, 0, step).timeline).tail_s * 1e3
        for step in range(3)
    ]
    assert tails_ms == pytest.approx([1.690, 2.028, 2.129], abs=5e-4)
    assert recording.rank == 0
    assert recording.warnings == ()
    assert all(step.complete for step in recording.steps)


def test_each_gpu_of_a_jax_trace_agrees_with_the_reference(shared, reference):
    recording = load(str(shared(f"traces/{JAX}")))
    numbers = reference[JAX]
    assert [f"/device:GPU:{number}" for number in recording.devices] == list(numbers)
    for number in recording.devices:
        parts = break_down(window(recording, number, None).timeline)
        theirs = numbers[f"/device:GPU:{number}"]
        close_to(parts, theirs, WHOLE | {"span_us": "span_s"})


@pytest.mark.parametrize("name", ["report.sqlite", "cuda_gpu_trace.csv"])
def test_each_gpu_of_a_report_agrees_with_the_reference(shared, reference, name):
    seen = {}
    for recording in load_all(str(shared(f"traces/nsys-2gpu-nccl-sendrecv/{name}"))):
        for device in recording.devices:
            parts = break_down(window(recording, device, None).timeline)
            close_to(parts, reference[NSYS][str(device)], WHOLE | {"span_us": "span_s"})
            seen[str(device)] = parts
    assert seen.keys() == reference[NSYS].keys()


@pytest.mark.parametrize("name", WITHOUT_COMMUNICATION)
def test_a_file_without_communication_has_none(shared, name):
    recording = load(str(shared(f"traces/{name}")))
    for device in recording.devices:
        parts = break_down(window(recording, device, None).timeline)
        assert parts.compute_s > 0
        assert parts.communication_s == parts.hidden_s == parts.exposed_s == 0
        assert parts.overlap is None


@pytest.mark.parametrize("name", [DDP, *DLRM, *WITHOUT_COMMUNICATION])
def test_nothing_of_a_real_file_is_repaired_clipped_or_left_out(shared, name):
    faults = ("left out", "clipped", "repaired", "ends early")
    for warning in load(str(shared(f"traces/{name}"))).warnings:
        assert not any(fault in warning for fault in faults), warning


def test_the_samples_of_rocprof_are_read(shared):
    path = shared("traces/rocprofv3-csv/kernel_trace.csv")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    times_ns = [
        (int(row["Start_Timestamp"]), int(row["End_Timestamp"])) for row in rows
    ]
    first_ns = min(start_ns for start_ns, _ in times_ns)
    recording = load(str(path))
    spans = recording.spans
    found = zip(spans.start_s, spans.end_s, strict=True)
    assert [(round(start * 1e9), round(end * 1e9)) for start, end in found] == sorted(
        (start_ns - first_ns, end_ns - first_ns) for start_ns, end_ns in times_ns
    )
    assert (spans.kind == Kind.COMPUTE).all()
    copies = load(str(shared("traces/rocprofv3-csv/memory_copy_trace.csv"))).spans
    assert (copies.kind == Kind.OTHER).all()
    assert len(copies) == 2


def test_a_step_without_gpu_work_is_not_complete(shared):
    recording = load(str(shared("traces/mi250-minitoy-nocomm/trace.json.gz")))
    assert [(step.name, step.complete) for step in recording.steps] == [
        ("1", True),
        ("2", False),
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gloo-ddp-2rank-cpu/rank0.pt.trace.json.gz", "its gloo communication ran on"),
        ("gloo-ddp-2rank-cpu/rank1.pt.trace.json.gz", "no GPU work in the file"),
        ("jax-cpu-4dev-dp/trace.json.gz", "is a JAX/XLA trace of the CPU alone"),
        ("rocprofv3-csv/marker_api_trace.csv", "no GPU work; open the kernel_trace"),
    ],
)
def test_a_file_of_another_kind_is_one_sentence(shared, name, said):
    with pytest.raises(TraceError, match=said):
        load(str(shared(f"traces/{name}")))
