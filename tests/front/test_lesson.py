"""The lesson in the front, played wrongly and rightly; a session of Python answers."""

import re

import pytest
from playwright.sync_api import expect

from overlap_widget.app.lesson import STEP_NAMES

pytestmark = pytest.mark.browser

NAMES = (
    *("Overlap", "The floor", "The balance"),
    *("The queue", "The last lever", "A real run"),
)
BARE = "{ link: () => null, isBare: true }"
GAPS = r"[{}]|undefined|null|NaN|lesson\."


class Lesson:
    """A page with the lesson, whose moves a session answers."""

    def __init__(self, played):
        self.played, self.page = played, played.page
        self.panel = self.page.locator(".overlap-lesson")
        self.status = self.panel.locator(".overlap-lesson-status")
        self.said = self.page.locator("[aria-live=polite]")

    @property
    def settings(self):
        return self.played.explorer.settings

    def press(self, name, within=None):
        (within or self.panel).get_by_role("button", name=name, exact=True).click()
        self.played.play()

    def choose(self, label, option):
        self.page.get_by_label(label, exact=True).select_option(option)
        self.played.play()

    def mode(self, name):
        self.page.locator(".overlap-modes").get_by_text(name).click()
        self.played.play()

    def type(self, **values):
        """Set number boxes, by name with `_` for spaces."""
        for name, text in values.items():
            self.played.type(f"{name.replace('_', ' ')} in", text)
            self.played.play()

    def guess(self, text):
        self.panel.get_by_role("textbox", name="Your guess").fill(text)
        self.press("Reveal")

    def expect_step(self, name):
        at = NAMES.index(name) + 1
        title = self.panel.get_by_role("heading", name=f"Step {at} of 6: {name}")
        expect(title).to_be_visible()
        return title

    def expect_text(self, text):
        expect(self.panel).to_contain_text(text)

    def expect_status(self, text):
        expect(self.status).to_contain_text(text)

    def heard(self):
        """What is said once all rests."""
        self.page.wait_for_timeout(600)
        return self.said.inner_text().replace("\xa0", " ")


@pytest.fixture
def lesson(play_again):
    """Begins at a step, or as another query says: `lesson("floor")`."""

    def begin(step, query="", **options):
        return Lesson(play_again(f"lesson={step}&{query}", **options))

    return begin


@pytest.mark.parametrize("at", range(6))
def test_a_step_asks_before_it_tells(lesson, at):
    shown = lesson(STEP_NAMES[at])
    shown.expect_step(NAMES[at])
    text = shown.panel.inner_text()
    assert not re.search(GAPS, text)
    assert "Your turn" not in text
    expect(shown.page.get_by_role("radio", name="Lesson")).to_be_checked()
    current = shown.panel.locator("[aria-current=step]")
    expect(current).to_have_accessible_name(f"{at + 1} {NAMES[at]}")

    shown.press("Skip question")
    text = shown.panel.inner_text()
    assert not re.search(GAPS, text)
    assert "Your turn" in text


def test_overlap_is_played(lesson):
    shown = lesson("overlap")
    shown.guess("20")
    shown.expect_text("You said 20 ms. It is 41 ms")
    shown.expect_text("Not a byte could leave before the pass ended")
    shown.expect_text("Now it hides 0 ms of 41 ms")
    expect(shown.status).to_have_text("The tail is 41 ms; it should be below 12 ms.")

    shown.type(Bucket_size="5")
    shown.expect_status(
        "The tail is 15.3 ms; it should be below 12 ms. Earlier buckets"
    )
    shown.type(Bucket_size="12", Bandwidth="100")
    shown.expect_status("The tail is 5.8 ms, but nothing is hidden")
    expect(shown.panel.get_by_role("button", name="done")).to_have_count(0)

    shown.type(Bandwidth="12", Bucket_size="3")
    shown.expect_status(
        "Done: 33 ms of 44 ms is hidden behind the pass, and the tail is 11 ms."
    )
    first = shown.panel.get_by_role("button", name="1 Overlap done", exact=True)
    expect(first).to_be_visible()
    expect(first).to_contain_text("✓")

    shown.type(Bucket_size="4")
    shown.expect_status(
        "You have done this step. The tail is 14.3 ms; it should be below 12 ms."
    )
    expect(first).to_be_visible()


def test_floor_is_played(lesson):
    shown = lesson("floor")
    shown.expect_text("Now 12 layers go in buckets of 7 layers: 2 transfers.")
    shown.guess("24.3")
    shown.expect_text("A full bucket takes longer, but it left earlier.")
    shown.expect_text("The last bucket (200 MB)")
    shown.expect_text("1 ms of overhead and 16.7 ms on the wire")

    shown.type(Bucket_size="6")
    shown.expect_status("The tail is 21 ms; it should be below 8 ms. The last bucket")
    expect(shown.panel).not_to_contain_text("A full bucket takes longer")
    shown.type(Bucket_size="11", Bandwidth="80")
    shown.expect_status(
        "1.5 ms of the tail is queued. Earlier buckets still hold the link"
    )
    shown.type(Bandwidth="12", Bucket_size="2")
    shown.expect_status("Done: nothing is queued and the tail is 7.67 ms.")


def test_balance_is_played(lesson):
    shown = lesson("balance")
    shown.guess("1")
    shown.expect_text("You said 1 layer, with a tail of 21 ms.")
    shown.expect_status("Best now: 2 layers a bucket. A larger overhead")

    shown.type(**{"Per-transfer_overhead": "7"})
    shown.expect_status("Best now: 4 layers a bucket. A smaller overhead allows")
    shown.type(**{"Per-transfer_overhead": "5"})
    shown.expect_status("Best now: 3 layers a bucket. You have 1 layer; choose")
    shown.choose("Buckets", "ddp")
    shown.expect_status("Another rule fills the buckets now.")
    shown.type(Bucket_size="3")
    shown.expect_status("Done: 3 layers a bucket leave 15 ms.")


def test_queue_is_played(lesson):
    shown = lesson("queue")
    shown.expect_text("the pass takes 30 ms, with 1 layer a bucket")
    shown.guess("4.33")
    shown.expect_text("The pass got shorter, the transfers")
    shown.expect_text("took 64.3 ms on the slower hardware")
    shown.expect_text("Half of that is 32.2 ms; here they take 54.5 ms.")

    shown.type(Bucket_size="12")
    shown.expect_status("Tried: 1 layer 24.5 ms; 12 layers 41 ms. Go on.")
    shown.type(Bandwidth="13")  # what was tried on another link doesn't count
    shown.expect_status("Tried: 12 layers 37.9 ms. Go on.")
    shown.type(Bandwidth="12", Bucket_size="3")
    shown.type(Bucket_size="2")
    shown.expect_status("Done: 12 layers 41 ms; 3 layers 21.5 ms; 2 layers 21 ms.")
    shown.expect_status("The best size leaves 21 ms, the best plan 17.7 ms")
    shown.press("Restart step")
    shown.press("Skip question")
    shown.expect_status("You have done this step. Tried: 1 layer 24.5 ms. Go on.")


def test_queue_counts_no_size_on_a_link_that_keeps_up(lesson):
    shown = lesson("queue", "predict=off")
    shown.type(Bandwidth="100")
    for size in ("2", "3", "4"):
        shown.type(Bucket_size=size)
    shown.expect_text("Where the link drains slower than the pass produces")
    shown.expect_text("Now the last one waits 0 ms.")
    shown.expect_status("The link keeps up now: traffic to work is 0.193.")
    expect(shown.status).to_contain_text("Sizes tried on a slower one count.")
    shown.type(Bandwidth="12", Bucket_size="3")
    shown.expect_status("Go on.")


def test_lever_is_played(lesson):
    shown = lesson("lever")
    shown.panel.get_by_role("radio", name="Another bucket size").check()
    shown.press("Reveal")
    shown.expect_text("It is “Twice the bandwidth”")
    shown.expect_status("Traffic to work is 1.37, too much to hide.")

    shown.type(Bucket_size="6")
    shown.expect_status(
        "too much to hide. No bucket size hides more traffic than there is work."
    )
    shown.page.get_by_text("Beyond the simple model", exact=True).click()
    shown.type(Gradient_accumulation="2")
    shown.expect_status(
        "2 micro-steps share one tail now, and traffic to work is 0.683."
    )
    shown.expect_status("it still leaves 27 ms")
    expect(shown.status).not_to_contain_text("more traffic than there is work")
    shown.type(Gradient_accumulation="1", Bandwidth="18")
    shown.expect_status("it should be below 6 ms.")
    shown.type(Bucket_size="2", Bandwidth="24")
    shown.expect_status("Done: traffic to work is 0.7 and the tail 4.33 ms.")


def test_the_point_of_the_lever_holds_on_any_link(lesson):
    shown = lesson("lever")
    shown.type(Bandwidth="100")
    shown.press("Reveal")
    shown.expect_text("Where traffic to work is above 1, no arrangement hides all")
    shown.expect_text("Now it is 0.193.")


def test_lever_may_be_more_work_too_where_other_steps_name_the_way_back(lesson):
    shown = lesson("lever")
    shown.press("Skip question")
    shown.choose("Scenario", "course")
    shown.type(Bucket_size="1")
    shown.expect_status("Done: traffic to work is 0.683")

    shown.press("Back")
    shown.press("Skip question")
    shown.choose("Scenario", "gpt2-small")
    shown.expect_text("This is no longer what the step is about.")
    expect(shown.status).to_have_text("")
    for size in ("2", "3", "4"):
        shown.type(Bucket_size=size)
    expect(shown.status).to_have_text("")
    done = shown.panel.get_by_role("button", name="4 The queue done", exact=True)
    expect(done).to_have_count(0)
    shown.press("Restart step")
    shown.expect_step("The queue")
    assert shown.settings.scenario.name == "fast-hardware"


def test_measured_is_played(lesson):
    shown = lesson("measured")
    shown.guess("5")
    shown.expect_text("You said 5 ms. It is 5.53 ms: close, within 10 %.")
    shown.expect_text("communicates for 24.8 ms and hides 17.8 ms of it")
    expect(shown.status).to_have_text("")

    shown.press("Try other buckets")
    title = shown.expect_step("A real run")
    expect(title).to_be_focused()
    shown.expect_text("Measured, its tail was 5.53 ms")
    expect(shown.panel.get_by_role("button", name="Try other buckets")).to_be_hidden()
    shown.expect_status("Estimated 5.51 ms, measured 5.53 ms.")
    shown.type(Bucket_size="12")
    shown.expect_status("Estimated 6.19 ms, measured 5.53 ms.")
    shown.type(Bucket_size="1")
    shown.expect_status(
        "Done: 556 \N{MICRO SIGN}s by this estimate, instead of 5.53 ms."
    )


@pytest.mark.parametrize("predict", ["tail", "off"])
def test_measured_shows_one_step_and_not_the_others_around_it(lesson, predict):
    shown = lesson("measured", f"predict={predict}")
    steps = shown.page.locator(".overlap-steps, .overlap-hole")
    expect(steps.locator("visible=true")).to_have_count(0)

    shown.played.set("lesson", "off")
    expect(steps.locator("visible=true")).to_have_count(1)


def test_measured_asks_for_other_buckets_and_leaves_the_link_as_it_was(lesson):
    shown = lesson("measured")
    shown.press("Skip question")
    shown.press("Try other buckets")
    shown.type(Bandwidth="100")
    shown.expect_status("These are the measured buckets; fill them another way.")
    shown.type(Bucket_size="2")
    shown.expect_status("Only the buckets count: set all else as it was fitted.")
    done = shown.panel.get_by_role("button", name="6 A real run done", exact=True)
    expect(done).to_have_count(0)


def test_the_recording_is_told_of_again_after_its_estimate(lesson):
    shown = lesson("measured")
    shown.guess("5")
    before = shown.panel.inner_text()
    shown.press("Try other buckets")
    shown.type(Bucket_size="6")
    shown.expect_text("by this estimate")
    shown.press("Back to the recording", within=shown.page.locator(".overlap-run"))
    title = shown.expect_step("A real run")
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport()
    assert shown.panel.inner_text() == before


def test_measured_says_why_a_step_cannot_be_replayed_and_lets_one_go_on(lesson):
    shown = lesson("measured")
    shown.press("Skip question")
    refused = {"reason": "No estimate for this step: too few.", "numbers": None}
    view = shown.played.view(0)
    view["measured"] = view["measured"] | {"what_if": refused}
    shown.played.show(view)
    shown.expect_text("No estimate for this step: too few. “Finish” goes on")
    expect(shown.panel.get_by_role("button", name="Try other buckets")).to_be_hidden()

    shown.played.show(view | {"measured": None})
    shown.expect_text("This page has no recording.")
    shown.press("Finish")
    expect(
        shown.panel.get_by_role("heading", name="What you have seen")
    ).to_be_focused()


def test_keys_reach_the_end_and_a_question_brings_its_step_back(lesson):
    shown = lesson("measured")
    shown.panel.get_by_role("button", name="Finish").focus()
    for key, title in (
        ("n", "What you have seen"),
        ("q", "Step 6"),
        ("n", "What"),
        ("k", "Step 6"),
    ):
        shown.page.keyboard.press(key)
        shown.played.play()
        expect(shown.panel.get_by_role("heading", name=title)).to_be_visible()
    shown.expect_text("Your turn")


def test_nothing_blocks_the_way_through_and_back(lesson):
    shown = lesson("overlap")
    back = shown.panel.get_by_role("button", name="Back", exact=True)
    expect(back).to_have_attribute("aria-disabled", "true")
    for name in NAMES[1:]:
        shown.press("Next")
        expect(shown.expect_step(name)).to_be_focused()
    shown.press("Finish")
    expect(shown.panel.get_by_role("listitem").filter(has_text=": ")).to_have_count(4)
    expect(shown.panel.locator("[aria-current]")).to_have_count(0)
    expect(shown.panel.get_by_text("Your guess").first).to_be_hidden()

    shown.press("Back")
    shown.expect_step("A real run")
    shown.expect_text("Your turn")  # no question was left open at the end
    shown.press("Finish")
    shown.press("2 The floor")
    shown.expect_step("The floor")
    shown.press("Back")
    expect(shown.expect_step("Overlap")).to_be_focused()
    shown.press("6 A real run")
    shown.press("Finish")
    shown.press("Explore on your own")
    expect(shown.panel).to_be_hidden()
    assert shown.settings.mode == "explore"
    assert shown.settings.lesson == "off"
    expect(shown.page.get_by_role("radio", name="Explore")).to_be_focused()


def test_the_lesson_is_one_of_three_modes_and_goes_on_where_it_was(lesson):
    shown = lesson("measured")
    shown.mode("Explore")
    assert (shown.settings.lesson, shown.settings.mode) == (
        "off",
        "explore",
    )
    expect(shown.panel).to_be_hidden()
    expect(shown.page.locator(".overlap-shown")).to_have_text("Explore")

    shown.mode("Lesson")
    shown.expect_step("A real run")
    expect(shown.page.locator(".overlap-shown")).to_have_text("Lesson")
    shown.mode("Measured")
    assert (shown.settings.lesson, shown.settings.mode) == (
        "off",
        "measured",
    )


def test_another_language_keeps_what_is_done_and_where_one_is(lesson):
    shown = lesson("overlap", "predict=off&bucket=2")
    shown.press("Next")
    shown.played.set("lang", "es")

    expect(
        shown.panel.get_by_role("button", name="1 Solapamiento hecho")
    ).to_be_visible()
    expect(
        shown.panel.get_by_role("heading", name="Paso 2 de 6: El piso")
    ).to_be_visible()


def test_an_author_may_have_one_step_without_the_others(lesson):
    shown = lesson("floor", "controls=bucket&show=verdict,lanes")
    title = shown.panel.get_by_role("heading", name="The floor", exact=True)
    expect(title).to_be_visible()
    for name in ("Back", "Next", "1 Overlap"):
        expect(shown.panel.get_by_role("button", name=name, exact=True)).to_be_hidden()
    expect(shown.page.get_by_role("radio")).to_have_count(0)

    shown.press("Skip question")
    shown.type(Bucket_size="1")
    shown.expect_status("Done: nothing is queued")


def test_what_is_said_of_a_step_is_heard_once(lesson):
    shown = lesson("overlap", "predict=off")
    shown.heard()
    shown.type(Bucket_size="4")
    heard = shown.heard()
    assert heard.startswith("4 layers, 160 MB, 3 transfers. The tail is 14.3 ms;")
    assert heard.count("14.3 ms") == 1
    assert heard.count("ast bucket") == 1
    shown.type(Bucket_size="3")
    assert shown.heard().endswith("is hidden behind the pass, and the tail is 11 ms.")
    before = shown.said.inner_text()
    shown.played.set("axis", "overhead")
    shown.heard()
    assert shown.said.inner_text() == before


def test_another_step_is_heard_unless_its_title_is_read(lesson):
    shown = lesson("overlap", "predict=off")
    shown.heard()
    shown.played.set("lesson", "floor")
    heard = shown.heard()
    assert heard.startswith("Step 2 of 6: The floor. How long")

    shown.press("Next")
    expect(shown.expect_step("The balance")).to_be_focused()
    assert "balance" not in shown.heard()
    shown.press("Skip question")
    heard = shown.heard()
    assert "Small buckets start early" in heard
    assert "Move the per-transfer overhead" in heard


@pytest.mark.parametrize("width", [320, 1280])
def test_what_lies_below_the_panel_stays_where_it_is_while_one_tries(lesson, width):
    shown = lesson("lever", "predict=off", width=width)
    lanes = "document.querySelector('.overlap-figure-lanes')"
    top = f"{lanes}.getBoundingClientRect().top + scrollY"
    tops = []
    for bandwidth in ("16", "24", "1000", "12", "16", "24", "1000"):
        shown.type(Bandwidth=bandwidth)
        shown.page.wait_for_timeout(60)
        tops.append(round(shown.page.evaluate(top)))
    assert tops == sorted(tops)  # one line more, where a text needs it, and never back
    assert len(set(tops[3:])) == 1
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_next_stays_where_it_is_whatever_the_last_lever_is_told(lesson, width):
    shown = lesson("lever", "predict=off", width=width)
    button = shown.panel.get_by_role("button", name="Next", exact=True)
    tops = [button.bounding_box()["y"]]
    for key, value in (("bucket", 6), ("bucket", 2), ("micro_steps", 4)):
        shown.played.set(key, value)
        shown.page.wait_for_timeout(60)
        tops.append(button.bounding_box()["y"])
    assert max(tops) - min(tops) < 1, tops


def test_who_comes_without_a_link_is_invited_and_reduces_the_tail(lesson):
    shown = lesson("off", place=BARE)
    invite = shown.page.locator(".overlap-invite")
    expect(invite).to_contain_text("until the step waits less than 12 ms.")
    shown.type(Bucket_size="3")
    expect(invite).to_contain_text(
        "Done: it waits 11 ms. The lesson shows why, in 6 short steps."
    )

    shown.type(Bucket_size="2")
    expect(invite).to_contain_text("Done: it waits 7.67 ms.")

    shown.press("Start the lesson", within=invite)
    expect(shown.expect_step("Overlap")).to_be_focused()
    expect(invite).to_be_hidden()
    shown.mode("Explore")
    expect(invite).to_be_hidden()


def test_the_invitation_is_in_no_page_of_an_author_and_goes_when_dismissed(lesson):
    shown = lesson("off", place=BARE)
    invite = shown.page.locator(".overlap-invite")
    whole = shown.played.view(0)
    for changes in ({"controls": "bucket,lesson"}, {"show": "lanes"}):
        shown.played.show(whole | {"state": whole["state"] | changes})
        expect(invite).to_be_hidden()
    shown.played.show(whole)
    shown.press("Dismiss", within=invite)
    expect(invite).to_be_hidden()
    shown.type(Bucket_size="3")
    expect(invite).to_be_hidden()


def test_the_invitation_is_there_only_where_the_bucket_size_alone_will_do(lesson):
    shown = lesson("off", place=BARE)
    invite = shown.page.locator(".overlap-invite")
    shown.type(Bandwidth="100")
    expect(invite).to_be_hidden()
    shown.type(Bandwidth="12")
    expect(invite).to_contain_text("until the step waits")
    shown.type(Bucket_size="3")
    expect(invite).to_contain_text("Done")
    shown.type(Bucket_size="5")
    expect(invite).to_be_hidden()
    shown.type(Bucket_size="3")
    expect(invite).to_be_hidden()


@pytest.mark.parametrize("way", ["scenario", "preset"])
def test_the_invitation_is_gone_with_another_scenario_or_a_preset(lesson, way):
    shown = lesson("off", place=BARE)
    invite = shown.page.locator(".overlap-invite")
    expect(invite).to_be_visible()
    if way == "scenario":
        shown.choose("Scenario", "fast-hardware")
        expect(invite).to_be_hidden()
        shown.choose("Scenario", "course")
    else:
        shown.press("2 Three layers", within=shown.page)
        assert shown.settings.bucket == 3
    expect(invite).to_be_hidden()


def test_who_comes_by_a_link_is_not_invited(lesson):
    expect(lesson("off").page.locator(".overlap-invite")).to_be_hidden()
