"""Predict, then reveal in the served app: what Python covers isn't in the page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LEAKS = Path(__file__).parents[1] / "embed" / "leaks.js"
# Two buckets of 7 and 5 layers: the tail is 1.37 ms and 200 MB at 12.7 GB/s.
TAIL_MS = 1.37 + 200 / 12.7
ADDRESS = "bucket=7&overhead=1.37ms&bandwidth=12.7GB/s"


def is_told(page):
    """Whether the tail, or the end of the last transfer, is anywhere in the page."""
    found = page.evaluate(LEAKS.read_text(encoding="utf-8"))
    times = [TAIL_MS, 60 + TAIL_MS]
    numbers = [one for time in times for one in (time, time / 1e3)]
    return bool(re.search(r"(?<![\d.])(17\.1 ms|17\.12|77\.12)", found["text"])) or any(
        abs(one / number - 1) < 1e-6 for one in found["numbers"] for number in numbers
    )


def test_an_answer_comes_into_the_page_and_leaves_it(open_page, served):
    page = open_page(f"{served}/?{ADDRESS}&predict=tail")
    verdict = page.get_by_role("heading", name="The step waits")
    page.get_by_role("slider", name="Your guess on the time axis").press("PageUp")
    page.locator("details").evaluate_all(
        "(all) => all.forEach((one) => one.open = true)"
    )
    page.wait_for_timeout(400)
    assert not is_told(page)

    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_text("You said")).to_be_focused()
    expect(verdict).to_be_visible()
    page.locator("details").evaluate_all(
        "(all) => all.forEach((one) => one.open = true)"
    )
    expect(page.get_by_role("cell", name="77.12").first).to_be_attached()
    assert is_told(page)

    page.get_by_role("button", name="Predict").click()
    expect(page.get_by_role("textbox", name="Your guess")).to_be_visible()
    page.wait_for_timeout(400)
    assert not is_told(page)
