"""A sweep over all bucket sizes as text for a terminal, and as JSON for a program."""

import json
from collections.abc import Callable
from typing import Any

from overlap_widget.app.best_report import best_document, best_text, plan_text
from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.quantities import count_text, size_text, time_text
from overlap_widget.app.said import text
from overlap_widget.app.simulation_inputs import Inputs
from overlap_widget.app.text_table import aligned, wrapped
from overlap_widget.app.words import words
from overlap_widget.model.backward import Tail
from overlap_widget.model.effects import Effects
from overlap_widget.model.plans import whole_layers
from overlap_widget.model.schedule import running_totals
from overlap_widget.model.sweep import BucketSize, Sweep, sweep

Column = tuple[str, str, Callable[[BucketSize], str]]
"""A heading, its side, and the cell of a size."""

MOST_SIZES = 40
"""As many as a table shows in full; of more sizes it shows round ones."""
ROUND = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""Sizes that are shown, and those ten times as large, a hundred times and so on."""


def as_json(inputs: Inputs) -> str:
    """Seconds, units in the key names; all bucket sizes."""
    swept = _swept(inputs)
    document: dict[str, Any] = {
        "tails": [
            {"bucket": one.bucket} | _row(one.tail, one.transfers, one.slowed_s, inputs)
            for one in swept.sizes
        ],
        "best": best_document(inputs.scenario.layers, swept.best),
    }
    if inputs.buckets.is_given:
        step = inputs.simulation
        document["given"] = _row(step.tail, len(step.transfers), step.slowed_s, inputs)
    if inputs.options:
        document["options"] = inputs.options
    return json.dumps(document, indent=2, allow_nan=False)


def _row(tail: Tail, transfers: int, slowed_s: float, inputs: Inputs) -> dict[str, Any]:
    """A tail and its split; what an effect adds only where it is on."""
    late = {"late_s": tail.late_s} if inputs.effects.late_s else {}
    slowed = {"slowed_s": slowed_s} if inputs.effects.slowdown else {}
    return {
        "tail_s": tail.total_s,
        "transfers": transfers,
        **late,
        "queued_s": tail.queued_s,
        "overhead_s": tail.overhead_s,
        "wire_s": tail.wire_s,
        **slowed,
    }


def _swept(inputs: Inputs) -> Sweep:
    return sweep(inputs.scenario.layers, inputs.link.cost, inputs.effects)


def as_text(inputs: Inputs) -> str:
    """What is swept, the sizes, the best of them and why, and the buckets asked for."""
    swept = _swept(inputs)
    parts = _head(inputs), _table(swept, inputs), _best(swept, inputs), _given(inputs)
    return "\n\n".join(filter(None, parts))


def _head(inputs: Inputs) -> str:
    scenario = inputs.scenario
    done_s, held_bytes = running_totals(scenario.layers)
    what = (
        f"{scenario.name}: {count_text('layers', len(scenario.layers))}, a backward "
        f"pass of {time_text(done_s[-1])}, {size_text(held_bytes[-1])} of gradients."
    )
    return "\n".join(map(wrapped, (what, inputs.link.says)))


def _table(swept: Sweep, inputs: Inputs) -> str:
    """The sizes, each with what its tail is made of; the best one is marked."""
    columns = _columns(inputs.effects, swept.best.bucket)
    shown = sizes_shown(len(swept.sizes), swept.best.bucket)
    rows = [[cell(swept.sizes[size - 1]) for *_, cell in columns] for size in shown]
    heads, sides = [head for head, *_ in columns], [side for _, side, _ in columns]
    table = aligned([heads, *rows], "".join(sides))
    if len(shown) == len(swept.sizes):
        return table
    return (
        f"{table}\n{len(shown)} of {len(swept.sizes):,} sizes are shown; "
        "--json has all of them."
    )


def sizes_shown(sizes: int, best: int) -> list[int]:
    """All sizes, or of many the round ones, the best one and all layers."""
    if sizes <= MOST_SIZES:
        return list(range(1, sizes + 1))
    tens = (10**power for power in range(len(str(sizes))))
    found = {size * ten for ten in tens for size in ROUND if size * ten < sizes}
    return sorted(found | {best, sizes})


def _columns(effects: Effects, best: int) -> list[Column]:
    """What the table says of a size; the parts of the tail add up to it."""
    late: Column = ("late", ">", lambda one: time_text(one.tail.late_s))
    slowed: Column = ("longer pass", ">", lambda one: time_text(one.slowed_s))
    return [
        ("layers", ">", lambda one: f"{one.bucket:,}"),
        ("transfers", ">", lambda one: f"{one.transfers:,}"),
        ("last bucket", ">", _last_bucket),
        ("tail", ">", lambda one: time_text(one.tail.total_s)),
        *([late] if effects.late_s else []),
        ("queued", ">", lambda one: time_text(one.tail.queued_s)),
        ("overhead", ">", lambda one: time_text(one.tail.overhead_s)),
        ("wire", ">", lambda one: time_text(one.tail.wire_s)),
        *([slowed] if effects.slows_compute else []),
        ("what decides", "<", lambda one: words(f"short.{one.regime.value}")),
        ("", "<", lambda one: "best" if one.bucket == best else ""),
    ]


def _last_bucket(one: BucketSize) -> str:
    return f"{count_text('layers', one.last_layers)}, {size_text(one.last_bytes)}"


def _best(swept: Sweep, inputs: Inputs) -> str:
    """The best, and what decides its tail."""
    best, effects = swept.best, inputs.effects
    step = inputs.simulation_of(whole_layers(len(inputs.scenario.layers), best.bucket))
    why = (explanation(step)[0], *remarks(step))
    return "\n".join((best_text(best, effects), *(wrapped(text(said)) for said in why)))


def _given(inputs: Inputs) -> str:
    """The buckets that were asked for, beside the sizes."""
    if not inputs.buckets.is_given:
        return ""
    step = inputs.simulation
    found = f"{plan_text(step.plan)}, tail {time_text(step.tail.total_s)}"
    return "\n".join(
        map(wrapped, filter(None, (f"As asked: {found}.", inputs.buckets.says)))
    )
