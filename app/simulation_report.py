"""A simulation as text for a terminal, and as JSON for a program."""

import json
from dataclasses import asdict
from typing import Any

from overlap_widget.app.best_report import best_document, best_text
from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.quantities import count_text, size_text, time_text
from overlap_widget.app.said import text
from overlap_widget.app.simulation_inputs import Inputs
from overlap_widget.app.text_table import aligned, wrapped
from overlap_widget.model.backward import Simulation, Transfer
from overlap_widget.model.breakdown import break_down
from overlap_widget.model.plans import Best, best_of
from overlap_widget.model.simulated import timeline_of


def as_json(inputs: Inputs) -> str:
    """Seconds and bytes, units in the key names; unknown is null."""
    simulation = inputs.simulation
    breakdown = break_down(timeline_of(simulation))
    document = {
        "scenario": inputs.scenario.name,
        "bandwidth_bytes_per_s": simulation.link.bandwidth_bytes_per_s,
        "overhead_s": simulation.link.overhead_s,
        "transfers": [_transfer(one) for one in simulation.transfers],
        "backward_s": simulation.backward_s,
        "communication_s": breakdown.communication_s,
        "hidden_s": breakdown.hidden_s,
        "tail_s": simulation.tail.total_s,
        "tail": _tail_document(simulation),
        "traffic_to_work": simulation.traffic_to_work,
        "best": best_document(simulation.layers, _best(simulation)),
    }
    if inputs.options:
        document["options"] = inputs.options
    return json.dumps(document, indent=2, allow_nan=False)


def _best(simulation: Simulation) -> Best:
    return best_of(simulation.layers, simulation.link, simulation.effects)


def _tail_document(simulation: Simulation) -> dict[str, float]:
    """The split of the tail, as it adds up exactly; `late_s` only with a late rank."""
    parts = asdict(simulation.tail)
    late_s = parts.pop("late_s")
    return {"late_s": late_s} | parts if simulation.effects.late_s else parts


def _transfer(transfer: Transfer) -> dict[str, Any]:
    return {
        "layers": transfer.layers,
        "bytes": transfer.size_bytes,
        "ready_s": transfer.ready_s,
        "start_s": transfer.start_s,
        "end_s": transfer.end_s,
    }


def as_text(inputs: Inputs) -> str:
    """The sentence, the split of the tail, the transfers, and what would be best.

    After the sentence stands where link and buckets are from.
    """
    simulation = inputs.simulation
    parts = (
        _sentence(inputs.scenario.name, simulation),
        _origins(inputs),
        _split(simulation),
        _table(_rows(simulation)),
        best_text(_best(simulation), simulation.effects),
    )
    return "\n\n".join(filter(None, parts))


def _sentence(scenario: str, simulation: Simulation) -> str:
    """What the step waits, then why and what would help, as on the page."""
    passes = simulation.effects.micro_steps
    many = f"{count_text('passes', passes)} that take"
    waits = (
        f"{scenario}: the step waits {time_text(simulation.tail.total_s)} for "
        f"communication after {many if passes > 1 else 'a backward pass of'} "
        f"{time_text(simulation.backward_s)}."
    )
    hides = (
        f"{count_text('transfers_need', len(simulation.transfers))} "
        f"{time_text(simulation.communication_s)}, and "
        f"{time_text(simulation.hidden_s)} of that runs while layers still compute."
    )
    why = [text(said) for said in explanation(simulation) + remarks(simulation)]
    return "\n".join(map(wrapped, (waits, hides, *why)))


def _origins(inputs: Inputs) -> str:
    """The link, and the rule that filled the buckets where it isn't whole layers."""
    says = inputs.link.says, inputs.buckets.says
    return "\n".join(map(wrapped, filter(None, says)))


def _split(simulation: Simulation) -> str:
    tail, last = simulation.tail, simulation.transfers[-1]
    wait = "waits for earlier transfers" if tail.queued_s else "finds the link free"
    held = f"{size_text(last.size_bytes)} of {count_text('layers', len(last.layers))}"
    late = [("  late", tail.late_s, "until the late rank has its gradients")]
    parts = (
        *(late if tail.late_s else ()),
        ("  queued", tail.queued_s, f"the last bucket {wait}"),
        ("  overhead", tail.overhead_s, "before its first byte"),
        ("  wire", tail.wire_s, f"its bytes, {held}"),
    )
    rows = [[name, time_text(seconds), why] for name, seconds, why in parts]
    return f"The tail of {time_text(tail.total_s)} is\n{aligned(rows, '<><')}"


def _rows(simulation: Simulation) -> list[list[str]]:
    return [
        [
            str(number),
            f"{transfer.layers[0]} - {transfer.layers[-1]}"
            if len(transfer.layers) > 1
            else transfer.layers[0],
            size_text(transfer.size_bytes),
            time_text(transfer.ready_s),
            time_text(transfer.start_s),
            time_text(transfer.end_s),
        ]
        for number, transfer in enumerate(simulation.transfers, start=1)
    ]


def _table(rows: list[list[str]]) -> str:
    head = ["transfer", "layers", "size", "ready", "starts", "ends"]
    return aligned([head, *rows], "><>>>>")
