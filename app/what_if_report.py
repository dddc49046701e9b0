"""What if, on the command line: the fitted link, and how steps replay on it."""

from collections.abc import Iterator, Sequence

from overlap_widget.app.measurement_report_rows import Told
from overlap_widget.app.quantities import (
    count_text,
    percent_text,
    rate_text,
    size_text,
    time_text,
)
from overlap_widget.model.link_fit import LinkFit, Refused, fitted_link
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement_rows import StepRow
from overlap_widget.model.ranks import Ranks
from overlap_widget.model.replay import replayed

MOST_REPLAYED = 4
"""Steps that are told of one by one; of more only the link is told."""
WORDS = {
    "refused": "What if: there is no estimate, since {reason}.",
    "link": "What if: the link has {rate} (± {rate_error}) and an overhead of "
    "{overhead}{overhead_error}, fitted to {transfers} of {low} to {high}; typically "
    "it misses them by {error}.",
    "overhead error": " (± {error})",
    "replayed": "{place}: on that link, with its own buckets, the tail is {replayed}; "
    "measured it is {measured}. With the best plan it would be {best}.",
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
    fit = fitted_link(files, ranks.waiting_s)
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
        yield WORDS["replayed"].format(
            place=place,
            replayed=time_text(found.simulation.tail.total_s),
            measured=time_text(found.measured.tail_s),
            best=time_text(found.best.plan_tail_s),
        )


def _two_digits(value: float) -> float:
    """An error is known to two digits at most."""
    return float(f"{value:.2g}")
