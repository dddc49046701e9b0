"""The line on how far reading has come."""

import io

import pytest

from overlap_widget.app import progress_line as module
from overlap_widget.app.progress_line import ProgressLine, progress_line


class Terminal(io.StringIO):
    """What a person would see in the end: the last writing of the line."""

    def isatty(self):
        return True

    def shown(self):
        lines = self.getvalue().split("\n")
        return [line.rsplit("\r", 1)[-1].rstrip() for line in lines]


class Clock:
    def __init__(self):
        self.now_s = 0.0

    def __call__(self):
        self.now_s += 1.0
        return self.now_s


def test_the_share_of_one_file_is_the_share_of_all():
    terminal = Terminal()
    line = ProgressLine(terminal, 1, Clock())
    line.heard(0.0)
    line.heard(0.426)
    assert terminal.shown() == ["Reading: 42 %"]


def test_of_several_files_the_done_ones_are_counted():
    terminal = Terminal()
    line = ProgressLine(terminal, 8, Clock())
    line.heard(0.2)
    line.file_done()
    line.file_done()
    line.heard(0.317)
    assert terminal.shown() == ["Reading: 31 %, 2 of 8 files"]


def test_what_is_read_stays_read():
    terminal = Terminal()
    line = ProgressLine(terminal, 2, Clock())
    line.heard(0.5)
    line.heard(0.1)
    assert terminal.shown() == ["Reading: 50 %, 0 of 2 files"]


def test_the_line_leaves_nothing_behind():
    terminal = Terminal()
    line = ProgressLine(terminal, 1, Clock())
    line.heard(0.0)
    line.heard(1.0)
    assert terminal.shown() == ["Reading: 100 %"]
    line.clear()
    assert terminal.shown() == [""]
    assert terminal.getvalue().count("\n") == 0


def test_it_is_written_no_more_often_than_a_person_can_read():
    terminal = Terminal()
    line = ProgressLine(terminal, 1, lambda: 0.05)
    for share in range(100):
        line.heard(share / 100)
    assert terminal.getvalue().count("Reading") == 1


def test_without_a_terminal_nothing_is_written(monkeypatch):
    plain = io.StringIO()
    monkeypatch.setattr(module.sys, "stderr", plain)
    with progress_line(3) as line:
        line.heard(0.5)
        line.file_done()
    assert plain.getvalue() == ""


def test_a_closed_stderr_is_no_terminal(monkeypatch):
    monkeypatch.setattr(module.sys, "stderr", None)
    with progress_line(1) as line:
        line.heard(0.5)


def interrupted_halfway():
    with progress_line(2) as line:
        line.heard(0.5)
        raise KeyboardInterrupt


@pytest.mark.parametrize("is_terminal", [True, False])
def test_an_interrupt_is_one_line_on_a_terminal_and_none_elsewhere(
    monkeypatch, is_terminal
):
    stream = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(module.sys, "stderr", stream)
    with pytest.raises(KeyboardInterrupt):
        interrupted_halfway()
    said = "\rStopped while reading; nothing was measured.\n"
    assert stream.getvalue().endswith(said if is_terminal else "")
    assert ("Stopped" in stream.getvalue()) is is_terminal
