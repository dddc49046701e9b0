"""Packed columns: shorter, and not a row is lost."""

import json
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.packed import MICRO, packed

MICROS = st.integers(-(10**12), 10**12).map(lambda whole: whole / MICRO)
SENTENCES = [
    {"key": "group.all", "values": {}},
    {"key": "mark.stream", "values": {"stream": 7}},
    json.dumps({"key": "group.all", "values": {}}),  # a name that looks like one
]
VALUES = (
    st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
    | st.none()
    | st.sampled_from(SENTENCES)
)
COLUMN = st.lists(VALUES, max_size=9) | st.lists(MICROS, max_size=9)
COLUMNS = st.dictionaries(st.sampled_from("abcd"), COLUMN)


def unpacked(form, earlier):
    """What `static/twin/packed.js` makes of it, written another way."""
    if isinstance(form, list):
        return form
    if "like" in form:
        return earlier[form["like"]]
    if "one" in form:
        return [form["one"]] * form["times"]
    if "of" in form:
        return [form["of"][at] for at in form["at"]]
    return [whole / MICRO for whole in accumulate(form["micro"])]


def all_unpacked(columns):
    found = {}
    for name, form in json.loads(json.dumps(columns)).items():
        found[name] = unpacked(form, found)
    return found


@given(COLUMNS)
def test_columns_come_back_as_they_were(columns):
    assert all_unpacked(packed(columns)) == columns


@given(COLUMNS)
def test_packed_columns_are_never_longer(columns):
    def length(data):
        return len(json.dumps(data, separators=(",", ":")))

    assert length(packed(columns)) <= length(columns)


def test_each_form_by_hand():
    times = [1000.000001, 1000.000003, 1000.000006, 1000.000010]
    names = ["a long name", "another name"] * 2
    columns = {"left": times, "start": times, "y": [-0.125] * 4, "name": names}

    assert packed(columns | {"total": 4}) == {
        "left": {"micro": [1000000001, 2, 3, 4]},
        "start": {"like": "left"},
        "y": {"one": -0.125, "times": 4},
        "name": {"of": ["a long name", "another name"], "at": [0, 1, 0, 1]},
        "total": 4,
    }


def test_what_is_no_whole_millionth_stays_to_the_last_bit():
    times = [0.1 + 0.2, 1e-7, 1 / 3]

    assert packed({"left": times}) == {"left": times}
