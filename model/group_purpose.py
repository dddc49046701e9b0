"""What a process group is for, from the words in its description or name.

Frameworks name them: "default_pg" and "WORLD" are PyTorch's for all ranks, "mesh_tp" of
its device mesh, "DATA_PARALLEL_GROUP_WITH_CP" of Megatron.
"""

import re
from enum import StrEnum

from overlap_widget.model.recording import Group


class Purpose(StrEnum):
    """What the ranks of a group divide among them."""

    ALL = "all"
    DATA = "data"
    SHARDED = "sharded"
    TENSOR = "tensor"
    SEQUENCE = "sequence"
    CONTEXT = "context"
    PIPELINE = "pipeline"
    EXPERT = "expert"


_WORDS = {
    Purpose.ALL: ("default_pg", "world", "world_group"),
    Purpose.DATA: (
        *("dp", "ddp", "data", "grad", "grads", "gradient", "gradients"),
        "replicate",
    ),
    Purpose.SHARDED: ("fsdp", "fsdp2", "hsdp", "shard", "sharded"),
    Purpose.TENSOR: ("tp", "tensor"),
    Purpose.SEQUENCE: ("sp", "sequence"),
    Purpose.CONTEXT: ("cp", "context"),
    Purpose.PIPELINE: ("pp", "pipe", "pipeline"),
    Purpose.EXPERT: ("ep", "expert", "experts", "moe"),
}
_PURPOSE = {word: purpose for purpose, words in _WORDS.items() for word in words}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[a-z][a-z0-9]*")
_NOTHING = ("", "undefined", "none")  # what PyTorch writes where nobody described it


def label(group: Group) -> str:
    """What the file calls it: its description, else its name; "" without both."""
    described = group.description.strip()
    return group.name if described.lower() in _NOTHING else described


def purposes(group: Group) -> tuple[Purpose, ...]:
    """What a group is for, of several dimensions in their order; () where unknown.

    >>> [str(one) for one in purposes(Group("7", "dp_cp"))]
    ['data', 'context']
    """
    return _in_text(group.description) or _in_text(group.name)


def _in_text(text: str) -> tuple[Purpose, ...]:
    whole = text.strip().lower()
    if whole in _WORDS[Purpose.ALL]:
        return (Purpose.ALL,)
    words = _WORD.findall(_CAMEL.sub("_", text).lower())
    met = dict.fromkeys(_PURPOSE[word] for word in words if word in _PURPOSE)
    if Purpose.EXPERT in met and len(met) > 1:
        return ()  # "expert_data_parallel" divides neither experts nor all data
    if Purpose.SHARDED in met:
        met.pop(Purpose.DATA, None)  # "dp_shard" is one dimension
    return tuple(one for one in met if one is not Purpose.ALL)
