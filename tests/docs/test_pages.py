"""The pages say what the program does: words of the screen, commands, links, files."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from overlap_widget.app.cli import SUMMARIES, main
from overlap_widget.model import Collective, Kind
from overlap_widget.model.scenario_file import load_scenario

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])


def page_name(path):
    return path.relative_to(ROOT).as_posix()


def terms():
    """The words of the glossary: the first cells of its tables, apart at commas."""
    lines = GLOSSARY.read_text().splitlines()
    cells = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    return {term.lower() for cell in cells for term in cell.split(", ")} - {"word"}


def test_the_scenario_file_of_the_readme_is_one(tmp_path):
    block = (ROOT / "README.md").read_text().split("```json\n")[1].split("```")[0]
    path = tmp_path / "mine.json"
    path.write_text(block)

    assert [layer.name for layer in load_scenario(path).layers] == ["head", "block 1"]


# --- Words -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_span_is_in_the_glossary(kind):
    assert kind.name.lower() in terms()


@pytest.mark.parametrize("collective", list(Collective)[2:], ids=lambda one: one.name)
def test_every_collective_is_in_the_glossary_as_the_code_spells_it(collective):
    assert f"`{collective.name.lower()}`" in GLOSSARY.read_text()


LABELS = ("control.", "pick.", "number.", "lane.", "collective.", "short.")


def labels():
    """What the screen calls its controls, pickers, numbers and regimes."""
    strings = json.loads((ROOT / "static" / "strings.en.json").read_text())
    return {
        text.lower()
        for key, text in strings.items()
        if key.startswith(LABELS)
        if "{" not in text and text not in ("", "none", "unknown")
    } - {"not in use"}


@pytest.mark.parametrize("label", sorted(labels()))
def test_every_label_of_the_screen_is_in_the_glossary(label):
    assert label in terms() or label.removesuffix("s") in terms()


def code_names():
    """What the second columns of the glossary say the code calls a word."""
    lines = GLOSSARY.read_text().splitlines()
    cells = [line.split("|")[2] for line in lines if line.startswith("| ")]
    return {name for cell in cells for name in re.findall("`([^`]+)`", cell)}


@pytest.mark.parametrize("name", sorted(code_names()))
def test_a_name_that_the_glossary_gives_is_in_the_code(name):
    code = "".join(
        path.read_text()
        for folder in ("model", "app")
        for path in ROOT.glob(f"{folder}/**/*.py")
    )
    assert re.search(rf"\b{name.split('.')[-1]}\b", code, re.I)


# --- Commands ----------------------------------------------------------------------


def console_runs():
    """Each `$ overlap ...` in a console block, with the output that follows it."""
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.S):
            for run in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = run.partition("\n")
                yield pytest.param(command, output, id=f"{page_name(page)}: {command}")


@pytest.mark.parametrize(("command", "output"), [*console_runs()])
def test_a_quoted_command_prints_what_the_page_says(command, output, capsys):
    program, *argv = command.split()
    assert program == "overlap"
    assert main(argv) == 0
    assert capsys.readouterr().out.rstrip("\n") == output.rstrip("\n")


def quoted_commands():
    pattern = r"(?<![\w-])overlap (" + "|".join(SUMMARIES) + r")\b([^`\n#]*)"
    for page in PAGES:
        for name, rest in re.findall(pattern, page.read_text()):
            yield pytest.param(name, rest, id=f"{page_name(page)}: {name}{rest}")


@pytest.mark.parametrize(("name", "rest"), [*quoted_commands()])
def test_a_quoted_command_has_the_options_it_is_quoted_with(name, rest):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([name, "--help"]) == 0
    for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
        assert option in out.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_a_link_leads_to_a_file_that_is_there(page):
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_python_of_the_readme_gives_what_stands_behind_it():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    (block,) = (one for one in blocks if "overlap_widget.model" in one)
    found = {}
    exec(block, found)

    (tail_ms, decides) = re.findall(r"# (\S+)$", block, re.M)
    assert (f"{found['tail_ms']:.3g}", found["decides"]) == (tail_ms, decides)
