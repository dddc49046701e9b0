"""docs/measuring.md: its commands run on small files, its rules are read."""

import gzip
import json
import re
import shlex
from pathlib import Path

import pytest

from overlap_widget.app import cli
from overlap_widget.app.commands import measure
from overlap_widget.model.rules_file import load_rules
from overlap_widget.model.what_if_caps import CAPS_MIB

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "measuring.md"
CLUSTER = "--scheduler"
"""There is none, so a command with it is only parsed."""


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.S)


def commands():
    lines = "".join(blocks("sh")).replace("\\\n", " ").splitlines()
    return [line for line in lines if re.match("overlap (?!serve)", line)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with what the commands of the page name."""
    folder = tmp_path_factory.mktemp("page")
    shipped = (ROOT / "static" / "example-trace.json.gz").read_bytes()
    document = json.loads(gzip.decompress(shipped))
    for rank in (0, 1):
        document["distributedInfo"]["rank"] = rank
        text = json.dumps(document)
        for run in ("traces", "before", "after", "."):
            (folder / run).mkdir(exist_ok=True)
            (folder / run / f"rank{rank}.json").write_text(text)
    (folder / "rules.json").write_text(blocks("json")[0])
    return folder


def test_the_page_has_commands():
    assert len(commands()) > 10


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_page_runs(line, files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    _, *argv = shlex.split(line, comments=True)
    if CLUSTER in argv:
        assert cli._parser("measure", measure).parse_args(argv).scheduler
        return
    assert cli.main(argv) == 0
    assert capsys.readouterr().out


def test_the_page_lists_the_caps_that_are_tried():
    words = " ".join(PAGE.read_text("utf-8").split())
    *some, last = map(str, CAPS_MIB)
    assert f"those caps out of {', '.join(some)} and {last} that are above" in words


def test_the_rules_of_the_page_are_rules(files):
    assert len(load_rules(files / "rules.json")) == 4


def test_the_python_of_the_page_is_python():
    assert len(blocks("python")) == 4
    for block in blocks("python"):
        compile(block, str(PAGE), "exec")
