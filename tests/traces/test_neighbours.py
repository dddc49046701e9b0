"""Files that are no traces are named for what they are, with what to do about it."""

import pickle

import pytest

from overlap_widget.model.traces import load

PICKLE = {"segments": [], "device_traces": [[]]}


@pytest.mark.parametrize(
    ("content", "what", "advice"),
    [
        (b"\x28\xb5\x2f\xfdabc", "compressed with zstd", "unzstd"),
        (b"\xfd7zXZ\x00abc", "compressed with xz", "unxz"),
        (b"BZh91AY", "compressed with bzip2", "bunzip2"),
        (b"\x04\x22\x4d\x18abc", "compressed with lz4", "unlz4"),
        (b"7z\xbc\xaf\x27\x1cab", "a 7-Zip archive", "unpack it"),
        (b"a" * 257 + b"ustar\0", "a tar archive", "unpack it"),
        (b"PAR1\x15\x04", "a Parquet file", "nsys export --type sqlite"),
        (b"ARROW1\0\0", "an Arrow file", "nsys export --type sqlite"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file", "nsys export --type sqlite"),
        (b"NVR\0\1\0", "an Nsight Compute report", "Nsight Systems"),
        (b"PERFILE2abc", "a recording of Linux perf", "a profiler of the GPU"),
        (b"%PDF-1.7", "a PDF document", "read are"),
        (b"\x89PNG\r\n", "a picture", "open the trace"),
        (b"\xff\xd8\xff\xe0", "a picture", "open the trace"),
        (b"<!DOCTYPE html>", "an HTML or XML page", "read are"),
        ('{"traceEvents":[]}'.encode("utf-16"), "UTF-16 text", "save it as UTF-8"),
        (pickle.dumps(PICKLE), "a memory snapshot of PyTorch", "torch.profiler"),
        (
            pickle.dumps({"version": "2.4", "pg_config": {}, "entries": []}),
            "a dump of PyTorch's NCCL flight recorder",
            "torch.profiler",
        ),
        (pickle.dumps([1, 2]), "a Python pickle", "read are"),
        (
            b"\x0a\x99\x01\x12\x0d/device:GPU:0",
            "an XPlane protocol buffer",
            "raw_to_tool_data",
        ),
        (b"\x0a\x21\x0a\x09/host:CPU", "an XPlane protocol buffer", ".trace.json.gz"),
        (b"\x0a\x05\x50\x01\x60\x02", "a protocol buffer", "traceconv json"),
        (
            b"node1:7:9 [0] NCCL INFO Bootstrap : Using eth0\n",
            "a log of NCCL",
            "a profiler",
        ),
        (
            b"Processing [run.sqlite] with [reports/cuda_gpu_trace.py]...\n\n",
            "output of `nsys stats` without a table",
            "print it again",
        ),
        (b"Index,Name,Start,End\n1,a,2,3\n", "a table of comma", "nsys stats"),
        (b"some\nbanner\n\na,b,c,d\n", "a table of comma", "rocprofv3"),
        (b"plain words", "not JSON", "read are"),
        (b"\x07\x9b\x01\0\0", "not JSON but a binary file", "read are"),
    ],
)
def test_a_file_is_named_by_its_first_bytes(refusal, content, what, advice):
    sentence = refusal(content)
    assert sentence.startswith(f"is {what}")
    assert advice in sentence.partition(";")[2] or advice in sentence


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("run.nsys-rep", "an Nsight Systems report; export it with `nsys export"),
        ("run.qdrep", "an Nsight Systems report; export it with `nsys export"),
        ("run.qdstrm", "QdstrmImporter"),
        ("run.ncu-rep", "an Nsight Compute report"),
        ("host.xplane.pb", "an XPlane protocol buffer"),
        ("run.pftrace", "traceconv json"),
    ],
)
def test_a_file_whose_bytes_tell_nothing_is_named_by_its_suffix(refusal, name, said):
    assert said in refusal(b"\x01\x02\x03", name)
    assert said not in refusal(b"%PDF-1.7", name)  # the bytes come first


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            '{"schema": "1.0.2-chakra.0.0.4", "pid": 7, "nodes": []}',
            "an execution trace of PyTorch (Chakra)",
        ),
        (
            '{"exporter": "speedscope@1.13.0", "profiles": []}',
            "a speedscope profile",
        ),
        (
            '{"version": "2.4", "pg_config": {}, "pg_status": {}, "entries": []}',
            "a dump of PyTorch's NCCL flight recorder",
        ),
        ('{"segments": [], "device_traces": []}', "a memory snapshot of PyTorch"),
        ('{"cells": [], "nbformat": 4}', "a notebook"),
        (
            '[{"name": "mm", "ph": "X", "ts": 1, "dur": 2, "tid": 0, '
            '"pid": "CUDA functions", "args": {}}]',
            "a trace of the autograd profiler of 2018 to 2020",
        ),
        (
            '{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": '
            '{"name": "/device:GPU:0 Compute"}}, {"ph": "X", "cat": "Op", "pid": 1, '
            '"ts": 1, "dur": 2, "name": "MatMul"}]}',
            "a timeline of TensorFlow 1",
        ),
        (
            '{"traceEvents": [{"ph": "X", "cat": "devtools.timeline", "ts": 1, "dur": '
            '2, "name": "RunTask", "pid": 1, "tid": 1}]}',
            "a trace of a web browser",
        ),
        (
            '{"traceEvents": [{"ph": "X", "cat": "FEE", "ts": 1, "dur": 2, "name": '
            '"main", "pid": 1, "tid": 1}], "viztracer_metadata": {}}',
            "a trace of VizTracer",
        ),
        (
            '[{"ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": 1, "pid": 1}]',
            "a timeline of Horovod",
        ),
    ],
)
def test_json_that_is_no_trace_of_a_gpu_is_named(refusal, text, what):
    sentence = refusal(text.encode())
    assert sentence.startswith(f"is {what}")
    assert ";" in sentence


def test_a_trace_of_a_gpu_is_read_whatever_else_it_mentions(tmp_path):
    path = tmp_path / "trace.json"
    path.write_text(
        '{"distributedInfo": {"pg_config": [], "nccl_version": "2.20"}, "traceEvents": '
        '[{"ph": "X", "cat": "kernel", "name": "a", "ts": 1, "dur": 2}, '
        '{"ph": "X", "cat": "Op", "name": "device_traces", "ts": 1, "dur": 2}]}'
    )
    assert len(load(str(path)).spans) == 1


def test_a_run_on_the_cpu_is_no_dump_because_it_names_its_groups(refusal):
    sentence = refusal(
        b'{"distributedInfo": {"pg_config": [], "nccl_version": "2.20"}, '
        b'"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1}]}'
    )
    assert sentence.startswith("no GPU work")


def test_a_line_without_end_takes_no_time(refusal):
    assert refusal(b"a," * 200_000).startswith("is a table")
    assert refusal(b"a" * 400_000).startswith("is not JSON")
