"""Columns of times are what each text says alone, in whatever form it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces.exact_time import FAR_NS, nanoseconds
from overlap_widget.model.traces.exact_times import nanoseconds_of
from overlap_widget.model.traces.gpu_events import NO_TIME

WHOLE = st.integers(0, 10**19).map(str)
FORMS = [
    WHOLE,
    st.tuples(WHOLE, st.integers(0, 999)).map(lambda both: f"{both[0]}.{both[1]:03}"),
    st.decimals(0, 10**9, places=2).map(str),
    st.decimals(-9, 10**9, allow_nan=False).map(str),
    st.sampled_from(["", "null", "true", '""', '" 7"', '"a"', '"\\ud800"', ".5", "."]),
    st.sampled_from(["5.", "1e3", "-7", "9" * 40, "1.2.3", "1 2", '"1.25"', "NaN"]),
]


def one_by_one(texts):
    read = [nanoseconds(text.strip('"').replace("\\ud800", "?")) for text in texts]
    return [NO_TIME if ns is None else ns for ns in read]


@given(st.sampled_from(FORMS[:3]).flatmap(lambda form: st.lists(form, max_size=9)))
def test_texts_of_one_form_are_read_as_columns(texts):
    assert nanoseconds_of([one.encode() for one in texts]).tolist() == one_by_one(texts)


@given(st.lists(st.one_of(FORMS), max_size=9))
def test_texts_of_mixed_forms_are_read_exactly(texts):
    assert nanoseconds_of([one.encode() for one in texts]).tolist() == one_by_one(texts)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([b"4458676983543.183", b"41.407"], [4458676983543183, 41407]),
        ([b"1694128201428473", b"8"], [1694128201428473000, 8000]),
        ([b"1711964646000000.123", b"5", b"0.5"], [1711964646000000123, 5000, 500]),
        ([b"99999999999999999999", b"1"], [FAR_NS, 1000]),
        ([b"", b"3"], [NO_TIME, 3000]),
        ([b"1.", b"22", b"1.5"], [1000, 22000, 1500]),
        ([], []),
    ],
)
def test_hand_worked_texts(texts, expected):
    assert nanoseconds_of(texts).tolist() == expected
