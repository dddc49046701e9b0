"""Published sizes come out: parameters of models, and the buckets of PyTorch's DDP.

The scenarios' own totals, ResNet-18's buckets and the link tables are held in
tests/model (test_transformers, test_resnets, test_rules, test_links).
"""

import itertools

import pytest

from overlap_widget.model import Layer
from overlap_widget.model.resnets import ResNet, resnet_50, tensors
from overlap_widget.model.rules import ddp
from overlap_widget.model.transformers import Transformer

GPT2_XL = Transformer(width=1600, blocks=48, words=50_257, positions=1024)
BERT_LARGE = Transformer(width=1024, blocks=24, words=30_522, positions=512, segments=2)


def bucket_bytes(parameters):
    """Of DDP without a cap, for fp32 tensors in the order in which gradients come."""
    layers = [Layer("", 0, 4 * count) for count in parameters]
    sizes = iter(layer.gradient_bytes for layer in layers)
    return [sum(itertools.islice(sizes, count)) for count in ddp(layers)]


# --- Parameters --------------------------------------------------------------------


def test_gpt2_xl_and_bert_large_have_their_published_parameters():
    # As huggingface/transformers counts gpt2-xl, its tied head once, and
    # bert-large-uncased with its pooler.
    xl, large = GPT2_XL, BERT_LARGE
    pooler = large.width**2 + large.width

    assert xl.embeddings + xl.blocks * xl.block + xl.layer_norm == 1_557_611_200
    assert (
        large.embeddings + large.layer_norm + large.blocks * large.block + pooler
        == 335_141_888
    )


@pytest.mark.parametrize(
    ("blocks", "expansion", "parameters", "billions"),
    [  # pytorch/vision torchvision/models/resnet.py: num_params and _ops
        ((3, 4, 6, 3), 1, 21_797_672, 3.664),  # ResNet-34
        ((3, 4, 23, 3), 4, 44_549_160, 7.801),  # ResNet-101
        ((3, 8, 36, 3), 4, 60_192_808, 11.514),  # ResNet-152
    ],
)
def test_resnets_that_are_no_scenario_have_their_published_parameters_and_operations(
    blocks, expansion, parameters, billions
):
    found = list(tensors(ResNet(blocks, expansion)))

    assert sum(one.parameters for one in found) == parameters
    assert round(sum(one.operations for one in found) / 1e9, 3) == billions


# --- Buckets of DDP ----------------------------------------------------------------

# The all-reduces that the PyTorch profiler recorded in each of three steps on two A100
# (facebookresearch/HolisticTraceAnalysis tests/data/nccl_parser_config). The numbers of
# ResNet-50, VGG-11 and ViT-H/14 also stand in a benchmark of a network stack written in
# Rust (repository not named by the index that holds it).
RESNET_50_BYTES = [8_196_000, 31_502_336, 26_255_360, 26_550_272, 9_724_160]
VGG_11_BYTES = [16_388_000, 67_125_248, 411_058_176, 28_315_648, 8_566_272]
VIT_H_14_BYTES = [5_124_000, *[26_229_760, 26_234_880, 26_245_120] * 32, 4_346_880]


def vgg_11():
    """Layers as torchvision defines them: the parameters of weight and bias."""
    widths = (3, 64, 128, 256, 256, 512, 512, 512, 512)
    convolutions = [(a * b * 9, b) for a, b in itertools.pairwise(widths)]
    sizes = (512 * 7 * 7, 4096, 4096, 1000)
    return convolutions, [(a * b, b) for a, b in itertools.pairwise(sizes)]


def vit_h_14():
    """Tensors as torchvision defines them; each LayerNorm has a weight and a bias."""
    w, patches = 1280, 16 * 16
    norm = [w, w]
    attention = [3 * w * w, 3 * w, w * w, w]
    feed_forward = [4 * w * w, 4 * w, 4 * w * w, w]
    block = [*norm, *attention, *norm, *feed_forward]
    stem = [w, 3 * 14 * 14 * w, w, (patches + 1) * w]
    return [*stem, *block * 32, *norm, w * 1000, 1000]


def test_ddp_sends_resnet_50_in_the_buckets_that_were_recorded():
    sizes = [layer.gradient_bytes / 4 for layer in resnet_50()]

    assert bucket_bytes(sizes) == RESNET_50_BYTES


def test_ddp_sends_the_392_tensors_of_vit_h_14_in_98_buckets():
    found = bucket_bytes(vit_h_14()[::-1])

    assert len(vit_h_14()) == 392
    assert sum(found) == 4 * 632_045_800  # torchvision: num_params
    assert found == VIT_H_14_BYTES


def test_vgg_11_has_its_buckets_in_the_order_in_which_gradients_come():
    # After the first step DDP fills buckets as gradients came, and a convolution's
    # weight comes before its bias. In reverse order of definition the bias is first,
    # so one of 512 numbers is in the bucket before.
    convolutions, linear = vgg_11()
    of_linear = [size for weight, bias in linear[::-1] for size in (bias, weight)]
    weight_first = [size for layer in convolutions[::-1] for size in layer]
    bias_first = [size for layer in convolutions[::-1] for size in layer[::-1]]

    assert bucket_bytes([*of_linear, *weight_first]) == VGG_11_BYTES
    *same, fourth, last = bucket_bytes([*of_linear, *bias_first])
    assert same == VGG_11_BYTES[:3]
    assert fourth == VGG_11_BYTES[3] + 4 * 512
    assert last == VGG_11_BYTES[4] - 4 * 512
