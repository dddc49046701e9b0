"""The part of Bokeh's bundle that exported pages hold: it draws all that they draw.

The whole bundle is the oracle; the fakes show what is kept of a bundle and what isn't.
"""

import gzip
import re
from importlib.resources import files

import pytest
from playwright.sync_api import expect

from overlap_widget.app import embedded
from overlap_widget.app.bokeh_bundle import bokeh_script, lean_script
from overlap_widget.app.settings import DEFAULT

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
RANDOM_ID = re.compile(r'(id="|#)[A-Za-z]{12,}')

BASE = 'function _(r,m,e){e.register_models=function(){},r(8)("no such","(9)")}'
QUAD = (
    'function _(t,$,e){class i extends t(6).Model{}e.Quad=i,o=i,i.__name__="Quad";'
    "later=()=>Promise.resolve(t(99)),x.t(9),at(9)}"
)
ICONS = """function _(e,t,n){n.default='a{b:url("data:image/svg+xml,%3C");c:d}'}"""
OTHER = "function _(e,t,n){n.%s=s,s.__name__=%s}"
NAMES = (
    '{"main":0,"base":1,"models/main":2,"models/index":3,"models/glyphs/quad":4,'
    '"models/dom/quad":5,"model":6,"styles/icons.css":7,"deep":8,"spare":9}'
)


def fake(modules=(), names=NAMES, entry="], 0, "):
    """A bundle of ten modules, of which those in `modules` are others."""
    usual = {
        0: "function _(e,t,n){e(1),e(2)}",
        1: BASE,
        2: "function _(t,e,n){t(1).register_models(t(3))}",
        3: "function _(t,e,n){t(4),t(5),t(9)}",
        4: QUAD,
        5: OTHER % ("Quad", '"Quad"'),
        6: "function _(_,e,n){_(7);class s{_update(t){this.el.textContent=t}}}",
        7: ICONS,
        8: "function _($a,e,n){const x=1;\nreturn$a.b}",
        9: "function _(e,t,n){}",
    }
    listed = ",\n".join((usual | dict(modules)).values())
    head = "/* licence */\n(function(root, factory) {})(this, function() {\n"
    prelude = "return (function(modules, entry) {\n})\n"
    return f"{head}{prelude}([\n{listed},\n{entry}{names}, {{}});}});\n"


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


@pytest.mark.browser
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


@pytest.mark.browser
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


@pytest.mark.browser
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


def test_the_part_is_far_smaller_than_the_whole():
    lean, whole = bokeh_script().encode(), WHOLE.encode()
    assert len(lean) < 0.66 * len(whole)
    assert len(gzip.compress(lean)) < 0.69 * len(gzip.compress(whole))


def test_the_licence_of_the_bundle_stays_on_top():
    licence = WHOLE[: WHOLE.index("*/") + 2]
    assert "Redistributions in binary form must reproduce" in licence
    assert bokeh_script().startswith(licence)


def test_kept_are_the_modules_that_the_entry_and_the_models_reach():
    lean = lean_script(fake(), {"Quad"})
    kept = re.findall(r"^\(?(0|function)", lean.split("([\n")[1], re.M)
    #        main, base, registers, all models, quad, dom, model, icons, deep, spare
    spares = [True, True, True, False, True, False, True, True, True, False]
    assert [module == "function" for module in kept] == spares
    names = re.search(r"\], 0, (\{.*?\})", lean)[1]
    assert '"deep":8' in names
    assert "spare" not in names
    assert "models/index" not in names


def test_the_registering_module_registers_the_models_alone():
    lean = lean_script(fake(), {"Quad"})
    assert "for(const exported of[require(4)])register_models(exported,true)" in lean
    assert "register_models(t(3))" not in lean


def test_of_icons_only_the_drawings_go():
    lean = lean_script(fake(), {"Quad"})
    assert "n.default='a{b:none;c:d}'" in lean


def test_a_style_sheet_is_written_only_if_it_differs():
    written = "_update(t){this.el.textContent===t||(this.el.textContent=t)}"
    assert written in lean_script(fake(), {"Quad"})
    assert written in bokeh_script()


def test_what_surrounds_the_modules_stays_but_is_compiled_at_once():
    whole = fake()
    lean = lean_script(whole, {"Quad"})
    head = whole[: whole.index("([\n")].replace("(this, function", "(this, (function")
    assert lean.startswith(head)
    assert lean.endswith(", {});}));\n")


def test_no_address_elsewhere_is_written_in_the_script():
    assert "https://" in WHOLE.split("*/", 1)[1]
    assert "https://" not in bokeh_script()


@pytest.mark.parametrize(
    "whole",
    [
        fake(names=NAMES.replace("models/main", "models/all")),
        fake(names=NAMES.replace('"base"', '"core"')),
        fake(names=NAMES.replace('"spare":9', '"spare":10')),
        fake(modules={1: "function _(r,m,e){e.register_all=1}"}),
        fake(modules={4: "function _(e,t,n){n.Rect=s,s.__name__='Rect'}"}),
        fake(
            modules={9: OTHER % ("Quad", '"Quad"')},
            names=NAMES.replace('"spare"', '"models/glyphs/other"'),
        ),
        fake(modules={8: "function _(){}"}),
        fake(entry="], 5, "),
        fake().replace("function _(", "(require) => ("),
        "",
    ],
    ids=[
        "no registering module",
        "no base",
        "a name behind the end",
        "a base that registers nothing",
        "no such model",
        "two such models",
        "a module without parameters",
        "another entry",
        "arrow functions",
        "nothing",
    ],
)
def test_a_bundle_of_unknown_shape_is_taken_whole(whole):
    assert lean_script(whole, {"Quad"}) == whole
