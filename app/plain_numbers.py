"""Numbers without a unit in an address, as all readers of it agree on them.

`float` alone also takes 1_0 for ten, the digits of every script, and `inf`.
"""

import re

_PLAIN = re.compile(r"\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?)\s*", re.I)


def plain_number(text: str) -> float:
    """A number in ASCII digits; ValueError for anything else."""
    match = _PLAIN.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no number")
    return float(match[1])


def share_number(text: str) -> float:
    """A share of 1, or a percentage; ValueError for anything else."""
    if text.rstrip().endswith("%"):
        return plain_number(text.rstrip()[:-1]) / 100
    return plain_number(text)
