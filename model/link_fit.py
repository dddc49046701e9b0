"""The link of a measured run: overhead and bandwidth of the transfers of its gradients.

A line is fitted to the sizes and times of `gradients.py`, in whole steps. Where it
would mislead there is none, and a sentence that says why.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.fit import FEWEST, NegativeOverheadError, fit
from overlap_widget.model.gradients import Mask, gradient_rows
from overlap_widget.model.intervals import intersection, length_s, union
from overlap_widget.model.link import Link
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.units import GB, KB, MB

Times = NDArray[np.float64]

_MAY_WAIT = "; their times may hold waiting for other ranks, whose files would tell"
MOST_ERROR = 0.25
"""Of the fit, and of its rate. The lines of published tables are 1 to 20 % off, those
of a single one 25 %: what is worse is no link that a line describes."""
ALIKE = 1.25
"""The largest size over the smallest: below it rate and overhead can't be told apart,
since 10 % more time for the larger ones would double the rate or halve it."""
AT_ONCE = 0.01
"""Of the time of the transfers: kernels of one stream touch by less."""


@dataclass(frozen=True, slots=True)
class LinkFit:
    """The line, how far off it is, and what it was fitted to.

    relative_error:  of a transfer, typically: the root of the mean of the squares of
                     line / measured - 1
    bandwidth_error: of the rate, as a share; one standard error, from the scatter
    overhead_error_s: the same of the overhead; None where it is taken to be 0
    transfers:       how many
    low_bytes, high_bytes: the smallest and the largest of them
    waiting_removed: whether waiting for other ranks was taken off their times
    """

    link: Link
    relative_error: float
    bandwidth_error: float
    overhead_error_s: float | None
    transfers: int
    low_bytes: float
    high_bytes: float
    waiting_removed: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no answer, as a sentence without its full stop."""

    reason: str


def fitted_link(
    files: Sequence[MeasuredFile], waiting_s: Sequence[Times] | None = None
) -> LinkFit | Refused:
    """The link that these files were recorded on, or why none can be told.

    waiting_s: for each file how long each of its transfers waited for other ranks, NaN
               where that is unknown; those that are known are taken off the times
    """
    if not any(len(file.transfers) for file in files):
        return Refused("nothing communicates here, so there is no link to fit")
    chosen = [_chosen(file) for file in files]
    at_once = _share_at_once(files, chosen)
    if at_once > AT_ONCE:
        return Refused(
            f"transfers run at once for {100 * at_once:.0f} % of their time, and the "
            "model sends one at a time"
        )
    told, removed = _without_waiting(files, chosen, waiting_s)
    columns = [
        (file.transfers.size_bytes[rows], times[rows])
        for file, rows, times in zip(files, chosen, told, strict=True)
    ]
    sizes, times = (np.concatenate(column) for column in zip(*columns, strict=True))
    lasts = times > 0  # also drops what is NaN
    return _fitted(sizes[lasts], times[lasts], removed)


def _chosen(file: MeasuredFile) -> Mask:
    """The transfers of gradients in whole steps, without the first where others are.

    Frameworks regroup buckets after the first step, and it warms up.
    """
    moved = file.transfers
    rows = gradient_rows(moved.collective, moved.group, moved.groups, moved.size_bytes)
    whole = [at for at, step in enumerate(file.steps) if step.complete]
    for steps in ([at for at in whole if at > 0], whole):
        in_them = rows & np.isin(moved.step, steps)
        if in_them.any():
            return in_them
    return rows


def _share_at_once(files: Sequence[MeasuredFile], chosen: Sequence[Mask]) -> float:
    """The share of the time of the transfers in which another one runs as well."""
    together_s = busy_s = 0.0
    for file, rows in zip(files, chosen, strict=True):
        moved = file.transfers
        for device in np.unique(moved.device[rows]):
            here = moved.device == device
            ours = here & rows
            spans = union(moved.start_s[ours], moved.end_s[ours])
            other = union(moved.start_s[here & ~rows], moved.end_s[here & ~rows])
            length = length_s(spans)
            total_s = float((moved.end_s[ours] - moved.start_s[ours]).sum())
            busy_s += length
            together_s += total_s - length + length_s(intersection(spans, other))
    return together_s / busy_s if busy_s > 0 else 0.0


def _without_waiting(
    files: Sequence[MeasuredFile],
    chosen: Sequence[Mask],
    waiting_s: Sequence[Times] | None,
) -> tuple[list[Times], bool]:
    """The times of all transfers; less their waiting where enough of it is known."""
    lengths = [one.transfers.end_s - one.transfers.start_s for one in files]
    if waiting_s is None:
        return lengths, False
    known = sum(
        int(np.isfinite(waits[rows]).sum())
        for waits, rows in zip(waiting_s, chosen, strict=True)
    )
    if known < FEWEST:
        return lengths, False
    return [
        length - waits for length, waits in zip(lengths, waiting_s, strict=True)
    ], True


def _fitted(sizes: Times, times: Times, removed: bool) -> LinkFit | Refused:
    if not len(sizes):
        return Refused(
            "the recording doesn't tell how many bytes its gradients have: no "
            "all-reduce or reduce-scatter of known size"
        )
    if len(sizes) < FEWEST:
        return Refused(
            f"a line takes {FEWEST} transfers of gradients or more, and the size is "
            f"known of {len(sizes)}"
        )
    low, high = float(sizes.min()), float(sizes.max())
    if high < ALIKE * low:
        return Refused(
            f"the transfers are alike in size ({_range_text(low, high)}), so that rate "
            "and overhead can't be told apart"
        )
    try:
        link = fit(sizes, times, low, high).link
    except NegativeOverheadError:
        link = _through_zero(sizes, times)
    except ValueError:
        return Refused(
            f"the times don't grow with the sizes ({_range_text(low, high)}), so that "
            "there is no rate to tell"
        )
    return _judged(link, sizes, times, removed)


def _through_zero(sizes: Times, times: Times) -> Link:
    """The best line without overhead, which scatter may have made negative."""
    paces = sizes / times
    return Link(0.0, float((paces**2).sum() / paces.sum()))


def _judged(link: Link, sizes: Times, times: Times, removed: bool) -> LinkFit | Refused:
    """The fit with its errors, unless they are too large."""
    low, high = float(sizes.min()), float(sizes.max())
    squares = float(((link.transfer_s(sizes) / times - 1) ** 2).sum())
    error = math.sqrt(squares / len(sizes))
    hint = "" if removed else _MAY_WAIT
    if error > MOST_ERROR:
        return Refused(
            f"the fitted link misses these transfers by {100 * error:.0f} %, and more "
            f"than {100 * MOST_ERROR:.0f} % would mislead{hint}"
        )
    slope_s, overhead_s = _standard_errors(link, sizes, times, squares)
    rate_error = slope_s * link.bandwidth_bytes_per_s
    if rate_error > MOST_ERROR:
        return Refused(
            f"the times scatter too much for sizes of {_range_text(low, high)}: the "
            f"rate would be uncertain by {100 * rate_error:.0f} %, and more than "
            f"{100 * MOST_ERROR:.0f} % would mislead{hint}"
        )
    return LinkFit(
        link=link,
        relative_error=error,
        bandwidth_error=rate_error,
        overhead_error_s=overhead_s,
        transfers=len(sizes),
        low_bytes=low,
        high_bytes=high,
        waiting_removed=removed,
    )


def _standard_errors(
    link: Link, sizes: Times, times: Times, squares: float
) -> tuple[float, float | None]:
    """Of the time a byte, and of the overhead: weighted least squares."""
    weights = 1 / times**2
    if link.overhead_s == 0:
        each = squares / (len(sizes) - 1)
        return math.sqrt(each / float((weights * sizes**2).sum())), None
    each = squares / (len(sizes) - 2)
    mean = float(np.average(sizes, weights=weights))
    spread = float((weights * (sizes - mean) ** 2).sum())
    overhead = each * (1 / float(weights.sum()) + mean**2 / spread)
    return math.sqrt(each / spread), math.sqrt(overhead)


def _range_text(low_bytes: float, high_bytes: float) -> str:
    """As "40 to 41 MB", or "25 MB" where three digits say the same of both."""
    unit, name = next(
        ((unit, name) for unit, name in ((GB, "GB"), (MB, "MB")) if high_bytes >= unit),
        (KB, "kB"),
    )
    low, high = f"{low_bytes / unit:.3g}", f"{high_bytes / unit:.3g}"
    return f"{high} {name}" if low == high else f"{low} to {high} {name}"
