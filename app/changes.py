"""One value of the settings changed: read, kept within its bounds, and said."""

import math
from collections.abc import Mapping
from dataclasses import replace

from overlap_widget.app.controls import Control
from overlap_widget.app.fields import CHOICES, NUMBERS, PARTS, port_bytes_per_s
from overlap_widget.app.lesson import STEP_NAMES, STEPS
from overlap_widget.app.settings import (
    DEFAULT,
    LAYERS,
    MEASURED,
    READERS,
    Notice,
    Settings,
    settings_of,
    shown_as,
)

Changed = tuple[Settings, tuple[Notice, ...]]
RING = ("ranks", "port")
LONGEST = 60
"""Of a value from an address, repeated in a notice, in characters."""


def change(settings: Settings, key: str, value: object) -> Changed:
    """The settings with one value changed, kept within its bounds.

    A value is a number in its SI unit or text as in an address. What can't be read
    changes nothing and is said; so is what had to be clamped or rounded. KeyError
    for a key that names no setting.
    """
    if key == "scenario":
        return _change_scenario(settings, value)
    if key in CHOICES:
        return _change_choice(settings, key, value)
    if key in PARTS:
        return _change_parts(settings, key, value)
    return _change_number(settings, key, value)


def _change_choice(settings: Settings, key: str, value: object) -> Changed:
    choice = CHOICES[key]
    is_plain = isinstance(value, str | int) and not isinstance(value, bool)
    asked = choice.also.get(str(value), value) if is_plain else value
    if asked not in choice.options(settings):
        return settings, (bad_value(key, value),)
    changed = choice.put(settings, asked)
    return (begun(changed) if key == "lesson" else changed), ()


def begun(settings: Settings) -> Settings:
    """The start of the lesson's step that is set; without one nothing is covered."""
    if settings.lesson == "off":
        return replace(settings, predict="off")
    start = settings_of(DEFAULT.scenario, settings.catalogue)
    fresh = shown_as(start, settings, (*READERS, "lesson"))
    return started(fresh, STEPS[STEP_NAMES.index(settings.lesson)].start)


def started(settings: Settings, start: Mapping[str, float | str]) -> Settings:
    """The settings with those of a step or a preset, set in their order."""
    for key, value in start.items():
        settings, _ = change(settings, key, value)
    return settings


def _change_scenario(settings: Settings, value: object) -> Changed:
    """Another scenario starts with its own link; what else is set stays if it fits."""
    scenario = settings.catalogue.scenarios.get(str(value))
    if scenario is None:
        return settings, (bad_value("scenario", value),)
    fresh = settings_of(scenario)
    has_plan = settings.plan != MEASURED or scenario.ghost
    kept = replace(
        settings,
        scenario=scenario,
        bucket=min(settings.bucket, len(scenario.layers)),
        bandwidth_bytes_per_s=fresh.bandwidth_bytes_per_s,
        overhead_s=fresh.overhead_s,
        table="",
        plan=settings.plan if has_plan else LAYERS,
    )
    return kept, ()


def _change_parts(settings: Settings, key: str, value: object) -> Changed:
    parts = PARTS[key]
    try:
        return parts.put(settings, parts.read(str(value))), ()
    except ValueError:
        return settings, (bad_value(key, value),)


def _change_number(settings: Settings, key: str, value: object) -> Changed:
    number = NUMBERS[key]
    try:
        text = str(value)
        asked = number.read(text) if isinstance(value, str) else float(text)
    except ValueError:
        asked = math.nan
    if not math.isfinite(asked):
        return settings, (bad_value(key, value),)
    control = number.control(settings)
    used = _exact(min(max(asked, control.low), control.high))
    if number.is_whole:
        used = math.floor(used + 0.5)
    changed = number.put(settings, used)
    said = _about_used(key, value, asked, used, control)
    return changed, said or _about_ring(key, used, settings, changed)


def _exact(number: float) -> float:
    """Twelve digits, so that an address written from it restores the same float.

    Nothing is set finer than a picosecond or a byte: 1e-30 ms is no overhead.
    """
    return round(float(f"{number:.12g}"), 12) + 0.0  # -0 is 0


def bad_value(key: str, value: object) -> Notice:
    """What a key was asked for that can't be read."""
    return Notice("notice.bad_value", {"key": key, "asked": short(value)})


def _about_used(
    key: str, value: object, asked: float, used: float, control: Control
) -> tuple[Notice, ...]:
    """Nothing where the value stands as asked, within twelve digits."""
    values = {"key": key, "asked": short(value), "used": used}
    if not control.low <= asked <= control.high:
        return (Notice("notice.clamped", values),)
    if NUMBERS[key].is_whole and asked != used:
        return (Notice("notice.rounded", values),)
    return ()


def _about_ring(
    key: str, used: float, before: Settings, changed: Settings
) -> tuple[Notice, ...]:
    """Ranks and port can ask for a bandwidth out of its bounds; then that is said."""
    if key not in RING:
        return ()
    port = used if key == "port" else port_bytes_per_s(before)
    if math.isclose(port_bytes_per_s(changed), port, rel_tol=1e-9):
        return ()
    values = {"key": "bandwidth", "used": changed.bandwidth_bytes_per_s}
    return (Notice("notice.bandwidth_bounds", values),)


def short(value: object) -> str:
    """As it was typed, cut where a sentence would drown in it."""
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
