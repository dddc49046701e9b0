"""Seconds, bytes and rates as text: three significant digits, a space, a unit."""

from overlap_widget.app.words import words

TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))


def time_text(seconds: float) -> str:
    """`14.3 ms`, `200 µs`; zero is `0 ms`."""
    return _text(seconds, TIMES, zero="0 ms")


def size_text(size_bytes: float) -> str:
    """`160 MB`; prefixes are decimal, so 25 MiB is `26.2 MB`."""
    return _text(size_bytes, SIZES, zero="0 B")


def rate_text(bytes_per_s: float) -> str:
    """`12 GB/s`, in bytes as nccl-tests counts them."""
    return f"{_text(bytes_per_s, SIZES, zero='0 B')}/s"


def percent_text(share: float) -> str:
    """`18.9 %` of 0.189."""
    return f"{float(f'{share * 100:.3g}'):.15g} %"


def count_text(noun: str, count: int) -> str:
    """`1 layer`, `2 layers`: the noun as the strings have it, thousands apart."""
    form = "one" if count == 1 else "other"
    return words(f"count.{noun}.{form}", n=f"{count:,}")


def _text(value: float, units: tuple[tuple[float, str], ...], zero: str) -> str:
    """Round first, then choose the unit: 0.9996 ms is `1 ms` and not `1000 µs`."""
    rounded = float(f"{value:.2e}")
    if rounded == 0:
        return zero
    factor, unit = next((each for each in units if abs(rounded) >= each[0]), units[-1])
    return f"{float(f'{rounded / factor:.2e}'):.15g} {unit}"
