"""`overlap serve`: what keeps it from starting is one sentence."""

import logging
import socket
import subprocess
import sys

import pytest
from tornado.websocket import WebSocketClosedError

from overlap_widget.app.cli import main
from overlap_widget.app.closed_pages import is_worth_saying
from overlap_widget.app.commands.serve import said_places
from overlap_widget.app.server import origins


def said(capsys, *arguments):
    code = main(["serve", "--no-show", *arguments])
    return code, capsys.readouterr().err


def said_alone(*arguments):
    """In a process of its own: a server that can't bind leaves its socket open."""
    command = [sys.executable, "-m", "overlap_widget.app", "serve", "--no-show"]
    done = subprocess.run(
        [*command, *arguments], check=False, capture_output=True, text=True
    )
    return done.returncode, done.stderr


def test_a_port_that_is_taken_is_one_sentence_that_names_the_option():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, text = said_alone("--address", "127.0.0.1", "--port", str(port))

    assert code == 2
    assert text == (
        f"overlap: port {port} is taken; choose another with --port, "
        "or --port 0 for any free one\n"
    )


def test_a_port_that_is_no_number_in_digits_is_one_sentence(capsys):
    code, text = said(capsys, "--port", "80_80")

    assert (code, text.count("\n")) == (2, 1)
    assert "--port: '80_80' is not a whole number such as 4" in text


def test_an_address_that_isnt_this_machines_is_one_sentence():
    code, text = said_alone("--address", "203.0.113.7", "--port", "0")

    assert (code, text.count("\n")) == (2, 1)
    assert "203.0.113.7" in text


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_out_of_range_is_one_sentence(capsys, port):
    assert said(capsys, "--port", port) == (
        2,
        f"overlap: --port {port}: a port is 0 to 65535\n",
    )


def test_a_missing_trace_is_one_sentence_and_nothing_is_served(capsys):
    code, text = said(capsys, "no-such-file.json")

    assert code == 2
    assert text.startswith("overlap: no-such-file.json: ")
    assert text.count("\n") == 1


def test_on_all_addresses_the_name_of_the_machine_is_said(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "lab7")
    assert said_places("127.0.0.1", 5006) == "http://127.0.0.1:5006"
    for address in ("0.0.0.0", "::"):
        assert said_places(address, 5006) == (
            "http://localhost:5006 and, for others, at http://lab7:5006"
        )


def test_a_named_host_may_connect_to_our_port_and_to_its_own():
    named = ["course.example", "lab.example:8443"]

    assert origins(5212, "localhost", named) == [
        "127.0.0.1:5212",
        "course.example:5212",
        "localhost:5212",
        "course.example",
        "lab.example:8443",
    ]


@pytest.mark.parametrize(
    ("message", "error", "is_said"),
    [
        ("Task exception was never retrieved", WebSocketClosedError(), False),
        ("Failed sending message as connection was closed", None, False),
        ("Task exception was never retrieved", ValueError("ours"), True),
        ("Failed sending message", None, True),
    ],
)
def test_a_page_that_was_closed_leaves_no_traceback_but_faults_do(
    message, error, is_said
):
    about = error and (type(error), error, None)
    record = logging.LogRecord("asyncio", logging.ERROR, "", 1, message, (), about)

    assert is_worth_saying(record) == is_said
