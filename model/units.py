"""Other units than seconds and bytes, for the edges.

Prefixes of rates and sizes are decimal (GB/s is 10^9 bytes a second, as in
nccl-tests); MiB and GiB are binary, as PyTorch's `bucket_cap_mb` counts.
"""

import math
import re

NS, US, MS = 1e-9, 1e-6, 1e-3
KB, MB, GB = 1e3, 1e6, 1e9
KIB, MIB, GIB = 2.0**10, 2.0**20, 2.0**30

PER_SECOND = {"ns": 1e9, "us": 1e6, "µs": 1e6, "μs": 1e6, "ms": 1e3, "s": 1.0}
SIZES = {"b": 1.0, "kb": KB, "mb": MB, "gb": GB, "kib": KIB, "mib": MIB, "gib": GIB}
BYTE_RATES = {"KB/s": KB, "kB/s": KB, "MB/s": MB, "GB/s": GB, "TB/s": 1e12}
BYTE_RATES |= {"B/s": 1.0, "MiB/s": MIB, "GiB/s": GIB}
BIT_RATES = {"Mb/s": MB / 8, "Mbit/s": MB / 8, "Mbps": MB / 8}
BIT_RATES |= {"Gb/s": GB / 8, "Gbit/s": GB / 8, "Gbps": GB / 8, "Tb/s": 1e12 / 8}
RATES = BYTE_RATES | BIT_RATES

_QUANTITY = re.compile(r"\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*([^\s0-9.]*)\s*", re.I)


def time_s(text: str) -> float:
    """Seconds from `200us`, `1 ms`, `0.5s`; a bare number is microseconds."""
    number, unit = _split(text, "a time such as 200us or 1ms")
    per_second = _factor(unit.lower() or "us", PER_SECOND, text, "200us or 1ms")
    return number / per_second  # 200 / 1e6 is 0.0002 to the last bit; 200 * 1e-6 isn't


def size_bytes(text: str) -> float:
    """Bytes from `25MB`, `25MiB`; a bare number is MB (10^6)."""
    number, unit = _split(text, "a size such as 25MB or 25MiB")
    return number * _factor(unit.lower() or "mb", SIZES, text, "25MB or 25MiB")


def rate_bytes_per_s(text: str) -> float:
    """Bytes a second from `12GB/s`, `100Gb/s`; a bare number is GB/s.

    Case tells bytes from bits here, so `gb/s` is refused rather than guessed.
    """
    expected = "12GB/s for bytes or 100Gb/s for bits"
    number, unit = _split(text, f"a rate such as {expected}")
    return number * _factor(unit or "GB/s", RATES, text, expected)


def _factor(unit: str, units: dict[str, float], text: str, expected: str) -> float:
    if unit not in units:
        raise ValueError(f"{text!r} has no unit known here; write {expected}")
    return units[unit]


def _split(text: str, expected: str) -> tuple[float, str]:
    match = _QUANTITY.fullmatch(text)
    try:
        number = float(match[1]) if match else math.nan
    except ValueError:
        number = math.nan
    if not match or not math.isfinite(number):
        raise ValueError(f"{text!r} is not {expected}")
    return number, match[2]
