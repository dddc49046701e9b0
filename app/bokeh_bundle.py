"""The part of Bokeh's own bundle for browsers that the figures need.

All of it would be most of an exported page. The bundle lists modules that require each
other by their place in the list; module 0 is the entry:

    (function(modules, entry, aliases, externals) {...})
    ([
    function _(require, module, exports, ...){... require(2) ...},
    function _(...){...}
    ], 0, {"main": 0, "core/view": 1, ...}, {});});

Kept are those that the entry reaches once `models/main`, which registers all models
there are, registers the ones of the figures alone. What is changed in them:

- drawings of icons go, since no figure shows a toolbar, and addresses elsewhere;
- a style sheet is written only if it differs: Bokeh writes those of axes and titles in
  every frame, and a browser parses each of them anew;
- marks are worked out once, not five times, as in `static/served/one_view.js`.
"""

import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from overlap_widget.app.bundles import inner
from overlap_widget.app.figures import figure_items

_BUNDLE = re.compile(
    r"(?P<head>.*?\(this, )(?P<prelude>function\(\) \{.*?\n\(\[\n)"
    r"(?P<modules>function _\(.*),\n\], 0, (?P<places>\{[^}]*\})"
    r"(?P<rest>, \{\}\);\})(?P<end>\);\s*)",
    re.S,
)
_SEAM = re.compile(r",\n(?=function _\()")
_FIRST_PARAMETER = re.compile(r"function _\(([\w$]+)")
_ICON = re.compile(r'url\("data:image/svg\+xml[^"]*"\)')
_ELSEWHERE = re.compile(r'"https://[^"]+"')
"""Addresses of MathJax, for formulas, and of pages of help: no figure has either."""
_REWRITTEN = re.compile(r"_update\(([\w$]+)\)\{this\.el\.textContent=\1\}")
_IF_ANOTHER = r"_update(\1){this.el.textContent===\1||(this.el.textContent=\1)}"
_MODELS = re.compile(r"models/(?!dom/)|document/")  # in dom/ names mean other models
_REGISTER = (
    "function _(require,module,exports){const{register_models}=require(%d);"
    "for(const exported of[%s])register_models(exported,true);%s}"
)


class _OddBundleError(ValueError):
    """The bundle isn't of the shape that is described above."""


@dataclass(frozen=True, slots=True)
class _Bundle:
    """Modules by their place, and the places of those that have a name."""

    head: str
    modules: list[str]
    places: dict[str, int]
    end: str


@cache
def bokeh_script() -> str:
    """A classic script that defines `Bokeh` and draws the figures of this version.

    It is the whole bundle where that is of a shape that this module doesn't know.
    """
    path = files("bokeh").joinpath("server", "static", "js", "bokeh.min.js")
    whole = path.read_text(encoding="utf-8")
    return lean_script(whole, frozenset(_model_names(figure_items())))


def lean_script(whole: str, models: Set[str]) -> str:
    """The bundle with what models of these names need; whole, if of unknown shape."""
    try:
        bundle = _registering(_parsed(whole), models)
        return _joined(bundle, _reached(bundle.modules))
    except _OddBundleError:
        return whole


def _model_names(item: Any) -> Iterator[str]:
    """The models that Bokeh will make of a JSON item."""
    if isinstance(item, dict):
        if item.get("type") == "object":
            yield item["name"]
        item = list(item.values())
    if isinstance(item, list):
        for inner in item:
            yield from _model_names(inner)


def _parsed(whole: str) -> _Bundle:
    found = _BUNDLE.fullmatch(whole)
    if found is None:
        raise _OddBundleError("it is no list of modules")
    modules = _SEAM.split(found["modules"])
    places = json.loads(found["places"])
    if not all(place < len(modules) for place in places.values()):
        raise _OddBundleError("names stand for places behind the last module")
    # A function in parentheses is compiled as it is read; it is called at once.
    head = f"{found['head']}({found['prelude']}"
    return _Bundle(head, modules, places, f"{found['rest']}){found['end']}")


def _place(bundle: _Bundle, name: str) -> int:
    if name not in bundle.places:
        raise _OddBundleError(f"it has no module {name}")
    return bundle.places[name]


def _registering(bundle: _Bundle, models: Set[str]) -> _Bundle:
    """The bundle in which `models/main` registers models of these names alone."""
    main, base = _place(bundle, "models/main"), _place(bundle, "base")
    if ".register_models=" not in bundle.modules[base]:
        raise _OddBundleError("its module base registers no models")
    places = sorted({_defining(bundle, model) for model in models})
    required = ",".join(map("require({})".format, places))
    module = _REGISTER % (base, required, _one_view(bundle))
    modules = [*bundle.modules[:main], module, *bundle.modules[main + 1 :]]
    return replace(bundle, modules=modules)


def _one_view(bundle: _Bundle) -> str:
    """What makes one view do for the looks that Bokeh gives a mark by itself."""
    place = bundle.places.get("models/renderers/glyph_renderer")
    known = "this.glyph=await this.build_glyph_view("
    if place is None or known not in bundle.modules[place]:
        return ""
    return f"{inner('served/one_view.js')}keepOneView(require({place}));"


def _defining(bundle: _Bundle, model: str) -> int:
    """The place of the one module that exports the class of a model."""
    name = re.escape(model)
    exports = re.compile(rf'\.{name}=([\w$]+),(?:[\w$]+=\1,)?\1\.__name__="{name}"')
    places = [
        place
        for path, place in bundle.places.items()
        if _MODELS.match(path) and exports.search(bundle.modules[place])
    ]
    if len(places) != 1:
        raise _OddBundleError(f"{len(places)} of its modules define {model}")
    return places[0]


def _reached(modules: list[str]) -> set[int]:
    """Places of the entry and of all that it requires, also through others.

    What is behind the last place lies in other bundles; Bokeh does without it.
    """
    kept, left = {0}, [0]
    while left:
        required = {at for at in _required(modules[left.pop()]) if at < len(modules)}
        left += required - kept
        kept |= required
    return kept


def _required(module: str) -> set[int]:
    """Places that a module may require: calls of its first parameter with a number.

    That may be more than it does, where another variable has the same short name.
    """
    require = _FIRST_PARAMETER.match(module)
    if require is None:
        raise _OddBundleError("one of its modules can't require others")
    calls = re.compile(rf"(?<![\w$.]){re.escape(require[1])}\((\d+)\)")
    return {int(place) for place in calls.findall(module)}


def _joined(bundle: _Bundle, kept: set[int]) -> str:
    """The bundle with these modules; all keep their places."""
    modules = [
        module if place in kept else "0" for place, module in enumerate(bundle.modules)
    ]
    if "styles/icons.css" in bundle.places:
        icons = bundle.places["styles/icons.css"]
        modules[icons] = _ICON.sub("none", modules[icons])
    listed = _ELSEWHERE.sub('""', ",\n".join(modules))
    listed = _REWRITTEN.sub(_IF_ANOTHER, listed)
    names = {name: place for name, place in bundle.places.items() if place in kept}
    aliases = json.dumps(names, separators=(",", ":"))
    return f"{bundle.head}{listed},\n], 0, {aliases}{bundle.end}"
