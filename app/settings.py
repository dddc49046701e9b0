"""What the learner has set: the whole of a state of Explore, and what it simulates."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from overlap_widget.app.catalogue import SHIPPED, Catalogue
from overlap_widget.app.controls import (
    BANDWIDTH,
    LATE,
    MICRO_STEPS,
    OVERHEAD,
    RANKS,
    SLOWDOWN,
    bucket_control,
    default_bucket,
)
from overlap_widget.model.backward import Simulation, simulate
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Plan
from overlap_widget.model.link import Link, MeasuredLink
from overlap_widget.model.plans import whole_layers
from overlap_widget.model.scenarios import COURSE, Scenario

LAYERS = "layers"
"""The plan of whole layers, so many to a bucket; others are rules of the catalogue."""
MEASURED = "measured"
"""The plan that a measured run had; only scenarios with a ghost have it."""
AXES = ("bandwidth", "overhead")
CONTROLS = (
    *("bucket", "bandwidth", "overhead", "more"),
    *("mode", "theme", "scenario", "share"),
    *("lesson", "predict", "projector", "lang"),
)
READERS = ("theme", "lang", "projector", "controls", "show")
"""What stays as the reader or the page wants it, whatever is explored."""
SHOWN = ("verdict", "lanes", "curve", "map", "numbers", "tables")
ALL = "all"
OFF_ON = ("off", "on")
LANGUAGES = ("en", "es")


@dataclass(frozen=True, slots=True)
class Settings:
    """A state of the widget that an address can name.

    bucket:  layers to a bucket, where the plan is whole layers
    ranks:   of a ring, to set the bandwidth from the rate of a port
    plan:    `layers`, `measured`, or a rule of the catalogue
    table:   the named link whose measured table is the cost; empty for the straight
             line of bandwidth and overhead
    axis:    what the map varies beside the bucket size
    lesson:  the step of the guided lesson, or `off`
    predict: the question whose answer is covered now, or `off`
    projector: `on` where the page is read from the back of a room
    lang:    the language of the page
    controls, show: which of `CONTROLS` and of `SHOWN` the page has: `all`, `none`, or
             names with commas between them, in that order
    catalogue: what scenario, plan and table are chosen from
    """

    scenario: Scenario
    bucket: int
    bandwidth_bytes_per_s: float
    overhead_s: float
    mode: str = "explore"
    theme: str = "auto"
    plan: str = LAYERS
    table: str = ""
    ranks: int = 2
    effects: Effects = OFF
    axis: str = "bandwidth"
    lesson: str = "off"
    predict: str = "off"
    projector: str = "off"
    lang: str = "en"
    controls: str = ALL
    show: str = ALL
    catalogue: Catalogue = field(default=SHIPPED, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what no control could set; `change` clamps instead."""
        if self.plan == MEASURED and self.scenario.ghost is None:
            raise ValueError(f"{self.scenario.name} was not measured: it has no plan")
        controls = (
            (bucket_control(self.scenario), self.bucket),
            (BANDWIDTH, self.bandwidth_bytes_per_s),
            (OVERHEAD, self.overhead_s),
            (RANKS, self.ranks),
            (SLOWDOWN, self.effects.slowdown),
            (LATE, self.effects.late_s),
            (MICRO_STEPS, self.effects.micro_steps),
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


FAULT = Notice("error.inside", {})
"""A move failed through no doing of the learner's."""


def settings_of(scenario: Scenario, catalogue: Catalogue = SHIPPED) -> Settings:
    """How a scenario starts."""
    return Settings(
        scenario=scenario,
        bucket=default_bucket(scenario),
        bandwidth_bytes_per_s=scenario.link.bandwidth_bytes_per_s,
        overhead_s=scenario.link.overhead_s,
        plan=MEASURED if scenario.ghost else LAYERS,
        effects=Effects(late_s=scenario.ghost.late_s) if scenario.ghost else OFF,
        catalogue=catalogue,
    )


def restarted(settings: Settings) -> Settings:
    """As the scenario starts; what the page shows, and how, stays."""
    return shown_as(
        settings_of(settings.scenario, settings.catalogue),
        settings,
        (*READERS, "mode", "predict"),
    )


def shown_as(
    settings: Settings, shown: Settings, fields: Sequence[str] = READERS
) -> Settings:
    """The settings in the look of others: what is the reader's, or the page's."""
    kept: dict[str, Any] = {field: getattr(shown, field) for field in fields}
    return replace(settings, **kept)


DEFAULT = settings_of(COURSE)


def cost_of(settings: Settings) -> Link | MeasuredLink:
    """What the link asks: a measured table, or the straight line of the controls."""
    table = settings.catalogue.links[settings.table].table if settings.table else None
    return table or Link(settings.overhead_s, settings.bandwidth_bytes_per_s)


def plan_of(settings: Settings) -> Plan:
    """How the layers are grouped into buckets."""
    scenario = settings.scenario
    if settings.plan == LAYERS:
        return whole_layers(len(scenario.layers), settings.bucket)
    if settings.plan == MEASURED and scenario.ghost:
        return scenario.ghost.plan
    return settings.catalogue.rules[settings.plan].plan_of(
        scenario.layers,
        cost_of(settings),
        settings.effects,
        scenario.element_bytes,
        settings.ranks,
    )


def simulation_of(settings: Settings) -> Simulation:
    """The step that these settings ask for."""
    return simulate(
        settings.scenario.layers, plan_of(settings), cost_of(settings), settings.effects
    )


def link_name(settings: Settings) -> str:
    """The named link that is set: `NAME-table`, `NAME` for its line, or `own`."""
    if settings.table:
        return f"{settings.table}-table"
    line = Link(settings.overhead_s, settings.bandwidth_bytes_per_s)
    return next(
        (name for name, one in settings.catalogue.links.items() if one.line == line),
        "own",
    )
