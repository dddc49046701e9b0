"""Other units than seconds and bytes, for the edges.

Prefixes of rates and sizes are decimal (GB/s is 10^9 bytes a second, as in
nccl-tests); MiB and GiB are binary, as PyTorch's `bucket_cap_mb` counts. A quantity
that is read here is finite; whether 0 or less makes sense is for its user to say.
"""

import math
import re

from overlap_widget.model.quoted import quoted

NS, US, MS = 1e-9, 1e-6, 1e-3
KB, MB, GB, TB = 1e3, 1e6, 1e9, 1e12
KIB, MIB, GIB = 2.0**10, 2.0**20, 2.0**30

PER_SECOND = {"ns": 1e9, "us": 1e6, "µs": 1e6, "μs": 1e6, "ms": 1e3, "s": 1.0}

# Written in capitals or not, but never `Mb`: that would be bits.
_SIZES = {"B": 1.0, "KB": KB, "MB": MB, "GB": GB, "TB": TB}
_SIZES |= {"KiB": KIB, "MiB": MIB, "GiB": GIB}
SIZES = _SIZES | {unit.lower(): size for unit, size in _SIZES.items()} | {"kB": KB}

BYTE_RATES = {"B/s": 1.0, "kB/s": KB, "KB/s": KB, "MB/s": MB, "GB/s": GB, "TB/s": TB}
BYTE_RATES |= {"MiB/s": MIB, "GiB/s": GIB}
BIT_RATES = {"Mb/s": MB / 8, "Mbit/s": MB / 8, "Mbps": MB / 8}
BIT_RATES |= {"Gb/s": GB / 8, "Gbit/s": GB / 8, "Gbps": GB / 8}
BIT_RATES |= {"Tb/s": TB / 8, "Tbit/s": TB / 8, "Tbps": TB / 8}
RATES = BYTE_RATES | BIT_RATES

_TIME = "a time such as 200us or 1ms"
_SIZE = "a size such as 25MB or 25MiB"
_RATE = "a rate such as 12GB/s (bytes) or 100Gb/s (bits)"
# The spaces before a unit belong to it: read twice, many of them would take minutes.
_QUANTITY = re.compile(
    r"\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)(?:\s*([^\s0-9.]+))?\s*", re.I
)


def time_s(text: str) -> float:
    """Seconds from `200us`, `1 ms`, `0.5s`; a bare number is microseconds.

    Raises ValueError with one sentence for anything else.
    """
    number, unit = _split(text, _TIME)
    per_second = _factor(unit.lower() or "us", PER_SECOND, text, _TIME)
    seconds = number / per_second  # 200 / 1e6 is 0.0002 to the last bit
    return _finite(seconds, text, _TIME)


def size_bytes(text: str) -> float:
    """Bytes from `25MB`, `25MiB`; a bare number is MB (10^6).

    Raises ValueError with one sentence for anything else.
    """
    number, unit = _split(text, _SIZE)
    factor = _factor(unit or "MB", SIZES, text, _SIZE)
    return _finite(number * factor, text, _SIZE)


def rate_bytes_per_s(text: str) -> float:
    """Bytes a second from `12GB/s`, `100Gb/s`; a bare number is GB/s.

    Case tells bytes from bits here, so `gb/s` is refused rather than guessed.
    Raises ValueError with one sentence for anything else.
    """
    number, unit = _split(text, _RATE)
    factor = _factor(unit or "GB/s", RATES, text, _RATE)
    return _finite(number * factor, text, _RATE)


def _split(text: str, expected: str) -> tuple[float, str]:
    match = _QUANTITY.fullmatch(text)
    try:
        number = float(match[1]) if match else math.nan
    except ValueError:  # two points, say
        number = math.nan
    if not match or math.isnan(number):
        raise ValueError(f"{quoted(text)} is not {expected}")
    return number, match[2] or ""


def _factor(unit: str, units: dict[str, float], text: str, expected: str) -> float:
    if unit not in units:
        raise ValueError(f"{quoted(text)} has no unit known here; write {expected}")
    return units[unit]


def _finite(value: float, text: str, expected: str) -> float:
    if math.isinf(value):
        raise ValueError(f"{quoted(text)} is too large; write {expected}")
    return value + 0.0  # -0 is 0
