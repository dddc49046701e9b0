"""What if, on the command line: the fitted link, and how steps replay on it."""

import itertools
from collections.abc import Iterator, Sequence

from overlap_widget.app.measurement_report_rows import Told
from overlap_widget.app.quantities import (
    count_text,
    percent_text,
    rate_text,
    size_text,
    time_text,
)
from overlap_widget.app.shown_link import shown_link
from overlap_widget.model.link_fit import LinkFit, Refused
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import StepRow
from overlap_widget.model.ranks import Ranks
from overlap_widget.model.replay import Replay, replayed
from overlap_widget.model.units import MIB
from overlap_widget.model.what_if_caps import CapRow, caps, default_cap

MOST_REPLAYED = 4
"""Steps that are told of one by one; of more only the link is told."""
WORDS = {
    "refused": "What if: there is no estimate, since {reason}.",
    "link": "What if: the link has {rate} (± {rate_error}) and an overhead of "
    "{overhead}{overhead_error}, fitted to {transfers} of {low} to {high}; typically "
    "it misses them by {error}.",
    "overhead error": " (± {error})",
    "replayed": "{place}: on that link, with its own buckets, the tail is {replayed}; "
    "measured it is {measured}. With the best plan, {transfers} of {sizes}{finest}, it "
    "would be {best}.",
    "sizes": "{low} to {high}",
    "finest": " (the finest pieces that are tried)",
    "default": "With DDP's default buckets (bucket_cap_mb not set) it would be {tail}, "
    "in {transfers}.",
    "cap": "Of bucket_cap_mb {tried} the best is {best}: {tail}, in {transfers}.",
    "one cap": "With bucket_cap_mb={best} it would be {tail}, in {transfers}.",
    "tried": "{some} and {last}",
    "not replayed": "{place}: {reason}.",
}


def what_if_sentences(
    files: Sequence[MeasuredFile],
    ranks: Ranks,
    told: Sequence[Told],
    places: Sequence[str],
) -> list[str]:
    """Of the link of the files, and of each step told of; none where nothing moves.

    places: what to call each row
    """
    if not any(len(file.transfers) for file in files):
        return []
    fit = shown_link(files, ranks)
    if isinstance(fit, Refused):
        return [WORDS["refused"].format(reason=fit.reason)]
    said = [_link_sentence(fit)]
    if len(told) <= MOST_REPLAYED:
        said += _replays(files, ranks, fit, zip(told, places, strict=True))
    return said


def _link_sentence(fit: LinkFit) -> str:
    overhead = fit.overhead_error_s
    return WORDS["link"].format(
        rate=rate_text(fit.link.bandwidth_bytes_per_s),
        rate_error=percent_text(_two_digits(fit.bandwidth_error)),
        overhead=time_text(fit.link.overhead_s),
        overhead_error=""
        if overhead is None
        else WORDS["overhead error"].format(error=time_text(_two_digits(overhead))),
        transfers=count_text("transfers", fit.transfers),
        low=size_text(fit.low_bytes),
        high=size_text(fit.high_bytes),
        error=percent_text(_two_digits(fit.relative_error)),
    )


def _replays(
    files: Sequence[MeasuredFile],
    ranks: Ranks,
    fit: LinkFit,
    told: Iterator[tuple[Told, str]],
) -> Iterator[str]:
    for one, place in told:
        if not isinstance(one.row, StepRow):
            continue
        file, row = files[one.file], one.row
        step = [step.name for step in file.steps].index(row.step)
        found = replayed(file, row.device, step, fit, ranks.waiting_s[one.file])
        if isinstance(found, Refused):
            yield WORDS["not replayed"].format(place=place, reason=found.reason)
            continue
        yield " ".join([_replayed(found, place), *_caps(found)])


def _replayed(found: Replay, place: str) -> str:
    """The tail with its own buckets and with the best plan, and which that is."""
    layers, plan = found.measured.layers, found.best.plan
    pieces = iter(layers)
    sizes = [
        sum(one.gradient_bytes for one in itertools.islice(pieces, count))
        for count in plan
    ]
    low, high = size_text(min(sizes)), size_text(max(sizes))
    return WORDS["replayed"].format(
        place=place,
        replayed=time_text(found.simulation.tail.total_s),
        measured=time_text(found.measured.tail_s),
        transfers=count_text("transfers", len(plan)),
        sizes=low if low == high else WORDS["sizes"].format(low=low, high=high),
        finest=WORDS["finest"] if len(plan) == len(layers) else "",
        best=time_text(found.best.plan_tail_s),
    )


def _caps(found: Replay) -> Iterator[str]:
    """What buckets of a size would give that one can set: DDP's own, and the best."""
    yield WORDS["default"].format(**_of_cap(default_cap(found)))
    rows = caps(found)
    if not rows:
        return
    best = min(rows, key=lambda row: (row.tail_s, row.transfers))
    *some, last = (str(_mib(row)) for row in rows)
    tried = WORDS["tried"].format(some=", ".join(some), last=last)
    values = {"best": _mib(best), "tried": tried, **_of_cap(best)}
    yield WORDS["cap" if some else "one cap"].format(**values)


def _mib(row: CapRow) -> int:
    return round(row.cap_bytes / MIB)


def _of_cap(row: CapRow) -> dict[str, str]:
    return {
        "tail": time_text(row.tail_s),
        "transfers": count_text("transfers", row.transfers),
    }


def _two_digits(value: float) -> float:
    """An error is known to two digits at most."""
    return float(f"{value:.2g}")
