"""Rows of a GPU that are written oddly are read, or it is said that they are not."""

import pytest

from overlap_widget.model.traces import TraceError


def test_a_begin_and_an_end_are_one_event(kineto, spans_us):
    # us         10    15.25    31   40.5  44 47
    # stream 7   [     gemm     ]          [  ]
    # stream 20        [   all-reduce ]
    recording = kineto("begins-and-ends")
    assert [times for _, *times in spans_us(recording)] == [
        [0, 21],
        [5.25, 30.5],
        [34, 37],
    ]
    assert recording.step.tolist() == [0, 0, -1]
    said = "1 GPU event that has a start (B) and no end left out"
    assert said in recording.warnings


def test_a_device_under_several_processes_is_said(kineto):
    (said,) = (
        one
        for one in kineto("ranks-put-together").warnings
        if "several processes" in one
    )
    assert said == (
        "device 0 stands under several processes, which are taken for one; open the "
        "file of each rank by itself"
    )


def test_work_without_categories_is_named_where_nothing_else_is_there(path_of, kineto):
    with pytest.raises(TraceError) as refused:
        kineto("without-categories")
    assert str(refused.value) == (
        f"{path_of('without-categories')}: no GPU work that can be read in the file: "
        "2 events on rows of a GPU left out: no category; record the run again"
    )
