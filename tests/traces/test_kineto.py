"""A PyTorch profiler trace becomes a recording, with numbers worked out by hand."""

import gzip
import json

import numpy as np
import pytest

from overlap_widget.model import Collective, Kind, break_down, window
from overlap_widget.model.traces import TraceError, load
from overlap_widget.model.traces.sentences import BACKWARD_GUESSED, ONE_RANK


def parts_us(recording, step=0, device=None):
    """Compute, communication, hidden, exposed and tail of a step in microseconds."""
    device = recording.devices[0] if device is None else device
    parts = break_down(window(recording, device, step).timeline)
    seconds = (
        parts.compute_s,
        parts.communication_s,
        parts.hidden_s,
        parts.exposed_s,
        parts.tail_s,
    )
    return [round(one * 1e6, 6) for one in seconds]


def test_a_step_worked_by_hand(kineto):
    # us        480  500    530  560    570 575  590   600     637 640  650
    # copy      [10]
    # compute        [  30 ][     40      ]  [   25    ]           [ 10 ]
    # transfers                   [     30        ]    [   37  ]
    # backward              [ ............ ] [ ....... ]
    recording = kineto("launched-steps")
    assert parts_us(recording) == [105, 67, 25, 42, 37]
    assert window(recording, 0, 0).backward_found
    assert recording.rank == 2
    assert recording.warnings == ()
    sizes = recording.spans.size_bytes[recording.spans.kind == Kind.COMMUNICATION]
    assert sizes.tolist() == [1000 * 4, 3000 * 2]


def test_a_step_behind_the_clock_worked_by_hand(kineto):
    # us        650      690     720 722   733        760 765 770
    # compute   [   40  ][  30  ][    13   ]              [ 5 ]
    # transfer                      [        38       ]
    assert parts_us(kineto("step-behind-the-clock"), step=1) == [88, 38, 11, 27, 38]


def test_a_trace_of_2021_has_other_names_and_places(kineto):
    recording = kineto("from-2021")
    spans = recording.spans
    assert recording.devices == (0,)
    assert spans.stream.tolist() == [7, 14, 7, 7]
    assert spans.kind.tolist() == [
        Kind.COMPUTE,
        Kind.COMMUNICATION,
        Kind.OTHER,
        Kind.OTHER,
    ]
    assert recording.step.tolist() == [0, 0, 0, 0]
    assert parts_us(recording)[:4] == [23, 31, 13, 18]


def test_epoch_times_with_decimals_are_exact(kineto, spans_us):
    recording = kineto("epoch-decimals")
    assert [(start, end) for _, start, end in spans_us(recording)] == [
        (0, 0.301),
        (0.2, 0.45),
    ]


def test_numbers_may_be_text(kineto, spans_us):
    recording = kineto("text-numbers")
    assert [(start, end) for _, start, end in spans_us(recording)] == [
        (0, 12),
        (5.5, 14.75),
    ]
    assert recording.devices == (1,)
    assert recording.spans.size_bytes.tolist() == [0, 70]


def test_annotations_and_synchronisation_are_no_spans(kineto):
    assert parts_us(kineto("annotations-and-syncs"))[:4] == [20, 25, 15, 10]


def test_only_complete_events_are_work(kineto, spans_us):
    recording = kineto("begin-and-flow-rows")
    assert spans_us(recording) == [("gemm", 0, 21), ("gemm", 30, 39)]


def test_two_devices_of_one_file_stay_apart(kineto):
    recording = kineto("two-devices")
    assert recording.devices == (0, 1)
    assert parts_us(recording, device=0)[:4] == [20, 25, 15, 10]
    assert parts_us(recording, device=1)[:4] == [31, 26, 21, 5]


def test_peer_copies_count_only_when_asked_for_and_either_is_said(kineto):
    without, counted = (
        kineto("peer-copies", count_peer_copies=count) for count in (False, True)
    )
    assert parts_us(without)[:4] == [20, 8, 0, 8]
    assert parts_us(counted)[:4] == [20, 38, 15, 23]
    moved = [0, Collective.PEER_COPY, Collective.ALL_REDUCE]
    assert without.spans.collective.tolist() == moved
    assert counted.spans.collective[1] == Collective.PEER_COPY
    assert counted.spans.size_bytes[1] == 512
    assert any("1 peer copy between GPUs not counted" in w for w in without.warnings)
    assert any("1 peer copy between GPUs counted" in w for w in counted.warnings)


def test_a_collective_of_unknown_type_is_named(kineto):
    recording = kineto("unknown-collective")
    assert parts_us(recording)[:4] == [20, 19, 12, 7]
    assert recording.spans.collective.tolist() == [
        Collective.NONE,
        Collective.UNKNOWN,
        Collective.UNKNOWN,
        Collective.ALL_GATHER,  # the profiler noted it
    ]
    said = "2 communication kernels are a collective of unknown type"
    assert f"{said} (ncclDevKernel_Generic_4)" in recording.warnings


def test_sizes_are_those_of_the_whole_array_or_unknown(kineto):
    sizes = kineto("sizes").spans.size_bytes
    assert sizes[:3].tolist() == [100 * 2, 100 * 8, 7]
    assert np.isnan(sizes[3:]).all()


def test_without_launches_names_tell_the_backward_pass(kineto):
    recording = kineto("no-steps")
    assert recording.backward.tolist() == [False, False, True]
    assert BACKWARD_GUESSED not in recording.warnings


def test_with_launches_names_tell_nothing_and_the_guess_is_said(kineto):
    recording = kineto("launched-without-ranges")
    assert not recording.backward.any()
    assert BACKWARD_GUESSED in recording.warnings
    assert not window(recording, 0, 0).backward_found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cpu-only", r"no GPU work in the file \(permissions, WSL, or CUDA"),
        ("gloo", "its gloo communication ran on the CPU"),
        ("no-events", "no GPU work in the file"),
        ("xla", "is a JAX/XLA trace whose lanes have no names"),
        ("not-a-trace", "is JSON, but not a trace"),
        ("breaks-off-early", "breaks off or is damaged before its list of events"),
    ],
)
def test_a_file_without_gpu_work_gets_one_sentence(kineto, path_of, name, said):
    with pytest.raises(TraceError, match=said) as refused:
        kineto(name)
    assert str(refused.value).startswith(f"{path_of(name)}: ")
    assert "\n" not in str(refused.value)


def test_a_file_whose_times_are_all_lost_is_refused(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text('[{"ph":"X","cat":"kernel","name":"a","dur":3},{"ph":"X"}]')
    with pytest.raises(TraceError, match="no GPU work has a believable time: 1 kernel"):
        load(str(path))


@pytest.mark.parametrize(
    ("info", "rank"),
    [
        ('{"backend": "nccl", "rank": 5, "world_size": 8}', 5),
        ('{"rank": "5"}', 5),
        ('{"pg_config": [{"ranks": [0, 1]}, {"ranks": [2]}], "rank": 5}', 5),
        ('{"note": "C:\\users", "rank": 5', 5),  # damaged, the rank still shows
        ('{"rank": -1}', None),
        ('{"rank": null}', None),
        ("[]", None),
    ],
)
@pytest.mark.parametrize("place", ["before", "behind"])
def test_the_rank_stands_before_or_behind_the_events(tmp_path, info, rank, place):
    kernel = '{"ph":"X","cat":"kernel","name":"a","ts":1,"dur":3}'
    events = f'"traceEvents": [{kernel},{kernel}]'
    note = f'"distributedInfo": {info}'
    pair = [note, events] if place == "before" else [events, note]
    path = tmp_path / "trace.json"
    path.write_text("{" + ", ".join(pair) + "}")
    recording = load(str(path))
    assert recording.rank == rank
    assert (ONE_RANK in recording.warnings) == (rank is None)


def test_gzip_gives_the_same_recording(path_of, tmp_path):
    packed = tmp_path / "trace.json.gz"
    packed.write_bytes(gzip.compress(path_of("launched-steps").read_bytes()))
    plain, same = load(str(path_of("launched-steps"))), load(str(packed))
    assert plain.spans.start_s.tolist() == same.spans.start_s.tolist()
    assert plain.steps == same.steps


def test_progress_is_told(path_of):
    heard = []
    load(str(path_of("launched-steps")), progress=heard.append)
    assert heard == [1.0]


def test_events_in_any_order_give_the_same_recording(path_of, tmp_path):
    document = json.loads(path_of("launched-steps").read_text())
    document["traceEvents"].reverse()
    turned = tmp_path / "turned.json"
    turned.write_text(json.dumps(document))
    first, second = load(str(path_of("launched-steps"))), load(str(turned))
    assert first.spans.start_s.tolist() == second.spans.start_s.tolist()
    assert first.backward.tolist() == second.backward.tolist()
    assert parts_us(first) == parts_us(second)
