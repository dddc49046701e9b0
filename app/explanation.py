"""Why a simulated step waits and what would help: sentences for page and terminal."""

from typing import Any

from overlap_widget.app.said import Said
from overlap_widget.model.backward import Simulation
from overlap_widget.model.explain import Explanation, Help, Lever, explain
from overlap_widget.model.regime import Regime, regime


def explanation(
    simulation: Simulation, found: Explanation | None = None
) -> tuple[Said, ...]:
    """One sentence that says what decides the tail, and one on what would help most.

    `found` is what `explain` says of it, where that is known.
    """
    found = found or explain(simulation)
    why = Said(f"why.{_why(found.regime, simulation)}", _values(simulation))
    if found.regime is Regime.HIDDEN:  # little is left to save
        return (why,)
    return (why, *_help(found))


def _why(decides: Regime, simulation: Simulation) -> str:
    """The regime, or its form where several buckets queue, or wait for a late rank."""
    if simulation.tail.total_s == 0:
        return "nothing"
    if simulation.effects.late_s > 0 and decides in (Regime.QUEUE, Regime.HIDDEN):
        return f"{decides.value}_late"
    is_deep = decides is Regime.QUEUE and simulation.most_waiting > 1
    return "queue_deep" if is_deep else decides.value


def remarks(simulation: Simulation) -> tuple[Said, ...]:
    """What else must be said: a last bucket of another size, each option that is on."""
    effects, values = simulation.effects, _values(simulation)
    slows, adds_up = effects.slowdown > 0, effects.micro_steps > 1
    decides = regime(simulation)
    holds = {
        "queued": decides is Regime.TRAFFIC and simulation.tail.queued_s > 0,
        "smaller_last": simulation.plan[0] != simulation.plan[-1],
        "slowdown": slows and simulation.slowed_s > 0,
        "no_slowdown": slows and simulation.slowed_s == 0,
        "late": effects.late_s > 0 and decides is not Regime.LATE,
        "every_pass": adds_up and effects.every_micro_step,
        "last_pass": adds_up and not effects.every_micro_step,
    }
    return tuple(Said(f"remark.{key}", values) for key, true in holds.items() if true)


def _help(found: Explanation) -> tuple[Said, ...]:
    """The greatest help, and the next on top of it."""
    if not found.helps:
        return ()
    first, *rest = found.helps
    values = {"first": _lever(first), "saves_s": first.saves_s}
    if not rest:
        return (Said("help.one", values),)
    then = {"then": _lever(rest[0]), "more_s": rest[0].saves_s}
    return (Said("help.two", values | then),)


def _lever(one: Help) -> Said:
    values: dict[str, Any] = {}
    if one.lever is Lever.BUCKET:
        values = {"bucket_layers": one.simulation.plan[0]}
    return Said(f"lever.{one.lever.value}", values)


def _values(simulation: Simulation) -> dict[str, Any]:
    """Every place that a sentence about a simulated step may hold."""
    tail, last = simulation.tail, simulation.transfers[-1]
    transfers, effects = len(simulation.transfers), simulation.effects
    return {
        "backward_s": simulation.backward_s,
        "work_s": simulation.hideable_s,
        "communication_s": simulation.communication_s,
        "hidden_s": simulation.hidden_s,
        "tail_s": tail.total_s,
        "queued_s": tail.queued_s,
        "late_s": effects.late_s,
        "overhead_s": tail.overhead_s,
        "starting_s": tail.overhead_s * transfers,
        "moving_s": simulation.traffic_s,
        "slowed_s": simulation.slowed_s,
        "slowdown_share": effects.slowdown,
        "first": simulation.plan[0],
        "last_layers": len(last.layers),
        "last_size_bytes": last.size_bytes,
        "last_layer": last.layers[-1],
        "sent_transfers": transfers,
        "most_waiting": simulation.most_waiting,
        "all_passes": effects.micro_steps,
    }
