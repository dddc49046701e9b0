"""What a visitor is sent, and when: picture, files, session, answers; the room's."""

import gzip
import http.client
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from overlap_widget.app.assets import assets
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.settings import DEFAULT

pytestmark = pytest.mark.browser
SILENT_SOCKET = """globalThis.WebSocket = class {
    constructor() { globalThis.isSocketAskedFor = true; }  // and never opens
    close() {}
};"""
LONG_ENOUGH_MS = 500  # for figures to be drawn
MOST_REQUESTS = 15
MOST_SENT, MOST_ANSWERED = 1_000, 15_000
"""Characters of a move and of its answer."""


def fetch(served, path, **headers):
    """The answer to a request, as it comes, and its body."""
    connection = http.client.HTTPConnection(urlsplit(served).netloc)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=named)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_the_picture_is_there_before_the_socket_opens(served, pages):
    with pages.lend() as take:
        page = take(1280, 800, "served", own=True)
        page.add_init_script(SILENT_SOCKET)
        page.goto(f"{served}/?bucket=1")

        expect(page.locator(".overlap-snapshot h2")).to_contain_text("4.33")
        expect(page.locator(".overlap-snapshot svg").first).to_be_visible()
        page.wait_for_function("() => globalThis.isSocketAskedFor")
        page.wait_for_timeout(LONG_ENOUGH_MS)
        expect(page.locator(".overlap-snapshot")).to_have_count(1)
        expect(page.locator("[data-drawn]")).to_have_count(0)


def test_a_visitor_asks_for_few_files_and_nobody_else_for_any(served, pages):
    with pages.lend() as take:
        page = take(1280, 800, "served", own=True)
        asked = []
        page.on("request", lambda request: asked.append(urlsplit(request.url)))
        page.goto(served)
        page.locator("[data-drawn]").wait_for(state="attached")
    fetched = [url for url in asked if url.scheme == "http"]

    assert len(fetched) <= MOST_REQUESTS
    assert {url.netloc for url in fetched} == {urlsplit(served).netloc}
    assert len(fetched) == len(set(fetched))


def test_a_move_is_one_small_message_and_so_is_its_answer(served, pages):
    sent, received = [], []
    with pages.lend() as take:
        page = take(1280, 800, "served", own=True)
        page.on("websocket", lambda socket: listen(socket, sent, received))
        page.goto(served)
        page.locator("[data-drawn]").wait_for(state="attached")
        page.wait_for_timeout(300)
        sent.clear()
        received.clear()
        page.get_by_role("slider", name="Bucket size").press("ArrowLeft")
        expect(page.get_by_role("heading", level=2).first).to_contain_text("11")
        page.wait_for_timeout(300)
    moves, answers = patches(sent), patches(received)

    assert len(moves) == len(answers) == 1
    assert '["value",3]' in moves[0]
    assert len(moves[0]) < MOST_SENT
    assert len(answers[0]) < MOST_ANSWERED


def listen(socket, sent, received):
    socket.on("framesent", lambda frame: sent.append(frame))  # noqa: PLW0108  it keeps a mark on it
    socket.on("framereceived", lambda frame: received.append(frame))  # noqa: PLW0108


def patches(frames):
    """What messages of changes hold: each has a frame that says so, then two others."""
    return [
        frames[at + 2]
        for at, frame in enumerate(frames)
        if '"PATCH-DOC"' in str(frame)[:200]
    ]


def test_marks_are_worked_out_once_as_in_an_exported_page(served, pages, shared_views):
    with pages.lend() as take:
        page = take(1280, 800, "served")
        page.goto(served)
        page.locator("[data-drawn]").wait_for(state="attached")
        shared = shared_views(page)

    assert len(shared) > 10
    assert all(shared)


def test_files_may_be_kept_for_ever_and_are_sent_packed(served):
    for path, one in assets().items():
        answer, body = fetch(served, f"/{path}", Accept_Encoding="gzip")

        assert "immutable" in answer.headers["Cache-Control"]
        assert gzip.decompress(body) == one.content
    again, _ = fetch(served, f"/{path}", If_None_Match=answer.headers["ETag"])
    plain, body = fetch(served, f"/{path}")
    assert again.status == 304
    assert (plain.headers["Content-Encoding"], body) == (None, one.content)


@pytest.mark.parametrize("path", ["/assets/front.js", "/assets/../app/page.py"])
def test_only_those_files_are_served(served, path):
    assert fetch(served, path)[0].status == 404


def test_a_page_with_a_token_is_never_kept(served):
    answer, _ = fetch(served, "/")

    assert answer.headers["Cache-Control"] == "no-store"


def test_the_room_gets_the_embedded_page(served):
    answer, body = fetch(served, "/room?bucket=2", Accept_Encoding="gzip")

    assert answer.headers["Cache-Control"] == "no-cache"
    assert gzip.decompress(body).decode() == embedded_page(DEFAULT)
