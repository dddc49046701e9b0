"""Rules on kernel names from a file, and one sentence for each of its faults."""

import json

import pytest

from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.rules_file import RulesError, load_rules
from overlap_widget.model.timeline import Kind


@pytest.fixture
def rules_of(tmp_path):
    """The rules in a file with this content."""

    def read(content):
        path = tmp_path / "rules.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_rules(path)

    return read


def test_rules_come_in_the_order_of_the_file(rules_of):
    text = '{"other": ["b*", "c"], "communication": ["a"], "compute": ["d"]}'
    assert rules_of(text) == (
        Rule("b*", Kind.OTHER),
        Rule("c", Kind.OTHER),
        Rule("a", Kind.COMMUNICATION),
        Rule("d", Kind.COMPUTE),
    )


def test_the_last_rule_that_fits_holds(rules_of):
    rules = rules_of('{"compute": ["my_*"], "communication": ["my_ar_*"]}')
    classes = Classes(rules)
    assert classes.kind_of("my_ar_ring") is Kind.COMMUNICATION
    assert classes.kind_of("my_gemm") is Kind.COMPUTE
    assert classes.kind_of("not_my_ar_") is None


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("gemm", "gemm", True),
        ("gemm", "gemm2", False),
        ("gemm?", "gemm2", True),
        ("*gemm*", "void sgemm<float>(int)", True),
        ("Gemm", "gemm", False),
        ("f(float [])", "f(float [])", True),
        ("f[ab]", "fa", False),
        ("f[ab]", "f[ab]", True),
        ("[!a]*", "b", False),
    ],
)
def test_a_star_and_a_question_mark_stand_for_others_and_any_other_sign_for_itself(
    pattern, name, fits
):
    assert Rule(pattern, Kind.COMPUTE).fits(name) is fits


def test_a_pattern_twice_in_one_list_is_one_rule(rules_of):
    assert rules_of('{"compute": ["a", "a"]}') == (Rule("a", Kind.COMPUTE),)


def test_a_byte_order_mark_is_no_fault(rules_of):
    assert rules_of(b'\xef\xbb\xbf{"compute": ["a"]}') == (Rule("a", Kind.COMPUTE),)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "is empty; expected {"),
        ("{}", "names no kernels; expected {"),
        ('{"compute": []}', "names no kernels; expected {"),
        ("[]", "is a list, expected {"),
        ('"compute"', "is 'compute', expected {"),
        ("3", "is 3, expected {"),
        ("1" * 99, "is a long number, expected {"),
        ("1" * 9999, "is no file of rules; expected {"),
        ("[" * 99_999, "is no file of rules; expected {"),
        ('{"compute" ["a"]}', "line 1, column 12: not JSON (Expecting"),
        (b'{"compute": ["\xff"]}', "byte 14: not text; expected JSON in UTF-8"),
        ('{"comms": ["a"]}', "'comms' is no class; the classes are communication, com"),
        (
            '{"compute": "a*"}',
            "compute is 'a*', expected a list of kernel names in quo",
        ),
        ('{"compute": {"a": 1}}', "compute is an object, expected a list of kernel"),
        (
            '{"compute": ["a", 3]}',
            "compute: pattern 2 is 3, expected the name of a ker",
        ),
        (
            '{"compute": [""]}',
            "compute: pattern 1 is empty, expected the name of a ker",
        ),
        ('{"compute": [], "compute": ["a"]}', "compute stands twice; put its patterns"),
        (
            '{"compute": ["a"], "other": ["a"]}',
            "'a' stands under compute and under other; leave one of them",
        ),
        (
            json.dumps({"compute": [f"kernel {at}" for at in range(1001)]}),
            "holds 1,001 patterns, expected at most 1,000; put names together with *",
        ),
        (b" " * 2**20 + b"{}", "is larger than 1 MiB, more than rules need; write pat"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_is_one_sentence_with_its_place(rules_of, content, fault):
    with pytest.raises(RulesError) as error:
        rules_of(content)
    assert f"rules.json: {fault}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "fault"),
    [("none.json", "there is no such file"), ("", "is a directory; name a JSON file")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, fault):
    with pytest.raises(RulesError, match=fault):
        load_rules(tmp_path / name)
