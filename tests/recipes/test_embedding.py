"""What docs/embedding.md says of heights, messages, themes and sizes is so."""

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from overlap_widget.app.cli import main
from overlap_widget.app.settings import CONTROLS, SHOWN

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "embedding.md").read_text()
ALLOWANCE_PX = 30
"""Of a height that the page gives: it is round, and fonts differ."""
FRAME = '<iframe src="overlap.html" width="100%" height="580"></iframe>'
LISTEN = (
    "<script>seen = []; addEventListener('message', (e) => seen.push(e.data))</script>"
)


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A folder with the exported page."""
    folder = tmp_path_factory.mktemp("course")
    assert main(["export", str(folder / "overlap.html")]) == 0
    return folder


@pytest.fixture
def open_beside(course, open_host):
    """`open_beside(html)`: a page beside the exported one."""

    def open_it(html):
        path = course / "page.html"
        path.write_text(f"<!DOCTYPE html><title>Course</title><body>{html}")
        return open_host(path.as_uri(), course.as_uri())

    return open_it


def frame_of(page):
    frame = page.frame_locator("iframe")
    frame.get_by_role("slider", name="Bucket size").wait_for()
    return frame


def verdict(frame):
    return frame.locator(".overlap-verdict h2").first


# --- Heights, choices, sizes -------------------------------------------------------


def table(recipe_blocks, title):
    """The cells of the table under a heading, without its head."""
    rows = [line for line in recipe_blocks(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


@pytest.mark.browser
@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_the_content_needs_the_heights_that_the_table_gives(
    recipe_blocks, course, browser, touch
):
    head, _, *rows = table(recipe_blocks, "Heights")
    most = ALLOWANCE_PX if touch else "Infinity"  # by mouse it fits: controls are small
    page = browser.new_page(has_touch=touch, is_mobile=touch)
    for name, *heights in rows:
        state, _, then = name.strip("`").partition("`, ")
        at = "" if name == "everything" else f"#{state}"
        page.goto(f"{(course / 'overlap.html').as_uri()}{at}")
        page.locator(".overlap-behind").wait_for(state="detached")
        if then == "revealed":
            page.get_by_role("button", name="Reveal").click()
        for width, height in zip(head[1:], heights, strict=True):
            page.set_viewport_size({"width": int(width.split()[0]), "height": 200})
            page.wait_for_function(
                f"""() => {{
                    const spare = {height} - document.documentElement.scrollHeight;
                    return 0 <= spare && spare <= {most};
                }}"""
            )
        page.goto("about:blank")
    page.close()


FRAMES = re.compile(r'<iframe src="\S*html#bucket=\d+(\S*)".*?height="(\d+)"', re.S)
LESSON = re.compile(r'<iframe src="\S*html#(lesson=\S+)".*?height="(\d+)"', re.S)


def test_the_frames_of_the_page_are_as_high_as_the_table_says(recipe_blocks):
    _, _, *rows = table(recipe_blocks, "Heights")
    at_600 = {row[0].strip("`").partition("`")[0]: row[2] for row in rows}
    needed = at_600 | {"everything": rows[0][4]}  # a page has room for all of it
    frames = FRAMES.findall(TEXT) + LESSON.findall(TEXT)

    assert len(frames) == TEXT.count('src="overlap.html#') + TEXT.count('"../overlap')
    for state, height in frames:
        shown = state.replace("&amp;", "&").removeprefix("&") or "everything"
        assert needed[shown] == height


def test_the_frames_of_the_site_begin_as_high_as_the_table_says(recipe_blocks):
    everything, *_, parts, _ = table(recipe_blocks, "Heights")[2:]
    css = (ROOT / ".ci" / "docs.css").read_text()
    heights = re.findall(r"\.overlap-(?:frame|whole) \{[^}]*?\bheight: (\d+)px", css)

    assert heights == [parts[2], everything[4], everything[1]]


def test_the_page_lists_all_controls_and_parts(recipe_blocks):
    rows = [
        row
        for row in table(recipe_blocks, "Choose what is shown")
        if "there are" in row[1]
    ]

    assert [re.findall("`([a-z]+)`", row[1]) for row in rows] == [[*CONTROLS], [*SHOWN]]


def test_the_page_is_as_large_as_the_last_lines_say(course):
    raw_mb, gzip_kb = re.search(r"one request of (\S+) MB, (\d+) KB", TEXT).groups()
    page = (course / "overlap.html").read_bytes()

    assert len(page) / 1e6 == pytest.approx(float(raw_mb), rel=0.1)
    assert len(gzip.compress(page)) / 1e3 == pytest.approx(float(gzip_kb), rel=0.1)


# --- Messages ----------------------------------------------------------------------


def examples(recipe_blocks, nth):
    (out, into) = recipe_blocks("Talk with the page", "json")
    return [json.loads(line) for line in (out, into)[nth].splitlines()]


def answer(page, message):
    """The first state or error after a message."""
    page.evaluate(
        """(message) => {
            seen.length = 0;
            document.querySelector('iframe').contentWindow.postMessage(message, '*');
        }""",
        message,
    )
    page.wait_for_function(ANSWERED)
    return page.evaluate(f"({ANSWERED})()")


ANSWERED = "() => seen.find((one) => ['state', 'error'].includes(one.type))"
REFUSED = {"overlap": 1, "type": "set", "values": {"scenario": "none"}}


@pytest.mark.browser
def test_the_page_says_what_the_examples_say(recipe_blocks, open_beside):
    page = open_beside(LISTEN + FRAME)
    frame_of(page)
    page.wait_for_function("() => seen.some((one) => one.type === 'height')")
    said = {one["type"]: one for one in page.evaluate("seen") if "overlap" in one}
    said["state"] = answer(page, examples(recipe_blocks, 1)[0])
    said["error"] = answer(page, REFUSED)

    for example in examples(recipe_blocks, 0):
        real = said[example["type"]]
        assert list(real) == list(example)
        for part in {"values", "numbers"} & real.keys():
            assert example[part].keys() - {"..."} <= real[part].keys()
        assert real.get("reason") == example.get("reason")


@pytest.mark.browser
def test_the_page_does_what_the_examples_ask(recipe_blocks, open_beside):
    page = open_beside(LISTEN + FRAME)
    frame_of(page)
    for example in examples(recipe_blocks, 1):
        done = answer(page, example)
        assert done["type"] == "state"
        assert done.get("id") == example.get("id")
    assert done["values"]["theme"] == "auto"


@pytest.mark.browser
def test_the_button_of_the_page_asks_its_question(recipe_blocks, open_beside):
    page = open_beside(FRAME + recipe_blocks("Talk with the page", "html")[0])
    frame = frame_of(page)
    page.get_by_role("button").click()

    expect(verdict(frame)).to_have_text("The step waits 41 ms for communication.")


# --- Themes ------------------------------------------------------------------------


@pytest.mark.browser
def test_the_script_for_themes_passes_on_each_turn_of_the_switch(
    recipe_blocks, open_beside
):
    (script,) = recipe_blocks("Themes", "html")
    page = open_beside(script + FRAME)
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    root = frame_of(page).locator(".overlap").first

    expect(root).to_have_attribute("data-theme", "dark")
    page.evaluate("document.body.dataset.mdColorScheme = 'default'")
    expect(root).to_have_attribute("data-theme", "light")
