"""Each recipe of docs/embedding.md gives a page with a widget that is a good guest."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

RECIPES = {  # heading in docs/embedding.md: where its tool puts the pages
    "Plain HTML": ".",
    "MkDocs": "site",
    "Sphinx": "_build/html",
    "Jupyter Book": "_build/html",
}
FAULTS_OF_TOOLS = {  # its theme declares that twice
    "Jupyter Book": "'THEBE_JS_URL' has already been declared",
}
EACH = pytest.mark.parametrize("title", RECIPES)
TWO_LAYERS = "The step waits 7.67 ms for communication."
ONE_LAYER = "The step waits 4.33 ms for communication."
TWELVE_LAYERS = "The step waits 41 ms for communication."


FITS = "(root) => root.scrollWidth <= root.clientWidth"
FILLS = """(frame) => {
    const { paddingLeft, paddingRight } = getComputedStyle(frame.parentElement);
    const room = frame.parentElement.clientWidth;
    const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
    return Math.abs(frame.offsetWidth - room + padding) <= 1;
}"""


def widget(page, nth=0):
    """A frame of the page, once its widget is drawn."""
    frame = page.frame_locator("iframe").nth(nth)
    page.locator("iframe").nth(nth).scroll_into_view_if_needed()
    bucket(frame).wait_for()
    return frame


def bucket(frame):
    return frame.get_by_role("slider", name="Bucket size")


def verdict(frame):
    return frame.locator(".overlap-verdict h2").first


@pytest.fixture
def open_recipe(built, serving, open_host):
    """`open_recipe(heading, path)`: the page that a recipe makes, from a server."""
    servers = []

    def open_it(title, path="index.html", size=(1000, 700)):
        server = serving(built(title) / RECIPES[title])
        address = server.__enter__()
        servers.append(server)
        tolerates = FAULTS_OF_TOOLS.get(title)
        return open_host(f"{address}/{path}", address, size, tolerates=tolerates)

    yield open_it
    for server in servers:
        server.__exit__(None, None, None)


@EACH
def test_a_slider_of_the_widget_moves_its_verdict(title, open_recipe):
    frame = widget(open_recipe(title))
    expect(verdict(frame)).to_have_text(TWO_LAYERS)
    bucket(frame).press("Home")

    expect(verdict(frame)).to_have_text(ONE_LAYER)


@EACH
def test_the_widget_is_as_wide_as_its_place_and_fits_in_its_frame(title, open_recipe):
    page = open_recipe(title)
    frame = widget(page)
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert frame.locator("html").evaluate(FITS)
        assert page.locator("html").evaluate(FITS)
        assert page.locator("iframe").first.evaluate(FILLS)


@EACH
def test_the_page_stays_where_the_reader_is_while_the_widget_loads(title, open_recipe):
    page = open_recipe(title)
    bucket(page.frame_locator("iframe").first).wait_for()

    assert page.evaluate("window.scrollY") == 0
    assert page.evaluate("document.activeElement.tagName") == "BODY"


@EACH
def test_a_wheel_over_the_widget_scrolls_the_page(title, open_recipe):
    page = open_recipe(title, size=(1000, 400))
    widget(page)
    page.evaluate("window.scrollTo({top: 0, behavior: 'instant'})")
    box = page.locator("iframe").first.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 50)
    page.mouse.wheel(0, 60)

    page.wait_for_function("() => window.scrollY >= 30")


@pytest.mark.parametrize("title", ["Plain HTML", "Sphinx", "Jupyter Book"])
def test_a_recipe_works_from_a_disk(title, built, open_host):
    path = built(title) / RECIPES[title] / "index.html"
    tolerates = FAULTS_OF_TOOLS.get(title)
    page = open_host(path.as_uri(), built(title).as_uri(), tolerates=tolerates)
    frame = widget(page)
    bucket(frame).press("Home")

    expect(verdict(frame)).to_have_text(ONE_LAYER)


def test_the_script_for_heights_leaves_nothing_of_the_widget_out(open_recipe):
    page = open_recipe("Plain HTML", size=(375, 700))
    frame = widget(page)
    for _ in range(2):  # before and after the content grew
        page.wait_for_function(
            "() => document.querySelector('iframe').offsetHeight > 1510"
        )
        assert frame.locator("html").evaluate(
            "(root) => root.scrollHeight - root.clientHeight <= 1"
        )
        height = page.locator("iframe").evaluate("(one) => one.offsetHeight")
        frame.get_by_text("Table of transfers").first.click()
        page.wait_for_function(
            "(before) => document.querySelector('iframe').offsetHeight !== before",
            arg=height,
        )


def test_the_plain_page_has_the_script_that_the_page_on_heights_gives(recipe_blocks):
    def words(text):
        return " ".join(text.split())

    (script,) = (text for text in recipe_blocks("Heights", "html"))
    assert words(script) in words("".join(recipe_blocks("Plain HTML", "html")))


# --- MkDocs ------------------------------------------------------------------------


def test_widgets_live_on_while_pages_replace_each_other(
    built, open_host, recipe_blocks
):
    """Only at the address that the site is made for: elsewhere Material reloads."""
    site = re.search("site_url: (.*)", recipe_blocks("MkDocs", "yaml")[0])[1]
    page = open_host(site, site, folder=built("MkDocs") / RECIPES["MkDocs"])
    page.evaluate("window.isTheSame = true")
    for _ in range(2):
        widget(page)
        page.get_by_role("article").get_by_role("link", name="week 7").click()
        page.get_by_role("heading", name="Week 7", level=1).wait_for()
        first, second = widget(page, 0), widget(page, 1)
        bucket(first).press("Home")
        expect(verdict(first)).to_have_text(ONE_LAYER)
        expect(verdict(second)).to_have_text(TWELVE_LAYERS)
        page.go_back()
        page.get_by_role("heading", name="Course", level=1).wait_for()

    frame = widget(page)
    bucket(frame).press("Home")
    expect(verdict(frame)).to_have_text(ONE_LAYER)
    assert page.evaluate("window.isTheSame"), "the pages were loaded anew"
