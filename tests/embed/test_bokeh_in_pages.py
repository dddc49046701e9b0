"""Figures of an exported page: Bokeh's lean bundle draws what the whole one draws."""

import re
from importlib.resources import files

import pytest
from bokeh.embed import json_item
from bokeh.models import Quad, Range1d
from playwright.sync_api import expect

from overlap_widget.app import embedded
from overlap_widget.app.bokeh_bundle import bokeh_script
from overlap_widget.app.figure_parts import plot_of
from overlap_widget.app.settings import DEFAULT

pytestmark = pytest.mark.browser

WHOLE = files("bokeh").joinpath("server/static/js/bokeh.min.js").read_text("utf-8")
FIGURES = {"explore": ["curve", "lanes", "map"], "measured": ["recording"]}
IDLE = (
    "() => Bokeh.documents.length === 4 && Bokeh.documents.every((one) => one.is_idle)"
)
DRAWN = """(kind) => Object.fromEntries([...Bokeh.index.roots]
    .filter(({ el, model }) => model.type === 'Figure' && el.checkVisibility())
    .map((view) => [view.model.name, kind === 'svg'
        ? new XMLSerializer().serializeToString(view.export('svg').canvas)
        : view.export('png').canvas.toDataURL()]))"""
WINDOW = """() => {
    const views = [...Bokeh.index.roots];
    const { x_range } = views.find(({ model }) => model.name === 'recording').model;
    return [x_range.start, x_range.end];
}"""
PAINTED = """((view) => {
    for (const one of view.computed_renderer_views) view.request_paint(one);
    view.paint();
    return view.export('png').canvas.toDataURL();
})"""
DRAGGED = """async () => {
    const view = [...Bokeh.index.roots].find(({ model }) => model.name === 'recording');
    const picture = () => PAINTED(view);
    const { model } = view;
    const before = picture();
    model.setv({ lod_threshold: 0, lod_factor: 1 }); // what drags leave out: no mark
    for (const { data_source } of model.renderers) data_source.change.emit();
    await new Promise((resolve) => setTimeout(resolve, 500));
    model.document.interactive_start(model);
    const during = picture();
    for (const renderer of model.renderers) renderer.visible = false;
    return [before, during, picture()];
}""".replace("PAINTED", PAINTED)
LOOKS = """async (item) => {
    const place = document.body.appendChild(document.createElement('div'));
    const { roots: [view] } = await Bokeh.embed.embed_item(item, place);
    const [{ data_source }] = view.model.renderers;
    const pictures = [];
    for (const indices of [[], [1]]) {
        data_source.selected.indices = indices;
        pictures.push(PAINTED(view));
    }
    return pictures;
}""".replace("PAINTED", PAINTED)
RANDOM_ID = re.compile(r'(id="|#)[A-Za-z]{12,}')


@pytest.fixture(scope="module")
def page_with(tmp_path_factory):
    """The exported page with another script for Bokeh."""
    folder = tmp_path_factory.mktemp("bokeh")

    def write(name, script):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(embedded, "bokeh_script", lambda: script)
            page = folder / f"{name}.html"
            page.write_text(embedded.embedded_page(DEFAULT), encoding="utf-8")
            return page

    return write


@pytest.fixture(scope="module")
def lean_page(page_with):
    return page_with("lean", bokeh_script())


@pytest.fixture
def open_drawn(open_page):
    """Open a page in a mode and wait until Bokeh has drawn."""

    def open_it(path, mode):
        page = open_page(path, f"#v=1&mode={mode}")
        page.wait_for_function(IDLE)
        return page

    return open_it


@pytest.mark.parametrize("kind", ["pixels", "svg"])
@pytest.mark.parametrize("mode", ["explore", "measured"])
def test_every_figure_is_drawn_as_by_the_whole_bundle(
    open_drawn, page_with, lean_page, mode, kind
):
    paths = [lean_page, page_with("whole", WHOLE)]
    lean, whole = (open_drawn(path, mode).evaluate(DRAWN, kind) for path in paths)
    assert sorted(lean) == FIGURES[mode]
    for name, drawing in lean.items():
        assert len(drawing) > 5_000, f"{name} is empty"
        assert plain(drawing) == plain(whole[name]), f"{name} is drawn otherwise"


def plain(drawing):
    """A drawing without the names that Bokeh makes up for clips and hatches."""
    return RANDOM_ID.sub(r"\1", drawing)


def test_a_card_shows_the_transfer_under_the_pointer(open_drawn, lean_page):
    page = open_drawn(lean_page, "explore")
    box = page.get_by_role("img", name=re.compile("^Time chart")).bounding_box()
    # The first transfer runs from 20 to 34 of 80 ms, in the lower half of the plot.
    for step in (0, 2):
        page.mouse.move(
            box["x"] + 0.34 * box["width"] + step, box["y"] + 0.47 * box["height"]
        )
    expect(page.locator(".bk-tooltip-row-value").first).to_be_visible()
    expect(page.get_by_text("layer 12 to layer 9").first).to_be_visible()


def test_a_recording_zooms_by_ctrl_and_wheel_alone_and_moves_by_dragging(
    open_drawn, lean_page
):
    page = open_drawn(lean_page, "measured")
    box = page.get_by_role("img", name=re.compile("Time chart")).bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 60)
    start, end = page.evaluate(WINDOW)
    page.mouse.wheel(0, -200)
    page.wait_for_timeout(200)
    assert page.evaluate(WINDOW) == [start, end]

    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_timeout(200)
    near, far = page.evaluate(WINDOW)
    assert start < near < far < end

    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 60, steps=5)
    page.mouse.up()
    assert page.evaluate(WINDOW)[0] > near


def test_one_view_of_a_mark_does_for_all_that_bokeh_would_keep(
    open_drawn, lean_page, shared_views
):
    shared = shared_views(open_drawn(lean_page, "explore"))
    assert len(shared) > 10
    assert all(shared)


def test_marks_stay_while_many_of_them_are_dragged(open_drawn, lean_page):
    page = open_drawn(lean_page, "measured")
    before, during, without = page.evaluate(DRAGGED)
    assert during == before
    assert without != before


def test_a_look_that_a_figure_gives_is_kept(open_drawn, page_with, lean_page):
    plot = plot_of("looks", 100, "axis", Range1d(start=0, end=2))
    bars = plot.quad([0, 40], [30, 70], [1, 1], [0, 0], fill_color="navy")
    bars.selection_glyph = Quad(fill_color="red")
    bars.nonselection_glyph = Quad(fill_color="green", fill_alpha=0.3)
    item = json_item(plot)
    paths = [lean_page, page_with("whole", WHOLE)]
    lean, whole = (open_drawn(one, "explore").evaluate(LOOKS, item) for one in paths)
    assert lean == whole
    assert lean[0] != lean[1]
