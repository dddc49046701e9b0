"""What all tests share: the profile of hypothesis, and one Chromium a run."""

import os
import shutil

import pytest
from hypothesis import settings
from playwright.sync_api import sync_playwright

# Repeatable, and patient on a busy machine.
settings.register_profile("overlap", deadline=None, derandomize=True)
settings.load_profile("overlap")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (  # no sandbox for root, no calls home on a closed network
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser():
    """Chromium: the one that OVERLAP_CHROMIUM names, else the machine's."""
    path = os.environ.get("OVERLAP_CHROMIUM") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if path is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine; name one in OVERLAP_CHROMIUM")
    assert path, "no Chromium on this machine; name one in OVERLAP_CHROMIUM"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=[*QUIET])
        yield chromium
        chromium.close()
