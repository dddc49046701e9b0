"""Bars and labels of the lanes: which layers are drawn, and how they are called."""

from overlap_widget.app.lane_bars import bars_of, compute_bars, layer_labels
from overlap_widget.model import Kind, Layer, Link, simulate, timeline_of

LINK = Link(overhead_s=1, bandwidth_bytes_per_s=1)


def compute_of(*layers):
    """The compute bars of a pass of (name, seconds)."""
    made = [Layer(name, seconds, gradient_bytes=1) for name, seconds in layers]
    timeline = timeline_of(simulate(made, (len(made),), LINK))
    return compute_bars(bars_of(timeline, Kind.COMPUTE))


def test_a_layer_that_takes_no_time_has_no_bar():
    # ms   0         2000                5000
    #      [  head  ][      block 1      ] embeddings
    bars = compute_of(("head", 2), ("block 1", 3), ("embeddings", 0))

    assert bars["layers"] == ["head", "block 1"]
    assert list(zip(bars["left"], bars["right"], strict=True)) == [
        (0, 2000),
        (2000, 5000),
    ]


def test_a_pass_without_any_time_has_neither_bars_nor_labels():
    assert layer_labels(compute_of(("a", 0), ("b", 0)))["text"] == []


def test_labels_leave_out_the_words_that_several_names_begin_with():
    bars = compute_of(("head", 2), ("block 2", 1), ("block 1", 3), ("layer 1", 1))

    assert layer_labels(bars)["text"] == ["head", "2", "1", "layer 1"]


def test_a_sliver_has_no_label_that_would_take_the_room_of_all_others():
    # 0.99 % of the pass is a sliver, 1.01 % is none
    bars = compute_of(
        ("x", 97), ("sliver with a long name", 0.99), ("y", 1.01), ("z", 1)
    )

    assert layer_labels(bars)["text"] == ["x", "", "y", "z"]
