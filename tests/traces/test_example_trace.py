"""The shipped example is the one that its generator makes, and shows what it should."""

import gzip
import json
import runpy
from pathlib import Path

import pytest

from overlap_widget.model import Collective, break_down, window
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import default_step, transfer_rows
from overlap_widget.model.traces import load

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "static" / "example-trace.json.gz"
MOST_BYTES = 30_000


@pytest.fixture(scope="module")
def recording():
    return load(str(SHIPPED))


def test_the_shipped_trace_is_what_the_generator_makes():
    made = runpy.run_path(str(ROOT / "tests" / "example_trace.py"))["document"]()
    shipped = json.loads(gzip.decompress(SHIPPED.read_bytes()))
    assert shipped == made


def test_it_is_small_and_carries_no_date():
    packed = SHIPPED.read_bytes()
    assert len(packed) < MOST_BYTES
    assert packed[4:8] == b"\0\0\0\0"


def test_it_is_one_rank_with_four_complete_steps_and_nothing_doubtful(recording):
    assert recording.rank == 0
    assert [step.complete for step in recording.steps] == [True] * 4
    assert recording.warnings == ()


def test_the_first_step_has_one_bucket_and_hides_nothing(recording):
    first = [row for row in transfer_rows(measured_file(recording)) if row.step == "10"]
    assert [row.collective for row in first] == ["all_reduce"]
    assert first[0].exposed_s == pytest.approx(first[0].end_s - first[0].start_s)


def test_the_default_step_has_five_buckets_a_tail_and_a_gap(recording):
    step = default_step(recording)
    shown = window(recording, 0, step)
    parts = break_down(shown.timeline)
    assert 0.002 < parts.tail_s < 0.008
    assert parts.hidden_s > parts.exposed_s > parts.tail_s
    rows = [
        row
        for row in transfer_rows(measured_file(recording))
        if row.step == recording.steps[step].name
    ]
    assert len(rows) == 5
    assert {row.bytes for row in rows} >= {28_351_488.0}
    in_a_gap = rows[1]  # its transfer goes on while the GPU waits for the CPU
    assert in_a_gap.end_s < shown.timeline.backward_end_s
    assert in_a_gap.exposed_s > 0.001


def test_every_transfer_is_an_all_reduce_of_known_size(recording):
    moving = recording.spans.collective != Collective.NONE
    assert set(recording.spans.collective[moving]) == {Collective.ALL_REDUCE}
    assert (recording.spans.size_bytes[moving] > 0).all()
