"""What is remarked of a step: that it was cut off, is odd, or is the first one."""

from overlap_widget.model.recording import Step
from overlap_widget.model.step_remarks import Remark, remarks


def remarked(*spans_s, cut=()):
    steps = [Step(str(at), at not in cut) for at in range(len(spans_s))]
    return [remark.value for remark in remarks(steps, spans_s)]


def test_steps_far_from_the_middle_one_are_odd_and_the_first_may_have_warmed_up():
    assert remarked(10, 10, 12.6, 10, 7.9, 12.4) == [
        "first",
        "none",
        "long",
        "none",
        "short",
        "none",
    ]


def test_a_step_that_was_cut_off_says_only_that_and_sets_no_measure():
    # of the whole ones, 4 is in the middle, and 10 is far longer
    assert remarked(99, 4, 4, 10, 1, cut=(0, 4)) == [
        "cut",
        "none",
        "none",
        "long",
        "cut",
    ]


def test_an_odd_first_step_is_odd_and_one_alone_is_nothing():
    assert remarked(30, 10, 10) == ["long", "none", "none"]
    assert remarked(30) == ["none"]
    assert remarked() == []
    assert remarked(5, 6, cut=(0, 1)) == [Remark.CUT, Remark.CUT]
