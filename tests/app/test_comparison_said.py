"""What differs between two measured steps, in words."""

from dataclasses import replace

import pytest

from overlap_widget.app.comparison_said import comparison_said
from overlap_widget.app.said import text
from overlap_widget.app.words import strings
from overlap_widget.model.comparison import StepNumbers, compare

BEFORE = StepNumbers(
    span_s=16e-3,
    compute_s=11e-3,
    communication_s=8e-3,
    hidden_s=3e-3,
    exposed_s=5e-3,
    tail_s=5e-3,
    idle_s=0.0,
    waiting_s=0.0,
    transfers=1,
    size_bytes=800e6,
    backward_found=True,
    complete=True,
)
AFTER = replace(
    BEFORE,
    span_s=13e-3,
    compute_s=10e-3,
    hidden_s=6e-3,
    exposed_s=2e-3,
    tail_s=2e-3,
    idle_s=1e-3,
    transfers=3,
)
QUIET = replace(
    BEFORE,
    span_s=11e-3,
    communication_s=0.0,
    hidden_s=0.0,
    exposed_s=0.0,
    tail_s=0.0,
    transfers=0,
    size_bytes=0.0,
)


def said(before, after):
    return [text(one) for one in comparison_said(compare(before, after))]


def test_the_length_comes_first_with_its_reasons():
    assert said(BEFORE, AFTER) == [
        "The step is 3 ms shorter (13 ms instead of 16 ms) because 3 ms less "
        "communication is exposed and compute takes 1 ms less. Against that, the GPU "
        "is idle 1 ms more.",
        "Communication runs 8 ms before and 8 ms after; 37.5 % of it is hidden before "
        "and 75 % after.",
        "Both move 800 MB: in 1 transfer before, in 3 transfers after.",
        "No communication waits for a late rank.",
    ]


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (BEFORE, BEFORE, "Both steps are about as long: 16 ms before, 16 ms after."),
        (
            BEFORE,
            replace(AFTER, span_s=16e-3, compute_s=13e-3),
            "Both steps are about as long (16 ms before, 16 ms after) though 3 ms less "
            "communication is exposed, compute takes 2 ms more and the GPU is idle "
            "1 ms more.",
        ),
        (QUIET, QUIET, "Neither step has communication."),
        (
            QUIET,
            BEFORE,
            "Only the step after has communication: 8 ms, 37.5 % of it hidden.",
        ),
        (
            BEFORE,
            QUIET,
            "Only the step before has communication: 8 ms, 37.5 % of it hidden.",
        ),
        (
            BEFORE,
            replace(AFTER, size_bytes=None),
            "That is 1 transfer before and 3 transfers after.",
        ),
        (
            BEFORE,
            replace(AFTER, size_bytes=900e6),
            "They move different amounts: 800 MB in 1 transfer before, 900 MB in "
            "3 transfers after.",
        ),
        (
            BEFORE,
            replace(AFTER, waiting_s=1e-3),
            "Of that communication 0 ms waits for a late rank before, and 1 ms after.",
        ),
        (
            BEFORE,
            replace(AFTER, waiting_s=None),
            "Not every recording tells waiting for a late rank from moving bytes.",
        ),
    ],
)
def test_each_case_has_its_words(before, after, sentence):
    assert sentence in said(before, after)


LABELS = {
    f"compare.{name}"
    for name in (
        *("with", "with_device", "with_step", "nothing", "swap", "stop", "title"),
        *("lanes", "numbers", "before", "after"),
        *("of_step", "of_device", "of_recording"),
    )
}
"""Of the choice of a step to compare with, which are no sentences."""


def test_every_sentence_of_a_comparison_can_be_said():
    steps = [
        *(BEFORE, AFTER, QUIET),
        replace(AFTER, span_s=16e-3, compute_s=13e-3),
        replace(AFTER, waiting_s=1e-3, size_bytes=900e6, spread_s=1.0),
        replace(BEFORE, span_s=17e-3, idle_s=1e-3),
        replace(BEFORE, span_s=90e-3, compute_s=11.1e-3),
        replace(BEFORE, size_bytes=None, waiting_s=None, complete=False),
        replace(BEFORE, backward_found=False),
    ]
    keys = set()
    for before in steps:
        for after in steps:
            for one in comparison_said(compare(before, after)):
                assert "{" not in text(one)
                keys |= keys_in(one)

    known = {key for key in strings() if key.startswith("compare.")}
    assert keys == known - LABELS


def keys_in(one):
    inner = (value for value in one.values.values() if hasattr(value, "key"))
    return {one.key}.union(*map(keys_in, inner))
