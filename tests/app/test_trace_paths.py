"""The files that a command line names: folders, their order, what is skipped."""

import gzip
import os
from pathlib import Path

import pytest

from overlap_widget.app import trace_paths
from overlap_widget.app.cli import main
from overlap_widget.app.trace_paths import files_at, trace_files
from overlap_widget.model.traces import TraceError
from overlap_widget.model.traces.starts import HEAD_BYTES

TRACE = (
    '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2}]}'
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder `run`, beside which commands run; filled by name and content."""
    monkeypatch.chdir(tmp_path)

    def fill(**files):
        for name, content in files.items():
            path = tmp_path / "run" / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        (tmp_path / "run").mkdir(exist_ok=True)
        return "run"

    return fill


def names(found):
    return [path.replace(os.sep, "/") for path in found.paths]


def test_a_file_is_itself_whatever_it_holds():
    assert files_at("no-such-file.json").paths == ("no-such-file.json",)


def test_rank_2_comes_before_rank_10(folder):
    run = folder(**{f"rank{at}.json": TRACE for at in (10, 2, 1)}, Rank0=TRACE)
    assert names(files_at(run)) == [
        "run/Rank0",
        "run/rank1.json",
        "run/rank2.json",
        "run/rank10.json",
    ]


def test_traces_are_told_by_content_and_the_others_counted_in_one_note(folder):
    run = folder(
        a=TRACE, b="# notes", c='{"lr": 3}', d="", e="x,y\n1,2\n", **{".hidden": "x"}
    )
    found = files_at(run)
    assert names(found) == ["run/a"]
    assert found.notes == (
        "run: 4 files are no traces and were skipped (b, c, d, ...)",
    )


def test_one_file_that_is_none_is_named(folder):
    assert files_at(folder(a=TRACE, b="")).notes == (
        "run: 1 file is no trace and was skipped (b)",
    )


def test_folders_in_a_folder_count_only_where_it_has_no_trace_itself(folder):
    run = folder(a=TRACE, node1__b=TRACE)
    assert names(files_at(run)) == ["run/a"]


def test_where_a_folder_has_none_those_of_its_folders_count_but_not_deeper_ones(
    folder,
):
    run = folder(
        **{
            "node10__a": TRACE,
            "node9__a": TRACE,
            "node9__log.txt": "x",
            "node9__deep__a": TRACE,
            "readme": "x",
        }
    )
    found = files_at(run)
    assert names(found) == ["run/node9/a", "run/node10/a"]
    assert found.notes == (
        "run: 2 files are no traces and were skipped (readme, node9/log.txt)",
    )


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "run: is an empty folder; name the one that the profiler wrote to"),
        ({"a": ""}, "run: holds no trace among its 1 file, not in the folders in it"),
        ({"x__y__a": TRACE}, "run: holds no trace, not in the folders in it either"),
    ],
)
def test_a_folder_without_a_trace_is_one_sentence(folder, files, why):
    found, failures = trace_files([folder(**files), "other.json"])
    assert found.paths == ("other.json",)
    (failure,) = failures
    assert isinstance(failure, TraceError)
    assert str(failure).startswith(why)


def test_a_file_that_is_named_twice_is_measured_once(folder):
    run = folder(a=TRACE, b=TRACE)
    found, _ = trace_files(["run/b", run, os.path.realpath("run/a")])
    assert names(found) == ["run/b", "run/a"]
    assert [note.split(" is ")[1] for note in found.notes] == [
        "named twice and measured once"
    ] * 2


def test_what_is_no_plain_file_is_no_trace(folder):
    run = folder(a=TRACE)
    os.mkfifo("run/pipe")
    os.symlink("pipe", "run/stdin.json")
    os.symlink("nowhere", "run/y")
    os.symlink("nowhere", "run/z.json.gz")
    assert names(files_at(run)) == ["run/a", "run/z.json.gz"]


def test_an_empty_file_that_is_named_like_the_traces_is_a_failure(folder):
    run = folder(
        **{"rank0.json": TRACE, "rank1.json": "", "rank2.json.gz": "", "log.txt": ""}
    )
    found, failures = trace_files([run])
    assert names(found) == ["run/rank0.json"]
    assert [str(one) for one in failures] == [
        "run/rank1.json: the file is empty; record the run again",
        "run/rank2.json.gz: the file is empty; record the run again",
    ]
    assert found.notes == ("run: 1 file is no trace and was skipped (log.txt)",)


def test_a_file_without_a_start_that_can_be_read_is_a_rank_that_is_missing(folder):
    run = folder(**{"rank0.json": TRACE, "rank1.json": " \n", "config.json": "{}"})
    whole = gzip.compress(TRACE.encode(), mtime=0)
    for name, cut in (("rank2.json.gz", 14), ("rank3.json.gz", 20)):
        (Path(run) / name).write_bytes(whole[:cut])
    found, failures = trace_files([run])
    assert names(found) == ["run/rank0.json"]
    assert [str(one).split(";")[0] for one in failures] == [
        "run/rank1.json: holds nothing but blanks",
        "run/rank2.json.gz: the gzip file ends early, and no GPU work can be read "
        "before that",
        "run/rank3.json.gz: the gzip file ends early, and no GPU work can be read "
        "before that",
    ]
    assert found.notes == ("run: 1 file is no trace and was skipped (config.json)",)


def test_settings_with_remarks_are_no_rank_that_is_missing(folder):
    settings = '{\n  // of "all"\n  "stage": 2,\n}'
    run = folder(**{"rank0.json": TRACE, "ds_config.json": settings})
    found, failures = trace_files([run])
    assert failures == []
    assert found.notes == ("run: 1 file is no trace and was skipped (ds_config.json)",)


def test_json_that_is_cut_off_at_its_start_is_a_rank_that_is_missing(folder, capsys):
    run = folder(
        **{
            "rank0.json": TRACE,
            "rank1.json": '{"schemaVersion": 1, "dev',
            "rank2.json": '{"schemaVersion":1,\n "dev',
            "rank3.json": "[",
            "config.json": '{"lr": 0.1}',
            "losses.json": '{"loss": 2.5}\n{"loss": 2.25}\n',
            "list.json": "[1, 2]",
        }
    )
    assert main(["measure", run]) == 2
    out, err = capsys.readouterr()
    note = (
        "3 files are no traces and were skipped (config.json, list.json, losses.json)"
    )
    assert note in " ".join(out.split())
    breaks_off = "breaks off or is damaged before its list of events (traceEvents), at"
    again = "copy it again, or record the run again"
    assert err.splitlines() == [
        f"overlap: run/rank1.json: {breaks_off} line 1, column 22; {again}",
        f"overlap: run/rank2.json: {breaks_off} line 2, column 2; {again}",
        "overlap: run/rank3.json: the file ends early, and no GPU work can be read "
        f"before that; {again}",
    ]


def test_json_that_is_longer_than_a_start_is_no_rank_that_is_missing(folder):
    large = f'{{"losses": [{"1, " * HEAD_BYTES}'
    found = files_at(folder(**{"rank0.json": TRACE, "losses.json": large}))
    assert not found.failures


def test_a_folder_of_traces_that_can_not_be_read_says_why(folder):
    run = folder(**{"rank0.json": "", "rank1.json": "", "log.txt": "x"})
    with pytest.raises(TraceError) as refused:
        files_at(run)
    assert str(refused.value) == (
        "run: holds no trace that can be read among its 3 files: run/rank0.json: the "
        "file is empty; record the run again"
    )


def test_an_empty_name_is_no_file():
    found, (failure,) = trace_files([""])
    assert not found.paths
    assert str(failure) == (
        "'': the name is empty; name a trace file or a folder of them"
    )


def test_a_folder_with_a_system_of_folders_is_refused_before_it_is_read(
    folder, monkeypatch
):
    monkeypatch.setattr(trace_paths, "MOST_LOOKED_INTO", 2)
    run = folder(a__x=TRACE, b__x=TRACE)
    assert len(files_at(run).paths) == 2
    run = folder(b__y=TRACE)
    with pytest.raises(TraceError, match="run: holds more than 2 files in its folders"):
        files_at(run)
    assert len(files_at("run/b").paths) == 2
