"""How the options of the command line read quantities, each refused in one sentence."""

import argparse
import re
from collections.abc import Callable
from typing import TypeVar

Quantity = TypeVar("Quantity")

LONGEST = 60
"""Of a text that a sentence quotes, in characters."""
_SHARE = re.compile(r"\s*([-+]?[0-9.]+)\s*(%?)\s*")


def reader(quantity: Callable[[str], float], *, zero: bool) -> Callable[[str], float]:
    """A reader whose sentence argparse repeats; of a bare ValueError it drops it."""

    def read(text: str) -> float:
        try:
            value = quantity(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        if value < 0 or (value == 0 and not zero):
            least = "0 or more" if zero else "above 0"
            raise argparse.ArgumentTypeError(f"{text!r} is too low; it must be {least}")
        return value

    return read


def share(text: str) -> float:
    """A share of 1 from `0.19` or `19%`.

    A bare number above 1 may be meant either way, so it is refused rather than guessed.
    Raises ValueError with one sentence for anything else.
    """
    match = _SHARE.fullmatch(text)
    try:
        number = float(match[1]) if match else None
    except ValueError:  # two points, say
        number = None
    if match is None or number is None:
        raise ValueError(f"{short(text)!r} is not a share such as 0.19 or 19%")
    if match[2]:
        return number / 100
    if number > 1:
        raise ValueError(f"{short(text)!r} is above 1; write percent as such: 19%")
    return number


def short(text: str) -> str:
    """A text cut where a sentence would drown in it."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def given_or(given: Quantity | None, otherwise: Quantity) -> Quantity:
    """The value of an option, or what stands for it where it wasn't given."""
    return otherwise if given is None else given
