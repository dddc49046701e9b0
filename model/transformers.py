"""GPT-2 and BERT by block, in backward order: the embeddings arrive last.

Gradient sizes follow from the architecture (w the width, V the words, P the positions,
S the segments). Backward times are computed from a stated throughput:

    4 parameters * tokens / (peak * utilisation)

since a matrix product asks for 2 FLOPs a parameter and token in the forward pass, and
the backward pass computes two such products. The products of attention scores, which
have no parameters, are left out. Looking up an embedding computes next to nothing: 0 s.
"""

from dataclasses import dataclass

from overlap_widget.model.layer import FP32_BYTES, Layer

A100_FLOPS = 312e12
"""A second, dense bf16: the peak that the source of the times names."""
UTILISATION = 0.4  # assumed
TOKENS = 16_384
"""That one GPU works on in a step."""


@dataclass(frozen=True, slots=True)
class Transformer:
    """The sizes of a transformer; all other counts are numbers of parameters."""

    width: int
    blocks: int
    words: int
    positions: int
    segments: int = 0

    @property
    def block(self) -> int:
        """Attention 4w^2 + 4w, the feed-forward layers 8w^2 + 5w, two LayerNorms 4w."""
        return 12 * self.width**2 + 13 * self.width

    @property
    def layer_norm(self) -> int:
        """A weight and a bias for each channel."""
        return 2 * self.width

    @property
    def token_embedding(self) -> int:
        """Also those of a tied head, which are the same."""
        return self.words * self.width

    @property
    def embeddings(self) -> int:
        """Of words, positions and segments."""
        return (self.words + self.positions + self.segments) * self.width


GPT2_SMALL = Transformer(width=768, blocks=12, words=50_257, positions=1024)
GPT2_LARGE = Transformer(width=1280, blocks=36, words=50_257, positions=1024)
BERT_BASE = Transformer(width=768, blocks=12, words=30_522, positions=512, segments=2)

GPT2_SMALL_SIZES = (
    "From the architecture (width 768, 12 blocks, 50,257 words, 1,024 positions): "
    "124,439,808 parameters in fp32. The head is tied: it uses the token embedding, "
    "whose gradient is complete only when the whole pass is done."
)
BERT_BASE_SIZES = (
    "From the architecture (BERT-base uncased with its pooler: width 768, 12 blocks, "
    "30,522 words, 512 positions): 109,482,240 parameters in fp32."
)
COMPUTED_TIMES = (
    "Computed, not measured: 4 FLOPs a parameter and token, 16,384 tokens a GPU, at an "
    "assumed 40 % of an A100's 312 TFLOPS (peak from "
    "github.com/stas00/ml-engineering@744d01e1 compute/accelerator/README.md). "
    "Attention scores are left out, and the look-up of embeddings takes 0 s."
)


def gpt2_small() -> tuple[Layer, ...]:
    """The tied head first: the time of its product, no bytes but the final LayerNorm's.

    The bytes of the token embedding, which the head uses too, come with the embeddings.
    """
    model = GPT2_SMALL
    head_s = computed_s(model.token_embedding, TOKENS)
    return (
        Layer("head", head_s, model.layer_norm * FP32_BYTES),
        *_blocks(model),
        Layer("embeddings", 0.0, model.embeddings * FP32_BYTES),
    )


def bert_base() -> tuple[Layer, ...]:
    """The pooler first, which sees only the first token of each sequence."""
    model = BERT_BASE
    pooler = model.width**2 + model.width
    sequences = TOKENS // model.positions
    embeddings = model.embeddings + model.layer_norm
    return (
        Layer("pooler", computed_s(pooler, sequences), pooler * FP32_BYTES),
        *_blocks(model),
        Layer("embeddings", 0.0, embeddings * FP32_BYTES),
    )


def computed_s(parameters: int, tokens: int) -> float:
    """Seconds of the backward pass of layers that multiply by so many parameters."""
    return 4 * parameters * tokens / (A100_FLOPS * UTILISATION)


def _blocks(model: Transformer) -> tuple[Layer, ...]:
    """The last block first."""
    backward_s = computed_s(model.block, TOKENS)
    return tuple(
        Layer(f"block {number}", backward_s, model.block * FP32_BYTES)
        for number in range(model.blocks, 0, -1)
    )
