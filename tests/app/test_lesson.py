"""The lesson: where its steps start and end, and each claim it makes, by the model."""

import re
from dataclasses import replace

import pytest

from overlap_widget.app.address import address, read_address
from overlap_widget.app.changes import change
from overlap_widget.app.controls import OVERHEAD
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lesson import PRESETS, QUESTIONS, STEP_NAMES, STEPS
from overlap_widget.app.settings import DEFAULT, simulation_of
from overlap_widget.app.sweep_view import sweep_of
from overlap_widget.app.words import strings
from overlap_widget.model.effects import Effects
from overlap_widget.model.explain import Lever, explain
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.units import MS


def begun(name):
    return read_address(f"lesson={name}")[0]


def tails_ms(settings):
    return [one.tail.total_s / MS for one in sweep_of(settings).sizes]


@pytest.mark.parametrize("step", STEPS, ids=STEP_NAMES)
def test_a_step_is_a_link_that_starts_it_covered(step):
    settings, notices = read_address(f"lesson={step.name}")

    assert notices == ()
    assert settings.predict in QUESTIONS
    assert read_address(address(settings)) == (settings, ())


@pytest.mark.parametrize("at", range(len(STEPS)))
def test_a_step_has_a_number_too(at):
    assert read_address(f"lesson={at + 1}") == read_address(f"lesson={STEP_NAMES[at]}")


def test_a_whole_address_of_a_step_keeps_what_the_learner_did_in_it():
    settings = replace(begun("floor"), predict="off", bucket=2)

    assert read_address(address(settings))[0] == settings


def test_a_step_keeps_the_look_of_the_page():
    look = {"theme": "dark", "lang": "es", "projector": "on", "show": "lanes"}
    moved = replace(DEFAULT, **look, plan="ddp", axis="overhead")

    settings, _ = change(moved, "lesson", "queue")
    assert settings == replace(begun("queue"), **look)


def test_leaving_the_lesson_keeps_the_settings_and_covers_nothing():
    settings, _ = change(begun("queue"), "lesson", "off")

    assert settings == replace(begun("queue"), lesson="off", predict="off")


def test_reset_starts_the_step_again():
    explorer = Explorer(query="lesson=queue")
    explorer.move({"type": "set", "key": "predict", "value": "off"})
    explorer.move({"type": "set", "key": "bucket", "value": 5})
    explorer.move({"type": "reset"})

    assert explorer.settings == begun("queue")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_leaves_the_lesson_and_keeps_the_question(name):
    explorer = Explorer(query="lesson=queue&theme=dark")
    explorer.move({"type": "preset", "value": name})

    assert explorer.settings.lesson == "off"
    assert explorer.settings.predict == "tail"
    assert explorer.settings.theme == "dark"
    assert explorer.settings.bucket == PRESETS[name]["bucket"]
    assert explorer.notices == ()


def tail_ms(settings):
    return simulation_of(settings).tail.total_s / MS


def goal(name, of):
    """What a check of a step asks of a value."""
    (step,) = (one for one in STEPS if one.name == name)
    return next(check.goal for check in step.checks if check.of == of)


def test_each_number_that_a_text_has_written_into_it_is_the_models():
    usual, fast = replace(begun("overlap"), bucket=1), begun("queue")
    step_ms = simulation_of(usual).step_s / MS
    numbers = {
        "lesson.queue.text": (tail_ms(usual), usual.bandwidth_bytes_per_s / 1e9),
        "lesson.queue.point": (step_ms, step_ms / 2),
        "lesson.lever.point": (1,),  # the ratio of traffic to work
        "lesson.hint.late": (DEFAULT.effects.late_s,),
    }
    texts = {key: text for key, text in strings().items() if key[:7] == "lesson."}
    written = {key: re.findall(r"\d+(?:\.\d+)?", text) for key, text in texts.items()}

    assert {key: found for key, found in written.items() if found} == {
        key: [f"{number:.3g}" for number in found] for key, found in numbers.items()
    }
    assert "one layer a bucket" in texts["lesson.queue.text"]
    assert "twice as fast" in texts["lesson.queue.text"]
    assert simulation_of(usual).backward_s == 2 * simulation_of(fast).backward_s
    assert "below half of" in texts["lesson.measured.task"]
    assert goal("measured", "tail_s") == 0.5


def test_overlap_one_bucket_hides_nothing_and_three_layers_reach_the_goal():
    settings = begun("overlap")
    simulation = simulation_of(settings)

    assert simulation.hidden_s == 0
    assert simulation.tail.total_s == pytest.approx(41 * MS)
    reached = [tail * MS < goal("overlap", "tail_s") for tail in tails_ms(settings)]
    assert reached == [True, True, True] + [False] * 9


def test_overlap_a_fast_link_alone_doesnt_do_because_it_hides_nothing():
    fast = replace(begun("overlap"), bandwidth_bytes_per_s=100e9)

    assert simulation_of(fast).tail.total_s < goal("overlap", "tail_s")
    assert simulation_of(fast).hidden_s == goal("overlap", "hidden_s") == 0


def test_overlap_a_bucket_is_sent_when_its_last_gradient_is_there():
    settings = replace(begun("overlap"), bucket=3)
    *early, last = simulation_of(settings).transfers

    assert [one.start_s / MS for one in early] == pytest.approx([15, 30, 45])
    assert last.start_s == pytest.approx(60 * MS)  # layers 3, 2 and 1


def test_floor_the_tail_is_the_last_buckets_transfer_not_a_full_ones():
    settings = begun("floor")
    first, last = simulation_of(settings).transfers

    assert last.end_s - last.start_s == pytest.approx((1 + 5 * 40 / 12) * MS)
    length_s = pytest.approx(last.end_s - last.start_s)
    assert simulation_of(settings).tail.total_s == length_s
    assert first.end_s - first.start_s == pytest.approx((1 + 7 * 40 / 12) * MS)
    assert first.end_s < simulation_of(settings).backward_s  # "but it left earlier"
    done = [
        one.bucket
        for one in sweep_of(settings).sizes
        if one.tail.queued_s == goal("floor", "queued_s")
        and one.tail.total_s < goal("floor", "tail_s")
    ]
    assert done == [1, 2]


@pytest.mark.parametrize("name", STEP_NAMES[:-1])
def test_floor_holds_for_every_bucket_size_of_every_step(name):
    for one in sweep_of(begun(name)).sizes:
        assert one.tail.total_s >= one.tail.overhead_s + one.tail.wire_s


def test_balance_the_smallest_bucket_isnt_the_best_one():
    settings = begun("balance")
    tails = tails_ms(settings)

    assert regime(simulation_of(settings)) is Regime.OVERHEAD
    assert tails[:3] == pytest.approx([21, 3 + 80 / 12, 13])
    assert sweep_of(settings).best.bucket == 2


def test_balance_the_more_a_transfer_costs_the_larger_the_best_bucket():
    best = [
        sweep_of(replace(begun("balance"), overhead_s=overhead_s)).best.bucket
        for overhead_s in OVERHEAD.stops
    ]

    assert best == sorted(best)
    assert {1, 2, goal("balance", "best_bucket"), 4} < set(best)
    assert goal("balance", "best_bucket") == 3


def test_queue_half_the_compute_isnt_half_the_step():
    settings = begun("queue")
    usual = replace(begun("overlap"), bucket=1)

    assert simulation_of(usual).step_s == pytest.approx((60 + 1 + 40 / 12) * MS)
    assert simulation_of(settings).backward_s == pytest.approx(30 * MS)
    assert simulation_of(settings).step_s == pytest.approx(54.5 * MS)
    assert simulation_of(settings).most_waiting > 1
    assert min(tails_ms(settings)) == pytest.approx(21)  # however it is divided
    assert sweep_of(settings).best.plan_tail_s == pytest.approx(53 / 3 * MS)


def test_lever_twice_the_bandwidth_helps_most_and_no_size_hides_the_traffic():
    settings = begun("lever")
    simulation = simulation_of(settings)
    faster = replace(settings, bandwidth_bytes_per_s=24e9)

    assert explain(simulation).helps[0].lever is Lever.BANDWIDTH
    assert settings.bucket == sweep_of(settings).best.bucket
    assert simulation.traffic_exceeds_work
    assert not simulation_of(faster).traffic_exceeds_work
    assert simulation_of(faster).tail.total_s < goal("lever", "tail_s")


def test_lever_more_work_for_the_same_bytes_does_it_too():
    slower, _ = change(begun("lever"), "scenario", "course")
    slower, _ = change(slower, "bucket", 1)

    assert not simulation_of(slower).traffic_exceeds_work
    assert simulation_of(slower).tail.total_s < goal("lever", "tail_s")


def test_lever_accumulation_lowers_the_ratio_and_keeps_the_tail_of_the_last_pass():
    settings = begun("lever")
    spread = simulation_of(replace(settings, effects=Effects(micro_steps=2)))

    assert spread.traffic_to_work < 1 < simulation_of(settings).traffic_to_work
    assert spread.traffic_exceeds_work
    assert spread.tail.total_s == pytest.approx(tail_ms(settings) * MS)


HINTS = [
    # regime, settings, what the hint advises
    ("one_transfer", begun("overlap"), {"bucket": 6}),
    ("last_bucket", begun("floor"), {"bucket": 2}),
    ("overhead", begun("balance"), {"bucket": 2}),
    ("queue", replace(begun("overlap"), bucket=5), {"bucket": 4}),
    ("traffic", begun("lever"), {"bandwidth": 24e9}),
    ("traffic", begun("lever"), {"scenario": "course"}),
    (
        "late",
        replace(begun("floor"), bucket=1, effects=Effects(late_s=9e-3)),
        {"late": 0},
    ),
    (
        "overlap_off",
        replace(begun("floor"), effects=Effects(overlap=False)),
        {"overlap": "on"},
    ),
]


@pytest.mark.parametrize(("name", "settings", "advised"), HINTS)
def test_what_a_hint_advises_shortens_the_tail(name, settings, advised):
    assert regime(simulation_of(settings)).value == name
    assert f"lesson.hint.{name}" in strings()
    better = settings
    for key, value in advised.items():
        better, _ = change(better, key, value)

    assert tail_ms(better) < tail_ms(settings)


def test_measured_smaller_buckets_more_than_halve_the_estimated_tail():
    explorer = Explorer(query="lesson=measured")
    assert explorer.settings.mode == "measured"
    explorer.move({"type": "try"})

    assert explorer.settings.lesson == "measured"
    ghost = explorer.settings.scenario.ghost
    assert simulation_of(explorer.settings).tail.total_s > 0.9 * ghost.tail_s
    one, *_, all_of_it = tails_ms(replace(explorer.settings, plan="layers"))
    assert one * MS < goal("measured", "tail_s") * ghost.tail_s < all_of_it * MS
