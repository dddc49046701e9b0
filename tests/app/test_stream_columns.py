"""Lanes of a measured step: real kernels, few marks, exposed parts where they are."""

import json

import numpy as np
import pytest

from overlap_widget.app.measured import Measured
from overlap_widget.app.said import text
from overlap_widget.app.stream_bars import MOST_MARKS
from overlap_widget.app.stream_columns import stream_columns
from overlap_widget.model.recording import Window
from overlap_widget.model.timeline import Kind, Timeline


def timeline(spans, backward_end_s=None, names=("gemm", "ncclAllReduce", "copy")):
    """Spans of (start, end, kind, stream), named after their kind."""
    start_s, end_s, kind, stream = (
        np.array(column) for column in zip(*spans, strict=True)
    )
    count = len(spans)
    return Timeline(
        start_s=start_s.astype(float),
        end_s=end_s.astype(float),
        ready_s=start_s.astype(float),
        kind=kind.astype(np.uint8),
        collective=np.zeros(count, dtype=np.uint8),
        size_bytes=np.zeros(count),
        stream=stream.astype(np.int32),
        name=kind.astype(np.int32),
        names=names,
        backward_end_s=backward_end_s,
    )


# ms                 0      2      3      5   6        9
# stream 7 compute   [      gemm          ]
# stream 20                 [   all-reduce    ] [  all-reduce 6.5..9 ]
STEP = timeline(
    [
        (0.000, 0.005, Kind.COMPUTE, 7),
        (0.002, 0.006, Kind.COMMUNICATION, 20),
        (0.0065, 0.009, Kind.COMMUNICATION, 20),
        (0.001, 0.0015, Kind.OTHER, 7),
    ],
    backward_end_s=0.005,
)


def sources(step, **measured):
    return stream_columns(Measured(**measured), window_of(step))["sources"]


def window_of(step, backward_found=True):
    return Window(None, 0, None, step, backward_found)


def test_each_stream_and_kind_has_its_lane_compute_on_top():
    assert list(map(text, sources(STEP)["captions"]["text"])) == [
        "Compute, stream 7",
        "Communication, stream 20",
        "Other, stream 7",
    ]


def test_rare_streams_share_a_lane_and_none_is_left_out():
    spans = [(at, at + 1, Kind.COMPUTE, 7) for at in range(3)]
    spans += [
        (9 + stream, 10 + stream, Kind.COMPUTE, stream) for stream in range(10, 16)
    ]
    drawn = sources(timeline(spans))

    assert text(drawn["captions"]["text"][-1]) == "Compute, 4 more streams"
    assert sum(drawn["compute"]["kernels"]) == len(spans)


def test_thousands_of_kernels_without_length_are_drawn_too():
    drawn = sources(timeline([(0, 0, Kind.COMPUTE, 7)] * 5000))

    assert sum(drawn["compute"]["kernels"]) == 5000


def test_exposed_parts_are_where_nothing_computes():
    exposed = sources(STEP)["exposed"]

    assert exposed["left"] == pytest.approx([5, 6.5])
    assert exposed["right"] == pytest.approx([6, 9])


def test_a_sliver_is_drawn_only_where_it_is_most_of_a_transfer():
    # Of 1 s on 1000 pixels: 0.1 ms of a transfer of 100 ms, and a transfer of 0.1 ms.
    step = timeline(
        [
            (0, 0.5, Kind.COMPUTE, 7),
            (0.5001, 0.6, Kind.COMPUTE, 7),
            (0.45, 0.55, Kind.COMMUNICATION, 20),
            (0.8, 0.8001, Kind.COMMUNICATION, 20),
            (0.9, 1.0, Kind.COMPUTE, 7),
        ]
    )
    exposed = sources(step)["exposed"]

    assert exposed["left"] == pytest.approx([800])
    assert exposed["outline"] == [1]


def test_the_tail_is_marked_from_the_end_of_the_pass_with_its_own_length():
    tail = sources(STEP)["tail"]

    assert (tail["left"], tail["right"]) == ([5], [9])
    assert tail["tail"] == pytest.approx([3.5])  # 5..6 and 6.5..9


def test_the_end_of_the_pass_is_marked_as_what_it_is():
    def label(step, backward_found):
        figure = stream_columns(Measured(), window_of(step, backward_found))
        said = map(text, figure["sources"]["pass_label"]["text"])
        return figure["props"]["pass_end"]["location"], list(said)

    alone = timeline([(0, 0.003, Kind.COMPUTE, 7)], backward_end_s=0.003)
    assert label(STEP, True) == (5, ["pass ends"])
    assert label(STEP, False) == (5, ["pass ends (guessed)"])
    assert label(alone, False) == (None, [])  # a guess that nothing depends on


def test_a_step_without_communication_has_no_tail_and_no_exposed_part():
    alone = sources(timeline([(0, 0.003, Kind.COMPUTE, 7)], backward_end_s=0.003))

    assert alone["exposed"]["left"] == alone["tail"]["left"] == []


def test_a_hundred_thousand_kernels_are_a_few_thousand_marks():
    kernels = np.arange(100_000) * 5e-6
    spans = [(at, at + 4e-6, Kind.COMPUTE, 7) for at in kernels]
    spans += [(at, at + 3e-6, Kind.COMMUNICATION, 20) for at in kernels[::3]]
    whole = sources(timeline(spans))
    drawn = sum(len(columns["left"]) for columns in whole.values() if "left" in columns)

    assert drawn <= 2 * MOST_MARKS
    assert sum(whole["compute"]["kernels"]) == 100_000


def test_zooming_in_takes_merged_kernels_apart():
    kernels = np.arange(1000) * 5e-6
    step = timeline([(at, at + 1e-6, Kind.COMPUTE, 7) for at in kernels])
    near = sources(step, window_s=(0.001, 0.0011))

    assert set(near["compute"]["kernels"]) == {1}


def test_long_kernel_names_are_cut_and_markup_stays_text():
    names = ("<b>" + "x" * 500, "nccl", "copy")
    step = timeline([(0, 1, Kind.COMPUTE, 7)], names=names)
    figure = stream_columns(Measured(), window_of(step))

    assert len(figure["names"][0]) < 150
    assert figure["names"][0].startswith("<b>xxx")
    json.dumps(figure, allow_nan=False)


def test_marks_that_no_finer_ones_can_follow_take_kernels_apart_at_once():
    # 1000 kernels of 1 µs in 5 ms: a pixel holds one of them and four times its room.
    kernels = np.arange(1000) * 5e-6
    step = timeline([(at, at + 1e-6, Kind.COMPUTE, 7) for at in kernels])
    merged = stream_columns(Measured(), window_of(step))["sources"]["compute"]
    fine = stream_columns(Measured(), window_of(step), finest_s=1e-9)

    assert max(merged["kernels"]) > 1
    assert fine["sources"]["compute"]["kernels"] == [1] * 1000


def test_fine_marks_are_merged_too_where_there_are_too_many():
    gaps = 1 / np.random.default_rng(0).uniform(1e3, 1e6, 20_000)
    kernels = np.cumsum(gaps + 1e-7)
    step = timeline([(at, at + 1e-7, Kind.COMPUTE, 7) for at in kernels])
    figure = stream_columns(Measured(), window_of(step), finest_s=1e-9)
    fine = figure["sources"]["compute"]["kernels"]

    assert MOST_MARKS / 4 < len(fine) <= MOST_MARKS
    assert sum(fine) == 20_000


def test_fine_exposed_parts_are_outlined_as_on_the_whole_screen():
    # Of 1 s on 1000 pixels: a gap of 2 ms in a transfer has no outline, one of 40 has.
    step = timeline(
        [
            (0, 0.500, Kind.COMPUTE, 7),
            (0.502, 0.600, Kind.COMPUTE, 7),
            (0.640, 1.000, Kind.COMPUTE, 7),
            (0.3, 0.7, Kind.COMMUNICATION, 20),
        ]
    )
    figure = stream_columns(Measured(), window_of(step), finest_s=1e-9)
    exposed = figure["sources"]["exposed"]

    assert exposed["left"] == pytest.approx([500, 600])
    assert exposed["outline"] == [0, 1]
