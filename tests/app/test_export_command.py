"""`overlap export`: a whole file or none, and one sentence when it fails."""

import os
import re
import shutil
import stat
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from overlap_widget.app.cli import main
from overlap_widget.app.commands import export

SVG = "{http://www.w3.org/2000/svg}"


def test_a_page_is_written_and_its_size_is_said(tmp_path, capsys):
    path = tmp_path / "page.html"
    assert main(["export", str(path)]) == 0
    out, err = capsys.readouterr()
    assert re.match(rf"{re.escape(str(path))}: 1\.[34]\d? MB", out)
    assert out.endswith("one file that needs no server and no network\n")
    assert err == ""
    assert path.read_text().startswith("<!DOCTYPE html>")
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_picture_is_written_of_the_inputs(tmp_path):
    path = tmp_path / "picture.SVG"
    assert main(["export", str(path), "--bucket", "12"]) == 0
    picture = ET.parse(path).getroot()
    assert picture.tag == f"{SVG}svg"
    assert "41 ms" in "".join(picture.itertext())


def test_a_picture_of_a_recording_names_it(tmp_path):
    path = tmp_path / "picture.svg"
    trace = "static/example-trace.json.gz"
    assert main(["export", str(path), "--trace", trace]) == 0
    assert "example-trace.json.gz" in "".join(ET.parse(path).getroot().itertext())


@pytest.mark.parametrize("rights", [0o600, 0o664])
def test_a_file_that_stood_there_is_replaced_and_keeps_its_rights(tmp_path, rights):
    path = tmp_path / "picture.svg"
    path.write_text("old")
    path.chmod(rights)
    assert main(["export", str(path)]) == 0
    assert path.read_text() != "old"
    assert stat.S_IMODE(path.stat().st_mode) == rights


def test_a_new_file_has_the_rights_of_any_new_one(tmp_path):
    path, fresh = tmp_path / "picture.svg", tmp_path / "fresh"
    assert main(["export", str(path)]) == 0
    fresh.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(fresh.stat().st_mode)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["page.pdf"], "page.pdf is neither a page nor a picture; name a file that"),
        (["page"], "ends in .html or .svg"),
        ([""], "is neither a page nor a picture"),
        (["no-such-folder/page.svg"], "no-such-folder/page.svg: No such file"),
        (["page.svg", "--scenario", "nothing"], "no scenario 'nothing'; choose course"),
        (["page.svg", "--trace", "nothing.json"], "nothing.json"),
        (["page.svg", "--bandwidth", "1B/s"], "a page shows a bandwidth of 100 MB/s"),
        ([], "export: the following arguments are required: OUT; see"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_sentence(
    tmp_path, monkeypatch, capsys, arguments, sentence
):
    monkeypatch.chdir(tmp_path)
    assert main(["export", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("overlap: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert os.listdir(tmp_path) == []


def test_what_stood_there_stays_when_the_new_file_cannot_be_made(tmp_path, capsys):
    path = tmp_path / "page.svg"
    path.write_text("old")
    assert main(["export", str(path), "--late", "1s"]) == 2
    assert "a late rank of 0 ms to 100 ms, not 1 s" in capsys.readouterr().err
    assert path.read_text() == "old"


def test_a_folder_is_not_written_over(tmp_path, capsys):
    path = tmp_path / "page.svg"
    path.mkdir()
    assert main(["export", str(path)]) == 2
    assert capsys.readouterr().err == f"overlap: {path}: Is a directory\n"
    assert os.listdir(tmp_path) == ["page.svg"]


def test_nothing_half_written_is_left_when_one_stops_it(tmp_path, monkeypatch):
    path = tmp_path / "page.svg"
    path.write_text("old")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    assert main(["export", str(path)]) == 130
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.svg"]


def test_a_link_to_a_file_stays_a_link(tmp_path):
    page, link = tmp_path / "there.svg", tmp_path / "page.svg"
    page.write_text("old")
    link.symlink_to("there.svg")
    assert main(["export", str(link)]) == 0
    assert link.is_symlink()
    assert page.read_text().startswith("<svg")


def test_a_device_is_not_written_over(tmp_path, capsys):
    link = tmp_path / "page.svg"
    link.symlink_to(os.devnull)
    assert main(["export", str(link)]) == 2
    assert capsys.readouterr().err == f"overlap: {link}: Invalid argument\n"
    assert link.is_symlink()


def test_a_file_that_may_not_be_written_stays(tmp_path, monkeypatch, capsys):
    path = tmp_path / "page.svg"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert main(["export", str(path)]) == 2
    assert capsys.readouterr().err == f"overlap: {path}: Permission denied\n"
    assert path.read_text() == "old"


def test_a_name_as_long_as_a_folder_takes_can_be_written(tmp_path):
    path = tmp_path / f"{'x' * 251}.svg"
    assert main(["export", str(path)]) == 0
    assert os.listdir(tmp_path) == [path.name]


def test_a_page_may_hold_names_that_are_no_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trace = Path(__file__).parents[2] / "static" / "example-trace.json.gz"
    shutil.copy(trace, b"mine-\xff.json.gz")
    name = os.fsdecode(b"mine-\xff.json.gz")
    assert main(["export", "page.html", "--trace", name]) == 0
    assert "mine-?.json.gz" in (tmp_path / "page.html").read_text()


def test_a_page_that_is_heavy_is_written_and_called_so(tmp_path, monkeypatch, capsys):
    path = tmp_path / "page.html"
    monkeypatch.setattr(export, "HEAVY_BYTES", 1_000_000)
    assert main(["export", str(path)]) == 0
    assert (
        "MB is much for a reader's line; name fewer traces\n" in capsys.readouterr().err
    )
    assert path.exists()
