"""Markup in every name of a file and an address is text, wherever it stands."""

import json
from urllib.parse import quote

import pytest

from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.settings import DEFAULT
from overlap_widget.model.traces import load_all

pytestmark = pytest.mark.browser

RUN = "(window.taken = 1, alert(1), document.title = 'taken')"
MARKUP = (
    f'"\'></script></title></style><img src=x onerror="{RUN}"><svg onload="{RUN}">'
    f"<script>{RUN}</script>${{{RUN}}}{{{{{RUN}}}}}@{{{RUN}}}"
)
VERDICT = "1.9 ms of communication is exposed."
TITLE = "Hiding communication behind compute"
PLAIN = {"ph": "X", "pid": 0, "ts": 0, "dur": 1}
LOOK = """() => {
    const found = [];
    const walk = (root) => {
        for (const one of root.querySelectorAll("*")) {
            if (one.matches("img[src=x], [onerror], [onload]")) found.push(one.tagName);
            if (one.shadowRoot) walk(one.shadowRoot);
        }
    };
    walk(document);
    const scripts = [...document.scripts].filter((one) =>
        !one.type && one.textContent.startsWith("(window.taken"));
    return [window.taken ?? null, document.title, found, scripts.length];
}"""
OPEN_ALL = """() => {
    for (const one of document.querySelectorAll("summary")) one.click();
    const walk = (root) => {
        for (const one of root.querySelectorAll("*")) {
            if (one.matches("details")) one.open = true;
            if (one.shadowRoot) walk(one.shadowRoot);
        }
    };
    walk(document);
}"""


def hostile_trace():
    """Two steps of compute and all-reduce, with markup wherever a name can stand."""
    nccl = {
        "Collective name": "allreduce",
        "Process Group Name": f"0 {MARKUP}",
        "Process Group Description": f"dp {MARKUP}",
        "Process Group Ranks": "[0, 1]",
        "dtype": MARKUP,
    }
    events = []
    for step, start in enumerate((0, 10_000)):
        name = f"ProfilerStep#{step} {MARKUP}"
        for cat in ("user_annotation", "gpu_user_annotation"):
            times = {"ts": start, "dur": 9_000}
            events.append(PLAIN | times | {"cat": cat, "name": name, "tid": 7})
        for cat, kernel, stream, first, more in (
            ("kernel", f"gemm {MARKUP}", 7, 100, {}),
            ("gpu_memcpy", f"Memcpy PtoP {MARKUP}", 8, 3_000, {}),
            ("kernel", f"ncclDevKernel_AllReduce_Sum {MARKUP}", 20, 2_000, nccl),
        ):
            times = {"ts": start + first, "dur": 4_000, "tid": stream}
            args = {"device": 0, "stream": stream} | more
            events.append(PLAIN | times | {"cat": cat, "name": kernel, "args": args})
    about = {"rank": 0, "backend": MARKUP, "pg_config": [{"pg_name": MARKUP}]}
    named = {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": MARKUP}}
    return {"distributedInfo": about, "traceEvents": [named, *events]}


def look_everywhere(page):
    """Open and hover over all there is."""
    page.evaluate(OPEN_ALL)
    for canvas in page.get_by_role("img").all():
        box = canvas.bounding_box() if canvas.is_visible() else None
        if box is None:
            continue
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        for across, down in ((0.2, 0.15), (0.5, 0.4), (0.6, 0.7)):
            x, y = across * box["width"], down * box["height"]
            page.mouse.move(box["x"] + x, box["y"] + y)
    for number in range(page.get_by_role("combobox").count()):
        box = page.get_by_role("combobox").nth(number)
        if box.is_visible() and box.is_enabled():
            box.select_option(index=0)


@pytest.fixture
def attacked(pages):
    """Open an address in a page of its own, which fails a test where a dialog came."""
    dialogs = []
    with pages.lend() as take:

        def open_it(address):
            page = take(1280, 900, "attacked", own=True)
            page.on("dialog", lambda one: (dialogs.append(one.message), one.dismiss()))
            page.goto(address)
            page.get_by_role("heading", level=1).wait_for()
            return page

        yield open_it
    assert dialogs == []


def test_markup_in_every_name_is_text_on_the_served_page_and_in_a_saved_one(
    served, attacked, tmp_path
):
    name = quote(MARKUP, safe="")
    trace = tmp_path / f"{name[:100]}.json"
    trace.write_text(json.dumps(hostile_trace()))
    rules = json.dumps({"communication": [f"*{MARKUP}*"], "other": [MARKUP]}).encode()
    query = "&".join(
        f"{key}={name}" for key in ("scenario", "lang", "plan", MARKUP[:9])
    )
    page = attacked(f"{served.address}/?{query}&mode=measured#{query}")
    files = page.locator("input[type=file]").first
    sent = {"mimeType": "application/json", "buffer": trace.read_bytes()}
    files.set_input_files([{"name": f"{MARKUP}.json".replace("/", "|"), **sent}])
    page.get_by_role("heading", name=VERDICT).wait_for()
    look_everywhere(page)
    files.set_input_files([{"name": "r.json", **sent, "buffer": rules}])
    page.get_by_text("r.json").first.wait_for()
    page.evaluate(OPEN_ALL)
    assert page.evaluate(LOOK) == [None, TITLE, [], 0]

    saved = tmp_path / "saved.html"
    saved.write_text(embedded_page(DEFAULT, load_all(str(trace))))
    page = attacked(f"{saved.as_uri()}?{query}#{query}&mode=measured")
    page.get_by_role("heading", name=VERDICT).wait_for()
    look_everywhere(page)
    assert page.evaluate(LOOK) == [None, TITLE, [], 0]
