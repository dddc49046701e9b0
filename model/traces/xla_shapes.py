"""Bytes of the arrays in the text of an XLA operation.

`%all-reduce.3 = f32[1024,8]{1,0:T(8,128)} all-reduce(f32[1024,8]{1,0} %fusion.2), ...`
"""

import math
import re

from overlap_widget.model.timeline import Collective
from overlap_widget.model.traces.kernels import Args

TEXT = re.compile(
    r"%?(?P<name>\S+) = (?P<shape>.*?) (?P<opcode>[a-z][a-z-]*)\((?P<operands>.*)",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(r"\), \w+=")
_ARRAY = re.compile(r"\b([a-z]+)(\d*)(?:e\dm\d\w*)?\[(?:<?=?(\d[\d,<=]*))?\]")
_BITS = {"pred": 8}  # all other types end in their number of bits


def collective_bytes(args: Args, collective: Collective) -> float:
    """Bytes of the whole array that a collective works on; NaN if not noted.

    For a reduce-scatter the input, for an all-gather the output: the larger of both.
    """
    text = TEXT.match(str(args.get("long_name", "")))
    sends_off = bool(text and text["opcode"].endswith("-start"))
    arrays = _arrays(text["shape"] if text else str(args.get("shape_with_layout", "")))
    if collective is Collective.REDUCE_SCATTER:
        arrays = _arrays(_ATTRIBUTES.split(text["operands"])[0]) if text else []
    elif sends_off and collective is not Collective.ALL_REDUCE:
        arrays = arrays[len(arrays) // 2 :]  # what goes in stands before what comes out
    total_bytes = sum(arrays)  # fsum raises OverflowError for large finite ones
    return total_bytes if arrays and math.isfinite(total_bytes) else math.nan


def _arrays(text: str) -> list[float]:
    """Bytes of each array in a shape; scalars are left out: they hold no data here."""
    return [
        math.prod(float(extent) for extent in re.findall(r"\d+", extents))
        * _BITS.get(letters, float(bits or 0))
        / 8
        for letters, bits, extents in _ARRAY.findall(text)
        if extents
    ]
