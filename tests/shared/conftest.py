"""Where captured traces and odd cases lie, beside the checkout; absent for most."""

import json
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2].parent / "shared"


@pytest.fixture(scope="session")
def shared():
    """Path and content of what is shared; skips where there is nothing."""

    def path_of(name):
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"{name} is not beside this checkout ({SHARED})")
        return path

    return path_of


@pytest.fixture(scope="session")
def expected(shared):
    """The numbers and messages of the cases, in microseconds."""
    return json.loads(shared("cases/expected.json").read_text())


@pytest.fixture(scope="session")
def reference(shared):
    """The numbers of the captured traces, by file and device, in microseconds."""
    document = json.loads(shared("traces/reference.json").read_text())
    return {
        name: entry["own"]
        for name, entry in document.items()
        if isinstance(entry, dict) and "own" in entry
    }
