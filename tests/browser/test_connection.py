"""A page whose server can't be reached: it says so, comes back, has lost nothing."""

import contextlib
import re
import socket
import threading
from pathlib import Path

import pytest
from bokeh.util.token import generate_jwt_token
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
TRACE = Path(__file__).parents[1] / "data" / "kineto" / "by-the-clock.json"
PATIENCE_MS = 20_000  # of a busy machine
SILENT = "This page tries again by itself"
FAULTS = ("WebSocket", "websocket", "Failed to load resource")
NEWEST = """(token) => {
  const { prototype } = Bokeh.require("client/connection").ClientConnection;
  const { send } = prototype;
  prototype.send = function newest(message) {
    this.token = token;
    send.call(this, message);
  };
}"""


class FailingWay:
    """A TCP proxy that may fail: `port` here, `target` is the server's port now."""

    def __init__(self, target=None):
        self.target = target
        self._is_open = True
        self._is_going = threading.Event()
        self._is_going.set()
        self._pairs = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def cut(self):
        """End all connections and refuse others, until `mend`."""
        self._is_open = False
        self._end()

    def mend(self):
        self._is_open = True

    def stall(self):
        """Forward nothing more for those that are connected, and tell neither end."""
        for pair in self._pairs:
            pair.is_stalled = True

    def pause(self):
        """Keep what comes until `go_on`, as a server does that is suspended."""
        self._is_going.clear()

    def go_on(self):
        self._is_going.set()

    def close(self):
        self._door.close()
        self._end()

    def _end(self):
        for pair in self._pairs:
            pair.end()
        self._pairs.clear()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                try:
                    assert self._is_open
                    far = socket.create_connection(("127.0.0.1", self.target))
                except (OSError, AssertionError):
                    near.close()
                else:
                    self._pairs.append(_Pair(near, far, self._is_going))


class _Pair:
    def __init__(self, near, far, is_going):
        self.ends, self.is_going, self.is_stalled = (near, far), is_going, False
        for source, sink in ((near, far), (far, near)):
            threading.Thread(
                target=self._pump, args=(source, sink), daemon=True
            ).start()

    def _pump(self, source, sink):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                self.is_going.wait()
                if not self.is_stalled:
                    sink.sendall(piece)
        if not self.is_stalled:
            self.end()

    def end(self):
        for one in self.ends:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@pytest.fixture(scope="module")
def way():
    """The way to a server, and the options that let pages come by it."""
    way = FailingWay()
    way.options = ("--allow-origin", f"127.0.0.1:{way.port}")
    yield way
    way.close()


@pytest.fixture(scope="module")
def far_port(serving, way):
    with serving(*way.options) as address:
        yield port_of(address)


@pytest.fixture
def served_far(way, far_port):
    """A server at the end of the way, shared by the tests that don't end it."""
    way.target = far_port


@pytest.fixture
def arrive(way, open_page):
    """Open a page over the way; `page.evaluate("isSame")` until it is loaded anew."""

    def arrive(query, **options):
        page = open_page(f"{way.address}?{query}", **options)
        page.known = FAULTS
        slider(page).wait_for()
        page.evaluate("globalThis.isSame = true")
        return page

    yield arrive
    way.mend()
    way.go_on()


def port_of(address):
    return int(address.rsplit(":", 1)[1])


def slider(page):
    return page.get_by_role("slider", name="Bucket size")


def mend(way, page):
    """The way is there again, and the page hears that it has a network."""
    way.mend()
    page.evaluate("dispatchEvent(new Event('online'))")


def move_unheard(arrive, silence):
    """A page whose move gets no answer for so long that it says so."""
    page = arrive("bucket=2", own=True)
    page.clock.install()
    silence()
    slider(page).press("ArrowRight")
    page.clock.fast_forward(4_000)
    expect(page.get_by_text(SILENT)).to_be_visible()
    return page


def is_at(page, bucket):
    expect(page).to_have_url(re.compile(f"bucket={bucket}&"), timeout=PATIENCE_MS)
    expect(page.get_by_text(SILENT)).to_have_count(0)


def is_same(page):
    return page.evaluate("globalThis.isSame ?? false")


@pytest.mark.usefixtures("served_far")
def test_a_page_comes_back_to_its_session_and_the_files_that_it_has(way, arrive):
    page = arrive("bucket=2")
    page.locator("input[type=file]").first.set_input_files(TRACE)
    expect(page.get_by_role("radio", name="Measured")).to_be_checked()
    way.cut()
    expect(page.get_by_text(SILENT)).to_be_visible()
    page.get_by_text("Explore", exact=True).click()
    mend(way, page)

    expect(page.get_by_role("radio", name="Explore")).to_be_checked()
    expect(page).to_have_url(re.compile("mode=explore"))
    page.get_by_text("Measured", exact=True).click()
    expect(page.get_by_role("combobox", name="Recording")).to_contain_text(TRACE.name)
    assert is_same(page)


@pytest.mark.usefixtures("served_far")
def test_what_is_set_while_nobody_answers_is_done_afterwards(way, arrive):
    page = arrive("bucket=2")
    way.cut()
    for _ in range(3):
        slider(page).press("ArrowRight")
    expect(page.get_by_text(SILENT)).to_be_visible()
    mend(way, page)

    is_at(page, 5)
    assert is_same(page)


@pytest.mark.usefixtures("served_far")
def test_a_way_that_is_open_at_one_end_alone_is_given_up(way, arrive):
    page = move_unheard(arrive, way.stall)
    page.clock.run_for(3_000)

    is_at(page, 3)
    assert is_same(page)


@pytest.mark.usefixtures("served_far")
def test_a_server_that_slept_answers_when_it_wakes(way, arrive):
    page = move_unheard(arrive, way.pause)
    way.go_on()

    is_at(page, 3)
    assert is_same(page)


@pytest.mark.usefixtures("served_far")
def test_a_token_of_yesterday_leads_to_a_new_session_at_the_address(way, arrive):
    page = arrive("bucket=2")
    page.evaluate(NEWEST, generate_jwt_token("gone", expiration=-5))
    slider(page).press("ArrowRight")
    is_at(page, 3)
    way.cut()
    slider(page).press("ArrowRight")
    expect(page.get_by_text(SILENT)).to_be_visible()
    mend(way, page)

    is_at(page, 4)
    assert not is_same(page)
    expect(page.get_by_text("opened again")).to_have_count(0)


@pytest.mark.usefixtures("served_far")
def test_a_server_that_is_started_again_finds_the_page_as_it_was(serving, way, arrive):
    page = arrive("bucket=2&predict=tail", height=500)
    page.locator("input[type=file]").first.set_input_files(TRACE)
    expect(page.get_by_role("radio", name="Measured")).to_be_checked()
    expect(page).to_have_url(re.compile("mode=measured"))  # else the next is of before
    page.get_by_text("Explore", exact=True).click()
    expect(page).to_have_url(re.compile("mode=explore"))
    page.locator("[id$=guess_tail]").fill("12")
    slider(page).focus()
    page.mouse.wheel(0, 200)
    way.cut()
    expect(page.get_by_text(SILENT)).to_be_visible()
    slider(page).press("ArrowRight")
    with serving(*way.options) as address:  # it knows no session
        way.target = port_of(address)
        mend(way, page)

        is_at(page, 3)
        expect(page.get_by_text("have to be opened again")).to_be_visible(
            timeout=PATIENCE_MS
        )
        assert not is_same(page)
        expect(page.locator("[id$=guess_tail]")).to_have_value(
            "12", timeout=PATIENCE_MS
        )
        expect(slider(page)).to_be_focused()
        assert page.evaluate("scrollY") > 0
