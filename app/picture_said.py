"""What a picture says of itself: settings in one line, a recording's file and step."""

from collections.abc import Iterator
from typing import Any

from overlap_widget.app.quantities import count_text, percent_text, rate_text, time_text
from overlap_widget.app.said import text
from overlap_widget.app.settings import LAYERS, Settings
from overlap_widget.app.titles import plan_title, scenario_title, table_title
from overlap_widget.app.words import words

BETWEEN = " · "


def settings_text(settings: Settings) -> str:
    """Scenario, buckets, link, and every option that is on."""
    said = [
        text(scenario_title(settings.scenario)),
        _buckets(settings),
        *_link(settings),
        *_options(settings),
    ]
    return BETWEEN.join(said)


def _value(key: str, value: str) -> str:
    return f"{words(f'control.{key}')}: {value}"


def _buckets(settings: Settings) -> str:
    if settings.plan == LAYERS:
        return _value("bucket", count_text("layers", settings.bucket))
    return _value("plan", text(plan_title(settings.catalogue, settings.plan)))


def _link(settings: Settings) -> Iterator[str]:
    if settings.table:
        link = settings.catalogue.links[settings.table]
        yield _value("link", text(table_title(link)))
    else:
        yield _value("bandwidth", rate_text(settings.bandwidth_bytes_per_s))
        yield _value("overhead", time_text(settings.overhead_s))


def _options(settings: Settings) -> Iterator[str]:
    effects = settings.effects
    if not effects.overlap:
        yield _value("overlap", _small(words("overlap.off")))
    if effects.slows_compute:
        yield _value("slowdown", percent_text(effects.slowdown))
    if effects.late_s > 0:
        yield _value("late", time_text(effects.late_s))
    if effects.micro_steps > 1:
        sync = "every" if effects.every_micro_step else "last"
        yield _value("micro_steps", count_text("micro_steps", effects.micro_steps))
        yield _value("sync", _small(words(f"sync.{sync}")))


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def step_text(view: dict[str, Any], window_s: tuple[float, float] | None) -> str:
    """The file, its rank, the device where there are several, the step and its part.

    `view` is the state that the front gets of measured mode.
    """
    file = view["recordings"][view["recording"]]
    ranked = "recording.plain" if file["rank"] is None else "recording.ranked"
    said = [words(ranked, name=file["name"], rank=file["rank"])]
    if len(view["devices"]) > 1:
        said.append(words("device.numbered", n=view["devices"][view["device"]]))
    if view["steps"]:
        said.append(_step(view["steps"][view["step"]]))
    if window_s:
        part = " \N{EN DASH} ".join(map(time_text, window_s))
        said.append(f"{words('window.title')}: {part}")
    return BETWEEN.join(said)


def _step(step: dict[str, Any]) -> str:
    name, whole = step["name"], "complete" if step["complete"] else "partial"
    if name.isascii() and name.isdigit():
        name = words("step.numbered", n=name)
    return words(f"step.{whole}", name=name, span=time_text(step["span_s"]))
