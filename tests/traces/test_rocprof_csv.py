"""Tables of rocprof: which table is what, and what is read beside a kernel trace."""

import math
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces import TraceError, rocprof_csv
from overlap_widget.model.traces.options import Options

DATA = Path(__file__).parents[1] / "data" / "rocprof"


@pytest.fixture
def load():
    """Load a table; it is recognised by its start."""

    def loaded(path, **options):
        path = DATA / path
        if path.exists():
            assert rocprof_csv.recognises(path.read_bytes()[: 1 << 16])
        return rocprof_csv.load(str(path), Options(**options))

    return loaded


def named(recording):
    spans = recording.spans
    return [spans.names[name].partition("(")[0].strip() for name in spans.name]


def test_a_run_is_read_with_its_launches_markers_and_copies(load):
    (recording,) = load("run_kernel_trace.csv")
    assert named(recording) == [
        "MEMORY_COPY_HOST_TO_DEVICE",
        "void gemm<float>",
        "ncclDevKernel_Generic_4",
        "MEMORY_COPY_DEVICE_TO_DEVICE",
        "MEMORY_COPY_DEVICE_TO_DEVICE",
        "void gemm<float>",
    ]
    # nodes 2 and 4 are GPUs 0 and 1
    assert recording.device.tolist() == [1, 1, 1, 0, 0, 0]
    assert [step.name for step in recording.steps] == ["6", "7"]
    kernels = recording.spans.kind != Kind.OTHER
    assert recording.step[kernels].tolist() == [0, 0, 1]
    assert recording.spans.stream[kernels].tolist() == [1, 5, 1]
    assert not [said for said in recording.warnings if "of another time" in said]


def test_a_copy_between_gpus_is_told_by_its_agents(load):
    spans = load("run_kernel_trace.csv")[0].spans
    peer = np.flatnonzero(spans.collective == Collective.PEER_COPY)
    (row,) = peer.tolist()
    assert spans.names[spans.name[row]] == "MEMORY_COPY_DEVICE_TO_DEVICE (peer)"
    assert math.isnan(spans.size_bytes[row])  # the table has no bytes


def test_a_call_of_rccl_names_the_collective_of_a_generic_kernel(load):
    spans = load("run_kernel_trace.csv")[0].spans
    assert spans.collective[2] == Collective.ALL_REDUCE


def test_a_kernel_trace_alone_is_read_by_itself(load, tmp_path):
    alone = tmp_path / "run_kernel_trace.csv"
    shutil.copy(DATA / alone.name, alone)
    (recording,) = load(alone)
    assert len(recording.spans) == 3
    assert recording.devices == (2, 4)
    assert recording.spans.collective[1] == Collective.UNKNOWN
    assert any("no step is marked" in said for said in recording.warnings)


def test_a_run_may_lie_in_an_archive(load, tmp_path):
    archive = tmp_path / "run.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in DATA.glob("run_*.csv"):
            packed.write(path, path.name)
    (recording,) = load(archive / "run_kernel_trace.csv")
    assert [step.name for step in recording.steps] == ["6", "7"]


def test_old_columns_are_read_and_a_cut_off_row_is_counted(load):
    # ns      0       1000      3000        6000
    # queue 3 [     gemm        ]
    # queue 4         [      collective     ]
    (recording,) = load("old_kernel_trace.csv")
    assert named(recording) == ["gemm", "ncclDevKernel_Generic_4"]
    assert recording.spans.stream.tolist() == [3, 4]
    assert [round(end * 1e9) for end in recording.spans.end_s] == [3000, 6000]
    assert "1 row without a time or cut off left out" in recording.warnings
    left = "old_memory_copy_trace.csv beside it is of another time and was left aside"
    assert left in recording.warnings


def test_a_broken_table_beside_it_is_said_and_costs_only_itself(load, tmp_path):
    for path in DATA.glob("run_*.csv"):
        shutil.copy(path, tmp_path / path.name)
    (tmp_path / "run_memory_copy_trace.csv").write_bytes(b"")
    (tmp_path / "run_agent_info.csv").write_bytes(b"")
    (recording,) = load(tmp_path / "run_kernel_trace.csv")
    assert [step.name for step in recording.steps] == ["6", "7"]
    assert recording.devices == (2, 4)
    (said,) = [said for said in recording.warnings if "beside it" in said]
    assert said.endswith(
        "run_memory_copy_trace.csv: the file is empty; record the run again"
    )


def test_copies_can_be_looked_at_alone(load):
    (recording,) = load("old_memory_copy_trace.csv")
    assert recording.spans.kind.tolist() == [Kind.OTHER]
    assert recording.devices == (1,)
    assert any("the table holds copies only" in said for said in recording.warnings)


def test_each_table_of_a_run_knows_the_kernel_trace_that_it_is_read_with():
    kernels = str(DATA / "run_kernel_trace.csv")
    for path in DATA.glob("run_*.csv"):
        beside = rocprof_csv.kernels_beside(str(path))
        assert beside == (None if str(path) == kernels else kernels)
    assert rocprof_csv.kernels_beside(str(DATA / "rocprof1.csv")) is None


def test_one_table_of_several_processes_is_split(load):
    first, second = load("rocprof1.csv")
    assert (first.rank, second.rank) == (0, 1)
    assert named(first) == ["gemm", "ncclKernel_SendRecv_RING_SIMPLE_Sum_i8"]
    assert named(second) == ["gemm"]
    assert any("order of their ids" in said for said in first.warnings)


KERNEL_COLUMNS = '"Kernel_Name","Agent_Id","Queue_Id"'


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (
            '"Domain","Function","Process_Id","Start_Timestamp","End_Timestamp"',
            "no GPU work",
        ),
        ('"Node_Id","Agent_Type"', "a list of agents"),
        (
            f'{KERNEL_COLUMNS},"Counter_Name","Start_Timestamp","End_Timestamp"',
            "one by one",
        ),
        ('"Name","Calls","TotalDurationNs"', "sums over kernels"),
        ('"Index","KernelName","gpu-id","queue-id"', "--timestamp on"),
        (
            f'{KERNEL_COLUMNS},"Start_Timestamp","End_Timestamp"',
            "its table has no rows",
        ),
    ],
)
def test_other_tables_say_what_to_open(load, tmp_path, header, sentence):
    path = tmp_path / "table.csv"
    path.write_text(f"{header}\n")
    with pytest.raises(TraceError, match=sentence):
        load(path)


def test_markers_alone_say_what_to_open(load):
    with pytest.raises(TraceError, match=r"open the kernel_trace\.csv of the run"):
        load("run_marker_api_trace.csv")
