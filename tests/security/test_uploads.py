"""Files that a page sends: how many, how large, how long; and never by their names."""

import asyncio
import os
import pickle
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

from overlap_widget.app import leftovers, reading, receiving, upload_limits
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.leftovers import PREFIX, remove_leftovers
from overlap_widget.app.reading import read
from overlap_widget.app.receiving import Receiver
from overlap_widget.app.stoppable import Reading
from overlap_widget.app.upload import Upload, UploadError, begin
from overlap_widget.app.upload_limits import DISK
from overlap_widget.model.traces import TraceError

TRACE = b'{"traceEvents": []}'
opened_paths = None


def note_opened(event, arguments):
    if opened_paths is not None and event in ("open", "os.listdir", "os.scandir"):
        opened_paths.append(str(arguments[0]))


sys.addaudithook(note_opened)  # stays, and notes nothing but in its test


def piece(name="a.json", size_bytes=2, **changes):
    first = {"type": "upload", "id": name, "name": name, "size_bytes": size_bytes}
    return first | {"offset": 0, "data": b"[", "batch": "b"} | changes


@pytest.fixture
def receiver():
    """One session's; `said` are its sentences."""
    said = []
    one = Receiver(lambda _upload, found: said.append(str(found)), lambda: None)
    one.said = said
    yield one
    one.cancel()


def is_empty():
    return DISK._sizes == {}


def test_a_page_sends_so_many_files_and_bytes_and_no_more(receiver, monkeypatch):
    monkeypatch.setattr(upload_limits, "MOST_FILES", 3)
    monkeypatch.setattr(upload_limits, "MOST_PAGE_BYTES", 100)
    receiver.receive(piece("a.json", 60))
    with pytest.raises(UploadError, match=r"^b\.json: .* more than 0 MB, its limit"):
        receiver.receive(piece("b.json", 50))
    assert receiver.upload is None
    assert is_empty()
    for name in ("c.json", "d.json"):
        receiver.receive(piece(name, 1))
    with pytest.raises(UploadError, match=r"^e\.json: the page has taken 3 files"):
        receiver.receive(piece("e.json", 1))


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        ("MOST_AT_ONCE", 2, "c.json: the server has too many files to read"),
        ("MOST_WAITING_BYTES", 25, "c.json: the server has too many files to read"),
    ],
)
def test_all_pages_together_leave_room_on_the_disk(monkeypatch, limit, value, said):
    monkeypatch.setattr(upload_limits, limit, value)
    first, second = (begin(piece(name, 10)) for name in ("a.json", "b.json"))
    with pytest.raises(UploadError, match=said):
        begin(piece("c.json", 10))
    first.discard()
    third = begin(piece("c.json", 10))
    for one in (second, third):
        one.discard()

    assert is_empty()


def test_a_disk_without_room_takes_no_file(monkeypatch):
    free = namedtuple("Usage", "free")(9)
    monkeypatch.setattr(upload_limits.shutil, "disk_usage", lambda _: free)

    with pytest.raises(
        UploadError, match=r"^a\.json: the disk .* overlap serve a\.json"
    ):
        begin(piece(size_bytes=10))
    assert is_empty()


def test_a_disk_that_fills_meanwhile_ends_the_upload_in_a_sentence(
    receiver, monkeypatch
):
    def full(_self, _mode):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(UploadError, match=r"^a\.json: .*keep it \(No space left"):
        receiver.receive(piece())
    assert receiver.upload is None
    assert is_empty()


@pytest.mark.parametrize("held", [False, True])
def test_a_file_of_which_nothing_more_comes_is_given_up(monkeypatch, in_a_loop, held):
    monkeypatch.setattr(receiving, "STALL_S", 0.05)

    async def stalled():
        said, done = [], asyncio.Event()

        def take(_upload, found):
            said.append(str(found))
            done.set()

        receiver = Receiver(take, lambda: None)
        receiver.receive(piece(held=held, last=held))
        for _ in range(3):  # empty pieces are nothing
            await asyncio.sleep(0.02)
            if receiver.upload and not held:
                receiver.receive(piece(offset=1, data=b""))
        await asyncio.wait_for(done.wait(), 5)
        return receiver, said

    receiver, said = in_a_loop(stalled())

    assert said == ["a.json: nothing more of it came for 0 minutes; open it again"]
    assert receiver.upload is None
    assert is_empty()


def test_a_file_that_drips_is_ended_after_an_hour(receiver):
    receiver.receive(piece())
    receiver.upload.begun_s -= 3601

    with pytest.raises(UploadError, match=r"^a\.json: it took more than 60 minutes"):
        receiver.receive(piece(offset=1, data=b"]"))
    assert is_empty()


def whole(name, data, **changes):
    one = begin(piece(name, len(data), **changes))
    one.receive(data, 0)
    one.finish()
    return one


def test_a_reading_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(reading, "MOST_READ_S", 0.05)

    def read_all(_paths, _limit, tell):
        while True:
            tell(0.5)
            time.sleep(0.01)

    monkeypatch.setattr(reading, "read_all", read_all)
    upload = whole("slow.json", TRACE)
    found = read(Reading(upload, lambda _: None))
    upload.discard()

    assert str(found) == (
        "slow.json: it takes more than 5 minutes to read; open it with: overlap serve "
        "slow.json"
    )


def test_a_process_that_says_nothing_is_ended_too(monkeypatch, tmp_path):
    silent = tmp_path / "python"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o700)
    monkeypatch.setattr(reading, "MOST_READ_S", 0.05)
    monkeypatch.setattr(reading, "LARGE_BYTES", 0)
    monkeypatch.setattr(reading.sys, "executable", str(silent))
    upload = whole("slow.json", TRACE)
    one = Reading(upload, lambda _: None)
    found = read(one)
    upload.discard()

    assert "takes more than 5 minutes to read" in str(found)
    assert one.process.returncode != 0


class Opens:
    """Whoever unpickles it makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_file_that_is_named_like_what_a_process_reads_is_never_unpickled(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(reading, "LARGE_BYTES", 0)
    monkeypatch.setattr(reading.sys, "executable", "false")  # a process that dies
    upload = whole(reading.OUTCOME, pickle.dumps(Opens(tmp_path / "taken")))
    found = read(Reading(upload, lambda _: None))
    upload.discard()

    assert isinstance(found, TraceError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/passwd",
        "/etc/passwd",
        "..",
        "...",
        "a/../..",
        "C:\\Windows\\x",
        "\\\\host\\share\\x",
        "file:///etc/passwd",
        "a\0b",
        "\N{CJK UNIFIED IDEOGRAPH-4E00}" * 300,
        "~/.ssh/id",
        "-rf",
        "$(id);`id`|id",
        "\n\r\N{RIGHT-TO-LEFT OVERRIDE}",
    ],
)
def test_a_name_leads_nowhere_and_any_disk_takes_it(name):
    upload = whole(name, b"[]")
    folder = Path(upload.folder.name)

    assert upload.path.parent == folder
    assert [path.name for path in folder.iterdir()] == [upload.path.name]
    assert set(upload.path.name) & set("/\\\0\n\r;|`$~ ") == set()
    upload.discard()
    assert not folder.exists()


def test_a_path_from_a_page_is_never_opened(tmp_path):
    global opened_paths  # noqa: PLW0603  the hook can't be taken away again
    secret = tmp_path / "secret.json"
    secret.write_bytes(TRACE)
    named = {key: str(secret) for key in ("path", "file", "name", "value", "id")}
    kinds = ("upload", "open", "load", "recording", "class", "search", "set", "try")
    query = (
        f"mode=measured&trace={secret}&file={secret}&link={secret}&scenario={secret}"
    )
    opened_paths = []
    try:
        explorer = Explorer(query=f"?{query}#{query}")
        for kind in kinds:
            explorer.move(named | {"type": kind, "key": "scenario"})
        explorer.move(piece(f"file://{secret}", 9, path=str(secret)))
        explorer.close()
    finally:
        opened, opened_paths = opened_paths, None

    assert opened  # the hook heard of something
    assert not [path for path in opened if str(tmp_path) in path]


@pytest.mark.parametrize(
    "changes",
    [
        {"size_bytes": -1},
        {"size_bytes": float("nan")},
        {"size_bytes": "1e9"},
        {"size_bytes": 10**400},
        {"offset": -1},
        {"offset": None},
        {"data": "text"},
        {"data": [1, 2]},
        {"data": bytearray(b"[]")},
        {"name": {"a": [1]}},
        {"batch": ["b"] * 99},
        {"id": None},
        {"id": {}},
    ],
)
def test_a_piece_of_odd_types_is_refused_and_leaves_nothing(changes):
    explorer = Explorer()
    explorer.move(piece(size_bytes=1) | changes)
    explorer.close()

    assert is_empty()


@pytest.mark.parametrize("changes", [{}, {"held": True, "last": True}])
def test_a_session_that_ends_in_the_middle_of_an_upload_takes_it_along(changes):
    explorer = Explorer()
    explorer.move(piece(**changes))
    folder = Path(explorer.receiver.upload.folder.name)
    assert any(folder.iterdir())
    explorer.close()

    assert not folder.exists()
    assert is_empty()


def test_a_table_that_another_page_holds_cannot_be_joined_by_guessing_its_batch():
    victim, attacker = Explorer(), Explorer()
    victim.move(piece("run.csv", held=True, last=True, batch="one"))
    attacker.move(piece("x.csv", batch="one", id="run.csv"))
    own = attacker.receiver.upload

    assert own.folder is not victim.receiver.upload.folder
    attacker.move({"type": "cancel_upload", "id": "run.csv"})
    assert victim.receiver.upload.path.exists()
    for one in (victim, attacker):
        one.close()


def test_what_a_killed_server_left_is_removed_a_day_later(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers.tempfile, "gettempdir", lambda: str(tmp_path))
    kept = tmp_path / "kept"
    (kept / "inside").mkdir(parents=True)
    folders = [f"{PREFIX}old", f"{PREFIX}new", "overlap-notes"]
    for name in folders:
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.json").touch()
    (tmp_path / f"{PREFIX}link").symlink_to(kept)
    days_ago = time.time() - 2 * leftovers.STALE_S
    for path in (tmp_path / folders[0], tmp_path / folders[2], kept):
        os.utime(path, (days_ago, days_ago))
    remove_leftovers.__wrapped__()

    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == sorted(["kept", f"{PREFIX}link", f"{PREFIX}new", "overlap-notes"])
    assert (kept / "inside").exists()


def test_an_upload_knows_no_other_way_to_choose_its_folder():
    with pytest.raises(TypeError):
        Upload("a", "x.json", 1, path=Path("/etc"))
