"""Published all-reduce times of real links, as nccl-tests printed them.

All rows of each table, out of place: the bytes that each rank contributes, and the
microseconds of one all-reduce. Nothing is smoothed; where a longer message was
quicker, it stands so. The sources give times to three or four digits.
"""

from dataclasses import dataclass

from overlap_widget.model.units import PER_SECOND


@dataclass(frozen=True, slots=True)
class LinkTable:
    """What was measured, on what, and where it is published.

    ranks:  GPUs that took part
    source: repository@commit path, where they are known
    """

    title: str
    ranks: int
    hardware: str
    source: str
    sizes_bytes: tuple[int, ...]
    times_us: tuple[float, ...]

    @property
    def times_s(self) -> tuple[float, ...]:
        """The times in seconds."""
        return tuple(time_us / PER_SECOND["us"] for time_us in self.times_us)


def _doubling(first_bytes: int, last_bytes: int) -> tuple[int, ...]:
    """Sizes from the first to the last, each twice the one before."""
    doublings = (last_bytes // first_bytes).bit_length()
    return tuple(first_bytes << power for power in range(doublings))


# One number to a line would hide the tables.
# fmt: off
TABLES: dict[str, LinkTable] = {
    "t4-efa-2": LinkTable(
        title="2 T4, EFA at 25 Gb/s",
        ranks=2,
        hardware="two nodes (g4dn.metal) of one T4, EFA on one NIC, NCCL 2.12.7",
        source=(
            "github.com/aws-ia/terraform-aws-eks-blueprints@d921bdca8 "
            "examples/eks-efa/README.md"
        ),
        sizes_bytes=_doubling(4, 2**30),
        times_us=(
            65.7, 64.88, 64.33, 65.95, 65.19, 65.3, 65.3, 65.71, 67.15, 68.22,
            70.65, 76.15, 87.65, 98.94, 115.8, 149.3, 195.0, 296.9, 583.4, 983.3,
            1745.4, 3116.1, 5966.3, 11390.0, 21934.0, 43014.0, 85119.0, 171351.0,
            344981.0,
        ),
    ),
    "v100-pcie-4": LinkTable(
        title="4 V100, PCIe 3 through the hosts",
        ranks=4,
        hardware="four V100-SXM2-16GB, two to a socket, NVLink not in use, NCCL 2.26.2",
        source="NCCL notes (repository not named)",
        sizes_bytes=(4, 1024, *_doubling(8192, 2**30)),
        times_us=(
            23.5, 22.4, 22.51, 23.02, 24.69, 39.85, 72.25, 97.21, 137.0, 236.8,
            459.3, 892.3, 1739.0, 3532.4, 7035.8, 14045.0, 28279.0, 55825.0,
            111507.0, 222838.0,
        ),
    ),
    "a100-nvlink-8": LinkTable(
        title="8 A100, NVLink 3",
        ranks=8,
        hardware="one Azure node of eight A100 (ND A100 v4 class, inferred), NVLink 3",
        source="Azure ML NCCL test README (repository not named)",
        sizes_bytes=_doubling(8, 2**33),
        times_us=(
            18.75, 17.94, 18.08, 17.92, 17.92, 18.65, 19.54, 20.35, 21.65, 23.22,
            24.43, 25.7, 29.24, 28.32, 29.05, 28.98, 30.23, 37.33, 63.11, 84.77,
            131.1, 220.5, 353.9, 579.2, 1157.6, 2169.8, 4204.0, 8212.6, 16274.0,
            32200.0, 64200.0,
        ),
    ),
    "a100-ib-16": LinkTable(
        title="16 A100, NVLink 3 and InfiniBand HDR",
        ranks=16,
        hardware=(
            "two Azure nodes of eight A100 (ND A100 v4 class, inferred), NVLink 3 "
            "inside, eight 200 Gb/s HDR InfiniBand ports each"
        ),
        source="Azure ML NCCL test README (repository not named)",
        sizes_bytes=_doubling(8, 2**33),
        times_us=(
            37.76, 37.45, 36.38, 37.0, 36.5, 37.62, 38.44, 40.18, 44.38, 47.48,
            64.17, 105.5, 65.22, 73.32, 66.52, 68.98, 79.28, 96.57, 127.5, 147.0,
            210.7, 332.4, 614.9, 947.8, 1682.8, 2975.4, 5744.6, 11080.0, 21872.0,
            43176.0, 85820.0,
        ),
    ),
    "h100-port-10": LinkTable(
        title="10 H100, one 400 Gb/s port each",
        ranks=10,
        hardware="ten nodes, of each one H100 80GB HBM3 and one NIC (NDR, inferred)",
        source=(
            "github.com/xxrjun/nccl-tests-cluster@455de4f8de "
            "benchmarks/example-cluster01/nccl-benchmark-results/multi-node/runs/"
            "20260129-180219/without-debug/logs/nccl_N10_G1.log"
        ),
        sizes_bytes=_doubling(2**25, 2**34),
        times_us=(
            1405.25, 2542.43, 5031.02, 10061.7, 19936.5, 39744.4, 79277.6, 158724.0,
            316930.0, 632480.0,
        ),
    ),
    "h100-nvlink-8": LinkTable(
        title="8 H100, NVLink 4",
        ranks=8,
        hardware="one p5.48xlarge (one, inferred) of eight H100, NVLink 4 and NVSwitch",
        source=(
            "github.com/aws-samples/awsome-distributed-training@7217859f67 "
            "micro-benchmarks/nccl-tests/aws-batch/README.md"
        ),
        sizes_bytes=_doubling(8, 2**34),
        times_us=(
            12.9, 12.88, 22.25, 14.48, 15.47, 15.72, 16.19, 16.43, 16.62, 16.76,
            16.85, 17.46, 18.78, 19.09, 19.37, 20.27, 21.17, 28.56, 43.45, 55.44,
            84.29, 124.0, 198.6, 326.6, 592.8, 1121.4, 2165.3, 4253.0, 8463.7,
            15791.0, 31289.0, 62239.0,
        ),
    ),
    "b200-nvlink-8": LinkTable(
        title="8 B200, NVLink 5",
        ranks=8,
        hardware="one P6-B200 node of eight B200, NVLink 5",
        source="github.com/stas00/ml-engineering@744d01e18b network/README.md",
        sizes_bytes=_doubling(2**15, 2**34),
        times_us=(
            47.79, 52.85, 47.2, 48.09, 49.04, 50.89, 58.17, 95.97, 116.06, 115.16,
            180.14, 293.16, 413.25, 727.06, 1363.63, 2597.74, 5113.27, 10148.24,
            17915.53, 35551.42,
        ),
    ),
}
