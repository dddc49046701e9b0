"""Counts of numbers, the unit in which Megatron and DeepSpeed size their buckets.

A parameter is one number of a model, an element one number of a gradient: there are as
many of either. Both are counts and become bytes only with the size of a number, so
40,000,000 of them are 160 MB in fp32 and 80 MB in bf16. PyTorch's DDP counts MiB.
"""

import re

from overlap_widget.model.quoted import quoted

MOST_ELEMENT_BYTES = 16
"""Of a complex number in double precision; fp32 takes 4, bf16 2, fp8 1."""

_COMMAS = r"[1-9][0-9]{0,2}(?:,[0-9]{3})+"  # 1,5 is no count: a comma may mean a point
_EXPONENT = r"[0-9]+(?:\.[0-9]+)?e\+?[0-9]{1,2}"
_COUNT = re.compile(rf"\s*([0-9]+|{_COMMAS}|{_EXPONENT})\s*", re.I)


def element_count(text: str) -> int:
    """How many parameters or elements from `40000000`, `40,000,000`, `5e8`, `2.5e6`.

    Raises ValueError with one sentence for anything else: for a size such as 25MiB,
    which is no count, for a part of a number, and for commas that part no thousands.
    """
    match = _COUNT.fullmatch(text)
    count = float(match[1].replace(",", "")) if match else 0.5
    if not (count >= 1 and count.is_integer()):
        raise ValueError(
            f"{quoted(text)} is no count of parameters or elements; write a whole "
            "number such as 40000000, without a unit"
        )
    return int(count)


def elements_bytes(count: float, element_bytes: float) -> float:
    """Bytes of so many parameters or elements of `element_bytes` each.

    Raises ValueError for less than one, for a part of one, and for an element larger
    than any number, as where the two are swapped or a size in bytes stands for either.
    """
    if not (count >= 1 and float(count).is_integer()):
        raise ValueError(
            f"a bucket holds whole parameters or elements, 1 or more, not {count:g}"
        )
    if not 0 < element_bytes <= MOST_ELEMENT_BYTES:
        raise ValueError(
            f"one element takes up to {MOST_ELEMENT_BYTES} bytes, such as 4 in fp32, "
            f"not {element_bytes:g}"
        )
    return float(count) * element_bytes
