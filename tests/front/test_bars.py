"""The bars of the lanes one by one: reached by key, heard once, shown with a card."""

import pytest
from playwright.sync_api import expect

from overlap_widget.app.cover import covered_explore
from overlap_widget.model.effects import Effects

pytestmark = pytest.mark.browser

QUEUE = {"bucket": 5, "effects": Effects(late_s=1e-3)}
"""Buckets of 5, 5 and 2 layers: 17.67, 17.67 and 7.667 ms on the link, in ms:

ready  25, 50, 60; on all ranks a millisecond later
link   26 - 43.67, 51 - 68.67, 68.67 - 76.33
"""


KEYS = [
    (["Escape", "Enter"], "Transfer 1 of 3", 1),
    (["ArrowLeft"], "Transfer 1 of 3", 1),
    (["End"], "Transfer 3 of 3", 3),
    (["Home"], "Transfer 1 of 3", 1),
    (["E"], "Transfer 2 of 3", 2),  # exposed from 60 ms on
    (["e"], "Transfer 3 of 3", 3),
    (["e"], "Transfer 2 of 3", 2),
    (["ArrowUp"], "Compute 12 of 12", 12),  # 51 to 68.67 ms: its middle is near 60
    (["ArrowUp"], "Compute 12 of 12", 12),  # there is none above
    (["ArrowDown"], "Transfer 2 of 3", 2),
    (["ArrowDown"], "Transfer 3 of 3 waits", 3),
    (["ArrowUp", "ArrowUp", "Home", "PageUp"], "Compute 11 of 12", 11),
    (["End", "PageDown"], "Compute 2 of 12", 2),
]
WINDOW = """() => {
    const figure = Bokeh.documents.map((one) => one.get_model_by_name('recording'))
        .find(Boolean);
    return [figure.x_range.start, figure.x_range.end];
}"""
HURRY = """() => {
    const cursor = document.querySelectorAll('.overlap-cursor')[1];
    const begun = performance.now();
    for (let at = 0; at < 50; at += 1) {
        cursor.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    }
    return (performance.now() - begun) / 50;
}"""
CARD = """() => [...document.querySelectorAll('.overlap-cursor-card:not([hidden]) div')]
    .map((row) => [...row.children].map((cell) => cell.textContent))"""


class Bars:
    """The cursor over the figure that is shown, whose ring is the nth of the page."""

    def __init__(self, front, nth=0):
        self.page, self.front = front.page, front
        self.cursor = front.page.get_by_role("slider", name="Bars, one by one")
        self.ring = front.page.locator(".overlap-cursor-ring").nth(nth)

    def press(self, *keys):
        for key in keys:
            self.cursor.press(key)
        return self.cursor.get_attribute("aria-valuetext").replace("\xa0", " ")

    def card(self):
        return self.page.evaluate(CARD)

    def hovered(self):
        """The card of what lies under the middle of the ring, as Bokeh shows it."""
        box = self.ring.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x - 1, y)
        self.page.mouse.move(x, y)
        labels = self.page.locator(".bk-tooltip-row-label")
        expect(labels.first).to_be_visible()
        values = self.page.locator(".bk-tooltip-row-value").all_inner_texts()
        names = [text.rstrip(": ") for text in labels.all_inner_texts()]
        self.page.mouse.move(0, 0)
        expect(labels).to_have_count(0)
        return [[name, text.strip()] for name, text in zip(names, values, strict=True)]


@pytest.fixture
def bars(open_front, view):
    return Bars(open_front(first=view(**QUEUE), drawn=True))


def test_each_bar_is_reached_by_key_and_heard_once(bars):
    expect(bars.cursor).to_have_attribute("aria-valuetext", "none chosen")
    assert bars.press("Enter") == (
        "Transfer 1 of 3, 200 MB, layer 12 to layer 8. "
        "Ready at 25 ms, starts 26 ms, ends 43.7 ms. Hidden."
    )
    assert bars.press("ArrowRight", "ArrowRight") == (
        "Transfer 3 of 3, 80 MB, layer 2 to layer 1. "
        "Ready at 60 ms, starts 68.7 ms, ends 76.3 ms. Exposed for 7.67 ms."
    )
    assert bars.press("ArrowDown") == (
        "Transfer 3 of 3 waits, 80 MB, layer 2 to layer 1. "
        "Ready at 60 ms, starts 68.7 ms. It waits for the late rank first."
    )
    assert bars.press("ArrowUp", "ArrowUp") == (
        "Compute 12 of 12: layer 1, 40 MB. Starts at 55 ms, ends at 60 ms."
    )
    assert bars.press("ArrowDown").startswith("Transfer 3 of 3, 80 MB")  # and back
    bars.press("Home")
    for keys, said, now in KEYS:
        assert bars.press(*keys).startswith(said), keys
        expect(bars.cursor).to_have_attribute("aria-valuenow", str(now))
    bars.page.wait_for_timeout(800)  # longer than speech rests: the bar has said it
    assert bars.page.locator("[aria-live=polite]").text_content() == ""


def test_escape_leaves_and_tab_is_never_held_and_axe_finds_nothing(bars, axe):
    bars.press("Enter", "ArrowRight", "Escape")
    expect(bars.cursor).to_have_attribute("aria-valuetext", "none chosen")
    expect(bars.ring).to_be_hidden()
    expect(bars.cursor).to_be_focused()
    bars.press("Control+ArrowRight", "a")
    expect(bars.ring).to_be_hidden()
    assert bars.press("ArrowRight").startswith("Transfer 2")  # where one was
    bars.cursor.press("Tab")
    expect(bars.cursor).not_to_be_focused()
    expect(bars.ring).to_be_hidden()
    bars.page.keyboard.press("Shift+Tab")
    expect(bars.ring).to_be_visible()
    for width, scheme in ((320, "dark"), (1280, "light")):
        bars.page.set_viewport_size({"width": width, "height": 800})
        bars.page.emulate_media(color_scheme=scheme)
        assert axe(bars.page, ".overlap-lanes") == []


def test_the_card_is_that_of_the_pointer_and_follows_its_bar(bars, view):
    bars.press("Enter")
    for key in ("ArrowDown", "ArrowUp", "End", "ArrowUp"):
        bars.press(key)
        assert bars.card() == bars.hovered(), key
    assert bars.card()[0][1] == "layer 1"
    bars.page.set_viewport_size({"width": 420, "height": 800})
    bars.page.wait_for_timeout(300)
    assert bars.card() == bars.hovered()
    bars.press("ArrowDown", "End")
    bars.front.show(view(0, bucket=1))  # and the number stays
    expect(bars.cursor).to_have_attribute("aria-valuemax", "12")
    assert bars.press("Enter").startswith("Transfer 3 of 12, 40 MB, layer 10.")
    bars.front.show(view(0, bucket=6))
    expect(bars.cursor).to_have_attribute("aria-valuemax", "2")
    assert bars.press("Enter").startswith("Transfer 2 of 2, 240 MB")
    assert bars.card() == bars.hovered()


def test_a_covered_step_tells_only_what_is_drawn(open_front, view):
    state = view(**QUEUE)
    covered = covered_explore(state["explore"] | {"figures": state["figures"]})
    figures = covered.pop("figures")
    state |= {"covered": "tail", "explore": covered, "figures": figures}
    bars = Bars(open_front(first=state, drawn=True))

    assert bars.press("e") == "none chosen"
    said = bars.page.locator("[aria-live=polite]")
    expect(said).to_have_text("No bar here is exposed.")
    assert bars.press("Enter", "End") == (
        "Transfer 2 of 3, 200 MB, layer 7 to layer 3. Ready at 50 ms, starts 51 ms."
    )
    assert [name for name, _ in bars.card()][-1] == "Starts"
    bars.front.show(state | {"seq": 1})
    expect(bars.cursor).to_have_attribute("aria-valuetext", "none chosen")


def spans(y, *bounds, **fields):
    """Bars of a lane as a recording's columns have them."""
    left, right = ([one[at] for one in bounds] for at in (0, 1))
    count = len(bounds)
    return {
        "left": left,
        "right": right,
        "bottom": [y + 0.1] * count,
        "top": [y + 0.6] * count,
        "start": left,
        "length": [end - start for start, end in bounds],
        "kernels": [1] * count,
        "merged": ["1"] * count,
        **fields,
    }


@pytest.fixture
def recording(open_front, measured_view):
    """A step whose all-reduces run from 3 to 7 and from 8 to 9.5 ms, exposed for
    0.5 ms in the first and wholly in the second; 20,000 kernels until 8 ms.
    """
    kernels = [(at / 2500, at / 2500 + 0.0003) for at in range(20_000)]
    moved = {"collective": ["all_reduce"] * 2, "bytes": [26.2e6, 1.05e6]}
    exposed = spans(0, (4, 4.5), (8, 9.5), name=["nccl", "nccl2"], **moved)
    x_range = {"start": -0.1, "end": 10, "bounds": [-0.1, 10]}
    state = measured_view()
    state["figures"]["recording"] = {
        "frame": "0/0/0",
        "sources": {
            "compute": spans(1, *kernels, name=["gemm"] * 20_000),
            "hidden": spans(0, (3, 7), (8, 9.5), name=["nccl", "nccl2"], **moved),
            "exposed": exposed | {"outline": [1, 1]},
            "captions": {
                "x": [0, 0],
                "y": [1.82, 0.82],
                "text": ["Compute, stream 7", "Communication, stream 20"],
            },
        },
        "ranges": {"recording_x": x_range, "rows": {"start": -0.5, "end": 2}},
    }
    return Bars(open_front(first=state, drawn=True), 1)


def test_bars_of_a_recording_say_their_lane_once_and_what_is_exposed(recording):
    assert recording.press("Enter") == (
        "Communication, stream 20: all-reduce, 26.2 MB, 1 of 2. "
        "Starts at 3.000 ms, takes 4 ms. Exposed for 500 µs. nccl."
    )
    assert recording.press("ArrowRight").startswith("all-reduce, 1.05 MB, 2 of")
    assert recording.press("ArrowUp") == (
        "Compute, stream 7: gemm, 20,000 of 20,000. Starts at 8.000 ms, takes 300 ns."
    )
    assert recording.press("e") == (  # the longest part
        "Communication, stream 20: Exposed for 1.5 ms. Starts at 8.000 ms. "
        "all-reduce, 1.05 MB, nccl2."
    )
    assert recording.press("e").startswith("Exposed for 500 µs. Starts at 4.000")
    assert recording.press("ArrowRight").startswith("all-reduce, 1.05 MB")


def test_a_cursor_over_many_bars_is_one_element_quick_and_in_view(recording):
    count = "() => document.querySelectorAll('.overlap *').length"
    recording.press("Enter")
    wide = recording.ring.bounding_box()["width"]
    for _ in range(2):
        recording.page.get_by_role("button", name="Zoom in").press("Enter")
    said = recording.press("ArrowLeft")
    assert ": all-reduce, 26.2 MB. Starts" in said  # more may lie out of view
    assert recording.ring.bounding_box()["width"] > 2 * wide
    recording.press("End")
    start, end = recording.page.evaluate(WINDOW)
    assert (start < 8, end > 9.5) == (True, True)
    assert end - start == pytest.approx(10.1 / 4)
    recording.page.wait_for_function("() => moves.at(-1)?.type === 'window'")
    recording.press("ArrowUp", "Home")
    before = recording.page.evaluate(count)
    assert recording.page.evaluate(HURRY) < 33
    assert recording.page.evaluate(count) == before
    expect(recording.cursor).to_have_attribute("aria-valuenow", "51")


def test_what_is_in_view_is_a_table_that_follows_the_figure(recording):
    page = recording.page
    page.get_by_text("Table of the bars in view").click()
    table = page.get_by_role("region", name="Table of the bars in view")
    expect(table.locator("tbody tr")).to_have_count(200)
    expect(page.get_by_text("The first 200 of 20,002 bars in view")).to_be_visible()
    for _ in range(6):
        page.get_by_role("button", name="Zoom in").press("Enter")
    recording.press("Enter", "End")  # from 8 ms on, when nothing computes
    expect(table.locator("tbody tr")).to_have_count(1)
    cells = table.locator("tbody td").all_inner_texts()
    assert cells == ["Communication, stream 20", "nccl2", "1", "8.000", "1.500"]
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV: Table of the bars in view").click()
    assert download.value.path().read_text().splitlines() == [
        "lane,name,kernels,start_s,length_s",
        '"Communication, stream 20","nccl2",1,0.008,0.0015',
    ]
