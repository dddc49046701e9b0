"""The fold of the header: it opens, closes by itself, and holds what it is asked to."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

BEHIND = """() => {
    const placeOf = (one) => one.getBoundingClientRect();
    const held = placeOf(document.activeElement);
    const panel = placeOf(document.querySelector('.overlap-display-panel'));
    return held.left < panel.right && held.right > panel.left
        && held.top < panel.bottom && held.bottom > panel.top;
}"""


@pytest.fixture
def fold(front):
    """The page with the fold opened: `front`, `fold.button`, `fold.panel`."""
    front.button = front.page.get_by_role("button", name="Display")
    front.panel = front.page.get_by_role("group", name="Display")
    front.button.click()
    expect(front.panel).to_be_visible()
    return front


def test_theme_language_and_projector_are_sent_as_settings(fold, view):
    page = fold.page
    page.get_by_label("Theme").select_option("dark")
    fold.show(view(1, theme="dark"))
    page.get_by_label("Projector", exact=True).check()
    fold.show(view(2, theme="dark", projector="on"))
    page.get_by_label("Language").focus()
    page.get_by_label("Language").select_option("Español")
    sent = [(move["key"], move["value"]) for move in fold.moves()]
    assert sent == [("theme", "dark"), ("projector", "on"), ("lang", "es")]

    fold.show(view(3, lang="es"))
    expect(page.get_by_label("Idioma")).to_be_focused()
    expect(page.get_by_label("Idioma")).to_have_value("es")


def test_it_closes_with_escape_a_click_elsewhere_and_when_focus_goes(fold):
    page = fold.page
    page.get_by_label("Theme").focus()
    page.keyboard.press("Escape")
    expect(fold.panel).to_be_hidden()
    expect(fold.button).to_be_focused()
    expect(fold.button).to_have_attribute("aria-expanded", "false")

    fold.button.click()
    fold.panel.click(position={"x": 3, "y": 3})  # inside, between its parts
    expect(fold.panel).to_be_visible()
    page.get_by_role("heading", level=2).first.click()
    expect(fold.panel).to_be_hidden()

    fold.button.click()
    for _ in range(8):
        page.keyboard.press("Tab")
        if fold.panel.is_hidden():
            break
    assert fold.panel.is_hidden()
    assert not page.evaluate(BEHIND)


def test_it_is_as_empty_as_the_page_asks_and_goes_with_its_last_part(fold, view):
    fold.show(view(controls="lang,share"))
    labels = fold.panel.locator("label").filter(visible=True)
    expect(labels).to_have_text(["Language"])
    expect(fold.panel.get_by_role("button")).to_have_count(0)

    fold.show(view(controls="share"))
    expect(fold.button).to_be_hidden()
    expect(fold.panel).to_be_hidden()


@pytest.mark.parametrize("width", [320, 768])
def test_it_stays_within_the_page(open_front, width):
    page = open_front(width).page
    page.get_by_role("button", name="Display").click()
    box = page.get_by_role("group", name="Display").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
