"""GPT-2 and BERT by block: sizes that add up, times from a formula or a measurement."""

import csv
from pathlib import Path

import pytest

from overlap_widget.model import simulate
from overlap_widget.model.gpt2_large import BLOCKS_S, gpt2_large
from overlap_widget.model.scenarios import SCENARIOS
from overlap_widget.model.transformers import (
    BERT_BASE,
    GPT2_LARGE,
    GPT2_SMALL,
    bert_base,
    computed_s,
    gpt2_small,
)

REFERENCE = Path(__file__).parents[3] / "shared" / "reference"
MEASURED = REFERENCE / "cmsc828g_gpt2large_layer_backward_times.csv"

# Published counts: GPT-2 by openai, BERT-base uncased by google-research, as the models
# of huggingface/transformers count them, the tied head once.
TOTALS = {
    "gpt2-small": 124_439_808,
    "bert-base": 109_482_240,
    "gpt2-large": 774_030_080,
}


@pytest.mark.parametrize(("name", "parameters"), TOTALS.items())
def test_the_gradients_add_up_to_the_published_parameters_in_fp32(name, parameters):
    scenario = SCENARIOS[name]
    total_bytes = sum(layer.gradient_bytes for layer in scenario.layers)

    assert scenario.element_bytes == 4
    assert total_bytes == parameters * 4
    assert f"{parameters:,} parameters" in scenario.source


def test_a_block_is_counted_part_by_part():
    # width 768: query, key, value and output; up and down; two LayerNorms
    attention = 4 * (768 * 768 + 768)
    feed_forward = (768 * 3072 + 3072) + (3072 * 768 + 768)
    assert GPT2_SMALL.block == attention + feed_forward + 2 * (768 + 768) == 7_087_872
    assert BERT_BASE.block == GPT2_SMALL.block
    assert GPT2_LARGE.block == 19_677_440


@pytest.mark.parametrize("name", ["gpt2-small", "bert-base"])
def test_twelve_blocks_run_from_the_last_to_the_first_and_embeddings_follow(name):
    names = [layer.name for layer in SCENARIOS[name].layers]

    assert names[1:] == [*(f"block {n}" for n in range(12, 0, -1)), "embeddings"]


def test_the_tied_head_brings_no_bytes_and_the_embeddings_bring_its_own():
    head, *_, embeddings = gpt2_small()

    assert head.name == "head"
    assert head.gradient_bytes == 4 * (768 + 768)  # of the final LayerNorm
    assert head.backward_s == pytest.approx(20.27e-3, abs=5e-6)
    assert embeddings.gradient_bytes == 4 * (50_257 + 1024) * 768
    assert embeddings.backward_s == 0


def test_the_pooler_sees_one_token_of_each_sequence():
    # 4 FLOPs * 590,592 parameters * 32 sequences of 512 / 124.8 TFLOPS
    pooler, *_ = bert_base()

    assert pooler.gradient_bytes == 4 * 590_592
    assert pooler.backward_s == pytest.approx(0.6057e-6, rel=1e-4)


def test_berts_embeddings_hold_words_positions_segments_and_a_layer_norm():
    *_, embeddings = bert_base()

    assert embeddings.gradient_bytes == 4 * 23_837_184


def test_a_block_takes_its_flops_at_the_stated_throughput():
    # 4 * 7,087,872 * 16,384 = 464.5 GFLOPs at 0.4 * 312 TFLOPS
    assert computed_s(7_087_872, 16_384) == pytest.approx(3.722e-3, abs=5e-7)
    assert {layer.backward_s for layer in gpt2_small()[1:-1]} == {
        computed_s(7_087_872, 16_384)
    }


@pytest.mark.parametrize("name", TOTALS)
def test_the_embeddings_are_ready_only_when_the_whole_pass_is_done(name):
    scenario = SCENARIOS[name]
    one_each = (1,) * len(scenario.layers)
    simulation = simulate(scenario.layers, one_each, scenario.link)

    assert simulation.transfers[-1].layers == ("embeddings",)
    assert simulation.transfers[-1].ready_s == simulation.backward_s


def test_gpt2_large_is_36_measured_blocks_after_its_head():
    head, *blocks, embeddings = gpt2_large()

    assert (head.name, head.gradient_bytes) == ("head", 10_240)  # the last LayerNorm's
    assert [blocks[0].name, blocks[-1].name] == ["block 36", "block 1"]
    assert (embeddings.name, embeddings.backward_s) == ("embeddings", 0)
    # block_29 of the measurement had the slowest step, and counts as the 30th here
    slowest = max(blocks, key=lambda block: block.backward_s)
    assert (slowest.name, slowest.backward_s) == ("block 30", 0.021583249)


@pytest.mark.skipif(not MEASURED.exists(), reason="the measured times are not at hand")
def test_the_times_of_gpt2_large_are_those_that_were_measured():
    with MEASURED.open() as file:
        mean_s = {row["name"]: float(row["mean_s"]) for row in csv.DictReader(file)}
    measured_s = mean_s["lm_head grad"] + mean_s["ln_f grad"]

    assert gpt2_large()[0].backward_s == pytest.approx(measured_s, rel=1e-12)
    for number, block_s in enumerate(BLOCKS_S):
        assert block_s == pytest.approx(mean_s[f"block_{number} grad"], rel=1e-12)
