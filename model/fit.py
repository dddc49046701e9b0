"""The straight line that fits measured transfers best.

    time = overhead + bytes / bandwidth

Best means that the squares of the relative errors, line / measured - 1, add up to the
least. So a transfer of 64 KiB counts as much as one of 1 GiB, where the absolute error
would listen to the longest transfers only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from overlap_widget.model.link import Link, Sizes
from overlap_widget.model.units import MIB

LOW_BYTES, HIGH_BYTES = 1 * MIB, 256 * MIB
"""The sizes that gradient buckets have: a fit serves them unless told otherwise."""
FEWEST = 3
"""Transfers that a fit takes: a line through two has no error to tell."""
ROUNDING = 1e-9
"""Of the shortest time: what a fit takes for 0."""


class NegativeOverheadError(ValueError):
    """The times grow faster than the sizes: the best line starts below 0."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A line, how far it is from the times it was fitted to, and where it holds.

    max_error:  the largest relative error, as a share: 0.2 is 20 percent
    rms_error:  the root of the mean of the squared relative errors
    points:     how many times it was fitted to
    low_bytes:  the smallest size that it was fitted to
    high_bytes: the largest; of others nobody said how far off it is
    """

    link: Link
    max_error: float
    rms_error: float
    points: int
    low_bytes: float
    high_bytes: float


def fit(
    sizes_bytes: Sequence[float] | Sizes,
    times_s: Sequence[float] | Sizes,
    low_bytes: float = LOW_BYTES,
    high_bytes: float = HIGH_BYTES,
) -> Fit:
    """The best line through the transfers of `low_bytes` to `high_bytes`, both in it.

    Sizes may repeat and come in any order. Raises ValueError for sizes and times that
    aren't finite, positive and as many, for fewer than three in the window or all of
    one size, and where the best line would have no bandwidth; NegativeOverheadError,
    which is one, where it would have a negative overhead.
    """
    sizes, times = _inside(*_inputs(sizes_bytes, times_s), low_bytes, high_bytes)
    link = _line(sizes, times)
    errors = link.transfer_s(sizes) / times - 1
    return Fit(
        link=link,
        max_error=float(np.abs(errors).max()),
        rms_error=float(np.sqrt(np.mean(errors**2))),
        points=len(sizes),
        low_bytes=float(sizes.min()),
        high_bytes=float(sizes.max()),
    )


def _inputs(
    sizes_bytes: Sequence[float] | Sizes, times_s: Sequence[float] | Sizes
) -> tuple[Sizes, Sizes]:
    """Both as arrays, checked."""
    sizes = np.asarray(sizes_bytes, dtype=np.float64)
    times = np.asarray(times_s, dtype=np.float64)
    if sizes.ndim != 1 or sizes.shape != times.shape:
        raise ValueError("no line fits: there must be one time for each size")
    for name, values in (("sizes", sizes), ("times", times)):
        if not (np.isfinite(values).all() and (values > 0).all()):
            raise ValueError(f"no line fits: the {name} must be finite and above 0")
    return sizes, times


def _inside(
    sizes: Sizes, times: Sizes, low_bytes: float, high_bytes: float
) -> tuple[Sizes, Sizes]:
    """Those of the window, which must hold enough of them."""
    if not low_bytes < high_bytes:
        raise ValueError("no line fits: its window must go from a size to a larger one")
    is_inside = (low_bytes <= sizes) & (sizes <= high_bytes)
    count = np.count_nonzero(is_inside)
    if count < FEWEST:
        raise ValueError(
            f"no line fits: it takes {FEWEST} transfers or more of {low_bytes:,.0f} to "
            f"{high_bytes:,.0f} bytes, not {count}"
        )
    return sizes[is_inside], times[is_inside]


def _line(sizes: Sizes, times: Sizes) -> Link:
    """The line of the least weighted squares, each weight 1 / time squared.

    Worked out around the weighted means, where nothing large cancels; the wire time
    is that of the largest size.
    """
    least_s, most_bytes = times.min(), sizes.max()
    if sizes.min() == most_bytes:
        raise ValueError("no line fits: all transfers are of one size")
    shares = sizes / most_bytes
    with np.errstate(all="ignore"):  # what is too large ends as NaN, and is refused
        weights = (least_s / times) ** 2
        mean, mean_s = (np.average(one, weights=weights) for one in (shares, times))
        off = shares - mean
        wire_s = (weights * off * (times - mean_s)).sum() / (weights * off**2).sum()
        overhead_s = mean_s - wire_s * mean
    if not wire_s > ROUNDING * least_s:
        raise ValueError("no line fits: the times don't grow with the sizes")
    if overhead_s < -ROUNDING * least_s:
        raise NegativeOverheadError(
            "no line fits: the times grow faster than the sizes, so that its overhead "
            "would be negative"
        )
    return Link(max(0.0, float(overhead_s)), float(most_bytes) / float(wire_s))
