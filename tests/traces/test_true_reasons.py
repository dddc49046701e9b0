"""A file that gives nothing is refused for the true reason, with what to do."""

import gzip
from pathlib import Path

import pytest

from overlap_widget.model.classes import LOADED
from overlap_widget.model.traces import TraceError, load, measuring
from overlap_widget.model.traces.measuring import Task, outcome
from overlap_widget.model.traces.recognise import starts_as_trace

DATA = Path(__file__).parents[1] / "data"
KINETO = (DATA / "kineto" / "launched-steps.json").read_bytes()
BEFORE_WORK = (DATA / "kineto" / "cut-before-work.json").read_bytes()
XLA = (DATA / "xla" / "gpu-steps.json").read_bytes()
NSYS = (DATA / "nsys_csv" / "new.csv").read_bytes()
ROCPROF = (DATA / "rocprof" / "run_kernel_trace.csv").read_bytes()
ROCPROF_JSON = (DATA / "rocprof" / "two-processes.json").read_bytes()

NOTHING_BEFORE = (
    "and no GPU work can be read before that; copy it again, or record the run again"
)
CUT = f"the file ends early, {NOTHING_BEFORE}"
GZIP_CUT = f"the gzip file ends early, {NOTHING_BEFORE}"


def packed(content):
    return gzip.compress(content, mtime=0)


@pytest.mark.parametrize(
    "content",
    [
        packed(KINETO)[:10],
        packed(KINETO)[:50],
        packed(KINETO)[:200],
        packed(KINETO[:300]) + packed(KINETO[300:])[:40],
        packed(BEFORE_WORK)[:-1],
        packed(XLA)[:120],
        packed(XLA)[:200],
        packed(NSYS)[:60],
        packed(NSYS)[:160],
        packed(ROCPROF_JSON)[:-30],
        packed(b"SQLite format 3\0" + bytes(range(256)) * 8)[:200],
    ],
    ids=[
        "head alone",
        "no text",
        "events of the CPU",
        "second member",
        "checksum",
        "names of XLA",
        "lanes of XLA",
        "start of a table",
        "header of a table",
        "one document",
        "database",
    ],
)
def test_a_gzip_file_that_is_cut_off_before_any_work_is_called_that(refusal, content):
    assert refusal(content) == GZIP_CUT


def test_a_gzip_file_that_is_damaged_before_any_work_is_called_that(refusal):
    whole = packed(BEFORE_WORK + b"}]}")
    said = f"the gzip file is damaged, {NOTHING_BEFORE}"
    assert refusal(whole[:-8] + bytes(8)) == said


def test_a_gzip_file_that_is_cut_off_behind_work_is_measured_with_a_note(tmp_path):
    path = tmp_path / "trace.json.gz"
    path.write_bytes(packed(KINETO)[:400])
    assert load(str(path)).warnings[0] == "gzip ends early; last event dropped"


@pytest.mark.parametrize(
    "content", [BEFORE_WORK, XLA[: len(XLA) // 6], XLA[: len(XLA) // 2]]
)
def test_a_trace_that_is_cut_off_before_any_work_is_called_that(refusal, content):
    assert refusal(content) == CUT


@pytest.mark.parametrize("table", [NSYS, ROCPROF])
def test_a_table_that_is_cut_off_before_any_work_is_called_that(refusal, table):
    header = table.index(b"\n", table.index(b"Start"))
    assert refusal(table[:header] + b'\n"void ge', "trace.csv") == CUT


@pytest.mark.parametrize(
    ("content", "at", "shown"),
    [
        (b"[" * 200_000, 1, "'[[[[[[[[[[[[[[[['"),
        (b"[" * 200_000 + b"]" * 200_000, 1, "'[[[[[[[[[[[[[[[['"),
        (b'{"traceEvents": ' + b"[" * 200_000, 17, "'[[[[[[[[[[[[[[[['"),
        (b"[[[", 1, "'[['"),
        (b' [ "a", "b"]', 3, '\'"a", "b"]\''),
        (
            (DATA / "kineto" / "numbers-for-events.json").read_bytes(),
            16,
            '\'17, 23, {"ph":"M\'',
        ),
    ],
)
def test_a_list_of_something_else_is_no_list_of_events(refusal, content, at, shown):
    assert refusal(content) == (
        "is not a trace: where its first event ({...}) should stand, at byte "
        f"{at}, there is {shown}; open the file that the profiler wrote"
    )


def test_a_list_without_events_is_called_empty(refusal):
    for content in (b"[]", b'{"traceEvents": [ ]}'):
        assert "its list of events is empty;" in refusal(content)


def test_an_event_that_is_lost_is_the_reason_where_it_was_the_only_one(refusal):
    event = b'[{"ph":"X","cat":"kernel","name":"a","ts":1,"dur":2,"args":{"a":%s}}]'
    deep = event % (b"[" * 20_000 + b"]" * 20_000)
    assert refusal(deep) == (
        "no GPU work that can be read in the file: 1 event too damaged to repair left "
        "out; record the run again"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a":' * 200_000, "is not a trace, but nested too deeply"),
        (b'{"a": %s}' % (b"9" * 5000), "is not a trace, but nested too deeply or with"),
        (b"{'traceEvents': []}", "is not JSON in UTF-8, at line 1, column 2; open the"),
        (b'{"a": 1,\n "b": [2', "(traceEvents), at line 2, column 9; copy it again"),
        (b'{"ph": "X"}\n{"ph": "X"}', "and more text behind that, at line 2, column 1"),
        (b'{"a": "\xff"}', "is JSON, but not a trace: it has no list of events"),
        (b"null", "is JSON, but not a trace; read are"),
        (b'"a \\" b"\n', "is JSON, but not a trace; read are"),
        (b"// a,b,c,d\n" + KINETO, "other text stands before the first brace; remove"),
        (KINETO.decode().encode("utf-16-le"), "is UTF-16 text; save it as UTF-8"),
        (KINETO.decode().encode("utf-16-be"), "is UTF-16 text; save it as UTF-8"),
        (KINETO.decode().encode("utf-32"), "is UTF-32 text; save it as UTF-8"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n",
            "is a pointer of Git LFS and not the file itself; fetch that with `git lfs",
        ),
        (
            b'[{"ph":"X","cat":"kernel","name":"a","ts":1,"dur":-2}]',
            "1 GPU event with negative length left out; record the run again",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(refusal, content, said):
    assert said in refusal(content)


def test_an_archive_in_a_gzip_file_is_called_that(refusal, zipped):
    said = "is a ZIP archive inside another file"
    assert said in refusal(packed(zipped({"a.json": KINETO})))


def test_a_cut_file_of_an_archive_is_called_that(refusal, zipped, tmp_path):
    for cut in (12, 60, 200):
        files = {"a.json.gz": packed(KINETO)[:cut]}
        assert refusal(zipped(files), "runs.zip") == f"/a.json.gz: {GZIP_CUT}"
    path = tmp_path / "both.zip"
    path.write_bytes(zipped({**files, "b.json": KINETO}))
    assert load(str(path)).warnings[-1] == f"{path}/a.json.gz: {GZIP_CUT}"


def test_a_trace_that_is_cut_off_before_its_events_still_starts_as_one(tmp_path):
    path = tmp_path / "trace.json"
    path.write_bytes(b'{"schemaVersion": 1,\n "deviceProperties": [{"id": 0, "na')
    assert starts_as_trace(str(path))


def test_bytes_behind_the_list_of_events_repair_none(tmp_path):
    path = tmp_path / "trace.json"
    path.write_bytes(KINETO + b"\xff\xfe\x00")
    assert not any("repaired" in said for said in load(str(path)).warnings)


def test_a_file_that_is_gone_while_it_is_read_is_named(monkeypatch):
    def gone(*_):
        raise FileNotFoundError(2, "No such file or directory", "elsewhere")

    monkeypatch.setattr(measuring, "load_all", gone)
    task = Task("run.json", "/place/run.json", LOADED, None)
    assert str(outcome(task)) == (
        "run.json: can't be read (No such file or directory); try again"
    )


def test_a_link_to_nowhere_is_called_that(tmp_path):
    link = tmp_path / "trace.json"
    link.symlink_to("nowhere")
    with pytest.raises(TraceError, match=r"link to nowhere; name the file that"):
        load(str(link))
