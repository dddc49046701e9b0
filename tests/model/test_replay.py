"""A measured pass as layers: what it keeps of the recording, and when there is none.

    seconds     0   1   2   3   4   5   6   7   8   9  10  11  12  13  14
    compute     [    c     ][  b   ][  a   ]
    transfers               [ 30 bytes    ][ 10  ][      50 bytes       ]
    ready                   c       b       a

The link moves 10 bytes a second after half a second of overhead.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import (
    Collective,
    Effects,
    Group,
    Layer,
    Link,
    Phase,
    best_of,
    simulate,
)
from overlap_widget.model import replay as under_test
from overlap_widget.model.link_fit import LinkFit, Refused, fitted_link
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.replay import MOST_TRANSFERS

LINK = Link(overhead_s=0.5, bandwidth_bytes_per_s=10)
LAYERS = (Layer("c", 3, 30), Layer("b", 2, 10), Layer("a", 2, 50))
RUN = simulate(LAYERS, (1, 1, 1), LINK)


def measured_pass(recording, device, step):
    return under_test.measured_pass(measured_file(recording), device, step)


def replayed(recording, device, step, fit):
    return under_test.replayed(measured_file(recording), device, step, fit)


def fit_of(link):
    return LinkFit(link, 0.0, 0.0, None, 3, 10, 50)


@pytest.fixture
def run(recorded):
    return recorded(RUN)


def changed(recording, **columns):
    return replace(recording, spans=replace(recording.spans, **columns))


# --- By hand -------------------------------------------------------------------------


def test_a_pass_worked_by_hand(run):
    found = measured_pass(run, 0, 0)
    assert found.backward_s == 7
    assert found.start_s == (3, 6.5, 8)
    assert found.end_s == (6.5, 8, 13.5)
    assert found.tail_s == 6.5
    assert found.plan == (16, 5, 27)  # of 48 pieces, by their bytes
    first, last = found.layers[0], found.layers[-1]
    assert (first.name, first.backward_s) == ("part 1.1", 3 / 16)
    assert (last.name, last.backward_s) == ("part 3.27", pytest.approx(2 / 27))


def test_its_replay_ends_with_it(run):
    replay = replayed(run, 0, 0, fit_of(LINK))
    assert replay.simulation.tail.total_s == pytest.approx(6.5, abs=1e-12)
    assert replay.error_s == pytest.approx(0, abs=1e-12)
    assert replay.best == best_of(replay.measured.layers, LINK)
    assert replay.best.plan_tail_s < replay.best.tail_s < 6.5


def test_a_slower_link_ends_later_and_that_is_the_error(run):
    # 30, 10 and 50 bytes at 9.6 a second: 3.625, 1.542 and 5.708 s from 3 s on.
    replay = replayed(run, 0, 0, fit_of(Link(0.5, 9.6)))
    assert replay.error_s == pytest.approx(3 + 1.5 + 90 / 9.6 - 13.5, abs=1e-12)


def test_a_bucket_that_waits_without_a_launch_was_ready_in_between(recorded):
    # The second one starts as the first ends, and its 10 bytes were made after the 30
    # of the first, which was ready at 3 s, and before the 50 of the last, at 7 s.
    found = measured_pass(recorded(RUN, tells_ready=False), 0, 0)
    made_s = np.cumsum([layer.backward_s for layer in found.layers])
    assert made_s[15] == pytest.approx(3)
    assert made_s[20] == pytest.approx(3 + 4 * 10 / 60)
    assert made_s[-1] == pytest.approx(7)


def test_the_last_bucket_is_made_by_the_end_of_the_pass(run):
    # Told is 5 s, and 6.5 s of the second one, which started then: nothing is known.
    ready_s = run.spans.ready_s.copy()
    ready_s[-2:] = 6.5, 5
    found = measured_pass(changed(run, ready_s=ready_s), 0, 0)
    made_s = np.cumsum([layer.backward_s for layer in found.layers])
    assert made_s[20] == pytest.approx(3 + 4 * 10 / 60)
    assert made_s[-1] == pytest.approx(7)


@pytest.mark.parametrize("plan", [(1, 1, 1), (2, 1), (3,)])
def test_what_other_ranks_were_late_is_in_the_replay(recorded, plan):
    # Each bucket is ready 1.5 s later elsewhere. Here a transfer begins once its bucket
    # is ready and the one before it has ended, and waits for the others.
    late = simulate(LAYERS, plan, LINK, Effects(late_s=1.5))
    free_s = np.r_[0, [one.end_s for one in late.transfers[:-1]]]
    begun_s = np.maximum([one.ready_s for one in late.transfers], free_s)
    waits_s = np.array([one.start_s for one in late.transfers]) - begun_s
    here = recorded(late)
    here = changed(here, start_s=np.r_[here.spans.start_s[:3], begun_s])
    file = measured_file(here)
    found = under_test.replayed(file, 0, 0, fit_of(LINK), waits_s)
    assert found.measured.late_s == pytest.approx(1.5)
    assert found.error_s == pytest.approx(0, abs=1e-9)
    unknown = under_test.measured_pass(file, 0, 0, waits_s * np.nan)
    assert unknown.late_s == under_test.measured_pass(file, 0, 0).late_s == 0


def test_of_several_that_waited_the_last_tells_how_late_the_others_are(run):
    # Ready at 3 and 7 s, begun at 3 and 8 s, and everywhere at 4 and 8.5 s.
    waits_s = np.array([1, 0, 0.5])
    found = under_test.measured_pass(measured_file(run), 0, 0, waits_s)
    assert found.late_s == 1.5


def test_no_bucket_is_ready_after_it_started(recorded):
    # Made evenly, 30 of 90 bytes take until 2.33 s; but the first one starts at 1 s.
    layers = (Layer("c", 1, 30), Layer("b", 1, 30), Layer("a", 5, 30))
    found = measured_pass(recorded(simulate(layers, (1, 1, 1), LINK)), 0, 0)
    made_s = np.cumsum([layer.backward_s for layer in found.layers])
    assert made_s[[15, 31, 47]].tolist() == pytest.approx([1, 2, 7])


def test_a_gap_of_compute_belongs_to_the_pass(run):
    # The GPU waits for the CPU in the middle; the pass is as long as it was.
    ends_s = np.where(run.spans.end_s == 5, 4.25, run.spans.end_s)
    assert measured_pass(changed(run, end_s=ends_s), 0, 0).backward_s == 7


def test_each_step_and_device_has_its_own_pass(recorded):
    shorter = simulate(LAYERS[1:], (1, 1), LINK)
    both = recorded(RUN, shorter)
    assert [measured_pass(both, 0, at).backward_s for at in (0, 1)] == [7, 4]
    on_another = replace(both, device=both.step)
    assert measured_pass(on_another, 1, 1).backward_s == 4
    assert isinstance(measured_pass(on_another, 1, 0), Refused)


# --- Laws ----------------------------------------------------------------------------


@st.composite
def steps(draw):
    """Any layers with gradients of whole bytes, a plan and a link."""
    layers = draw(
        st.lists(
            st.builds(
                Layer,
                st.just("one"),
                st.floats(1e-3, 1),
                st.integers(1, 10**9).map(float),
            ),
            min_size=1,
            max_size=12,
        )
    )
    ends = draw(st.sets(st.integers(1, len(layers)))) | {len(layers)}
    plan = tuple(np.diff([0, *sorted(ends)]).tolist())
    link = Link(draw(st.floats(1e-3, 1)), draw(st.floats(1e6, 1e12)))
    return simulate(layers, plan, link)


@given(step=steps())
def test_bytes_and_the_length_of_the_pass_stay(recorded, step):
    found = measured_pass(recorded(step), 0, 0)
    sizes = [layer.gradient_bytes for layer in found.layers]
    ends = np.cumsum(found.plan)
    buckets = [part.sum() for part in np.split(np.array(sizes), ends[:-1])]
    sent = [one.size_bytes for one in step.transfers]
    kept = [size for size in sent if size >= 1e-3 * max(sent)]
    assert buckets == kept
    assert found.backward_s == pytest.approx(step.backward_s, rel=1e-12)
    total_s = sum(layer.backward_s for layer in found.layers)
    assert total_s == pytest.approx(found.backward_s, rel=1e-12)


@given(step=steps())
def test_a_simulated_step_is_replayed_to_its_own_transfers(recorded, step):
    sent = [one.size_bytes for one in step.transfers]
    if min(sent) < 1e-3 * max(sent):  # one of them counts as no bucket
        return
    replay = replayed(recorded(step), 0, 0, fit_of(step.link))
    scale_s = step.step_s
    assert replay.error_s == pytest.approx(0, abs=1e-9 * scale_s)
    for old, new in zip(step.transfers, replay.simulation.transfers, strict=True):
        assert new.size_bytes == old.size_bytes
        assert new.start_s == pytest.approx(old.start_s, abs=1e-9 * scale_s)
        assert new.end_s == pytest.approx(old.end_s, abs=1e-9 * scale_s)


@given(step=steps(), more=st.floats(1.0, 3.0))
def test_no_size_of_buckets_beats_the_best_plan(recorded, step, more):
    link = step.link.scaled(wire=more)
    found = measured_pass(recorded(step), 0, 0)
    best = best_of(found.layers, link)
    replay = simulate(found.layers, found.plan, link)
    assert best.plan_tail_s <= replay.tail.total_s * (1 + 1e-9)


def test_the_link_of_a_simulated_run_is_found_again(recorded):
    run = recorded(RUN, RUN)
    fit = fitted_link([measured_file(run)])
    assert fit.link.overhead_s == pytest.approx(0.5, rel=1e-9)
    assert fit.link.bandwidth_bytes_per_s == pytest.approx(10, rel=1e-9)
    assert replayed(run, 0, 1, fit).error_s == pytest.approx(0, abs=1e-8)


# --- What belongs to the pass --------------------------------------------------------


def test_what_ran_before_the_pass_is_not_of_it(run):
    # The compute of the first second is of the forward pass: the pass is 1 s shorter.
    spans = run.spans
    split = {
        name: np.r_[column[:1], column]
        for name, column in (
            ("start_s", spans.start_s),
            ("end_s", spans.end_s),
            ("ready_s", spans.ready_s),
        )
    }
    split["end_s"][0] = split["start_s"][1] = split["ready_s"][1] = 1.0
    again = [0, *range(len(spans))]
    columns = {
        name: getattr(spans, name)[again]
        for name in ("kind", "collective", "size_bytes", "stream", "name")
    }
    phase = run.phase[again].copy()
    phase[0] = Phase.FORWARD
    earlier = replace(
        run,
        spans=replace(spans, **split, **columns),
        phase=phase,
        **{
            name: getattr(run, name)[again]
            for name in ("device", "step", "group", "loaded_kind")
        },
    )
    found = measured_pass(earlier, 0, 0)
    assert found.backward_s == 6
    assert found.start_s == (2, 5.5, 7)


def test_what_is_sent_before_the_pass_is_not_of_it(run):
    # Only the last layer is of the pass, from 5 s on; the first transfer began at 3.
    phase = run.phase.copy()
    phase[:2] = Phase.FORWARD
    found = measured_pass(replace(run, phase=phase), 0, 0)
    assert (found.backward_s, found.start_s) == (2, (1.5, 3))


def test_devices_of_one_step_have_their_own_transfers(recorded):
    both = recorded(RUN, RUN)
    divided = replace(both, device=both.step, step=both.step * 0, steps=both.steps[:1])
    for device in (0, 1):
        assert measured_pass(divided, device, 0).start_s == (3, 6.5, 8)


def test_only_the_sums_of_gradients_are_replayed(run):
    gathers = run.spans.collective.copy()
    gathers[-2] = Collective.ALL_GATHER
    found = measured_pass(changed(run, collective=gathers), 0, 0)
    assert found.start_s == (3, 8)


def test_activations_of_a_split_model_are_no_gradients(run):
    groups = (Group("3", "TENSOR_MODEL_PARALLEL_GROUP"), Group("0", "DATA_PARALLEL"))
    group = np.array([-1, -1, -1, 1, 1, 0], dtype=np.int32)
    found = measured_pass(replace(run, groups=groups, group=group), 0, 0)
    assert found.end_s == (6.5, 8)  # though the last one is the largest


# --- Refused -------------------------------------------------------------------------


def refusal(recording, fit=None, step=0):
    found = replayed(recording, 0, step, fit or fit_of(LINK))
    assert isinstance(found, Refused)
    return found.reason


def test_without_marks_of_the_backward_pass_there_is_no_pass(run):
    unmarked = replace(run, phase=np.zeros_like(run.phase))
    assert "which kernels of this step are of its one backward" in refusal(unmarked)


def test_several_steps_that_are_not_marked_are_no_pass(recorded):
    # Without marks both are one step; the update of the first comes between them.
    both = recorded(RUN, RUN)
    phase = both.phase.copy()
    phase[2] = Phase.OPTIMIZER
    together = replace(both, step=both.step * 0, steps=both.steps[:1], phase=phase)
    assert "of its one backward pass" in refusal(together)
    alone = replace(together, step=both.step, steps=both.steps)
    assert isinstance(replayed(alone, 0, 1, fit_of(LINK)), under_test.Replay)


def test_without_sizes_there_are_no_gradients(run):
    unsized = changed(run, size_bytes=run.spans.size_bytes * np.nan)
    assert refusal(unsized) == "no gradients of known size are sent in this step"


def test_a_step_that_sends_nothing_has_nothing_to_replay(recorded):
    silent = recorded(RUN, RUN)
    collective = silent.spans.collective.copy()
    collective[silent.step == 1] = Collective.BROADCAST
    assert "no gradients of known size" in refusal(
        changed(silent, collective=collective), step=1
    )


def test_a_replay_that_is_far_off_is_refused_with_its_error(run):
    # 7 s of pass, and 18 instead of 9 s of wire: 9 s too late.
    reason = refusal(run, fit_of(Link(0.5, 5)))
    assert "ends 129 % of the pass too late" in reason
    assert "more than 10 % would mislead" in reason
    reason = refusal(run, fit_of(Link(0.5, 100)))
    assert "of the pass too soon" in reason


def test_too_many_transfers_are_counted(recorded):
    layers = tuple(Layer("one", 1, 10) for _ in range(MOST_TRANSFERS + 1))
    many = recorded(simulate(layers, (1,) * len(layers), LINK))
    assert "in 1,001 transfers, and a replay takes up to 1,000" in refusal(many)
