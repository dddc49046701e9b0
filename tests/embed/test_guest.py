"""The exported page as a guest in frames of a host page: it takes nothing."""

import pytest

pytestmark = pytest.mark.browser

VERDICT = "The step waits 14.3 ms for communication."
SLIDER = ".overlap-controls input[type=range]"


@pytest.fixture
def host(open_page, page_file, site):
    """Open a page around frames: `host(markup, **options)`; `{page}` is the address."""
    (site.folder / "overlap.html").write_bytes(page_file.read_bytes())
    numbers = iter(range(1000))

    def open_it(markup, **options):
        name = f"host-{next(numbers)}.html"
        text = markup.replace("{page}", "overlap.html")
        (site.folder / name).write_text(
            '<!DOCTYPE html><html lang="en"><title>Host</title><link rel="icon" '
            'href="data:,"><meta name="viewport" content="width=device-width">'
            f"{text}</html>"
        )
        return open_page(f"{site.address}/{name}", live=False, **options)

    return open_it


def frame_of(page, number=0):
    frame = page.frame_locator("iframe").nth(number)
    frame.get_by_role("slider", name="Bucket size").wait_for()
    return frame


def test_a_page_takes_no_focus_and_does_not_scroll_its_host(host):
    page = host(
        '<input autofocus><p style="height: 1500px">Text</p>'
        '<iframe src="{page}#v=1&bucket=2" width="100%" height="900"></iframe>'
    )
    frame_of(page)
    page.wait_for_timeout(500)
    assert page.evaluate("document.activeElement.tagName") == "INPUT"
    assert page.evaluate("scrollY") == 0


def test_a_page_works_in_a_sandbox_with_scripts_alone(host):
    page = host(
        '<iframe sandbox="allow-scripts" src="{page}" width="900" height="900">'
    )
    frame = frame_of(page)
    frame.get_by_role("slider", name="Bucket size").press("ArrowRight")
    frame.get_by_text("The step waits 15.3 ms for communication.").wait_for()


def test_a_guess_is_revealed_in_a_sandbox_with_scripts_alone(host):
    page = host(
        '<iframe sandbox="allow-scripts" src="{page}#bucket=6&predict=tail" '
        'width="900" height="900">'
    )
    frame = frame_of(page)
    box = frame.get_by_role("textbox", name="Your guess")
    box.fill("12")
    box.press("Enter")
    frame.get_by_text("You said 12\xa0ms.").wait_for()
    frame.get_by_role("button", name="Ask again").click()
    frame.get_by_role("button", name="Reveal").click()
    frame.get_by_text("You made no guess.").wait_for()


def test_a_page_stores_nothing_where_it_could(open_page, page_file, site):
    (site.folder / "alone.html").write_bytes(page_file.read_bytes())
    page = open_page(f"{site.address}/alone.html")
    page.get_by_role("slider", name="Bucket size").press("ArrowRight")
    page.wait_for_timeout(400)
    stored = """async () => [localStorage.length, sessionStorage.length,
        document.cookie.length, (await indexedDB.databases()).length,
        (await caches.keys()).length]"""
    assert page.evaluate(stored) == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("around", "reveal"),
    [
        ("<details><summary>More</summary>{frame}</details>", "details.open = true"),
        ('<div id="tab" style="display: none">{frame}</div>', "tab.style.display = ''"),
    ],
)
def test_a_page_that_was_born_hidden_is_whole_once_it_is_seen(host, around, reveal):
    frame = '<iframe src="{page}" width="700" height="1200"></iframe>'
    page = host(around.replace("{frame}", frame))
    page.wait_for_timeout(1500)
    page.evaluate(
        f"() => {{ const details = document.querySelector('details'); {reveal}; }}"
    )
    inner = frame_of(page)
    inner.get_by_text(VERDICT).wait_for()
    page.wait_for_timeout(500)
    widths = inner.locator(".overlap-figure canvas").first.evaluate(
        "(canvas) => canvas.getBoundingClientRect().width"
    )
    assert 600 < widths < 700


def test_a_page_that_is_resized_while_hidden_fits_when_it_is_seen_again(host):
    page = host('<iframe src="{page}" width="1000" height="1200"></iframe>')
    inner = frame_of(page)
    page.evaluate("document.querySelector('iframe').style.display = 'none'")
    page.wait_for_timeout(200)
    page.evaluate("document.querySelector('iframe').width = 400")
    page.evaluate("document.querySelector('iframe').style.display = ''")
    page.wait_for_timeout(600)
    sizes = inner.locator(".overlap-figure canvas").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width).filter(Boolean)"
    )
    assert sizes
    assert all(300 < width < 400 for width in sizes)
    assert inner.locator("html").evaluate("one => one.scrollWidth <= one.clientWidth")


def test_two_pages_do_not_disturb_each_other(host):
    frame = '<iframe src="{page}#bucket=%d" width="900" height="700"></iframe>'
    page = host(frame % 4 + frame % 12)
    one, other = frame_of(page, 0), frame_of(page, 1)
    one.get_by_role("slider", name="Bucket size").press("ArrowRight")
    one.get_by_text("The step waits 15.3 ms for communication.").wait_for()
    other.get_by_text("The step waits 41 ms for communication.").wait_for()


def test_another_bokeh_on_the_host_stays_itself(host):
    page = host(
        "<script>window.Bokeh = { version: '1.0', mine: true };</script>"
        '<iframe src="{page}" width="900" height="900"></iframe>'
    )
    frame_of(page).get_by_text(VERDICT).wait_for()
    assert page.evaluate("Bokeh") == {"version": "1.0", "mine": True}


def test_the_wheel_over_the_figures_scrolls_the_host(host):
    page = host(
        '<iframe src="{page}" width="900" height="2400"></iframe>'
        '<p style="height: 3000px">Text</p>'
    )
    frame = frame_of(page)
    figure = frame.locator(".overlap-figure-lanes").bounding_box()
    page.mouse.move(figure["x"] + 200, figure["y"] + 100)
    page.mouse.wheel(0, 300)
    page.wait_for_function("scrollY > 100")


def test_a_vertical_swipe_over_figures_and_sliders_scrolls_the_host(host):
    page = host(
        '<iframe src="{page}" width="380" height="3500"></iframe>'
        '<p style="height: 3000px">Text</p>',
        width=400,
        height=800,
        has_touch=True,
        is_mobile=True,
    )
    frame = frame_of(page)
    for name in (".overlap-figure-lanes", ".overlap-figure-map", SLIDER):
        place = frame.locator(name).first
        place.scroll_into_view_if_needed()
        box, before = place.bounding_box(), page.evaluate("scrollY")
        swipe_up(page, box["x"] + 150, box["y"] + box["height"] / 2)
        page.wait_for_function("(before) => scrollY > before + 50", arg=before)
    frame.get_by_text(VERDICT).wait_for()


def swipe_up(page, x, y):
    touch = page.context.new_cdp_session(page)
    for step in range(12):
        kind = "touchMove" if step else "touchStart"
        points = [{"x": x, "y": y - 15 * step}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(16)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
