"""A fault of ours ends one move: the session goes on, is told, and the log knows."""

import logging
from pathlib import Path

import pytest

from overlap_widget.app import explorer as explorer_module
from overlap_widget.app import page as page_module
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.receiving import Receiver
from overlap_widget.app.settings import Notice

TRACE = Path(__file__).parents[1] / "data" / "kineto" / "by-the-clock.json"
TOLD = [{"key": "error.inside", "values": {}}]


@pytest.fixture
def trace_piece():
    """The move that brings a whole file."""
    data = TRACE.read_bytes()
    about = {"id": "1", "name": "a.json", "size_bytes": len(data), "offset": 0}
    return {"type": "upload", "data": data, "last": True, "seq": 1, **about}


def broken(*_args, **_options):
    raise RuntimeError("inside")


def set_bucket(value, seq):
    return {"type": "set", "key": "bucket", "value": value, "seq": seq}


def shown(explorer):
    view = explorer._front.parts["view"]
    return view["state"]["bucket"], view["notices"], explorer._front.parts["seq"]


@pytest.mark.parametrize("part", ["change", "makers"])
def test_a_move_that_fails_inside_is_told_and_the_next_one_works(part, monkeypatch):
    explorer, other = Explorer(query="bucket=3"), Explorer(query="bucket=3")
    with monkeypatch.context() as breaking:
        breaking.setattr(explorer_module, part, broken)
        explorer.move(set_bucket(4, seq=1))
    assert shown(explorer) == (3, TOLD, 1)
    assert explorer.settings == other.settings

    explorer.move(set_bucket(4, seq=2))
    assert shown(explorer) == (4, [], 2)
    assert shown(other) == (3, [], 0)


def test_the_log_has_the_fault_once_with_its_traceback(monkeypatch, caplog):
    explorer = Explorer()
    monkeypatch.setattr(explorer_module, "change", broken)
    explorer.move(set_bucket(4, seq=1))

    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info[0] is RuntimeError


def test_a_fault_while_a_file_is_shown_ends_its_progress(monkeypatch, trace_piece):
    explorer = Explorer()
    monkeypatch.setattr(explorer_module, "open_found", broken)
    explorer.move(trace_piece)
    explorer.receiver.future.result(timeout=60)

    assert shown(explorer)[1] == TOLD
    assert explorer._front.parts["upload"] == {}
    assert explorer.measured.recordings == ()


def test_a_fault_in_receiving_is_told(monkeypatch, trace_piece):
    explorer = Explorer()
    monkeypatch.setattr(Receiver, "receive", broken)
    explorer.move(trace_piece)

    assert shown(explorer)[1] == TOLD


def test_a_session_that_cannot_start_as_its_address_says_starts_plainly(monkeypatch):
    real = explorer_module.start

    def start(query, *rest):
        return broken() if "bucket=3" in query else real(query, *rest)

    monkeypatch.setattr(explorer_module, "start", start)
    explorer = page_module._begun((), "bucket=3", explorer_module.whole_front)

    assert explorer.notices == (Notice("error.inside", {}),)
    assert shown(explorer)[1] == TOLD
