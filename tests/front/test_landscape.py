"""The curve and the map under a hand, by keys and clicks, and as tables."""

import math
import re

import pytest
from playwright.sync_api import expect

from overlap_widget.app.map_view import map_view
from overlap_widget.app.settings import DEFAULT
from overlap_widget.model.effects import Effects
from overlap_widget.model.scenarios import SCENARIOS

pytestmark = pytest.mark.browser

CURVE, MAP = "Point on the curve", "Point on the map"
RESNET = SCENARIOS["resnet-50"]


def press(front, view, name, keys, **changes):
    """What each key sends, when every move is answered as if it had no effect."""
    sent = []
    for seq, key in enumerate(keys, 1):
        front.slider(name).press(key)
        move = front.last_move()
        sent.append((move["key"], move["value"]))
        front.show(view(seq, **changes))
    return sent


def pick(front, name, x, y):
    front.page.evaluate(
        "([name, at]) => told.onPick(name, at)", [name, {"x": x, "y": y}]
    )


def sent(front):
    return [(move["key"], move["value"]) for move in front.moves()]


# --- Keys --------------------------------------------------------------------------


def test_arrows_on_the_curve_move_the_bucket_size_and_m_goes_to_the_best(front, view):
    keys = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", "m", "M"]

    values = [5, 3, 5, 3, 1, 12, 1, 1]
    assert press(front, view, CURVE, keys) == [("bucket", value) for value in values]


def test_arrows_on_the_map_move_the_bucket_size_and_the_link(front, view):
    keys = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", "m"]

    rates = [("bandwidth", rate) for rate in (13e9, 11e9)]
    ends = [("bandwidth", rate) for rate in (0.1e9, 1e12)]
    moved = [*rates, ("bucket", 5), ("bucket", 3), *ends, ("bucket", 1)]
    assert press(front, view, MAP, keys) == moved


def test_arrows_on_the_map_move_the_overhead_where_that_is_its_axis(front, view):
    changes = {"axis": "overhead", "overhead_s": 0.0}
    front.show(view(**changes))

    keys = ["ArrowRight", "End", "Home"]
    moved = [("overhead", pytest.approx(value)) for value in (1e-6, 1e-2, 0)]
    assert press(front, view, MAP, keys, **changes) == moved


def test_arrows_on_the_map_go_from_row_to_row(front, view):
    changes = {"scenario": RESNET, "bucket": 17}
    front.show(view(**changes))

    # There are rows for 16 and 19 layers a bucket and none for 17.
    keys = ["ArrowUp", "ArrowDown"]
    assert press(front, view, MAP, keys, **changes) == [("bucket", 19), ("bucket", 16)]


def test_keys_that_come_faster_than_answers_add_up(front, view):
    for _ in range(3):
        front.slider(CURVE).press("ArrowRight")
    assert sent(front) == [("bucket", 5)]

    front.show(view(1, bucket=5))
    assert sent(front)[1:] == [("bucket", 7)]


def test_other_keys_on_the_curve_are_left_to_the_page(front):
    for key in ("a", "PageDown", "Control+m", "Alt+ArrowLeft", "Meta+ArrowRight"):
        front.slider(CURVE).press(key)
    assert front.moves() == []

    front.slider(CURVE).press("Tab")
    expect(front.slider(CURVE)).not_to_be_focused()


# --- Clicks ------------------------------------------------------------------------


@pytest.mark.parametrize(("x", "size"), [(7.4, 7), (0.4, 1), (40, 12)])
def test_a_click_on_the_curve_takes_the_nearest_size(front, x, size):
    pick(front, "curve", x, 99)

    assert sent(front) == [("bucket", size)]


def test_a_click_on_the_map_takes_the_row_and_the_nearest_stop(front, view):
    pick(front, "map", 52, 7.3)
    front.show(view(1, bucket=7))

    assert sent(front) == [("bucket", 7), ("bandwidth", 51e9)]


def test_a_click_on_the_row_one_is_in_moves_only_the_link(front):
    pick(front, "map", 0.01, 4.4)

    assert sent(front) == [("bandwidth", 0.1e9)]


def test_a_click_on_the_map_leaves_the_rule_of_a_framework(front, view):
    front.show(view(plan="ddp"))
    pick(front, "map", 12, 4)
    front.show(view(1))

    assert sent(front) == [("bucket", 4), ("bandwidth", 12e9)]


def test_a_click_on_the_map_of_many_layers_takes_the_size_of_the_row(front, view):
    front.show(view(scenario=RESNET))
    pick(front, "map", 1, 17.6)
    pick(front, "map", 1, 99)
    front.show(view(1, scenario=RESNET))
    front.show(view(2, scenario=RESNET))

    # The 18th row is that of 23 layers; above the last one all 161 are taken.
    sizes = [value for key, value in sent(front) if key == "bucket"]
    assert sizes == [23, 161]


# --- What is heard -----------------------------------------------------------------


def test_the_curve_says_where_one_is_and_what_it_shows(front):
    curve = front.slider(CURVE)

    text = re.compile(r"^4 layers a bucket, exposed tail 14.3\sms$")
    expect(curve).to_have_attribute("aria-valuetext", text)
    for key, value in (("now", "4"), ("min", "1"), ("max", "12")):
        expect(curve).to_have_attribute(f"aria-value{key}", value)
    expect(curve).to_have_accessible_description(
        re.compile(r"to 4.33\sms with 1 layer\. .*arrow keys; M goes to")
    )


def test_the_map_says_where_one_is_and_what_decides_there(front, view):
    said = r"bandwidth 12\sGB/s, exposed tail 14.3\sms, last bucket$"
    expect(front.slider(MAP)).to_have_attribute("aria-valuetext", re.compile(said))

    front.show(view(axis="overhead"))
    said = r"per-transfer overhead 1\sms, exposed tail"
    expect(front.slider(MAP)).to_have_attribute("aria-valuetext", re.compile(said))


def test_buckets_of_a_framework_are_named_instead_of_a_size(open_front, view):
    front = open_front(first=view(plan="ddp"))

    said = re.compile("^buckets by the rule “PyTorch DDP”, exposed tail ")
    expect(front.slider(CURVE)).to_have_attribute("aria-valuetext", said)
    legend = front.page.locator(".overlap-curve ul")
    expect(legend).to_contain_text("these buckets", use_inner_text=True)
    front.show(view())
    expect(legend).not_to_contain_text("these buckets", use_inner_text=True)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"plan": "ddp"}, "12 transfers. Exposed tail 4.33 ms, down 10 ms."),
        ({"effects": Effects(late_s=1e-3)}, "Exposed tail 15.3 ms, up 1 ms."),
        ({"bandwidth_bytes_per_s": 10e9}, "Bandwidth 10 GB/s. Exposed tail 17 ms, up"),
        ({"overhead_s": 2e-3}, "Per-transfer overhead 2 ms. Exposed tail 15.3 ms, up"),
    ],
)
def test_whatever_changes_the_tail_is_said(front, view, changes, said):
    front.show(view(**changes))
    heard = front.page.locator("[aria-live=polite]")

    expect(heard).to_contain_text(said)


def test_another_axis_of_the_map_is_nothing_to_say(own_front, view):
    own_front.page.clock.install()
    own_front.show(view(axis="overhead"))
    own_front.page.clock.fast_forward(2_000)

    expect(own_front.page.locator("[aria-live=polite]")).to_have_text("")


# --- Tables ------------------------------------------------------------------------


def cells(front, title):
    """Headings and rows of a table that is open, no-break spaces as spaces."""
    name = front.page.get_by_text(title, exact=True)
    rows = front.page.locator("details:visible", has=name).locator("tr")
    expect(rows.nth(1)).to_be_visible()  # a table is filled soon after it opens
    return [
        [text.replace("\xa0", " ") for text in row.locator("th, td").all_inner_texts()]
        for row in rows.all()
    ]


def test_the_table_of_sizes_has_the_split_of_each_tail_and_what_decides(front):
    front.page.get_by_text("Table of bucket sizes").click()
    head, *rows = cells(front, "Table of bucket sizes")

    assert head[0] == "Layers a bucket"
    assert head[-1] == "What decides"
    assert len(rows) == 12
    # Eleven layers take 37.67 ms on the link from 55 ms on; then the last one goes.
    assert rows[10] == ["11", "2", "37.00", "32.67", "1.000", "3.33", "queue"]
    assert rows[11] == ["12", "1", "41.00", "0.00", "1.000", "40.00", "one transfer"]


def test_the_table_of_sizes_has_the_late_rank_where_there_is_one_and_stays_open(
    front, view
):
    front.page.get_by_text("Table of bucket sizes").click()
    front.show(view(effects=Effects(late_s=2e-3)))
    head, *rows = cells(front, "Table of bucket sizes")

    assert "Late rank (ms)" in head
    late = head.index("Late rank (ms)")
    assert {row[late] for row in rows} == {"2.000"}
    front.show(view())
    assert "Late rank (ms)" not in cells(front, "Table of bucket sizes")[0]


def test_the_table_of_the_map_has_tails_and_what_decides(front, view):
    title = "Table of the map: bucket size and bandwidth"
    front.page.get_by_text(title).click()
    head, *rows = cells(front, title)

    assert head[:3] == ["Layers a bucket", "100 MB/s", "200 MB/s"]
    assert (len(head), len(rows)) == (1 + 13, 12)
    ten = head.index("10 GB/s")
    assert rows[3][ten] == "17 ms\nlast bucket"
    assert rows[11][ten] == "49 ms\none transfer"
    assert rows[0][1] == "4.76 s\ntraffic"

    front.show(view(axis="overhead"))
    head, *rows = cells(
        front, "Table of the map: bucket size and per-transfer overhead"
    )
    assert head[1] == "1 µs"
    assert rows[0][head.index("1 ms")] == "4.33 ms\nlast bucket"


# --- Pictures ----------------------------------------------------------------------


def test_curve_and_map_are_drawn_anew_only_where_they_changed(front, view):
    drawn = front.page.evaluate(
        """([first, moved]) => {
            front.update(first);
            const before = told.applied.length;
            front.update({ ...moved, sweep: first.sweep, map: first.map });
            return told.applied.slice(before).flatMap((states) =>
                Object.values(states).flatMap((state) => Object.keys(state.sources)));
        }""",
        [view(0), view(0, bucket=7)],
    )
    assert {"here", "map_here", "compute"} <= set(drawn)
    assert not {"tails", "floor", "cells", "borders"} & set(drawn)


DATA = """(name) => {
    const { data } = Bokeh.documents.map((one) => one.get_model_by_name(name))
        .findLast(Boolean);
    return Object.fromEntries(Object.entries(data)
        .map(([key, column]) => [key, [...column]]));
}"""


def test_what_comes_before_the_figures_are_there_is_drawn_when_they_are(
    open_front, view
):
    front = open_front(drawn=True)
    front.page.evaluate(
        """async ([first, moved]) => {
            const { mount } = await import('/front/front.js');
            const config = await (await fetch('/config.json')).json();
            const root = document.createElement('div');
            document.body.append(root);
            const second = mount(root, config, () => {});
            second.update(first);
            second.update({ ...moved, sweep: first.sweep, map: first.map });
        }""",
        [view(0), view(0, bucket=7)],
    )
    front.page.wait_for_function(
        """() => Bokeh.documents.length === 8
            && Bokeh.documents.every((one) => one.is_idle)"""
    )

    cells, tails, here = (
        front.page.evaluate(DATA, name) for name in ("cells", "tails", "here")
    )
    expected = map_view(DEFAULT)["figures"]["map"]["sources"]["cells"]
    assert cells["left"] == expected["left"]
    assert (len(tails["x"]), here["x"]) == (12, [7])


PALETTE = """() => Bokeh.documents.flatMap((one) => [...one._all_models.values()])
    .find((model) => model.type === 'LinearColorMapper').palette"""


GROUND = "(one) => getComputedStyle(one).backgroundColor"


def in_255ths(colour):
    """Red, green and blue of `rgb(1, 2, 3)` or `color(srgb 0.1 0.2 0.3)`."""
    parts = [float(part) for part in re.findall(r"[\d.]+", colour)]
    return tuple(round(part * 255 if "srgb" in colour else part) for part in parts)


def test_the_shades_of_the_map_are_those_of_its_legend_in_both_themes(open_front, view):
    front = open_front(drawn=True)
    for theme in ("light", "dark"):
        front.show(view(theme=theme))
        shades = front.page.locator(".overlap-shade")
        shown = [in_255ths(shade.evaluate(GROUND)) for shade in shades.all()]
        assert [in_255ths(one) for one in front.page.evaluate(PALETTE)] == shown[1:]
        assert len(set(shown)) == 8


def names_drawn(front):
    regimes = front.page.evaluate(DATA, "regimes")
    places = zip(regimes["x"], regimes["text"], strict=True)
    return [text for x, text in places if not math.isnan(x)]


def wait_for_names(front, count):
    front.page.wait_for_function(
        """(count) => Bokeh.documents.map((one) => one.get_model_by_name('regimes'))
            .find(Boolean).data.x.filter((x) => !Number.isNaN(x)).length === count""",
        arg=count,
    )


def test_a_narrow_map_leaves_out_only_the_names_that_dont_fit(open_front):
    front = open_front(drawn=True)
    fitting = ["one transfer", "traffic above work", "queue", "last bucket"]
    wait_for_names(front, len(fitting))
    assert names_drawn(front) == fitting

    front.page.set_viewport_size({"width": 320, "height": 800})
    wait_for_names(front, len(fitting) - 1)
    fitting.remove("traffic above work")
    assert names_drawn(front) == fitting
