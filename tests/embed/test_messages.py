"""The real page in a frame, led by messages of the page around it."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

HOST = """<!DOCTYPE html><html lang="en"><title>Host</title>
<link rel="icon" href="data:,"><script>
const got = [];
addEventListener("message", ({ data }) => {
    got.push(data);
    if (data.type === "height")
        document.querySelector("iframe").style.height = `${data.height}px`;
});
const ask = (message) => {
    frames[0].postMessage({ overlap: 1, ...message }, "*");
    return message.id;
};
</script><iframe sandbox="allow-scripts" src="overlap.html"
style="width: 900px; height: 200px; border: 0"></iframe></html>"""


@pytest.fixture
def host(open_page, page_file, site):
    """A page that obeys the heights of the exported page in its frame."""
    (site.folder / "overlap.html").write_bytes(page_file.read_bytes())
    (site.folder / "messages.html").write_text(HOST)
    address = f"{site.address}/messages.html"
    page = open_page(address, live=False, may_complain=["Clipboard API"])
    page.wait_for_function("() => got.some(({ type }) => type === 'ready')")
    return page


def ask(page, **message):
    """Send a message and wait for its answer."""
    number = page.evaluate("(message) => ask({ ...message, id: got.length })", message)
    return page.wait_for_function(
        "(number) => got.find(({ id }) => id === number)", arg=number
    ).json_value()


def test_a_lecture_moves_the_widget_and_reads_what_follows(host):
    answer = ask(host, type="set", values={"bandwidth": "25GB/s", "bucket": 2})

    assert answer["values"]["bandwidth"] == 25e9
    assert answer["numbers"]["tail_s"] == pytest.approx(0.0042)
    assert answer["regime"] == "last_bucket"
    frame = host.frame_locator("iframe")
    expect(frame.get_by_role("slider", name="Bucket size")).to_have_value("1")
    expect(frame.get_by_text("The step waits 4.2 ms")).to_be_visible()


def test_a_question_is_led_from_outside_and_its_answer_kept_until_revealed(host):
    asked = ask(host, type="set", values={"bucket": 5, "lesson": 2})

    assert (asked["values"]["bucket"], asked["values"]["predict"]) == (5, "tail")
    assert "tail_s" not in asked["numbers"]
    assert asked["regime"] is None
    revealed = ask(host, type="set", values={"predict": "off"})
    # The second five layers are ready at 50 ms; the last two, 80 MB, go after them.
    end_ms = 50 + (1 + 200 / 12) + (1 + 80 / 12)
    assert revealed["numbers"]["tail_s"] == pytest.approx((end_ms - 60) / 1e3)


def test_several_values_are_set_or_none_also_in_measured_mode(host):
    ask(host, type="set", values={"mode": "measured"})
    step = host.frame_locator("iframe").get_by_role("combobox", name="Step", exact=True)
    step.select_option(index=0)
    before = ask(host, type="get")
    answer = ask(host, type="set", values={"theme": "dark", "bucket": "many"})

    assert (answer["type"], answer["key"]) == ("error", "bucket")
    assert ask(host, type="get")["values"] == before["values"]
    expect(step).to_have_value("0")


def test_parts_theme_and_address_follow_live_and_the_frame_fits_them(host):
    ask(host, type="set", values={"show": "verdict,lanes", "controls": "bucket"})
    ask(host, type="theme", theme="dark")
    host.wait_for_timeout(400)
    frame = host.frames[1]
    expect(frame.locator(".overlap")).to_have_attribute("data-theme", "dark")
    expect(frame.get_by_role("button", name="Share")).to_be_hidden()
    fits = "[document.documentElement.scrollHeight, innerHeight]"
    assert len(set(frame.evaluate(fits))) == 1
    assert host.locator("iframe").bounding_box()["height"] < 620

    told = host.evaluate("() => got.filter(({ type }) => type === 'height').length")
    host.wait_for_timeout(500)
    assert told == host.evaluate(
        "() => got.filter(({ type }) => type === 'height').length"
    )
    answer = ask(host, type="set", address="v=1&bucket=12&controls=none&show=numbers")
    assert answer["values"]["show"] == "numbers"
    assert answer["values"]["theme"] == "auto"


def test_a_table_that_opens_is_given_its_room(host):
    host.wait_for_timeout(400)
    before = host.locator("iframe").bounding_box()["height"]
    host.frame_locator("iframe").get_by_text("Table of transfers").first.click()
    host.wait_for_timeout(400)

    assert host.locator("iframe").bounding_box()["height"] > before + 50
    fits = "document.documentElement.scrollHeight === innerHeight"
    assert host.frames[1].evaluate(fits)


def test_a_thousand_messages_leave_the_page_alive(host):
    host.evaluate(
        """() => {
            for (let n = 0; n < 1000; n += 1)
                ask({ type: "set", values: { bucket: 1 + n % 12 } });
        }"""
    )
    frame = host.frames[1]
    expect(frame.get_by_role("slider", name="Bucket size")).to_be_visible()
    assert ask(host, type="get")["values"]["bucket"] == 1 + 999 % 12


def test_a_refused_copy_in_a_sandbox_selects_the_text(host):
    frame = host.frames[1]
    frame.get_by_role("button", name="Share", exact=True).click()
    frame.get_by_role("button", name="Copy: Link").click()

    expect(frame.get_by_text("Copying is blocked in this frame.")).to_be_visible()
    link = frame.get_by_role("textbox", name="Link", exact=True)
    expect(link).to_be_focused()
    assert link.evaluate("(one) => one.selectionEnd - one.selectionStart") > 100
    assert "overlap.html#v=1&scenario=course&" in link.input_value()
