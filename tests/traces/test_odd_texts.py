"""Texts and JSON that are no traces are told so, and what they are instead."""

import gzip

import pytest

from overlap_widget.model.traces import chrome_json

DOCUMENT = '{"a": 1, "b": [true, null]}'
BEFORE_THE_BRACE = "other text stands before the first brace; remove that text"


@pytest.mark.parametrize(
    "content",
    [
        b'hello "ph": 3\n',
        b'a "traceEvents": [] in words\n',
        b'12:30 server got {"traceEvents": 12} and left\n',
        b'step, "ph"\n',
    ],
)
def test_words_of_a_trace_in_another_text_make_it_no_trace(refusal, content):
    said = refusal(content)
    assert said.startswith("is not JSON; read are traces")


@pytest.mark.parametrize(
    "content",
    [
        b'profile of rank 0\n{"traceEvents": [{"ph": "X"}]}',
        b'profile of rank 0\n{ "schemaVersion": 1,\n  "traceEvents" : [{"ph": "X"}]}',
        b'profile of rank 0\n[{"name": "a",\n "ph":"X"}]',
    ],
)
def test_a_trace_behind_other_text_is_told_to_be_without_it(refusal, content):
    assert BEFORE_THE_BRACE in refusal(content)


@pytest.mark.parametrize(
    "content",
    [
        DOCUMENT.encode("utf-32-be"),
        DOCUMENT.encode("utf-32-le"),
        b"{'a': 1}",
        b"{a: 1}",
        b"{{ a }}",
    ],
)
def test_what_is_no_json_from_its_start_on_is_not_called_damaged(refusal, content):
    assert refusal(content) == (
        "is not JSON in UTF-8, at line 1, column 2; open the file that the profiler "
        "wrote"
    )


@pytest.mark.parametrize("content", [b"{", b"{ ", b'{"', b'{"schemaVer'])
def test_what_ends_in_its_first_key_breaks_off(refusal, content):
    assert refusal(content).startswith("breaks off or is damaged before its list of")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_large_document_without_events_is_not_called_damaged(
    refusal, monkeypatch, pack
):
    monkeypatch.setattr(chrome_json, "HELD_BYTES", 1 << 20)
    images = b", ".join(100_000 * [b'{"id": 17, "name": "a.png"}'])
    assert refusal(pack(b'{"images": [%s]}' % images)) == (
        "is not a trace: it has no list of events (traceEvents) in its first 1 MB; "
        "open the file that the profiler wrote"
    )
