"""How PyTorch's DDP, Megatron and DeepSpeed fill buckets, each in its own unit."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import OFF, Effects, Layer, Link, best_of, simulate
from overlap_widget.model.rules import RULES, ddp, deepspeed, megatron
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE
from overlap_widget.model.units import MB, MIB

ROOT = Path(__file__).parents[2]
CASE = ROOT.parent / "shared" / "cases" / "78-resnet18-buckets.json"
LINK = Link(overhead_s=1e-4, bandwidth_bytes_per_s=1e10)


def layers_of(*gradients_bytes):
    return [Layer(str(place), 1, size) for place, size in enumerate(gradients_bytes)]


def bucket_bytes(layers, plan):
    sizes = iter(layer.gradient_bytes for layer in layers)
    return [sum(itertools.islice(sizes, count)) for count in plan]


def resnet18():
    """Its tensors in fp32, the last defined first: convolutions, and two per norm."""
    counts, inputs = [3 * 64 * 7 * 7, 64, 64], 64
    for width in (64, 128, 256, 512):
        for block_inputs in (inputs, width):
            counts += [block_inputs * width * 9, width, width]
            counts += [width * width * 9, width, width]
            if block_inputs != width:
                counts += [block_inputs * width, width, width]
        inputs = width
    counts += [512 * 1000, 1000]
    return layers_of(*(4 * count for count in reversed(counts)))


# --- PyTorch's DDP -----------------------------------------------------------------

# Buckets of ResNet-18 in bytes, in the order in which they are sent. The first two rows
# were reported by users (pytorch/pytorch issue 48880).
RESNET18_ROWS = {
    "default (no cap given": ({}, [2052000, 28852224, 15853824]),
    "first limit 1 MiB, then 35": (
        {"bucket_cap_mib": 35, "older_release": True},
        [2052000, 38297600, 6408448],
    ),
    "cap 25 given": ({"bucket_cap_mib": 25}, [30904224, 15853824]),
    "cap 100": ({"bucket_cap_mib": 100}, [46758048]),
    "first step": ({"first_step": True}, [46758048]),
    "DDP_SET_LAST": ({"small_last": True}, [11497376, 33744896, 1515776]),
}


@pytest.mark.parametrize("row", RESNET18_ROWS)
def test_resnet18_falls_into_the_buckets_that_pytorch_makes(row):
    options, expected_bytes = RESNET18_ROWS[row]
    layers = resnet18()
    assert bucket_bytes(layers, ddp(layers, **options)) == expected_bytes


@pytest.mark.skipif(not CASE.exists(), reason="shared/cases isn't beside this checkout")
def test_all_rows_of_the_shared_case_come_out():
    case = json.loads(CASE.read_text())
    layers = [Layer(name, 1, 4 * count) for name, count in case["parameters"][::-1]]
    sizes = [layer.gradient_bytes for layer in layers]
    assert sizes == [layer.gradient_bytes for layer in resnet18()]
    rows = case["expected_buckets_bytes_in_launch_order"]
    assert len(rows) == len(RESNET18_ROWS)
    for title, expected_bytes in rows.items():
        [row] = [row for row in RESNET18_ROWS if title.startswith(row)]
        options, _ = RESNET18_ROWS[row]
        assert bucket_bytes(layers, ddp(layers, **options)) == expected_bytes


def test_ddp_counts_mib_and_not_mb():
    # 25 MB would close the bucket with the second gradient; 25 MiB are 26.2 MB.
    layers = layers_of(20 * MB, 6 * MB, 1 * MB, 3 * MB)
    assert ddp(layers, 25) == (3, 1)


def test_a_bucket_at_its_cap_is_full_and_a_byte_less_is_not():
    assert ddp(layers_of(2 * MIB, 3 * MIB), 2) == (1, 1)
    assert ddp(layers_of(2 * MIB - 1, 3 * MIB), 2) == (2,)


def test_a_part_of_a_byte_of_the_cap_is_cut_off():
    third = int(MIB / 3)
    assert third < MIB / 3
    assert ddp(layers_of(third, 5), 1 / 3) == (1, 1)


def test_a_cap_makes_the_first_bucket_as_large_as_the_others_since_2_4():
    # MiB  1 3 | 4 | 2       against the older  1 | 3 4 | 2
    layers = layers_of(1 * MIB, 3 * MIB, 4 * MIB, 2 * MIB)
    assert ddp(layers, 4) == (2, 1, 1)
    assert ddp(layers, 4, older_release=True) == (1, 2, 1)


def test_in_older_releases_the_first_bucket_may_exceed_a_smaller_cap():
    layers = layers_of(*[MIB / 4] * 7)
    assert ddp(layers, 0.25, older_release=True) == (4, 1, 1, 1)


def test_without_a_cap_old_and_new_releases_agree():
    layers = resnet18()
    assert ddp(layers) == ddp(layers, older_release=True)
    assert ddp(layers) == ddp(layers, 25, older_release=True)


def test_a_cap_of_zero_sends_every_gradient_alone():
    assert ddp(layers_of(5, 0, 7), 0) == (1, 1, 1)


def test_the_small_bucket_last_holds_a_mib_from_the_other_end():
    # MiB          3 9 8 | 20 6 5 7 | 2     filled from the right
    # otherwise    3 | 9 8 20 | 6 5 7 2     filled from the left
    layers = layers_of(*(size * MIB for size in (3, 9, 8, 20, 6, 5, 7, 2)))
    assert ddp(layers, small_last=True) == (3, 4, 1)
    assert ddp(layers) == (1, 3, 4)


def test_the_first_step_is_one_bucket_whatever_else_is_set():
    layers = resnet18()
    for options in itertools.product([None, 1], [False, True], [False, True]):
        cap, small_last, older = options
        settings = {"small_last": small_last, "older_release": older}
        assert ddp(layers, cap, first_step=True, **settings) == (62,)


@pytest.mark.parametrize("cap", [-1, float("nan"), float("inf")])
def test_a_cap_that_is_no_size_is_refused(cap):
    with pytest.raises(ValueError, match="0 MiB or more"):
        ddp(layers_of(3), cap)


# --- Megatron and DeepSpeed --------------------------------------------------------


def test_megatron_counts_parameters_and_not_bytes():
    # 50 MB a layer is 12.5 million numbers in fp32 and 25 million in bf16: the fourth
    # or the second reaches 40 million. As bytes, the first would.
    layers = layers_of(*[50 * MB] * 9)
    assert megatron(layers, element_bytes=4) == (4, 4, 1)
    assert megatron(layers, element_bytes=2) == (2, 2, 2, 2, 1)


def test_megatron_closes_with_the_parameter_that_fills_a_bucket():
    layers = layers_of(*(4 * count for count in (3, 4, 9, 6, 1)))
    assert megatron(layers, 4, bucket_size=7) == (2, 1, 2)
    assert megatron(layers, 4, bucket_size=8) == (3, 2)


def test_megatron_makes_buckets_larger_from_the_41st_rank_on():
    layers = layers_of(*(4 * count for count in (40_000_000, 999_999, 1, 7)))
    assert megatron(layers, 4, data_parallel_ranks=40) == (1, 3)
    assert megatron(layers, 4, data_parallel_ranks=41) == (3, 1)
    assert megatron(layers, 4, 41, bucket_size=40_000_000) == (1, 3)


@pytest.mark.parametrize("ranks", [0, -8])
def test_megatron_needs_a_rank(ranks):
    with pytest.raises(ValueError, match="1 rank or more"):
        megatron(layers_of(4), 4, ranks)


def test_deepspeed_counts_elements_and_not_bytes():
    # 480 MB a layer is 120 million numbers in fp32, 240 million in bf16: four or two
    # stay below 500 million. As bytes, one would.
    layers = layers_of(*[480 * MB] * 7)
    assert deepspeed(layers, element_bytes=4) == (4, 3)
    assert deepspeed(layers, element_bytes=2) == (2, 2, 2, 1)


def test_deepspeed_sends_before_the_gradient_that_does_not_fit():
    # limit 7     3 4 | 2 4 | 9 | 1 6
    layers = layers_of(*(2 * count for count in (3, 4, 2, 4, 9, 1, 6)))
    assert deepspeed(layers, 2, reduce_bucket_size=7) == (2, 2, 1, 2)
    assert deepspeed(layers, 2, reduce_bucket_size=6) == (1, 2, 1, 1, 1, 1)


def test_deepspeed_starts_with_a_gradient_larger_than_the_limit():
    assert deepspeed(layers_of(36, 4, 8), 4, reduce_bucket_size=3) == (1, 2)


def test_the_same_limit_gives_megatron_larger_buckets_than_deepspeed():
    # limit 6: both in numbers; Megatron adds first, DeepSpeed asks first.
    layers = layers_of(*(4 * count for count in (4, 4, 4, 4)))
    assert megatron(layers, 4, bucket_size=6) == (2, 2)
    assert deepspeed(layers, 4, reduce_bucket_size=6) == (1, 1, 1, 1)


@pytest.mark.parametrize("rule", [megatron, deepspeed])
def test_a_size_of_an_element_that_none_has_is_refused(rule):
    with pytest.raises(ValueError, match="up to 16 bytes"):
        rule(layers_of(4), 40_000_000)


def test_a_bucket_of_a_part_of_a_number_is_refused():
    with pytest.raises(ValueError, match="1 or more, not 0"):
        megatron(layers_of(4), 4, bucket_size=0)
    with pytest.raises(ValueError, match=r"not 25\.5"):
        deepspeed(layers_of(4), 4, reduce_bucket_size=25.5)


COUNTS = st.lists(st.integers(0, 30), min_size=1, max_size=20)


@given(COUNTS, st.integers(1, 40), st.sampled_from([1, 2, 4, 8]))
def test_no_deepspeed_bucket_exceeds_the_limit_but_a_single_gradient(
    counts, limit, each
):
    layers = layers_of(*(each * count for count in counts))
    plan = deepspeed(layers, each, limit)
    sizes = bucket_bytes(layers, plan)
    assert sum(plan) == len(layers)
    assert all(
        size <= limit * each or count == 1
        for size, count in zip(sizes, plan, strict=True)
    )
    firsts = itertools.accumulate(plan[:-1])
    for size, first in zip(sizes, firsts, strict=False):
        assert size + layers[first].gradient_bytes > limit * each


@given(COUNTS, st.integers(1, 40), st.sampled_from([1, 2, 4, 8]))
def test_the_size_of_an_element_changes_bytes_and_no_plan(counts, limit, each):
    layers = layers_of(*(each * count for count in counts))
    bytes_alone = layers_of(*counts)
    assert megatron(layers, each, 3, limit) == megatron(bytes_alone, 1, 3, limit)
    assert deepspeed(layers, each, limit) == deepspeed(bytes_alone, 1, limit)


@given(COUNTS, st.sampled_from([None, 0, 3 / MIB, 17 / MIB]), st.booleans())
def test_small_last_is_the_rule_from_the_other_end(counts, cap, older):
    layers = layers_of(*counts)
    forward = ddp(layers[::-1], cap, older_release=older)
    assert ddp(layers, cap, small_last=True, older_release=older) == forward[::-1]


# --- By name -----------------------------------------------------------------------


def test_rules_have_these_names():
    assert list(RULES) == [
        "ddp",
        "ddp-first-step",
        "ddp-small-last",
        "megatron",
        "deepspeed",
        "best",
    ]


@pytest.mark.parametrize("name", RULES)
def test_a_rule_has_a_short_title_one_sentence_and_its_source(name):
    rule = RULES[name]
    assert 0 < len(rule.title) <= 40
    assert rule.says.endswith(".")
    assert ". " not in rule.says
    for source in rule.source.split("; "):
        assert source.endswith((".py", ".cpp"))
        assert "@" in source or source == "Overlap Explorer model/plans.py"


@pytest.mark.parametrize("scenario", [COURSE, FAST_HARDWARE], ids=lambda one: one.name)
@pytest.mark.parametrize("name", RULES)
def test_every_rule_plans_every_scenario(name, scenario):
    plan = RULES[name].plan_of(scenario.layers, scenario.link, OFF, 4)
    step = simulate(scenario.layers, plan, scenario.link)
    best_s = best_of(scenario.layers, scenario.link).plan_tail_s
    assert step.tail.total_s >= best_s * (1 - 1e-12)


def test_the_names_stand_for_the_rules_with_their_defaults():
    layers = resnet18()
    plans = {name: rule.plan_of(layers, LINK, OFF, 4) for name, rule in RULES.items()}
    assert plans["ddp"] == ddp(layers)
    assert plans["ddp-first-step"] == (62,)
    assert plans["ddp-small-last"] == ddp(layers, small_last=True)
    assert plans["best"] == best_of(layers, LINK).plan
    assert len(set(plans.values()) - {(62,)}) == 3  # megatron, deepspeed: 12 million


def test_named_rules_count_numbers_of_the_size_they_are_told():
    layers = layers_of(*[80 * MB] * 13)  # 20 million in fp32, 40 million in bf16
    of = {each: RULES["megatron"].plan_of(layers, LINK, OFF, each) for each in (2, 4)}
    assert of == {2: (1,) * 13, 4: (2, 2, 2, 2, 2, 2, 1)}
    of = {each: RULES["deepspeed"].plan_of(layers, LINK, OFF, each) for each in (1, 2)}
    assert of == {1: (6, 6, 1), 2: (12, 1)}


def test_megatron_fills_larger_buckets_from_forty_ranks_on():
    # Three layers of 30 million parameters: two of them hold 40 million, and it takes
    # all three to hold 64 million.
    layers = [Layer(name, 1, 120e6) for name in "cba"]
    plans = {
        ranks: RULES["megatron"].plan_of(layers, LINK, OFF, 4, ranks)
        for ranks in (1, 40, 64)
    }

    assert plans == {1: (2, 1), 40: (2, 1), 64: (3,)}


def test_the_best_rule_knows_the_effects():
    layers = layers_of(4, 4, 4)
    link = Link(overhead_s=1, bandwidth_bytes_per_s=8)
    best = RULES["best"].plan_of
    assert best(layers, link, OFF, 4) == best_of(layers, link).plan != (3,)
    assert best(layers, link, Effects(overlap=False), 4) == (3,)
