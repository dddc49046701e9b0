"""Layout, themes and structure: from a phone to a wall, light and dark."""

import re

import pytest
from playwright.sync_api import expect

from overlap_widget.model.effects import Effects

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


def test_what_the_sentence_once_took_it_keeps_until_the_page_is_as_wide_no_more(
    open_front, view
):
    front = open_front(700, first=view(bucket=12))
    verdict = front.page.locator(".overlap-explore .overlap-verdict p")
    room = verdict.bounding_box()["height"]
    front.show(view(bucket=5, effects=Effects(late_s=0.005, slowdown=0.3)))
    longest = verdict.bounding_box()["height"]
    assert longest > room
    front.page.wait_for_timeout(50)
    front.show(view(bucket=12))
    assert verdict.bounding_box()["height"] == longest

    front.page.set_viewport_size({"width": 699, "height": 800})
    front.page.wait_for_timeout(50)
    assert verdict.bounding_box()["height"] == room


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


def expect_one_line_each(front):
    """Numbers and their units, none broken over two lines."""
    broken = front.page.evaluate(
        """() => [...document.querySelectorAll('dd')]
            .filter((one) => one.checkVisibility())
            .map((one) => {
                const text = document.createRange();
                text.selectNodeContents(one.firstChild);
                return [one.firstChild.textContent, text.getClientRects().length];
            })
            .filter(([, lines]) => lines !== 1)"""
    )
    assert broken == []


def test_a_number_is_never_broken_from_its_unit(open_front, measured_view):
    front = open_front(320)
    front.page.add_style_tag(content="html { font-size: 200% }")
    expect_one_line_each(front)

    front.show(measured_view())
    expect_one_line_each(front)
    assert scroll_width(front) <= 320


def test_the_thumb_of_a_slider_grows_with_the_text(front):
    sizes = []
    for _ in range(2):
        sizes.append(
            front.slider().evaluate(
                "(one) => parseFloat(getComputedStyle(one).fontSize)"
            )
        )
        front.page.add_style_tag(content="html { font-size: 200% }")

    assert sizes == [16, 32]  # its sizes are in em


@pytest.mark.parametrize("width", [768, 1280])
def test_the_button_that_opens_files_stands_beside_its_hint(
    open_front, measured_view, width
):
    front = open_front(width, first=measured_view())
    middles = [
        box["y"] + box["height"] / 2
        for box in (
            front.page.locator(f".overlap-upload {part}").bounding_box()
            for part in (".overlap-window", ".overlap-hint")
        )
    ]
    assert abs(middles[0] - middles[1]) <= 2


def test_nothing_moves_by_itself_where_less_motion_is_wanted(open_front, measured_view):
    front = open_front(first=measured_view(), reduced_motion="reduce")
    moving = front.page.evaluate(
        """() => [...document.querySelectorAll('.overlap *')]
            .map((one) => getComputedStyle(one))
            .filter((style) => style.animationName !== 'none'
                || style.transitionDuration !== '0s' || style.scrollBehavior !== 'auto')
            .length"""
    )
    assert moving == 0
    bar = front.page.get_by_role("progressbar", include_hidden=True)
    bar.evaluate("(one) => { one.parentElement.hidden = false; one.value = 1; }")
    expect(bar).to_be_visible()
    bar.evaluate("(one) => one.removeAttribute('value')")
    expect(bar).to_be_hidden()


def test_ids_are_unique_also_with_two_widgets_on_a_page(own_front, view):
    own_front.page.evaluate(
        """async (view) => {
            const { mount } = await import('/front/front.js');
            const config = await (await fetch('/config.json')).json();
            const root = document.createElement('div');
            document.body.append(root);
            mount(root, config, () => {}).update(view);
        }""",
        view(),
    )
    ids = own_front.page.evaluate(
        "() => [...document.querySelectorAll('[id]')].map((one) => one.id)"
    )
    assert len(ids) > 20
    assert len(set(ids)) == len(ids)
    dangling = own_front.page.evaluate(
        """() => ['for', 'aria-labelledby', 'aria-describedby'].flatMap((name) =>
            [...document.querySelectorAll(`[${name}]`)]
                .flatMap((one) => one.getAttribute(name).split(' ')))
            .filter((id) => !document.getElementById(id))"""
    )
    assert dangling == []


def test_everything_that_takes_input_has_a_name(front, measured_view):
    for state in (None, measured_view()):
        if state:
            front.show(state)
        unnamed = front.page.evaluate(
            """() => [...document.querySelectorAll('input, select, button, progress')]
                .filter((one) => !one.ariaLabel
                    && ![...(one.labels ?? [])].some((name) => name.textContent.trim())
                    && !one.textContent.trim())
                .map((one) => one.outerHTML)"""
        )
        assert unnamed == []


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
    before = front.page.evaluate("history.length")
    for bucket in (5, 6, 7):
        front.show(view(bucket=bucket))
    front.page.wait_for_url("**bucket=7**")

    assert front.page.evaluate("history.length") == before


def test_destroy_leaves_an_empty_element_and_tells_the_figures(front):
    front.slider().press("ArrowRight")
    front.page.evaluate("front.destroy()")

    assert front.page.evaluate("document.getElementById('root').children.length") == 0
    assert front.page.evaluate("told.navigated") == [["destroy"]]
