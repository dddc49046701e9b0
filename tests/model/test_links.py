"""Named links: what was published of each, and how far a line is from it."""

import csv
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.model.fit import HIGH_BYTES, LOW_BYTES, fit
from overlap_widget.model.link import Link, MeasuredLink, ring_factor
from overlap_widget.model.link_tables import TABLES
from overlap_widget.model.links import LINKS, with_ranks
from overlap_widget.model.units import GIB, KIB, MIB

REFERENCE = Path(__file__).parents[3] / "shared" / "reference"
FILES = {
    "t4-efa-2": "aws_2x_T4_EFA25_2rank.csv",
    "v100-pcie-4": "v100_4gpu_pcie3_host.csv",
    "a100-nvlink-8": "azure_1x_8xA100_NVLink3.csv",
    "a100-ib-16": "azure_2x_16xA100_IB_HDR.csv",
    "h100-port-10": "xxrjun_10x1_H100_one_gpu_per_node.csv",
    "h100-nvlink-8": "aws_1x_p5_8xH100_NVLink4.csv",
    "b200-nvlink-8": "stas_1x8_B200_NVLink5.csv",
}
ZARATAN = "a100-zaratan-8"
LOW, HIGH = 64 * KIB, 1 * GIB

measured = pytest.mark.parametrize("name", FILES)


def rows_beside(path):
    """The rows of a CSV beside the checkout; skips where there is none."""
    if not REFERENCE.exists():
        pytest.skip("shared/reference is not beside this checkout")
    with (REFERENCE / path).open() as file:
        return list(csv.DictReader(file))


# --- Names and sources -------------------------------------------------------------


def test_links_are_named_for_their_hardware_and_ranks():
    assert set(LINKS) == {*FILES, ZARATAN}
    for name, link in LINKS.items():
        assert link.name == name
        assert name.endswith(f"-{link.ranks}")
        assert link.title.startswith(f"{link.ranks} ")
        assert len(link.title) <= 40
        assert link.hardware
        assert "@" in link.source or "repository not named" in link.source


def test_no_two_links_have_one_title():
    assert len({link.title for link in LINKS.values()}) == len(LINKS)


@measured
def test_a_table_holds_every_published_row(name):
    rows = rows_beside(Path("links") / FILES[name])
    table = TABLES[name]
    assert len(rows) == len(table.sizes_bytes) == len(table.times_us)
    for row, size_bytes, time_us in zip(
        rows, table.sizes_bytes, table.times_us, strict=True
    ):
        assert size_bytes == int(row["size_bytes"])
        assert time_us == float(row["time_us_out_of_place"])
        assert table.source.startswith(row["source"])


def test_a_table_takes_its_published_ranks():
    ranks = {row["file"]: row["n_ranks"] for row in rows_beside("alpha_beta_fits.csv")}
    assert {name: table.ranks for name, table in TABLES.items()} == {
        name: int(ranks[FILES[name]]) for name in TABLES
    }


def test_the_link_without_a_table_has_its_published_fit():
    (row,) = (
        row
        for row in rows_beside("alpha_beta_fits.csv")
        if (row["file"], row["window"])
        == ("umd_zaratan_2x4_A100_tree.csv", "1MiB-256MiB")
    )
    link = LINKS[ZARATAN]
    assert link.table is None
    assert link.ranks == int(row["n_ranks"])
    assert link.source == row["source"]
    found = link.fit
    assert found.link.overhead_s * 1e6 == pytest.approx(float(row["alpha_us"]))
    per_byte_s = 1 / found.link.bandwidth_bytes_per_s
    assert per_byte_s * 1e12 == pytest.approx(float(row["beta_ps_per_byte"]))
    assert found.max_error == float(row["max_rel_err"])
    assert found.rms_error == float(row["rms_rel_err"])
    assert found.points == int(row["points"])


# --- Bus bandwidth: nccl-tests' own ring factor ------------------------------------


@pytest.mark.parametrize(
    ("name", "size_bytes", "rate", "bus_rate"),
    [  # the last columns of a row of each table, in GB/s
        ("t4-efa-2", 2**28, 3.15, 3.15),
        ("v100-pcie-4", 2**30, 4.82, 7.23),
        ("a100-nvlink-8", 2**33, 133.80, 234.15),
        ("a100-ib-16", 2**33, 100.09, 187.67),
        ("h100-nvlink-8", 2**34, 276.03, 483.05),
        ("b200-nvlink-8", 2**34, 483.24, 845.67),
    ],
)
def test_a_published_bus_rate_is_the_rate_of_the_table_times_the_ring_factor(
    name, size_bytes, rate, bus_rate
):
    link = LINKS[name]
    found = size_bytes / link.table.transfer_s(size_bytes) / 1e9
    assert found == pytest.approx(rate, abs=0.005 + 1e-4 * rate)
    assert rate * ring_factor(link.ranks) == pytest.approx(bus_rate, abs=0.015)


@measured
def test_every_published_bus_rate_is_the_rate_times_the_ring_factor(name):
    factor = ring_factor(LINKS[name].ranks)
    for row in rows_beside(Path("links") / FILES[name]):
        rate, bus_rate = float(row["algbw_GBps"]), float(row["busbw_GBps"])
        half_a_digit = 0.005 * (1 + factor) + 1e-9  # both are printed to 0.01
        assert rate * factor == pytest.approx(bus_rate, abs=half_a_digit)


# --- The line and the table --------------------------------------------------------


def test_a_line_is_fitted_to_the_sizes_of_buckets_that_were_measured():
    # h100-port-10 was measured from 32 MiB on; the sizes of a100-zaratan-8 are no
    # powers of two (its source: 1637420, 3274840 and so on to 209589760 bytes).
    found = {
        name: (link.fit.low_bytes, link.fit.high_bytes, link.fit.points)
        for name, link in LINKS.items()
    }
    assert found.pop("h100-port-10") == (32 * MIB, HIGH_BYTES, 4)
    assert found.pop(ZARATAN) == (1_637_420, 209_589_760, 8)
    assert set(found.values()) == {(LOW_BYTES, HIGH_BYTES, 9)}


def test_a_line_is_told_to_four_digits():
    assert LINKS["h100-nvlink-8"].line == Link(29.91e-6, 218.4e9)
    assert LINKS["t4-efa-2"].line == Link(263.5e-6, 3.035e9)
    assert LINKS["v100-pcie-4"].line == Link(18.36e-6, 4.793e9)
    assert LINKS[ZARATAN].line == Link(3477e-6, 14.87e9)


@measured
def test_four_digits_leave_the_errors_of_the_fit_as_they_are(name):
    link, table = LINKS[name], TABLES[name]
    sizes, times = np.array(table.sizes_bytes), np.array(table.times_s)
    inside = (sizes >= LOW_BYTES) & (sizes <= HIGH_BYTES)
    errors = abs(link.line.transfer_s(sizes[inside]) / times[inside] - 1)
    assert errors.max() == pytest.approx(link.fit.max_error, abs=0.001)


@measured
def test_a_table_reproduces_its_rows_and_knows_its_line(name):
    link, table = LINKS[name], TABLES[name]
    assert link.table.line == link.line
    assert link.table.sizes_bytes == table.sizes_bytes
    for size_bytes, time_us in zip(table.sizes_bytes, table.times_us, strict=True):
        found_us = link.table.transfer_s(size_bytes) * 1e6
        assert found_us == pytest.approx(time_us, rel=1e-15)


def test_a_small_bucket_on_a_link_measured_with_large_ones_isn_t_as_slow_as_those():
    # The first row is 32 MiB in 1405 us; 1 MiB takes 171.5 us and 1/32 of the rest.
    link = LINKS["h100-port-10"]
    assert link.table.transfer_s(2**20) * 1e6 == pytest.approx(
        171.5 + (1405.25 - 171.5) / 32
    )


# Relative errors over 64 KiB to 1 GiB, the largest and the root of the mean square:
# of the line for buckets, of the line fitted to all these sizes, and of the table
# where the row in question was left out and interpolated from those beside it.
MISSES = {
    "t4-efa-2": ((1.462, 0.524), (0.205, 0.090), (0.099, 0.040)),
    "v100-pcie-4": ((0.367, 0.127), (0.187, 0.068), (0.184, 0.053)),
    "a100-nvlink-8": ((0.338, 0.197), (0.253, 0.138), (0.158, 0.060)),
    "a100-ib-16": ((0.448, 0.216), (0.222, 0.139), (0.126, 0.060)),
    "h100-port-10": ((0.025, 0.016), (0.027, 0.014), (0.028, 0.013)),
    "h100-nvlink-8": ((0.583, 0.309), (0.299, 0.169), (0.136, 0.048)),
    "b200-nvlink-8": ((0.281, 0.194), (0.348, 0.167), (0.193, 0.098)),
}


def misses(found_s, times_s):
    errors = np.array(found_s) / np.array(times_s) - 1
    return round(abs(errors).max(), 3), round(float(np.sqrt((errors**2).mean())), 3)


def without_row(table, index):
    """The table as if that row had never been measured."""
    sizes, times = (
        (*column[:index], *column[index + 1 :])
        for column in (table.sizes_bytes, table.times_s)
    )
    return MeasuredLink(sizes, times, table.line)


def inner_rows(table):
    """Rows of 64 KiB to 1 GiB that have one on both sides."""
    sizes = table.sizes_bytes
    return [index for index in range(1, len(sizes) - 1) if LOW <= sizes[index] <= HIGH]


@measured
def test_lines_miss_their_rows_by_so_much_and_interpolated_tables_by_less(name):
    link = LINKS[name]
    sizes, times = np.array(link.table.sizes_bytes), np.array(link.table.times_s)
    inside = (sizes >= LOW) & (sizes <= HIGH)
    of_buckets = misses(link.line.transfer_s(sizes[inside]), times[inside])
    found = fit(sizes, times, LOW, HIGH)
    of_decades = round(found.max_error, 3), round(found.rms_error, 3)
    inner = inner_rows(link.table)
    interpolated = [
        without_row(link.table, index).transfer_s(float(sizes[index]))
        for index in inner
    ]
    of_table = misses(interpolated, times[inner])
    assert (of_buckets, of_decades, of_table) == MISSES[name]
    assert of_table[1] < of_decades[1]
    assert of_table[1] < of_buckets[1]


# --- Other numbers of ranks --------------------------------------------------------


def test_another_number_of_ranks_changes_the_rate_by_the_ring_factor():
    # Two ranks move their gradients once, three 4/3 times, four 1.5 times.
    link = LINKS["v100-pcie-4"]
    for ranks, faster in ((2, 1.5), (3, 1.125), (10**6, 0.75)):
        found = with_ranks(link, ranks)
        assert found.overhead_s == 18.36e-6
        assert found.bandwidth_bytes_per_s == pytest.approx(faster * 4.793e9, rel=1e-5)


def test_its_own_number_of_ranks_is_the_line_itself():
    for link in LINKS.values():
        assert with_ranks(link, link.ranks) == link.line


def test_fewer_than_two_ranks_have_no_rate():
    with pytest.raises(ValueError, match="2 ranks or more"):
        with_ranks(LINKS["t4-efa-2"], 1)
    with pytest.raises(ValueError, match="1 rank or more"):
        with_ranks(LINKS["t4-efa-2"], 0)
