"""The twin computes what the model computes: the same numbers to the last bit.

Both run on the same random inputs, and every float is compared by its bytes.
"""

import base64
from dataclasses import astuple, dataclass
from itertools import chain, pairwise
from random import Random

import numpy as np
import pytest

from overlap_widget.model.backward import simulate
from overlap_widget.model.effects import Effects
from overlap_widget.model.explain import Lever, explain
from overlap_widget.model.landscape import landscape
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link, MeasuredLink
from overlap_widget.model.plans import (
    best_of,
    best_plan,
    by_bytes,
    whole_layers,
    within_bytes,
)
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.rules import RULES
from overlap_widget.model.sweep import sweep

CHUNK = 5_000
MOST_LAYERS = 16
REGIMES, LEVERS = list(Regime), list(Lever)
UNITS_S = (1e-3, 5e-3, 2.0**-10, 0.1, 1.0, 2.5e-6)
UNITS_BYTES = (40e6, 1.0, 2.0**20, 1e6 / 3)


@dataclass
class Step:
    """One input, and its numbers as they are handed to the twin."""

    layers: list[Layer]
    plan: tuple[int, ...]
    link: Link | MeasuredLink
    effects: Effects
    further: list[float]
    numbers: list[float]


def row(values):
    """A row of numbers behind their count."""
    return [len(values), *values]


def magnitudes(random, unit, exponents, count):
    """Times or sizes: of any magnitude, all equal, multiples that tie, or nearly."""
    kind, equal = random.randrange(4), unit * random.randrange(4)
    draw = (
        lambda: 10 ** random.uniform(*exponents),
        lambda: equal,
        lambda: unit * random.randrange(4),
        lambda: unit * (1 + 2.0**-50 * random.randrange(-3, 4)),
    )[kind]
    return [draw() if random.random() > 0.05 else 0.0 for _ in range(count)]


def composition(random, count):
    """Random runs of consecutive layers, or the same number in each."""
    if random.random() < 0.4:
        return whole_layers(count, random.randint(1, count))
    share = random.choice([0.2, 0.5, 0.8])
    ends = [at for at in range(1, count) if random.random() < share]
    return tuple(end - start for start, end in pairwise([0, *ends, count]))


def drawn_line(random, unit_s, unit_bytes):
    """A straight line; half of them make sums that tie with those of the layers."""
    if random.random() < 0.5:
        rate = unit_bytes / unit_s * 2.0 ** random.randrange(-3, 4)
        return unit_s * random.randrange(5) / 4, rate
    overhead_s = 0.0 if random.random() < 0.1 else 10 ** random.uniform(-8, 1)
    return overhead_s, 10 ** random.uniform(3, 14)


def drawn_table(random):
    """Rising sizes, and times that may fall, up to the last one."""
    count = random.randint(2, 8)
    sizes = sorted(10 ** random.uniform(0, 12) for _ in range(count))
    if random.random() < 0.2:
        sizes[0] = 0.0
    times = [10 ** random.uniform(-6, 1) for _ in range(count)]
    if random.random() < 0.5:
        times.sort()
    times[-1] = times[-2] * random.uniform(1.001, 3)
    return sizes, times


def drawn_link(random, unit_s, unit_bytes, tables):
    line = drawn_line(random, unit_s, unit_bytes)
    if random.random() >= tables:
        return Link(*line), [0, 0, *row(line)]
    sizes, times = drawn_table(random)
    factors = 1.0, 1.0
    if random.random() < 0.5:
        factors = random.choice([0.0, 0.5, 0.7]), random.choice([0.5, 1.0, 1.3])
    link = MeasuredLink(tuple(sizes), tuple(times), Link(*line)).scaled(*factors)
    return link, [*row(sizes), *row(times), *row([*line, *factors])]


def drawn_effects(random, unit_s):
    late_s = random.choice(
        [0.0, 0.0, unit_s, unit_s * random.random(), random.random()]
    )
    return Effects(
        overlap=random.random() < 0.8,
        slowdown=random.choice([0.0, 0.0, 0.0, 0.19, 0.25, 10.0, random.random()]),
        late_s=late_s,
        micro_steps=random.choice([1, 1, 1, 1, 1, 2, 2, 3, 4, random.randint(1, 16)]),
        every_micro_step=random.random() < 0.5,
    )


def drawn_steps(seed, count, tables=0.15, more=lambda _random: []):
    """So many random steps; `more` draws further numbers for each."""
    random = Random(seed)
    for _ in range(count):
        layers, unit_s = random.randint(1, MOST_LAYERS), random.choice(UNITS_S)
        unit_bytes = random.choice(UNITS_BYTES)
        times_s = magnitudes(random, unit_s, (-9, 3), layers)
        sizes = magnitudes(random, unit_bytes, (0, 12), layers)
        if random.random() < 0.003:
            times_s[0] = sizes[-1] = 1.7e308  # twice that is refused
        rows = zip(map(str, range(layers)), times_s, sizes, strict=True)
        plan = composition(random, layers)
        link, of_link = drawn_link(random, unit_s, unit_bytes, tables)
        effects, further = drawn_effects(random, unit_s), more(random)
        numbers = [*row(times_s), *row(sizes), *row(plan), *of_link]
        numbers += [*row(astuple(effects)), *row(further)]
        yield Step([Layer(*of) for of in rows], plan, link, effects, further, numbers)


def answered(step, row_of):
    """The row of numbers that the model has for a step, -1 where it refuses."""
    try:
        with np.errstate(all="ignore"):
            return row_of(step)
    except (ValueError, OverflowError):
        return [-1.0]


def assert_same_bits(twin, kind, steps, row_of):
    """Compare what the twin makes of these steps with the rows of the model."""
    rows = [answered(step, row_of) for step in steps]
    expected = np.array([*chain.from_iterable(rows)], dtype=np.float64)
    asked = np.array([*chain(*(step.numbers for step in steps))], dtype=np.float64)
    text = base64.b64encode(asked.tobytes()).decode()
    found = twin.evaluate("([kind, text]) => answers(kind, text)", [kind, text])
    found = np.frombuffer(base64.b64decode(found))
    if found.tobytes() != expected.tobytes():
        pytest.fail(_first_difference(steps, rows, expected, found))
    return rows


def _first_difference(steps, rows, expected, found):
    """Which of the steps first has another number, and which."""
    length = min(len(expected), len(found))
    bits, others = (each[:length].view(np.int64) for each in (expected, found))
    at = int(np.argmax(bits != others)) if (bits != others).any() else length
    ends = np.cumsum([len(one) for one in rows])
    number = int(np.searchsorted(ends, at, side="right"))
    place = at - int(ends[number] - len(rows[number]))
    values = expected[at : at + 1], found[at : at + 1]
    return f"step {number}, number {place}: {values}\n{steps[number]}\n{rows[number]}"


def simulation_row(one):
    """All numbers of a simulated step, those of the harness in its order."""
    tail, ratio = one.tail, one.traffic_to_work
    return [
        *one.done_s,
        *chain.from_iterable(
            (len(sent.layers), sent.size_bytes, sent.ready_s, sent.start_s, sent.end_s)
            for sent in one.transfers
        ),
        *(tail.queued_s, tail.overhead_s, tail.wire_s, tail.late_s, tail.total_s),
        *(one.backward_s, one.step_s, one.slowed_s, one.total_bytes, one.traffic_s),
        *(one.hideable_s, -1 if ratio is None else ratio, one.traffic_exceeds_work),
        *(one.communication_s, one.hidden_s, one.most_waiting),
        REGIMES.index(regime(one)),
    ]


def simulated(step):
    return simulate(step.layers, step.plan, step.link, step.effects)


def best_row(best):
    return [best.bucket, best.tail_s, *best.plan, best.plan_tail_s]


def sweep_row(step):
    found = sweep(step.layers, step.link, step.effects)
    return best_row(found.best) + [
        number
        for one in found.sizes
        for number in (
            *(one.bucket, one.transfers, one.last_layers, one.last_bytes, one.slowed_s),
            *(REGIMES.index(one.regime), one.step_s, one.floor_s),
            *(one.tail.queued_s, one.tail.overhead_s, one.tail.wire_s),
            *(one.tail.late_s, one.tail.total_s),
        )
    ]


def best_plan_row(step):
    asked = step.layers, step.link, step.effects
    best = best_of(*asked)  # refuses what best_plan alone would not see
    return [*best_plan(*asked), *best_row(best)]


def explain_row(step):
    found = explain(simulated(step))
    helps = [
        number
        for help_ in found.helps
        for number in (
            *(LEVERS.index(help_.lever), help_.saves_s),
            *simulation_row(help_.simulation),
        )
    ]
    return [REGIMES.index(found.regime), *helps]


def rules_row(step):
    element_bytes, ranks, limit_bytes, first_bytes = step.further
    asked = step.layers, step.link, step.effects, element_bytes, int(ranks)
    plans = [rule.plan_of(*asked) for rule in RULES.values()]
    plans.append(by_bytes(step.layers, limit_bytes, first_bytes))
    plans.append(within_bytes(step.layers, limit_bytes))
    return [*chain(*plans)]


def drawn_limits(random):
    """Bytes of an element, ranks, and the limits of a bucket and of the first one."""
    limits = [10 ** random.uniform(0, 12), 0.0, 40e6, 120e6, 2.0**21]
    return [
        *(random.choice([0.5, 1, 2, 4, 16]), random.choice([2, 40, 41, 64, 1024])),
        *(random.choice(limits), random.choice(limits)),
    ]


def landscape_row(step):
    rates, overheads, *numbers = map(float, step.further)
    first, second = int(rates), int(rates + overheads)
    found = landscape(
        step.layers,
        *(numbers[:first], numbers[first:second], map(int, numbers[second:])),
        step.effects,
    )
    columns = found.buckets, found.tail_s, found.backward_s, found.regime
    return [*chain(*(column.ravel().tolist() for column in columns))]


def drawn_axes(random):
    """How many bandwidths and overheads, these, and one size that all steps have."""
    rates = [10 ** random.uniform(6, 13) for _ in range(random.randint(1, 5))]
    overheads = [
        random.choice([0.0, *(10 ** random.uniform(-7, 0) for _ in range(3))])
        for _ in range(random.randint(1, 3))
    ]
    return [len(rates), len(overheads), *rates, *overheads, 1]


@pytest.mark.parametrize("seed", range(10))
def test_a_simulated_step_has_the_same_bits(twin, seed):
    steps = [*drawn_steps(seed, CHUNK)]

    rows = assert_same_bits(
        twin, "simulate", steps, lambda step: simulation_row(simulated(step))
    )
    assert {one[-1] for one in rows if len(one) > 1} == {*range(len(REGIMES))}
    assert 0 < sum(len(one) == 1 for one in rows) < CHUNK / 100  # refused


def test_a_sweep_has_the_same_bits(twin):
    assert_same_bits(twin, "sweep", [*drawn_steps(100, 1_500)], sweep_row)


def test_the_best_plan_is_the_same(twin):
    assert_same_bits(twin, "bestPlan", [*drawn_steps(101, 1_500)], best_plan_row)


def test_what_helps_a_step_is_the_same(twin):
    rows = assert_same_bits(twin, "explain", [*drawn_steps(102, 1_000)], explain_row)
    assert max(map(len, rows)) > 100  # several helps


def test_rules_fill_the_same_buckets(twin):
    steps = [*drawn_steps(103, 2_000, more=drawn_limits)]
    assert_same_bits(twin, "rules", steps, rules_row)


def test_a_landscape_has_the_same_bits(twin):
    steps = [*drawn_steps(104, 1_500, tables=0, more=drawn_axes)]
    assert_same_bits(twin, "landscape", steps, landscape_row)
