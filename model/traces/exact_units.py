"""Times and sizes as text with a unit, as whole nanoseconds and as bytes."""

import math
import re
from decimal import Decimal, InvalidOperation

from overlap_widget.model.traces.exact_time import FAR_NS

NANOSECONDS = {
    "ns": 1,
    "nsec": 1,
    "us": 1000,
    "usec": 1000,
    "\u00b5s": 1000,
    "\u03bcs": 1000,
    "ms": 10**6,
    "msec": 10**6,
    "s": 10**9,
    "sec": 10**9,
}
_BETWEEN_THOUSANDS = re.compile(r"[\s,']")
_LONGEST = 100  # digits; of some thousand Python makes no number
_FAR_POWER = 25  # of ten: no time or size is as large or as small
BYTES = {
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}


def nanoseconds_of(text: str, unit_ns: int) -> int | None:
    """A time in units of so many nanoseconds; None if it is no number.

    What stands between thousands is left out, commas, blanks or apostrophes; digits
    past the nanosecond are rounded.
    """
    if text.isdigit() and text.isascii():
        return FAR_NS if len(text) > _LONGEST else min(int(text) * unit_ns, FAR_NS)
    number = _number(text)
    return (
        None if number is None else max(-FAR_NS, min(round(number * unit_ns), FAR_NS))
    )


def bytes_of(text: str, unit_bytes: int) -> float:
    """A size in units of so many bytes; NaN if it is no number, or negative."""
    number = _number(text)
    return math.nan if number is None or number < 0 else float(number * unit_bytes)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(_BETWEEN_THOUSANDS.sub("", text))
    except InvalidOperation:
        return None
    far = not number.is_finite() or abs(number.adjusted()) > _FAR_POWER
    return None if far else number
