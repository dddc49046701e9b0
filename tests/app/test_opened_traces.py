"""Folders, rules and several processes in the commands that open traces as they are."""

import json
import shutil
from pathlib import Path

import pytest

from overlap_widget.app import measuring
from overlap_widget.app.cli import main
from overlap_widget.app.measuring import recordings
from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.timeline import Kind

DATA = Path(__file__).parents[1] / "data" / "kineto"


@pytest.fixture
def run(tmp_path):
    """A folder with two traces and a text."""
    folder = tmp_path / "run"
    folder.mkdir()
    shutil.copy(DATA / "launched-steps.json", folder / "rank10.json")
    shutil.copy(DATA / "step-behind-the-clock.json", folder / "rank9.json")
    (folder / "notes.txt").write_text("x")
    return folder


def test_all_traces_of_a_folder_are_opened_and_what_is_doubtful_is_said(run, capsys):
    found = recordings([str(run)], Classes())
    assert [Path(one.path).name for one in found] == ["rank9.json", "rank10.json"]
    said = " ".join(capsys.readouterr().err.split())
    assert said == f"Note: {run}: 1 file is no trace and was skipped (notes.txt)."


def test_what_is_doubtful_of_several_files_is_said_once(tmp_path, capsys):
    """Neither has launches; nothing of that is a failure, so it isn't told as one."""
    event = {"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2}
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps({"traceEvents": [event]}))
    first, second = recordings([str(tmp_path)], Classes())
    assert first.warnings == second.warnings
    notes = [f"Note: both files: {warning}." for warning in first.warnings]
    assert capsys.readouterr().err.split() == " ".join(notes).split()
    assert len(notes) > 0


def test_rules_hold_for_what_is_opened(run):
    rules = Classes((Rule("*", Kind.OTHER),))
    found = recordings([str(run)], rules)
    assert {kind for one in found for kind in one.spans.kind} == {Kind.OTHER}
    assert {one.classes for one in found} == {rules}


def test_files_that_are_no_traces_are_named_and_the_others_opened(run, capsys):
    (run / "rank1.json").write_text('{"traceEvents": []}')
    names = [str(run), str(run / "rank2.json")]
    found = recordings(names, Classes())
    assert [Path(one.path).name for one in found] == ["rank9.json", "rank10.json"]
    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith(f"overlap: {run}/rank1.json: no GPU work")
    assert second.startswith(f"overlap: {run}/rank2.json: there is no such file")


def test_nothing_is_opened_where_no_file_can_be_read_and_each_is_named_once(
    run, capsys
):
    names = [str(run / f"{name}.json") for name in ("rank1", "rank2")]
    assert main(["export", str(run / "a.svg"), "--trace", *names]) == 2
    assert not (run / "a.svg").exists()
    assert capsys.readouterr().err == "".join(
        f"overlap: {name}: there is no such file\n" for name in names
    )


@pytest.mark.parametrize("command", [["export", "page.svg", "--trace"], ["serve"]])
def test_each_command_opens_folders_with_rules(
    command, run, tmp_path, monkeypatch, capsys
):
    """The rules are read before the traces, so a fault in them comes first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measuring, "load_all", lambda *_: pytest.fail("opened"))
    rules = tmp_path / "rules.json"
    rules.write_text('{"communication": "mine"}')
    assert main([*command, str(run), "--rules", str(rules)]) == 2
    assert "communication is 'mine', expected a list" in capsys.readouterr().err


def test_a_folder_goes_into_a_picture(run, tmp_path, capsys):
    path = tmp_path / "picture.svg"
    assert main(["export", str(path), "--trace", str(run)]) == 0
    assert "rank9.json" in path.read_text("utf-8")
    assert "skipped (notes.txt)" in capsys.readouterr().err
