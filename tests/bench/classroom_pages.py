"""A real browser before a served page: its first visit, and moves of its slider.

A move ends behind the frame that shows the last canvas drawn because of it: the frame
after the last drawing in view before a rest, of a figure that stood before, once the
marks that the move changes are others. What the page says of a move before the server
has answered is text, so it doesn't count; nor do figures that are still being made.
"""

import asyncio
import os
import shutil
from contextlib import asynccontextmanager
from dataclasses import dataclass

QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
VIEWPORT = {"width": 1280, "height": 900}
PATIENCE_MS = 60_000
FRONT_SLIDER = """() => {
    const one = deep('input[type=range][data-tells=bucket]');
    if (!one || one.disabled || deep('.overlap-snapshot')) return null;
    const move = (value) => {
        one.value = String(value - 1);
        one.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const source = (name) => globalThis.Bokeh.documents
        .map((one) => one.get_model_by_name(name)).find(Boolean);
    const marks = () => ['exposed', 'hidden'].map((name) => source(name)?.data);
    return { move, marks };
}"""
PANEL_SLIDER = """() => {
    const [document] = globalThis.Bokeh?.documents ?? [];
    if (!document || !deep('.noUi-handle') || drawn === 0) return null;
    const models = [...document._all_models.values()];
    const [slider, source] = ['Slider', 'ColumnDataSource'].map((kind) =>
        models.find(({ type }) => type === kind));
    return { move: (value) => { slider.value = value; }, marks: () => source.data };
}"""
SCRIPT = """
let drawn = 0;
let counts = () => true;
const roots = new Set([document]);
const deep = (selector) => {
    for (const root of roots) {
        const found = root.querySelector(selector);
        if (found) return found;
    }
    return null;
};
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    roots.add(root);
    return root;
};
const note = (canvas) => {
    const { top, bottom, width } = canvas.getBoundingClientRect();
    const isSeen = width > 0 && bottom > 0 && top < innerHeight;
    if (isSeen && counts(canvas)) drawn = performance.now();
};
const cleared = [];
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => cleared.splice(0).forEach(note);
const { clearRect } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    cleared.push(this.canvas); // in a frame, which is painted before any message comes
    port2.postMessage(null);
    return clearRect.apply(this, box);
};
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const moved = async ({ move, marks }, value) => {
    const shown = () => JSON.stringify(marks());
    const before = shown();
    const stood = [...roots].flatMap((root) => [...root.querySelectorAll('canvas')]);
    counts = (canvas) => stood.includes(canvas) && shown() !== before;
    const begun = performance.now();
    move(value);
    while (drawn <= begun) {
        if (performance.now() - begun > PATIENCE_MS) return null;
        await rest(20);
    }
    do await rest(150); while (performance.now() - drawn < 140);
    return { begun, done: drawn };
};
const find = SLIDER;
globalThis.first = new Promise((resolve) => {
    const look = async () => {
        const slider = document.body && find();
        if (!slider) return setTimeout(look, 2);
        globalThis.moves = async (count, pause_ms) => {
            const times = [];
            for (let at = 0; at < count; at += 1) {
                await rest(pause_ms * (0.5 + Math.random()));
                const one = await moved(slider, 1 + (at * 5) % 11);
                times.push(one && one.done - one.begun);
            }
            return times;
        };
        const one = await moved(slider, 8);
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        return resolve([paint?.startTime, one?.begun, one?.done]);
    };
    look();
});
"""


@dataclass
class Weight:
    """What came over the line: requests of files, their bytes, bytes of websockets."""

    requests: int = 0
    file_bytes: float = 0
    socket_bytes: int = 0

    def add_file(self, event):
        self.file_bytes += event["encodedDataLength"]

    def add_request(self, event):
        self.requests += event["request"]["url"].startswith("http")

    def add_frame(self, event):
        self.socket_bytes += len(event["response"]["payloadData"])


@asynccontextmanager
async def chromium(playwright):
    path = os.environ.get("OVERLAP_CHROMIUM") or shutil.which("chromium")
    browser = await playwright.chromium.launch(executable_path=path, args=[*QUIET])
    try:
        yield browser
    finally:
        await browser.close()


@asynccontextmanager
async def opened(browser, slider):
    """A page that has never been here; its `first` and `moves` are in the script."""
    context = await browser.new_context(viewport=VIEWPORT)
    page = await context.new_page()
    script = SCRIPT.replace("SLIDER", slider).replace("PATIENCE_MS", str(PATIENCE_MS))
    await page.add_init_script(f"(() => {{ {script} }})();")
    try:
        yield page
    finally:
        await context.close()


async def first_visit(browser, address, slider):
    """Requests, KiB of files and of websockets; seconds to paint, slider, first move.

    The bytes are those up to a second after the first move has been drawn.
    """
    async with opened(browser, slider) as page:
        weight = Weight()
        network = await page.context.new_cdp_session(page)
        network.on("Network.requestWillBeSent", weight.add_request)
        network.on("Network.loadingFinished", weight.add_file)
        network.on("Network.webSocketFrameReceived", weight.add_frame)
        await network.send("Network.enable")
        await page.goto(address)
        times_ms = await page.evaluate("() => first")
        await page.wait_for_timeout(1000)
        times_s = [time / 1e3 if time else float("nan") for time in times_ms]
        kib = weight.file_bytes / 1024, weight.socket_bytes / 1024
        return weight.requests, *kib, *times_s


async def moves_of_pages(browser, address, slider, pages, count):
    """Milliseconds of moves of some pages at once; one that is never drawn is None."""

    async def one():
        async with opened(browser, slider) as page:
            await page.goto(address)
            await page.evaluate("() => first")
            return await page.evaluate("(count) => moves(count, 800)", count)

    found = await asyncio.gather(*(one() for _ in range(pages)))
    return [time for times in found for time in times]
