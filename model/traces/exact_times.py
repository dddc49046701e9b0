"""Many times at once, from their texts to integer nanoseconds, exactly.

The common forms are read as columns: integers, and decimals down to the nanosecond.
All others go one by one through `exact_time`.
"""

import json
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.exact_time import FAR_NS, nanoseconds
from overlap_widget.model.traces.gpu_events import NO_TIME

_SPACE, _POINT = b" "[0], b"."[0]
_DECIMALS = 3  # of a microsecond, down to the nanosecond
_WHOLE = 3  # a space or the start, a digit and the point

Times = NDArray[np.int64]
Places = NDArray[np.intp]


def nanoseconds_of(texts: Sequence[bytes]) -> Times:
    """Nanoseconds from JSON texts of microseconds, int64[n]; `NO_TIME` for no number.

    A text may be a quoted number; an empty one stands for a field that isn't there.
    """
    joined = b" ".join(texts).replace(b'"', b"")
    times = _as_columns(joined, len(texts))
    return _one_by_one(texts) if times is None else times


def _as_columns(joined: bytes, count: int) -> Times | None:
    """None where any text is of another form than `123` or `123.456`."""
    if joined.translate(None, b"0123456789. ") or not count:
        return None if count else np.empty(0, np.int64)
    letters = np.frombuffer(joined + b" ", np.uint8)
    ends = np.flatnonzero(letters == _SPACE)
    points = np.flatnonzero(letters == _POINT)
    if len(ends) != count:
        return None
    decimals = _decimals(ends, points)
    if decimals is None:
        return None
    numbers = np.fromstring(joined.replace(b".", b""), np.int64, sep=" ")
    scale = 10 ** (_DECIMALS - decimals)
    # too long a number is the largest of all
    return None if (numbers > FAR_NS // scale).any() else numbers * scale


def _decimals(ends: Places, points: Places) -> int | NDArray[np.int64] | None:
    """How many decimals each text has, or all of them; None if that isn't possible.

    `ends` are where the texts end, each with at least one digit then.
    """
    lengths = np.diff(ends)
    if ends[0] < 1 or (len(lengths) and lengths.min() <= 1):
        return None
    if not len(points):
        return 0
    if len(points) == len(ends):
        behind = ends - points
        if behind.min() == behind.max() == _DECIMALS + 1 and points[0] > 0:
            shortest = lengths.min() if len(lengths) else _DECIMALS + _WHOLE
            return _DECIMALS if shortest >= _DECIMALS + _WHOLE else None
    texts = np.searchsorted(ends, points)
    decimals = np.zeros(len(ends), np.int64)
    decimals[texts] = ends[texts] - points - 1
    digits = np.diff(ends, prepend=-1) - 1 - np.bincount(texts, minlength=len(ends))
    fit = (digits >= 1).all() and decimals.max() <= _DECIMALS
    return decimals if fit and (np.diff(texts) > 0).all() else None


def _one_by_one(texts: Iterable[bytes]) -> Times:
    read = [nanoseconds(_plain(bytes(text))) for text in texts]
    return np.array([NO_TIME if ns is None else ns for ns in read], np.int64)


def _plain(text: bytes) -> str:
    """The text of a number, without the quotation marks of a JSON string."""
    if not text.startswith(b'"'):
        return text.decode(errors="replace")
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return ""
