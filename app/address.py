"""The settings in the page's address.

Every value is always written, so that a link means the same for ever, whatever a later
version starts with. An address may leave some out: those are as the page starts.
What an address asks for is checked here, whoever reads it, and never becomes markup.
"""

from typing import Any
from urllib.parse import parse_qsl, urlencode

from overlap_widget.app.changes import bad_value, change, short
from overlap_widget.app.fields import CHOICES, NUMBERS, PARTS
from overlap_widget.app.settings import DEFAULT, Notice, Settings
from overlap_widget.model import units

VERSION = "1"
OPTIONS = (
    *("plan", "link", "overlap", "slowdown", "late"),
    *("micro_steps", "sync", "axis", "controls", "show"),
)
WRITTEN = (
    *("scenario", "bucket", "bandwidth", "overhead", "mode"),
    *("lesson", "predict", "projector", "theme", "lang"),
    *("plan", "ranks", *OPTIONS[1:]),
)
PAGE = ("mode", "predict", "projector", "theme", "lang")
READ = (
    *("lesson", "scenario", "ranks", "bucket", "bandwidth", "overhead"),
    *(*PAGE, "port", *OPTIONS),
)
"""A step of the lesson brings a whole state, a scenario its link; ranks change the
bandwidth, and a port sets it.

A port rate is never written: it follows from ranks and bandwidth.
"""


def state(settings: Settings) -> dict[str, Any]:
    """The values as plain data, in SI units, under the keys of an address."""
    numbers = {key: number.value(settings) for key, number in NUMBERS.items()}
    choices = {key: choice.value(settings) for key, choice in CHOICES.items()}
    parts = {key: part.value(settings) for key, part in PARTS.items()}
    return {"scenario": settings.scenario.name} | numbers | choices | parts


def address(settings: Settings) -> str:
    """The query that restores these settings exactly.

    A link is written where its table is the cost; else bandwidth and overhead say it.
    """
    values = state(settings) | {
        "v": VERSION,
        "bandwidth": f"{settings.bandwidth_bytes_per_s / units.GB:.12g}GB/s",
        "overhead": f"{settings.overhead_s * 1e6:.12g}us",
        "slowdown": f"{settings.effects.slowdown:.12g}",
        "late": f"{settings.effects.late_s * 1e6:.12g}us",
    }
    if not settings.table:
        values["link"] = "own"
    return urlencode({key: values[key] for key in ("v", *WRITTEN)}, safe="/,")


def read_address(
    query: str, start: Settings = DEFAULT
) -> tuple[Settings, tuple[Notice, ...]]:
    """Settings from an address, with a notice for everything not taken as it stood.

    What it leaves out is as in `start`, and what it names is of the catalogue of that.
    """
    settings = start
    try:
        asked = dict(
            parse_qsl(query.lstrip("?#"), keep_blank_values=True, max_num_fields=99)
        )
    except ValueError:  # more keys than any address of ours has
        return settings, (Notice("notice.too_long", {}),)
    notices = [*_about_version(asked.pop("v", VERSION))]
    for key in READ:
        if key in asked:
            settings, found = change(settings, key, asked.pop(key))
            notices.extend(found)
    unknown = sorted(filter(None, asked))
    if unknown:
        names = ", ".join(unknown)
        notices.append(Notice("notice.unknown_key", {"names": short(names)}))
    return settings, tuple(notices)


def _about_version(version: str) -> tuple[Notice, ...]:
    if version == VERSION:
        return ()
    is_number = version.isascii() and version.isdecimal()
    if is_number and version.lstrip("0") > VERSION:
        return (Notice("notice.newer_version", {}),)
    return (bad_value("v", version),)
