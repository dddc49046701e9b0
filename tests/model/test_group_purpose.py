"""What a process group is for, told by the words that frameworks name it with."""

import pytest

from overlap_widget.model.group_purpose import Purpose, label, purposes
from overlap_widget.model.recording import Group

DATA, TENSOR, SHARDED = Purpose.DATA, Purpose.TENSOR, Purpose.SHARDED
CONTEXT, PIPELINE, EXPERT = Purpose.CONTEXT, Purpose.PIPELINE, Purpose.EXPERT


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dp", [DATA]),
        ("DDP", [DATA]),
        ("data_parallel", [DATA]),
        ("dataParallel", [DATA]),
        ("gradient_sync", [DATA]),
        ("mesh_dp_replicate", [DATA]),
        ("fsdp", [SHARDED]),
        ("dp_shard", [SHARDED]),
        ("tp", [TENSOR]),
        ("tensor_parallel", [TENSOR]),
        ("TENSOR_MODEL_PARALLEL_GROUP", [TENSOR]),
        ("mesh_tp", [TENSOR]),
        ("tp0", []),
        ("mesh_sp", [Purpose.SEQUENCE]),
        ("pp", [PIPELINE]),
        ("pipeline-model-parallel", [PIPELINE]),
        ("ep", [EXPERT]),
        ("expert_model_parallel", [EXPERT]),
        ("EXPERT_DATA_PARALLEL_GROUP", []),
        ("cp", [CONTEXT]),
        ("context", [CONTEXT]),
        ("dp_cp", [DATA, CONTEXT]),
        ("dp_shard_cp", [SHARDED, CONTEXT]),
        ("default_pg", [Purpose.ALL]),
        ("WORLD", [Purpose.ALL]),
        ("world_size_check", []),
        ("appendix", []),
        ("0", []),
        ("mesh_dim_0", []),
        ("", []),
    ],
)
def test_words_in_a_name_tell_what_a_group_is_for(name, expected):
    assert list(purposes(Group(name))) == expected
    assert list(purposes(Group("7", name))) == expected


def test_a_description_tells_before_the_name():
    assert purposes(Group("tp", "dp")) == (DATA,)
    assert purposes(Group("tp", "undefined")) == (TENSOR,)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (Group("7", "mesh_tp"), "mesh_tp"),
        (Group("7", "undefined"), "7"),
        (Group("7", " "), "7"),
        (Group("7"), "7"),
        (Group("", "", (0, 1)), ""),
    ],
)
def test_a_group_is_called_by_its_description_or_else_by_its_name(group, expected):
    assert label(group) == expected
