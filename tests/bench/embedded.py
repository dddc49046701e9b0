"""How light and how quick an exported page is, beside stock pages of the same step.

Run by hand: `.venv/bin/python tests/bench/embedded.py [ROUNDS]`. Every round (5) opens
each page once from its file in a new browser context, so all share what else the
machine does; look at the ratios. `ready` is when the first move of the bucket slider,
made as soon as the slider is there, has been painted. Then the slider is moved forty
times: a move ends behind the frame that shows the last of what it changed in view, be
it text or drawing; what is said to screen readers comes later and doesn't count.
`work` is processor time of the page's main thread until `ready`, `per move` of a move
with all that follows it.
"""

import gzip
import os
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from stock_pages import bokeh_page, panel_page

from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.settings import DEFAULT

ROUNDS, MOVES = 5, 40
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
ELSEWHERE = re.compile(r"""["'`(](?:https?:)?//(?!www\.w3\.org/)([\w-]+\.[\w.-]+)""")
COLUMNS = "raw KiB, gzip KiB, hosts, requests, paint, ready, work, per move, p50, p95"
READY = {
    "overlap export": """() => {
        const live = !document.querySelector('.overlap-snapshot, .overlap-behind');
        const slider = document.querySelector('.overlap input[type=range]');
        return live && slider && ((value) => {
            slider.value = String(value);
            slider.dispatchEvent(new Event('input', { bubbles: true }));
        });
    }""",
    "stock": """() => {
        const [document] = globalThis.Bokeh?.documents ?? [];
        const stands = [...roots].some((root) => root.querySelector('.noUi-handle'));
        if (!document || !stands || changed === 0) return null;
        const models = [...document._all_models.values()];
        const slider = models.find(({ type }) => type === 'Slider');
        return (value) => { slider.value = value; };
    }""",
}
MEASURE = """
let changed = 0;
const note = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight) changed = performance.now();
};
const roots = new Set();
const ready = READY;
const watch = (root) => {
    if (roots.has(root)) return;
    roots.add(root);
    new MutationObserver((changes) => {
        const seen = changes.map(({ target }) => target.host ?? target.parentElement)
            .filter((one) => one && !one.closest('[aria-live], [role=status]'));
        requestAnimationFrame(() => setTimeout(() => seen.forEach(note)));
    }).observe(root, { subtree: true, childList: true, characterData: true });
};
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    watch(root);
    return root;
};
const { clearRect } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    setTimeout(note, 0, this.canvas); // its frame is painted before any timer
    return clearRect.apply(this, box);
};
const settled = async (begun) => {
    const rest = () => new Promise((resolve) => setTimeout(resolve, 150));
    do await rest(); while (performance.now() - Math.max(begun, changed) < 140);
    return changed > begun ? changed : null;
};
const moved = async (move, value) => {
    const begun = performance.now();
    move(value);
    const done = await settled(begun);
    return done === null ? null : { begun, done };
};
globalThis.interactive = new Promise((resolve) => {
    const look = async () => {
        const move = document.body && ready();
        if (!move) return setTimeout(look, 2);
        watch(document);
        globalThis.moves = async (count) => {
            const times = [];
            for (let at = 0; at < count; at += 1) {
                const one = await moved(move, 1 + (at * 5) % 11);
                if (one) times.push(one.done - one.begun);
            }
            return times;
        };
        return resolve((await moved(move, 2)).done);
    };
    look();
});
"""


def weigh(path):
    """KiB raw and as gzip, and how many hosts elsewhere the page names."""
    content = path.read_bytes()
    hosts = set(ELSEWHERE.findall(content.decode()))
    return len(content) / 1024, len(gzip.compress(content)) / 1024, len(hosts)


def visit(browser, name, path):
    """Numbers of opening the page, from `requests` on in the columns; ms of moves."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    ready = READY.get(name, READY["stock"])
    page.add_init_script(f"(() => {{ {MEASURE.replace('READY', ready)} }})();")
    thread = context.new_cdp_session(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(path.as_uri())
    ready_ms = page.evaluate("() => interactive")
    start_ms = worked_ms(thread)
    paint_ms = page.evaluate(
        "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    moves_ms = page.evaluate("(count) => moves(count)", MOVES)
    move_ms = (worked_ms(thread) - start_ms) / MOVES
    context.close()
    requests = len([url for url in asked if not url.startswith("data:")])
    return (requests, paint_ms, ready_ms, start_ms, move_ms), moves_ms


def worked_ms(thread):
    """Processor time of the page's main thread, which other programs don't lengthen."""
    metrics = thread.send("Performance.getMetrics")["metrics"]
    (spent_s,) = [one["value"] for one in metrics if one["name"] == "TaskDuration"]
    return spent_s * 1e3


def rows(pages, browser, rounds):
    """The numbers of each page over all rounds, in the order of the header."""
    seen = {name: [] for name in pages}
    for _ in range(rounds):
        for name, path in pages.items():
            seen[name].append(visit(browser, name, path))
    for name, path in pages.items():
        raw, zipped, hosts = weigh(path)
        opened, moves = zip(*seen[name], strict=True)
        times = sorted(time for one in moves for time in one)
        p50, p95 = statistics.median(times), times[int(0.95 * len(times))]
        medians = map(statistics.median, zip(*opened, strict=True))
        yield name, (raw, zipped, hosts, *medians, p50, p95)


def line(name, numbers, digits):
    return f"{name:14}" + "".join(f"{number:10.{digits}f}" for number in numbers)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    chromium = os.environ.get("OVERLAP_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        names = ("overlap export", "stock Bokeh", "Panel save")
        pages = {name: Path(folder) / f"{name.split()[0]}.html" for name in names}
        ours, bokeh, panel = pages.values()
        ours.write_text(embedded_page(DEFAULT), encoding="utf-8")
        bokeh.write_text(bokeh_page(), encoding="utf-8")
        panel_page(panel)
        browser = playwright.chromium.launch(executable_path=chromium, args=[*QUIET])
        print(
            f"{'page (ms)':14}" + "".join(f"{name:>10}" for name in COLUMNS.split(", "))
        )
        found = dict(rows(pages, browser, rounds))
        for name, numbers in found.items():
            print(line(name, numbers, 0))
        first, *others = found.values()
        for name, numbers in zip(names[1:], others, strict=True):
            ratios = [
                mine / theirs if theirs else 0
                for mine, theirs in zip(first, numbers, strict=True)
            ]
            print(line(f"/ {name}", ratios, 2))


if __name__ == "__main__":
    main()
