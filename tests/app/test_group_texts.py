"""What process groups are called in tables: what they are for, and their own names."""

import pytest

from overlap_widget.app.group_texts import group_text, group_texts
from overlap_widget.app.said import text
from overlap_widget.app.words import words
from overlap_widget.model.group_purpose import Purpose
from overlap_widget.model.recording import Group


@pytest.mark.parametrize(
    ("group", "called"),
    [
        (Group("5", "mesh_tp"), "tensor-parallel (mesh_tp)"),
        (Group("0", "default_pg"), "all ranks (default_pg)"),
        (Group("WORLD"), "all ranks (WORLD)"),
        (Group("9", "dp_cp"), "data-parallel and context-parallel (dp_cp)"),
        (Group("3", "fsdp"), "sharded data-parallel (fsdp)"),
        (Group("3", "data-parallel"), "data-parallel"),
        (Group("3", "undefined"), "3"),
        (Group("b1e0", "replicas"), "replicas"),
        (Group("", "", (0, 5, 6)), "ranks 0, 5, 6"),
        (Group("", "", tuple(range(9))), "group without a name"),
        (Group(""), "group without a name"),
    ],
)
def test_a_group_is_called_by_what_it_is_for_and_as_the_file_does(group, called):
    assert text(group_text(group)) == called


def test_groups_of_one_label_are_one_row_where_each_rank_has_one():
    first, second = Group("4", "mesh_tp", (0, 1)), Group("5", "mesh_tp", (2, 3))

    texts = group_texts([[first], [second]])
    assert set(map(text, texts.values())) == {"tensor-parallel (mesh_tp)"}


def test_groups_of_one_label_on_one_rank_are_told_apart_by_name():
    groups = [Group("4", "mesh_tp", (0, 1)), Group("5", "mesh_tp", (0, 2)), Group("6")]

    assert list(map(text, group_texts([groups, groups[:1]]).values())) == [
        *("tensor-parallel (mesh_tp 4)", "tensor-parallel (mesh_tp 5)", "6"),
    ]


@pytest.mark.parametrize("purpose", Purpose)
def test_each_purpose_has_words(purpose):
    assert words(f"group.purpose.{purpose}")
