"""What is taken of Bokeh's bundle, and when it is taken whole, shown on small fakes."""

import gzip
import re
from importlib.resources import files

import pytest

from overlap_widget.app.bokeh_bundle import bokeh_script, lean_script

WHOLE = files("bokeh").joinpath("server/static/js/bokeh.min.js").read_text("utf-8")

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


def test_views_of_marks_are_left_alone_where_bokeh_makes_them_in_another_way():
    assert "build_glyph_view" in bokeh_script()
    assert "GlyphRendererView" not in lean_script(fake(), {"Quad"})
    names = NAMES.replace('"deep"', '"models/renderers/glyph_renderer"')
    assert "GlyphRendererView" not in lean_script(fake(names=names), {"Quad"})
    renderer = "function _(e,t,n){this.glyph=await this.build_glyph_view(x)}"
    lean = lean_script(fake({8: renderer}, names), {"Quad"})
    assert lean.count("keepOneView(require(8));") == 1


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
