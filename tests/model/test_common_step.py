"""The step to look at first, of several ranks: whole in all files, and steady."""

from dataclasses import replace

import pytest

from overlap_widget.model.common_step import common_step
from overlap_widget.model.recording import Step
from overlap_widget.model.timeline import Collective

NONE, AR = Collective.NONE, Collective.ALL_REDUCE


@pytest.fixture
def lasting(rank_file):
    """A rank with steps of these lengths; a negative one doesn't communicate."""

    def made(rank, **lengths):
        rows = [
            (at, NONE if length < 0 else AR, 100 * at, 100 * at + abs(length))
            for at, length in enumerate(lengths.values())
        ]
        names = [name.removeprefix("s") for name in lengths]
        return rank_file(rank, rows, steps=names)

    return made


def cut(file, name):
    steps = tuple(Step(one.name, one.name != name) for one in file.steps)
    rows = tuple(replace(row, complete=row.step != name) for row in file.step_rows)
    return replace(file, steps=steps, step_rows=rows)


def test_of_one_file_it_is_its_default_step(lasting):
    file = lasting(0, s1=9, s2=5, s3=7)
    assert common_step([file]) == "2"
    assert common_step([]) is None


def test_it_is_of_median_length_by_the_rank_that_takes_longest(lasting):
    # Rank 0 alone would choose 3; by the longest of both, steps 2 to 4 last 9, 8 and 6.
    files = [lasting(0, s1=1, s2=5, s3=6, s4=6.5), lasting(1, s1=1, s2=9, s3=8, s4=2)]
    assert common_step(files) == "3"
    assert common_step([files[0], lasting(1, s1=1, s2=6.2, s3=8, s4=2)]) == "4"


def test_it_is_whole_in_all_files(lasting):
    files = [lasting(0, s1=9, s2=5, s3=7), lasting(1, s1=9, s2=5, s3=7)]
    assert common_step([files[0], cut(files[1], "2")]) == "3"
    assert common_step([files[0], lasting(1, s3=7, s4=6)]) == "3"


def test_it_is_not_the_first_of_any_file_where_there_is_another(lasting):
    files = [lasting(0, s1=9, s2=5, s3=7), lasting(1, s2=5, s3=7, s4=8)]
    assert common_step(files) == "3"
    assert common_step([lasting(0, s1=9), lasting(1, s1=9)]) == "1"


def test_it_communicates_if_any_does(lasting):
    files = [lasting(0, s1=9, s2=-5, s3=7), lasting(1, s1=9, s2=-5, s3=7)]
    assert common_step(files) == "3"


def test_without_a_common_step_it_is_that_of_the_first_file(lasting):
    files = [lasting(0, s1=9, s2=5), lasting(1, s7=5, s8=7)]
    assert common_step(files) == "2"
    assert common_step([cut(cut(files[0], "1"), "2")]) == "2"  # chosen when measured
