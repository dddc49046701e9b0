"""The front alone: its real modules in a page whose driver is the test."""

import re
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import Error

from overlap_widget.app import front_config
from overlap_widget.app.address import address, state
from overlap_widget.app.bokeh_bundle import bokeh_script
from overlap_widget.app.bundles import bare, stylesheet
from overlap_widget.app.explore_view import explore_view
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.figures import figure_items
from overlap_widget.app.map_view import map_view
from overlap_widget.app.settings import DEFAULT
from overlap_widget.app.sweep_view import sweep_view

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "static"
DRAWN = """() => Bokeh.documents.length === 4
    && Bokeh.documents.every((one) => one.is_idle)"""
ADDRESS = "http://localhost/"
SCRIPT = "text/javascript; charset=utf-8"
LONG_NAME = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add"
    "<float>, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)"
)
CHANGED = ("limits", "scenarios", "strings")
"""What of the front's config a test may set."""
MARKUP = "<b>bold</b><img src=x onerror=alert(1)>"


def config(figures, **changes):
    """What a session's front gets; without figures a stub stands in for them."""
    given = front_config.config()
    limits = {"upload_bytes": 3_000_000}
    return given | {"figures": figures, "limits": limits} | changes


def make_view(seq=0, notices=(), upload=None, **changes):
    """The view state of the default settings with some of them changed."""
    settings = replace(DEFAULT, **changes)
    explore = explore_view(settings)
    return {
        "seq": seq,
        "state": state(settings),
        "address": address(settings),
        "notices": list(notices),
        "controls": {"bucket": {"max": len(settings.scenario.layers)}},
        "figures": explore.pop("figures"),
        "sweep": sweep_view(settings),
        "map": map_view(settings),
        "explore": explore,
        "measured": None,
        "upload": upload,
    }


def step(name, span_s, exposed_s, **changes):
    """A step as the overview has it."""
    plain = {"complete": True, "remark": "none", "default": False, "tail_s": 0.0}
    return {"name": name, "span_s": span_s, "exposed_s": exposed_s} | plain | changes


def make_measured_view(seq=0, **changes):
    """A measured step whose names are long, or markup."""
    names = [LONG_NAME, MARKUP, "ncclDevKernel_AllReduce_Sum_f32_RING_LL"]
    measured = {
        "recordings": [
            {"name": MARKUP, "format": "PyTorch profiler", "rank": 0},
            {"name": "a-long-name-" * 20, "format": "PyTorch profiler", "rank": None},
        ],
        "recording": 0,
        "devices": [0, 1],
        "device": 0,
        "steps": [
            step("5", 0.0398, 0.01316, default=True),
            step("ProfilerStep#6", 0.0391, 0.0121, complete=False, remark="cut"),
        ],
        "step": 0,
        "numbers": {
            "span_s": 0.0398,
            "compute_s": 0.0311,
            "communication_s": 0.0156,
            "hidden_s": 0.00244,
            "exposed_s": 0.01316,
            "tail_s": 0.00169,
            "idle_s": 0.00554,
            "overlap": 0.1564,
            "transfers": 204,
            "kernels": 1204,
            "backward_found": True,
        },
        "sentence": "measured.exposed",
        "warnings": [f"37 kernels such as {LONG_NAME} fit no class.", MARKUP],
        "transfers": {
            "number": [1, 2, 3],
            "name": names,
            "collective": ["all_reduce", "unknown", "reduce_scatter"],
            "bytes": [26.2e6, None, 1.5e9],
            "start_s": [0.001, 0.002, 0.003],
            "end_s": [0.0015, 0.0025, 0.0038],
            "exposed_s": [0.0, 0.0005, 0.0008],
            "transfers_total": 204,
        },
        "kernels": {
            "name": names,
            "kind": ["compute", "other", "communication"],
            "loaded": ["compute", "compute", None],
            "count": [4312, 7, 12],
            "time_s": [0.0031, 2.1e-6, 0.0156],
        },
        "what_if": {"reason": "No estimate for this step.", "numbers": None},
        "kinds": {"compute": 1188, "communication": 9, "other": 7},
        "classes": {
            "rules": {"name": [MARKUP], "kind": ["other"]},
            "can_undo": True,
            "peer_copies": 12,
            "counts_peer_copies": False,
            "search": "",
        },
    }
    whole = make_view(seq, mode="measured")
    empty = {"explore": None, "figures": {}, "sweep": {}, "map": {}}
    return whole | empty | {"measured": measured | changes}


class Front:
    """The front in a page: show it views, read its moves."""

    def __init__(self, page):
        self.page = page

    def show(self, state):
        self.page.evaluate("(view) => front.update(view)", state)

    def moves(self):
        return self.page.evaluate("() => moves")

    def last_move(self):
        return self.moves()[-1]

    def slider(self, name="Bucket size"):
        return self.page.get_by_role("slider", name=name)

    def box(self, name):
        return self.page.get_by_role("textbox", name=name)

    def type(self, name, text):
        """Fill a number box and leave it."""
        self.box(name).fill(text)
        self.box(name).press("Tab")


class Played(Front):
    """A front whose moves a session answers: `play()` does all that were made."""

    def __init__(self, open_front, query, **options):
        self.explorer = Explorer(query=query)
        super().__init__(open_front(first=self.view(0), **options).page)

    def view(self, seq):
        told = self.explorer.__panel__().parts
        parts = {key: told[key] for key in ("figures", "sweep", "map", "ranks")}
        return {**told["view"], **parts, "upload": None, "seq": seq}

    def play(self):
        done = []
        while moves := self.page.evaluate("() => moves.splice(0)"):
            for move in moves:
                self.explorer.move(move)
                self.show(self.view(move["seq"]))
            done += moves
        return done

    def set(self, key, value):
        """Change a setting without a move of the page."""
        self.explorer.move({"type": "set", "key": key, "value": value})
        self.show(self.view(0))

    def press(self, name):
        """Press a button, and do what it asks for."""
        self.page.get_by_role("button", name=name, exact=True).click()
        return self.play()

    def box(self, name="Your guess"):
        return super().box(name)

    @property
    def panel(self):
        """What asks, and says what came out."""
        return self.page.locator(".overlap-predict")

    @property
    def outcome(self):
        return self.page.locator(".overlap-outcome")


@cache
def _bundled(has_figures):
    """The front in one request instead of a hundred; without figures a stub's."""
    names = (STATIC / "front" / "ORDER").read_text().split()
    stub = {} if has_figures else {"figures.js": HERE / "figures_stub.js"}
    texts = [(stub.get(name) or STATIC / "front" / name).read_text() for name in names]
    plain = re.sub(
        r"^export (?=async |function |const |class )", "", "\n".join(texts), flags=re.M
    )
    return bare(plain) + "\nexport { mount };"


def _harness(figures):
    html = (HERE / "harness.html").read_text(encoding="utf-8")
    library = '<script src="/bokeh.js"></script>' if figures else ""
    return html.replace("<!-- library -->", library)


def _answer(route, figures, **changes):
    name = route.request.url.removeprefix(ADDRESS).split("?")[0]
    made = {
        "": (lambda: _harness(figures), "text/html; charset=utf-8"),
        "front.css": (stylesheet, "text/css"),
        "front/front.js": (lambda: _bundled(bool(figures)), SCRIPT),
        "bokeh.js": (bokeh_script, SCRIPT),
    }
    if name == "config.json":
        route.fulfill(json=config(figures, **changes))
        return
    module = ((STATIC / name).read_text, SCRIPT)
    text, content_type = made.get(name, module)
    route.fulfill(body=text(), content_type=content_type)


def _is_fault(message):
    """Whatever it says, unless that is Bokeh's own."""
    return not message.text.startswith("[bokeh")


def _prepare(page, figures=None, place=None, **changes):
    page.context.route("**/*", partial(_answer, figures=figures or {}, **changes))
    if place:
        page.add_init_script(f"window.place = {place}")


def _clear(page):
    """The front is built anew for the next test: its page stays, which is quicker."""
    try:
        page.evaluate("() => rest()")
    except Error:  # a test that failed may have left it without
        page.goto("about:blank")


@contextmanager
def _opening(pages):
    def open_it(width=1280, height=800, first=None, drawn=False, place=None, **options):
        changes = {key: options.pop(key) for key in CHANGED if key in options}
        options["own"] = options.get("own") or bool(changes or place)
        figures = figure_items() if drawn else {}
        prepare = partial(_prepare, figures=figures, place=place, **changes)
        key = f"front, drawn: {drawn}"
        ways = {"prepare": prepare, "is_fault": _is_fault}
        if not drawn:
            ways["clear"] = _clear
        page = take(width, height, key, **ways, **options)
        if page.url.startswith(ADDRESS):
            page.evaluate("() => remount()")
        else:
            page.goto(ADDRESS)
            page.wait_for_function("() => window.front")
        front = Front(page)
        front.show(first or make_view())
        page.wait_for_function(DRAWN if drawn else "() => window.told")
        return front

    with pages.lend() as take:
        yield open_it


def _remount(front, first, width=1280, place="undefined"):
    front.page.set_viewport_size({"width": width, "height": 800})
    front.page.evaluate(f"remount({place})")
    front.show(first)
    return front


@pytest.fixture
def open_front(pages):
    """Mount the front: `open_front(width, height, a view, **of the context)`.

    With `drawn=True` Bokeh draws the figures, else a stub notes what they are told.
    `place` is what `mount` gets to know of the page, as JavaScript; `limits`,
    `scenarios` and `strings` are those of the config. `own`: a page that nobody has
    next, for a test that changes it, as by a clock.
    """
    with _opening(pages) as open_it:
        yield open_it


@pytest.fixture(scope="module")
def kept_front(pages):
    """A front that the tests of a module share."""
    with _opening(pages) as open_it:
        yield open_it()


@pytest.fixture
def front(open_front):
    """The front in a wide window, showing the default settings."""
    return open_front()


@pytest.fixture
def own_front(open_front):
    """A front that no other test has, for one that changes its clock."""
    return open_front(own=True)


@pytest.fixture
def play(open_front):
    """Plays a session in a page: `play(query, width=320)`."""
    return partial(Played, open_front)


@pytest.fixture
def play_again(kept_front):
    """As `play`, mounted anew in the page that the module's tests share."""
    return partial(Played, partial(_remount, kept_front))


@pytest.fixture
def view():
    """Makes view states: `view(seq, bucket=5, ...)`."""
    return make_view


@pytest.fixture
def measured_view():
    """Makes view states of measured mode: `measured_view(seq, warnings=[])`."""
    return make_measured_view
