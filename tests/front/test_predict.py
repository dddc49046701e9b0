"""Predict, then reveal: the question, the guess, and what is said of it afterwards."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# Two buckets of 7 and 5 layers: the tail is 1 ms and 200 MB at 12 GB/s, 17.67 ms.
ASKED = "bucket=7&predict=tail"
OUTCOMES = {
    "17.7": "You said 17.7 ms, and so it is.",
    "19": "You said 19 ms. It is 17.7 ms: close, within 10 %.",
    "19500us": "You said 19.5 ms. It is 17.7 ms: 1.83 ms less.",
    "3 ms": "You said 3 ms. It is 17.7 ms: 14.7 ms more.",
    "0": "You said 0 ms. It is 17.7 ms: 17.7 ms more.",
}


@pytest.fixture
def asked(play):
    """A page that asks for the tail of seven layers to a bucket."""
    return play(ASKED)


def text_of(locator):
    return locator.inner_text().replace("\xa0", " ")


def heard(page, text):
    expect(page.locator("[aria-live=polite]")).to_contain_text(text)


def test_a_guess_stands_beside_the_answer_once_that_is_revealed(asked):
    page = asked.page
    expect(asked.panel.get_by_role("heading")).to_have_text(
        "How long is the exposed tail after the 60\xa0ms pass?"
    )
    expect(page.locator(".overlap-verdict")).to_have_count(0)
    for typed, said in OUTCOMES.items():
        asked.box().fill(typed)
        asked.box().press("Enter")
        [move] = asked.play()
        assert (move["key"], move["value"]) == ("predict", "off")
        assert text_of(asked.outcome) == said
        expect(asked.outcome).to_be_focused()
        expect(page.locator(".overlap-explore .overlap-verdict")).to_contain_text(
            "17.7"
        )
        asked.press("Ask again")
        expect(asked.box()).to_be_focused()
        expect(asked.box()).to_have_value("")
        expect(asked.outcome).to_be_hidden()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("bucket=1&predict=tail", "the tail was 4.33 ms."),
        ("bucket=7&overhead=3ms&predict=best", "the best size was 2 layers."),
        ("bucket=7&predict=lever", "the answer was “Another bucket size”."),
    ],
)
def test_without_a_guess_the_answer_is_named_after_changes_too(play, query, said):
    asked = play(query)
    asked.press("Reveal")
    asked.set("bucket", 3)
    assert text_of(asked.outcome) == f"Before your changes {said}"


def test_a_guessed_option_is_quoted_after_changes_too(play):
    asked = play("bucket=7&predict=lever")
    asked.page.get_by_role("radio", name="Twice the bandwidth").check()
    asked.press("Reveal")
    asked.set("bucket", 3)
    assert text_of(asked.outcome) == (
        "Before your changes you said “Twice the bandwidth”; "
        "it was “Another bucket size”."
    )


def test_it_stays_true_of_the_step_that_was_asked_about(asked):
    asked.box().fill("20")
    asked.press("Reveal")
    now = "You said 20 ms. It is 17.7 ms: 2.33 ms less."
    assert text_of(asked.outcome) == now

    asked.set("bucket", 3)
    assert (
        text_of(asked.outcome)
        == "Before your changes you said 20 ms; the tail was 17.7 ms."
    )
    asked.set("theme", "dark")  # changes nothing of the step
    asked.set("bucket", 7)
    assert text_of(asked.outcome) == now
    asked.set("lang", "es")
    assert text_of(asked.outcome) == "Dijiste 20 ms. Es de 17.7 ms: 2.33 ms menos."
    asked.set("lang", "en")

    asked.press("Done")
    expect(asked.panel).to_be_hidden()
    expect(asked.page.get_by_role("button", name="Predict")).to_be_focused()


def test_what_is_no_guess_is_said_and_reveals_nothing(asked):
    message = asked.panel.get_by_role("status").first
    for typed, said in {
        "about 20": "Write 20 ms, for example.",
        "-3": "Your guess goes from 0 ms to 100 s.",
    }.items():
        asked.box().fill(typed)
        asked.box().press("Enter")
        assert asked.play() == []
        assert text_of(message).endswith(said)
        expect(asked.box()).to_have_value(typed)  # to be corrected
        asked.page.get_by_role("button", name="Predict").press("r")
        assert asked.play() == []
        expect(asked.box()).to_have_value(typed)

    asked.box().fill("20.4")
    asked.box().press("ArrowUp")
    expect(asked.box()).to_have_value("21")  # steps are round, whatever was typed
    asked.panel.get_by_role("button", name="Your guess: smaller").click()
    expect(asked.box()).to_have_value("20")
    asked.box().fill("")
    asked.press("Reveal")
    assert text_of(asked.outcome) == "You made no guess. The tail is 17.7 ms."


def test_it_is_heard_once_where_focus_is_elsewhere(asked):
    page = asked.page
    button = page.get_by_role("button", name="Predict")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    asked.play()
    heard(page, "You made no guess. The tail is 17.7")
    asked.set("lang", "es")
    expect(
        page.locator("[aria-live=polite]")
    ).to_be_empty()  # nothing in English is left
    asked.set("lang", "en")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-pressed", "false")

    button.click()
    asked.play()
    heard(page, "Result hidden until you reveal it.")
    expect(page.locator("[aria-live=polite]")).not_to_contain_text("17.7")
    asked.box().fill("2")
    asked.press("Reveal")
    page.wait_for_timeout(700)  # longer than changes rest before they are said
    expect(page.locator("[aria-live=polite]")).not_to_contain_text("You said")


def test_the_best_size_is_compared_by_its_tail(play):
    played = play("overhead=3ms&bucket=7&predict=best")
    for typed, said in {
        "13": "Your guess goes from 1 layer to 12 layers.",
        "2.5": "Your guess is a whole number.",
    }.items():
        played.box().fill(typed)
        played.box().press("Enter")
        assert played.play() == []
        assert text_of(played.panel.get_by_role("status").first) == said
    # With three layers to a bucket 3 ms and 120 MB are left after the pass, 13 ms. With
    # two it is 9.67 ms, less than with any other size.
    for typed, said in {
        "3": "You said 3 layers, with a tail of 13 ms. The best size is 2 layers, "
        "with 9.67 ms.",
        "2": "You said 2 layers, and that is the best size: a tail of 9.67 ms.",
    }.items():
        played.box().fill(typed)
        played.press("Reveal")
        assert text_of(played.outcome) == said
        played.press("Ask again")

    played.set("slowdown", 0.2)
    heading = played.panel.get_by_role("heading")
    expect(heading).to_have_text("Which bucket size makes the shortest step?")
    played.set("predict", "tail")
    played.set("micro_steps", 4)
    expect(heading).to_contain_text("after the last backward pass?")


def test_options_are_those_that_can_be_true_and_the_right_one_is_named(play):
    played = play("bucket=7&predict=regime")
    names = played.panel.get_by_role("radio")
    expect(names).to_have_count(6)
    played.panel.get_by_role("radio", name="The queue for the link").check()
    played.press("Reveal")
    said = text_of(played.outcome)
    assert said.startswith("You said “The queue for the link”. It is “The last bucket")

    played.press("Ask again")
    played.set("late", 0.002)
    expect(names).to_have_count(7)
    played.set("late", 0)
    played.panel.get_by_role("combobox", name="Question").select_option("lever")
    played.play()
    expect(played.panel.get_by_role("heading")).to_have_text(
        "With 2 transfers, what would shorten the tail most?"
    )
    played.panel.get_by_role("radio", name="Another bucket size").check()
    played.press("Reveal")
    assert text_of(played.outcome) == "You said “Another bucket size”: right."


def test_an_author_may_leave_out_the_way_to_ask_but_not_to_answer(play):
    query = "bucket=7&predict=lever&controls=bucket&show=lanes"
    played = play(query)
    expect(played.page.get_by_role("button", name="Predict")).to_be_hidden()
    expect(played.panel.get_by_role("combobox")).to_be_hidden()
    played.press("Reveal")
    expect(played.page.get_by_role("button", name="Ask again")).to_be_hidden()
    expect(played.page.get_by_role("button", name="Done")).to_be_visible()
    # Without a verdict on the page the reason stands with the answer.
    assert "What helps most: 1 layer a bucket" in text_of(played.outcome)


def test_another_question_begins_without_the_guess_for_the_last_one(asked):
    asked.box().fill("20")
    asked.box().press("Tab")
    asked.set("bucket", 5)
    expect(asked.box()).to_have_value("20")  # the same question, of another step
    asked.set("predict", "best")
    expect(asked.box()).to_have_value("")
    asked.set("predict", "tail")
    asked.box().fill("30")
    asked.box().press("Tab")
    asked.set("mode", "measured")
    expect(asked.panel.get_by_role("heading")).to_contain_text(
        "communication after the pass"
    )
    expect(asked.box()).to_have_value("")

    # A link to another step is no way to reveal this one.
    asked.explorer.move({"type": "set", "key": "mode", "value": "explore"})
    asked.set("predict", "off")
    expect(asked.panel).to_be_hidden()


@pytest.mark.parametrize("way", ["key", "button"])
@pytest.mark.parametrize(("query", "stays"), [(ASKED, False), ("predict=tail", True)])
def test_a_reset_drops_the_outcome_of_another_step(play, way, query, stays):
    played = play(query)
    played.press("Reveal")
    played.set("bucket", 3)
    expect(played.outcome).to_contain_text("Before your changes")
    if way == "key":
        played.page.get_by_role("button", name="Share").focus()
        played.page.keyboard.press("0")
        played.play()
    else:
        played.press("Reset")
    expect(played.outcome).to_be_visible(visible=stays)
    if stays:
        expect(played.outcome).to_contain_text("You made no guess.")


@pytest.mark.parametrize("lesson", ["overlap", "measured"])
def test_who_leaves_the_lesson_has_done_with_its_question(play, lesson):
    played = play(f"lesson={lesson}")
    played.box().fill("20")
    played.set("lesson", "off")
    expect(played.panel).to_be_hidden()
    played.set("mode", "explore")
    expect(played.panel).to_be_hidden()


def test_what_moves_while_it_is_covered_tells_nothing(asked):
    page = asked.page
    asked.set("bucket", 8)
    heard(page, "8 layers")
    expect(page.locator("[aria-live=polite]")).not_to_contain_text("tail")

    for name in ("Point on the curve", "Point on the map"):
        pad = page.get_by_role("slider", name=name)
        assert pad.get_attribute("aria-valuetext") == "8 layers a bucket"
        pad.press("m")  # to the best size, where that is known
    assert {move["value"] for move in asked.play()} == {8}
    page.get_by_role("slider", name="Point on the curve").press("ArrowRight")
    [move] = asked.play()
    assert (move["key"], move["value"]) == ("bucket", 9)
    hidden = page.locator(".overlap-figure-curve").get_attribute("data-covered")
    assert hidden == "Result hidden until you reveal it."
    legend = page.locator(".overlap-curve ul")
    expect(legend).not_to_contain_text("these buckets", use_inner_text=True)
    asked.press("Reveal")
    expect(page.locator("[data-covered]")).to_have_count(0)
    assert "The tail is 27 ms" in text_of(asked.outcome)
