"""What if, in words for a terminal."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.app import what_if_report
from overlap_widget.app.measured import example
from overlap_widget.app.measurement_report_rows import ALL, told
from overlap_widget.app.what_if import link_of
from overlap_widget.app.what_if_report import what_if_sentences
from overlap_widget.model.backward import simulate
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link
from overlap_widget.model.link_fit import Refused, fitted_link
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import measure_files
from overlap_widget.model.plans import Best
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.replay import MeasuredPass, Replay
from overlap_widget.model.traces import load
from overlap_widget.model.units import MIB

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
        "is 5.53 ms. With the best plan, 48 transfers of 7.09 MB (the finest pieces "
        "that are tried), it would be 556 µs. With DDP's default buckets "
        "(bucket_cap_mb not set) it would be 1.86 ms, in 13 transfers. Of "
        "bucket_cap_mb 10, 25, 50, 100 and 200 the best is 10: 1.07 ms, in 24 "
        "transfers."
    )


def test_a_step_is_replayed_on_the_link_that_the_page_shows(monkeypatch):
    fits = []
    monkeypatch.setattr(
        what_if_report, "replayed", lambda *given: fits.append(given[3]) or Refused("")
    )
    said(example())

    assert [fit.link for fit in fits] == [link_of(example()).link]


@pytest.mark.parametrize(
    ("sizes_mib", "plan", "buckets"),
    [
        # 1 ms overhead and 1 MiB a ms; a layer takes 100 ms, so each is sent by then:
        # the last bucket decides, 1 + its size
        (
            (30, 9, 21, 30),
            (1, 2, 1),
            "With the best plan, 3 transfers of 31.5 MB, it would be 7 s. With DDP's "
            "default buckets (bucket_cap_mb not set) it would be 31 ms, in 3 "
            "transfers. With bucket_cap_mb=50 it would be 31 ms, in 2 transfers.",
        ),
        (
            (3, 3),
            (2,),
            "With the best plan, 1 transfer of 6.29 MB, it would be 7 s. With DDP's "
            "default buckets (bucket_cap_mb not set) it would be 4 ms, in 2 transfers. "
            "With bucket_cap_mb=5 it would be 7 ms, in 1 transfer.",
        ),
        (
            (20, 40),
            (1, 1),
            "With the best plan, 2 transfers of 21 MB to 41.9 MB (the finest pieces "
            "that are tried), it would be 7 s. With DDP's default buckets "
            "(bucket_cap_mb not set) it would be 41 ms, in 2 transfers. With "
            "bucket_cap_mb=50 it would be 61 ms, in 1 transfer.",
        ),
    ],
)
def test_the_best_plan_is_told_and_caps_that_one_can_set(
    sizes_mib, plan, buckets, monkeypatch
):
    layers = tuple(Layer(f"{at}", 0.1, mib * MIB) for at, mib in enumerate(sizes_mib))
    link = Link(overhead_s=1e-3, bandwidth_bytes_per_s=MIB / 1e-3)
    found = fitted_link([measured_file(example())])
    measured = MeasuredPass(0.1 * len(layers), layers, plan, (0.0,), (1.0,))
    replay = Replay(
        measured=measured,
        fit=replace(found, link=link),
        simulation=simulate(layers, plan, link),
        best=Best(bucket=1, tail_s=8.0, plan=plan, plan_tail_s=7.0),
    )
    monkeypatch.setattr(what_if_report, "replayed", lambda *_: replay)
    assert said(example())[1].partition(" With")[2] == buckets.removeprefix("With")


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
