"""JAX/XLA traces: which lanes are work, which operations move, whose step it is."""

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Collective, Kind, break_down, window
from overlap_widget.model.recording import Phase
from overlap_widget.model.traces import Options, TraceError, load, load_all, xla
from overlap_widget.model.traces.gpu_events import WORK
from overlap_widget.model.traces.xla_cores import ON_CORE, without_containers
from overlap_widget.model.traces.xla_operations import (
    collective_of,
    kernel_kind,
    operation_kind,
)
from overlap_widget.model.traces.xla_shapes import collective_bytes

DATA = Path(__file__).parents[1] / "data" / "xla"
COMPUTE = (Kind.COMPUTE, Collective.NONE)


@pytest.fixture(scope="session")
def of():
    """Load the file of a situation."""
    return lambda name: load(str(DATA / f"{name}.json"))


def test_on_a_gpu_the_streams_are_the_work_and_nothing_counts_twice(of, spans_us):
    # us            0        30 50    70   80  89 91  99    400.5  407.75
    # 0, stream 118 [ gemm_fusion ]        [D2H ] [ P2P ]
    # 0, stream 120          [ nccl  ]
    # 1, stream 31                                          [ add  ]
    recording = of("gpu-streams")
    spans = [(start, end) for _, start, end in spans_us(recording)]
    assert spans == [(0, 50), (30, 70), (80, 89), (91, 99), (400.5, 407.75)]
    assert recording.device.tolist() == [0, 0, 0, 0, 1]
    assert recording.spans.stream.tolist() == [118, 120, 118, 118, 31]
    assert recording.spans.kind.tolist() == [0, 1, 2, 2, 0]
    assert recording.rank is None
    assert recording.format == xla.FORMAT


def test_a_copy_between_gpus_is_a_choice_with_its_size():
    path = str(DATA / "gpu-streams.json")
    for counted, moved_us in ((False, 40), (True, 48)):
        recording = load(path, count_peer_copies=counted)
        parts = break_down(window(recording, 0, None).timeline)
        assert parts.communication_s * 1e6 == pytest.approx(moved_us)
    assert recording.spans.size_bytes[3] == 4096


def test_the_path_of_transformations_tells_the_backward_pass(of):
    assert of("gpu-streams").phase[0] == Phase.BACKWARD
    core = of("tpu-core")
    phases = {
        core.spans.names[name]: phase
        for name, phase in zip(core.spans.name, core.phase, strict=True)
    }
    assert phases["fusion.1"] == Phase.FORWARD
    assert phases["fusion.2"] == Phase.BACKWARD


def test_work_belongs_to_the_numbered_step_of_the_host_that_launched_it(of):
    recording = of("gpu-steps")
    assert [step.name for step in recording.steps] == ["4", "5"]
    assert recording.step.tolist() == [0, 0, 1]


def test_metadata_of_an_operation_comes_before_the_name_of_its_kernel(of):
    recording = of("gpu-names")
    spans = recording.spans
    assert list(zip(spans.kind, spans.collective, strict=True)) == [
        (Kind.COMMUNICATION, Collective.ALL_REDUCE),  # a kernel that only XLA knows
        (Kind.COMMUNICATION, Collective.SEND_RECV),  # the library tells
        COMPUTE,  # the operation is a fusion
        (Kind.COMMUNICATION, Collective.ALL_REDUCE),  # a custom call may be anything
        (Kind.OTHER, Collective.NONE),  # what a collective fills
        COMPUTE,  # a graph whose kernels aren't in the file
    ]
    said = "1 whole graph counted as compute, though communication may be inside"
    assert said in recording.warnings


def test_a_core_runs_what_contains_nothing_and_halves_are_one_transfer(of, spans_us):
    # us      0 1        20 21     38 40 42         62      73  75  78
    # core    [ while [fusion] [psum ] ]
    #                                    [ start .. all-gather .. ]
    #                                       [ fusion ]          [copy]
    recording = of("tpu-core")
    assert spans_us(recording) == [
        ("fusion.1", 0, 19),
        ("psum.3", 20, 37),
        ("all-gather-start.4", 39, 72),
        ("fusion.2", 41, 61),
        ("copy-done.5", 74, 77),
    ]
    assert recording.spans.kind.tolist() == [0, 1, 1, 0, 2]
    assert recording.spans.size_bytes[1:3].tolist() == [4000, 512]
    assert recording.devices == (2,)
    assert [step.name for step in recording.steps] == ["8"]
    assert recording.warnings[:2] == (
        "1 operation around others left out",
        "1 asynchronous transfer counted from the start of its first half to the end "
        "of its last",
    )


def test_the_asynchronous_lane_stands_for_the_halves_on_the_core(of, spans_us):
    recording = of("tpu-beside")
    assert spans_us(recording) == [
        ("all-reduce-start.2", 0, 43),
        ("fusion.1", 1, 31),
        ("copy-start.7", 5, 17),
    ]
    parts = break_down(window(recording, 0, None).timeline)
    assert parts.exposed_s * 1e6 == pytest.approx(13)
    assert not any("asynchronous" in one for one in recording.warnings)


def test_each_host_is_a_recording_of_its_own():
    path = str(DATA / "two-hosts.json")
    first, second = load_all(path)
    assert (first.format, second.format) == (
        f"{xla.FORMAT}, host worker-0",
        f"{xla.FORMAT}, host worker-1",
    )
    lengths_us = [1e6 * one.spans.end_s[0] for one in (first, second)]
    assert lengths_us == pytest.approx([9, 5])
    with pytest.raises(TraceError, match="holds 2 processes"):
        load(path)


def test_a_host_whose_device_has_no_lanes_is_no_recording(tmp_path):
    path = tmp_path / "trace.json"
    text = (DATA / "two-hosts.json").read_text()
    text = text.replace("worker-0", r"work\ner-0")
    path.write_text(text.replace('"pid":2,"tid":7,"name":"thread', '"pid":2,"name":"'))
    assert load(str(path)).format == f"{xla.FORMAT}, host worker-0"


def test_lanes_that_nobody_knows_are_named_and_read_only_without_others(of, spans_us):
    recording = of("unknown-lanes")
    assert spans_us(recording) == [("fusion.1", 0, 9), ("matmul", 1, 6)]
    assert recording.warnings[:3] == (
        "lanes that aren't known were left out (Weather)",
        "lanes that aren't known were read as work (Queue)",
        "1 event of a lane without a name left out",
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cpu-only", "is a JAX/XLA trace of the CPU alone"),
        ("nameless", "whose lanes have no names"),
    ],
)
def test_a_trace_without_lanes_of_devices_gets_one_sentence(of, name, said):
    with pytest.raises(TraceError, match=said):
        of(name)


def test_a_trace_that_may_have_been_cut_by_its_profiler_says_so(of, monkeypatch):
    assert not any("a million" in one for one in of("tpu-core").warnings)
    monkeypatch.setattr(xla, "MOST_EVENTS", 9)
    assert any("a million" in one for one in of("tpu-core").warnings)


def test_both_passes_are_told_as_one_progress():
    heard = []
    xla.load(str(DATA / "tpu-core.json"), Options(progress=heard.append))
    assert heard == [0.5, 1.0]


TREES = st.recursive(
    st.integers(1, 9), lambda inside: st.lists(inside, min_size=1, max_size=4)
)


def spans_of(tree, start_ns=0):
    """Start, length and name of each operation of a tree; a list is a while around."""
    if isinstance(tree, int):
        return [(start_ns, tree, "leaf")], start_ns + tree
    inner, at_ns = [], start_ns + 1
    for part in tree:
        spans, at_ns = spans_of(part, at_ns)
        inner += spans
    return [(start_ns, at_ns + 1 - start_ns, "while.1"), *inner], at_ns + 1


@given(TREES, st.randoms(use_true_random=False))
def test_of_any_nested_operations_those_that_contain_none_are_left(tree, random):
    spans, _ = spans_of(tree)
    random.shuffle(spans)
    columns = {name: np.zeros(len(spans), code) for name, code in WORK.items()}
    columns["start_ns"][:], columns["length_ns"][:] = zip(
        *[span[:2] for span in spans], strict=True
    )
    columns["name"][:] = [span[2] == "while.1" for span in spans]
    columns["lane"] = np.full(len(spans), ON_CORE)
    left, count = without_containers(columns, ("leaf", "while.1"))
    leaves = sorted(span[:2] for span in spans if span[2] == "leaf")
    assert sorted(zip(left["start_ns"], left["length_ns"], strict=True)) == leaves
    assert count == len(spans) - len(leaves)


@pytest.mark.parametrize("name", ["gpu-streams", "tpu-core", "tpu-beside"])
def test_a_file_cut_or_repaired_anywhere_is_read_or_refused(tmp_path, is_sound, name):
    content = (DATA / f"{name}.json").read_bytes()
    path = tmp_path / "trace.json.gz"
    for cut in range(0, len(content), 41):
        path.write_bytes(gzip.compress(content[:cut] + b"\\x" + content[cut + 2 :]))
        try:
            assert is_sound(load(str(path)))
        except TraceError as refused:
            assert str(refused).startswith(f"{path}: ")  # noqa: PT017


@pytest.mark.parametrize("start", [-1, 10**400, "x", None, 1e300, "9" * 30])
def test_times_of_any_kind_are_read_or_refused(tmp_path, is_sound, start):
    document = json.loads((DATA / "tpu-core.json").read_text())
    for event in document["traceEvents"][6:9]:
        event["ts"], event["dur"] = start, start
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(document))
    assert is_sound(load(str(path)))


@pytest.mark.parametrize(
    ("operation", "collective"),
    [
        ("all-reduce", Collective.ALL_REDUCE),
        ("all-reduce-start.12", Collective.ALL_REDUCE),
        ("%all-reduce.3.clone.1", Collective.ALL_REDUCE),
        ("all-reduce-done", Collective.ALL_REDUCE),
        ("all-gather.remat2", Collective.ALL_GATHER),
        ("reduce-scatter.7", Collective.REDUCE_SCATTER),
        ("all-reduce-scatter fusion", Collective.REDUCE_SCATTER),  # a TPU's fusion
        ("all-to-all.1", Collective.ALL_TO_ALL),
        ("ragged-all-to-all-start.1", Collective.ALL_TO_ALL),
        ("collective-broadcast", Collective.BROADCAST),
        ("collective-permute-start.2", Collective.SEND_RECV),
        ("send.4", Collective.SEND_RECV),
        ("recv-done.4", Collective.SEND_RECV),
        ("async-collective-start", Collective.UNKNOWN),
        ("psum_invariant.56", Collective.ALL_REDUCE),  # as JAX calls it
        ("psum_scatter.2", Collective.REDUCE_SCATTER),
        ("all_gather_invariant", Collective.ALL_GATHER),
        ("ppermute.3", Collective.SEND_RECV),
        ("fusion.3", Collective.NONE),
        ("loop_all_reduce_fusion", Collective.NONE),  # what a user called a function
        ("reduce.4", Collective.NONE),
        ("reduce-window", Collective.NONE),
        ("gather.1", Collective.NONE),
        ("scatter", Collective.NONE),
        ("sender.1", Collective.NONE),
        ("copy-start.1", Collective.NONE),
        ("", Collective.NONE),
    ],
)
def test_an_operation_is_known_by_its_opcode(operation, collective):
    assert collective_of(operation) is collective


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("all-reduce.1", {"hlo_category": "loop fusion"}, COMPUTE),
        ("fusion.1", {"hlo_category": "all-reduce"}, (1, Collective.ALL_REDUCE)),
        ("psum.1", {}, (1, Collective.ALL_REDUCE)),
        (
            "reduce-scatter.1",
            {"hlo_category": "async-start"},
            (1, Collective.REDUCE_SCATTER),
        ),
        ("async-collective-done", {}, (1, Collective.UNKNOWN)),
        ("custom-call.2", {"hlo_category": "custom-call"}, COMPUTE),
        ("copy-start.2", {"hlo_category": "copy-start"}, (2, Collective.NONE)),
        ("copy.2", {"hlo_category": "data formatting"}, COMPUTE),
        ("send.1", {"hlo_category": "host send"}, (2, Collective.NONE)),
        ("infeed.1", {"hlo_category": "infeed"}, (2, Collective.NONE)),
        (
            "mine",
            {"long_name": "%mine = f32[8]{0} all-gather(f32[4]{0} %x)"},
            (1, Collective.ALL_GATHER),
        ),
    ],
)
def test_the_category_comes_before_the_text_and_the_name(name, args, expected):
    assert operation_kind(name, args) == expected


@pytest.mark.parametrize(
    ("name", "operation", "collective"),
    [
        ("all-reduce-start.1", "", Collective.ALL_REDUCE),  # no metadata at all
        ("ncclDevKernel_AllGather_RING_LL", "", Collective.ALL_GATHER),
        ("ncclDevKernel_SendRecv", "async-collective-start", Collective.SEND_RECV),
        ("ncclDevKernel_Generic_4", "all-gather.1", Collective.ALL_GATHER),
        ("reduce_scatter_kernel", "fusion.1", Collective.NONE),
        ("fusion_1", "", Collective.NONE),
    ],
)
def test_without_metadata_the_name_of_a_kernel_decides(name, operation, collective):
    assert kernel_kind(name, operation)[1] is collective


def test_a_copy_of_a_gpu_is_told_by_its_name_alone():
    assert kernel_kind("MemcpyD2D", "all-reduce-start.1")[0] is Kind.OTHER
    peer = (Kind.OTHER, Collective.PEER_COPY)
    assert kernel_kind("MemcpyP2P", "collective-permute-start") == peer


@pytest.mark.parametrize(
    ("args", "collective", "size_bytes"),
    [
        ({"shape_with_layout": "bf16[8,4]{1,0:T(8,128)(2,1)}"}, "ALL_REDUCE", 64),
        (
            {
                "long_name": "%r = (f32[10]{0}, s8[6]{0}) all-reduce(f32[10]{0} %a, "
                "s8[6]{0} %b), channel_id=1"
            },
            "ALL_REDUCE",
            46,
        ),
        (
            {
                "long_name": "%r = f32[4]{0:T(256)} reduce-scatter("
                "f32[16]{0:T(256)} %a), dimensions={0}"
            },
            "REDUCE_SCATTER",
            64,
        ),
        ({"long_name": "%r = f32[4]{0} reduce-scatter(%a)"}, "REDUCE_SCATTER", None),
        ({"shape_with_layout": "f32[4]{0}"}, "REDUCE_SCATTER", None),
        (
            {
                "long_name": "%c = (f32[6]{0}, f32[6]{0}, u32[], u32[]) "
                "collective-permute-start(f32[6]{0} %a)"
            },
            "SEND_RECV",
            24,
        ),
        ({"long_name": "%g = f8e4m3fn[32]{0} all-gather(%a)"}, "ALL_GATHER", 32),
        ({"long_name": "%g = pred[<=5]{0} all-gather(%a)"}, "ALL_GATHER", 5),
        ({"long_name": "%g = token[] after-all()"}, "ALL_GATHER", None),
        ({"long_name": 7}, "ALL_REDUCE", None),
        ({}, "ALL_REDUCE", None),
    ],
)
def test_the_size_is_that_of_the_whole_array(args, collective, size_bytes):
    size = collective_bytes(args, Collective[collective])
    assert size == size_bytes if size_bytes is not None else math.isnan(size)
