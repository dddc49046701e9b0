"""What is kept of a recording: the numbers of each window, transfers, no kernels."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model.breakdown import break_down, exposed, exposed_s
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import measure_files, transfer_rows
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.recording import Phase, Recording, Step, window
from overlap_widget.model.timeline import Collective, Kind, Timeline
from overlap_widget.model.windows import rows_by_place

C, M, O = Kind.COMPUTE, Kind.COMMUNICATION, Kind.OTHER  # noqa: E741
STEPS = 3
ROWS = st.lists(
    st.tuples(
        st.integers(-1, STEPS - 1),
        st.integers(0, 1),
        st.sampled_from([C, M, O]),
        st.integers(0, 30),
        st.integers(0, 9),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


def recording_of(rows):
    """Rows (step, device, kind, start, length, of the backward pass)."""
    rows = sorted(rows, key=lambda row: row[3:5])
    step, device, kind, start, length, backward = map(np.array, zip(*rows, strict=True))
    zeros, first = np.zeros(len(rows), dtype=np.int32), start.min()
    spans = Timeline(
        start_s=(start - first).astype(float),
        end_s=(start - first + length).astype(float),
        ready_s=(start - first).astype(float),
        kind=kind.astype(np.uint8),
        collective=np.where(kind == M, Collective.ALL_REDUCE, 0).astype(np.uint8),
        size_bytes=np.where(kind == M, 8.0, 0.0),
        stream=zeros,
        name=kind.astype(np.int32),
        names=("gemm", "all-reduce", "copy"),
        backward_end_s=None,
    )
    return Recording(
        path="run.json",
        format="by hand",
        rank=3,
        spans=spans,
        device=device.astype(np.int32),
        step=step.astype(np.int32),
        phase=np.where(backward, Phase.BACKWARD, 0).astype(np.uint8),
        group=zeros - 1,
        loaded_kind=spans.kind,
        groups=(),
        steps=tuple(Step(str(at), complete=True) for at in range(STEPS)),
        warnings=(),
    )


@settings(max_examples=50)
@given(ROWS)
def test_each_step_is_the_window_that_is_cut_of_it_alone(rows):
    recording = recording_of(rows)
    found = iter(measured_file(recording).step_rows)
    for step in range(STEPS):
        for device in recording.devices:
            cut, row = window(recording, device, step), next(found)
            parts = break_down(cut.timeline)
            assert (row.step, row.device) == (str(step), device)
            assert row.backward_found == cut.backward_found
            for key in ("compute_s", "communication_s", "hidden_s", "exposed_s"):
                assert getattr(row, key) == getattr(parts, key)
            assert (row.tail_s, row.span_s) == (parts.tail_s, parts.span_s)
    assert next(found, None) is None


@settings(max_examples=50)
@given(ROWS)
def test_every_row_is_in_one_place(rows):
    recording = recording_of(rows)
    places = rows_by_place(recording)
    assert sorted(np.concatenate(list(places.values()))) == list(range(len(rows)))
    for (step, device), at in places.items():
        assert (recording.step[at] == step).all()
        assert (recording.device[at] == device).all()
        assert (np.diff(at) > 0).all()


@settings(max_examples=50)
@given(ROWS)
def test_transfers_are_exposed_where_nothing_of_their_step_computes(rows):
    recording = recording_of(rows)
    file, spans = measured_file(recording), recording.spans
    moved = np.flatnonzero(spans.kind == M)
    assert file.transfers.start_s.tolist() == spans.start_s[moved].tolist()
    for at, row in enumerate(moved):
        here = (recording.step == recording.step[row]) & (
            recording.device == recording.device[row]
        )
        alone = exposed_s(spans.select(here))[np.flatnonzero(here) == row]
        assert file.transfers.exposed_s[at] == alone
        place = int(recording.step[row]), int(recording.device[row])
        stretches = file.exposed.get(place, np.empty((0, 2)))
        assert stretches.tolist() == exposed(spans.select(here)).tolist()


def test_only_names_of_transfers_are_kept():
    rows = [(0, 0, C, 0, 3, True), (0, 0, M, 1, 4, False), (0, 0, O, 2, 1, False)]
    file = measured_file(recording_of(rows))
    assert file.transfers.names == ("all-reduce",)
    assert file.transfers.name.tolist() == [0]


def test_it_stays_small_however_many_kernels_there_are():
    rows = [(0, 0, C, 2 * at, 1, True) for at in range(3000)]
    file = measured_file(recording_of([*rows, (0, 0, M, 0, 2, False)]))
    assert len(pickle.dumps(file)) < 5000


def test_steps_that_stand_out_on_their_device_have_a_remark():
    # Device 1 takes long for step 2 and device 0 for step 1.
    lengths = {0: (4, 9, 4), 1: (4, 4, 9)}
    rows = [
        (step, device, C, 20 * step, length, True)
        for device, each in lengths.items()
        for step, length in enumerate(each)
    ]
    file = measured_file(recording_of(rows))
    remarks = {(row.step, row.device): row.remark for row in file.step_rows}
    assert remarks == {
        ("0", 0): "first",
        ("1", 0): "long",
        ("2", 0): "",
        ("0", 1): "first",
        ("1", 1): "",
        ("2", 1): "long",
    }


def test_steps_of_one_name_keep_their_own_clocks():
    rows = [(0, 0, M, 2, 3, False), (1, 0, C, 10, 1, False), (1, 0, M, 12, 3, False)]
    recording = recording_of(rows)
    same = tuple(Step("7", complete=True) for _ in recording.steps)
    object.__setattr__(recording, "steps", same)
    starts = [row.start_s for row in transfer_rows(measured_file(recording))]
    assert starts == [0, 2]


def test_many_steps_are_measured_in_one_pass():
    # Cut one by one, each from all rows, 4,000 steps would take a minute.
    count = 4000
    rows = [(at, 0, kind, 10 * at, 5, True) for at in range(count) for kind in (C, M)]
    recording = recording_of([(0, *row[1:]) for row in rows])
    step = np.repeat(np.arange(count, dtype=np.int32), 2)
    steps = tuple(Step(str(at), complete=True) for at in range(count))
    for name, value in (("step", step), ("steps", steps)):
        object.__setattr__(recording, name, value)
    file = measured_file(recording)
    assert len(file.step_rows) == count
    assert {row.hidden_s for row in file.step_rows} == {5}


def test_ranks_wait_in_the_rows_of_their_steps(rank_file):
    # Rank 0 begins the all-reduce of step 8 before rank 1 does, which did not record
    # step 7; nothing moves in step 9.
    none, moves = Collective.NONE, Collective.ALL_REDUCE
    rows = [
        [(0, moves, 0, 5), (1, moves, 10, 15), (2, none, 20, 21)],
        [(0, moves, 13, 15), (1, none, 20, 22)],
    ]
    steps = [("7", "8", "9"), ("8", "9")]
    files = [rank_file(at, rows[at], steps=steps[at]) for at in (0, 1)]
    measured = measure_files(files, compare_ranks(files))
    waits = [row.waiting_s for row in measured.steps]
    assert waits == [None, 3, None, 0, None]
    assert measured.default_step == "8"
    alone = measure_files(files)
    assert {row.waiting_s for row in alone.steps} == {None}
    assert len(measured.files[0].warnings) > len(alone.files[0].warnings)


@pytest.mark.parametrize("column", ["start_s", "step", "exposed_s"])
def test_columns_of_different_lengths_are_refused(rank_file, column):
    moved = rank_file(0, [(0, Collective.ALL_REDUCE, 0, 5)]).transfers
    columns = {name: getattr(moved, name) for name in moved.__dataclass_fields__}
    with pytest.raises(ValueError, match="differ in length"):
        type(moved)(**columns | {column: columns[column][:0]})
