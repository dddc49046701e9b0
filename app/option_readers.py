"""How the options of the command line read quantities, each refused in one sentence."""

import argparse
import re
from collections.abc import Callable
from typing import TypeVar

from overlap_widget.app.standard_streams import LONGEST
from overlap_widget.model.quoted import quoted

Quantity = TypeVar("Quantity")

MOST_RATE, MOST_TIME = "1e24B/s", "1e9s"
"""Far above what anyone means, and far below what no longer adds up."""
_SHARE = re.compile(r"\s*([-+]?[0-9.]+)\s*(%?)\s*")
_WHOLE = re.compile(r"\s*(-?[0-9]{1,15})\s*")
_DECIMAL = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*")


def reader(
    quantity: Callable[[str], float], *, zero: bool, most: str = ""
) -> Callable[[str], float]:
    """A reader whose sentence argparse repeats; of a bare ValueError it drops it.

    `most` is the largest that is read, as one would write it.
    """
    limit = quantity(most) if most else float("inf")

    def read(text: str) -> float:
        try:
            value = quantity(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        if value < 0 or (value == 0 and not zero):
            least = "0 or more" if zero else "above 0"
            raise argparse.ArgumentTypeError(
                f"{quoted(text)} is too low; it must be {least}"
            )
        if value > limit:
            raise argparse.ArgumentTypeError(
                f"{quoted(text)} is too large; it must be at most {most}"
            )
        return value

    return read


def whole_number(text: str) -> int:
    """A number from its digits alone; which ones have a meaning is for others to say.

    Stricter than `int`, which takes 1_0 for ten and the digits of every script.
    """
    match = _WHOLE.fullmatch(text)
    if not match:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a whole number such as 4, in digits alone"
        )
    return int(match[1])


def bytes_of_one(text: str) -> float:
    """Bytes of one element, `2` or `0.5`; whether one is as large is not asked here."""
    match = _DECIMAL.fullmatch(text)
    if not match:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a number of bytes such as 4 in fp32 or 2 in bf16"
        )
    return float(match[1])


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
        raise ValueError(f"{quoted(text)} is not a share such as 0.19 or 19%")
    if match[2]:
        return number / 100
    if number > 1:
        raise ValueError(f"{quoted(text)} is above 1; write percent as such: 19%")
    return number


def short(text: str) -> str:
    """A name cut where a sentence would drown in it."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def given_or(given: Quantity | None, otherwise: Quantity) -> Quantity:
    """The value of an option, or what stands for it where it wasn't given."""
    return otherwise if given is None else given
