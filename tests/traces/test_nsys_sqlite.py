"""Nsight Systems exports: which rows are what, whose they are and what is said."""

import gzip
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model.breakdown import break_down
from overlap_widget.model.recording import Phase, window
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces import (
    TraceError,
    nsys_sqlite,
    nsys_sqlite_database,
)
from overlap_widget.model.traces.nsys_sqlite_database import (
    Reading,
    Table,
    database,
    integers,
)
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.sentences import ONE_RANK

DATA = Path(__file__).parents[1] / "data" / "nsys"
KERNEL = "(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
KERNEL += "correlationId INTEGER, globalPid INTEGER, demangledName INTEGER)"


@pytest.fixture
def export(tmp_path):
    """Make an export of the SQL of a situation, and more."""

    def made(situation=None, more="", name="report.sqlite"):
        path = tmp_path / name
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            sql = (DATA / f"{situation}.sql").read_text() if situation else ""
            connection.executescript(sql + more)
            connection.commit()
        return str(path)

    return made


@pytest.fixture
def load():
    """Load an export, whatever its processes."""
    return lambda path, **options: nsys_sqlite.load(path, Options(**options))


def named(recording, rows=slice(None)):
    spans = recording.spans
    return [spans.names[name].partition("(")[0] for name in spans.name[rows]]


def microseconds(times_s):
    return [round(float(time_s) * 1e6, 6) for time_s in times_s]


def test_work_belongs_to_the_step_and_phase_that_launched_it(export, load):
    # The clock would put all work of step 3 into step 4, and the rest into none.
    (recording,) = load(export("steps"))
    assert [step.name for step in recording.steps] == ["3", "4"]
    assert recording.step.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [Phase(phase).name for phase in recording.phase[:4]] == [
        "FORWARD",
        "BACKWARD",
        "BACKWARD",
        "OPTIMIZER",
    ]
    assert recording.warnings == (ONE_RANK,)
    assert recording.format == "Nsight Systems (SQLite)"


def test_the_numbers_of_a_step_are_worked_by_hand(export, load):
    # us      12      15      17   19      22  23  24
    # 7       [ gemm ][ grad      ]            [opt]
    # 20                      [ all-reduce ]
    (recording,) = load(export("steps"))
    found = break_down(window(recording, 0, 0).timeline)
    assert microseconds(
        [found.compute_s, found.communication_s, found.hidden_s, found.tail_s]
    ) == [8, 5, 2, 3]
    ready = recording.spans.ready_s[recording.spans.kind == Kind.COMMUNICATION]
    assert microseconds(ready) == [17 - 12, 35 - 12]


def test_the_backward_functions_of_pytorch_tell_the_pass(export, load):
    # Only the thread of the autograd engine has ranges, by name of the function.
    more = (
        "DELETE FROM NVTX_EVENTS WHERE text NOT LIKE 'step%'; INSERT INTO NVTX_EVENTS "
    )
    function = "autograd::engine::evaluate_function: {}, op_id = 7"
    times = ((5900, 7000, "AddBackward0"), (7900, 9000, "AccumulateGradBackward"))
    values = [
        f"({start}, {end}, 59, '{function.format(name)}', 16777217001, NULL)"
        for start, end, name in (*times, (19900, 21000, "x"), (21900, 23000, "y"))
    ]
    (recording,) = load(export("steps", f"{more} VALUES {', '.join(values)};"))
    phases = [Phase(phase).name for phase in recording.phase]
    assert phases[:4] == ["FORWARD", "BACKWARD", "BACKWARD", "UNKNOWN"]
    assert phases[4:] == 4 * ["UNKNOWN"]  # x and y are no backward functions


def test_old_exports_tell_processes_by_the_calls_that_launched_the_work(export, load):
    first, second = load(export("no-process-ids"))
    assert (first.rank, second.rank) == (0, 1)
    assert named(first) == ["gemm", "ncclKernel_AllReduce_RING_LL_Sum_float"]
    assert named(second) == ["gemm"]
    assert second.devices == (1,)
    assert "numbered in the order of their ids (7, 9)" in first.warnings[0]


@pytest.mark.parametrize(
    "more",
    [
        "CREATE TABLE MPI_RANKS (globalTid INTEGER, rank INTEGER);"
        "INSERT INTO MPI_RANKS VALUES (117440519, 5), (150994953, 2);",
        "CREATE TABLE NVTX_EVENTS (start, end, text TEXT, globalTid INTEGER);"
        "INSERT INTO NVTX_EVENTS VALUES (1, 2, '[rank=5]', 117440519),"
        "(1, 2, 'global_rank 2', 150994953), (3, 4, 'local_rank 7', 150994953),"
        "(5, 6, 'send to rank 5', 150994953);",
    ],
)
def test_ranks_that_the_report_tells_come_before_the_order_of_process_ids(
    export, load, more
):
    recordings = load(export("no-process-ids", more))
    assert [recording.rank for recording in recordings] == [2, 5]
    assert [recording.devices for recording in recordings] == [(1,), (0,)]
    assert not [said for said in recordings[0].warnings if "order of their ids" in said]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SLURM_PROCID", "6"),
        ("DeviceEnvironment", "HOME=/;OMPI_COMM_WORLD_RANK=6;OMPI_COMM_WORLD_RANKS=9"),
        ("Environment", "LOCAL_RANK=1;NOTRANK=2;RANK=6;SLURM_PROCID=3"),
    ],
)
def test_one_process_has_the_rank_of_the_environment(export, load, name, value):
    env = "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
    env += f"INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('{name}', '{value}');"
    (recording,) = load(export("steps", env))
    assert recording.rank == 6
    assert recording.warnings == ()
    # the environment of the launcher tells nothing of several processes
    assert [one.rank for one in load(export("no-process-ids", env, "two.sqlite"))] == [
        0,
        1,
    ]


def test_a_graph_counts_once_whole_or_by_its_nodes(export, load):
    # us          0        8        20   24 25   29
    # compute     [graph 5 ]        [ a  ]  [ b  ]   8 + 4 + 4
    # all-reduce       [4-10]                        6, of which 4 hidden
    (recording,) = load(export("graphs"))
    assert named(recording) == ["CUDA graph 5", "ncclDevKernel_AllReduce", "a", "b"]
    found = break_down(window(recording, 0, None).timeline)
    assert microseconds([found.compute_s, found.communication_s, found.hidden_s]) == [
        16,
        6,
        4,
    ]
    (said,) = [said for said in recording.warnings if "graph" in said]
    assert said.startswith("1 whole CUDA graph block counts as compute")
    assert "--cuda-graph-trace=node" in said


def test_copies_are_neither_and_those_between_devices_are_told_apart(export, load):
    (recording,) = load(export("copies"))
    assert named(recording) == [
        "gemm",
        "[CUDA memcpy Host-to-Device]",
        "[CUDA memcpy Peer-to-Peer]",
        "[CUDA memcpy Device-to-Device]",
        "[CUDA memcpy Peer-to-Peer]",
        "[CUDA memcpy Unknown]",
        "[CUDA memset]",
    ]
    assert recording.spans.kind.tolist() == [Kind.COMPUTE] + 6 * [Kind.OTHER]
    peer = recording.spans.collective == Collective.PEER_COPY
    assert np.flatnonzero(peer).tolist() == [2, 4]
    assert recording.spans.size_bytes.tolist() == [0, 0, 4096, 0, 8192, 0, 0]


def test_unified_memory_that_moves_between_devices_is_a_peer_copy(export, load):
    more = "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = copyKind - 64 "
    (recording,) = load(export("copies", f"{more} WHERE copyKind = 77;"))
    spans = recording.spans
    assert named(recording)[5] == "[CUDA memcpy Unified Device-to-Device]"
    assert spans.collective[5] == Collective.PEER_COPY
    assert spans.size_bytes[5] == 100


def test_streams_of_two_contexts_do_not_clip_each_other(export, load):
    # Both contexts count a stream 7; the first kernel outlasts the second one.
    more = "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN contextId INTEGER;"
    more += "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET contextId = 3;"
    more += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
    more += "(1000, 2000, 0, 7, 2, 16777216000, 1, 4);"
    (recording,) = load(export("copies", more))
    assert recording.spans.stream[:2].tolist() == [7, 107]
    assert microseconds(recording.spans.end_s[:2]) == [5, 2]


def test_times_are_on_the_clock_that_reports_of_other_machines_share(export, load):
    start = "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER{}); "
    start += (
        "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000{});"
    )
    (older,) = load(export("steps", start.format("", "")))
    assert older.origin_ns == 1700000000000000000 + 12000
    newer = start.format(", systemClockNs INTEGER", ", 7000")
    (newer,) = load(export("steps", newer, "newer.sqlite"))
    assert newer.origin_ns == 1700000000000000000 + 12000 - 7000


def test_tables_may_carry_versions_or_be_views(export, load):
    plain = load(export("steps"))
    more = "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO rows;"
    more += "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM rows;"
    more += "ALTER TABLE NVTX_EVENTS RENAME TO NVTX_EVENTS_V3;"
    more += "CREATE TABLE NVTX_EVENTS (start INTEGER);"
    more += "ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME "
    more += "RENAME TO Cupti_Activity_Kind_Runtime_V2;"
    other = load(export("steps", more, "versions.sqlite"))
    for name in ("step", "phase", "device"):
        assert (getattr(plain[0], name) == getattr(other[0], name)).all()
    assert other[0].warnings == plain[0].warnings


def test_missing_tables_are_said_and_cost_only_what_they_tell(export, load):
    (bare,) = load(export("steps", "DROP TABLE NVTX_EVENTS;"))
    assert [step.name for step in bare.steps] == ["whole file"]
    assert any("no step is marked by an NVTX range" in said for said in bare.warnings)
    (clocked,) = load(
        export("steps", "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;", "clocked.sqlite")
    )
    assert any(
        "given to the step during which it started" in said for said in clocked.warnings
    )


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        (
            "CREATE TABLE people (name);",
            "no Nsight Systems export: CUPTI_ACTIVITY_KIND_KERNEL is not among its "
            "table people;",
        ),
        ("", "is not among its tables (it has none)"),
        (
            "CREATE TABLE StringIds (id, value);",
            "holds no GPU work; record the run with",
        ),
        (f"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL {KERNEL};", "holds no GPU work"),
        (
            f"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL {KERNEL};"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7, 1, 9, 3);",
            "holds no names of kernels (table StringIds)",
        ),
        ("CREATE TABLE rocpd_kernel_dispatch_00ab (id);", "rocpd convert"),
        ("CREATE TABLE rocpd_op (id);", "rpd2tracing.py"),
        (
            "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (a);",
            "database of nvprof",
        ),
    ],
)
def test_what_is_no_report_of_gpu_work_is_told_so(export, load, sql, sentence):
    path = export(more=f"PRAGMA user_version = 1; {sql}")
    with pytest.raises(TraceError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert sentence in str(error.value)


def test_a_cut_off_report_says_where_it_ends(export, load, tmp_path):
    whole = Path(export("steps")).read_bytes()
    cut = tmp_path / "cut.sqlite"
    cut.write_bytes(whole[:5000])
    with pytest.raises(TraceError, match=r"is cut off at byte 5,000 of [\d,]+; copy"):
        load(str(cut))


def test_what_sqlite_quotes_of_a_damaged_schema_is_left_out(export, load, tmp_path):
    path = tmp_path / "broken.sqlite"
    whole = Path(export("steps")).read_bytes()
    path.write_bytes(
        whole.replace(b"KERNEL (start INTEGER,", b"KERNEL (start `NTEGER,")
    )
    with pytest.raises(
        TraceError, match=r"damaged \(malformed database schema\); export"
    ):
        load(str(path))


@pytest.mark.parametrize("at", [30, 2000, 9000])
def test_a_damaged_report_is_a_sentence_and_no_traceback(export, load, tmp_path, at):
    broken = bytearray(Path(export("steps")).read_bytes())
    broken[at : at + 3000] = b"\xff" * len(broken[at : at + 3000])
    path = tmp_path / "broken.sqlite"
    path.write_bytes(bytes(broken))
    # some damage changes numbers only, which nothing can tell
    with suppress(TraceError):
        load(str(path))


def test_an_encrypted_report_is_told_so(load, tmp_path):
    path = tmp_path / "secret.sqlite"
    path.write_bytes(b"SQLite format 3\x00" + bytes(range(256)) * 32)
    with pytest.raises(TraceError, match="encrypted or damaged"):
        load(str(path))


def test_paths_may_hold_what_addresses_may_not(export, load):
    assert load(export("steps", name="a b?mode=rw#%41;é.sqlite"))[0].path.endswith(
        "é.sqlite"
    )


def test_a_packed_report_is_unpacked_to_a_file_that_is_gone_afterwards(
    export, load, tmp_path, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    packed = tmp_path / "report.sqlite.gz"
    packed.write_bytes(gzip.compress(Path(export("steps")).read_bytes()))
    heard = []
    (recording,) = load(str(packed), progress=heard.append)
    assert recording.path == str(packed)
    assert len(recording.spans) == 8
    assert heard == sorted(heard)
    assert heard[-1] == 1
    assert not list((tmp_path / "temporary").iterdir())
    with pytest.raises(TraceError, match="the limit here"):
        load(str(packed), limit_bytes=5000)
    with pytest.raises(TraceError, match="the limit here"):
        load(export("steps", name="plain.sqlite"), limit_bytes=5000)


def test_the_progress_can_end_the_reading(export, load):
    class StoppedError(Exception):
        pass

    def stop(share):
        raise StoppedError(share)

    with pytest.raises(StoppedError):
        load(export("steps"), progress=stop)


def test_rows_that_are_still_in_the_log_of_sqlite_are_read(export, load):
    path = export("steps")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 14000 WHERE start = 12000"
        )
        connection.commit()
        (recording,) = load(path)
    assert microseconds(recording.spans.end_s[:1]) == [2]


NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.none(), st.sampled_from(["7", "x", 2.5, b"9"])
)


@settings(max_examples=20)
@given(
    st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1), st.lists(st.integers(1, 10**9))
)
def test_windows_of_integers_are_all_rows_whatever_their_numbers(
    tmp_path_factory, rows, ids
):
    path = str(tmp_path_factory.mktemp("integers") / "a.sqlite")
    ids = sorted({*ids})[: len(rows)]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
        for row, number in zip(rows, [*ids, *[None] * len(rows)], strict=False):
            connection.execute("INSERT INTO t VALUES (?, ?, ?)", (number, *row))
        connection.commit()
        plain = connection.execute(
            "SELECT coalesce(CAST(a AS INTEGER), -1), coalesce(CAST(b AS INTEGER), 5) "
            "FROM t"
        ).fetchall()
    with (
        pytest.MonkeyPatch.context() as patch,
        database(path, path) as source,
    ):
        patch.setattr(nsys_sqlite_database, "WINDOW_ROWS", 3)
        table = source.table("t")
        read = [table.number("a", default=-1), table.number("B", default=5)]
        pieces = list(integers(source, table, read, Reading(1, None)))
        assert np.concatenate(pieces, axis=1).T.tolist() == [list(row) for row in plain]
        assert isinstance(table, Table)
