"""Traces in a ZIP archive are read where they are, whatever else lies beside them."""

import gzip
import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model.traces import Options, TraceError, load, load_all
from overlap_widget.model.traces.recognise import starts_as_trace

DATA = Path(__file__).parents[1] / "data"
KINETO = (DATA / "kineto" / "launched-steps.json").read_bytes()
XLA = (DATA / "xla" / "tpu-core.json").read_bytes()


def packed(files, method=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


@pytest.fixture
def archive(tmp_path):
    """Write an archive of files and say where it is."""

    def write(files, **how):
        path = tmp_path / "runs.dat"  # the name tells nothing
        path.write_bytes(files if isinstance(files, bytes) else packed(files, **how))
        return str(path)

    return write


@pytest.mark.parametrize(
    "method",
    [
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
        zipfile.ZIP_BZIP2,
        zipfile.ZIP_LZMA,
    ],
)
def test_one_trace_in_an_archive_is_the_trace(archive, method):
    path = archive({"rank0.json": KINETO}, method=method)
    recording = load(path)
    assert recording.path == f"{path}/rank0.json"
    assert recording.format.startswith("PyTorch")
    assert not any("left out" in one for one in recording.warnings)
    assert starts_as_trace(path)


def test_several_traces_are_all_read_and_the_rest_is_named(archive):
    path = archive(
        {
            "runs/": b"",
            "runs/a.json.gz": gzip.compress(KINETO),
            "runs/b.json": XLA,
            "runs/config.json": b'{"lr": 0.1}',
            "readme.txt": b"two runs",
            "__MACOSX/runs/._a.json": b"\0\5\x16\7",
            ".DS_Store": b"\0\0\0\1",
        }
    )
    first, second = load_all(path)
    assert first.path == f"{path}/runs/a.json.gz"
    assert second.path == f"{path}/runs/b.json"
    assert first.warnings[-1] == (
        f"{path}: 2 files in it are no traces and were left out (runs/config.json, "
        "readme.txt)"
    )
    with pytest.raises(TraceError, match="holds 2 processes"):
        load(path)


def test_a_broken_trace_beside_a_whole_one_is_told(archive):
    path = archive({"a.json": KINETO, "b.json": b'{"traceEvents": ['})
    (recording,) = load_all(path)
    assert recording.warnings[-1].startswith(
        f"{path}/b.json: the file ends early, and no GPU work can be read"
    )


def test_tables_that_are_read_with_another_count_once(archive):
    header = "Kind,Agent_Id,Queue_Id,Correlation_Id,Start_Timestamp,End_Timestamp"
    copies = "Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Correlation_Id,"
    path = archive(
        {
            "7_kernel_trace.csv": f"{header},Kernel_Name\n"
            "KERNEL_DISPATCH,1,1,2,10,19,a\n",
            "7_memory_copy_trace.csv": f"{copies}Start_Timestamp,End_Timestamp\n"
            "MEMORY_COPY,MEMORY_COPY_HOST_TO_DEVICE,0,1,3,25,31\n",
        }
    )
    recording = load(path)
    assert len(recording.spans) == 2
    assert recording.path == f"{path}/7_kernel_trace.csv"


def test_a_path_may_lead_into_an_archive(archive):
    path = archive({"a.json": KINETO, "deep/b.json.gz": gzip.compress(XLA)})
    assert load(f"{path}/deep/b.json.gz").format.startswith("JAX")
    with pytest.raises(TraceError, match="there is no such file"):
        load(f"{path}/c.json")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "is a ZIP archive without files"),
        ({"a.txt": b"plain"}, r"without a trace in it \(a.txt\); read are"),
        ({"x/data.pkl": b"\x80\2}q", "x/version": b"3"}, "is a file of torch.save"),
        ({"in.zip": packed({"a.json": KINETO})}, r"without a trace in it \(in.zip\)"),
    ],
)
def test_an_archive_without_a_trace_gets_one_sentence(archive, files, said):
    path = archive(files)
    with pytest.raises(TraceError, match=said) as refused:
        load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert not starts_as_trace(path)


def test_an_encrypted_file_is_one_sentence(archive):
    content = bytearray(packed({"a.json": KINETO}))
    for sign, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(sign) + offset] |= 1
    path = archive(bytes(content))
    with pytest.raises(TraceError, match=r"a.json: is encrypted; unpack it"):
        load(path)


def test_a_way_of_packing_that_nobody_reads_is_one_sentence(archive):
    content = bytearray(packed({"a.json": KINETO}))
    for sign, offset in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        content[content.index(sign) + offset] = 9  # deflate64
    with pytest.raises(TraceError, match=r"a.json: is packed in a way that isn't read"):
        load(archive(bytes(content)))


def test_a_cut_off_archive_is_one_sentence(archive):
    content = packed({"a.json": KINETO})
    with pytest.raises(TraceError, match="is a ZIP archive that is damaged or ends"):
        load(archive(content[: len(content) // 2]))


@settings(max_examples=40)
@given(data=st.data())
def test_an_archive_damaged_anywhere_is_read_or_refused(data, tmp_path_factory):
    content = bytearray(packed({"a.json": KINETO, "b.json": XLA}))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path_factory.mktemp("zip") / "trace.zip"
    path.write_bytes(content)
    try:
        assert load_all(str(path))
    except TraceError as refused:
        assert str(refused).startswith(str(path))  # noqa: PT017
        assert "\n" not in str(refused)  # noqa: PT017


def test_a_bomb_is_refused_by_its_unpacked_bytes_and_fills_no_memory(archive):
    bomb = json.dumps({"traceEvents": []}).encode() + b" " * 60_000_000
    path = archive({"a.json": bomb, "b.json": KINETO})
    tracemalloc.start()
    with pytest.raises(TraceError, match="unpacks to more than 50 MB"):
        load_all(path, options=Options(limit_bytes=50_000_000))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_each_trace_is_its_share_of_the_progress(archive):
    heard = []
    path = archive({"a.json": KINETO, "b.txt": b"no trace", "c.json": XLA})
    load_all(path, options=Options(progress=heard.append))
    assert heard == sorted(heard)
    assert heard[0] == 0.5
    assert heard[-1] == 1.0
