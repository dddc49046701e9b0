"""docs/teaching.md: each number in it is checked against the state it stands behind.

A state is an address in a code span, `?bucket=5`. What is named behind it, `tail 15.3
ms`, is of that state until the next one or the next heading. Sums, `1 + 40 / 12 = 4.33
ms`, are worked out. What is said in other words is in test_teaching_said.py, which also
sees that no number is left over.
"""

import re
from functools import cache

from overlap_widget.app.address import read_address
from overlap_widget.app.quantities import count_text, percent_text, time_text
from overlap_widget.app.settings import simulation_of
from overlap_widget.app.sweep_view import sweep_of
from overlap_widget.app.words import words
from overlap_widget.model.regime import regime

COLUMNS = ("tail", "queued", "step", "what decides")


def digits(value):
    return f"{float(f'{value:.3g}'):.15g}"


@cache
def model_of(state, names):
    """What the model says of an address, by the names that the notes use."""
    settings, _ = read_address(state)
    step, best = simulation_of(settings), sweep_of(settings).best
    tail = step.tail
    times_s = (
        *(tail.total_s, tail.queued_s, tail.overhead_s, tail.wire_s),
        *(tail.overhead_s + tail.wire_s, step.backward_s, step.step_s),
        *(step.communication_s, step.hidden_s, best.tail_s, best.plan_tail_s),
    )
    return dict(zip(names, map(time_text, times_s), strict=True)) | {
        "overlap": percent_text(step.hidden_s / step.communication_s),
        "traffic to work": digits(step.traffic_to_work),
        "best size": count_text("layers", best.bucket),
        "what decides": words(f"short.{regime(step).value}"),
    }


def claims(teaching):
    """(state, name, value) of what is named behind a state, in rows of a table too."""
    for spot, state in teaching.spots:
        if spot["row"]:
            linked, *values = spot["row"].strip(" |").split(" | ")[1:]
            in_row = re.fullmatch(teaching.state, linked)["state"]
            for name, value in zip(COLUMNS, values, strict=True):
                yield in_row, name, value
        elif spot["name"] and state != teaching.of_a_recording:
            yield state, spot["name"].lower(), spot["value"]


def test_what_is_named_behind_a_state_is_what_the_model_gives(teaching):
    found = [*claims(teaching)]
    assert len(found) > 150
    wrong = [
        (state, name, value)
        for state, name, value in found
        if state is None or model_of(state, teaching.times)[name] != value
    ]
    assert wrong == []


def test_a_sum_comes_out(teaching):
    sums = [spot for spot, _ in teaching.spots if spot["sum"]]
    assert len(sums) > 20
    wrong = [spot[0] for spot in sums if digits(eval(spot["sum"])) != spot["equals"]]
    assert wrong == []


def test_a_state_is_read_as_it_stands(teaching):
    states = {*re.findall(teaching.state, teaching.prose)}
    assert len(states) > 40
    notices = {state: read_address(state)[1] for state in states}
    assert {state: said for state, said in notices.items() if said} == {}
