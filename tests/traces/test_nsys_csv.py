"""The GPU trace of `nsys stats`: banners, units and what else is in the output."""

import gzip
import math
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.breakdown import break_down
from overlap_widget.model.recording import window
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces import TraceError, nsys_csv
from overlap_widget.model.traces.exact_units import bytes_of, nanoseconds_of
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.sentences import BACKWARD_GUESSED, ONE_RANK

DATA = Path(__file__).parents[1] / "data" / "nsys_csv"
HEADER = "Start (ns),Duration (ns),Device,Strm,Name\n"


@pytest.fixture
def load(tmp_path):
    """Load a situation, or a file of this text."""

    def loaded(name=None, text=None, **options):
        path = DATA / f"{name}.csv" if name else tmp_path / "trace.csv"
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        assert nsys_csv.recognises(path.read_bytes()[: 1 << 16])
        return nsys_csv.load(str(path), Options(**options))

    return loaded


def rows(recording, scale=1e9):
    """Name, start and length of the spans in nanoseconds."""
    spans = recording.spans
    return [
        (
            spans.names[name].partition("<")[0],
            round(start * scale, 3),
            round((end - start) * scale, 3),
        )
        for name, start, end in zip(spans.name, spans.start_s, spans.end_s, strict=True)
    ]


def test_the_trace_stands_between_banners_and_a_summary(load):
    # ns        0        2000    3000           6000  7000
    # stream 7  [      gemm      ]
    # stream 20          [       all-reduce     ]     [copy between GPUs]
    (recording,) = load("new")
    assert rows(recording) == [
        ("gemm", 0, 3000),
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 2000, 4000),
        ("[CUDA memcpy Peer-to-Peer]", 7000, 500),
        ("[CUDA memset]", 8000, 100),
    ]
    assert recording.devices == (1,)
    assert recording.origin_ns == 1000
    assert recording.spans.stream.tolist() == [7, 20, 13, 7]
    found = break_down(window(recording, 1, None).timeline)
    assert round(found.hidden_s * 1e9) == 1000
    assert recording.warnings == (ONE_RANK, nsys_csv.NO_MARKS, BACKWARD_GUESSED)


def test_copies_between_gpus_have_their_bytes(load):
    (recording,) = load("new")
    spans = recording.spans
    assert spans.kind.tolist() == [Kind.COMPUTE, Kind.COMMUNICATION, 2, 2]
    assert spans.collective[2] == Collective.PEER_COPY
    assert math.isnan(spans.size_bytes[1])
    assert spans.size_bytes[2:].tolist() == [2_097_000, 0]


def test_starts_in_seconds_and_lengths_in_nanoseconds_are_exact(load):
    (recording,) = load("seconds")
    assert rows(recording) == [
        ("gemm", 0, 3000),
        ("ncclKernel_AllReduce_RING_LL_Sum_float", 2500, 4000),
    ]
    assert recording.origin_ns == 1_000_001_000


def test_units_may_stand_in_a_row_of_their_own(load):
    (recording,) = load("unit-row")
    assert rows(recording) == [("gemm", 0, 2500), ("[CUDA memcpy PtoP]", 750, 1500)]
    assert recording.spans.size_bytes.tolist() == [0, 4000]


def test_other_separators_and_streams_of_two_contexts(load):
    (recording,) = load("semicolons")
    assert rows(recording) == [("gemm(int, int)", 0, 2250), ("other", 1500, 1000)]
    assert recording.spans.stream.tolist() == [7, 107]


def test_kernels_with_their_launches_are_split_by_process(load):
    first, second = load("exec-trace")
    assert (first.rank, second.rank) == (0, 1)
    assert rows(first) == [("gemm", 0, 5000), ("ncclDevKernel_AllReduce", 1000, 1000)]
    assert rows(second) == [("gemm", 0, 2000)]
    # launched behind the gemm, which ends later
    assert first.spans.ready_s[1] == first.spans.start_s[1]
    assert any("holds 2 traces" in said for said in first.warnings)


def test_the_same_trace_twice_counts_once(load):
    text = (DATA / "new.csv").read_text()
    exec_trace = (DATA / "exec-trace.csv").read_text()
    (recording,) = load(text=f"{text}\n{exec_trace}\n{text}")
    assert len(recording.spans) == 4


def test_rows_without_a_time_are_counted(load):
    (recording,) = load("cut-off")
    assert rows(recording) == [("gemm", 0, 3000), ("gemm", 4000, 2000)]
    assert "2 rows without a time or cut off left out" not in recording.warnings
    assert "1 row without a time or cut off left out" in recording.warnings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9000,500,A (", "1 row without a time or cut off left out"),
        ("9000,500,A (0),7", "1 row without a time or cut off left out"),
        ('9000,500,A (0),7,"nccl', "the file ends early; last event dropped"),
    ],
)
def test_a_last_row_that_is_cut_off_is_left_out(load, text, said):
    (recording,) = load(text=HEADER + '1000,3000,A (0),7,"gemm<a, b>"\n' + text)
    assert rows(recording) == [("gemm", 0, 3000)]
    assert recording.devices == (0,)
    assert said in recording.warnings


def test_a_last_row_without_a_line_break_is_read(load):
    (recording,) = load(text=HEADER + '1000,3000,A (0),7,"gemm<a, b>"')
    assert rows(recording) == [("gemm", 0, 3000)]


@pytest.mark.parametrize(
    ("unit", "start", "length"),
    [
        ("us", "1000,250", "3,5"),
        ("us", "1000.250", "3.5"),
        ("ns", "1.000.250", "3,500"),
        ("ns", "1000250", "3.500"),
    ],
)
def test_between_semicolons_a_comma_may_stand_in_a_number(load, unit, start, length):
    header = f"Start ({unit});Duration ({unit});Device;Strm;Name\n"
    row = f"{start};{length};A (0);7;gemm<a, b>\n"
    zero = "0;1;A (0);7;first\n"
    (recording,) = load(text=header + zero + row)
    assert rows(recording)[1] == ("gemm", 1_000_250, 3500)


@pytest.mark.parametrize("between", [",", " ", "\u202f", "'"])
def test_thousands_may_be_told_apart(load, between):
    start = f'"1{between}000{between}250"'
    text = f"{HEADER}0,1,A (0),7,first\n{start},3500,A (0),7,gemm\n"
    (recording,) = load(text=text)
    assert rows(recording)[1] == ("gemm", 1_000_250, 3500)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_what_windows_writes_is_read(load, encoding):
    text = (HEADER + "1000,3000,A (2),7,gemm\n").replace("\n", "\r\n")
    packed = text.encode(encoding)
    if encoding == "utf-16-be":
        packed = b"\xfe\xff" + packed
    (recording,) = load(text=packed)
    assert rows(recording) == [("gemm", 0, 3000)]
    assert recording.devices == (2,)


def test_devices_without_a_number_count_up(load):
    (recording,) = load(text=HEADER + "1,2,GPU A,7,x\n2,2,GPU B,7,x\n9,2,GPU A,7,x\n")
    assert recording.device.tolist() == [0, 1, 0]


def test_a_packed_table_is_read_too(tmp_path):
    path = tmp_path / "trace.csv.gz"
    path.write_bytes(gzip.compress((DATA / "new.csv").read_bytes()))
    heard = []
    (recording,) = nsys_csv.load(str(path), Options(progress=heard.append))
    assert len(recording.spans) == 4
    assert heard[-1] == 1
    with pytest.raises(TraceError, match="the limit here"):
        nsys_csv.load(str(path), Options(limit_bytes=100))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Time (%),Total Time (ns),Instances,Name\n50,7,1,gemm\n", "other reports"),
        (
            "Start (ns),Duration (ns),Name,Result,Pid,Tid\n1,2,cudaMalloc,0,9,9\n",
            "other reports",
        ),
        (HEADER, "its table has no rows"),
        (HEADER + "early,2,A (0),7,gemm\n", "none of its 1 row has a time"),
        (HEADER + "1,2,A (0),7,[CUDA memset]\n", "copies and fills and no kernels"),
        (HEADER.replace(" (ns)", "") + "1,2,A (0),7,gemm\n", "no unit of its times"),
        (HEADER + f'1,2,A,7,"{"x" * 2_000_000}\n', "is no table at line 2 of it"),
    ],
)
def test_what_can_not_be_read_is_told(load, text, sentence):
    with pytest.raises(TraceError, match=sentence):
        load(text=text)


@pytest.mark.parametrize(
    "text", ["", "a,b,c\n1,2,3\n", "Start (ns)\n1\n", "{}", "\x00\x01\x02,\n" * 9]
)
def test_other_tables_are_not_recognised(text):
    assert not nsys_csv.recognises(text.encode())


@given(st.integers(0, 2**60), st.integers(0, 9))
def test_times_keep_every_nanosecond_in_any_unit(ns, zeros):
    for unit_ns in (1, 1000, 10**6, 10**9):
        text = format(Decimal(ns) / unit_ns, "f") + (
            "0" * zeros if Decimal(ns) % unit_ns else ""
        )
        assert nanoseconds_of(text, unit_ns) == ns
    assert nanoseconds_of(f"{ns:,}", 1) == ns


@pytest.mark.parametrize(
    "text", ["", "None", "nan", "inf", "1.2.3", "--", "1e99999", "٣x"]
)
def test_what_is_no_number_is_no_time_and_no_size(text):
    assert nanoseconds_of(text, 1) is None
    assert math.isnan(bytes_of(text, 1))
    assert math.isnan(bytes_of("-5", 1))
