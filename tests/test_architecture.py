"""The shape of the code: arrows point inward, files and functions stay small.

app -> model -> numpy          model/traces -> the rest of model, never back
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = "overlap_widget"
MODULES = sorted([*ROOT.glob("model/**/*.py"), *ROOT.glob("app/**/*.py")])
MODEL = [path for path in MODULES if path.relative_to(ROOT).parts[0] == "model"]
TRACES = [path for path in MODEL if path.parent.name == "traces"]
LOADER = re.compile(r"^def load", re.M)
FORMATS = [
    path
    for path in TRACES
    if path.stem != "__init__" and LOADER.search(path.read_text())
]
OF_TRACES = ("isal", "msgspec")  # the readers of files need them, the model doesn't
SCRIPTS = sorted(ROOT.glob("static/**/*.js"))
MOST_LINES, MOST_FUNCTION_LINES = 250, 30
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
IMPORTS = (ast.Import, ast.ImportFrom)
DRAWING = ("panel", "bokeh", "param", "pandas", "tornado")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def imports_of(path):
    """Full dotted names of what a module imports; `from a import b` gives `a.b`."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def inside(name, package):
    return f"{name}.".startswith(f"{package}.")


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=name_of)


@each(MODEL)
def test_the_model_imports_the_standard_library_numpy_and_itself(path):
    for name in imports_of(path):
        top = name.partition(".")[0]
        allowed = top in sys.stdlib_module_names or top == "numpy"
        allowed |= path in TRACES and top in OF_TRACES
        assert allowed or inside(name, f"{PACKAGE}.model"), name


@each([path for path in MODEL if path.parent.name == "model"])
def test_the_model_does_not_know_where_a_timeline_came_from(path):
    traces = f"{PACKAGE}.model.traces"
    assert not [name for name in imports_of(path) if inside(name, traces)]


@each(FORMATS)
def test_a_loader_knows_no_other_format(path):
    """Its own parts are named after it: `kineto.py`, `kineto_events.py`."""
    others = {other.stem for other in FORMATS} - {path.stem}
    own_parts = [part for part in TRACES if part.stem.startswith(path.stem)]
    for part in own_parts:
        for name in imports_of(part):
            module = name.removeprefix(f"{PACKAGE}.model.traces.").partition(".")[0]
            assert not module.startswith(tuple(others)), (part.name, name)


@each(MODULES)
def test_imports_are_absolute_and_stand_at_the_top(path):
    tree = ast.parse(path.read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, IMPORTS)]
    assert all(node in tree.body for node in imports)
    assert not [node for node in imports if getattr(node, "level", 0)]
    assert "TYPE_CHECKING" not in path.read_text()


@each(MODULES + SCRIPTS)
def test_a_file_has_one_subject_and_at_most_250_lines(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES


@each(MODULES)
def test_a_function_fits_on_a_screen(path):
    long = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, FUNCTIONS)
        if node.end_lineno - node.lineno + 1 > MOST_FUNCTION_LINES
    }
    assert long == {}


@each(MODULES)
def test_a_function_is_named_for_what_it_returns_or_does(path):
    names = [
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (*FUNCTIONS, ast.ClassDef))
    ]
    assert not [name for name in names if name.startswith("get_")]
    assert not [name for name in names if name.endswith("Manager")]
    assert path.stem not in ("utils", "helpers", "common")


def test_every_package_of_the_checkout_is_installed():
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {
        path.parent.relative_to(ROOT)
        for top in ("app", "model", "static")
        for path in (ROOT / top).glob("**/__init__.py")
    }
    assert set(setup["packages"]) == {
        ".".join([PACKAGE, *folder.parts]) for folder in folders
    }


@pytest.mark.parametrize(
    "code",
    [
        "import overlap_widget.model",
        "import overlap_widget.model.scenario_file",
        "import overlap_widget.model.traces",
        "from overlap_widget.app.cli import main; main(['--help'])",
        "from overlap_widget.app.cli import main; main(['simulate'])",
        "from overlap_widget.app.cli import main; main(['sweep'])",
        "from overlap_widget.app.cli import main; main(['scenarios'])",
        "from overlap_widget.app.cli import main; main(['measure', '--help'])",
    ],
)
def test_a_fresh_interpreter_loads_nothing_that_draws(code):
    report = f"{code}; import sys; print('loaded:', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", report],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    loaded = done.stdout.rpartition("loaded:")[2].split()
    assert "numpy" in loaded or "--help" in code
    assert not set(DRAWING) & set(loaded)
