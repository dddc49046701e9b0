"""Times that can't be true are left out or clipped, and said; true ones stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import load
from overlap_widget.model.traces.gpu_events import NO_TIME, WORK
from overlap_widget.model.traces.odd_spans import HOUR_NS, cleaned

NO_HOST = np.empty(0, dtype=np.int64)
EPOCH_NS = 1_600_000_000 * 10**9
TIMES_NS = st.one_of(
    st.integers(0, 10_000),
    st.sampled_from(
        [
            *(NO_TIME, NO_TIME + 1, 0, 1, -5, HOUR_NS, EPOCH_NS, EPOCH_NS + 3),
            *(2**61, -(2**61), 2**62, 2**63 - 1),
        ]
    ),
)


def work_of(starts_ns, lengths_ns, **columns):
    count = len(starts_ns)
    table = {name: np.zeros(count, dtype=code) for name, code in WORK.items()}
    table["start_ns"][:] = starts_ns
    table["length_ns"][:] = lengths_ns
    table["is_kernel"][:] = 1
    for name, column in columns.items():
        table[name][:] = column
    return table


def starts_and_lengths(work):
    return list(zip(work["start_ns"].tolist(), work["length_ns"].tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "left", "said"),
    [
        ("zero-times", [(0, 21), (33, 42)], "3 kernels without a time were left out"),
        ("zero-is-a-time", [(0, 21), (30, 39)], None),
        (
            "negative-length",
            [(0, 21), (30, 39)],
            "2 GPU events with negative length left out",
        ),
        (
            "far-away",
            [(0, 21), (30, 39)],
            "2 kernels more than an hour away from the rest left out",
        ),
        ("longer-than-an-hour", [(0, 21)], "1 kernel longer than an hour left out"),
        ("bare-length", [(0, 21), (30, 39)], "2 kernels without a time were left out"),
        ("graph-nodes", [(0, 50), (10, 25), (51, 60)], None),
    ],
)
def test_each_fault_is_left_out_and_said(kineto, spans_us, name, left, said):
    recording = kineto(name)
    assert [(start, end) for _, start, end in spans_us(recording)] == left
    faults = [
        one for one in recording.warnings if "kernel" in one or "GPU event" in one
    ]
    assert faults == ([said] if said else [])


def test_a_kernel_that_swallows_the_next_ends_where_it_starts(kineto, spans_us):
    # us          10      31  40   55  64  70 76   80   86
    # endless                 [ .......................... 1.6 s
    # the others  [ gemm ]        [   ]    [  ]   [ [ ]] a rounding microsecond
    recording = kineto("swallows-the-next")
    assert spans_us(recording)[1] == ("endless", 30, 45)
    assert spans_us(recording)[4] == ("rounded", 70, 76)
    assert (
        "1 kernel longer than the gap to the next kernel on its stream; clipped"
        in recording.warnings
    )


def test_only_work_of_the_same_stream_and_device_counts_for_clipping():
    work, said = cleaned(
        work_of([0, 10_000, 20_000], [90_000] * 3, stream=[7, 8, 7], device=[0, 0, 1]),
        NO_HOST,
    )
    assert starts_and_lengths(work) == [(0, 90_000), (10_000, 90_000), (20_000, 90_000)]
    assert said == []


def test_two_broken_kernels_in_a_row_are_both_clipped():
    work, said = cleaned(work_of([0, 10, 20], [10**6, 2 * 10**6, 30]), NO_HOST)
    assert starts_and_lengths(work) == [(0, 10), (10, 10), (20, 30)]
    assert said == [
        "2 kernels longer than the gap to the next kernel on its stream; clipped"
    ]


def test_a_kernel_longer_than_an_hour_stays_if_the_next_one_bounds_it():
    work, _ = cleaned(work_of([0, 500], [2 * HOUR_NS, 40]), NO_HOST)
    assert starts_and_lengths(work) == [(0, 500), (500, 40)]


def test_work_without_a_length_bounds_nothing():
    # ns      0     3000          9000
    # endless [ ....|............ 1 s
    # next                        [ 50 ]
    work, _ = cleaned(work_of([0, 3000, 9000], [10**9, 0, 50]), NO_HOST)
    assert starts_and_lengths(work) == [(0, 9000), (3000, 0), (9000, 50)]


def test_what_a_file_holds_twice_counts_once():
    times_ns = [(0, 9000), (0, 9000), (0, 9000), (0, 9000), (20_000, 999)]
    columns = {"stream": [1, 2, 1, 1, 1], "correlation": [5, 5, 5, 6, 7]}
    work, said = cleaned(work_of(*zip(*times_ns, strict=True), **columns), NO_HOST)
    assert work["stream"].tolist() == [1, 2, 1, 1]
    assert work["correlation"].tolist() == [5, 5, 6, 7]
    assert said == ["1 kernel that the file holds twice left out"]


@pytest.mark.parametrize(
    ("columns", "kept"),
    [({"in_graph": 1}, 2), ({"length_ns": 999}, 2), ({"name": [0, 1]}, 2), ({}, 1)],
)
def test_what_may_truly_be_alike_is_kept(columns, kept):
    work, _ = cleaned(work_of([7, 7], [1000, 1000], **columns), NO_HOST)
    assert len(work["name"]) == kept


def test_starts_of_zero_on_one_stream_are_no_times_whatever_the_cpu_says():
    for lengths_ns, kept in (([5000, 6000], 0), ([5000, 900], 2)):
        work, said = cleaned(work_of([0, 0], lengths_ns), np.array([10_000]))
        assert len(work["name"]) == kept
        assert said == ([] if kept else ["2 kernels without a time were left out"])


def test_where_all_times_lie_beyond_any_clock_nothing_is_left():
    # as of nanoseconds since 1970 that are taken for microseconds
    for host_ns in (NO_HOST, np.array([2**61])):
        work, said = cleaned(work_of([2**61] * 3, [9] * 3), host_ns)
        assert len(work["name"]) == 0
        assert said == ["3 kernels at times that no clock shows left out"]


def test_one_kernel_without_a_time_is_one():
    work, said = cleaned(work_of([9, NO_TIME], [9, 9]), NO_HOST)
    assert starts_and_lengths(work) == [(9, 9)]
    assert said == ["1 kernel without a time was left out"]


def test_if_every_start_is_zero_the_clock_of_the_cpu_decides():
    zeros = work_of([0, 0], [5, 6], stream=[1, 2])
    near, far = np.array([1000]), np.array([EPOCH_NS])
    assert len(cleaned(zeros, near)[0]["name"]) == 2
    assert len(cleaned(zeros, far)[0]["name"]) == 0


def test_of_two_equal_groups_the_one_near_the_cpu_stays():
    apart = work_of([100, EPOCH_NS], [5, 6])
    for host_ns, kept in ((200, 100), (EPOCH_NS - 9, EPOCH_NS)):
        work, _ = cleaned(apart, np.array([host_ns]))
        assert work["start_ns"].tolist() == [kept]


def test_work_at_times_beyond_all_others_never_outnumbers_the_rest():
    # lost times are cut to the largest there is, so several of them look like a group
    work, said = cleaned(work_of([9, 2**61, 2**61, 2**61, -(2**61)], [5] * 5), NO_HOST)
    assert starts_and_lengths(work) == [(9, 5)]
    assert said == ["4 kernels more than an hour away from the rest left out"]


def test_times_at_the_end_of_their_integers_neither_wrap_nor_stay():
    last, first = 2**63 - 1, -(2**63) + 1
    work, said = cleaned(work_of([last, first, 7, 9], [1, last, last, 3]), NO_HOST)
    assert starts_and_lengths(work) == [(7, 2), (9, 3)]
    assert [int(one.split()[0]) for one in said] == [2, 1]


def test_a_device_with_a_clock_of_its_own_is_named():
    work, said = cleaned(
        work_of(
            [1000, 2000, 3000, EPOCH_NS, EPOCH_NS + 500],
            [10] * 5,
            device=[0, 0, 0, 1, 1],
        ),
        NO_HOST,
    )
    assert work["device"].tolist() == [0, 0, 0]
    assert said == [
        "2 kernels more than an hour away from the rest left out (all of device 1)"
    ]


@pytest.mark.parametrize(
    ("starts_ns", "host_ns", "kept"),
    [
        ([0, 40_000_000, 42_000_000], [], 2),  # 2 ms of work, 40 ms behind zero
        ([0, 15_000_000, 17_000_000], [], 3),  # near enough to be true
        ([0, 40_000_000, 42_000_000], [100], 3),  # the CPU was there as well
        ([0, 40_000_000, 42_000_000], [39_000_000], 2),  # it was not
        ([0, 9_000_000], [], 2),  # a millisecond counts as length of one kernel
        ([0, 0], [], 2),
    ],
)
def test_a_start_of_zero_is_a_time_only_near_the_others(starts_ns, host_ns, kept):
    count = len(starts_ns)
    work, _ = cleaned(
        work_of(starts_ns, [50] * count, stream=range(count)),
        np.array(host_ns, dtype=np.int64),
    )
    assert len(work["name"]) == kept


def test_work_without_oddities_is_handed_on_as_it_is():
    before = work_of([100, 200, 300], [50, 60, 70])
    after, said = cleaned(before, NO_HOST)
    assert said == []
    assert all(after[name] is before[name] for name in before)


def test_steps_on_another_clock_than_the_work_are_said_and_not_used(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(
        '[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","ts":1600000000,'
        '"dur":50},{"ph":"X","cat":"kernel","name":"a","ts":100,"dur":7}]'
    )
    recording = load(str(path))
    assert [step.name for step in recording.steps] == ["whole file"]
    assert recording.step.tolist() == [0]
    assert any("no GPU work lies in the steps" in one for one in recording.warnings)


@given(st.lists(st.tuples(TIMES_NS, TIMES_NS, st.integers(0, 1)), max_size=9))
def test_what_is_left_fits_on_one_axis_and_never_grew(rows):
    before = work_of(*([row[at] for row in rows] for at in (0, 1)))
    before["stream"][:] = [row[2] for row in rows]
    work, said = cleaned(before, NO_HOST)
    assert (work["length_ns"] >= 0).all()
    assert (work["length_ns"] <= HOUR_NS).all()
    if len(work["name"]):
        gaps_ns = np.diff(np.sort(work["start_ns"]))
        assert (gaps_ns <= HOUR_NS + 10_000).all()
    left_out = len(rows) - len(work["name"])
    assert left_out == sum(int(one.split()[0]) for one in said if "left out" in one)
