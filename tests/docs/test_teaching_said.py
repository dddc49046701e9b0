"""What docs/teaching.md says in other words, with its numbers computed again."""

import re

import pytest

from overlap_widget.app.address import read_address
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lesson import STEPS
from overlap_widget.app.quantities import rate_text, size_text, time_text
from overlap_widget.app.settings import DEFAULT, simulation_of
from overlap_widget.app.sweep_view import sweep_of
from overlap_widget.model.units import GB, MB, MIB, MS

FAST = "scenario=fast-hardware"
RUN = "lesson=measured&predict=off"


def digits(value):
    return f"{float(f'{value:.3g}'):.15g}"


def run(state):
    return simulation_of(read_address(state)[0])


def tail_ms(state):
    return run(state).tail.total_s / MS


def transfer_ms(state, place):
    step = run(state)
    return digits(step.link.transfer_s(step.transfers[place].size_bytes) / MS)


def held(state):
    """How many layers each of its buckets holds."""
    return [len(one.layers) for one in run(state).transfers]


def transfers(state):
    return len(run(state).transfers)


def by_hand(state):
    """The rows of a table of its transfers."""
    for number, one in enumerate(run(state).transfers, start=1):
        times_s = (one.end_s - one.start_s, one.ready_s, one.start_s, one.end_s)
        texts = (str(number), size_text(one.size_bytes), *map(time_text, times_s))
        yield f"| {' | '.join(texts)} |"


def of_the_course():
    layer, link = DEFAULT.scenario.layers[0], DEFAULT.scenario.link
    layer_ms, waits_ms = layer.backward_s / MS, run(f"{FAST}&bucket=2&bandwidth=17GB/s")
    two_ms, three_ms = digits(2 * layer_ms), digits(3 * layer_ms)
    pass_ms, total_mb = (
        digits(run(FAST).backward_s / MS),
        digits(run(FAST).total_bytes / MB),
    )
    slow, usual, quick = (
        tail_ms(f"bucket=1&bandwidth={rate}GB/s") for rate in (6, 12, 24)
    )
    return [
        f"has {len(DEFAULT.scenario.layers)} layers of {layer_ms:g} ms and "
        f"{size_text(layer.gradient_bytes)}, a link of "
        f"{rate_text(link.bandwidth_bytes_per_s)} and {time_text(link.overhead_s)} of",
        f"on the link and {layer_ms:g} ms to compute",
        f"saves {digits(slow - usual)} ms, and then {digits(usual - quick)} ms",
        f"the largest takes {transfer_ms('bucket=7', 0)} ms",
        f"less than the {three_ms} ms until the next one is ready",
        f"from {layer_ms:g} ms on: {layer_ms:g} + {transfers('bucket=1')} * (",
        f"from {two_ms} ms on: {two_ms} + {transfers('bucket=2')} * (",
        f"fits into the {three_ms} ms of its layers",
        f"B is {total_mb} / {digits(run(FAST).backward_s / MS - 1)} =",
        "bucket of {} and one of {}. At least".format(*held("lesson=floor")),
        f"The last one holds {held('bucket=7')[-1]} layers",
        "`?bucket=5&predict=tail`. Buckets of {}, {} and {} layers".format(
            *held("bucket=5")
        ),
        f"The pass takes {pass_ms} ms. From which",
        f"1 + 480 / B = {pass_ms} ms",
        *by_hand("bucket=5"),
        f"`?bucket=3`: tail 11 ms, {transfers('bucket=3')} transfers |",
        f"1 + 80 / B = {digits(run(FAST).done_s[2] / MS)} ms",
        f"and {time_text(waits_ms.tail.queued_s)} of it queued",
    ]


def of_questions():
    whole, each, fast = run("bucket=12"), run("bucket=1"), run(f"{FAST}&bucket=1")
    pass_ms, tail, step = each.backward_s / MS, tail_ms("bucket=1"), each.step_s / MS
    late_ms = tail_ms("bucket=4&late=5ms") - tail_ms("bucket=4")
    steps_ms = (pass_ms, step, pass_ms + tail_ms("bucket=12") / 2, whole.step_s / MS)
    halves_ms = (step / 2, pass_ms / 2 + tail, fast.step_s / MS, step)
    twice, quicker = (
        "(a) {} ms, (b) {} ms, (c) {} ms, (d) {} ms?".format(*map(digits, one))
        for one in (steps_ms, halves_ms)
    )
    return [
        f"The pass takes {digits(pass_ms)} ms, and all gradients are one bucket that "
        f"takes {transfer_ms('bucket=12', 0)} ms. The step takes {twice}",
        f"a step takes {digits(step)} ms, {digits(pass_ms)} of them the pass. The GPU "
        f"becomes twice as fast. The step takes {quicker}",
        f"still takes {transfer_ms(f'{FAST}&bucket=1', 0)} ms and a layer now "
        f"{digits(fast.done_s[1] / MS)} ms",
        f"run A communication takes {time_text(each.communication_s)}, in one of run B "
        f"{time_text(whole.communication_s)}",
        f"reaches every layer {digits(late_ms)} ms later than this one. The tail grows "
        f"by (a) nothing, it is hidden, (b) {digits(late_ms)} ms, (c) "
        f"{digits(3 * late_ms)} ms?",
    ]


def of_scenarios():
    ddp, other = (
        run("scenario=resnet-18&plan=ddp"),
        run("scenario=resnet-18&plan=ddp-small-last"),
    )
    gpt2 = run("scenario=gpt2-small&bucket=1")
    sizes = [digits(one.size_bytes / MB) for one in ddp.transfers]
    last_mb, small_mb, embeddings_mb = (
        f"{one.transfers[-1].size_bytes / MB:.4g}" for one in (ddp, other, gpt2)
    )
    assert ddp.communication_s == pytest.approx(other.communication_s)
    return [
        f"has buckets of {sizes[0]}, {sizes[1]} and {sizes[2]} MB",
        "makes buckets of 25 MB.",
        "without a cap the first bucket is 1 MiB",
        f"on a link of {rate_text(ddp.link.bandwidth_bytes_per_s)} and "
        f"{ddp.link.overhead_s / MS:.3g} ms. Its last bucket holds {last_mb} MB",
        f"a bucket of {small_mb} MB is sent last",
        f"their {embeddings_mb} MB take {gpt2.link.overhead_s / MS:.3g} + "
        f"{embeddings_mb} / {gpt2.link.bandwidth_bytes_per_s / GB:.3g} =",
    ]


def of_the_lesson():
    """What the steps ask learners to reach."""
    goals = {
        (step.name, check.of): check.goal for step in STEPS for check in step.checks
    }
    overhead_s = read_address("lesson=balance")[0].overhead_s
    least_ms = sweep_of(read_address("lesson=queue")[0]).best.tail_s / MS
    assert least_ms > 20
    assert goals["queue", "bucket"] == 3
    assert goals["measured", "tail_s"] == 0.5
    assert goals["floor", "queued_s"] == 0
    return [
        f"The step's task: a tail below {time_text(goals['overlap', 'tail_s'])}",
        f"nothing queued, and a tail below {time_text(goals['floor', 'tail_s'])}",
        f"until {goals['balance', 'best_bucket']} layers a bucket are best",
        f"traffic below work, and the tail below {time_text(goals['lever', 'tail_s'])}",
        f"brings the tail below {time_text(goals['lever', 'tail_s'])}",
        f"Every transfer now costs {time_text(overhead_s)} before its first byte",
        f"Every transfer costs {time_text(overhead_s)} before its first byte",
        "Who got below 20 ms? Why nobody?",
        "set 24 GB/s",
    ]


def of_the_recording():
    explorer = Explorer(query=RUN)
    shown = explorer.__panel__().parts["view"]["measured"]
    numbers, found = shown["numbers"], shown["what_if"]["numbers"]
    (default,) = (step["name"] for step in shown["steps"] if step["default"])
    first, *_ = shown["steps"]
    assert (first["name"], default) == ("10", "12")
    times = {
        key: time_text(numbers[key])
        for key in ("communication_s", "hidden_s", "exposed_s", "tail_s")
    }
    gap = time_text(numbers["exposed_s"] - numbers["tail_s"])
    caps = dict(zip(found["caps"]["cap_bytes"], found["caps"]["tail_s"], strict=True))
    cap, replayed = time_text(caps[10 * MIB]), time_text(found["replayed_tail_s"])
    table = shown["transfers"]
    last_s = table["end_s"][-1] - table["start_s"][-1]
    rate = found["bandwidth_bytes_per_s"] / GB
    return [
        f"- Communication is {times['communication_s']}, {times['hidden_s']} of it "
        f"hidden and {times['exposed_s']} exposed. The tail is {times['tail_s']}; the "
        f"other {gap} lie before it",
        f"of step {default} of the example",
        f"`?lesson=measured`, step {default} of the example",
        f"Step 10 has a tail of {time_text(first['tail_s'])}",
        f"fits {digits(rate)} GB/s and {time_text(found['overhead_s'])} to",
        f"a tail of {replayed}. With DDP's `bucket_cap_mb` at 10 it would be {cap}",
        f"link has {rate:.4g} GB/s and {found['overhead_s'] / MS:.3g} ms. How long "
        f"should the last transfer take, {size_text(table['bytes'][-1])}?",
        f"(a) {digits(numbers['exposed_s'] / MS)} of {times['communication_s']} are "
        f"exposed, {times['tail_s']} of that in the tail; {gap} lie before it",
        f"and the recording has {time_text(last_s)}",
        f"was queued for {time_text(numbers['tail_s'] - last_s)} behind",
        f"(d) 10: the replay expects {cap} instead of {replayed}. The fit misses a "
        f"transfer by {100 * found['relative_error']:.2g} % and the replayed tail is "
        f"close to the measured {times['tail_s']}",
    ]


PARTS = (of_the_course, of_questions, of_scenarios, of_the_lesson, of_the_recording)
SENTENCES = [sentence for part in PARTS for sentence in part()]
LEFT_OVER = re.compile(r"\d[\d.,]* ?(?:ms|µs|s|%|[GM]B(?:/s)?|MiB)(?!\w)|\d+\.\d+")


def test_what_is_said_in_other_words_is_what_the_model_gives(teaching):
    prose = teaching.prose
    assert [sentence for sentence in SENTENCES if sentence not in prose] == []


def test_no_number_is_left_over(teaching):
    """Every one is in a sentence of these, in a sum, or named behind a state."""
    rest = list(teaching.prose)
    for spot, state in teaching.spots:
        if not (spot["name"] and state == teaching.of_a_recording):
            rest[spot.start() : spot.end()] = " " * len(spot[0])
    for sentence in SENTENCES:
        at = teaching.prose.find(sentence)
        rest[at : at + len(sentence)] = " " * len(sentence)
    lines = "".join(rest).splitlines()
    assert [line for line in map(LEFT_OVER.findall, lines) if line] == []
