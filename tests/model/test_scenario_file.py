"""Scenario files: what they may say, and the sentence for each fault."""

import json
import os
from pathlib import Path

import pytest

from overlap_widget.model import Layer, Link
from overlap_widget.model.scenario_file import (
    MOST_BYTES,
    MOST_LAYERS,
    ScenarioError,
    load_scenario,
)
from overlap_widget.model.scenarios import COURSE

HEAD = {"name": "head", "backward_s": 0.002, "gradient_bytes": 8_000_000}
STEM = {"name": "stem", "backward_s": 3e-3, "gradient_bytes": 2e6}
LINK = {"bandwidth_bytes_per_s": 10e9, "overhead_s": 0.0001}
GOOD = {"name": "two layers", "layers": [HEAD, STEM], "link": LINK}


@pytest.fixture
def written(tmp_path):
    """Write a value as JSON, or a text as it stands; gives the path."""

    def write(content):
        path = tmp_path / "mine.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def sentence(path):
    with pytest.raises(ScenarioError) as refused:
        load_scenario(path)
    text = str(refused.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def test_layers_stand_in_backward_order_with_their_link(written):
    path = written(GOOD)
    scenario = load_scenario(path)
    assert scenario.name == scenario.title == "two layers"
    assert scenario.layers == (Layer("head", 0.002, 8e6), Layer("stem", 0.003, 2e6))
    assert scenario.link == Link(overhead_s=0.0001, bandwidth_bytes_per_s=10e9)
    assert scenario.source == str(path)


def test_without_a_link_the_course_lends_its_own(written):
    scenario = load_scenario(written({key: GOOD[key] for key in ("name", "layers")}))
    assert scenario.link == COURSE.link


def test_other_keys_are_left_alone(written):
    noted = GOOD | {"date": 2024, "layers": [HEAD | {"note": "wide"}]}
    assert len(load_scenario(written(noted)).layers) == 1


def test_a_source_says_where_the_numbers_are_from(written):
    assert load_scenario(written(GOOD | {"source": "A run."})).source == "A run."


def test_an_element_is_as_large_as_said_and_fp32_otherwise(written):
    assert load_scenario(written(GOOD)).element_bytes == 4
    for size in (2, 0.5, 16):
        assert (
            load_scenario(written(GOOD | {"element_bytes": size})).element_bytes == size
        )


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert load_scenario(path).name == "two layers"


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        ({"backward_s": "abc"}, "backward_s is 'abc', expected a number of seconds"),
        ({"backward_s": True}, "backward_s is true, expected a number of seconds"),
        ({"backward_s": None}, "backward_s is null, expected a number of seconds"),
        ({"backward_s": -0.5}, "backward_s is -0.5, expected a number of seconds"),
        ({"backward_s": []}, "backward_s is a list, expected a number of seconds"),
        ({"gradient_bytes": {}}, "gradient_bytes is an object, expected a number of"),
        ({"gradient_bytes": float("nan")}, "gradient_bytes is nan, expected a number"),
        ({"gradient_bytes": float("inf")}, "gradient_bytes is too large, expected"),
        ({"gradient_bytes": float("-inf")}, "gradient_bytes is -inf, expected"),
        ({"gradient_bytes": 10**400}, "gradient_bytes is too large, expected"),
        ({"backward_s": 1e10}, "backward_s is 10000000000, expected a number of sec"),
        ({"gradient_bytes": "9" * 99}, "gradient_bytes is '9999"),
        ({"name": 7}, "name is 7, expected a text in quotes"),
    ],
)
def test_a_wrong_value_is_named_with_its_layer(written, layer, expected):
    path = written(GOOD | {"layers": [HEAD, STEM, HEAD | layer]})
    assert sentence(path).startswith(f"layer 3: {expected}")


@pytest.mark.parametrize("key", ["name", "backward_s", "gradient_bytes"])
def test_a_missing_key_is_named_with_its_layer(written, key):
    broken = {other: value for other, value in STEM.items() if other != key}
    path = written(GOOD | {"layers": [HEAD, broken]})
    assert sentence(path).startswith(f"layer 2: {key} is missing, expected a ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty; expected"),
        ("  \n", "is empty; expected"),
        ("[]", "the scenario is a list, expected an object with name"),
        ("3", "the scenario is 3, expected an object with name"),
        ({"layers": [HEAD]}, "the scenario: name is missing, expected a text"),
        ({"name": "x"}, "the scenario: layers is missing, expected a list of"),
        ({"name": "x", "layers": {}}, "layers is an object, expected a list of"),
        ({"name": "x", "layers": []}, "layers is empty; a backward pass needs at"),
        (GOOD | {"layers": [HEAD, 5]}, "layer 2 is 5, expected an object with name"),
        (GOOD | {"source": 3}, "the scenario: source is 3, expected a text in quotes"),
        (GOOD | {"source": None}, "the scenario: source is null, expected a text"),
        (GOOD | {"element_bytes": 0}, "the scenario: element_bytes is 0, expected a"),
        (GOOD | {"element_bytes": 17}, "the scenario: element_bytes is 17, expected a"),
        (GOOD | {"element_bytes": -2}, "the scenario: element_bytes is -2, expected"),
        (
            GOOD | {"element_bytes": "fp16"},
            "the scenario: element_bytes is 'fp16', expected a number of bytes, above",
        ),
        (GOOD | {"link": None}, "link is null, expected an object with bandwidth"),
        (GOOD | {"link": {}}, "link: bandwidth_bytes_per_s is missing, expected"),
        (GOOD | {"link": LINK | {"overhead_s": -1}}, "link: overhead_s is -1, expect"),
        (
            GOOD | {"link": LINK | {"bandwidth_bytes_per_s": 0}},
            "link: bandwidth_bytes_per_s is 0, expected a number of bytes a second",
        ),
        (
            GOOD | {"link": LINK | {"bandwidth_bytes_per_s": 1e25}},
            "link: bandwidth_bytes_per_s is 1e+25, expected a number of bytes a second",
        ),
        (GOOD | {"link": LINK | {"overhead_s": 2e9}}, "link: overhead_s is 2000000000"),
        ('{"name": "x",\n "layers": [,]}', "line 2, column 13: not JSON (Expecting"),
        ('{"name": "x"', "line 1, column 13: not JSON ("),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_wrong_file_is_one_sentence_that_says_where(written, content, expected):
    assert sentence(written(content)).startswith(expected)


@pytest.mark.parametrize(
    ("where", "twice", "expected"),
    [
        ('"backward_s": 0.003', '"backward_s": 7', "layer 2: backward_s stands twice"),
        ('"bandwidth_bytes_per_s"', '"overhead_s": 7', "link: overhead_s stands twice"),
        ('"name": "two layers"', '"layers": 7', "the scenario: layers stands twice"),
        ('"name": "two layers"', '"link": 7', "the scenario: link stands twice"),
        ('"name": "two layers"', '"a b": 7, "a b": 7', "the scenario: 'a b' stands tw"),
    ],
)
def test_a_value_that_stands_twice_is_named_and_not_guessed(
    written, where, twice, expected
):
    text = json.dumps(GOOD)
    assert text.count(where) == 1
    text = text.replace(where, f"{twice}, {where}")
    assert sentence(written(text)).startswith(f"{expected}")


def test_more_layers_than_anyone_has_are_refused(written):
    text = sentence(written(GOOD | {"layers": [HEAD] * (MOST_LAYERS + 1)}))
    assert text.startswith("layers holds 100,001, expected at most 100,000")


def test_as_many_layers_as_are_allowed_are_read(written):
    scenario = load_scenario(written(GOOD | {"layers": [STEM] * MOST_LAYERS}))
    assert len(scenario.layers) == MOST_LAYERS


def test_a_file_far_too_large_is_not_read_to_its_end(tmp_path):
    path = tmp_path / "trace.json"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # a hole: it takes no room on the disk
    assert sentence(path).startswith("is larger than 64 MiB")


def test_a_file_that_is_no_text_says_so(tmp_path):
    path = tmp_path / "picture.json"
    path.write_bytes(b"\x89PNG\r\n\xff\xfe")
    assert "not text; expected JSON in UTF-8" in sentence(path)


def test_a_missing_file_and_a_directory_say_so(tmp_path):
    assert sentence(tmp_path / "none.json").startswith("there is no such file")
    assert sentence(tmp_path).startswith("is a directory")
    assert sentence(Path("null\0byte")).startswith("can't be read (")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_says_so(written):
    path = written(GOOD)
    path.chmod(0)
    assert sentence(path).startswith("can't be read (Permission denied)")


@pytest.mark.parametrize("key", ["scenario", "layer"])
def test_half_of_a_sign_is_no_name(written, key):
    half = '"\\ud83d"'
    text = json.dumps(GOOD | {"name": "WHOLE"} if key == "scenario" else GOOD)
    path = written(text.replace('"WHOLE"' if key == "scenario" else '"stem"', half))
    place = "the scenario" if key == "scenario" else "layer 2"
    assert sentence(path) == (
        f"{place}: name holds half of a sign (\\ud800 to \\udfff alone), expected "
        "text; write the whole sign"
    )
