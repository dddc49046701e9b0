"""The twin's files: one module, without a way out of the page."""

import re
from collections import Counter
from pathlib import Path

import pytest

from overlap_widget.app.bundles import bundle

TWIN = Path(__file__).parents[2] / "static" / "twin"
MODULES = {path.name: path.read_text() for path in sorted(TWIN.glob("*.js"))}
ORDER = (TWIN / "ORDER").read_text().split()


def test_the_order_names_every_module_once_and_after_those_it_imports():
    assert sorted(ORDER) == sorted(MODULES)
    for place, name in enumerate(ORDER):
        imported = re.findall(
            r'^import \{ .* \} from "\./(.*?)";$', MODULES[name], re.M
        )
        assert MODULES[name].count("\nimport ") == len(imported), name
        assert set(imported) <= set(ORDER[:place]), name


def test_what_a_module_imports_is_exported_where_it_says():
    for name, text in MODULES.items():
        for names, source in re.findall(r'import \{ (.*) \} from "\./(.*?)";', text):
            for one in names.split(", "):
                exported = rf"^export (async )?(function|const|class) {one}\b"
                assert re.search(exported, MODULES[source], re.M), (name, one)


def test_names_at_the_top_level_are_unique_over_all_modules():
    pattern = r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)"
    counts = Counter(re.findall(pattern, "\n".join(MODULES.values()), re.M))
    assert [name for name, count in counts.items() if count > 1] == []


def test_the_bundle_is_one_module_that_imports_and_exports_nothing():
    code = bundle("twin")
    assert re.findall(r"\b(?:import|export)\b", code) == []
    assert len(code) < 100_000


@pytest.mark.parametrize("name", MODULES)
def test_a_module_knows_no_page_stores_nothing_and_calls_nobody(name):
    names = r"\b(eval|Function|document|localStorage|sessionStorage|fetch|navigator"
    names += r"|XMLHttpRequest|sendBeacon|WebSocket|Worker|postMessage|setTimeout|Date"
    names += r"|globalThis|self|innerHTML|(?<!\.)(?:window|location)(?=[.[]))\b"
    code = re.sub(r"^ *(//.*|/\*\*(?s:.*?)\*/)$", "", MODULES[name], flags=re.M)
    own = re.findall(r"\b(?:const|let) (\w+)\b", code)
    assert set(re.findall(names, code)) - set(own) == set()
    assert "Math.random" not in code


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_one_subject_said_in_its_first_line(name):
    assert MODULES[name].startswith("// ")
    assert MODULES[name].count("\n") <= 250
    assert [line for line in MODULES[name].splitlines() if len(line) > 100] == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_rounds_no_number_as_only_javascript_does(name):
    """Of two as near, these take the one above, and Python the even one."""
    kept = {"texts.js": {"toFixed"}}.get(name, set())
    used = re.findall(
        r"\b(toFixed|toPrecision|Math\.round|localeCompare)\b", MODULES[name]
    )
    assert set(used) - kept == set()
