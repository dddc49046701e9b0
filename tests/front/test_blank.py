"""Blank: the result out of sight; and what keys say to those who can't see."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BLANKED = (".overlap-verdict", ".overlap-lanes", ".overlap-curve", ".overlap-sums")
RESULT = re.compile(r"14\.3|28\.7|4\.33")  # of the state that is shown
ANSWERED = """([key, view]) => {
    document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true }));
    front.update(view);
}"""


@pytest.fixture
def keyed(front):
    """The front with focus in it, on something that takes no letters."""
    front.page.get_by_role("button", name="Share").focus()
    return front


def test_b_blanks_the_result_and_moves_nothing(keyed):
    page = keyed.page
    places = [page.locator(f".overlap-explore {one}").first for one in BLANKED]
    before = [one.bounding_box() for one in places]
    note = page.get_by_role("button", name="The result is blank. Show it")
    for back in ("b", "Escape", "click"):
        page.keyboard.press("b")
        for one in places:
            expect(one).to_be_hidden()
        assert [one.bounding_box() for one in places] == before
        assert not RESULT.search(page.locator(".overlap-explore").aria_snapshot())
        expect(keyed.slider()).to_be_visible()
        expect(note).to_be_visible()
        note.click() if back == "click" else page.keyboard.press(back)
        for one in places:
            expect(one).to_be_visible()
        expect(note).to_be_hidden()


def test_what_a_key_did_is_said_before_what_changed_and_no_result_while_blank(
    keyed, view
):
    said = keyed.page.locator("[aria-live=polite]")
    keyed.page.evaluate(ANSWERED, ["2", view(1, bucket=3)])
    expect(said).to_have_text(re.compile(r"^Three layers\. .*Exposed tail 11\sms"))
    keyed.page.evaluate(ANSWERED, ["p", view(2, bucket=3, projector="on")])
    expect(said).to_have_text("Projector: on.")

    keyed.page.evaluate(ANSWERED, ["b", view(2, bucket=12)])
    expect(said).to_have_text("The result is blank.")
    keyed.show(view(2, bucket=1))
    keyed.page.wait_for_timeout(700)
    expect(said).to_have_text("The result is blank.")
