"""Nothing that axe-core finds in measured mode where kernels and parts are chosen."""

import pytest

pytestmark = pytest.mark.browser

OPEN_ALL = """() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
}"""
SMALL = """(least) => [...document.querySelectorAll(
    'button, select, input:not(.overlap-unseen), summary, [role=slider]')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < least)
    .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


@pytest.fixture
def state(measured_view):
    """A part of a step, with all that can be opened, and a file on its way."""
    state = measured_view(part={"start_s": 0.012, "end_s": 0.0205})
    upload = {"id": "a", "name": "a.json", "size_bytes": 9, "received_bytes": 9}
    return state | {"upload": upload | {"state": "reading", "read_share": 0.4}}


def violations(axe, page):
    """But that of a page without a heading, which is the harness's."""
    return [one for one in axe(page) if one[0] != "page-has-heading-one"]


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_axe_finds_nothing(open_front, axe, state, width, scheme):
    front = open_front(width, first=state, color_scheme=scheme)
    front.page.evaluate(OPEN_ALL)
    front.page.get_by_role("button", name="Drag on the picture").click()
    front.page.wait_for_timeout(50)

    assert violations(axe, front.page) == []


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 44)])
def test_targets_are_large_enough_for_a_finger(open_front, state, touch, least):
    front = open_front(375, first=state, has_touch=touch, is_mobile=touch)
    front.page.evaluate(OPEN_ALL)
    front.page.wait_for_timeout(50)

    assert front.page.evaluate(SMALL, least) == []
