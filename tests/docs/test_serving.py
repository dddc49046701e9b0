"""docs/serving.md: its sentences, options and numbers are those of the program.

Its nginx is tried in tests/app/test_serve_running.py.
"""

import configparser
import re
import shlex
import signal
from pathlib import Path

import pytest
from bokeh.server.tornado import DEFAULT_KEEP_ALIVE_MS

from overlap_widget.app.cli import INTERRUPTED, WRONG_USE, main
from overlap_widget.app.commands import serve
from overlap_widget.app.page_socket import LINGER_MS
from overlap_widget.app.upload_limits import MOST_AT_ONCE, MOST_BYTES, MOST_FILES

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
TEXT = PAGE.read_text("utf-8")
PROSE = " ".join(TEXT.split())
NGINX_SILENCE_S = 60
"""The default of its proxy_read_timeout."""


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.S)


def quoted_sentences():
    """The first cells of the table of what it says."""
    rows = TEXT.split("| it says |")[1].split("\n\n")[0].splitlines()[2:]
    return [row.split("`")[1] for row in rows]


@pytest.mark.parametrize(
    ("argv", "failure"),
    [
        ([], OSError(98, "Address already in use")),
        (["--port", "80"], PermissionError(13, "Permission denied")),
        (["--address", "203.0.113.7"], OSError(99, "Cannot assign requested address")),
        (["no-such-file.json"], None),
    ],
)
def test_what_keeps_it_from_starting_is_said_as_the_page_has_it(
    argv, failure, monkeypatch, capsys
):
    def fail(*_):
        raise failure

    monkeypatch.setattr(serve, "make_server", fail)
    assert main(["serve", "--no-show", *argv]) == WRONG_USE
    said = capsys.readouterr().err.removeprefix("overlap: ")
    assert [one for one in quoted_sentences() if said.startswith(one)]


def test_the_sentence_for_no_browser_is_the_programs():
    assert serve.NO_BROWSER in quoted_sentences()


def test_the_numbers_are_the_programs():
    signs_s = DEFAULT_KEEP_ALIVE_MS / 1e3
    assert signs_s < NGINX_SILENCE_S
    for sentence in (
        f"It is {INTERRUPTED} where Ctrl-C came before anything was served, and "
        f"{WRONG_USE} with one sentence",
        f"at http://localhost:{serve.DEFAULT_PORT}",
        f"after {NGINX_SILENCE_S} s of silence",
        f"a sign of life every {signs_s:.0f} s",
        f"have {MOST_BYTES / 1e6:.0f} MB unpacked, a page may send {MOST_FILES:,} of",
        f"together may have {MOST_AT_ONCE} waiting",
        f"was lost after {LINGER_MS // 60_000} minutes",
    ):
        assert sentence in PROSE
    assert 128 + signal.SIGINT == INTERRUPTED


def test_the_unit_starts_the_command_on_a_port_that_nginx_knows():
    (text,) = blocks("ini")
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str
    unit.read_string(text)
    program, *argv = shlex.split(unit["Service"]["ExecStart"].replace("%i", "5007"))
    ports = re.findall(r"overlap@(\d+)", TEXT)

    assert program.endswith("/bin/overlap")
    assert parsed(argv).port == 5007
    assert [f"server 127.0.0.1:{port};" in blocks("nginx")[0] for port in ports] == [
        True
    ] * 2


def test_its_commands_are_ones():
    lines = [line for line in "".join(blocks("sh")).splitlines() if line]
    assert len(lines) == 4
    for line in lines:
        assert line.startswith("overlap ")
        parsed(shlex.split(line, comments=True)[1:])


def parsed(argv):
    """The options of `overlap serve`, whatever they would do."""
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "run", lambda arguments: seen.append(arguments) or 0)
        assert main(argv) == 0
    return seen[0]
