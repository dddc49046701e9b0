"""A file of an unknown kind is refused for what its start tells, and no more is read.

What is read can be ended by the progress.
"""

import gzip
import io
import random
import tarfile

import pytest

from overlap_widget.model.traces import Options, TraceError, load_all, opening
from overlap_widget.model.traces.starts import HEAD_BYTES

NOISE = b"\x01" + random.Random(7).randbytes(8 * HEAD_BYTES)
WORDS = b"no trace of anything, and so on;\n" * (HEAD_BYTES // 4)


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


class EndedError(Exception):
    """What a progress raises."""


def test_the_look_for_the_end_of_a_gzip_file_can_be_ended(refused):
    def end(_):
        raise EndedError

    with pytest.raises(EndedError):
        refused(gzip.compress(NOISE), end)
