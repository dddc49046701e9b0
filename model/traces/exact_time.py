"""Times as text of microseconds, exactly: integer nanoseconds.

Microseconds since 1970 with three decimals don't fit in a float64, whose steps are
a quarter of a microsecond there. So times stay text until they are integers.
"""

from decimal import Decimal, InvalidOperation
from fractions import Fraction

FAR_NS = 2**61
"""No time or length in a trace is larger (73 years); larger ones are cut to it."""

_DECIMALS = 3  # of a microsecond, down to the nanosecond
_FAR_POWER = 18  # of ten microseconds: far beyond `FAR_NS`


def nanoseconds(microseconds: object) -> int | None:
    """Nanoseconds from an integer or a text of microseconds; None if it is neither.

    Digits past the nanosecond are rounded, half to even.
    """
    if isinstance(microseconds, str):
        return _of_text(microseconds)
    if isinstance(microseconds, int) and not isinstance(microseconds, bool):
        return _near(microseconds * 1000)
    return None


def _of_text(text: str) -> int | None:
    whole, _, decimals = text.partition(".")
    if len(decimals) <= _DECIMALS and text[-1:].isdigit():
        try:
            return _near(int(whole + decimals.ljust(_DECIMALS, "0")))
        except ValueError:
            pass  # an exponent, or no number at all
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return _of_number(number) if number.is_finite() else None


def _of_number(number: Decimal) -> int:
    """Rounded; a power of ten that no integer should hold is not expanded."""
    if number.adjusted() > _FAR_POWER:
        return -FAR_NS if number.is_signed() else FAR_NS
    if number.adjusted() < -_FAR_POWER:
        return 0
    return _near(round(Fraction(number) * 1000))


def _near(ns: int) -> int:
    return max(-FAR_NS, min(FAR_NS, ns))
