"""The command `overlap`: finds commands, words failures, keeps its exit codes."""

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace

import pytest

from overlap_widget.app import cli
from overlap_widget.app.cli import SUMMARIES, main
from overlap_widget.app.scenarios_report import as_json
from overlap_widget.model.scenarios import COURSE

TRACES = Path(__file__).parents[1] / "data" / "kineto"


def run_in_a_shell(command):
    return subprocess.run(
        [
            "sh",
            "-c",
            command.replace("overlap", f"{sys.executable} -m overlap_widget.app"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def fails_with(monkeypatch):
    """Run a command whose `run` raises this; gives the exit code."""

    def run(error):
        def fail(_arguments):
            raise error

        command = SimpleNamespace(add_arguments=lambda _parser: None, run=fail)
        monkeypatch.setattr(cli.importlib, "import_module", lambda _name: command)
        return main(["simulate"])

    return run


def one_sentence(stderr):
    assert stderr.startswith("overlap: ")
    assert stderr.endswith("\n")
    assert stderr.count("\n") == 1
    return stderr.removeprefix("overlap: ").rstrip("\n")


def test_the_installed_command_is_this_one():
    (found,) = entry_points(group="console_scripts", name="overlap")
    assert found.value == "overlap_widget.app.cli:main"


def test_help_lists_every_command_with_its_summary(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for name, summary in SUMMARIES.items():
        assert name in text
        assert summary in text


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_offers_what_the_table_says(name):
    command = importlib.import_module(f"overlap_widget.app.commands.{name}")
    assert SUMMARIES[name] == command.SUMMARY
    assert callable(command.add_arguments)
    assert callable(command.run)


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_has_help(name, capsys):
    assert main([name, "--help"]) == 0
    assert f"usage: overlap {name}" in capsys.readouterr().out


def test_version_is_the_installed_one(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("overlap 0.")


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ([], "the following arguments are required: command; see `overlap --help`"),
        (["forecast"], "argument command: invalid choice: 'forecast'"),
        (["simulate", "--fast"], "unrecognized arguments: --fast"),
        (["simulate", "--bucket", "x"], "simulate: argument --bucket: 'x' is not"),
        (["simulate", "--buck", "3"], "unrecognized arguments: --buck 3"),
        (["simulate", "--a\nb\x1b[1m"], "unrecognized arguments: --a b?[1m; see"),
        (["simulate", "--zz=" + "9 " * 99], f"guments: --zz={'9 ' * 27}9...; see"),
        (["simulate", "--plan", "x" * 99], f"choice: '{'x' * 59}...' (choose from"),
        (["simulate", "--plan", "x y" * 99], f"choice: '{'x y' * 19}x ...' (choose"),
        (["simulate", "--bucket", "x" * 99], f"--bucket: '{'x' * 40}...' is not a"),
        (["simulate", "--bucket", "\n" * 99], "\\n\\n...' is not a whole number"),
        (["simulate", "--json=" + "x" * 99], f"argument '{'x' * 59}...'; see"),
        (["simulate", "--scenario", "a\r\nb.json"], "a b.json: there is no such file"),
        (["simulate", "--scenario", "x" * 999 + ".json"], f"{'x' * 60}...: can't be"),
        (["simulate", "--scenario", "x" * 200 + ".json"], f"{'x' * 200}.json: there"),
        (["simulate", "--scenario", "x" * 99], f"no scenario '{'x' * 60}...'; choose"),
        (["simulate", "--link", "x\ny.csv"], "x y.csv: there is no such file"),
        (["measure", "no\nsuch.json"], "no such.json: there is no such file"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_2(argv, expected, capsys):
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert expected in one_sentence(captured.err)
    assert captured.out == ""


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("run.json: line 3: not JSON"), "run.json: line 3: not JSON"),
        (FileNotFoundError(2, "No such file", "a.json"), "a.json: No such file"),
        (OSError(98, "Address already in use"), "Address already in use"),
        (OSError("no reason given"), "no reason given"),
    ],
)
def test_what_the_user_can_put_right_is_one_sentence(
    error, expected, fails_with, capsys
):
    assert fails_with(error) == 2
    assert one_sentence(capsys.readouterr().err) == expected


def test_a_fault_of_our_own_is_not_hidden(fails_with):
    with pytest.raises(ZeroDivisionError):
        fails_with(ZeroDivisionError())


def test_an_interrupt_is_quiet(fails_with, capsys):
    assert fails_with(KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_leaves_early_is_no_failure():
    done = run_in_a_shell("overlap simulate --json | head -c 1; echo done")
    assert (done.stdout, done.stderr) == ("{done\n", "")


def test_a_closed_pipe_is_quiet():
    done = run_in_a_shell("overlap simulate | true")
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(
    "command",
    [
        *("simulate", "simulate --json", "sweep", "scenarios"),
        f"measure {TRACES / 'step-behind-the-clock.json'}",
    ],
)
def test_a_closed_stdout_is_one_sentence(command):
    done = run_in_a_shell(f"overlap {command} >&-")
    assert done.returncode == 2
    assert one_sentence(done.stderr).startswith("the standard output is closed; ")


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("command", ["simulate --fast", "measure none.json"])
def test_an_error_that_nobody_can_be_told_of_still_has_its_exit_code(command, where):
    done = run_in_a_shell(f"overlap {command} {where}")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_help_with_a_closed_stdout_is_no_failure():
    assert run_in_a_shell("overlap --help >&-").returncode == 0


def test_a_full_disk_is_one_sentence():
    done = run_in_a_shell("overlap simulate > /dev/full")
    assert done.returncode == 2
    assert one_sentence(done.stderr) == "No space left on device"


def test_a_name_that_the_terminal_can_not_show_is_written_anyway(tmp_path):
    path = tmp_path / "слои.json"
    path.write_text(
        '{"name": "слои",'
        ' "layers": [{"name": "слой", "backward_s": 1, "gradient_bytes": 1}]}'
    )
    done = run_in_a_shell(f"PYTHONIOENCODING=ascii overlap simulate --scenario {path}")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"\u0441\u043b\u043e\u0439" in done.stdout


@pytest.mark.parametrize("command", ["simulate", "sweep"])
def test_json_holds_any_name_whatever_the_terminal_can_show(command, tmp_path):
    path = tmp_path / "mine.json"
    layer = {"name": "für слои", "backward_s": 1, "gradient_bytes": 1}
    path.write_text(json.dumps({"name": "für слои", "layers": [layer]}))
    done = run_in_a_shell(
        f"PYTHONIOENCODING=ascii overlap {command} --scenario {path} --json"
    )
    assert json.loads(done.stdout)["best"]["plan"] == [["für слои"]]


def test_json_of_a_trace_and_of_the_scenarios_is_ascii(tmp_path, capsys):
    trace = tmp_path / "für.json"
    trace.write_bytes((TRACES / "step-behind-the-clock.json").read_bytes())
    for command in (["measure", str(trace)], ["scenarios"]):
        assert main([*command, "--json"]) == 0
        text = capsys.readouterr().out
        assert text.isascii()
        json.loads(text)
    made = replace(COURSE, title="für слои")
    assert as_json([made], []).isascii()


def test_the_package_runs_as_the_command():
    done = run_in_a_shell("overlap simulate --bucket 5")
    assert "its bytes, 80 MB of 2 layers" in done.stdout
