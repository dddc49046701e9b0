"""The notebook of docs/embedding.md: in JupyterLab, and as a page without a kernel."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
START_S = 90
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
TWO_LAYERS = "The step waits 7.67 ms for communication."
ONE_LAYER = "The step waits 4.33 ms for communication."


def write_notebook(path, cells):
    notebook = new_notebook(
        cells=[new_markdown_cell("# Week 7"), *map(new_code_cell, cells)],
        metadata={"kernelspec": KERNEL},
    )
    nbformat.write(notebook, path)


def bucket(place):
    return place.get_by_role("slider", name="Bucket size")


def verdict(place):
    return place.locator(".overlap-verdict h2").first


def test_a_converted_notebook_keeps_a_frame_that_works_without_a_kernel(
    recipe_blocks, run_commands, tmp_path, open_host
):
    _, cell = recipe_blocks("Notebooks", "python")
    write_notebook(tmp_path / "week-7.ipynb", [cell])
    run_commands("Notebooks", tmp_path)
    page = open_host((tmp_path / "week-7.html").as_uri(), own=None)
    frame = page.frame_locator("iframe")

    expect(verdict(frame)).to_have_text(TWO_LAYERS)
    bucket(frame).press("Home")
    expect(verdict(frame)).to_have_text(ONE_LAYER)
    assert page.locator("iframe").bounding_box()["height"] == 720


# --- JupyterLab --------------------------------------------------------------------


@pytest.fixture
def lab(recipe_blocks, tmp_path):
    """The address of a JupyterLab with the notebook, whose kernel has started."""
    write_notebook(tmp_path / "week-7.ipynb", recipe_blocks("Notebooks", "python"))
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    settings = {
        "IdentityProvider.token": "",
        "ServerApp.port": 0,
        "ServerApp.disable_check_xsrf": True,
        "ServerApp.root_dir": tmp_path,
        "LabApp.news_url": "None",
    }
    options = [f"--{name}={value}" for name, value in settings.items()]
    log = tmp_path / "lab.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, *options],
            stdout=out,
            stderr=out,
            env=os.environ | {"JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")},
        )
    try:
        address = address_of(log)
        start_kernel(address, "week-7.ipynb")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def address_of(log):
    """The address that the server writes once it listens."""
    for _ in range(START_S * 5):
        found = re.search(r"http://localhost:\d+", log.read_text())
        if found:
            return found[0]
        time.sleep(0.2)
    raise AssertionError(log.read_text())


def start_kernel(address, name):
    """A kernel for the notebook, so that JupyterLab needn't ask which."""
    session = {"path": name, "name": name, "type": "notebook", "kernel": KERNEL}
    request = urllib.request.Request(
        f"{address}/api/sessions",
        data=json.dumps(session).encode(),
        headers={"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=START_S).close()


def move_until_answered(place):
    """JupyterLab loses what it is sent before its line to the kernel stands."""
    for _ in range(5):
        bucket(place).press("End")
        bucket(place).press("Home")
        with contextlib.suppress(AssertionError):
            expect(verdict(place)).to_have_text(ONE_LAYER, timeout=8_000)
            return
    expect(verdict(place)).to_have_text(ONE_LAYER)


def test_both_cells_work_in_jupyterlab(lab, open_host):
    page = open_host(f"{lab}/lab/tree/week-7.ipynb", own=lab)
    page.set_default_timeout(START_S * 1000)
    idle = page.get_by_text("Python 3 (ipykernel) | Idle")
    idle.wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    frame = page.frame_locator(".jp-OutputArea iframe[srcdoc]")

    for place in (page, frame):
        bucket(place).wait_for()
    idle.wait_for()
    for place in (page, frame):
        expect(verdict(place)).to_have_text(TWO_LAYERS, timeout=20_000)
        move_until_answered(place)
