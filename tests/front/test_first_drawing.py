"""Figures as they are first drawn: with what is known, in turn, after moves."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FILL = """async ([item, known]) => {
    const { fillItem } = await import('/front/figure_first.js');
    fillItem(item, known, (role) => `the colour of ${role}`);
    return item.doc.roots;
}"""
# Note what each figure is embedded with, from the next mount on.
NOTE = """() => {
    const { embed_item } = Bokeh.embed;
    window.embedded = [];
    Bokeh.embed.embed_item = (item, place) => {
        const figure = item.doc.roots[0].attributes;
        const json = JSON.stringify(item);
        const [, bars] = /"name":"exposed".*?"data":(.*?)\\}/.exec(json) ?? [];
        embedded.push({ name: figure.name, end: figure.x_range.attributes.end, bars });
        return embed_item(item, place);
    };
    remount();
}"""
# A move while the first figure is made.
HURRY = """() => {
    const { embed_item } = Bokeh.embed;
    Bokeh.embed.embed_item = (...given) => {
        Bokeh.embed.embed_item = embed_item;
        const slider = document.querySelector('[data-tells=bucket]');
        slider.value = 4;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        return embed_item(...given);
    };
}"""
NAMES = "() => embedded.map(({ name }) => name)"


def model(type_, **attributes):
    return {"type": "object", "name": type_, "attributes": attributes}


def filled(front, *roots, columns=None, ranges=None):
    known = {"columns": columns or {}, "ranges": ranges or {}}
    return front.page.evaluate(FILL, [{"doc": {"roots": roots}}, known])


def test_columns_and_ranges_go_where_their_names_are_and_nowhere_else(kept_front):
    empty = {"type": "map", "entries": [["x", []]]}
    bars = model("ColumnDataSource", name="bars", data=empty)
    others = model("ColumnDataSource", name="others", data=empty)
    axis = model("Range1d", name="time", start=0, end=1)
    outer = model("Figure", name="bars", x_range=axis, renderers=[bars, others])

    [found] = filled(
        kept_front,
        outer,
        columns={"bars": {"x": [1, 2.5], "y": ["a", None]}},
        ranges={"time": {"start": 3, "end": 80, "bounds": [0, 90]}},
    )

    first, second = found["attributes"]["renderers"]
    entries = [["x", [1, 2.5]], ["y", ["a", None]]]
    assert first["attributes"]["data"] == {"type": "map", "entries": entries}
    assert second["attributes"]["data"] == empty
    end = found["attributes"]["x_range"]["attributes"]
    assert end == {"name": "time", "start": 3, "end": 80, "bounds": [0, 90]}
    assert set(found["attributes"]) == {"name", "x_range", "renderers"}


def test_roles_become_colours_in_the_form_that_a_property_has(kept_front):
    value = {"type": "value", "value": "#1f77b4"}
    bar = model(
        "Quad",
        tags=["fill_color=late", "line_color=late"],
        fill_color=value,
        line_color=value,
    )
    line = model("Line", tags=["line_color=late", "plain"], line_color=value)
    axis = model("LinearAxis", tags=["axis_line_color=axis"], axis_line_color="black")
    map_ = model("Mapper", tags=["palette=level_0|level_1"], palette=["red", "blue"])
    bare = model("Line", tags=["line_color=late"])

    found = [
        one["attributes"] for one in filled(kept_front, bar, line, axis, map_, bare)
    ]

    late = {"type": "value", "value": "the colour of late"}
    outline = "the colour of outline, var(--overlap-late)"
    assert found[0]["fill_color"] == late
    assert found[0]["line_color"] == {"type": "value", "value": outline}
    assert found[1]["line_color"] == late
    assert found[2]["axis_line_color"] == "the colour of axis"
    assert found[3]["palette"] == ["the colour of level_0", "the colour of level_1"]
    assert set(found[4]) == {"tags"}  # whose form isn't known yet


@pytest.fixture
def noted(open_front):
    """A front mounted anew, that notes what it embeds; `also` runs before that."""

    def show(view, also="() => {}"):
        front = open_front(drawn=True, own=True)
        front.page.evaluate(NOTE)
        front.page.evaluate(also)
        front.show(view)
        return front

    return show


def test_the_figure_in_view_is_embedded_with_its_marks_and_its_axis(noted, view):
    shown = view(bucket=12)
    front = noted(shown)
    front.page.wait_for_function("() => embedded.length === 4")
    lanes = front.page.evaluate("() => embedded")[0]

    assert lanes["name"] == "lanes"
    assert lanes["end"] == shown["figures"]["lanes"]["ranges"]["lanes_x"]["end"] == 150
    assert '["left",[' in lanes["bars"]
    assert '["left",[]]' not in lanes["bars"]


def test_a_move_is_answered_before_the_next_figure_is_made(noted, view):
    front = noted(view(), HURRY)
    front.page.wait_for_function("() => embedded.length === 1")
    assert front.last_move()["value"] == 5
    front.page.wait_for_timeout(400)
    assert front.page.evaluate(NAMES) == ["lanes"]

    front.show(view(1, bucket=5))
    front.page.wait_for_function("() => embedded.length === 4")
    expect(front.page.locator("[data-tells=bucket]")).to_have_value("4")


def test_figures_come_all_the_same_where_nobody_answers(noted, view):
    front = noted(view(), HURRY)

    front.page.wait_for_function("() => embedded.length === 4")
