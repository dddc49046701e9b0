"""The model's twin in a page: what its modules export, beside the data it works on."""

import json
import re
from pathlib import Path

import pytest

from overlap_widget.app.bundles import bundle
from overlap_widget.app.twin_data import twin_data

HERE = Path(__file__).parent
TWIN = HERE.parents[1] / "static" / "twin"
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.M)


def exporting_bundle():
    """The twin as a page gets it, and then all that its modules export in the open."""
    files = [TWIN / name for name in (TWIN / "ORDER").read_text().split()]
    names = [name for file in files for name in EXPORTED.findall(file.read_text())]
    return f"{bundle('twin')}\nglobalThis.twin = {{ {', '.join(names)} }};"


@pytest.fixture(scope="session")
def twin(browser):
    """A page where `twin` has all exports and `data` the data: `twin.evaluate(js)`."""
    page, complaints = browser.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_script_tag(content=exporting_bundle(), type="module")
    for harness in ("harness.js", "views.js"):
        page.add_script_tag(content=(HERE / harness).read_text())
    given = twin_data() | {"start": "", "measured": None}
    page.evaluate(
        "(text) => { globalThis.data = JSON.parse(text); }", json.dumps(given)
    )
    assert page.evaluate("() => typeof twin") == "object", complaints
    yield page
    page.close()
    assert complaints == []


@pytest.fixture(scope="session")
def differences():
    """Tells where the view state of an Explorer and that of a twin's session differ.

    Parts of the Explorer's may be replaced by others that the twin must have.
    """
    return lambda explorer, text, **parts: list(
        _differences(_plain(_view_state(explorer) | parts), json.loads(text))
    )


def _view_state(explorer):
    """All that the front gets, as `panel.js` puts it together."""
    view, upload, *others = (
        "view",
        "upload",
        "figures",
        "sweep",
        "map",
        "ranks",
        "seq",
    )
    parts = explorer.__panel__().parts
    shown = parts[view] | {key: parts[key] for key in others}
    return shown | {upload: parts[upload] or None}


def _plain(value):
    """As JSON gives it back: whole floats are integers, a dict by numbers is a list."""
    if isinstance(value, dict):
        if any(not isinstance(key, str) for key in value):
            return {"map": [[_plain(key), _plain(one)] for key, one in value.items()]}
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e21
    return int(value) if is_whole else value


def _differences(python, twin, place=""):
    if isinstance(python, dict) and isinstance(twin, dict):
        yield from (f"{place} has not {key}" for key in python.keys() ^ twin.keys())
        for key in python.keys() & twin.keys():
            yield from _differences(python[key], twin[key], f"{place}.{key}")
    elif isinstance(python, list) and isinstance(twin, list):
        if len(python) != len(twin):
            yield f"{place} has {len(python)} rows and {len(twin)}"
        for at, (one, other) in enumerate(zip(python, twin, strict=False)):
            yield from _differences(one, other, f"{place}[{at}]")
    elif type(python) is not type(twin) or python != twin:
        yield f"{place} is {python!r} and {twin!r}"
