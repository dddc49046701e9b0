"""Which loader reads a file is told by its content, whatever the file is called."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from overlap_widget.model.traces import Options, TraceError, load, load_all
from overlap_widget.model.traces.recognise import starts_as_trace
from overlap_widget.model.traces.starts import HEAD_BYTES

DATA = Path(__file__).parents[1] / "data"
KINETO = DATA / "kineto" / "launched-steps.json"
XLA = DATA / "xla" / "tpu-core.json"


@pytest.mark.parametrize(
    "name", ["trace", "trace.csv", "trace.sqlite", "trace.nsys-rep", "trace.zip"]
)
@pytest.mark.parametrize(
    ("source", "said"), [(KINETO, "PyTorch profiler"), (XLA, "JAX/XLA profiler")]
)
def test_the_name_of_a_file_tells_nothing(tmp_path, name, source, said):
    path = tmp_path / name
    for content in (source.read_bytes(), gzip.compress(source.read_bytes())):
        path.write_bytes(content)
        recording = load(str(path))
        assert recording.format.startswith(said)
        assert recording.path == str(path)
        assert starts_as_trace(str(path))


def test_an_xla_trace_whose_names_stand_far_behind_its_events_is_known(tmp_path):
    document = json.loads(XLA.read_text())
    names, events = document["traceEvents"][:4], document["traceEvents"][4:]
    padding = [{"ph": "X", "pid": 9, "name": "x" * 999}] * (HEAD_BYTES // 1000 + 9)
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"traceEvents": events[:-1] + padding + names}))
    assert load(str(path)).format == "JAX/XLA profiler"
    with pytest.raises(TraceError, match="the limit"):
        load_all(str(path), options=Options(limit_bytes=9_999))


def test_a_file_of_an_archive_that_is_no_archive_does_not_exist(tmp_path):
    path = tmp_path / "trace.json"
    shutil.copy(KINETO, path)
    with pytest.raises(TraceError, match="there is no such file"):
        load(f"{path}/inner.json")


@pytest.mark.parametrize(
    "content", [b"", b"  \n", b"\0\0", b"\x1f\x8b", b"{}", b"\xef"]
)
def test_a_file_with_nothing_in_it_gets_one_sentence(tmp_path, content):
    path = tmp_path / "trace.json"
    for packed in (content, gzip.compress(content)):
        path.write_bytes(packed)
        with pytest.raises(TraceError) as refused:
            load(str(path))
        assert str(refused.value).startswith(f"{path}: ")
        assert "\n" not in str(refused.value)
        assert not starts_as_trace(str(path))


@pytest.mark.parametrize("at", [-8, -1], ids=["checksum", "length"])
def test_gzip_whose_end_is_wrong_is_read_and_said(tmp_path, at):
    path = tmp_path / "trace.json.gz"
    packed = bytearray(gzip.compress(KINETO.read_bytes()))
    packed[at] ^= 1
    path.write_bytes(packed)
    assert starts_as_trace(str(path))
    recording = load(str(path))
    assert recording.warnings[0] == "gzip is damaged; all before that is shown"
    assert len(recording.spans) == len(load(str(KINETO)).spans)


def test_a_trace_in_many_gzip_members_is_known(tmp_path):
    path = tmp_path / "trace.json.gz"
    content = KINETO.read_bytes()
    halves = (b"\n", content[:5], content[5:])
    path.write_bytes(b"".join(map(gzip.compress, halves)))
    assert load(str(path)).format.startswith("PyTorch profiler")


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        (gzip.compress(KINETO.read_bytes())[:10], "the gzip file ends early, and"),
        (b"\x1f\x8b\x08" + bytes(40), "the gzip file is damaged at its"),
        (gzip.compress(b" \n"), "holds nothing but blanks"),
    ],
    ids=["cut", "zeros", "blanks"],  # a packed file holds the time
)
def test_gzip_without_text_is_called_that(tmp_path, packed, said):
    path = tmp_path / "trace.json.gz"
    path.write_bytes(packed)
    with pytest.raises(TraceError, match=said):
        load(str(path))


def test_a_start_that_can_not_be_read_is_one_sentence():
    path = "/proc/self/mem"  # opens, but its first page is nobody's
    if not Path(path).exists():
        pytest.skip(f"{path} is of Linux")
    with pytest.raises(TraceError, match=f"^{path}: can't be read past byte 0"):
        load(path)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(TraceError, match="is a directory"):
        load(str(tmp_path))
