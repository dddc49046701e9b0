"""The guesses of a room: read from a list or counted, drawn as dots, never sent."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# Two buckets of 7 and 5 layers: the tail is 1 ms and 200 MB at 12 GB/s, 17.67 ms.
ASKED = "bucket=7&predict=tail"
LISTS = {
    "10 20 20 35": "4 guesses: median 20 ms, from 10 ms to 35 ms.",
    "10,20,20, 35;18\n": "5 guesses: median 20 ms, from 10 ms to 35 ms.",
    "9ms, 0.02 s\t30000 us": "3 guesses: median 20 ms, from 9 ms to 30 ms.",
    "12 ms": "1 guess: 12 ms.",
    "12,5 7.5": "2 guesses: median 10 ms, from 7.5 ms to 12.5 ms.",
    "12,5ms, 10": "2 guesses: median 11.3 ms, from 10 ms to 12.5 ms.",
    "8 9": "2 guesses: median 8.5 ms, from 8 ms to 9 ms.",
    "": "No guesses yet.",
}
WRONG = {
    "10 abc 20": "“abc”",
    "10 1,234 20": "“1,234”",
    "10 20 -3": "“-3”",
    "10 1,200 20 abc": "“1,200”, “abc”",
    "a b 10 c d 20 e f": "“a”, “b”, “c”, “d”, …",
}


@pytest.fixture
def room(play):
    """A page that asks for a tail of 17.67 ms, its fold open."""
    played = play(ASKED)
    open_fold(played)
    return played


def open_fold(played):
    played.page.get_by_text("Guesses of the room").click()


def guesses(played):
    return played.page.get_by_role("textbox", name="Guesses")


def said(played):
    text = played.page.locator(".overlap-room-said").inner_text()
    return text.replace("\xa0", " ")


def columns(played):
    """How many dots stand where, by the share of the scale."""
    return played.page.evaluate(
        """() => [...document.querySelectorAll('.overlap-strip-column')].map((one) =>
            [parseFloat(one.style.insetInlineStart), one.querySelectorAll('i').length])
            .sort(([one], [other]) => one - other)"""
    )


def test_counts_do_not_lie_on_each_other(room):
    guesses(room).fill("10 " * 6 + "12 " * 8 + "40 " * 7)
    counts = room.page.locator(".overlap-strip-column b")
    expect(counts).to_have_count(2)  # the six beside the eight have none
    assert sorted(counts.all_inner_texts()) == ["7", "8"]


def test_a_list_is_read_however_it_is_separated(room):
    for typed, sentence in LISTS.items():
        guesses(room).fill(typed)
        assert said(room) == sentence, typed
    for typed, quoted in WRONG.items():
        guesses(room).fill(typed)
        expect(room.panel).to_contain_text(f"counted: {quoted}. Put")
        assert said(room).startswith("2 guesses")
        expect(guesses(room)).to_have_value(typed)  # nothing is lost
    guesses(room).fill("7 " * 203)
    assert said(room) == "200 guesses: 7 ms."
    expect(room.panel).to_contain_text("The first 200 guesses are counted.")
    assert room.play() == []  # nothing leaves the page


def test_dots_stand_where_the_guess_is_and_the_answer_comes_last(room):
    guesses(room).fill("20 10 20 40 500")
    # The covered lanes leave 90 ms after the pass; 500 ms is drawn at the edge of twice
    # that, of a scale that ends at 200 ms.
    assert columns(room) == [[5, 1], [10, 2], [20, 1], [100, 1]]
    strip = room.page.get_by_role("img", name="Dots for the guesses")
    expect(strip).to_have_accessible_name(
        "Dots for the guesses. 10\xa0ms: 1, 20\xa0ms: 2, 40\xa0ms: 1, 500\xa0ms: 1"
    )
    assert "17.7" not in room.page.content()

    room.press("Reveal")
    assert said(room).endswith("Within 10 % of 17.7 ms: 0.")
    truth = room.page.locator(".overlap-strip-truth")
    expect(truth).to_have_text("answer 17.7\xa0ms")
    share = truth.evaluate("(one) => parseFloat(one.style.insetInlineStart)")
    assert share == pytest.approx(100 * 17.667 / 200, abs=0.01)
    guesses(room).fill("16 17 18 19.4 19.5 15.8")  # 15.9 to 19.43 is near
    assert said(room).endswith("Within 10 % of 17.7 ms: 4.")
    room.press("Clear")
    assert (said(room), columns(room)) == ("No guesses yet.", [])


def test_it_stays_while_the_question_stays(room):
    guesses(room).fill("10 20")
    room.set("bucket", 4)
    room.set("lang", "es")
    expect(room.page.locator(".overlap-room-list")).to_have_value("10 20")
    room.set("lang", "en")
    room.press("Reveal")
    room.press("Ask again")
    expect(guesses(room)).to_have_value("10 20")
    room.set("predict", "best")
    expect(guesses(room)).to_have_value("")
    guesses(room).fill("2,3 3, 12 layers 13 2.5")
    assert said(room) == "4 guesses: median 3 layers, from 2 layers to 12 layers."
    room.press("Reveal")
    assert said(room).endswith("Right: 0.")


def test_options_are_counted_one_by_one(play):
    room = play("bucket=7&predict=regime")
    open_fold(room)
    expect(guesses(room)).to_be_hidden()
    queue, last = (
        "The queue for the link",
        "The last bucket\N{RIGHT SINGLE QUOTATION MARK}s own transfer",
    )
    for name in (queue, queue, queue, last):
        room.press(f"One more: {name}")
    room.press(f"One less: {queue}")
    assert said(room) == "3 guesses."
    row = room.page.locator(".overlap-room-options li").filter(has_text=queue)
    expect(row.locator("output")).to_have_text("2")
    expect(row.locator("i")).to_have_count(2)
    less = room.page.get_by_role("button", name="One less: Traffic above work")
    expect(less).to_have_attribute("aria-disabled", "true")
    answer = room.page.locator(".overlap-room-options strong:visible")
    expect(answer).to_have_count(0)

    room.press("Reveal")
    expect(answer).to_have_count(1)
    expect(answer.locator("..")).to_contain_text(last)
    assert said(room) == "3 guesses. Right: 1."


def test_two_hundred_guesses_stay_within_the_page(play):
    room = play(ASKED, width=320)
    room.page.add_style_tag(content="html { font-size: 200% }")
    open_fold(room)
    for typed in ("20 " * 200, " ".join(map(str, range(1, 201)))):
        guesses(room).fill(typed)
        inside = room.page.evaluate(
            """() => {
                const topOf = (one) => one.getBoundingClientRect().top;
                const top = topOf(document.querySelector('.overlap-strip'));
                return document.documentElement.scrollWidth <= innerWidth
                    && [...document.querySelectorAll('.overlap-strip i')]
                        .every((dot) => topOf(dot) >= top);
            }"""
        )
        assert inside, typed[:9]
