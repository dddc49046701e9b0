"""Published times of transfers, replayed: what a line and a table give for them."""

import pytest

from overlap_widget.model import Layer, Link, MeasuredLink, simulate
from overlap_widget.model.fit import fit
from overlap_widget.model.link import ring_bandwidth_bytes_per_s
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.units import GB, KIB

SIZES = tuple(32 * KIB * 2**power for power in range(20))
"""32 KiB to 16 GiB."""

# nccl-tests on eight A100 with NVLink 3, in microseconds
# (stas00/ml-engineering@d28da7a4 network/README.md).
A100_US = (
    *(43.83, 46.80, 51.76, 61.38, 80.40, 101.9, 101.4, 101.5, 133.5, 276.6, 424.0),
    *(684.6, 1327.6, 2420.6, 4218.4, 8203.9, 16240, 32136, 64074, 127997),
)
# PyTorch on eight H200 with NVLink 4, in GB/s
# (stas00/ml-engineering@c53741b8 network/benchmarks/results/all-reduce-8xH200.md).
H200_GB_PER_S = (
    *(0.82, 1.67, 3.27, 6.71, 13.68, 22.82, 36.87, 61.23, 88.87, 125.65, 157.62),
    *(198.01, 229.67, 249.23, 257.31, 264.90, 268.10, 270.34, 272.83, 275.58),
)
TABLES = {
    "A100": tuple(time_us / 1e6 for time_us in A100_US),
    "H200": tuple(
        size / (rate * GB) for size, rate in zip(SIZES, H200_GB_PER_S, strict=True)
    ),
}
# All-reduces of 4 GB in one piece and in 1000, from PyTorch, as bus rates in Gb/s
# (A100: that README, the same node; H200: another version of it, not that node's run).
PIECES_GBIT_PER_S = {"A100": (1257.165, 374.391), "H200": (3723, 1146)}


def published_s(machine):
    """Seconds of 4 GB in one piece and in 1000, out of the bus rates of eight ranks."""
    return [4e9 * 1.75 / (rate / 8 * GB) for rate in PIECES_GBIT_PER_S[machine]]


def pieces_s(link):
    """The same by the model, on a link that is never idle."""
    one = simulate([Layer("", 0, 4e9)], (1,), link)
    many = simulate([Layer("", 0, 4e6)] * 1000, (1,) * 1000, link)
    return [one.tail.total_s, many.tail.total_s]


def errors(machine, link):
    pairs = zip(pieces_s(link), published_s(machine), strict=True)
    return [round(found / published - 1, 3) for found, published in pairs]


@pytest.mark.parametrize(
    ("machine", "of_line", "of_table"),
    [
        ("A100", [-0.179, -0.235], [-0.328, -0.321]),
        ("H200", [0.139, 0.327], [-0.016, 0.38]),
    ],
)
def test_1000_pieces_of_4_mb_and_one_of_4_gb_take_so_much_more_or_less_than_published(
    machine, of_line, of_table
):
    times_s = TABLES[machine]
    line = fit(SIZES, times_s).link

    assert errors(machine, line) == of_line
    assert errors(machine, MeasuredLink(SIZES, times_s, line)) == of_table


@pytest.mark.parametrize(
    ("machine", "published", "found"), [("A100", 3.36, 3.13), ("H200", 3.25, 3.78)]
)
def test_1000_pieces_take_about_three_times_as_long_as_one(machine, published, found):
    one_s, many_s = published_s(machine)
    assert round(many_s / one_s, 2) == published
    one_s, many_s = pieces_s(fit(SIZES, TABLES[machine]).link)
    assert round(many_s / one_s, 2) == found


@pytest.mark.parametrize(
    ("port_gbit_per_s", "traffic_s", "decides"),
    [(200, 0.64, Regime.TRAFFIC), (400, 0.32, Regime.LAST_BUCKET)],
)
def test_8_gb_between_32_ranks_outlast_420_ms_of_work_at_200_gigabits_and_not_at_400(
    port_gbit_per_s, traffic_s, decides
):
    # 2 billion parameters in fp32 (stas00/ml-engineering@d28da7a4 network/README.md).
    # It counts every byte twice; a ring of 32 ranks sends 1.94 times as many.
    rate = ring_bandwidth_bytes_per_s(port_gbit_per_s / 8 * GB, ranks=32)
    layers = [Layer(str(number), 0.42 / 20, 8e9 / 20) for number in range(20)]
    step = simulate(layers, (1,) * 20, Link(0, rate))

    assert step.traffic_s == pytest.approx(traffic_s * 31 / 32)
    assert regime(step) is decides
