"""Text that is almost JSON: only what JSON forbids is changed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces.repair import (
    BACKSLASHES,
    BARE_VALUES,
    BLANKS,
    COMMAS,
    QUOTES,
    decoded,
    mended,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("text", "value", "change"),
    [
        ('{"a":inf}', {"a": None}, BARE_VALUES),
        ('{"a":-nan(ind)}', {"a": None}, BARE_VALUES),
        ('{"a":N/A,"b":1}', {"a": None, "b": 1}, BARE_VALUES),
        ('{"a":007}', {"a": None}, BARE_VALUES),
        ('{"a":"x: inf, y","b":inf}', {"a": "x: inf, y", "b": None}, BARE_VALUES),
        ('{"a":[1,2,],}', {"a": [1, 2]}, COMMAS),
        ('{"a":1,\0\0"b":2}', {"a": 1, "b": 2}, BLANKS),
        ('{"a":"say "hi" now","b":1}', {"a": 'say "hi" now', "b": 1}, QUOTES),
        ('{"a":"f<"b", "c">","d":1}', {"a": 'f<"b", "c">', "d": 1}, QUOTES),
        ('{"a":"f("b", 3)","d":["x"]}', {"a": 'f("b", 3)', "d": ["x"]}, QUOTES),
        ('{"a":,"b":1}', {"a": None, "b": 1}, BARE_VALUES),
        ('{"b":1,"a": }', {"a": None, "b": 1}, BARE_VALUES),
        ('{"a":""hi"","b":1}', {"a": '"hi"', "b": 1}, QUOTES),
        (r'{"a":"D:\work\x"}', {"a": r"D:\work\x"}, BACKSLASHES),
        (r'{"a":"C:\users\new"}', {"a": r"C:\users\new"}, BACKSLASHES),
        (r'{"a":"C:\dir\","b":1}', {"a": "C:\\dir\\", "b": 1}, BACKSLASHES),
        (r'{"a":"C:\x \u00e9 \" \\"}', {"a": 'C:\\x é " \\'}, BACKSLASHES),
    ],
)
def test_what_json_forbids_is_mended_and_said(text, value, change):
    better, changes = mended(text)
    assert decoded(better) == value
    assert changes == {change}


def test_the_escapes_of_other_strings_stay():
    better, _ = mended(r'{"path":"C:\users","text":"line\nbreak \u00e9 \"ok\""}')
    assert decoded(better) == {"path": r"C:\users", "text": 'line\nbreak é "ok"'}


def test_decimals_stay_text_and_control_characters_are_let_through():
    assert decoded('{"ts":1714521600123456.839}') == {"ts": "1714521600123456.839"}
    assert decoded('{"a":"tab\there"}') == {"a": "tab\there"}


@pytest.mark.parametrize("text", ["[" * 100_000, "{" * 9, "9" * 9999, "", "[1,2"])
def test_what_can_not_be_decoded_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011
        decoded(text)


@pytest.mark.parametrize("again", [r"\",", '",', '" ,', r"\"", '"', ':"', '", "'])
def test_a_string_without_an_end_takes_no_time(again):
    mended('{"a":"' + again * 100_000)  # would take minutes, were it sought anew


@given(JSON)
def test_what_is_json_is_not_changed(value):
    text = json.dumps(value)
    better, changes = mended(text)
    assert decoded(better) == value
    assert changes == set()


@given(st.text(alphabet='{}[]",:\\/ \n\0aintfeN019.-', max_size=40))
def test_mending_any_text_ends_and_what_decodes_is_stable(text):
    better, _ = mended(text)
    try:
        value = decoded(better)
    except ValueError:
        return
    assert decoded(mended(better)[0]) == value
