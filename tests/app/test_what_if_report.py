"""What if, in words for a terminal."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.app.measured import example
from overlap_widget.app.measurement_report_rows import ALL, told
from overlap_widget.app.what_if_report import what_if_sentences
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import measure_files
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.traces import load

DATA = Path(__file__).parents[1] / "data" / "kineto"


def said(recording, step=None):
    files = [measured_file(recording)]
    rows = told(files, measure_files(files), step)
    places = [f"Place {at}" for at in range(len(rows))]
    return what_if_sentences(files, compare_ranks(files), rows, places)


def test_the_link_comes_first_then_the_step():
    link, step = said(example())
    assert link == (
        "What if: the link has 13.8 GB/s (± 0.78 %) and an overhead of 43.4 µs "
        "(± 29 µs), fitted to 15 transfers of 28.4 MB to 85.1 MB; typically it misses "
        "them by 1.3 %."
    )
    assert step == (
        "Place 0: on that link, with its own buckets, the tail is 5.51 ms; measured it "
        "is 5.53 ms. With the best plan it would be 556 µs."
    )


def test_each_step_is_told_of_and_the_one_that_is_refused():
    first = replace(example(), phase=np.where(example().step == 2, 0, example().phase))
    assert [one.split(":")[0] for one in said(first, ALL)[1:]] == [
        f"Place {at}" for at in range(4)
    ]
    assert said(first, ALL)[3].startswith("Place 2: the recording doesn't tell which")


def test_a_refusal_is_one_sentence():
    spans = example().spans
    unsized = replace(
        example(), spans=replace(spans, size_bytes=spans.size_bytes * np.nan)
    )
    (only,) = said(unsized)
    assert only.startswith("What if: there is no estimate, since the recording")


def test_where_nothing_moves_nothing_is_said():
    recording = load(str(DATA / "launched-steps.json"))
    kind = np.zeros_like(recording.spans.kind)
    silent = replace(recording, spans=replace(recording.spans, kind=kind))
    assert said(silent) == []


def test_json_has_the_link_or_null():
    files = [measured_file(example())]
    link = measure_files(files).link
    assert link.bandwidth_bytes_per_s == pytest.approx(13.83e9, rel=1e-3)
    assert link.relative_error == pytest.approx(0.0128, rel=0.01)
    assert measure_files([]).link is None
