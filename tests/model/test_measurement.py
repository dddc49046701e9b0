"""Rows of plain values: what each holds, which step comes first, null for unknown."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.common_step import common_step
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import default_step, measure
from overlap_widget.model.measurement_rows import as_json
from overlap_widget.model.ranks_said import ALONE
from overlap_widget.model.recording import Phase, Recording, Step
from overlap_widget.model.timeline import Collective, Kind, Timeline

C, M, O = Kind.COMPUTE, Kind.COMMUNICATION, Kind.OTHER  # noqa: E741
TRACE = "run/rank3.json"


def recording_of(rows, steps, rank=3, warnings=()):
    """A recording of rows (step, device, kind, start, end, bytes, backward)."""
    rows = sorted(rows, key=lambda row: row[3])
    step, device, kind, start, end, size, backward = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    moves = np.where(kind == M, np.where(np.isnan(size), 1, 2), 0)
    return Recording(
        path=TRACE,
        format="by hand",
        rank=rank,
        spans=Timeline(
            start_s=start.astype(float),
            end_s=end.astype(float),
            ready_s=start.astype(float),
            kind=kind.astype(np.uint8),
            collective=moves.astype(np.uint8),
            size_bytes=size.astype(float),
            stream=np.zeros(len(rows), dtype=np.int32),
            name=kind.astype(np.int32),
            names=("gemm", "all-reduce", "copy"),
            backward_end_s=None,
        ),
        device=device.astype(np.int32),
        step=step.astype(np.int32),
        phase=np.where(backward, Phase.BACKWARD, 0).astype(np.uint8),
        group=np.full(len(rows), -1, dtype=np.int32),
        loaded_kind=kind.astype(np.uint8),
        groups=(),
        steps=tuple(Step(name, complete) for name, complete in steps),
        warnings=warnings,
    )


# seconds      0    2    3    5    6    8    9    12   14   15
# compute      [    0    ][   0    ]             [  1   ]
# transfer          [     0 ....        ]   [  outside ]
# copy                                           [ 1 ]
BY_HAND = [
    (0, 0, C, 0, 3, 0, False),
    (0, 0, C, 3, 6, 0, True),
    (0, 0, M, 2, 8, 40, False),
    (1, 0, C, 12, 14, 0, False),
    (1, 0, O, 12, 13, 0, False),
    (-1, 0, M, 9, 13, np.nan, False),
]
STEPS = [("4", True), ("5", True)]


def test_a_step_worked_by_hand():
    first, second = measure([recording_of(BY_HAND, STEPS)]).steps
    assert (first.file, first.rank, first.device, first.step) == (TRACE, 3, 0, "4")
    assert (first.compute_s, first.communication_s) == (6, 6)
    assert (first.hidden_s, first.exposed_s, first.tail_s) == (4, 2, 2)
    assert first.backward_found
    assert first.waiting_s is None
    assert (second.compute_s, second.communication_s, second.tail_s) == (2, 0, 0)
    assert not second.backward_found


def test_the_totals_are_of_the_whole_file():
    (total,) = measure([recording_of(BY_HAND, STEPS)]).totals
    assert (total.compute_s, total.communication_s) == (8, 10)
    assert (total.hidden_s, total.exposed_s, total.overlap) == (5, 5, 0.5)


def test_transfers_start_with_their_step_and_outside_of_steps_with_the_file():
    inside, outside = measure([recording_of(BY_HAND, STEPS)]).transfers
    assert (inside.step, inside.start_s, inside.end_s) == ("4", 2, 8)
    assert (inside.bytes, inside.collective, inside.exposed_s) == (40, "all_reduce", 2)
    assert (outside.step, outside.start_s, outside.end_s) == (None, 9, 13)
    assert (outside.bytes, outside.collective, outside.exposed_s) == (None, None, 4)


def test_the_clock_of_a_transfer_is_that_of_its_step_on_its_device():
    rows = [
        (0, 0, C, 0, 3, 0, False),
        (0, 1, C, 10, 13, 0, False),
        (0, 1, M, 11, 15, 8, False),
    ]
    (transfer,) = measure([recording_of(rows, [("4", True)])]).transfers
    assert (transfer.device, transfer.start_s, transfer.end_s) == (1, 1, 5)


def test_each_device_has_its_own_rows():
    rows = [(0, 0, C, 0, 3, 0, False), (0, 1, M, 1, 6, 8, False)]
    measured = measure([recording_of(rows, [("4", True)])])
    assert [(row.device, row.exposed_s) for row in measured.steps] == [(0, 0), (1, 5)]
    assert [row.overlap for row in measured.totals] == [None, 0]


def test_the_document_has_the_agreed_keys_and_null_for_unknown():
    document = as_json(measure([recording_of(BY_HAND, STEPS, None, ("a guess",))]))
    assert json.loads(json.dumps(document, allow_nan=False)) == {
        "files": [{"path": TRACE, "format": "by hand", "warnings": ["a guess", ALONE]}],
        "steps": [
            {
                "file": TRACE,
                "rank": None,
                "device": 0,
                "step": step,
                "complete": True,
                "backward_found": found,
                "compute_s": compute,
                "communication_s": communication,
                "hidden_s": hidden,
                "exposed_s": exposed,
                "tail_s": tail,
                "waiting_s": None,
            }
            for step, found, compute, communication, hidden, exposed, tail in (
                ("4", True, 6, 6, 4, 2, 2),
                ("5", False, 2, 0, 0, 0, 0),
            )
        ],
        "totals": [
            {
                "file": TRACE,
                "rank": None,
                "device": 0,
                "compute_s": 8,
                "communication_s": 10,
                "hidden_s": 5,
                "exposed_s": 5,
                "overlap": 0.5,
            }
        ],
        "transfers": [
            {
                "rank": None,
                "device": 0,
                "step": step,
                "name": "all-reduce",
                "collective": collective,
                "bytes": size_bytes,
                "start_s": start,
                "end_s": end,
                "exposed_s": exposed,
            }
            for step, collective, size_bytes, start, end, exposed in (
                ("4", "all_reduce", 40, 2, 8, 2),
                (None, None, None, 9, 13, 4),
            )
        ],
        "link": None,
        "default_step": "4",
    }


def steps_lasting(*rows):
    """A recording with steps (seconds, communicates, complete) and its steps."""
    spans, start = [], 0
    for at, (length, communicates, _) in enumerate(rows):
        if length:
            spans.append((at, 0, C, start, start + length, 0, False))
        if communicates:
            spans.append((at, 0, M, start, start + 1, 8, False))
        start += 100
    steps = [(str(at), complete) for at, (_, _, complete) in enumerate(rows)]
    return recording_of([*spans, (-1, 0, C, 999, 1000, 0, False)], steps)


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([(5, True, True)], 0),
        ([(5, True, True), (9, True, True)], 1),  # not the first
        ([(5, True, True), (9, True, False)], 0),  # unless no other is complete
        ([(5, True, True), (9, True, True), (7, True, True)], 2),  # shorter of two
        ([(5, True, True), (9, True, True), (7, True, True), (8, True, True)], 3),
        ([(5, True, True), (9, False, True), (20, True, True)], 2),  # communicates
        ([(5, False, True), (9, False, True), (7, False, True)], 2),  # none does
        ([(5, True, True), (9, False, True)], 0),  # which counts for more
        ([(5, True, False), (9, True, False)], None),
    ],
)
def test_the_default_step_is_complete_steady_and_communicates(rows, chosen):
    assert default_step(steps_lasting(*rows)) == chosen


@pytest.mark.parametrize(("count", "chosen"), [(3, 1), (4, 2), (5, 2), (6, 3)])
def test_the_noise_of_floats_decides_between_no_equal_steps(count, chosen):
    # As floats, 100 + 5.7 - 100 is more than 200 + 5.7 - 200.
    equal = steps_lasting(*[(5.7, True, True)] * count)
    assert default_step(equal) == chosen
    assert equal.steps[chosen].name == common_step([measured_file(equal)] * 2)


def test_nothing_measured_is_an_empty_document():
    assert as_json(measure([])) == {
        "files": [],
        "steps": [],
        "totals": [],
        "transfers": [],
        "link": None,
        "default_step": None,
    }


ROWS = st.tuples(
    st.integers(-1, 2),
    st.integers(0, 1),
    st.sampled_from([C, M, O]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.just(8.0) | st.just(np.nan),
    st.booleans(),
)


@given(st.lists(ROWS, min_size=1, max_size=8))
def test_parts_add_up_and_nothing_is_nan(rows):
    rows = [(*row[:4], row[3] + row[4], *row[5:]) for row in rows]
    steps = [("a", True), ("b", True), ("c", False)]
    measured = measure([recording_of(rows, steps)])
    json.dumps(as_json(measured), allow_nan=False)
    for row in (*measured.steps, *measured.totals):
        assert row.hidden_s + row.exposed_s == pytest.approx(row.communication_s)
        assert 0 <= row.hidden_s <= row.compute_s + 1e-9
    assert len(measured.transfers) == sum(row[2] == M for row in rows)
    for row in measured.transfers:
        assert 0 <= row.exposed_s <= row.end_s - row.start_s
        assert row.collective != Collective.NONE.name.lower()
