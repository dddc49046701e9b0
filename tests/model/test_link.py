"""Links: what a transfer costs on a line and on a table, and what a ring moves."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Layer, Link, MeasuredLink, ring_factor, simulate
from overlap_widget.model.link import ring_bandwidth_bytes_per_s
from overlap_widget.model.links import LINKS

LINE = Link(overhead_s=3, bandwidth_bytes_per_s=1)
TABLE = MeasuredLink(sizes_bytes=(2, 6, 14), times_s=(5, 9, 11), line=LINE)
TABLES = [named.table for named in LINKS.values() if named.table]

# --- A straight line ---------------------------------------------------------------


def test_a_transfer_on_a_line_is_its_overhead_and_its_wire():
    link = Link(overhead_s=0.5, bandwidth_bytes_per_s=4)
    assert link.wire_s(6) == 1.5
    assert link.transfer_s(6) == 2.0
    assert link.transfer_s(0) == 0.5
    assert link.transfer_s(np.array([6.0, 10.0])).tolist() == [2.0, 3.0]


@pytest.mark.parametrize("overhead_s", [-1e-9, math.inf, math.nan])
def test_an_overhead_that_is_negative_or_endless_is_refused(overhead_s):
    with pytest.raises(ValueError, match="overhead must be finite and not negative"):
        Link(overhead_s, 1.0)


@pytest.mark.parametrize("bandwidth", [0, -1.0, math.inf, math.nan])
def test_a_link_that_never_finishes_is_refused(bandwidth):
    with pytest.raises(ValueError, match="bandwidth must be finite and above 0"):
        Link(0.0, bandwidth)


# --- A table -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size_bytes", "transfer_s"),
    [
        (0, 3),  # the overhead of the line, which is less than the first time
        (1, 4),  # half way from there to the first row
        (2, 5),
        (3, 6),  # a quarter of the way from 5 to 9
        (6, 9),
        (10, 10),
        (14, 11),
        (22, 13),  # as fast as between the last two rows: 4 bytes a second
    ],
)
def test_between_and_beyond_its_rows_a_table_runs_straight(size_bytes, transfer_s):
    assert TABLE.transfer_s(size_bytes) == transfer_s
    assert TABLE.wire_s(size_bytes) == transfer_s - 3


def test_below_its_rows_a_table_takes_its_first_time_where_the_line_asks_for_more():
    table = dataclasses.replace(TABLE, line=Link(7, 1))
    assert [table.transfer_s(size) for size in (0, 1, 2, 3)] == [5, 5, 5, 6]
    assert table.overhead_s == 5


def test_a_table_that_starts_at_nothing_knows_its_overhead_itself():
    table = MeasuredLink((0, 4, 6), (3.5, 4, 9), LINE)  # the line says 3
    assert table.overhead_s == 3.5
    assert table.transfer_s(2) == 3.75


def test_the_overhead_of_a_table_that_falls_is_its_shortest_time():
    table = MeasuredLink((1, 3, 5), (4, 2, 8), LINE)
    assert table.overhead_s == 2
    assert [table.wire_s(size) for size in (1, 2, 3, 4)] == [2, 1, 0, 3]


def test_just_before_the_shortest_time_rounding_takes_no_wire_back():
    table = MeasuredLink((6, 32, 40), (1.8, 0.6, 4.0), LINE)
    just_before = math.nextafter(32, 0)  # interpolated 1e-16 below 0.6
    assert np.interp(just_before, table.sizes_bytes, table.times_s) < 0.6
    assert table.wire_s(just_before) == 0


def test_the_bandwidth_of_a_table_is_that_of_its_line():
    assert TABLE.bandwidth_bytes_per_s == 1
    assert TABLE.scaled(wire=4).bandwidth_bytes_per_s == 0.25


@pytest.mark.parametrize(
    ("sizes", "times", "sentence"),
    [
        ((1,), (1,), "a time for each of two sizes or more"),
        ((1, 2, 3), (1, 2), "a time for each of two sizes or more"),
        ((1, 1), (1, 2), "must rise from 0 or more"),
        ((2, 1), (1, 2), "must rise from 0 or more"),
        ((-1, 1), (1, 2), "must rise from 0 or more"),
        ((1, math.inf), (1, 2), "must rise from 0 or more"),
        ((1, math.nan), (1, 2), "must rise from 0 or more"),
        ((1, 2), (0, 2), "must be finite and above 0"),
        ((1, 2), (1, math.nan), "must be finite and above 0"),
        ((1, 2), (1, math.inf), "must be finite and above 0"),
        ((1, 2), (2, 2), "must take longer than the one before"),
        ((1, 2, 3), (1, 3, 2), "must take longer than the one before"),
    ],
)
def test_a_table_that_no_link_can_have_is_refused(sizes, times, sentence):
    with pytest.raises(ValueError, match=sentence):
        MeasuredLink(sizes, times, LINE)


@pytest.mark.parametrize("link", [LINE, TABLE])
def test_overhead_and_wire_are_scaled_apart_and_on_top_of_each_other(link):
    scaled = link.scaled(overhead=0.5, wire=2).scaled(wire=3)
    assert scaled.overhead_s == 1.5
    assert scaled.wire_s(10) == 6 * link.wire_s(10)
    assert scaled.transfer_s(10) == 1.5 + 6 * link.wire_s(10)
    assert link.scaled(overhead=0).transfer_s(10) == link.wire_s(10)
    assert link.scaled() == link


@pytest.mark.parametrize("link", [LINE, TABLE])
@pytest.mark.parametrize(
    "factors", [(-1, 1), (1, 0), (1, -1), (math.nan, 1), (1, math.inf), (math.inf, 1)]
)
def test_a_link_is_not_scaled_until_it_runs_backwards(link, factors):
    with pytest.raises(ValueError, match="can be scaled by 0 or more"):
        link.scaled(*factors)


# --- Laws of both ------------------------------------------------------------------

SIZES = st.lists(
    st.integers(0, 40).map(lambda power: 2.0**power), min_size=2, unique=True
)
LINES = st.builds(Link, st.floats(1e-6, 1e-1), st.floats(1e6, 1e11))
ASKED = st.one_of(st.floats(0, 1e12), st.integers(0, 10**12))
# From 1 MiB on the rate between two rows isn't lost in the rounding of their times.
LONG = SIZES.map(lambda sizes: tuple(sorted(2.0**20 * size for size in sizes)))


@st.composite
def measured_links(draw):
    sizes = tuple(sorted(draw(SIZES)))
    times = draw(
        st.lists(st.floats(1e-6, 1e3), min_size=len(sizes), max_size=len(sizes))
    )
    times[-1] = times[-2] * draw(st.floats(1.001, 1000))
    return MeasuredLink(sizes, tuple(times), draw(LINES))


LINKS_OF_ALL_KINDS = st.one_of(LINES, measured_links(), st.sampled_from(TABLES))


@given(LINKS_OF_ALL_KINDS, ASKED)
def test_overhead_and_wire_are_all_of_a_transfer(link, size_bytes):
    assert link.wire_s(size_bytes) >= 0
    assert link.overhead_s + link.wire_s(size_bytes) == link.transfer_s(size_bytes)


@given(LINKS_OF_ALL_KINDS, st.lists(ASKED, max_size=40))
def test_many_sizes_at_once_cost_what_they_cost_alone_to_the_last_bit(link, sizes):
    together = link.transfer_s(np.array(sizes, dtype=np.float64))
    assert together.tolist() == [link.transfer_s(float(size)) for size in sizes]


@given(measured_links(), st.lists(ASKED, min_size=4, max_size=4))
def test_a_grid_of_sizes_keeps_its_shape(link, sizes):
    grid = np.array(sizes, dtype=np.float64).reshape(2, 2)
    assert link.transfer_s(grid).shape == (2, 2)


@given(st.one_of(measured_links(), st.sampled_from(TABLES)))
def test_a_table_gives_its_own_rows_to_the_last_bit_or_the_one_beside_it(link):
    rows_s = np.array(link.times_s)
    found_s = link.transfer_s(np.array(link.sizes_bytes))
    assert (abs(found_s - rows_s) <= np.spacing(rows_s)).all()


@given(LINES, LONG, ASKED, st.floats(0, 9), st.floats(0.1, 9))
def test_a_table_on_a_line_is_that_line_at_every_size(
    line, sizes, size_bytes, overhead, wire
):
    table = MeasuredLink(sizes, tuple(line.transfer_s(size) for size in sizes), line)
    expected = line.scaled(overhead, wire)
    found = table.scaled(overhead, wire)
    assert found.overhead_s == expected.overhead_s
    assert found.bandwidth_bytes_per_s == expected.bandwidth_bytes_per_s
    assert found.transfer_s(size_bytes) == pytest.approx(
        expected.transfer_s(size_bytes), rel=1e-9
    )


# --- In a simulated step -----------------------------------------------------------


def test_a_step_on_a_table_worked_by_hand():
    # seconds  0  1  2  3  4  5  6  7  8  9 10  ...    13.5   ...    24.5
    # compute  [   d    ][c][     b     ][  a ]|
    # link                 [     8 B: 9.5 s    ........][ 14 B: 11 s ]
    layers = (
        Layer("d", backward_s=3, gradient_bytes=2),
        Layer("c", backward_s=1, gradient_bytes=6),
        Layer("b", backward_s=4, gradient_bytes=4),
        Layer("a", backward_s=2, gradient_bytes=10),
    )
    simulation = simulate(layers, (2, 2), TABLE)
    assert [one.start_s for one in simulation.transfers] == [4, 13.5]
    assert [one.end_s for one in simulation.transfers] == [13.5, 24.5]
    tail = simulation.tail
    assert (tail.queued_s, tail.overhead_s, tail.wire_s) == (3.5, 3, 8)


LAYERS = st.lists(
    st.builds(Layer, st.just("x"), st.floats(0, 1e-1), st.floats(0, 1e9)),
    min_size=1,
    max_size=8,
)


@given(LAYERS, LINES, LONG, st.data())
def test_a_step_on_a_table_that_lies_on_a_line_is_the_step_on_the_line(
    layers, line, sizes, data
):
    cuts = data.draw(st.sets(st.integers(1, len(layers))).map(sorted))
    ends = [0, *(cut for cut in cuts if cut < len(layers)), len(layers)]
    plan = tuple(np.diff(ends).tolist())
    table = MeasuredLink(sizes, tuple(line.transfer_s(size) for size in sizes), line)
    on_table, on_line = (simulate(layers, plan, link) for link in (table, line))
    tolerance_s = 1e-9 * on_line.step_s
    for one, other in zip(on_table.transfers, on_line.transfers, strict=True):
        assert one.start_s == pytest.approx(other.start_s, abs=tolerance_s)
        assert one.end_s == pytest.approx(other.end_s, abs=tolerance_s)
    for part in ("queued_s", "overhead_s", "wire_s", "total_s"):
        assert getattr(on_table.tail, part) == pytest.approx(
            getattr(on_line.tail, part), abs=tolerance_s
        )


# --- A ring ------------------------------------------------------------------------


@pytest.mark.parametrize(("ranks", "factor"), [(1, 0), (2, 1), (4, 1.5), (8, 1.75)])
def test_a_ring_moves_its_gradients_so_often(ranks, factor):
    assert ring_factor(ranks) == factor


@given(st.integers(1, 10**6))
def test_more_ranks_move_more_but_never_twice_the_gradients(ranks):
    assert ring_factor(ranks) < ring_factor(ranks + 1) < 2
    assert 2 - ring_factor(ranks) == pytest.approx(2 / ranks)


@pytest.mark.parametrize("ranks", [0, -3])
def test_a_ring_of_nobody_is_refused(ranks):
    with pytest.raises(ValueError, match=f"1 rank or more, not {ranks}"):
        ring_factor(ranks)


def test_gradients_drain_slower_than_the_port_moves_them():
    assert ring_bandwidth_bytes_per_s(12e9, ranks=4) == 8e9
    assert ring_bandwidth_bytes_per_s(12e9, ranks=2) == 12e9


def test_one_rank_has_no_rate():
    with pytest.raises(ValueError, match="2 ranks or more"):
        ring_bandwidth_bytes_per_s(12e9, ranks=1)
