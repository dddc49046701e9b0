"""The lesson: where its steps start and end, and each claim it makes, by the model."""

from dataclasses import replace

import pytest

from overlap_widget.app.address import address, read_address
from overlap_widget.app.changes import change
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lesson import PRESETS, QUESTIONS, STEP_NAMES, STEPS
from overlap_widget.app.settings import DEFAULT, simulation_of
from overlap_widget.app.sweep_view import sweep_of
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


def test_overlap_one_bucket_hides_nothing_and_three_layers_reach_the_goal():
    settings = begun("overlap")
    simulation = simulation_of(settings)

    assert simulation.hidden_s == 0
    assert simulation.tail.total_s == pytest.approx(41 * MS)
    reached = [tail < 12 for tail in tails_ms(settings)]
    assert reached == [True, True, True] + [False] * 9


def test_floor_the_tail_is_the_last_buckets_transfer_not_a_full_ones():
    settings = begun("floor")
    first, last = simulation_of(settings).transfers

    assert last.end_s - last.start_s == pytest.approx((1 + 5 * 40 / 12) * MS)
    length_s = pytest.approx(last.end_s - last.start_s)
    assert simulation_of(settings).tail.total_s == length_s
    assert first.end_s - first.start_s == pytest.approx((1 + 7 * 40 / 12) * MS)
    sizes = sweep_of(settings).sizes
    done = [one.tail.queued_s == 0 and one.tail.total_s < 8 * MS for one in sizes]
    assert [
        one.bucket for one, is_done in zip(sizes, done, strict=True) if is_done
    ] == [
        1,
        2,
    ]


def test_floor_holds_for_every_bucket_size_of_the_course():
    for one in sweep_of(begun("floor")).sizes:
        assert one.tail.total_s >= one.tail.overhead_s + one.tail.wire_s


def test_balance_the_smallest_bucket_isnt_the_best_one():
    settings = begun("balance")
    tails = tails_ms(settings)

    assert regime(simulation_of(settings)) is Regime.OVERHEAD
    assert tails[:3] == pytest.approx([21, 3 + 80 / 12, 13])
    assert sweep_of(settings).best.bucket == 2


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
    assert simulation_of(faster).tail.total_s < 6 * MS


def test_measured_smaller_buckets_more_than_halve_the_estimated_tail():
    explorer = Explorer(query="lesson=measured")
    assert explorer.settings.mode == "measured"
    explorer.move({"type": "try"})

    assert explorer.settings.lesson == "measured"
    ghost = explorer.settings.scenario.ghost
    assert simulation_of(explorer.settings).tail.total_s > 0.9 * ghost.tail_s
    one, *_ = tails_ms(replace(explorer.settings, plan="layers"))
    assert one * MS < 0.5 * ghost.tail_s
