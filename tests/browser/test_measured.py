"""Measured mode in a browser: files in, steps shown, names as text, nothing lost."""

import json
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

MARKUP = "</script><img src=x onerror=\"document.title='taken'\">"


def kernel(name, start_us, length_us, stream):
    return {
        "ph": "X",
        "cat": "kernel",
        "name": name,
        "pid": 0,
        "tid": stream,
        "ts": start_us,
        "dur": length_us,
        "args": {"device": 0, "stream": stream},
    }


@pytest.fixture
def trace(tmp_path):
    """A file of three kernels; 5 of 7 ms of communication are exposed.

    ms                  0      3      5        10
    compute, stream 7   [ backward    ]
    all-reduce          .      [             ]
    """
    path = tmp_path / "mine.json"
    events = [
        kernel(f"backward {MARKUP}", 0, 5000, 7),
        kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 3000, 7000, 20),
    ]
    path.write_text(json.dumps({"traceEvents": events}))
    return path


def verdict(page):
    return page.get_by_role("heading", level=2).first


def open_file(page, path):
    page.locator("input[type=file]").first.set_input_files(path)


def chart_box(page):
    """Where the time chart is, once it is in view."""
    chart = page.get_by_role("img", name=re.compile("Time chart"))
    chart.scroll_into_view_if_needed()
    return chart.bounding_box()


def idle(page):
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")


def recorded(page, source):
    """Columns of a source in the recording's figure, as the browser holds them."""
    return page.evaluate(
        """(source) => {
            for (const document of Bokeh.documents) {
                if (document.get_model_by_name('recording') === null) continue;
                return Object.fromEntries(
                    Object.entries(document.get_model_by_name(source).data)
                        .map(([key, column]) => [key, [...column]]));
            }
        }""",
        source,
    )


def test_measured_mode_shows_the_example_at_first(served, open_page):
    page = open_page(served)
    page.get_by_text("Measured", exact=True).click()

    expect(verdict(page)).to_contain_text("of communication is exposed.")
    recording = page.get_by_role("combobox", name="Recording")
    expect(recording).to_contain_text("example-trace.json.gz")


def test_a_file_from_the_command_line_opens_at_once(serving, trace, open_page):
    with serving(trace) as address:
        page = open_page(address)

        expect(verdict(page)).to_have_text("5 ms of communication is exposed.")


def test_a_chosen_file_is_read_and_shown(served, open_page, trace):
    page = open_page(f"{served}?mode=measured")
    open_file(page, trace)

    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")
    idle(page)
    assert recorded(page, "exposed")["left"] == [5]


def test_names_with_markup_are_text_everywhere(served, open_page, trace):
    page = open_page(f"{served}?mode=measured")
    open_file(page, trace)
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")
    idle(page)
    page.get_by_text("Table of kernel names").click()

    expect(page.get_by_role("cell", name=MARKUP).first).to_be_visible()
    box = chart_box(page)
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 56)
    page.mouse.move(box["x"] + 0.21 * box["width"], box["y"] + 57)
    expect(page.locator(".bk-tooltip-row-value").first).to_contain_text(MARKUP)
    assert page.locator("img").count() == 0
    expect(page).to_have_title("Hiding communication behind compute")


def test_a_wrong_file_is_one_sentence_and_what_was_open_stays(
    served, open_page, trace, tmp_path
):
    page = open_page(f"{served}?mode=measured")
    open_file(page, trace)
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")
    wrong = tmp_path / "run.txt"
    wrong.write_text("step 1 took 12 ms\n")
    open_file(page, wrong)

    expect(page.get_by_role("status").get_by_text("run.txt: ")).to_be_visible()
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")


def test_an_empty_file_is_one_sentence(served, open_page, tmp_path):
    page = open_page(f"{served}?mode=measured")
    empty = tmp_path / "nothing.json"
    empty.touch()
    open_file(page, empty)

    expect(page.get_by_text("nothing.json: the file is empty")).to_be_visible()


def test_another_step_is_another_picture(served, open_page):
    page = open_page(f"{served}?mode=measured")
    before = verdict(page).text_content()
    page.get_by_role("combobox", name="Step", exact=True).select_option(index=0)

    expect(verdict(page)).not_to_have_text(before)


def test_zooming_in_keeps_the_reader_where_he_is(served, open_page):
    page = open_page(f"{served}?mode=measured")
    idle(page)
    page.get_by_role("button", name="Zoom in").press("Enter")
    page.get_by_role("button", name="Zoom in").press("Enter")
    window = """() => {
        for (const document of Bokeh.documents) {
            const figure = document.get_model_by_name('recording');
            if (figure) return [figure.x_range.start, figure.x_range.end];
        }
    }"""
    start, end = page.evaluate(window)
    page.get_by_role("button", name="Later").click()
    later = page.evaluate(window)

    assert later[0] > start
    assert later[1] - later[0] == pytest.approx(end - start)


def visible_ms(page):
    """The visible part of the recording's time axis."""
    return page.evaluate(
        """() => {
            for (const document of Bokeh.documents) {
                const figure = document.get_model_by_name('recording');
                if (figure) return [figure.x_range.start, figure.x_range.end];
            }
        }"""
    )


def test_a_longer_step_is_shown_to_its_end(served, open_page):
    page = open_page(f"{served}?mode=measured")
    idle(page)
    page.get_by_role("combobox", name="Step", exact=True).select_option(
        index=0
    )  # 70 ms after 50 ms
    expect(page.get_by_role("combobox", name="Step", exact=True)).to_have_value("0")
    idle(page)
    last = max(recorded(page, "compute")["right"])

    page.wait_for_function(
        """(last) => Bokeh.documents.some((document) =>
            document.get_model_by_name('recording')?.x_range.end > last)""",
        arg=last,
    )
    assert visible_ms(page)[0] < 0


def test_zooming_ends_at_ten_nanoseconds(served, open_page):
    page = open_page(f"{served}?mode=measured")
    idle(page)
    for _ in range(40):
        page.get_by_role("button", name="Zoom in").click()
    start, end = visible_ms(page)

    assert end - start == pytest.approx(1e-5)


def test_escape_takes_the_card_away(served, open_page, trace):
    page = open_page(f"{served}?mode=measured")
    open_file(page, trace)
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")
    idle(page)
    box = chart_box(page)
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 64)
    page.mouse.move(box["x"] + 0.21 * box["width"], box["y"] + 65)
    card = page.locator(".bk-tooltip-row-value").first
    expect(card).to_be_visible()
    page.keyboard.press("Escape")

    expect(card).not_to_be_visible()
