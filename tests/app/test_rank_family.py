"""Which recordings are taken for the ranks of one run."""

from dataclasses import replace

import pytest

from overlap_widget.app.measured import example
from overlap_widget.app.rank_family import family
from overlap_widget.model.recording import Step

EXAMPLE = example()


def opened(*places):
    """Recordings by path, rank and start in nanoseconds."""
    return [
        replace(EXAMPLE, path=path, rank=rank, origin_ns=origin_ns)
        for path, rank, origin_ns in places
    ]


def test_ranks_of_one_folder_belong_together_in_their_order():
    recordings = opened(("a/2.json", 2, 0), ("a/0.json", 0, 0), ("a/1.json", 1, 0))

    assert family(recordings, 0) == (1, 2, 0)
    assert family(recordings, 2) == (1, 2, 0)


def test_two_runs_in_two_folders_stay_apart_also_where_one_has_more_ranks():
    recordings = opened(
        ("a/0.json", 0, 7), ("a/1.json", 1, 7), ("b/0.json", 0, 7), ("b/1.json", 1, 7)
    ) + opened(("b/2.json", 2, 7))

    assert family(recordings, 0) == (0, 1)
    assert family(recordings, 4) == (2, 3, 4)


def test_ranks_in_folders_of_their_own_belong_to_the_run_above_them():
    recordings = opened(
        ("a/rank0/t.json", 0, 0),
        ("b/rank0/t.json", 0, 0),
        ("a/rank1/t.json", 1, 0),
        ("b/rank1/t.json", 1, 0),
    )

    assert family(recordings, 1) == (1, 3)


def test_uploaded_files_of_two_runs_are_told_apart_by_their_time():
    recordings = opened(
        ("0.json", 0, 0), ("1.json", 1, 90), ("0b.json", 0, 5000), ("1b.json", 1, 5020)
    )

    assert family(recordings, 0) == (0, 1)
    assert family(recordings, 3) == (2, 3)


def test_without_folder_and_time_those_opened_side_by_side_belong_together():
    recordings = opened(("0", 0, 0), ("1", 1, 0), ("b0", 0, 0), ("b1", 1, 0))

    assert family(recordings, 1) == (0, 1)
    assert family(recordings, 2) == (2, 3)


def test_a_file_of_another_name_does_not_come_between_ranks_of_one_name():
    recordings = opened(("base.json", 0, 5), ("late-rank0.json", 0, 900))
    recordings += opened(("late-rank1.json", 1, 5))

    assert family(recordings, 1) == (1, 2)
    assert family(recordings, 2) == (1, 2)
    assert family(recordings, 0) == (0,)


@pytest.mark.parametrize(
    "changes",
    [{"rank": None}, {"format": "another profiler"}, {"steps": (Step("99", True),)}],
)
def test_what_is_no_rank_of_the_run_stands_alone(changes):
    recordings = opened(("a/0.json", 0, 0), ("a/1.json", 1, 0))
    recordings[1] = replace(recordings[1], **changes)

    assert family(recordings, 0) == (0,)
    assert family(recordings, 1) == (1,)
