"""What the learner has set, and its form in the page's address.

Every value is always written, so that a link means the same for ever; what an
address asks for is checked here, whoever reads it, and never becomes markup.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from overlap_widget.app.controls import (
    BANDWIDTH,
    OVERHEAD,
    Control,
    bucket_control,
    default_bucket,
)
from overlap_widget.model import units
from overlap_widget.model.scenarios import COURSE, SCENARIOS, Scenario

VERSION = "1"
CHOICES = {"mode": ("explore", "measured"), "theme": ("auto", "light", "dark")}
LONGEST = 60
"""Of a value from an address, repeated in a notice, in characters."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A state of the widget that an address can name."""

    scenario: Scenario
    bucket: int
    bandwidth_bytes_per_s: float
    overhead_s: float
    mode: str = "explore"
    theme: str = "auto"

    def __post_init__(self) -> None:
        """Refuse what no control could set; `change` clamps instead."""
        controls = (
            (bucket_control(self.scenario), self.bucket),
            (BANDWIDTH, self.bandwidth_bytes_per_s),
            (OVERHEAD, self.overhead_s),
        )
        for control, value in controls:
            if not control.low <= value <= control.high:
                raise ValueError(
                    f"{control.key} goes from {control.low:g} to {control.high:g}, "
                    f"and {value!r} doesn't"
                )


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the learner: its key in the strings, and what to fill in."""

    key: str
    values: dict[str, Any]


def settings_of(scenario: Scenario) -> Settings:
    """How a scenario starts."""
    return Settings(
        scenario=scenario,
        bucket=default_bucket(scenario),
        bandwidth_bytes_per_s=scenario.link.bandwidth_bytes_per_s,
        overhead_s=scenario.link.overhead_s,
    )


def restarted(settings: Settings, scenario: Scenario) -> Settings:
    """As the scenario starts; mode and theme are the reader's, and stay."""
    return replace(settings_of(scenario), mode=settings.mode, theme=settings.theme)


DEFAULT = settings_of(COURSE)


def state(settings: Settings) -> dict[str, Any]:
    """The values as plain data, in SI units, under the keys of an address."""
    return {
        "scenario": settings.scenario.name,
        "bucket": settings.bucket,
        "bandwidth": settings.bandwidth_bytes_per_s,
        "overhead": settings.overhead_s,
        "mode": settings.mode,
        "theme": settings.theme,
    }


def address(settings: Settings) -> str:
    """The query that restores these settings exactly."""
    with_units = {
        "bandwidth": f"{settings.bandwidth_bytes_per_s / units.GB:.12g}GB/s",
        "overhead": f"{settings.overhead_s * 1e6:.12g}us",
    }
    return urlencode({"v": VERSION} | state(settings) | with_units, safe="/")


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
    for key in state(settings):  # the scenario first, which brings its link
        if key in asked:
            settings, found = change(settings, key, asked.pop(key))
            notices.extend(found)
    unknown = sorted(filter(None, asked))
    if unknown:
        names = ", ".join(unknown)
        notices.append(Notice("notice.unknown_key", {"names": _short(names)}))
    return settings, tuple(notices)


def _about_version(version: str) -> tuple[Notice, ...]:
    if version == VERSION:
        return ()
    if version.isdecimal() and version.lstrip("0") > VERSION:
        return (Notice("notice.newer_version", {}),)
    return (_bad_value("v", version),)


def change(
    settings: Settings, key: str, value: object
) -> tuple[Settings, tuple[Notice, ...]]:
    """The settings with one value changed, kept within its bounds.

    A value is a number in its SI unit or text as in an address. What can't be read
    changes nothing and is said; so is what had to be clamped or rounded. KeyError
    for a key that names no setting.
    """
    if key == "scenario":
        return _change_scenario(settings, value)
    if key in CHOICES:
        if value not in CHOICES[key]:
            return settings, (_bad_value(key, value),)
        chosen: dict[str, Any] = {key: value}
        return replace(settings, **chosen), ()
    return _change_number(settings, key, value)


def _change_scenario(
    settings: Settings, value: object
) -> tuple[Settings, tuple[Notice, ...]]:
    """Another scenario starts with its own link; the bucket size stays if it fits."""
    scenario = SCENARIOS.get(str(value))
    if scenario is None:
        return settings, (_bad_value("scenario", value),)
    bucket = min(settings.bucket, len(scenario.layers))
    return replace(restarted(settings, scenario), bucket=bucket), ()


def _change_number(
    settings: Settings, key: str, value: object
) -> tuple[Settings, tuple[Notice, ...]]:
    control, field, read = _number(settings, key)
    try:
        text = str(value)
        asked = read(text) if isinstance(value, str) else float(text)
    except ValueError:
        asked = math.nan
    if not math.isfinite(asked):
        return settings, (_bad_value(key, value),)
    used = _exact(min(max(asked, control.low), control.high))
    if field == "bucket":
        used = math.floor(used + 0.5)
    changed: dict[str, Any] = {field: used}
    said = _about_used(key, value, asked, used, control)
    return replace(settings, **changed), said


def _number(
    settings: Settings, key: str
) -> tuple[Control, str, Callable[[str], float]]:
    """The control of a number, its field, and how its text is read."""
    numbers: dict[str, tuple[Control, str, Callable[[str], float]]] = {
        "bucket": (bucket_control(settings.scenario), "bucket", _plain_number),
        "bandwidth": (BANDWIDTH, "bandwidth_bytes_per_s", units.rate_bytes_per_s),
        "overhead": (OVERHEAD, "overhead_s", units.time_s),
    }
    return numbers[key]


def _plain_number(text: str) -> float:
    """A number as people write it; Python reads 1_0 as 10."""
    if "_" in text:
        raise ValueError(f"{text!r} is no number")
    return float(text)


def _exact(number: float) -> float:
    """Twelve digits, so that an address written from it restores the same float.

    Nothing is set finer than a picosecond or a byte: 1e-30 ms is no overhead.
    """
    return round(float(f"{number:.12g}"), 12)


def _bad_value(key: str, value: object) -> Notice:
    return Notice("notice.bad_value", {"key": key, "asked": _short(value)})


def _about_used(
    key: str, value: object, asked: float, used: float, control: Control
) -> tuple[Notice, ...]:
    """Nothing where the value stands as asked, within twelve digits."""
    values = {"key": key, "asked": _short(value), "used": used}
    if not control.low <= asked <= control.high:
        return (Notice("notice.clamped", values),)
    if key == "bucket" and asked != used:
        return (Notice("notice.rounded", values),)
    return ()


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
