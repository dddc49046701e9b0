"""ResNet-50 and ResNet-18 by tensor, as PyTorch's DDP sees them.

Tensors stand in reverse order of definition, the last defined first, under the names
of torchvision (pytorch/vision torchvision/models/resnet.py). A step of ResNet-50 with
32 images takes 97 ms on a V100. The backward pass is taken as two thirds of it, since
it computes two products for each one of the forward pass, and shared over convolutions
and the fully connected layer by their multiply-accumulates at 224 x 224 pixels. Nothing
is left for BatchNorm and biases: 0 s.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from overlap_widget.model.layer import FP32_BYTES, Layer
from overlap_widget.model.units import MS

RESNET_50_STEP_S = 97 * MS
BACKWARD_SHARE = 2 / 3
CLASSES = 1000

_MEASURED = (
    "97 ms, 32 images on a V100 without communication "
    "(github.com/pytorch/pytorch@bf69c149 benchmarks/distributed/ddp/README.md)"
)
RESNET_50_SIZES = (
    "161 tensors of torchvision's ResNet-50, 25,557,032 parameters in fp32, the last "
    "defined first, as PyTorch's DDP fills buckets."
)
RESNET_18_SIZES = (
    "62 tensors of torchvision's ResNet-18, 11,689,512 parameters in fp32, the last "
    "defined first, as PyTorch's DDP fills buckets."
)
RESNET_50_TIMES = (
    f"Computed from a measured step of {_MEASURED}: two thirds of it for the backward "
    "pass, shared over convolutions and fc by their operations at 224 x 224; BatchNorm "
    "and biases take 0 s. The link is that of another machine with V100s."
)
RESNET_18_TIMES = (
    "Estimated, not measured: ResNet-18's operations at the rate of ResNet-50, whose "
    f"step takes {_MEASURED}, two thirds of it in the backward pass; BatchNorm and "
    "biases take 0 s. The link is that of another machine with V100s."
)


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of parameters, and the multiply-accumulates it asks of one image."""

    name: str
    parameters: int
    operations: int = 0


@dataclass(frozen=True, slots=True)
class ResNet:
    """How many blocks each of four stages has, and their kind.

    expansion: a block's outputs for each channel inside; 1 in basic blocks of two 3 x 3
               convolutions, 4 in bottlenecks of 1 x 1, 3 x 3 and 1 x 1
    """

    blocks: tuple[int, int, int, int]
    expansion: int


RESNET_50 = ResNet(blocks=(3, 4, 6, 3), expansion=4)
RESNET_18 = ResNet(blocks=(2, 2, 2, 2), expansion=1)


def resnet_50() -> tuple[Layer, ...]:
    """161 tensors; their times add up to two thirds of the measured step."""
    return _layers(RESNET_50)


def resnet_18() -> tuple[Layer, ...]:
    """62 tensors at the operations a second of ResNet-50."""
    return _layers(RESNET_18)


def tensors(model: ResNet) -> Iterator[Tensor]:
    """All tensors in the order in which they are defined."""
    yield _convolution("conv1", 3, 64, kernel=7, pixels=112)
    yield from _norm("bn1", 64)
    inputs, pixels = 64, 56  # after the stem's pooling
    for stage, blocks in enumerate(model.blocks):
        width, stride = 64 * 2**stage, 1 if stage == 0 else 2
        for block in range(blocks):
            name = f"layer{stage + 1}.{block}"
            yield from _block(name, model, (inputs, width), (pixels, stride))
            inputs, pixels, stride = width * model.expansion, pixels // stride, 1
    yield Tensor("fc.weight", inputs * CLASSES, inputs * CLASSES)
    yield Tensor("fc.bias", CLASSES)


def _layers(model: ResNet) -> tuple[Layer, ...]:
    per_s = _operations(RESNET_50) / (RESNET_50_STEP_S * BACKWARD_SHARE)
    layers = [
        Layer(one.name, one.operations / per_s, one.parameters * FP32_BYTES)
        for one in tensors(model)
    ]
    return tuple(reversed(layers))


def _operations(model: ResNet) -> int:
    return sum(one.operations for one in tensors(model))


def _block(
    name: str, model: ResNet, channels: tuple[int, int], grid: tuple[int, int]
) -> Iterator[Tensor]:
    """Its convolutions, each with its BatchNorm, then those of its shortcut, if any.

    A 3 x 3 convolution takes the stride, in a basic block the first of the two.
    """
    (inputs, width), (pixels, stride) = channels, grid
    outputs, shrunk = width * model.expansion, pixels // stride
    shapes = [(inputs, width, 3, shrunk), (width, width, 3, shrunk)]
    if model.expansion > 1:
        shapes = [(inputs, width, 1, pixels), shapes[1], (width, outputs, 1, shrunk)]
    for number, shape in enumerate(shapes, start=1):
        yield _convolution(f"{name}.conv{number}", *shape)
        yield from _norm(f"{name}.bn{number}", shape[1])
    if (inputs, pixels) != (outputs, shrunk):
        yield _convolution(f"{name}.downsample.0", inputs, outputs, 1, shrunk)
        yield from _norm(f"{name}.downsample.1", outputs)


def _convolution(
    name: str, inputs: int, outputs: int, kernel: int, pixels: int
) -> Tensor:
    """Without a bias; `pixels` are those of a side of its output."""
    parameters = inputs * outputs * kernel**2
    return Tensor(f"{name}.weight", parameters, parameters * pixels**2)


def _norm(name: str, channels: int) -> Iterator[Tensor]:
    yield Tensor(f"{name}.weight", channels)
    yield Tensor(f"{name}.bias", channels)
