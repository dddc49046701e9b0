"""The effects: slowed compute, a late rank, micro-steps, no overlap.

By hand first, then against a twin that goes in exact fractions from each moment at
which anything changes to the next.
"""

import math
from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model import Effects, Layer, Link, break_down, simulate, timeline_of

LINK = Link(overhead_s=1, bandwidth_bytes_per_s=2)
LAYERS = (
    Layer("d", backward_s=3, gradient_bytes=2),
    Layer("c", backward_s=1, gradient_bytes=6),
    Layer("b", backward_s=4, gradient_bytes=4),
    Layer("a", backward_s=2, gradient_bytes=10),
)
PAIR = (Layer("b", 1, 2), Layer("a", 2, 4))


def moments(simulation):
    """Ready, started and ended, for each transfer."""
    return [(one.ready_s, one.start_s, one.end_s) for one in simulation.transfers]


def split(simulation):
    tail = simulation.tail
    return tail.late_s, tail.queued_s, tail.overhead_s, tail.wire_s


# --- Slowed compute ----------------------------------------------------------------


def test_a_layer_goes_on_at_a_slower_pace_only_while_a_transfer_runs():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
    # compute  [ c  ][       b        ][a ]|
    # link           [  1 c  ]         [2 b ][   3 a    ]
    # Beside a transfer, 2 of work take 3: b has 2 done when c's ends, and 3 left.
    layers = [Layer("c", 2, 4), Layer("b", 5, 2), Layer("a", 1, 6)]
    step = simulate(layers, (1, 1, 1), LINK, Effects(slowdown=0.5))
    assert step.done_s == (0, 2, 8, 9.5)
    assert moments(step) == [(2, 2, 5), (8, 8, 10), (9.5, 10, 14)]
    assert split(step) == (0, 0.5, 1, 3)
    assert (step.backward_s, step.step_s) == (9.5, 14)
    assert step.slowed_s == 1.5


def test_a_layer_slows_beside_two_transfers_and_not_in_the_gap_between_them():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23
    # compute  [ d  ][   c   ][         b         ][    a     ]|
    # late           ------   ------               ------      ------
    # link                 [1 d ]   [  2 c  ]            [3 b ]      [   4 a    ]
    # Beside a transfer, work takes twice as long: b is 1 s beside d's, 1 s in the gap,
    # 3 s beside c's and 2 s after it: 0.5 + 1 + 1.5 + 2 = 5.
    layers = [Layer("d", 2, 2), Layer("c", 2.5, 4), Layer("b", 5, 2), Layer("a", 3, 6)]
    step = simulate(layers, (1, 1, 1, 1), LINK, Effects(slowdown=1, late_s=2))
    assert step.done_s == (0, 2, 5, 12, 16)
    assert moments(step) == [(2, 4, 6), (5, 7, 10), (12, 14, 16), (16, 18, 22)]
    assert split(step) == (2, 0, 1, 3)
    assert step.slowed_s == 3.5


def test_layers_of_one_bucket_slow_each_for_its_own_time_beside_a_transfer():
    # seconds  0  1  2  3  4  5  6  7  8  9  10
    # compute  [c][b][   a    ]|
    # link        [  1 c  ]    [  2 b a   ]
    layers = [Layer("c", 1, 4), Layer("b", 0.5, 1), Layer("a", 2.5, 5)]
    step = simulate(layers, (1, 2), LINK, Effects(slowdown=1))
    assert step.done_s == (0, 1, 2, 5.5)
    assert moments(step) == [(1, 1, 4), (5.5, 5.5, 9.5)]
    assert step.slowed_s == 1.5


def test_compute_is_slowed_by_a_transfer_of_the_pass_before():
    # seconds  0  1  2  3  4  5  6  7  8  9
    # compute  [ a  ][   a   ]|
    # link           [  1 a  ][  2 a  ]
    step = simulate(
        [Layer("a", 2, 4)],
        (1,),
        LINK,
        Effects(slowdown=0.5, micro_steps=2, every_micro_step=True),
    )
    assert step.done_s == (0, 2, 5)
    assert moments(step) == [(2, 2, 5), (5, 5, 8)]
    assert (step.slowed_s, step.hideable_s) == (1, 6)  # 4 s at half as long again


def test_without_a_transfer_beside_it_compute_takes_its_time_to_the_last_bit():
    layers = [Layer(str(number), 0.1 * number, 1e9) for number in range(1, 8)]
    step = simulate(layers, (7,), LINK, Effects(slowdown=0.7))
    assert step.done_s == simulate(layers, (7,), LINK).done_s
    assert step.slowed_s == 0


def test_the_picture_shows_the_slowed_layers_as_they_ran():
    layers = [Layer("c", 2, 4), Layer("b", 5, 2), Layer("a", 1, 6)]
    step = simulate(layers, (1, 1, 1), LINK, Effects(slowdown=0.5))
    spans = timeline_of(step)
    assert spans.end_s.tolist() == [2, 8, 9.5, 5, 10, 14]
    breakdown = break_down(spans)
    assert (breakdown.compute_s, breakdown.tail_s) == (9.5, 4.5)
    assert breakdown.hidden_s == 3 + 1.5


# --- A late rank -------------------------------------------------------------------


def test_a_late_rank_holds_up_every_transfer_and_is_a_part_of_the_tail():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18 19 20 21
    # compute  [   d   ][c][    b     ][ a  ]|
    # late              -----------    --------------
    # link                     [1 d ][   2 c    ][  3 b   ][      4 a       ]
    # Without it the tail is 8 s: queued 2, overhead 1, wire 5.
    step = simulate(LAYERS, (1, 1, 1, 1), LINK, Effects(late_s=2.5))
    assert moments(step) == [
        (3, 5.5, 7.5),
        (4, 7.5, 11.5),
        (8, 11.5, 14.5),
        (10, 14.5, 20.5),
    ]
    assert split(step) == (2.5, 2, 1, 5)
    assert step.tail.total_s == 8 + 2.5
    assert step.backward_s == 10


def test_waiting_for_a_late_rank_is_not_waiting_for_the_link():
    # The link is free from 9 on; only the late rank keeps the last bucket.
    step = simulate(LAYERS, (2, 2), LINK, Effects(late_s=0.5))
    assert moments(step) == [(4, 4.5, 9.5), (10, 10.5, 18.5)]
    assert split(step) == (0.5, 0, 1, 7)
    assert step.most_waiting == 0


def test_a_late_rank_lets_buckets_gather_only_behind_a_busy_link():
    # late 2.5: d, c, b and a are everywhere at 5.5, 6.5, 10.5 and 12.5.
    step = simulate(LAYERS, (1, 1, 1, 1), LINK, Effects(late_s=2.5))
    assert step.most_waiting == 1


# --- Micro-steps -------------------------------------------------------------------


def test_of_three_micro_steps_only_the_last_communicates():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13
    # compute  [b][ a  ][b][ a  ][b][ a  ]|
    # link                          [1 b ][  2 a  ]
    step = simulate(PAIR, (1, 1), LINK, Effects(micro_steps=3))
    assert step.done_s == (0, 1, 3, 4, 6, 7, 9)
    assert moments(step) == [(7, 7, 9), (9, 9, 12)]
    assert split(step) == (0, 0, 1, 2)
    assert step.total_bytes == 6
    assert step.hideable_s == 3  # two passes have nothing to send
    assert step.hidden_s == 2


def test_of_three_micro_steps_all_communicate():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17
    # compute  [b][ a  ][b][ a  ][b][ a  ]|
    # link        [1 b ][  2 a  ][3 b ][  4 a  ][5 b ][  6 a  ]
    step = simulate(PAIR, (1, 1), LINK, Effects(micro_steps=3, every_micro_step=True))
    assert moments(step) == [
        (1, 1, 3),
        (3, 3, 6),
        (4, 6, 8),
        (6, 8, 11),
        (7, 11, 13),
        (9, 13, 16),
    ]
    assert split(step) == (0, 4, 1, 2)
    assert step.total_bytes == 18
    assert step.hideable_s == 9
    assert [one.layers for one in step.transfers] == [("b",), ("a",)] * 3


# --- Overlap off -------------------------------------------------------------------


def test_without_overlap_all_transfers_follow_the_pass():
    # seconds  ...7  8  9  10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25
    # compute  ... b][ a  ]|
    # link                 [1 d ][   2 c    ][  3 b  ][      4 a       ]
    step = simulate(LAYERS, (1, 1, 1, 1), LINK, Effects(overlap=False))
    assert moments(step) == [(10, 10, 12), (10, 12, 16), (10, 16, 19), (10, 19, 25)]
    assert split(step) == (0, 9, 1, 5)
    assert step.hidden_s == 0


def test_without_overlap_transfers_of_all_micro_steps_follow_the_last_pass():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 16 17 18
    # compute  [b][ a  ][b][ a  ]|
    # late                       ---
    # link                          [1 b ][  2 a  ][3 b ][  4 a  ]
    effects = Effects(overlap=False, late_s=1, micro_steps=2, every_micro_step=True)
    step = simulate(PAIR, (1, 1), LINK, effects)
    assert moments(step) == [(6, 7, 9), (6, 9, 12), (6, 12, 14), (6, 14, 17)]
    assert split(step) == (1, 7, 1, 2)


def test_without_overlap_nothing_slows_compute():
    plain = simulate(LAYERS, (2, 2), LINK, Effects(overlap=False))
    slowed = simulate(LAYERS, (2, 2), LINK, Effects(overlap=False, slowdown=4))
    assert slowed.done_s == plain.done_s
    assert moments(slowed) == moments(plain)


# --- All at once -------------------------------------------------------------------


def test_a_late_rank_slowed_compute_and_micro_steps_together():
    # seconds  0  1  2  3  4  5  6  7  8  9  10 11 12 13 14
    # compute  [b][   a   ][b][    a     ]|
    # late        ---      ------         ---
    # link           [1 b ]   [  2 a  ][3 b ][  4 a  ]
    # Work beside a transfer takes twice as long: the first a is 1 s alone and then 2 s
    # for 1 s of work, the second 3 s for 1.5 and 1 s for 0.5. The second b ends as the
    # link starts on a; it is everywhere at 6, and the link is free at 8.
    effects = Effects(slowdown=1, late_s=1, micro_steps=2, every_micro_step=True)
    step = simulate(PAIR, (1, 1), LINK, effects)
    assert step.done_s == (0, 1, 4, 5, 9)
    assert moments(step) == [(1, 2, 4), (4, 5, 8), (5, 8, 10), (9, 10, 13)]
    assert split(step) == (1, 0, 1, 2)


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"slowdown": -0.1}, "a share from 0 to 10"),
        ({"slowdown": 10.1}, "a share from 0 to 10"),
        ({"slowdown": math.nan}, "a share from 0 to 10"),
        ({"late_s": -1}, "finite and not negative"),
        ({"late_s": math.inf}, "finite and not negative"),
        ({"late_s": math.nan}, "finite and not negative"),
        ({"micro_steps": 0}, "1 to 64 micro-steps"),
        ({"micro_steps": 65}, "1 to 64 micro-steps"),
        ({"micro_steps": 2.5}, "1 to 64 micro-steps"),
    ],
)
def test_an_effect_without_meaning_is_refused(wrong, match):
    with pytest.raises(ValueError, match=match):
        Effects(**wrong)


@pytest.mark.parametrize(
    ("effects", "separable"),
    [
        (Effects(), True),
        (Effects(late_s=3, micro_steps=4), True),
        (Effects(slowdown=0.1), False),
        (Effects(slowdown=0.1, overlap=False), True),
        (Effects(micro_steps=2, every_micro_step=True), False),
        (Effects(micro_steps=2, every_micro_step=True, overlap=False), True),
        (Effects(micro_steps=1, every_micro_step=True), True),
    ],
)
def test_the_search_for_the_best_plan_is_exact_while_passes_do_not_feel_it(
    effects, separable
):
    assert effects.is_separable is separable


# --- The slow twin -----------------------------------------------------------------


class Twin:
    """The step in exact fractions, from each moment of change to the next.

    done:      when each layer of all passes was done
    transfers: [ready, start, end] of each
    """

    def __init__(self, layers, plan, link, effects):
        self.link, self.effects = link, effects
        self.work = deque(
            Fraction(layer.backward_s) for layer in layers * effects.micro_steps
        )
        self.closes = self.buckets(layers, plan)
        self.now = Fraction(0)
        self.done, self.transfers = [], []
        self.closed, self.waiting = [], deque()
        self.busy_until = None
        while self.work or self.waiting or self.busy_until is not None:
            self.settle()
            self.advance()

    def buckets(self, layers, plan):
        """How many layers are done when a bucket is full, and its bytes."""
        effects = self.effects
        silent = effects.micro_steps - effects.sending_passes
        done, closes = silent * len(layers), {}
        for count in plan * effects.sending_passes:
            first = done % len(layers)
            size = sum(one.gradient_bytes for one in layers[first : first + count])
            done += count
            closes[done] = Fraction(size)
        return closes

    def settle(self):
        """All that happens at this moment, until nothing more does."""
        while self.ends_transfer() or self.ends_layer() or self.starts_transfer():
            pass

    def ends_transfer(self):
        is_over = self.busy_until == self.now
        if is_over:
            self.busy_until = None
        return is_over

    def ends_layer(self):
        if not self.work or self.work[0] > 0:
            return False
        self.work.popleft()
        self.done.append(self.now)
        if len(self.done) in self.closes:
            self.closed.append(self.closes[len(self.done)])
        if self.effects.overlap or not self.work:
            self.waiting.extend((self.now, size) for size in self.closed)
            self.closed = []
        return True

    def everywhere(self):
        return self.waiting[0][0] + Fraction(self.effects.late_s)

    def starts_transfer(self):
        is_free = self.busy_until is None
        if not (self.waiting and is_free and self.everywhere() <= self.now):
            return False
        ready, size = self.waiting.popleft()
        cost = Fraction(self.link.overhead_s) + size / Fraction(
            self.link.bandwidth_bytes_per_s
        )
        self.busy_until = self.now + cost
        self.transfers.append([ready, self.now, self.busy_until])
        return True

    def advance(self):
        """To the next moment at which a layer or a transfer starts or ends."""
        is_busy = self.busy_until is not None
        slower = 1 + Fraction(self.effects.slowdown) if is_busy else Fraction(1)
        coming = []
        if self.work:
            coming.append(self.now + self.work[0] * slower)
        if is_busy:
            coming.append(self.busy_until)
        elif self.waiting:
            coming.append(self.everywhere())
        if not coming:
            return
        if self.work:
            self.work[0] -= (min(coming) - self.now) / slower
        self.now = min(coming)


@st.composite
def steps(draw):
    whole = st.integers(0, 6)
    pairs = draw(st.lists(st.tuples(whole, whole), min_size=1, max_size=6))
    layers = tuple(Layer(str(k), s, size) for k, (s, size) in enumerate(pairs))
    ends = draw(st.sets(st.integers(1, len(pairs)))) | {len(pairs)}
    plan = tuple(
        end - start
        for start, end in zip([0, *sorted(ends)], sorted(ends), strict=False)
    )
    link = Link(draw(st.integers(0, 4)), draw(st.sampled_from([1, 2, 3])))
    effects = Effects(
        overlap=draw(st.sampled_from([True, True, False])),
        slowdown=draw(st.sampled_from([0, 0.25, 1, 3, 10])),
        late_s=draw(st.sampled_from([0, 0, 0.5, 1, 7])),
        micro_steps=draw(st.integers(1, 3)),
        every_micro_step=draw(st.booleans()),
    )
    return layers, plan, link, effects


@settings(max_examples=400)
@given(steps())
def test_a_step_is_what_going_from_change_to_change_gives(case):
    step, twin = simulate(*case), Twin(*case)
    exactly = {"rel": 1e-12, "abs": 1e-12}
    assert step.done_s[1:] == pytest.approx([float(at) for at in twin.done], **exactly)
    expected = [tuple(map(float, transfer)) for transfer in twin.transfers]
    assert len(step.transfers) == len(expected)
    for found, wanted in zip(moments(step), expected, strict=True):
        assert found == pytest.approx(wanted, **exactly)


@given(steps())
def test_the_timeline_shows_the_tail_less_the_time_in_which_the_link_is_idle(case):
    step = simulate(*case)
    breakdown = break_down(timeline_of(step))
    assert breakdown.hidden_s == pytest.approx(step.hidden_s, abs=1e-11)
    assert breakdown.tail_s <= step.tail.total_s + 1e-11
    if step.effects.late_s == 0:
        assert breakdown.tail_s == pytest.approx(step.tail.total_s, abs=1e-11)
