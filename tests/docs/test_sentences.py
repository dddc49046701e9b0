"""What docs/model.md says in passing, with its numbers computed again."""

import math
from pathlib import Path

import pytest

from overlap_widget.model import (
    OFF,
    Effects,
    Layer,
    Link,
    best_bucket,
    best_of,
    simulate,
    tails,
    whole_layers,
)
from overlap_widget.model.fit import fit
from overlap_widget.model.link import ring_bandwidth_bytes_per_s
from overlap_widget.model.links import LINKS
from overlap_widget.model.rules import ddp
from overlap_widget.model.scenarios import (
    BERT_BASE,
    COURSE,
    FAST_HARDWARE,
    GPT2_SMALL,
    RESNET_18,
)
from overlap_widget.model.transformers import GPT2_SMALL as GPT2_SIZES
from overlap_widget.model.units import GIB, KIB, MB, MIB, MS, US

MODEL = Path(__file__).parents[2] / "docs" / "model.md"


def digits(value):
    return f"{value:.3g}"


def run(scenario, size, overhead_ms=1, bandwidth_gb_per_s=12, effects=OFF):
    link = Link(overhead_ms * MS, bandwidth_gb_per_s * 1e9)
    return simulate(scenario.layers, whole_layers(12, size), link, effects)


def tail(*of, **how):
    return digits(run(*of, **how).tail.total_s / MS)


def queued(*of, **how):
    return digits(run(*of, **how).tail.queued_s / MS)


def step(*of, **how):
    return digits(run(*of, **how).step_s / MS)


def cost(place, *of, **how):
    """Of one transfer of a run, in ms."""
    simulation = run(*of, **how)
    size_bytes = simulation.transfers[place].size_bytes
    return digits(simulation.link.transfer_s(size_bytes) / MS)


def laws():
    sizes = (12, 6, 3, 1)
    best = best_of(FAST_HARDWARE.layers, FAST_HARDWARE.link)
    lever = run(FAST_HARDWARE, 2, bandwidth_gb_per_s=24)
    fast = run(FAST_HARDWARE, 1)
    equal = [tail(COURSE, size, bandwidth_gb_per_s=8) for size in (1, 2, 3, 4, 6, 12)]
    return [
        f"1 + 40 / 12 = {cost(0, COURSE, 1)} ms",
        f"the floor is {cost(-1, COURSE, 5)} ms and not the {cost(0, COURSE, 5)} ms of",
        f"{', '.join(tail(COURSE, size) for size in sizes)} ms for 12, 6, 3 and 1 ",
        f"buckets it leaves {', '.join(equal[:-1])} and {equal[-1]} ms",
        f"in half the time, {digits(FAST_HARDWARE.layers[0].backward_s / MS)} ms each",
        f"A transfer still takes {cost(0, FAST_HARDWARE, 1)} ms",
        f"up to {fast.most_waiting} wait at once, and of a tail of "
        f"{tail(FAST_HARDWARE, 1)} ms {queued(FAST_HARDWARE, 1)} ms are queued",
        f"{step(FAST_HARDWARE, 1)} ms instead of {step(COURSE, 1)} ms",
        f"the best size is {best.bucket} layers, with {digits(best.tail_s / MS)} ms",
        f"(B2 is {digits(480 * math.sqrt(1 / 30))} MB)",
        f"it is {digits(fast.traffic_to_work)}: {cost(0, FAST_HARDWARE, 12)} ms of "
        f"traffic against {digits(fast.backward_s / MS)} ms of work, so at least "
        f"{digits((fast.traffic_to_work - 1) * fast.backward_s / MS)} ms show",
        f"(buckets of {', '.join(map(str, best.plan))} layers) leaves "
        f"{digits(best.plan_tail_s / MS)} ms",
        f"at 24 GB/s the ratio is {digits(lever.traffic_to_work)} and 2 layers a "
        f"bucket leave {digits(lever.tail.total_s / MS)} ms",
        f"{', '.join(map(str, best.plan[:-1]))} and {best.plan[-1]} layers: while one",
        f"60 + {tail(COURSE, 12)} = {step(COURSE, 12)} ms",
    ]


def resnet_18():
    def sent(**options):
        layers, link = RESNET_18.layers, RESNET_18.link
        found = simulate(layers, ddp(layers, **options), link)
        return (
            [f"{one.size_bytes:,.0f}" for one in found.transfers],
            digits(found.tail.total_s / MS),
        )

    bias, weight, *_ = (f"{layer.gradient_bytes:,.0f}" for layer in RESNET_18.layers)
    total = sum(layer.gradient_bytes for layer in RESNET_18.layers)
    (first, second, last), tail_ms = sent()
    (_, other, rest), other_ms = sent(bucket_cap_mib=35, older_release=True)
    (*_, small), small_ms = sent(small_last=True)
    in_mb = [digits(float(text.replace(",", "")) / MB) for text in (last, small)]
    return [
        f"Its {len(RESNET_18.layers)} tensors hold {total:,.0f} bytes in fp32",
        f"fc.bias ({bias} bytes) and fc.weight ({weight})",
        f"first bucket closes with {first} bytes",
        f"closes at {second}, once it",
        f"holds the rest: {last} bytes",
        f"they are {first}, {other} and {rest}",
        f"the tails are {tail_ms} and {other_ms} ms, and {small_ms} ms with the small "
        f"bucket last, which holds {small} bytes",
        f"holds {in_mb[0]} MB in one case and {in_mb[1]} MB in the other",
        f"The tail falls from {tail_ms} to {small_ms} ms",
    ]


def links():
    h100, ib = LINKS["h100-nvlink-8"], LINKS["a100-ib-16"]
    line, table = (
        [digits(cost.transfer_s(size) / US) for size in (MIB, 64 * KIB, 32 * MIB)]
        for cost in (h100.line, h100.table)
    )
    lines, wide = {}, []
    for name, link in LINKS.items():
        if link.table:
            rows = [
                (size, time_s)
                for size, time_s in zip(
                    link.table.sizes_bytes, link.table.times_s, strict=True
                )
                if 64 * KIB <= size <= GIB
            ]
            errors = [abs(link.line.transfer_s(size) / at_s - 1) for size, at_s in rows]
            lines[name] = 100 * max(errors)
            wide.append(100 * fit(*zip(*rows, strict=True), 64 * KIB, GIB).max_error)
    least, most = min(lines, key=lines.get), max(lines, key=lines.get)
    one = (len(BERT_BASE.layers),)
    by_line, by_table = (
        digits(simulate(BERT_BASE.layers, one, cost).tail.total_s / MS)
        for cost in (ib.line, ib.table)
    )
    drained = ring_bandwidth_bytes_per_s(50e9, ranks=8)
    return [
        f"the line says {line[0]} µs for 1 MiB and {table[0]} µs were measured; for "
        f"64 KiB it says {line[1]} µs instead of {table[1]}, for 32 MiB {line[2]} "
        f"instead of {table[2]}",
        f"by {digits(lines[least])} % ({least}) up to {digits(lines[most])} % ({most})",
        f"whole range by {digits(min(wide))} to {digits(max(wide))} %",
        f"has a tail of {by_line} ms by the line of a100-ib-16, and {by_table} ms by",
        f"(400 Gb/s) drain {digits(drained / 1e9)} GB/s of gradients with 8 ranks",
    ]


def embeddings():
    layers, link = GPT2_SMALL.layers, GPT2_SMALL.link
    found = simulate(layers, (1,) * len(layers), link)
    own_s = link.transfer_s(layers[-1].gradient_bytes)
    tail_s = found.tail.total_s
    head, *blocks, last = layers
    matrix = 4 * GPT2_SIZES.token_embedding
    early = [
        Layer(head.name, head.backward_s, head.gradient_bytes + matrix),
        *blocks,
        Layer(last.name, last.backward_s, last.gradient_bytes - matrix),
    ]
    twice = best_of(layers, Link(link.overhead_s, 2 * link.bandwidth_bytes_per_s))
    best = best_of(layers, link)
    own_mb = digits(last.gradient_bytes / MB)
    return [
        f"the embeddings are {own_mb} MB of {digits(found.total_bytes / MB)} MB",
        f"transfer takes {digits(own_s / MS)} ms, which is "
        f"{digits(100 * own_s / tail_s)} % of a tail of {digits(tail_s / MS)} ms, and "
        f"the best plan leaves {digits(best.plan_tail_s / MS)} ms",
        f"best plan would leave {digits(best_of(early, link).plan_tail_s / MS)} ms",
        f"size leave less than {digits(best.tail_s / MS)} ms",
        f"and their {own_mb} MB take {digits(own_s / MS)} ms on this link",
        f"twice the bandwidth the best size leaves {digits(twice.tail_s / MS)} ms",
    ]


def options():
    off, slow = Effects(overlap=False), Effects(slowdown=0.2)
    last, every = Effects(micro_steps=4), Effects(micro_steps=4, every_micro_step=True)
    by_size = tails(COURSE.layers, COURSE.link, off)
    assert best_bucket(by_size) == 12
    layers = [Layer("c", 2, 4), Layer("b", 5, 2), Layer("a", 1, 6)]
    plain, slowed = (
        simulate(layers, (1, 1, 1), Link(1, 2), effects)
        for effects in (OFF, Effects(slowdown=0.5))
    )
    return [
        f"bucket {tail(COURSE, 4, effects=off)} ms are exposed instead of "
        f"{tail(COURSE, 4)}",
        f"one bucket is best, with {digits(by_size[11].total_s / MS)} ms",
        f"ends at {slowed.backward_s:g} s instead of {plain.backward_s:g}, the step at "
        f"{slowed.step_s:g} s instead of {plain.step_s:g}",
        f"without the slowdown, {slowed.tail.total_s:g} instead of "
        f"{plain.tail.total_s:g} s",
        f"a bucket stays {tail(COURSE, 4, effects=last)} ms, but of a step of "
        f"{step(COURSE, 4, effects=last)} ms instead of {step(COURSE, 4)}",
        f"the tail is {tail(FAST_HARDWARE, 2, effects=every)} ms of "
        f"{step(FAST_HARDWARE, 2, effects=every)}, and "
        f"{tail(FAST_HARDWARE, 2, effects=last)} ms of "
        f"{step(FAST_HARDWARE, 2, effects=last)} if only",
        f"from {digits(run(COURSE, 1).backward_s / MS)} to "
        f"{digits(run(COURSE, 1, effects=slow).backward_s / MS)} ms, since",
        f"step from {step(COURSE, 1)} to {step(COURSE, 1, effects=slow)} ms",
    ]


def answers():
    slow = {"overhead_ms": 4}
    best_slow = best_bucket(tails(COURSE.layers, Link(4 * MS, 12e9)))
    best = best_of(FAST_HARDWARE.layers, FAST_HARDWARE.link)
    return [
        f"bytes are {tail(COURSE, 4)} ms. With 5",
        f"{digits(run(COURSE, 5).tail.wire_s / MS)} ms of bytes",
        f"before it left at {digits(run(COURSE, 5).transfers[1].start_s / MS)} ms and "
        f"takes {cost(1, COURSE, 5)} ms, so the last one is queued for "
        f"{queued(COURSE, 5)} ms: {tail(COURSE, 5)} ms in all",
        f"Each of 12 transfers takes {cost(0, COURSE, 1, **slow)} ms",
        f"from {tail(COURSE, 1)} to {tail(COURSE, 1, **slow)} ms. With {best_slow} "
        f"layers a bucket it is {tail(COURSE, best_slow, **slow)} ms",
        f"the best size leaves {digits(best.tail_s / MS)} ms, since "
        f"{cost(0, FAST_HARDWARE, 12)} ms of traffic meet",
        f"16 GB/s two layers a bucket leave "
        f"{tail(FAST_HARDWARE, 2, bandwidth_gb_per_s=16)} ms",
    ]


PARTS = (laws, resnet_18, links, embeddings, options, answers)


@pytest.mark.parametrize("sentence", [one for part in PARTS for one in part()])
def test_a_number_in_passing_is_what_the_model_gives(sentence):
    assert sentence in " ".join(MODEL.read_text().split())


def test_a_slowed_tail_of_question_six_stays_as_it_was():
    slowed = run(COURSE, 1, effects=Effects(slowdown=0.2))
    assert slowed.tail.total_s == pytest.approx(run(COURSE, 1).tail.total_s)
