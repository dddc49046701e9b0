"""The front's files: bundled as one module, short, without a way out of the page."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from overlap_widget.app.front import CONNECTED, module
from overlap_widget.model.regime import Regime

STATIC = Path(__file__).parents[2] / "static"
FRONT = STATIC / "front"
MODULES = {path.name: path.read_text() for path in sorted(FRONT.glob("*.js"))}
SERVED = {
    f"{name}.js": (STATIC / "served" / f"{name}.js").read_text() for name in CONNECTED
}
"""What only served pages have, between the front and its driver."""
BUNDLED = MODULES | SERVED
STRINGS = json.loads((STATIC / "strings.en.json").read_text())
DRIVER = "panel.js"


def test_the_order_names_every_module_after_those_it_imports():
    order = (FRONT / "ORDER").read_text().split()
    assert sorted(order) == sorted(MODULES.keys() - {DRIVER})
    for place, name in enumerate(order):
        imported = re.findall(r'from "\./(.*?)";', MODULES[name])
        assert set(imported) <= set(order[:place]), name


def test_names_at_the_top_level_are_unique_over_all_modules():
    pattern = r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)"
    counts = Counter(re.findall(pattern, "\n".join(BUNDLED.values()), re.M))
    assert [name for name, count in counts.items() if count > 1] == []


def test_the_bundle_imports_nothing_and_exports_only_its_driver():
    assert re.findall(r"^import\b.*", module(), re.M) == []
    exports = re.findall(r"\bexport (?:async |function |const |class )\w+", module())
    assert exports == ["export function render"]


def test_the_bundle_has_all_code_and_no_comments():
    """Compared without any space: strings keep theirs, code doesn't."""
    code = [
        line
        for line in "\n".join(BUNDLED.values()).splitlines()
        if not re.match(r"import |\s*(//|/\*\*| \*|$)", line)
    ]
    plain = re.sub(r"^export |// .*", "", "\n".join(code), flags=re.M)
    kept = module().replace("export function", "function")

    assert Counter(re.sub(r"\s", "", kept)) == Counter(re.sub(r"\s", "", plain))
    assert len(kept) < 0.9 * len("\n".join(code))


@pytest.mark.parametrize("name", BUNDLED)
def test_a_module_makes_no_markup_stores_nothing_and_calls_nobody(name):
    """But the connection, which asks whether its own server is there."""
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b|new Function"
    forbidden += r"|localStorage|sessionStorage|\bfetch\b|XMLHttpRequest|sendBeacon"
    calls = ["fetch"] if name == "connection.js" else []
    assert re.findall(forbidden, BUNDLED[name]) == calls


@pytest.mark.parametrize("name", BUNDLED)
def test_a_module_has_one_subject_said_in_its_first_line(name):
    assert BUNDLED[name].startswith("// ")
    assert BUNDLED[name].count("\n") < 250


def test_every_word_that_the_front_asks_for_is_there():
    asked = set()
    for text in MODULES.values():
        asked |= set(re.findall(r'words(?:\.parts)?\("([\w.]+)"', text))
    nouns = re.findall(r'words\.count\("(\w+)"', "\n".join(MODULES.values()))
    asked |= {f"count.{noun}.{form}" for noun in nouns for form in ("one", "other")}
    asked |= {f"{prefix}.{one.value}" for one in Regime for prefix in ("why", "regime")}
    assert sorted(asked - STRINGS.keys()) == []


def test_words_are_not_markup():
    assert [
        key for key, text in STRINGS.items() if re.search("[<>]|&\\w+;", text)
    ] == []
