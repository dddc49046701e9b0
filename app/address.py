"""The settings in the page's address.

What every address has is always written, so that a link means the same for ever; an
option is written only where it is on, since off will always be off. What an address
asks for is checked here, whoever reads it, and never becomes markup.
"""

from typing import Any
from urllib.parse import parse_qsl, urlencode

from overlap_widget.app.changes import bad_value, change, short
from overlap_widget.app.fields import CHOICES, NUMBERS
from overlap_widget.app.settings import DEFAULT, Notice, Settings
from overlap_widget.model import units

VERSION = "1"
ALWAYS = ("scenario", "bucket", "bandwidth", "overhead", "mode", "theme")
"""As the address writes them; the scenario is read first, since it brings its link."""
OPTIONS = (
    *("plan", "ranks", "link", "overlap", "slowdown", "late"),
    *("micro_steps", "sync", "axis"),
)
READ = (
    *("scenario", "ranks", *ALWAYS[1:], "port"),
    *(key for key in OPTIONS if key != "ranks"),
)
"""Ranks go before the bandwidth, which they change; what sets it goes after it.

A port rate is never written: it follows from the two.
"""


def state(settings: Settings) -> dict[str, Any]:
    """The values as plain data, in SI units, under the keys of an address."""
    numbers = {key: number.value(settings) for key, number in NUMBERS.items()}
    choices = {key: choice.value(settings) for key, choice in CHOICES.items()}
    return {"scenario": settings.scenario.name} | numbers | choices


def address(settings: Settings) -> str:
    """The query that restores these settings exactly."""
    values = state(settings) | {
        "bandwidth": f"{settings.bandwidth_bytes_per_s / units.GB:.12g}GB/s",
        "overhead": f"{settings.overhead_s * 1e6:.12g}us",
        "late": f"{settings.effects.late_s * 1e6:.12g}us",
    }
    off = state(DEFAULT) | {"late": "0us"}
    is_written = {key: key in ALWAYS or values[key] != off[key] for key in values}
    is_written |= {"port": False, "link": bool(settings.table)}
    written = [key for key in (*ALWAYS, *OPTIONS) if is_written[key]]
    return urlencode({"v": VERSION} | {key: values[key] for key in written}, safe="/")


def read_address(query: str) -> tuple[Settings, tuple[Notice, ...]]:
    """Settings from an address, with a notice for everything not taken as it stood."""
    try:
        asked = dict(
            parse_qsl(query.lstrip("?#"), keep_blank_values=True, max_num_fields=99)
        )
    except ValueError:  # more keys than any address of ours has
        return DEFAULT, (Notice("notice.too_long", {}),)
    notices = [*_about_version(asked.pop("v", VERSION))]
    settings = DEFAULT
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
    if version.isdecimal() and version.lstrip("0") > VERSION:
        return (Notice("notice.newer_version", {}),)
    return (bad_value("v", version),)
