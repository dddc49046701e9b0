"""Laws of waiting, whatever the ranks did: parts add up, the latest doesn't wait."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model.grouped import lengths_s
from overlap_widget.model.intervals import difference, intersection, length_s, union
from overlap_widget.model.ranks import NOBODY
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.recording import Group
from overlap_widget.model.timeline import Collective

RANKS = 3
GROUPS = [Group(name, "", tuple(range(RANKS)), RANKS) for name in ("dp", "tp")]
NONE, AR, SR = Collective.NONE, Collective.ALL_REDUCE, Collective.SEND_RECV

# A step of each rank: how long before their common ends its collectives start, in two
# groups so that they overlap; what it computes; a send that nobody else has.
STARTS = st.tuples(*[st.integers(1, 9)] * RANKS)
COLLECTIVES = st.lists(STARTS, min_size=1, max_size=5)
WORK = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), max_size=4)
RUNS = st.tuples(COLLECTIVES, st.tuples(*[WORK] * RANKS), st.booleans())


def ranks_of(rank_file, run, ahead_s=(0, 0, 0)):
    collectives, work, sends = run
    files = []
    for rank in range(RANKS):
        rows = [
            (0, AR, 6 * at + 10 - lead[rank], 6 * at + 10, 8 + at, at % 2)
            for at, lead in enumerate(collectives)
        ]
        rows += [(0, NONE, start, start + length) for start, length in work[rank]]
        if sends and rank == 0:
            rows.append((0, SR, 3, 14))
        files.append(rank_file(rank, rows, GROUPS, ahead_s=ahead_s[rank]))
    return files


@settings(max_examples=30)
@given(RUNS)
def test_parts_add_up_to_communication_and_to_what_is_exposed(rank_file, run):
    files = ranks_of(rank_file, run)
    ranks = compare_ranks(files)
    for at, file in enumerate(files):
        (row,), parts = file.step_rows, ranks.parts[at, 0, 0]
        whole = parts.waiting_s + parts.transfer_s + parts.untold_s
        bare = parts.exposed_waiting_s + parts.exposed_transfer_s
        assert whole == pytest.approx(row.communication_s)
        assert bare + parts.exposed_untold_s == pytest.approx(row.exposed_s, abs=1e-9)
        assert min(vars_of(parts)) >= 0


@settings(max_examples=30)
@given(RUNS)
def test_parts_are_the_intervals_that_a_slow_twin_cuts(rank_file, run):
    files = ranks_of(rank_file, run)
    ranks = compare_ranks(files)
    for at, file in enumerate(files):
        moved, waits = file.transfers, ranks.waiting_s[at]
        told = np.isfinite(waits)
        moving = union((moved.start_s + waits)[told], moved.end_s[told])
        unknown = difference(union(moved.start_s[~told], moved.end_s[~told]), moving)
        busy = union(moved.start_s, moved.end_s)
        waiting = difference(difference(busy, moving), unknown)
        bare = file.exposed.get((0, 0), np.empty((0, 2)))
        cuts = [waiting, moving, unknown]
        cuts += [intersection(one, bare) for one in cuts]
        expected = [length_s(one) for one in cuts]
        assert vars_of(ranks.parts[at, 0, 0]) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=30)
@given(RUNS)
def test_nobody_waits_longer_than_it_lasts_and_the_latest_not_at_all(rank_file, run):
    files = ranks_of(rank_file, run)
    ranks = compare_ranks(files)
    for at, file in enumerate(files):
        waits, latest = ranks.waiting_s[at], ranks.latest[at]
        told = np.isfinite(waits)
        lengths = file.transfers.end_s - file.transfers.start_s
        assert (latest[~told] == NOBODY).all()
        assert (waits[told] >= 0).all()
        assert (waits[told] <= lengths[told]).all()
        assert (waits[latest == at] == 0).all()


@settings(max_examples=30)
@given(RUNS)
def test_each_transfer_waits_as_its_start_before_the_latest_says(rank_file, run):
    files = ranks_of(rank_file, run)
    ranks = compare_ranks(files)
    order = [np.argsort(file.transfers.size_bytes) for file in files]
    for rank, file in enumerate(files):
        known = np.isfinite(file.transfers.size_bytes[order[rank]])
        waits = ranks.waiting_s[rank][order[rank]][known]
        expected = [lead[rank] - min(lead) for lead in run[0]]
        assert waits == pytest.approx(expected, abs=1e-9)


@settings(max_examples=30)
@given(RUNS, st.tuples(*[st.integers(-(10**9), 10**9)] * RANKS))
def test_the_clock_of_a_rank_changes_nothing_but_the_shift(rank_file, run, ahead_s):
    plain = compare_ranks(ranks_of(rank_file, run))
    files = ranks_of(rank_file, run, ahead_s)
    ranks = compare_ranks(files)
    assert (ranks.parts, ranks.late) == (plain.parts, plain.late)
    for at, clock in enumerate(ranks.clocks):
        assert clock.shift_ns == (ahead_s[at] - ahead_s[0]) * 10**9
        was = plain.clocks[at]
        assert replace(clock, shift_ns=0, verdict=was.verdict) == was


@settings(max_examples=30)
@given(RUNS)
def test_the_order_of_files_changes_nothing(rank_file, run):
    files = ranks_of(rank_file, run)
    plain, turned = compare_ranks(files), compare_ranks(files[::-1])
    for at in range(RANKS):
        assert vars_of(plain.parts[at, 0, 0]) == pytest.approx(
            vars_of(turned.parts[RANKS - 1 - at, 0, 0]), abs=1e-9
        )


SPANS = st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(0, 6))


@given(st.lists(SPANS, max_size=12))
def test_lengths_by_place_are_those_of_each_union(rows):
    place, start, length = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    start_s, end_s = start.astype(float), (start + length).astype(float)
    expected = [
        length_s(union(start_s[place == at], end_s[place == at])) for at in range(4)
    ]
    assert lengths_s(place, start_s, end_s, 4).tolist() == expected


def vars_of(parts):
    return [
        parts.waiting_s,
        parts.transfer_s,
        parts.untold_s,
        parts.exposed_waiting_s,
        parts.exposed_transfer_s,
        parts.exposed_untold_s,
    ]
