"""A file that is refused was read once; of one of an unknown kind, the start alone.

What is read can be ended by the progress.
"""

import gzip
import io
import random
import sqlite3
import tarfile

import pytest

from overlap_widget.model.traces import Options, TraceError, load_all, opening
from overlap_widget.model.traces.starts import HEAD_BYTES

NOISE = b"\x01" + random.Random(7).randbytes(8 * HEAD_BYTES)
WORDS = b"no trace of anything, and so on;\n" * (HEAD_BYTES // 4)
EVENT = b'{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":2}'
NO_WORK = b'{"traceEvents": [%s]}' % b",\n".join((HEAD_BYTES // 9) * [EVENT])


class Counted(io.FileIO):
    """A file that counts what is read of it."""

    read_bytes = 0

    def readinto(self, buffer):
        done = super().readinto(buffer)
        Counted.read_bytes += done
        return done


@pytest.fixture
def refused(tmp_path, monkeypatch):
    """Write a file; the sentence with which it is refused, and what was read of it."""
    monkeypatch.setattr(
        opening, "open", lambda path, _: io.BufferedReader(Counted(path)), raising=False
    )

    def refuse(content, progress=None):
        path = tmp_path / "run.dat"
        path.write_bytes(content)
        Counted.read_bytes = 0
        with pytest.raises(TraceError) as error:
            load_all(str(path), options=Options(progress=progress))
        return str(error.value).removeprefix(f"{path}: "), Counted.read_bytes

    return refuse


def in_tar(content):
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        entry = tarfile.TarInfo("rank0.json")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (NOISE, "is not JSON but a binary file of unknown kind; read are"),
        (WORDS, "is not JSON; read are"),
        (in_tar(NOISE), "is a tar archive; unpack it"),
    ],
    ids=["noise", "words", "tar"],
)
def test_of_a_file_that_is_no_trace_the_start_is_read(refused, pack, content, said):
    sentence, read_bytes = refused(pack(content))
    assert sentence.startswith(said)
    assert read_bytes <= 4 * HEAD_BYTES


@pytest.mark.parametrize("cut", [2000, len(gzip.compress(in_tar(NOISE))) - 9])
def test_what_a_cut_gzip_file_holds_comes_before_its_end(refused, cut):
    assert refused(gzip.compress(in_tar(NOISE))[:cut])[0].startswith("is a tar archive")


def test_a_cut_gzip_file_of_unknown_kind_ends_early_where_its_start_does(refused):
    packed = gzip.compress(WORDS[:1000] + NOISE)
    sentence, _ = refused(packed[:2000])
    assert sentence.startswith("the gzip file ends early, and no GPU work can be read")
    sentence, _ = refused(packed[:-9])  # more than is looked at could be read
    assert sentence.startswith("is not JSON")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (NO_WORK, "no GPU work in the file"),
        (gzip.compress(NO_WORK), "no GPU work in the file"),
        (gzip.compress(NO_WORK)[:-9], "the gzip file ends early, and no GPU work"),
        (NO_WORK[:-9], "the file ends early, and no GPU work"),
    ],
    ids=["plain", "packed", "packed and cut", "plain and cut"],
)
def test_a_trace_without_work_is_read_once(refused, content, said):
    heard = []
    sentence, read_bytes = refused(content, heard.append)
    assert sentence.startswith(said)
    assert heard == sorted(heard)
    starts = 2 * min(HEAD_BYTES, len(content))  # that tell the format
    assert read_bytes <= len(content) + starts


def test_a_database_in_a_gzip_file_that_is_cut_off_is_called_that(refused, tmp_path):
    path = tmp_path / "report.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE StringIds(id, value)")
        rows = [(number, random.Random(number).randbytes(99)) for number in range(999)]
        connection.executemany("INSERT INTO StringIds VALUES(?, ?)", rows)
    connection.close()
    packed = gzip.compress(path.read_bytes())
    sentence, read_bytes = refused(packed[: len(packed) // 2])
    assert sentence.startswith("the gzip file ends early, and no GPU work")
    assert read_bytes <= 2 * len(packed)
    assert "the gzip file" not in refused(packed)[0]


class EndedError(Exception):
    """What a progress raises."""


def end(_):
    raise EndedError


def test_the_look_for_the_end_of_a_gzip_file_can_be_ended(refused):
    with pytest.raises(EndedError):
        refused(gzip.compress(NOISE), end)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_look_for_what_tells_a_json_file_can_be_ended(refused, pack):
    numbers = random.Random(7).choices(range(10**9), k=HEAD_BYTES // 5)
    content = pack(b'{"loss": %s}' % str(numbers).encode())
    with pytest.raises(EndedError):
        refused(content, end)
    assert Counted.read_bytes <= 3 * HEAD_BYTES
    heard = []
    assert refused(content, heard.append)[0].startswith("is JSON, but not a trace")
    assert heard == sorted(heard)
    assert heard[-1] == 1
