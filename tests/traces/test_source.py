"""Files of every kind: told by content, read as far as they can be, or named."""

import contextlib
import gzip
import os
import sqlite3
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import load, opening, unpacking
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.source import chunks
from overlap_widget.model.traces.unpacking import GZIP_DAMAGED, GZIP_ENDS_EARLY

TEXT = b'{"traceEvents":[' + b",".join(b'{"n":%d}' % n for n in range(9000)) + b"]}"


@pytest.fixture
def text_of(tmp_path):
    """Write bytes to a file and read its text back, with what was wrong."""

    def read(content, name="trace.json"):
        path = tmp_path / name
        path.write_bytes(content)
        damage = Counter()
        return b"".join(chunks(str(path), damage)), damage

    return read


def test_plain_and_gzip_give_the_same_text_whatever_their_names(text_of):
    assert text_of(TEXT, "trace.gz") == (TEXT, Counter())
    assert text_of(gzip.compress(TEXT), "trace.json") == (TEXT, Counter())


def test_several_gzip_members_are_one_text_and_padding_is_none(text_of):
    packed = gzip.compress(TEXT[:500]) + gzip.compress(TEXT[500:])
    assert text_of(packed) == (TEXT, Counter())
    assert text_of(packed + b"\0" * 700) == (TEXT, Counter())
    apart = gzip.compress(TEXT[:500]) + b"\0" * 9 + gzip.compress(TEXT[500:])
    assert text_of(apart) == (TEXT, Counter())


def test_a_byte_order_mark_and_blanks_are_dropped(text_of):
    assert text_of(b"\xef\xbb\xbf\r\n \0" + TEXT) == (TEXT, Counter())


def test_a_cut_gzip_gives_what_is_readable(text_of):
    packed = gzip.compress(TEXT)
    text, damage = text_of(packed[: len(packed) // 2])
    assert TEXT.startswith(text)
    assert len(text) > len(TEXT) // 4
    assert damage == {GZIP_ENDS_EARLY: 1}


def test_a_damaged_gzip_gives_what_comes_before_the_damage(text_of):
    packed = bytearray(gzip.compress(TEXT))
    middle = len(packed) // 2
    packed[middle : middle + 40] = b"\xff" * 40
    text, damage = text_of(bytes(packed))
    assert text.startswith(TEXT[: len(TEXT) // 4])
    assert damage == {GZIP_DAMAGED: 1}


def test_a_file_larger_than_a_chunk_comes_in_pieces(text_of, monkeypatch):
    monkeypatch.setattr(opening, "PIECE_BYTES", 1000)
    monkeypatch.setattr(unpacking, "MOST_BYTES", 1000)
    assert text_of(TEXT) == (TEXT, Counter())
    assert text_of(gzip.compress(TEXT)) == (TEXT, Counter())


def test_progress_rises_to_one(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "PIECE_BYTES", len(TEXT) // 4 + 1)
    path = tmp_path / "trace.json"
    path.write_bytes(TEXT)
    heard = []
    list(chunks(str(path), Counter(), heard.append))
    assert heard == sorted(heard)
    assert len(heard) == 4
    assert heard[-1] == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b" \n\0 ", "holds nothing but blanks"),
        (gzip.compress(b"", mtime=0), "holds nothing but blanks"),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), "gzip inside gzip"),
        (b"PK\x03\x04rest", "a ZIP archive"),
        (b"<!doctype html><title>x</title>", "an HTML or XML page"),
        (b"\xff\xfe{\0}\0", "UTF-16 text"),
        (b"\x28\xb5\x2f\xfdabc", "zstd"),
        (b"Start (ns),Duration (ns),CorrId,Name\n1,2,3,x\n", "comma-separated"),
        (b"plain words", "not JSON"),
        (b"\x07\x9b\x01binary\0\0", "not JSON"),
    ],
)
def test_what_is_no_json_is_named(text_of, content, said):
    with pytest.raises(TraceError, match=said) as refused:
        text_of(content)
    assert "trace.json: " in str(refused.value)


def test_a_database_is_named(tmp_path, text_of):
    path = tmp_path / "report.sqlite"
    database = sqlite3.connect(path)
    database.execute("create table kernels (start int)")
    database.close()
    with pytest.raises(TraceError, match=r"SQLite database; read are traces"):
        text_of(path.read_bytes())


def test_a_report_without_a_magic_number_is_named_by_its_suffix(text_of):
    with pytest.raises(TraceError, match="an Nsight Systems report"):
        text_of(b"\x01\x02", "run.nsys-rep")


def test_a_directory_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(TraceError, match="is a directory"):
        list(chunks(str(tmp_path), Counter()))
    with pytest.raises(TraceError, match="no such file"):
        list(chunks(str(tmp_path / "none.json"), Counter()))
    with pytest.raises(TraceError, match="can't be opened"):
        list(chunks("nul\0byte", Counter()))


def test_a_pipe_or_a_device_is_named_and_never_waited_for(tmp_path):
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)  # nobody writes to it
    (tmp_path / "link.json").symlink_to(pipe)
    for path in (pipe, str(tmp_path / "link.json"), os.devnull):
        with pytest.raises(TraceError) as raised:
            load(path)
        assert str(raised.value) == (
            f"{path}: is a pipe or a device, and traces are read more than once; save "
            "it as a file and name that"
        )


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(TraceError, match="permission denied"):
        list(chunks(str(tmp_path / "trace.json"), Counter()))


@given(data=st.data())
def test_a_gzip_damaged_anywhere_gives_text_or_a_sentence(data, tmp_path_factory):
    packed = bytearray(gzip.compress(TEXT[:3000], mtime=0))
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.mktemp("gz") / "trace.json"
    path.write_bytes(packed[: data.draw(st.integers(at, len(packed)))])
    with contextlib.suppress(TraceError):
        list(chunks(str(path), Counter()))
