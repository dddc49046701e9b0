"""Layout, themes and structure: from a phone to a wall, light and dark."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

ANY = re.compile(r"\S")
WHITE, BLACK = "rgb(255, 255, 255)", "rgb(17, 22, 28)"
SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important;"
SPACED += " word-spacing: .16em !important } p { margin-bottom: 2em !important }"


def scroll_width(front):
    return front.page.evaluate("document.documentElement.scrollWidth")


def open_tables(front):
    front.page.evaluate(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))"
    )


def expect_ground(front, colour):
    expect(front.page.locator(".overlap")).to_have_css("background-color", colour)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280, 1920])
def test_nothing_is_wider_than_the_window(
    open_front, view, measured_view, width, scheme
):
    notices = [{"text": "A sentence with aVeryLongName" * 9}]
    front = open_front(width, color_scheme=scheme, first=view(notices=notices))
    open_tables(front)
    assert scroll_width(front) <= width

    front.show(measured_view())
    open_tables(front)
    assert scroll_width(front) <= width


@pytest.mark.parametrize("style", ["html { font-size: 200% }", SPACED])
@pytest.mark.parametrize("width", [320, 1024])
def test_large_and_spaced_text_stays_within_the_window(
    open_front, measured_view, width, style
):
    front = open_front(width)
    front.page.add_style_tag(content=style)
    assert scroll_width(front) <= width

    front.show(measured_view())
    assert scroll_width(front) <= width


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
def test_verdict_lanes_controls_and_curve_fit_without_scrolling(
    open_front, view, width, height
):
    front = open_front(width, height, first=view(bucket=5))
    bottom = front.page.evaluate(
        "document.querySelector('.overlap-columns').getBoundingClientRect().bottom"
    )
    assert bottom <= height


def test_the_controls_do_not_move_when_the_sentence_gets_longer(open_front, view):
    front = open_front(first=view(bucket=4))
    places = []
    for bucket in range(1, 13):
        front.show(view(bucket=bucket))
        places.append(front.slider().bounding_box()["y"])

    assert len(set(places)) == 1


def test_a_phone_shows_verdict_lanes_controls_curve_and_numbers_in_this_order(
    open_front,
):
    front = open_front(320)
    order = ["verdict", "lanes", "controls", "curve", "sums", "table"]
    tops = [
        front.page.locator(f".overlap-explore .overlap-{part}").first.bounding_box()[
            "y"
        ]
        for part in order
    ]
    assert tops == sorted(tops)


def test_touch_targets_are_44_pixels(open_front):
    front = open_front(375, has_touch=True, is_mobile=True)
    sizes = front.page.evaluate(
        """() => [...document.querySelectorAll('button, select, summary, input')]
            .filter((one) => one.checkVisibility() && one.type !== 'radio')
            .map((one) => one.getBoundingClientRect())
            .map(({ width, height }) => [width, height])"""
    )
    assert min(min(size) for size in sizes) >= 44


def test_the_theme_follows_the_system_until_one_is_chosen(open_front, view):
    front = open_front(color_scheme="light")
    expect_ground(front, WHITE)

    front.page.emulate_media(color_scheme="dark")
    expect_ground(front, BLACK)
    painted = front.page.evaluate("() => told.painted.at(-1)")
    assert painted == {"ground": BLACK}

    front.show(view(theme="light"))
    expect_ground(front, WHITE)


def test_print_is_light(open_front):
    front = open_front(color_scheme="dark")
    front.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect_ground(front, WHITE)

    front.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect_ground(front, BLACK)


def test_all_controls_have_names_and_the_regions_too(front, measured_view):
    for state in (None, measured_view()):
        if state:
            front.show(state)
        unnamed = front.page.evaluate(
            """() => [...document.querySelectorAll('section, [role=group], [role=img]')]
                .filter((one) => !one.ariaLabel && !one.getAttribute('aria-labelledby'))
                .map((one) => one.className)"""
        )
        assert unnamed == []
        for role in ("slider", "textbox", "combobox", "button", "radio"):
            for control in front.page.get_by_role(role).all():
                expect(control).to_have_accessible_name(ANY)


def test_the_address_of_the_page_follows_once_the_moves_rest(front, view):
    for bucket in (5, 6, 7):
        front.show(view(bucket=bucket))
    front.page.wait_for_url("**bucket=7**")

    assert front.page.evaluate("history.length") == 2


def test_destroy_leaves_an_empty_element_and_tells_the_figures(front):
    front.slider().press("ArrowRight")
    front.page.evaluate("front.destroy()")

    assert front.page.evaluate("document.getElementById('root').children.length") == 0
    assert front.page.evaluate("told.navigated") == [["destroy"]]
