"""What a PyTorch profiler trace notes beside its times: groups, clock, odd rows."""

import json

import numpy as np
import pytest

from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.recording import Group
from overlap_widget.model.traces import load
from overlap_widget.model.traces.collective_notes import Groups
from overlap_widget.model.traces.gpu_events import NO_GROUP
from overlap_widget.model.traces.kineto_events import Args
from overlap_widget.model.traces.rank import base_ns_in


def test_each_collective_has_the_process_group_that_is_noted(kineto):
    recording = kineto("process-groups")
    assert recording.groups == (
        Group("0", "default_pg", (0, 3), 2),
        Group("7", "tp", (), 64),  # the ranks were cut short
        Group("", "", (0, 5, 6), 3),
    )
    assert recording.group.tolist() == [NO_GROUP, 0, 1, 2, NO_GROUP]


@pytest.mark.parametrize(
    ("noted", "ranks"),
    [
        ("[0, 1, 2]", (0, 1, 2)),
        ("[0, 1, ...]", ()),
        ("[0, 1, 2, 3, 4, ..., 1023]", ()),
        ([4, "5"], (4, 5)),
        ("", ()),
        ("8", (8,)),
        (None, ()),
    ],
)
def test_ranks_are_read_as_a_list_or_its_text(noted, ranks):
    groups = Groups()
    assert groups.code(Args(group="0", group_ranks=noted)) == 0
    assert groups.met() == (Group("0", "", ranks, len(ranks) or None),)


def test_collectives_keep_their_numbers(kineto):
    # in the order of time; the number of a gemm is of no group
    assert kineto("sequence-numbers").sequence.tolist() == [-1, 11, 12, -1, -1, -1]
    moved = measured_file(kineto("sequence-numbers")).transfers
    assert moved.sequence.tolist() == [11, 12, -1, -1, -1]
    assert moved.sequence.dtype == np.int64


def test_where_no_number_is_noted_none_is_kept(kineto):
    assert kineto("process-groups").sequence is None
    moved = measured_file(kineto("process-groups")).transfers
    assert moved.sequence.tolist() == [-1, -1, -1, -1]


def test_a_group_that_is_noted_in_two_ways_is_one():
    groups = Groups()
    codes = [groups.code(Args(group="0", group_ranks=one)) for one in ("[1]", [1])]
    assert codes == [0, 0]


def test_the_clock_is_noted_exactly_and_added_once(kineto):
    # 10 us after the noted nanosecond; float64 would round it to 256 ns
    assert kineto("process-groups").origin_ns == 1711964646000010123
    # since 1970 already
    assert kineto("epoch-decimals").origin_ns > 10**18


@pytest.mark.parametrize(
    "text",
    [
        b'"baseTimeNanoseconds": 1711964646000000123\n}',
        b'"baseTimeNanoseconds":"1711964646000000123"',
        b'"base_time_ns" : 1711964646000000123,',
    ],
)
def test_the_clock_is_read_in_several_spellings(text):
    assert base_ns_in([b"", text]) == 1711964646000000123


def test_times_since_1970_need_no_base(tmp_path):
    path = tmp_path / "trace.json"
    kernel = {"ph": "X", "cat": "kernel", "name": "a", "ts": 1711964646000001, "dur": 2}
    document = {"baseTimeNanoseconds": 1711964646 * 10**9, "traceEvents": [kernel]}
    path.write_text(json.dumps(document))
    assert load(str(path)).origin_ns == 1711964646000001000


def test_rows_of_the_gpu_of_unknown_category_are_named(kineto):
    recording = kineto("unknown-category")
    assert len(recording.spans) == 1
    assert recording.warnings[0] == (
        "2 events on rows of a GPU left out: nobody knows the category 'tpu_dance'"
    )


def test_all_lists_of_events_are_read_and_that_is_said(kineto, spans_us):
    recording = kineto("two-lists")
    assert [span[1:] for span in spans_us(recording)] == [(0, 21), (30, 39), (42, 47)]
    said = "the file holds 2 lists of events; all of them were read"
    assert recording.warnings[0] == said
