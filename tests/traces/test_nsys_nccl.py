"""What NCCL notes of its calls, onto the kernels that they launched."""

import json
import math
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from overlap_widget.model.timeline import Collective
from overlap_widget.model.traces import nsys_sqlite
from overlap_widget.model.traces.nccl_calls import Call, transfers_of
from overlap_widget.model.traces.options import Options

SQL = Path(__file__).parents[1] / "data" / "nsys" / "nccl.sql"
COMMUNICATOR, THREAD = 0xAB, 16777217000
INIT, MOVE = 258, 259  # payload schemas


def packed(schema, *values):
    """A payload as Nsight Systems exports it: 32 bytes, then the fields."""
    code = {INIT: "<QIIII", MOVE: "<QQQ"}[schema]
    payload = struct.pack(code, *values)
    return (
        struct.pack("<IIIIQQ", 1, 0, schema, 0, len(payload), 32 + len(payload))
        + payload
    )


def as_json(schema, *values):
    names = {
        INIT: ("NCCL communicator ID", "No. of ranks", "Rank"),
        MOVE: ("NCCL communicator ID", "Message size [bytes]"),
    }
    return json.dumps({"NCCL": [dict(zip(names[schema], values, strict=False))]})


# start, end, name, payload; the call of ncclReduceScatter launched two kernels
CALLS = [
    (100, 200, 9, (INIT, COMMUNICATOR, 4, 1, 0, 0)),
    (1000, 2000, 2, (MOVE, COMMUNICATOR, 1000, 0)),
    (3000, 4000, 3, (MOVE, COMMUNICATOR, 300, 0)),
    (5000, 5100, 4, None),
    (5200, 5400, 5, (MOVE, COMMUNICATOR, 70, 0)),
    (5500, 5700, 6, (MOVE, COMMUNICATOR, 50, 0)),
    (6000, 7000, 7, None),
    (7100, 8000, 8, (MOVE, COMMUNICATOR, 10, 0)),
]


@pytest.fixture
def load(tmp_path):
    def loaded(calls, text=False):
        path = tmp_path / "nccl.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(SQL.read_text())
            for start, end, name, payload in calls:
                data = packed(*payload) if payload and not text else None
                noted = as_json(*payload) if payload and text else None
                row = (start, end, 59, name, THREAD, noted, data)
                connection.execute(
                    "INSERT INTO NVTX_EVENTS VALUES (?,?,?,?,?,?,?)", row
                )
            connection.commit()
        (recording,) = nsys_sqlite.load(str(path), Options())
        return recording

    return loaded


@pytest.mark.parametrize("text", [False, True])
def test_sizes_and_operations_come_from_the_call_that_launched_a_kernel(load, text):
    recording = load(CALLS, text)
    spans = recording.spans
    assert [Collective(one).name for one in spans.collective] == [
        "ALL_REDUCE",
        "ALL_GATHER",
        "SEND_RECV",
        "REDUCE_SCATTER",
        "REDUCE_SCATTER",
    ]
    # an all-gather of 4 ranks makes 4 * 300; of send and receive the larger counts;
    # what two kernels share is unknown
    assert spans.size_bytes[:3].tolist() == [1000, 1200, 70]
    assert all(math.isnan(size) for size in spans.size_bytes[3:])


def test_the_communicator_is_the_group_and_tells_the_rank(load):
    recording = load(CALLS)
    assert recording.rank == 1
    assert recording.group.tolist() == 5 * [0]
    (group,) = recording.groups
    assert (group.name, group.size) == ("ab", 4)


def test_the_rank_is_that_in_the_largest_communicator(load):
    small, large = (INIT, 0xCD, 2, 0, 0, 0), (INIT, 0xEF, 16, 11, 0, 0)
    starts = [(20, 30, 9, small), (40, 50, 9, large), (60, 70, 9, small)]
    assert load([*starts, *CALLS]).rank == 11


def test_without_the_start_of_the_communicator_parts_stay_of_unknown_size(load):
    recording = load(CALLS[1:])
    sizes = recording.spans.size_bytes.tolist()
    assert sizes[0] == 1000
    assert math.isnan(sizes[1])
    assert sizes[2] == 70
    assert recording.rank is None
    assert recording.groups[0].size is None


def test_without_launches_the_calls_tell_nothing(load, monkeypatch):
    sql = SQL.read_text() + "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;"
    monkeypatch.setattr(type(SQL), "read_text", lambda _: sql)
    assert set(load(CALLS).spans.collective.tolist()) == {Collective.UNKNOWN}


def test_calls_of_another_thread_tell_nothing(load, monkeypatch):
    monkeypatch.setattr(f"{__name__}.THREAD", THREAD + 1)
    recording = load(CALLS)
    assert set(recording.spans.collective.tolist()) == {Collective.UNKNOWN}
    assert recording.group.tolist() == 5 * [-1]


@pytest.mark.parametrize("cut", [0, 10, 31, 33, 40, 47])
def test_a_cut_payload_tells_only_what_it_holds(load, monkeypatch, cut):
    whole = packed
    monkeypatch.setattr(f"{__name__}.packed", lambda *values: whole(*values)[:cut])
    sizes = load(CALLS[1:2]).spans.size_bytes
    assert all(math.isnan(size) for size in sizes)


def test_groups_may_nest_and_a_capture_may_start_inside_one():
    def call(name, start, size=None):
        fields = {"Message size [bytes]": size} if size is not None else {}
        return Call(name, start, start + 1, 7, fields)

    calls = [
        call("ncclGroupEnd", 0),
        call("ncclAllReduce", 2, 5),
        call("ncclGroupStart", 4),
        call("ncclGroupStart", 6),
        call("ncclAllReduce", 8, 11),
        call("ncclGroupEnd", 10),
        call("ncclBroadcast", 12, 13),
        call("ncclGroupEnd", 14),
        call("ncclSend", 16),
    ]
    found = transfers_of(calls).transfers
    assert [(one.start_ns, one.operation) for one in found] == [
        (2, "AllReduce"),
        (14, ""),
        (16, "SendRecv"),
    ]
    assert [one.size_bytes for one in found[:2]] == [5, 24]
    assert math.isnan(found[2].size_bytes)
