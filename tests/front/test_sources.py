"""The front's files: bundled as one module, short, without a way out of the page."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from overlap_widget.app.front import module
from overlap_widget.model.regime import Regime

STATIC = Path(__file__).parents[2] / "static"
FRONT = STATIC / "front"
MODULES = {path.name: path.read_text() for path in sorted(FRONT.glob("*.js"))}
STRINGS = json.loads((STATIC / "strings.en.json").read_text())
DRIVER = "panel.js"

# What a colour must reach against its ground, as WCAG asks: texts 4.5, shapes 3.
TEXTS = ("text", "muted", "link", "exposed")
SHAPES = ("axis", "compute", "hidden_line", "exposed", "predict", "focus")
LABELS = {"on_compute": "compute", "on_hidden": "hidden", "on_exposed": "exposed"}


def test_the_order_names_every_module_after_those_it_imports():
    order = (FRONT / "ORDER").read_text().split()
    assert sorted(order) == sorted(MODULES.keys() - {DRIVER})
    for place, name in enumerate(order):
        imported = re.findall(r'from "\./(.*?)";', MODULES[name])
        assert set(imported) <= set(order[:place]), name


def test_names_at_the_top_level_are_unique_over_all_modules():
    pattern = r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)"
    counts = Counter(re.findall(pattern, "\n".join(MODULES.values()), re.M))
    assert [name for name, count in counts.items() if count > 1] == []


def test_the_bundle_imports_nothing_and_exports_only_its_driver():
    assert re.findall(r"^import\b.*", module(), re.M) == []
    assert re.findall(r"^export\b.*", module(), re.M) == [
        "export function render({ model, el, view }) {"
    ]


def test_the_bundle_has_all_code_and_no_line_of_comments():
    code = [
        line
        for line in "\n".join(MODULES.values()).splitlines()
        if not re.match(r"import |\s*(//|/\*\*| \*|$)", line)
    ]
    kept = [line for line in module().splitlines() if line.strip()]

    assert not [line for line in kept if re.match(r"\s*(//|/\*|\*)", line)]
    plain = [line.removeprefix("export ") for line in code]
    assert sorted(line.removeprefix("export ") for line in kept) == sorted(plain)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_makes_no_markup_stores_nothing_and_calls_nobody(name):
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b|new Function"
    forbidden += r"|localStorage|sessionStorage|\bfetch\b|XMLHttpRequest|sendBeacon"
    assert re.findall(forbidden, MODULES[name]) == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_one_subject_said_in_its_first_line(name):
    assert MODULES[name].startswith("// ")
    assert MODULES[name].count("\n") < 250


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


def palette(selector):
    css = (STATIC / "css" / "roles.css").read_text()
    block = css.split(f"{selector} {{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--overlap-(\w+): (#\w{6});", block))


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    ]
    return sum(map(float.__mul__, (0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("selector", [".overlap", '.overlap[data-theme="dark"]'])
def test_colours_stand_out_from_their_grounds(selector):
    colours = palette(selector)
    for ground in (colours["ground"], colours["panel"]):
        for role in TEXTS:
            assert contrast(colours[role], ground) >= 4.5, role
        for role in SHAPES:
            assert contrast(colours[role], ground) >= 3, role
    for role, fill in LABELS.items():
        assert contrast(colours[role], colours[fill]) >= 4.5, role
    for pair in (("hidden", "exposed"), ("hidden", "hidden_line")):
        assert contrast(*(colours[role] for role in pair)) >= 3, pair


def test_both_themes_define_the_same_roles():
    light, dark = palette(".overlap"), palette('.overlap[data-theme="dark"]')
    assert light.keys() == dark.keys()
