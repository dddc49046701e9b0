"""A simulation as text for a terminal, and as JSON for a program."""

import itertools
import json
import math
from dataclasses import asdict
from textwrap import fill
from typing import Any

from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.quantities import size_text, time_text
from overlap_widget.app.said import text
from overlap_widget.app.text_table import aligned
from overlap_widget.model import (
    Best,
    Plan,
    Simulation,
    Transfer,
    best_of,
    break_down,
    timeline_of,
)

WIDTH = 88
MOST_BUCKETS_NAMED = 16  # more of them are summed up


def as_json(scenario: str, simulation: Simulation) -> str:
    """Seconds and bytes, units in the key names; unknown is null."""
    breakdown = break_down(timeline_of(simulation))
    document = {
        "scenario": scenario,
        "bandwidth_bytes_per_s": simulation.link.bandwidth_bytes_per_s,
        "overhead_s": simulation.link.overhead_s,
        "transfers": [_transfer(one) for one in simulation.transfers],
        "backward_s": simulation.backward_s,
        "communication_s": breakdown.communication_s,
        "hidden_s": breakdown.hidden_s,
        "tail_s": simulation.tail.total_s,
        "tail": _tail_document(simulation),
        "traffic_to_work": simulation.traffic_to_work,
        "best": _best_document(simulation),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _tail_document(simulation: Simulation) -> dict[str, float]:
    """The split of the tail; the wait for a late rank only where there is one."""
    parts = asdict(simulation.tail)
    if simulation.effects.late_s == 0:
        del parts["late_s"]
    return parts


def as_text(scenario: str, simulation: Simulation) -> str:
    """The sentence, the split of the tail, the transfers, and what would be best."""
    return "\n\n".join(
        (
            _sentence(scenario, simulation),
            _split(simulation),
            _table(_rows(simulation)),
            _best(best_of(simulation.layers, simulation.link)),
        )
    )


def _sentence(scenario: str, simulation: Simulation) -> str:
    """What the step waits, then why and what would help, as on the page."""
    transfers = _counted(len(simulation.transfers), "transfer")
    verdict = (
        f"{scenario}: the step waits {time_text(simulation.tail.total_s)} for "
        f"communication after a backward pass of {time_text(simulation.backward_s)}.\n"
        f"{transfers} {_verb(simulation)} {time_text(simulation.communication_s)}, and "
        f"{time_text(simulation.hidden_s)} of that runs while layers still compute."
    )
    why = [text(said) for said in explanation(simulation) + remarks(simulation)]
    wrapped = [fill(sentence, WIDTH, break_on_hyphens=False) for sentence in why]
    return "\n".join([verdict, *wrapped])


def _verb(simulation: Simulation) -> str:
    return "needs" if len(simulation.transfers) == 1 else "need"


def _split(simulation: Simulation) -> str:
    tail, last = simulation.tail, simulation.transfers[-1]
    wait = "waits for earlier transfers" if tail.queued_s else "finds the link free"
    held = f"{size_text(last.size_bytes)} of {_counted(len(last.layers), 'layer')}"
    parts = (
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


def _best(best: Best) -> str:
    sizes = f"{_counted(best.bucket, 'layer')} to a bucket"
    tail, plan_tail = time_text(best.tail_s), time_text(best.plan_tail_s)
    if math.isclose(best.tail_s, best.plan_tail_s, rel_tol=1e-9):
        return f"Best: {sizes}, tail {tail}; no plan does better."
    return (
        f"Best size: {sizes}, tail {tail}.\n"
        f"Best of all plans: {_buckets(best.plan)}, tail {plan_tail}."
    )


def _transfer(transfer: Transfer) -> dict[str, Any]:
    return {
        "layers": transfer.layers,
        "bytes": transfer.size_bytes,
        "ready_s": transfer.ready_s,
        "start_s": transfer.start_s,
        "end_s": transfer.end_s,
    }


def _best_document(simulation: Simulation) -> dict[str, Any]:
    """The best choices as in the JSON; the buckets of the plan by their layers."""
    best = best_of(simulation.layers, simulation.link)
    names = iter(layer.name for layer in simulation.layers)
    return {
        "bucket": best.bucket,
        "tail_s": best.tail_s,
        "plan": [list(itertools.islice(names, count)) for count in best.plan],
        "plan_tail_s": best.plan_tail_s,
    }


def _buckets(plan: Plan) -> str:
    """A plan in words: `buckets of 1, 1, 2, 3, 5 layers`."""
    if len(plan) > MOST_BUCKETS_NAMED:
        return f"{len(plan)} buckets of {min(plan)} to {max(plan)} layers"
    if len(plan) == 1:
        return f"one bucket of {_counted(plan[0], 'layer')}"
    return f"buckets of {', '.join(map(str, plan))} layers"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
