"""The table of kernel names: what each counts as, how often it ran, for how long."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.kernel_table import kernel_rows, merged
from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces import load_all

DATA = Path(__file__).parents[1] / "data" / "kineto"
TRACE = str(DATA / "first-step-one-bucket.json")


def table(classes=None):
    (recording,) = load_all(TRACE, classes)
    return recording, kernel_rows(recording)


def test_every_span_is_in_the_table_once():
    recording, rows = table()
    spans = recording.spans
    assert sum(row.count for row in rows) == len(spans)
    assert sum(row.time_s for row in rows) == pytest.approx(
        np.sum(spans.end_s - spans.start_s)
    )
    assert len({(row.name, row.kind) for row in rows}) == len(rows)


def test_communication_comes_first_and_of_a_class_what_takes_longest():
    _, rows = table()
    assert [row.kind for row in rows] == sorted(
        (row.kind for row in rows),
        key=[Kind.COMMUNICATION, Kind.COMPUTE, Kind.OTHER].index,
    )
    for one, next_one in itertools.pairwise(rows):
        assert one.kind != next_one.kind or one.time_s >= next_one.time_s


def test_rules_show_in_it():
    _, rows = table(Classes((Rule("*", Kind.OTHER),)))
    assert {row.kind for row in rows} == {Kind.OTHER}


def test_tables_of_several_recordings_add_up_by_name_and_class():
    recording, rows = table()
    doubled = [replace(row, count=2 * row.count, time_s=2 * row.time_s) for row in rows]
    assert list(merged([rows, kernel_rows(recording)])) == doubled
    assert merged([]) == ()
