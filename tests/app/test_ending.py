"""How a command ends when it is told to from outside."""

import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from overlap_widget.app import cli
from overlap_widget.app.beside import beside
from overlap_widget.app.ending import ENDING

BEGIN = """
import os, signal, sys
from overlap_widget.app.ending import ended_at_once, run_until_ended, unwinding
def tell(name):
    os.kill(os.getpid(), getattr(signal, name))
"""
SERVE = """
with unwinding() as heard:
    run_until_ended(lambda: RUN, lambda: print('stopped'), heard)
    print('cleaned up')
"""


def ended(code):
    """A program's exit code, what it printed, and what it said on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.split("\n")[:-1], done.stderr


def test_while_modules_load_ctrl_c_ends_the_process_without_a_word():
    code = "with ended_at_once(): tell('SIGINT'); print('goes on')"
    assert ended(code) == (-signal.SIGINT, [], "")


def test_once_they_are_loaded_ctrl_c_is_an_interrupt_again():
    code = """
with ended_at_once():
    pass
try:
    tell('SIGINT')
except KeyboardInterrupt:
    print('interrupted')
"""
    assert ended(code) == (0, ["interrupted"], "")


def test_so_it_does_while_the_module_of_a_command_loads(monkeypatch):
    seen = []

    def load(_name):
        seen.append(signal.getsignal(signal.SIGINT))
        return SimpleNamespace(
            add_arguments=lambda _parser: None, run=lambda _options: 0
        )

    monkeypatch.setattr(cli.importlib, "import_module", load)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert cli.main(["simulate"]) == 0
        assert seen == [signal.SIG_DFL]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_comes_before_loads_nothing_that_takes_long():
    code = "import overlap_widget.app.cli; print({'numpy', 'email'} & {*sys.modules})"
    assert ended(code) == (0, ["set()"], "")


@pytest.mark.parametrize("one", ENDING, ids=lambda one: one.name)
def test_before_it_runs_each_signal_leaves_through_what_cleans_up(one):
    code = f"""
with unwinding():
    try:
        tell('{one.name}')
    finally:
        print('removed')
"""
    assert ended(code) == (128 + one, ["removed"], "")


@pytest.mark.parametrize("one", ENDING, ids=lambda one: one.name)
def test_while_it_runs_each_signal_has_it_stopped_in_order(one):
    code = SERVE.replace("RUN", f"tell('{one.name}')")
    assert ended(code) == (0, ["stopped", "cleaned up"], "")


def test_a_second_signal_ends_it_at_once():
    code = SERVE.replace("RUN", "(tell('SIGINT'), sys.stdout.flush(), tell('SIGINT'))")
    assert ended(code) == (-signal.SIGINT, ["stopped"], "")


def test_what_is_ignored_stays_so():
    code = "signal.signal(signal.SIGHUP, signal.SIG_IGN)" + SERVE
    code = code.replace("RUN", "(tell('SIGHUP'), print('goes on'))")
    assert ended(code) == (0, ["goes on", "cleaned up"], "")


def test_what_is_made_beside_the_server_does_not_hold_up_its_end():
    code = """
import time
from overlap_widget.app.beside import beside
def slow():
    time.sleep(600)
print(beside(lambda: 'made').result(), beside(slow).done())
"""
    assert ended(code) == (0, ["made False"], "")


def test_what_goes_wrong_beside_the_server_is_heard_by_whoever_asks():
    with pytest.raises(ZeroDivisionError):
        beside(lambda: 1 / 0).result()
