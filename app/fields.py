"""The keys of an address: what each of them sets, and how its text is read.

A key sets a number, which has a control with bounds, one of a few choices, or which
parts of a page are there.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from overlap_widget.app.controls import (
    BANDWIDTH,
    LATE,
    MICRO_STEPS,
    OVERHEAD,
    PORT,
    RANKS,
    SLOWDOWN,
    bucket_control,
)
from overlap_widget.app.field_kinds import Choice, Number, Parts, Put
from overlap_widget.app.lesson import QUESTIONS, STEP_NAMES
from overlap_widget.app.plain_numbers import plain_number, share_number
from overlap_widget.app.settings import (
    AXES,
    CONTROLS,
    LANGUAGES,
    LAYERS,
    MEASURED,
    OFF_ON,
    SHOWN,
    Settings,
    link_name,
)
from overlap_widget.model import units
from overlap_widget.model.link import ring_bandwidth_bytes_per_s, ring_factor


def _rate(settings: Settings, bandwidth: float) -> Settings:
    """The bandwidth within its bounds; a straight line again, if it was a table."""
    within = min(max(bandwidth, BANDWIDTH.low), BANDWIDTH.high)
    rounded = float(f"{within:.12g}")  # as an address writes it
    return replace(settings, bandwidth_bytes_per_s=rounded, table="")


def _put_overhead(settings: Settings, overhead_s: float) -> Settings:
    return replace(settings, overhead_s=overhead_s, table="")


def _put_bucket(settings: Settings, bucket: int) -> Settings:
    return replace(settings, bucket=bucket, plan=LAYERS)


def port_bytes_per_s(settings: Settings) -> float:
    """The rate that each port of the ring must have for this bandwidth."""
    return settings.bandwidth_bytes_per_s * ring_factor(settings.ranks)


def _put_ranks(settings: Settings, ranks: int) -> Settings:
    """More ranks share the same ports: the bandwidth follows."""
    port = port_bytes_per_s(settings)
    return _rate(
        replace(settings, ranks=ranks), ring_bandwidth_bytes_per_s(port, ranks)
    )


def _put_port(settings: Settings, port: float) -> Settings:
    return _rate(settings, ring_bandwidth_bytes_per_s(port, settings.ranks))


def _put_link(settings: Settings, name: str) -> Settings:
    """A named link sets bandwidth and overhead; its table then replaces both."""
    if name == "own":
        return replace(settings, table="")
    link = settings.catalogue.links[name.removesuffix("-table")]
    line = replace(
        settings,
        bandwidth_bytes_per_s=link.line.bandwidth_bytes_per_s,
        overhead_s=link.line.overhead_s,
    )
    return replace(line, table=link.name if name != link.name else "")


def _plans(settings: Settings) -> tuple[str, ...]:
    own = (MEASURED,) if settings.scenario.ghost else ()
    return (LAYERS, *settings.catalogue.rules, *own)


def _with_effect(name: str) -> Put:
    def put(settings: Settings, value: Any) -> Settings:
        changed: dict[str, Any] = {name: value}
        return replace(settings, effects=replace(settings.effects, **changed))

    return put


def _field(name: str) -> Put:
    def put(settings: Settings, value: Any) -> Settings:
        changed: dict[str, Any] = {name: value}
        return replace(settings, **changed)

    return put


def _one_of(*options: str) -> Callable[[Settings], tuple[str, ...]]:
    return lambda _: options


NUMBERS: dict[str, Number] = {
    "bucket": Number(
        control=lambda settings: bucket_control(settings.scenario),
        read=plain_number,
        value=lambda settings: settings.bucket,
        put=_put_bucket,
        is_whole=True,
    ),
    "bandwidth": Number(
        control=lambda _: BANDWIDTH,
        read=units.rate_bytes_per_s,
        value=lambda settings: settings.bandwidth_bytes_per_s,
        put=_rate,
    ),
    "overhead": Number(
        control=lambda _: OVERHEAD,
        read=units.time_s,
        value=lambda settings: settings.overhead_s,
        put=_put_overhead,
    ),
    "ranks": Number(
        control=lambda _: RANKS,
        read=plain_number,
        value=lambda settings: settings.ranks,
        put=_put_ranks,
        is_whole=True,
    ),
    "port": Number(
        control=lambda _: PORT,
        read=units.rate_bytes_per_s,
        value=port_bytes_per_s,
        put=_put_port,
    ),
    "slowdown": Number(
        control=lambda _: SLOWDOWN,
        read=share_number,
        value=lambda settings: settings.effects.slowdown,
        put=_with_effect("slowdown"),
    ),
    "late": Number(
        control=lambda _: LATE,
        read=units.time_s,
        value=lambda settings: settings.effects.late_s,
        put=_with_effect("late_s"),
    ),
    "micro_steps": Number(
        control=lambda _: MICRO_STEPS,
        read=plain_number,
        value=lambda settings: settings.effects.micro_steps,
        put=_with_effect("micro_steps"),
        is_whole=True,
    ),
}

CHOICES: dict[str, Choice] = {
    "mode": Choice(
        _one_of("explore", "measured"), lambda settings: settings.mode, _field("mode")
    ),
    "theme": Choice(
        _one_of("auto", "light", "dark"),
        lambda settings: settings.theme,
        _field("theme"),
    ),
    "plan": Choice(
        _plans,
        lambda settings: settings.plan,
        _field("plan"),
    ),
    "link": Choice(
        lambda settings: settings.catalogue.link_options, link_name, _put_link
    ),
    "overlap": Choice(
        _one_of("on", "off"),
        lambda settings: "on" if settings.effects.overlap else "off",
        lambda settings, value: _with_effect("overlap")(settings, value == "on"),
    ),
    "sync": Choice(
        _one_of("last", "every"),
        lambda settings: "every" if settings.effects.every_micro_step else "last",
        lambda settings, value: _with_effect("every_micro_step")(
            settings, value == "every"
        ),
    ),
    "axis": Choice(_one_of(*AXES), lambda settings: settings.axis, _field("axis")),
    "lesson": Choice(
        _one_of("off", *STEP_NAMES),
        lambda settings: settings.lesson,
        _field("lesson"),
        {str(at): name for at, name in enumerate(("off", *STEP_NAMES))},
    ),
    "predict": Choice(
        _one_of("off", *QUESTIONS),
        lambda settings: settings.predict,
        _field("predict"),
        {"0": "off", "1": QUESTIONS[0]},
    ),
    "projector": Choice(
        _one_of(*OFF_ON),
        lambda settings: settings.projector,
        _field("projector"),
        {"0": "off", "1": "on"},
    ),
    "lang": Choice(_one_of(*LANGUAGES), lambda settings: settings.lang, _field("lang")),
}

PARTS: dict[str, Parts] = {
    "controls": Parts(CONTROLS, lambda settings: settings.controls, _field("controls")),
    "show": Parts(SHOWN, lambda settings: settings.show, _field("show")),
}
