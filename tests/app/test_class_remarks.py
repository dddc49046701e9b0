"""What is said of classes: kernels that count as neither, and that nothing moves."""

from dataclasses import replace

import numpy as np

from overlap_widget.app.class_remarks import class_remarks
from overlap_widget.app.measured import example
from overlap_widget.app.said import text
from overlap_widget.model.recording import window
from overlap_widget.model.timeline import Kind


def shown(kinds, names=("gemm", "copy", "fill")):
    """A step of kernels of 1 ms, 2 ms, ... named after their kind."""
    count = len(kinds)
    spans = example().spans.select(np.arange(count))
    start_s = np.arange(count) * 0.1
    spans = replace(
        spans,
        kind=np.array(kinds, dtype=np.uint8),
        name=np.array(kinds, dtype=np.int32),
        names=names,
        start_s=start_s,
        end_s=start_s + 0.001 * np.arange(1, count + 1),
        ready_s=start_s,
    )
    return replace(window(example(), 0, 0), timeline=spans)


def test_a_step_in_which_nothing_moves_names_what_takes_longest():
    (said,) = map(text, class_remarks(shown([Kind.COMPUTE, Kind.COMPUTE])))

    assert "These take longest: gemm." in said


def test_what_counts_as_neither_is_counted_and_named_with_its_share():
    # 1 ms of compute, 2 of communication, 3 + 4 of other: 70 %
    step = shown([Kind.COMPUTE, Kind.COMMUNICATION, Kind.OTHER, Kind.OTHER])
    (said,) = map(text, class_remarks(step))

    assert said.startswith("2 kernels of this step count as neither")
    assert "70\N{NO-BREAK SPACE}%" in said or "70 %" in said
    assert said.endswith("GPU work: fill.")


def test_little_that_counts_as_neither_is_not_worth_a_sentence():
    kinds = [Kind.OTHER, *[Kind.COMPUTE] * 20, Kind.COMMUNICATION]  # 1 of 253 ms

    assert class_remarks(shown(kinds)) == []


def test_a_long_name_is_cut():
    step = shown([Kind.COMPUTE], names=("k" * 300, "c", "o"))
    (said,) = map(text, class_remarks(step))

    assert "k" * 80 + "…" in said
    assert "k" * 81 not in said
