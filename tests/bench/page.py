"""How light and how quick the served page is, beside a minimal Panel app.

Run by hand: `.venv/bin/python tests/bench/page.py`. Both apps run in turn on this
machine, so look at the ratios. A slider is moved forty times; a move ends with the
first frame after the text that depends on it has changed.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

MINIMAL = """
import panel as pn
from bokeh.plotting import figure

slider = pn.widgets.IntSlider(name="Bucket size", start=1, end=12, value=4)
plot = figure(height=230, sizing_mode="stretch_width")
bars = plot.vbar(x=list(range(12)), top=[1] * 12, width=0.8)


def text(value):
    bars.data_source.data = {"x": list(range(12)), "top": [value] * 12}
    return f"## {value}"


pn.Column(slider, pn.pane.Markdown(pn.bind(text, slider)), plot).servable()
"""
MOVES = 40
OURS = """(moves) => {
    const find = (root) => root.querySelector('input[type=range]') ? root
        : [...root.querySelectorAll('*')]
            .map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
    const root = find(document);
    const slider = root.querySelector('input[type=range]');
    const text = root.querySelector('h2');
    const move = (value) => {
        slider.value = String(value);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    };
    return measure(moves, move, text);
}"""
THEIRS = """(moves) => {
    const models = [...Bokeh.documents[0]._all_models.values()];
    const slider = models.find((one) => one.type === 'Slider');
    const find = (root) => root.querySelector('h2') ?? [...root.querySelectorAll('*')]
        .map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
    const host = find(document).getRootNode();
    return measure(moves, (value) => { slider.value = value; }, host);
}"""
MEASURE = """
window.measure = async (moves, move, watched) => {
    const times = [];
    for (let at = 0; at < moves; at += 1) {
        const begun = performance.now();
        const changed = new Promise((resolve) => {
            const observer = new MutationObserver(() => {
                observer.disconnect();
                const done = () => resolve(performance.now());
                requestAnimationFrame(() => setTimeout(done, 0));
            });
            const all = { subtree: true, childList: true, characterData: true };
            observer.observe(watched, all);
        });
        move(1 + (at * 5) % 11);
        times.push((await changed) - begun);
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return times;
};
"""


@contextmanager
def serving(command):
    """The address that the command prints, while the block lasts."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                break
        yield found[0]
    finally:
        process.terminate()
        process.wait()


def visit(browser, address, moves_script):
    """Requests, KiB, seconds until a slider is there, and milliseconds of each move."""
    context = browser.new_context()
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    sizes = []
    network.on(
        "Network.loadingFinished",
        lambda event: sizes.append(event["encodedDataLength"]),
    )
    page.add_init_script(MEASURE)
    page.goto(address)
    page.locator("input[type=range], .noUi-handle").first.wait_for()
    ready_s = page.evaluate("performance.now()") / 1e3
    page.wait_for_timeout(1500)
    times_ms = sorted(page.evaluate(moves_script, MOVES))
    context.close()
    return len(sizes), sum(sizes) / 1024, ready_s, times_ms


def report(name, requests, size_kib, ready_s, times_ms):
    p50, p95 = statistics.median(times_ms), times_ms[int(0.95 * len(times_ms))]
    print(
        f"{name:14} {requests:9} {size_kib:8.0f} {ready_s:8.2f} {p50:8.1f} {p95:8.1f}"
    )
    return size_kib, ready_s, p50, p95


def main():
    chromium = os.environ.get("OVERLAP_CHROMIUM") or shutil.which("chromium")
    bin_folder = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        minimal = Path(folder) / "minimal.py"
        minimal.write_text(MINIMAL)
        commands = {
            "overlap serve": [bin_folder / "overlap", "serve", "--port=0", "--no-show"],
            "minimal Panel": [bin_folder / "panel", "serve", minimal, "--port=0"],
        }
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        print("app             requests      KiB  ready s  p50 ms   p95 ms")
        rows = []
        for (name, command), script in zip(
            commands.items(), (OURS, THEIRS), strict=True
        ):
            with serving(command) as address:
                visit(browser, address, script)  # the first one warms the server up
                rows.append(report(name, *visit(browser, address, script)))
        ratios = [ours / theirs for ours, theirs in zip(*rows, strict=True)]
        print("ratio                   ", *(f"{ratio:8.2f}" for ratio in ratios))


if __name__ == "__main__":
    main()
