"""The project's own docs site: built strictly, alive, and nothing from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
FITS = "(root) => root.scrollWidth <= root.clientWidth"
PAGES = (
    *("index", "model", "teaching", "hand-out", "embedding"),
    *("glossary", "implementation-notes", "changelog"),
)
WAITS_MS = ("15.3", "33", "24.5", "21", "19.3")
"""What the verdicts on the model's page say, from above."""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site, as `.ci/docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    config = ["--config-file", ROOT / ".mkdocs.yml", "--site-dir", folder]
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", *config],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.fixture
def open_site(site, serving, open_host):
    """`open_site("model")`: a page of the site, from a server."""
    with serving(site) as address:
        yield lambda name, **options: open_host(
            f"{address}/{name}.html", address, **options
        )


def widget(page, nth=0):
    """A frame of the page, once its widget is drawn."""
    page.locator("iframe").nth(nth).scroll_into_view_if_needed()
    frame = page.frame_locator("iframe").nth(nth)
    frame.locator(".overlap-verdict h2").first.wait_for()
    return frame


def verdict(frame):
    return frame.locator(".overlap-verdict h2").first


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_its_width_and_asks_nothing_of_others(name, open_site):
    page = open_site(name, size=(1280, 700))
    assert page.locator("h1").count() == 1
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.locator("html").evaluate(FITS)


def test_a_slider_on_the_first_page_moves_its_widget(open_site):
    frame = widget(open_site("index"))
    expect(verdict(frame)).to_have_text("The step waits 14.3 ms for communication.")
    frame.get_by_role("slider", name="Bucket size").press("Home")

    expect(verdict(frame)).to_have_text("The step waits 4.33 ms for communication.")


def test_each_widget_of_the_model_stands_at_its_place_and_fits_its_frame(open_site):
    page = open_site("model")
    for nth, wait_ms in enumerate(WAITS_MS):
        frame = widget(page, nth)
        said = f"The step waits {wait_ms} ms for communication."
        expect(verdict(frame)).to_have_text(said)
        box = page.locator("iframe").nth(nth).element_handle()
        page.wait_for_function(
            "([frame, height]) => Math.abs(frame.clientHeight - height) <= 1",
            arg=[box, frame.locator("html").evaluate("(one) => one.scrollHeight")],
        )
    assert page.locator("iframe").count() == len(WAITS_MS)


def test_the_addresses_of_the_model_lead_to_the_widget(open_site):
    page = open_site("model")
    page.get_by_role("link", name="bucket=12", exact=True).click()

    expect(verdict(page)).to_have_text("The step waits 41 ms for communication.")


def test_the_widget_follows_the_switch_for_light_and_dark(open_site):
    page = open_site("index")
    root = widget(page).locator(".overlap").first
    for name in ("Light colours", "Dark colours"):
        page.locator(f"label[title='{name}']:not([hidden])").click()
        scheme = page.locator("body").get_attribute("data-md-color-scheme")
        theme = {"default": "light", "slate": "dark"}[scheme]
        expect(root).to_have_attribute("data-theme", theme)
    assert theme == "dark"


PAPER_PX = {"A4": (210 - 2 * 12) / 25.4 * 96, "Letter": (216 - 2 * 12) / 25.4 * 96}
MARGIN = dict.fromkeys(("top", "right", "bottom", "left"), "12mm")
CUT = """(root) => [...root.querySelectorAll("table, tr, pre, blockquote")]
    .filter((one) => one.scrollWidth > root.clientWidth + 1
        || getComputedStyle(one).breakInside !== "avoid")
    .map((one) => one.outerHTML.slice(0, 80))"""
"""What is wider than the paper, or may be parted between two sheets."""


@pytest.mark.parametrize("paper", PAPER_PX)
@pytest.mark.parametrize(("name", "most"), [("teaching", 10), ("hand-out", 3)])
def test_the_notes_and_the_hand_out_print_on_few_pages_uncut(
    name, most, paper, open_site
):
    page = open_site(name, size=(int(PAPER_PX[paper]), 900))
    sheets = page.pdf(format=paper, margin=MARGIN)
    assert 1 < len(re.findall(rb"/Type\s*/Page\b", sheets)) <= most
    page.emulate_media(media="print")
    assert page.locator("article").evaluate(CUT) == []


def test_on_paper_a_frame_is_its_picture(open_site):
    page = open_site("teaching")
    picture, frame = page.locator(".overlap-paper"), page.locator("iframe")
    expect(picture).to_be_hidden()
    expect(frame).to_be_visible()
    page.emulate_media(media="print")
    expect(picture).to_be_visible()
    expect(frame).to_be_hidden()
    assert picture.evaluate("(one) => one.complete && one.naturalWidth > 100")


def test_the_hand_out_has_the_exercises_and_room_but_no_answers(site):
    notes, hand_out = (
        (site / f"{name}.html").read_text("utf-8") for name in ("teaching", "hand-out")
    )
    tasks = re.findall(r">(\d\. [^<]+)<a class=.headerlink", notes)
    assert len(tasks) == 8
    assert re.findall(r">(\d\. [^<]+)<a class=.headerlink", hand_out) == tasks
    assert hand_out.count('class="overlap-answer"') == 8
    assert "blockquote" in notes
    assert "blockquote" not in hand_out


def test_the_site_works_from_a_disk(site, open_host):
    frame = widget(open_host((site / "index.html").as_uri(), site.as_uri()))

    expect(verdict(frame)).to_have_text("The step waits 14.3 ms for communication.")
