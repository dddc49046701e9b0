"""`overlap serve`: what keeps it from starting is one sentence."""

import logging
import socket
import subprocess
import sys
import webbrowser

import pytest
from tornado.websocket import WebSocketClosedError

from overlap_widget.app.cli import main
from overlap_widget.app.closed_pages import is_worth_saying
from overlap_widget.app.commands import serve
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


def test_an_empty_address_does_not_open_the_server_to_everyone(capsys):
    assert said(capsys, "--address", "") == (
        2,
        "overlap: --address is empty; leave it out to serve this machine alone\n",
    )


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


def test_a_wildcard_for_who_may_connect_is_one_sentence(capsys):
    assert said(capsys, "--allow-origin", "*") == (
        2,
        "overlap: serve: argument --allow-origin: '*': a wildcard would let any page "
        "in; name each host; see `overlap serve --help`\n",
    )


@pytest.mark.parametrize(
    ("family", "number"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_a_port_that_is_taken_on_one_number_of_localhost_is_taken(
    family, number, capsys
):
    try:
        taken = socket.create_server((number, 0), family=family)
    except OSError:
        pytest.skip(f"this machine has no {number}")
    with taken:
        port = str(taken.getsockname()[1])
        code, text = said(capsys, "--port", port)

    assert (code, text.count("\n")) == (2, 1)
    assert text.startswith(f"overlap: port {port} is taken; ")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(13, "Permission denied"), "port 80 needs more rights; choose"),
        (
            OSError(99, "Cannot assign requested address"),
            "can't listen on localhost (C",
        ),
    ],
)
def test_what_the_machine_refuses_is_one_sentence(error, sentence, capsys, monkeypatch):
    def refuse(*_):
        raise error

    monkeypatch.setattr(serve, "make_server", refuse)
    code, text = said(capsys, "--port", "80")

    assert (code, text.count("\n")) == (2, 1)
    assert text.startswith(f"overlap: {sentence}")


def test_without_a_browser_the_address_is_to_be_opened_by_hand(monkeypatch):
    def none_found(_place):
        raise webbrowser.Error("could not locate runnable browser")

    for opening in (lambda _place: False, none_found):
        monkeypatch.setenv("DISPLAY", ":0")
        monkeypatch.setattr(webbrowser, "open", opening)
        assert not serve.show("localhost", 5006)


def test_a_window_opens_at_an_address_that_a_browser_can_open(monkeypatch):
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", lambda place: opened.append(place) or True)
    for address in ("localhost", "0.0.0.0", "::1"):
        assert serve.show(address, 5006)

    assert opened == [
        *(["http://localhost:5006"] * 2),
        "http://[::1]:5006",
    ]


def test_a_reader_that_has_left_does_not_end_the_server(monkeypatch):
    class Closed:
        def write(self, _text):
            raise BrokenPipeError

        def fileno(self):
            raise OSError

    monkeypatch.setattr(sys, "stdout", Closed())
    serve.say("Overlap Explorer has stopped.")


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
