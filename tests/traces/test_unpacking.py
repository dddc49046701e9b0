"""Gzip by isal and by zlib give the same text, whole, cut, damaged or oversized."""

import gzip
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import opening, source, unpacking
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.unpacking import (
    GZIP_DAMAGED,
    GZIP_ENDS_EARLY,
    limited,
    unpacked,
)

TEXT = b'{"traceEvents":[' + b",".join(b'{"n":%d}' % n for n in range(900)) + b"]}"
PACKED = gzip.compress(TEXT, mtime=0)


def text_of(packed, size=100):
    pieces = [packed[at : at + size] for at in range(0, len(packed), size)]
    damage = Counter()
    return b"".join(unpacked(lambda: iter(pieces), damage)), damage


@pytest.fixture
def by_zlib(monkeypatch):
    def unpack(packed):
        with monkeypatch.context() as without:
            without.setattr(unpacking, "fast_zlib", None)
            return text_of(packed)

    return unpack


def test_isal_is_what_unpacks_here():
    assert unpacking.fast_zlib.__name__ == "isal.isal_zlib"


@pytest.mark.parametrize(
    "packed",
    [PACKED, PACKED * 2, PACKED + b"\0" * 300 + PACKED, PACKED + b"padding"],
    ids=["one", "two", "apart", "padded"],
)
def test_members_are_one_text_with_either_library(packed, by_zlib):
    assert text_of(packed) == by_zlib(packed)
    assert text_of(packed) == (TEXT * packed.count(PACKED), Counter())


def test_a_stream_cut_anywhere_gives_what_is_readable(by_zlib):
    for cut in range(20, len(PACKED), 7):
        text, damage = text_of(PACKED[:cut])
        slow, _ = by_zlib(PACKED[:cut])
        assert damage == {GZIP_ENDS_EARLY: 1}
        assert TEXT.startswith(text)
        assert len(text) >= len(slow) - 300  # a piece of a match may be held back


def test_a_damaged_stream_gives_each_byte_before_the_damage_once(by_zlib, monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_BYTES", 500)
    for at in range(30, len(PACKED) - 8, 11):
        packed = PACKED[:at] + b"\xff" * 8 + PACKED[at + 8 :]
        text, damage = text_of(packed)
        assert (text, damage) == by_zlib(packed)
        assert TEXT[:at].startswith(text[: at // 2])
        assert damage.total() <= 1


def test_a_wrong_checksum_is_damage_and_loses_nothing():
    packed = PACKED[:-8] + b"\0\0\0\0" + PACKED[-4:]
    assert text_of(packed) == (TEXT, {GZIP_DAMAGED: 1})


@given(data=st.data())
def test_pieces_of_any_size_give_the_same_text(data):
    size = data.draw(st.integers(1, len(PACKED)))
    assert text_of(PACKED, size) == (TEXT, Counter())


def test_a_bomb_unpacks_in_pieces_of_bounded_size(monkeypatch):
    monkeypatch.setattr(unpacking, "MOST_BYTES", 50_000)
    bomb = gzip.compress(b" " * 5_000_000)
    pieces = list(unpacked(lambda: iter([bomb]), Counter()))
    assert sum(map(len, pieces)) == 5_000_000
    assert max(map(len, pieces)) <= 50_000


def test_a_limit_counts_unpacked_bytes_and_says_so(tmp_path):
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * 3_000_000 + b"]"))
    with pytest.raises(TraceError, match=r"bomb.json.gz: unpacks to more than 2 MB"):
        list(source.chunks(str(path), Counter(), limit_bytes=2_000_000))
    assert list(limited("t", iter([b"12", b"3"]), 3)) == [b"12", b"3"]
    with pytest.raises(TraceError):
        list(limited("t", iter([b"12", b"34"]), 3))


def test_a_reader_that_is_cancelled_leaves_no_file_open(tmp_path, monkeypatch):
    path = tmp_path / "trace.json"
    path.write_bytes(TEXT)
    files = []

    def opened(name):
        files.append(opening.opened(name))
        return files[-1]

    def cancel(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(source, "opened", opened)
    with pytest.raises(KeyboardInterrupt):
        list(source.chunks(str(path), Counter(), cancel))
    assert [file.closed for file in files] == [True]


def test_raw_deflate_errors_are_those_that_are_caught():
    with pytest.raises(zlib.error):
        zlib.decompressobj(31).decompress(b"\x1f\x8bnonsense")
    with pytest.raises(unpacking.fast_zlib.error):
        unpacking.fast_zlib.decompressobj(31).decompress(b"\x1f\x8bnonsense")
