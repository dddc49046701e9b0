"""GPT-2 large by block, in backward order, with measured times.

Measured on one A100 of UMD's Zaratan, batch 4, fp32: NVTX ranges around the backward of
each module, projected to the GPU by Nsight Systems; means of the measured steps. That
code ties the head to the token embedding, and measured no time for the embeddings.
Source: github.com/CMSC828G/CMSC828G@ef92f6c, in assignment-2 gpt2.py and
layer-times-gpt2_large-bs4.csv.
"""

from overlap_widget.model.layer import FP32_BYTES, Layer
from overlap_widget.model.transformers import GPT2_LARGE

HEAD_S = 0.0569360342
FINAL_LAYER_NORM_S = 0.0000936471
BLOCKS_S = (
    *(0.0214575081, 0.0214424103, 0.0214606377),
    *(0.0214723398, 0.0214558664, 0.0214543626),
    *(0.0214543305, 0.0214592011, 0.0214454507),
    *(0.0214651400, 0.0214483530, 0.0214421350),
    *(0.0214678050, 0.0214512036, 0.0214592130),
    *(0.0214535201, 0.0214497404, 0.0214364605),
    *(0.0214320798, 0.0214452954, 0.0214409659),
    *(0.0214596405, 0.0214556184, 0.0214442809),
    *(0.0214519449, 0.0214682005, 0.0214487765),
    *(0.0214470359, 0.0214473047, 0.0215832490),
    *(0.0214895187, 0.0214496759, 0.0214597175),
    *(0.0214520728, 0.0214338327, 0.0214548406),
)
"""From the first block, `block_0`, to the last."""

GPT2_LARGE_SIZES = (
    "From the architecture (width 1280, 36 blocks, 50,257 words, 1,024 positions): "
    "774,030,080 parameters in fp32. The head is tied: it uses the token embedding, "
    "whose gradient is complete only when the whole pass is done."
)
MEASURED_TIMES = (
    "Measured: means on one A100, batch 4, fp32 (github.com/CMSC828G/CMSC828G@ef92f6c "
    "assignment-2/layer-times-gpt2_large-bs4.csv). The look-up of embeddings wasn't "
    "measured and takes 0 s."
)


def gpt2_large() -> tuple[Layer, ...]:
    """The tied head first, with the final LayerNorm's bytes; blocks count from 1."""
    model = GPT2_LARGE
    blocks = zip(range(model.blocks, 0, -1), reversed(BLOCKS_S), strict=True)
    return (
        Layer("head", HEAD_S + FINAL_LAYER_NORM_S, model.layer_norm * FP32_BYTES),
        *(
            Layer(f"block {number}", backward_s, model.block * FP32_BYTES)
            for number, backward_s in blocks
        ),
        Layer("embeddings", 0.0, model.embeddings * FP32_BYTES),
    )
