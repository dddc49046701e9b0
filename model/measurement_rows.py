"""Rows of plain values that a measurement is made of, and their form in JSON.

Seconds and bytes; None where a file doesn't tell, never NaN.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

STEP_KEYS = (
    *("file", "rank", "device", "step", "complete", "backward_found", "compute_s"),
    *("communication_s", "hidden_s", "exposed_s", "tail_s", "waiting_s"),
)
TRANSFER_KEYS = (
    *("rank", "device", "step", "name", "collective", "bytes"),
    *("start_s", "end_s", "exposed_s"),
)
"""Of steps and transfers in JSON; others read them, so they stay."""
DIGITS = 12
"""Of seconds in rows of plain values."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file: who wrote it, and what is doubtful about it."""

    path: str
    format: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step on a device, its seconds as in `Breakdown`.

    backward_found: whether the file tells where the backward pass ends; otherwise the
                    tail is a guess
    waiting_s:      communication that waits for a late rank; None where it can't be
                    told from transfer, as in one rank alone
    span_s:         from its first span to the end of its last
    idle_s:         neither compute nor communication
    start_s:        its first span, since the first of the file
    remark:         "first", "cut", "long" or "short" where it stands out among the
                    steps of its device, as `step_remarks.py` has it; else empty
    """

    file: str
    rank: int | None
    device: int
    step: str
    complete: bool
    backward_found: bool
    compute_s: float
    communication_s: float
    hidden_s: float
    exposed_s: float
    tail_s: float
    waiting_s: float | None
    span_s: float
    idle_s: float
    start_s: float
    remark: str = ""


@dataclass(frozen=True, slots=True)
class TotalRow:
    """Everything on a device; `overlap` is hidden over communication, None without."""

    file: str
    rank: int | None
    device: int
    compute_s: float
    communication_s: float
    hidden_s: float
    exposed_s: float
    overlap: float | None


@dataclass(frozen=True, slots=True)
class TransferRow:
    """A communication span: times since the first span of its step on its device.

    Where `step` is None it lies outside of all steps, and its times are since the
    first span of the file. `collective` is None when it is of unknown type.
    """

    file: str
    rank: int | None
    device: int
    step: str | None
    name: str
    collective: str | None
    bytes: float | None
    start_s: float
    end_s: float
    exposed_s: float


@dataclass(frozen=True, slots=True)
class LinkRow:
    """The link fitted to the gradients of all files; see `LinkFit` for its errors."""

    bandwidth_bytes_per_s: float
    overhead_s: float
    relative_error: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """Rows of several files in their order.

    default_step: name of the step to look at first, whole in all files where one is
    link:         what their transfers went over; None where none can be told
    """

    files: tuple[FileRow, ...]
    steps: tuple[StepRow, ...]
    totals: tuple[TotalRow, ...]
    transfers: tuple[TransferRow, ...]
    default_step: str | None
    link: LinkRow | None = None


def as_json(measurement: Measurement) -> dict[str, Any]:
    """The measurement as JSON holds it; a link that can't be told is null."""
    return {
        "files": [plain(row) for row in measurement.files],
        "steps": _keyed(measurement.steps, STEP_KEYS),
        "totals": [plain(row) for row in measurement.totals],
        "transfers": _keyed(measurement.transfers, TRANSFER_KEYS),
        "link": plain(measurement.link) if measurement.link else None,
        "default_step": measurement.default_step,
    }


def _keyed(
    rows: Sequence[StepRow | TransferRow], keys: Sequence[str]
) -> list[dict[str, Any]]:
    values = map(plain, rows)
    return [{key: value[key] for key in keys} for value in values]


def plain(row: FileRow | StepRow | TotalRow | TransferRow | LinkRow) -> dict[str, Any]:
    """A row by its names; files count nanoseconds, so digits past them are noise."""
    return {
        name: round(value, DIGITS) if isinstance(value, float) else value
        for name, value in asdict(row).items()
    }
