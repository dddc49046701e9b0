"""A damaged trace is repaired with a sentence or refused with one, never worse."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import TraceError, load
from overlap_widget.model.traces.repair import (
    BACKSLASHES,
    BARE_VALUES,
    COMMAS,
    NOT_UTF8,
    QUOTES,
)

BOTH = [(0, 21), (30, 39)]
STEPLESS = 1  # each of these files also lacks steps, which is said


@pytest.mark.parametrize(
    ("name", "times", "said"),
    [
        ("cut-off", BOTH, "the file ends early; last event dropped"),
        ("cut-between", BOTH, "the file ends early; all before that is shown"),
        ("trailing-commas", BOTH, f"1 event repaired: {COMMAS}"),
        (
            "bare-values",
            [(0, 21), (25, 27), (30, 39)],
            f"1 event repaired: {BARE_VALUES}",
        ),
        ("raw-quotes", BOTH, f"2 events repaired: {QUOTES}"),
        ("stray-backslashes", BOTH, f"1 event repaired: {BACKSLASHES}"),
        ("not-utf8", BOTH, f"1 event repaired: {NOT_UTF8}"),
        ("broken-beyond-repair", BOTH, "1 event too damaged to repair left out"),
        ("control-characters", BOTH, None),
        ("nul-padding", BOTH, None),
        ("missing-comma", BOTH, None),
        ("duplicate-keys", [(0, 21), (35, 44)], None),
        ("huge-numbers", BOTH, None),
        ("objects-in-arguments", BOTH, None),
        ("event-in-a-name", [(0, 21), (23, 28), (30, 39)], None),
    ],
)
def test_each_damage_is_repaired_or_counted(kineto, spans_us, name, times, said):
    recording = kineto(name)
    assert [(start, end) for _, start, end in spans_us(recording)] == times
    assert list(recording.warnings[:-STEPLESS]) == ([said] if said else [])


def test_only_the_backslashes_that_escape_nothing_are_doubled(kineto):
    assert kineto("stray-backslashes").spans.names == (
        r"C:\users\alpha\new_table.cu",
        'he said "ok" é \\ fine',
    )


def test_quotation_marks_in_a_name_are_kept(kineto):
    assert kineto("raw-quotes").spans.names == ('say "hi" there', 'f("a", b)')


def test_lone_surrogates_become_something_that_can_be_printed(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(r'[{"ph":"X","cat":"kernel","name":"a\ud800b","ts":1,"dur":2}]')
    (name,) = load(str(path)).spans.names
    assert name.encode() == b"a?b"


@pytest.fixture(scope="session")
def outcome(tmp_path_factory, is_sound):
    """Load bytes: what comes back is a sound recording or one sentence."""
    path = tmp_path_factory.mktemp("damage") / "trace.json"

    def load_bytes(content):
        path.write_bytes(content)
        try:
            recording = load(str(path))
        except TraceError as refused:
            return str(refused).startswith(f"{path}: ") and "\n" not in str(refused)
        return is_sound(recording)

    return load_bytes


@pytest.mark.parametrize("name", ["launched-steps", "gpu-step-rows"])
def test_a_file_cut_at_any_byte_is_read_or_refused(path_of, outcome, name):
    content = path_of(name).read_bytes()
    assert all(outcome(content[:cut]) for cut in range(len(content)))


@pytest.mark.parametrize("flip", [1, 4, 0x80])
def test_a_file_with_any_bit_flipped_is_read_or_refused(path_of, outcome, flip):
    content = bytearray(path_of("step-behind-the-clock").read_bytes())
    for at in range(len(content)):
        content[at] ^= flip
        assert outcome(bytes(content)), at
        content[at] ^= flip


@given(data=st.data())
def test_a_file_with_anything_put_anywhere_is_read_or_refused(data, path_of, outcome):
    content = path_of("launched-steps").read_bytes()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        until = data.draw(st.integers(at, min(at + 40, len(content))))
        junk = data.draw(
            st.binary(max_size=6)
            | st.sampled_from(
                [b'"', b"\\", b"{", b"}", b"]", b",", b"inf", b"-", b"\0"]
            )
        )
        content = content[:at] + junk + content[until:]
    assert outcome(content)
    assert outcome(gzip.compress(content, mtime=0)[: len(content) // 3])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ts", "dur", "pid", "tid", "name", "cat", "ph", "args"]),
            st.sampled_from(
                [
                    "null",
                    "true",
                    '"x"',
                    "[]",
                    "{}",
                    "-1",
                    "1e400",
                    "9" * 400,
                    "NaN",
                    '"7"',
                ]
            ),
        ),
        max_size=5,
    )
)
def test_fields_of_any_type_are_read_or_refused(outcome, fields):
    odd = "".join(f',"{key}":{value}' for key, value in fields)
    good = '{"ph":"X","cat":"kernel","name":"a","ts":5,"dur":3,"args":{}}'
    launch = (
        '{"ph":"X","cat":"cuda_runtime","name":"l","ts":1,"args":{"correlation":%s}}'
    )
    rows = [good, good[:-1] + odd + "}", launch % 3, launch % '"x"', launch % "1e9"]
    mark = '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","ts":0,"dur":9'
    assert outcome(f"[{','.join([*rows, mark + odd + '}'])}]".encode())
