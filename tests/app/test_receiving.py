"""What a page sends: read beside the server, ended on request, told by content."""

import asyncio
import json
import threading
import time
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from bokeh.document import Document

from overlap_widget.app import reading as reading_module
from overlap_widget.app import receiving
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.reading import Reading, StoppedError, loaded, read
from overlap_widget.app.receiving import Receiver
from overlap_widget.app.said import text
from overlap_widget.app.upload import Upload, begin
from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces import TraceError

EXAMPLE = Path(__file__).parents[2] / "static" / "example-trace.json.gz"


def kernel(name, start_us, length_us, stream=7):
    place = {"pid": 0, "tid": stream, "args": {"device": 0, "stream": stream}}
    times = {"ts": start_us, "dur": length_us}
    return {"ph": "X", "cat": "kernel", "name": name} | times | place


def trace(*names):
    events = [kernel(name, 10 * at, 5) for at, name in enumerate(names)]
    return json.dumps({"traceEvents": events}).encode()


def send(explorer, name, data, **changes):
    """A whole file in one piece; waits until it is read."""
    piece = {"type": "upload", "id": name, "name": name, "offset": 0, "last": True}
    whole = piece | {"size_bytes": len(data), "data": data} | changes
    explorer.move(whole)
    if explorer.receiver.future is not None:
        wait([explorer.receiver.future])
    return explorer.__panel__().parts["view"]


def notices(view):
    return [one["values"]["text"] for one in view["notices"]]


def open_names(view):
    return [one["name"] for one in view["measured"]["recordings"]]


def test_files_of_one_batch_open_beside_the_first_of_them_which_stays_shown():
    explorer = Explorer()
    send(explorer, "run/rank0.json", trace("a", "b"), batch="one")
    send(explorer, "run/rank1.json", trace("a", "c"), batch="one")
    together = send(explorer, "run/rank2.json", trace("a"), batch="one")
    later = send(explorer, "other.json", trace("a", "d", "e"), batch="two")

    assert open_names(together) == ["rank0.json", "rank1.json", "rank2.json"]
    assert together["measured"]["recording"] == 0
    assert later["measured"]["recording"] == 3


def test_a_document_is_touched_by_the_thread_of_its_server_alone(
    monkeypatch, in_a_loop
):
    threads, whole = [], asyncio.Event()

    class Session:
        async def with_locked_document(self, act):
            threads.append(threading.get_ident())
            await act(document)

    document = Document()
    monkeypatch.setattr(document, "_session_context", Session)

    async def receive():
        curdoc = SimpleNamespace(curdoc=document)
        monkeypatch.setattr(receiving, "pn", SimpleNamespace(state=curdoc))
        receiver = Receiver(lambda *_: whole.set(), lambda: None)
        piece = {"id": "a", "name": "a.json", "offset": 0, "last": True}
        data = trace("a", "b")
        receiver.receive(piece | {"size_bytes": len(data), "data": data})
        await asyncio.wait_for(whole.wait(), 10)

    async def served():
        await receive()
        return threading.get_ident()

    thread = in_a_loop(served())
    assert set(threads) == {thread}


def test_rules_before_the_first_recording_of_a_batch_leave_it_the_one_shown():
    explorer = Explorer()
    send(explorer, "a.json", trace("a", "b"), batch="one")
    rules = json.dumps({"communication": ["my_reduce"]}).encode()
    send(explorer, "b.json", rules, batch="two")
    send(explorer, "c.json", trace("a", "c"), batch="two")
    view = send(explorer, "d.json", trace("a", "d"), batch="two")
    assert view["measured"]["recording"] == 1


def test_files_of_the_same_name_in_two_folders_are_told_apart():
    explorer = Explorer()
    send(explorer, "run/0/trace.json", trace("a", "b"), batch="one")
    view = send(explorer, "run/1/trace.json", trace("a", "c"), batch="one")

    assert open_names(view) == ["run/0/trace.json", "run/1/trace.json"]


def test_members_of_archives_have_the_names_of_the_page_everywhere(zipped):
    explorer = Explorer()
    for name, work in (("one.zip", "a"), ("two.zip", "b")):
        members = {"rank0.json": trace(work, "c"), "rank1.json": trace("d", work)}
        view = send(explorer, name, zipped(members))
    assert open_names(view) == [
        f"{name}/rank{rank}.json" for name in ("one.zip", "two.zip") for rank in (0, 1)
    ]
    broken = send(explorer, "bad.zip", zipped({"a.json": b'{"traceEvents": 7}'}))
    assert notices(broken)
    assert "overlap-" not in json.dumps(broken)


def test_remarks_on_a_recording_have_the_name_of_the_page(monkeypatch):
    def remarked(paths, *_):
        [one] = loaded(EXAMPLE)
        said = f"{paths[0]}: something is doubtful"
        return (replace(one, path=paths[0], warnings=(said,)),)

    monkeypatch.setattr(reading_module, "read_all", remarked)
    view = send(Explorer(), "mine.json", trace("a"))
    assert "Mine.json: something is doubtful." in view["measured"]["warnings"]


def test_a_rules_file_is_told_by_its_content_and_holds_in_all_recordings():
    explorer = Explorer()
    send(explorer, "rank0.json", trace("my_reduce", "gemm"))
    rules = b'{"communication": ["my_*"], "other": []}'
    view = send(explorer, "anything.txt", rules)
    send(explorer, "rank1.json", trace("my_reduce", "gemm"))

    said = "anything.txt: 1 rule on kernel names, for all open recordings."
    assert list(map(text, view["notices"])) == [said]
    for recording in explorer.measured.recordings:
        rows = recording.spans.name == recording.spans.names.index("my_reduce")
        assert set(recording.spans.kind[rows].tolist()) == {Kind.COMMUNICATION}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"music": ["a"]}', "mine.json: 'music' is no class"),
        ('{"other": []}', "mine.json: names no kernels"),
        ('{"traceEvents": []}', "mine.json: "),
        ("[]", "mine.json: "),
    ],
)
def test_what_is_wrong_with_a_small_file_is_one_sentence_under_its_own_name(text, said):
    explorer = Explorer(query="mode=measured")
    (notice,) = notices(send(explorer, "mine.json", text.encode()))

    assert notice.startswith(said)
    assert "overlap-" not in notice  # where it lies on this machine
    assert len(explorer.measured.recordings) == 1


def test_a_file_of_a_folder_that_is_no_trace_is_skipped_without_a_word():
    explorer = Explorer(query="mode=measured")
    view = send(explorer, "run/notes.txt", b"nothing", found=True)

    assert view["notices"] == []
    assert explorer.__panel__().parts["upload"]["state"] == "skipped"
    assert not explorer.receiver.upload.path.exists()


def test_a_held_table_is_read_with_the_last_one_of_its_batch(monkeypatch):
    read_paths = []

    def read_all(paths, _limit, _tell):
        read_paths.extend(sorted(Path(path).name for path in paths))
        assert sorted(path.name for path in Path(paths[0]).parent.iterdir()) == [
            "1-table.csv",
            "table.csv",
        ]
        return TraceError(f"{paths[0]}: no")

    monkeypatch.setattr(reading_module, "read_all", read_all)
    explorer = Explorer()
    table = b'"Name","Start (ns)","Duration (ns)"\n'
    send(explorer, "a/table.csv", table, batch="one", held=True)
    assert explorer.__panel__().parts["upload"]["state"] == "held"
    held = explorer.receiver.upload.path
    send(explorer, "b/table.csv", table, batch="one")

    assert not held.exists()


def test_the_tables_of_rocprof_in_a_folder_are_one_recording():
    kernels = Path(__file__).parents[1] / "data" / "rocprof" / "run_kernel_trace.csv"
    beside = kernels.with_name(kernels.name.replace("kernel", "memory_copy"))
    explorer = Explorer()
    send(explorer, kernels.name, kernels.read_bytes(), batch="a", held=True, found=True)
    view = send(explorer, beside.name, beside.read_bytes(), batch="a", found=True)

    assert open_names(view) == [kernels.name]


def test_cancelling_a_file_that_is_read_ends_its_reading_and_keeps_what_is_open(
    monkeypatch,
):
    begun, ended = threading.Event(), threading.Event()

    def read_all(_paths, _limit, tell):
        begun.set()
        try:
            for _ in range(1000):
                tell(0.5)
                time.sleep(0.005)
        finally:
            ended.set()

    monkeypatch.setattr(reading_module, "read_all", read_all)
    explorer = Explorer(query="mode=measured")
    piece = {"type": "upload", "id": "a", "name": "a.json", "size_bytes": 2}
    explorer.move(piece | {"offset": 0, "data": b"[]", "last": True})
    path = explorer.receiver.upload.path
    assert begun.wait(5)
    explorer.move({"type": "cancel_upload", "id": "a"})

    assert ended.wait(2)
    wait([explorer.receiver.future], timeout=5)
    assert not path.exists()
    assert explorer.__panel__().parts["upload"] == {}
    assert len(explorer.measured.recordings) == 1


def test_a_page_hears_a_few_times_a_second_how_far_a_file_is(monkeypatch):
    monkeypatch.setattr(receiving, "TELL_S", 0.05)

    def read_all(_paths, _limit, tell):
        for at in range(200):
            tell(at / 200)
            time.sleep(0.001)
        return ()

    monkeypatch.setattr(reading_module, "read_all", read_all)
    told, taken = [], []
    receiver = Receiver(
        lambda *found: taken.append(found),
        lambda: told.append(receiver.view()["read_share"]),
    )
    piece = {"id": "a", "name": "a.json", "size_bytes": 2, "offset": 0, "last": True}
    receiver.receive(piece | {"data": b"[]"})
    wait([receiver.future])

    assert 2 <= len(told) <= 20
    assert told == sorted(told)
    assert [found for _, found in taken] == [()]


@pytest.fixture
def whole_upload():
    """Makes files that have arrived, and removes them."""
    made = []

    def make(data, name="a.json"):
        upload = begin({"id": "a", "name": name, "size_bytes": len(data)})
        made.append(upload)
        upload.receive(data, 0)
        upload.finish()
        return upload

    yield make
    for upload in made:
        upload.discard()


def test_a_large_file_is_read_by_a_process_as_it_would_be_here(
    monkeypatch, whole_upload
):
    shares = []
    data = EXAMPLE.read_bytes()
    here = read(Reading(whole_upload(data, "a.json.gz"), shares.append))
    monkeypatch.setattr(reading_module, "LARGE_BYTES", 0)
    monkeypatch.setattr(reading_module, "read_all", None)
    upload = whole_upload(data, "a.json.gz")
    (apart,) = read(Reading(upload, shares.append))

    assert apart.path == "a.json.gz"
    assert apart.spans.start_s.tolist() == here[0].spans.start_s.tolist()
    assert not apart.spans.start_s.flags.writeable
    assert shares[-1] == 1


def test_a_process_says_what_is_wrong_and_can_be_ended(monkeypatch, whole_upload):
    monkeypatch.setattr(reading_module, "LARGE_BYTES", 0)
    found = read(Reading(whole_upload(b"{broken", "mine.json"), lambda _: None))
    assert isinstance(found, TraceError)
    assert str(found).startswith("mine.json: ")
    reading = Reading(whole_upload(EXAMPLE.read_bytes()), lambda _: reading.cancel())
    with pytest.raises(StoppedError):
        read(reading)
    assert reading.process.returncode != 0


def test_without_processes_the_file_is_read_here(monkeypatch, whole_upload):
    monkeypatch.setattr(reading_module, "LARGE_BYTES", 0)
    for command in ("/no/such/python", "false"):
        monkeypatch.setattr(reading_module.sys, "executable", command)
        found = read(Reading(whole_upload(EXAMPLE.read_bytes()), lambda _: None))
        assert isinstance(found[0], Recording)


def test_more_than_the_limit_of_unpacked_bytes_is_refused_with_the_way_out(
    monkeypatch, whole_upload
):
    monkeypatch.setattr(reading_module, "MOST_BYTES", 1000)
    found = read(Reading(whole_upload(EXAMPLE.read_bytes()), lambda _: None))

    assert isinstance(found, TraceError)
    assert str(found).startswith("a.json: ")


@pytest.mark.parametrize(
    ("sent", "shown", "kept"),
    [
        ("../../etc/passwd", "../../etc/passwd", "passwd"),
        ("C:\\runs\\a b.json", "C:/runs/a b.json", "a_b.json"),
        (".hidden", ".hidden", "hidden"),
        ("", "file", "file"),
        ("a/\ud800/..", "a/?/..", "file"),
    ],
)
def test_the_name_that_is_sent_decides_nothing_of_where_a_file_lies(sent, shown, kept):
    upload = begin({"id": "a", "name": sent, "size_bytes": 1})

    assert (upload.name, upload.path.name) == (shown, kept)
    assert upload.path.parent == Path(upload.folder.name)
    upload.discard()


def test_a_session_that_ends_takes_its_files_along(monkeypatch):
    monkeypatch.setattr(reading_module, "read_all", lambda *_: time.sleep(0.1) or ())
    explorer = Explorer()
    piece = {"type": "upload", "id": "a", "name": "a.json", "size_bytes": 2}
    explorer.move(piece | {"offset": 0, "data": b"[]", "last": True})
    path = explorer.receiver.upload.path
    explorer.close()
    wait([explorer.receiver.future])

    assert not path.parent.exists()


def test_folders_and_files_open_by_path(tmp_path):
    for name, kernels in (("rank0.json", ("a",)), ("rank1.json", ("a", "b"))):
        (tmp_path / name).write_bytes(trace(*kernels))
    (tmp_path / "notes.txt").write_text("none")

    assert len(loaded(tmp_path)) == 2
    assert [len(one.spans) for one in loaded([tmp_path / "rank1.json"])] == [2]


def test_a_table_that_waits_is_not_read_with_files_of_another_batch():
    first = begin({"id": "a", "name": "x.csv", "size_bytes": 0, "batch": "one"})
    first.state = "held"
    joined, apart = (
        begin({"id": "b", "name": "y.csv", "size_bytes": 1, "batch": batch}, first)
        for batch in ("one", "two")
    )

    assert joined.folder is first.folder
    assert apart.folder is not first.folder
    for one in (first, apart):
        one.discard()


def test_an_upload_of_its_own_lies_alone():
    first = Upload("a", "x.json", 1)
    second = begin({"id": "b", "name": "x.json", "size_bytes": 1}, first)

    assert first.folder is not second.folder
    for one in (first, second):
        one.discard()
