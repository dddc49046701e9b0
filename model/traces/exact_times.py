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
_DIGITS = 18  # fit in int64, whatever they are

Times = NDArray[np.int64]


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
    lengths = np.diff(ends, prepend=-1) - 1
    texts = np.searchsorted(ends, points)
    decimals = np.zeros(count, np.int64)
    decimals[texts] = ends[texts] - points - 1
    digits = lengths - np.bincount(texts, minlength=count)
    fit = (digits >= 1) & (digits - decimals + _DECIMALS <= _DIGITS + 1)
    if not fit.all() or decimals.max() > _DECIMALS or (np.diff(texts) == 0).any():
        return None
    numbers = np.fromstring(joined.replace(b".", b""), np.int64, sep=" ")
    most = FAR_NS // 10 ** (_DECIMALS - decimals)
    if (numbers > most).any():
        return None
    times: Times = numbers * 10 ** (_DECIMALS - decimals)
    return times


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
