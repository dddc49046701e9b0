"""The line through measured transfers: which one is best, and when there is none."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.fit import HIGH_BYTES, LOW_BYTES, fit
from overlap_widget.model.link import Link
from overlap_widget.model.link_tables import TABLES
from overlap_widget.model.units import GIB, KIB, MIB

FITS = Path(__file__).parents[3] / "shared/reference/alpha_beta_fits.csv"
COLUMNS = (
    "points",
    "alpha_us",
    "beta_ps_per_byte",
    "algbw_GBps",
    "max_rel_err",
    "rms_rel_err",
)
BUCKETS, DECADES = "1MiB-256MiB", "64KiB-1GiB"
WINDOWS = {BUCKETS: (1 * MIB, 256 * MIB), DECADES: (64 * KIB, 1 * GIB)}
EVERYTHING = {"low_bytes": 0, "high_bytes": math.inf}

# --- By hand -----------------------------------------------------------------------


def test_points_on_a_line_give_that_line():
    # 3 s before the first byte, then 2 bytes a second.
    found = fit([2, 6, 10], [4, 6, 8], **EVERYTHING)
    assert found.link.overhead_s == pytest.approx(3, rel=1e-12)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(2, rel=1e-12)
    assert found.max_error == pytest.approx(0, abs=1e-12)
    assert found.points == 3


def test_the_best_line_has_the_least_relative_errors():
    # 1 byte took 2 s and 4 s, 3 bytes took 6 s. Through 3 bytes the line is free to
    # meet 6 s. At 1 byte, (m / 2 - 1)^2 + (m / 4 - 1)^2 is least for m = 2.4, where
    # the absolute errors would ask for 3.
    found = fit([1, 3, 1], [2, 6, 4], **EVERYTHING)
    assert found.link.transfer_s(1) == pytest.approx(2.4)
    assert found.link.transfer_s(3) == pytest.approx(6)
    assert found.link.overhead_s == pytest.approx(0.6)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(1 / 1.8)
    assert found.max_error == pytest.approx(0.4)
    assert found.rms_error == pytest.approx(math.sqrt((0.2**2 + 0.4**2) / 3))


def test_a_line_without_overhead_has_none():
    found = fit([3, 7, 11], [0.3, 0.7, 1.1], **EVERYTHING)
    assert found.link.overhead_s == pytest.approx(0, abs=1e-12)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(10)


def test_both_ends_of_the_window_are_in_it_and_nothing_beyond():
    sizes, times = [1, 2, 4, 6, 7], [9, 3, 4, 5, 1]
    found = fit(sizes, times, low_bytes=2, high_bytes=6)
    assert found.points == 3
    assert (found.low_bytes, found.high_bytes) == (2, 6)
    assert found.link.overhead_s == pytest.approx(2)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(2)


def test_unless_told_otherwise_a_fit_is_for_the_sizes_of_buckets():
    sizes = [MIB / 2, MIB, 2 * MIB, 256 * MIB, 512 * MIB]
    found = fit(sizes, [1, 2, 3, 257, 1])
    assert found.points == 3
    assert (found.low_bytes, found.high_bytes) == (LOW_BYTES, HIGH_BYTES)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(MIB)


def test_a_fit_is_told_for_the_sizes_it_was_fitted_to_and_not_for_its_window():
    # The window reaches from 1 to 100, the transfers in it from 3 to 11 bytes.
    found = fit([11, 0.5, 3, 7, 200], [8, 1, 4, 6, 1], low_bytes=1, high_bytes=100)
    assert (found.low_bytes, found.high_bytes, found.points) == (3, 11, 3)


# --- What has no line --------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "times", "sentence"),
    [
        ([], [], "takes 3 transfers or more of 0 to inf bytes, not 0"),
        ([1, 2], [1, 2], "takes 3 transfers or more of 0 to inf bytes, not 2"),
        ([5, 5, 5], [1, 2, 3], "all transfers are of one size"),
        ([1, 2, 3], [3, 2, 1], "the times don't grow with the sizes"),
        ([1, 2, 3], [7, 7, 7], "the times don't grow with the sizes"),
        ([1e6, 2e6, 3e6], [0.7, 0.7, 0.7], "the times don't grow with the sizes"),
        ([1, 2, 3], [1, 4, 9], "its overhead would be negative"),
        ([1, 2, 3], [1, 2], "one time for each size"),
        ([[1, 2, 3]], [[1, 2, 3]], "one time for each size"),
        ([0, 1, 2], [1, 2, 3], "the sizes must be finite and above 0"),
        ([-1, 1, 2], [1, 2, 3], "the sizes must be finite and above 0"),
        ([1, 2, math.nan], [1, 2, 3], "the sizes must be finite and above 0"),
        ([1, 2, math.inf], [1, 2, 3], "the sizes must be finite and above 0"),
        ([1, 2, 3], [0, 1, 2], "the times must be finite and above 0"),
        ([1, 2, 3], [1, 2, -3], "the times must be finite and above 0"),
        ([1, 2, 3], [1, 2, math.nan], "the times must be finite and above 0"),
        ([1, 2, 3], [1, 2, math.inf], "the times must be finite and above 0"),
        ([1, 2, 3], [1e-200, 1, 1e200], "no line fits"),
    ],
)
def test_what_has_no_line_is_refused_with_the_reason(sizes, times, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit(sizes, times, **EVERYTHING)


@pytest.mark.parametrize("window", [(5, 5), (6, 5), (math.nan, 5), (1, math.nan)])
def test_a_window_without_sizes_is_refused(window):
    with pytest.raises(ValueError, match="from a size to a larger one"):
        fit([1, 2, 3], [1, 2, 3], *window)


def test_too_few_in_the_window_are_counted_in_it():
    sentence = "3 transfers or more of 1,048,576 to 268,435,456 bytes, not 1"
    with pytest.raises(ValueError, match=sentence):
        fit([1, 2, MIB], [1, 2, 3])


# --- Laws --------------------------------------------------------------------------

LINES = st.builds(Link, st.floats(0, 1e-2), st.floats(1e6, 1e12))
SIZES = st.lists(st.integers(10, 30), min_size=3, max_size=12, unique=True).map(np.exp2)


@st.composite
def scattered(draw):
    """Sizes and times around a line, up to a fifth off, with both of its ends in it."""
    line = draw(st.builds(Link, st.floats(1e-4, 1e-2), st.floats(1e8, 1e10)))
    between = draw(st.lists(st.floats(2.0**10, 2.0**30), min_size=1, max_size=10))
    sizes = [2.0**10, 2.0**30, *between]
    noise = st.lists(st.floats(0.8, 1.2), min_size=len(sizes), max_size=len(sizes))
    return [
        (size, line.transfer_s(size) * off)
        for size, off in zip(sizes, draw(noise), strict=True)
    ]


def squared_errors(sizes, times, link):
    return ((link.transfer_s(np.array(sizes)) / np.array(times) - 1) ** 2).sum()


@given(
    scattered(), st.sampled_from([0.5, 0.99, 0.9999, 1.0001, 1.01, 2]), st.booleans()
)
def test_no_line_nearby_has_smaller_squared_errors(points, factor, is_overhead):
    sizes, times = zip(*points, strict=True)
    found = fit(sizes, times, **EVERYTHING)
    other = (
        found.link.scaled(overhead=factor)
        if is_overhead
        else found.link.scaled(wire=factor)
    )
    best = squared_errors(sizes, times, found.link)
    assert best <= squared_errors(sizes, times, other) * (1 + 1e-9) + 1e-20
    assert found.rms_error == pytest.approx(math.sqrt(best / len(points)), abs=1e-9)
    assert found.rms_error <= found.max_error * (1 + 1e-9)


@given(LINES, SIZES)
def test_any_line_is_found_again(line, sizes):
    found = fit(sizes, line.transfer_s(sizes), **EVERYTHING)
    assert found.max_error < 1e-9


@given(scattered(), st.randoms(use_true_random=False))
def test_the_order_of_the_points_and_their_repetition_don_t_matter(points, random):
    sizes, times = zip(*points, strict=True)
    found = fit(sizes, times, **EVERYTHING)
    mixed = points * 2
    random.shuffle(mixed)
    again = fit(*zip(*mixed, strict=True), **EVERYTHING)
    assert again.points == 2 * found.points
    assert again.max_error == pytest.approx(found.max_error, abs=1e-9)
    assert again.rms_error == pytest.approx(found.rms_error, abs=1e-9)


# --- What is published -------------------------------------------------------------
#
# Fits worked out elsewhere, from the same tables: points, overhead [us], wire time
# [ps a byte], rate [GB/s], and the largest and the mean relative error. Sources stand
# with the tables.

PUBLISHED = {
    ("t4-efa-2", DECADES): (15, 103.84, 343.474, 2.911, 0.205, 0.09),
    ("t4-efa-2", BUCKETS): (9, 263.54, 329.439, 3.035, 0.057, 0.035),
    ("v100-pcie-4", DECADES): (15, 31.5, 207.731, 4.814, 0.187, 0.068),
    ("v100-pcie-4", BUCKETS): (9, 18.36, 208.658, 4.793, 0.017, 0.007),
    ("a100-nvlink-8", DECADES): (15, 28.92, 8.7, 114.945, 0.253, 0.138),
    ("a100-nvlink-8", BUCKETS): (9, 35.79, 8.906, 112.281, 0.209, 0.134),
    ("a100-ib-16", DECADES): (15, 75.3, 12.019, 83.204, 0.222, 0.139),
    ("a100-ib-16", BUCKETS): (9, 94.68, 12.403, 80.625, 0.169, 0.095),
    ("h100-port-10", DECADES): (6, 154.75, 36.617, 27.309, 0.027, 0.014),
    ("h100-port-10", BUCKETS): (4, 171.48, 36.267, 27.573, 0.025, 0.016),
    ("h100-nvlink-8", DECADES): (15, 20.94, 4.553, 219.634, 0.299, 0.169),
    ("h100-nvlink-8", BUCKETS): (9, 29.91, 4.578, 218.44, 0.215, 0.13),
    ("b200-nvlink-8", DECADES): (15, 52.81, 2.726, 366.855, 0.348, 0.167),
    ("b200-nvlink-8", BUCKETS): (9, 59.05, 2.911, 343.501, 0.281, 0.176),
}


def digits(sizes_bytes, times_s, window):
    """The fit as it is published, to the same digits."""
    found = fit(sizes_bytes, times_s, *WINDOWS[window])
    bandwidth = found.link.bandwidth_bytes_per_s
    return (
        found.points,
        round(found.link.overhead_s * 1e6, 2),
        round(1e12 / bandwidth, 3),
        round(bandwidth / 1e9, 3),
        round(found.max_error, 3),
        round(found.rms_error, 3),
    )


@pytest.mark.parametrize(("name", "window"), PUBLISHED)
def test_the_stored_tables_give_the_published_fits_to_their_digits(name, window):
    table = TABLES[name]
    assert digits(table.sizes_bytes, table.times_s, window) == PUBLISHED[(name, window)]


def test_the_published_fits_stand_beside_the_checkout_as_they_do_here():
    """The rows of each table are compared in test_links.py."""
    if not FITS.exists():
        pytest.skip("shared/reference is not beside this checkout")
    with FITS.open() as file:
        stated = {
            (
                int(row["n_ranks"]),
                row["window"],
                *(float(row[name]) for name in COLUMNS),
            )
            for row in csv.DictReader(file)
        }
    for (name, window), numbers in PUBLISHED.items():
        assert (TABLES[name].ranks, window, *numbers) in stated
