"""ResNets by tensor: names, order and sizes as in torchvision, buckets as in DDP."""

import json
from pathlib import Path

import pytest

from overlap_widget.model import by_bytes, simulate
from overlap_widget.model.resnets import (
    RESNET_18,
    RESNET_50,
    resnet_18,
    resnet_50,
    tensors,
)
from overlap_widget.model.scenarios import SCENARIOS
from overlap_widget.model.units import MIB

CASE = Path(__file__).parents[3] / "shared" / "cases" / "78-resnet18-buckets.json"


# Parameters and multiply-accumulates as torchvision states them with its weights
# (pytorch/vision torchvision/models/resnet.py: num_params and _ops, in billions).
@pytest.mark.parametrize(
    ("name", "model", "count", "parameters", "billions"),
    [
        ("resnet-50", RESNET_50, 161, 25_557_032, 4.089),
        ("resnet-18", RESNET_18, 62, 11_689_512, 1.814),
    ],
)
def test_tensors_parameters_and_operations_are_the_published_ones(
    name, model, count, parameters, billions
):
    scenario, found = SCENARIOS[name], list(tensors(model))

    assert len(found) == len(scenario.layers) == count
    assert sum(one.parameters for one in found) == parameters
    assert sum(layer.gradient_bytes for layer in scenario.layers) == 4 * parameters
    assert round(sum(one.operations for one in found) / 1e9, 3) == billions
    assert f"{count} tensors" in scenario.source
    assert f"{parameters:,} parameters" in scenario.source


@pytest.mark.parametrize(
    ("model", "name", "shape", "pixels"),
    [
        (RESNET_50, "conv1.weight", 64 * 3 * 7 * 7, 112),
        (RESNET_50, "layer1.0.conv1.weight", 64 * 64, 56),
        (RESNET_50, "layer1.0.downsample.0.weight", 256 * 64, 56),
        # In a bottleneck the 3 x 3 convolution takes the stride, not the 1 x 1 before.
        (RESNET_50, "layer2.0.conv1.weight", 128 * 256, 56),
        (RESNET_50, "layer2.0.conv2.weight", 128 * 128 * 9, 28),
        (RESNET_50, "layer4.2.conv3.weight", 2048 * 512, 7),
        (RESNET_18, "layer3.0.conv1.weight", 256 * 128 * 9, 14),
        (RESNET_18, "layer4.0.downsample.0.weight", 512 * 256, 7),
        (RESNET_18, "fc.weight", 1000 * 512, 1),
    ],
)
def test_a_tensor_has_its_shape_and_multiplies_once_for_each_output_pixel(
    model, name, shape, pixels
):
    one = {tensor.name: tensor for tensor in tensors(model)}[name]

    assert one.parameters == shape
    assert one.operations == shape * pixels**2


def test_the_last_defined_comes_first_and_the_stem_last():
    names = [layer.name for layer in resnet_18()]

    assert names[:5] == [
        "fc.bias",
        "fc.weight",
        "layer4.1.bn2.bias",
        "layer4.1.bn2.weight",
        "layer4.1.conv2.weight",
    ]
    assert names[-3:] == ["bn1.bias", "bn1.weight", "conv1.weight"]


def test_only_a_block_that_changes_shape_has_a_downsample():
    def with_downsample(model):
        names = [one.name for one in tensors(model) if ".downsample.0." in one.name]
        return [name.removesuffix(".downsample.0.weight") for name in names]

    assert with_downsample(RESNET_18) == ["layer2.0", "layer3.0", "layer4.0"]
    assert with_downsample(RESNET_50) == [f"layer{stage}.0" for stage in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("limit_mib", "buckets_bytes"),
    [(25, [2052000, 28852224, 15853824]), (35, [2052000, 38297600, 6408448])],
)
def test_ddp_groups_resnet_18_into_these_buckets(limit_mib, buckets_bytes):
    layers, link = resnet_18(), SCENARIOS["resnet-18"].link
    plan = by_bytes(layers, limit_mib * MIB, first_limit_bytes=1 * MIB)
    transfers = simulate(layers, plan, link).transfers

    assert [one.size_bytes for one in transfers] == buckets_bytes


def test_the_pass_of_resnet_50_is_two_thirds_of_the_measured_step():
    times_s = {layer.name: layer.backward_s for layer in resnet_50()}

    assert sum(times_s.values()) == pytest.approx(97e-3 * 2 / 3)
    # conv1: 118 of 4,089 million multiply-accumulates
    assert times_s["conv1.weight"] == pytest.approx(1.8664e-3, rel=1e-4)
    assert times_s["layer1.0.bn1.weight"] == times_s["fc.bias"] == 0


def test_resnet_18_computes_as_many_operations_a_second_as_resnet_50():
    passes_s = [
        sum(layer.backward_s for layer in layers()) for layers in (resnet_50, resnet_18)
    ]

    assert passes_s[0] / passes_s[1] == pytest.approx(4.089 / 1.814, rel=1e-3)


@pytest.mark.skipif(not CASE.exists(), reason="the cases are not at hand")
def test_resnet_18_is_defined_in_the_order_of_the_case():
    case = json.loads(CASE.read_text())
    found = [[one.name, one.parameters] for one in tensors(RESNET_18)]

    assert found == case["parameters"]
    assert sum(layer.gradient_bytes for layer in resnet_18()) == case["total_bytes"]
