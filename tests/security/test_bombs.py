"""Files that explode, escape or aren't what they say: each one sentence, and soon."""

import gzip
import io
import json
import sqlite3
import tracemalloc
import zipfile
from types import SimpleNamespace

import pytest

from overlap_widget.app import reading, showable
from overlap_widget.app.reading import read
from overlap_widget.app.showable import checked
from overlap_widget.app.stoppable import Reading
from overlap_widget.app.upload import begin
from overlap_widget.model.traces import (
    Options,
    TraceError,
    load_all,
    nsys_sqlite_database,
)
from overlap_widget.model.traces.nsys_sqlite_told import Told

EVENT = {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 1}
KERNEL = json.dumps(EVENT | {"args": {"device": 0, "stream": 7}})
TRACE = f'{{"traceEvents": [{KERNEL}]}}'.encode()
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
COLUMNS = "1 AS start, 2 AS end, 0 AS deviceId, 0 AS streamId, 1 AS shortName"


@pytest.fixture
def path_of(tmp_path):
    """A file with some bytes."""

    def write(content):
        path = tmp_path / "in" / "file"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return str(path)

    return write


def outcome(path, **options):
    """The recordings of a file, or the sentence why there are none."""
    try:
        return load_all(path, options=Options(**options))
    except TraceError as refused:
        assert str(refused).startswith(path)  # noqa: PT017
        assert "\n" not in str(refused)  # noqa: PT017
        return str(refused)


def archive(*members, method=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as writer:
        for name, data in members:
            writer.writestr(name, data)
    return content.getvalue()


def read_apart(monkeypatch, data):
    """Whether a file that a page sent is read by a process that can be ended."""
    asked = []
    monkeypatch.setattr(
        reading, "_read_apart", lambda *_: asked.append(1) or TraceError("no")
    )
    upload = begin({"id": "a", "name": "a", "size_bytes": len(data)})
    upload.receive(data, 0)
    upload.finish()
    read(Reading(upload, lambda _: None))
    upload.discard()
    return bool(asked)


def test_a_small_file_that_unpacks_to_much_is_not_read_by_the_server(monkeypatch):
    monkeypatch.setattr(reading, "MOST_HERE_BYTES", 10_000)

    assert not read_apart(monkeypatch, gzip.compress(TRACE))
    assert read_apart(monkeypatch, gzip.compress(TRACE + b" " * 10_000))


def test_archives_and_databases_are_not_read_by_the_server(monkeypatch):
    assert read_apart(monkeypatch, archive(("a.json", TRACE)))
    assert read_apart(monkeypatch, database("CREATE TABLE a(b)"))
    assert read_apart(monkeypatch, gzip.compress(database("CREATE TABLE a(b)")))


def test_many_packed_starts_count_by_what_they_unpack_to(path_of):
    member = gzip.compress(TRACE + b" " * 300_000)
    path = path_of(archive(*((f"{at}.json", member) for at in range(40))))
    tracemalloc.start()
    said = outcome(path, limit_bytes=1_000_000)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert "unpacks to more than 1 MB" in said
    assert peak_bytes < 6_000_000  # of 10,500,000 in all starts


def test_gzip_in_gzip_and_archives_in_archives_are_unpacked_once(path_of):
    twice = gzip.compress(gzip.compress(TRACE))
    inner = archive(("b.zip", archive(("c.json", TRACE))))

    assert "gzip inside gzip" in outcome(path_of(twice))
    assert "without a trace in it (b.zip)" in outcome(path_of(inner))


def test_members_are_read_where_they_are_whatever_they_are_called(path_of, tmp_path):
    names = ["../up.json", "/etc/top.json", "C:\\x.json", "..", "a\0b", "<b>\n.json"]
    path = path_of(archive(*((name, TRACE) for name in names)))
    before = sorted(tmp_path.rglob("*"))
    found = outcome(path)

    assert len(found) == len(names)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_in_an_archive_leads_nowhere(path_of):
    link = zipfile.ZipInfo("link.json")
    link.external_attr = 0o120777 << 16
    path = path_of(archive((link, "/etc/passwd"), ("a.json", TRACE)))

    (found,) = outcome(path)
    assert "link.json" in found.warnings[-1]  # no trace, so left out


def test_an_archive_of_damaged_traces_says_so_a_hundred_times_at_most(path_of):
    bad = [(f"{at}.json", b'{"traceEvents": 7, "ph"') for at in range(103)]
    (found,) = outcome(path_of(archive(("a.json", TRACE), *bad)))

    assert sum(".json: " in one for one in found.warnings) == 100
    assert found.warnings[-1].endswith("3 more remarks on its files left out")


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"traceEvents":' + b"[" * 200_000,
        TRACE.replace(b'"device"', b'"x": ' + b"[" * 50_000 + b'"device"'),
        TRACE.replace(b'"dur": 1', b'"dur": ' + b"9" * 200_000),
        TRACE.replace(b'"ts": 1', b'"ts": 1e999999'),
        TRACE.replace(b'"device": 0', b'"device": 1e400'),
        TRACE.replace(b'"stream": 7', b'"stream": -' + b"9" * 40),
        TRACE.replace(b'"ts": 1', b'"ts": "1e99999999"'),
    ],
    ids=range(9),
)
def test_depth_and_numbers_without_measure_are_read_or_refused(path_of, text):
    assert outcome(path_of(text))


def database(sql, tmp=":memory:"):
    with sqlite3.connect(tmp) as connection:
        connection.executescript(sql)
        return connection.serialize()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            f"CREATE VIEW {KERNELS} AS SELECT {COLUMNS}, "
            "hex(zeroblob(200000000)) AS demangledName",
            "",
        ),
        (f"CREATE VIEW {KERNELS} AS SELECT 'a' AS rowid, {COLUMNS}", ""),
        (
            f"CREATE VIEW {KERNELS} AS SELECT {COLUMNS}, "
            "load_extension('/tmp/x') AS demangledName",
            "",
        ),
        (
            f'CREATE TABLE {KERNELS}(start, "end""; DROP TABLE a; --" INTEGER);'
            f"INSERT INTO {KERNELS} VALUES(1, 2)",
            "",
        ),
        (
            f"CREATE VIEW {KERNELS} AS SELECT * FROM other;"
            f"CREATE VIEW other AS SELECT * FROM {KERNELS}",
            "circularly defined",
        ),
    ],
    ids=["huge values", "rows by texts", "extensions", "quotes", "circles"],
)
def test_what_a_schema_hides_is_one_sentence(monkeypatch, sql, said):
    upload = begin({"id": "a", "name": "a.sqlite", "size_bytes": 10**8})
    upload.receive(database(sql), 0)
    upload.finish()
    monkeypatch.setattr(reading, "_is_small", lambda _: True)
    found = read(Reading(upload, lambda _: None))
    upload.discard()

    assert isinstance(found, TraceError)
    assert str(found).startswith("a.sqlite: ")
    assert said in str(found)
    assert "\n" not in str(found)


def test_a_database_whose_rows_never_end_is_ended_by_the_progress(path_of, monkeypatch):
    monkeypatch.setattr(nsys_sqlite_database, "STEPS_BETWEEN", 1000)
    endless = (
        "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) "
        "SELECT i AS start, i + 1 AS end, 0 AS deviceId, 0 AS streamId FROM c"
    )
    path = path_of(database(f"CREATE VIEW {KERNELS} AS {endless}"))
    heard = []

    def progress(share):
        heard.append(share)
        if len(heard) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        load_all(path, options=Options(progress))


def test_a_trigger_of_a_database_changes_nothing(path_of):
    sql = (
        f"CREATE TABLE {KERNELS}(start, end, deviceId, streamId, shortName);"
        f"INSERT INTO {KERNELS} VALUES(1, 2, 0, 0, 1);"
        f"CREATE TRIGGER t AFTER INSERT ON {KERNELS} BEGIN DELETE FROM {KERNELS}; END"
    )
    content = database(sql)
    path = path_of(content)
    outcome(path)

    with open(path, "rb") as file:
        assert file.read() == content


def test_a_progress_that_is_told_again_keeps_its_share():
    heard = []
    told = Told(heard.append)
    told(0.25)

    assert told.again() is False
    assert heard == [0.25, 0.25]


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_RECORDINGS", "a.json: holds 2 processes and the page shows up to 1;"),
        ("MOST_DEVICES", "a.json: holds 3 devices and"),
        ("MOST_STEPS", "a.json: holds 4 steps and"),
        ("MOST_NAMES", "a.json: holds 5 kernel names and"),
        ("MOST_NAME_CHARACTERS", "a.json: holds 35 letters in names and"),
    ],
)
def test_a_file_that_would_keep_all_others_waiting_is_refused(monkeypatch, limit, said):
    spans = SimpleNamespace(names=("kernels",) * 5)
    one = SimpleNamespace(devices=(0,) * 3, steps=(0,) * 4, spans=spans)
    checked("a.json", [one, one])
    monkeypatch.setattr(showable, limit, 1)

    with pytest.raises(TraceError, match=said):
        checked("a.json", [one, one])
