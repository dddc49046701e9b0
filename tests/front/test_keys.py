"""The presenter's keys: what each does, when they are silent, and the list of them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from overlap_widget.app.cover import covered_explore, covered_map, covered_sweep
from overlap_widget.app.lesson import PRESETS, STEP_NAMES

pytestmark = pytest.mark.browser

HELD = "document.activeElement.textContent || document.activeElement.tagName"
PRESS = """([root, key, code, more]) => document.querySelector(root).dispatchEvent(
    new KeyboardEvent('keydown', { key, code, bubbles: true, ...more }))"""
KEYS_JS = Path(__file__).parents[2] / "static" / "front" / "keys.js"


@pytest.fixture
def keyed(front):
    """The front with focus in it, on something that takes no letters."""
    front.page.get_by_role("button", name="Share").focus()
    return front


def covered_view(view, seq=0):
    """The view of a step whose tail is asked."""
    whole = view(seq, predict="tail")
    explore = covered_explore(whole["explore"] | {"figures": whole["figures"]})
    figures = explore.pop("figures")
    shown = {"explore": explore, "figures": figures, "covered": "tail"}
    covered = {
        "sweep": covered_sweep(whole["sweep"]),
        "map": covered_map(whole["map"]),
    }
    return whole | shown | covered


def pressed(front, key, state=None):
    """The moves that a key sends; `state` is shown before, as the answer to all."""
    if state:
        front.show(state | {"seq": len(front.moves())})
    before = len(front.moves())
    front.page.keyboard.press(key)
    return [
        {name: value for name, value in move.items() if name != "seq"}
        for move in front.moves()[before:]
    ]


def setting(key, value):
    return [{"type": "set", "key": key, "value": value}]


def test_a_digit_chooses_the_preset_of_its_place(keyed, view):
    names = list(PRESETS)
    for at, name in enumerate(names, 1):
        sent = pressed(keyed, str(at), view())
        assert sent == [{"type": "preset", "value": name}]
    assert pressed(keyed, str(len(names) + 1), view()) == []


def test_a_button_of_a_preset_does_the_same_and_the_shown_one_is_marked(keyed, view):
    row = keyed.page.get_by_role("group", name="Start from").get_by_role("button")
    row.nth(3).click()
    assert keyed.last_move()["value"] == "costly_starts"

    keyed.show(view(1, bucket=3))
    marked = keyed.page.locator(".overlap-presets [aria-current]")
    expect(marked).to_have_text(["2 Three layers"])
    keyed.show(view(1, bucket=3, overhead_s=2e-3))
    expect(marked).to_have_count(0)


def test_each_letter_sends_its_move_where_it_can_do_something(keyed, view):
    first, second, *_, last = STEP_NAMES
    state = view(bucket=4, overhead_s=4e-3)
    best = state["explore"]["numbers"]["best_bucket"]
    assert best not in (1, 4)
    asked = covered_view(view)
    for key, shown, sent in (
        ("n", view(), setting("lesson", first)),
        ("k", view(), []),
        ("N", view(lesson=first), setting("lesson", second)),
        ("k", view(lesson=second), setting("lesson", first)),
        ("k", view(lesson=first), []),
        ("n", view(lesson=last), []),
        ("r", view(), []),
        ("q", view(), setting("predict", "tail")),
        ("q", asked, []),
        ("r", asked, setting("predict", "off")),
        ("m", state, setting("bucket", best)),
        ("m", asked, []),
        ("p", view(), setting("projector", "on")),
        ("p", view(projector="on"), setting("projector", "off")),
        ("d", view(theme="light"), setting("theme", "dark")),
        ("d", view(theme="dark"), setting("theme", "light")),
        ("d", view(projector="on"), []),
        ("0", view(), [{"type": "reset"}]),
    ):
        assert pressed(keyed, key, shown) == sent, (key, shown["state"])


def test_s_and_t_open_and_close_what_the_page_folds_away(keyed):
    panel = keyed.page.locator(".overlap-share")
    keyed.page.keyboard.press("s")
    expect(panel).to_be_visible()
    keyed.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert keyed.page.evaluate(HELD) == "Share"

    tables = keyed.page.locator(
        ".overlap-explore .overlap-table:not(.overlap-meanings)"
    )
    count = tables.filter(visible=True).count()
    assert count >= 3
    opened = keyed.page.locator(".overlap-explore .overlap-table[open]")
    keyed.page.keyboard.press("t")
    assert opened.count() == count
    keyed.page.keyboard.press("t")
    assert opened.count() == 0


def test_nothing_is_taken_from_who_types_or_combines(keyed):
    page = keyed.page
    box = keyed.box("Bandwidth")
    box.fill("")
    box.press_sequentially("5p0d")
    expect(box).to_have_value("5p0d")
    page.get_by_label("Scenario").focus()
    for key in ("p", "2", "?"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Share").focus()
    for keys in ("Control+p", "Alt+d", "Meta+0"):
        page.keyboard.press(keys)
    page.evaluate(PRESS, [".overlap-page", "p", "KeyP", {"repeat": True}])
    assert keyed.moves() == []
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_keys_work_on_sliders_other_layouts_and_only_with_focus(keyed, view):
    """A Cyrillic keyboard has another letter there; a French one digits with Shift."""
    page = keyed.page
    keyed.slider().focus()
    assert pressed(keyed, "p", view()) == setting("projector", "on")
    page.locator(".overlap-curve [role=slider]").focus()
    assert len(pressed(keyed, "m", view(bucket=3))) == 1  # of the curve alone

    root = ".overlap-page"
    keyed.show(view(len(keyed.moves())))
    page.evaluate(PRESS, [root, "\u0437", "KeyP", {}])
    assert keyed.last_move()["key"] == "projector"
    page.evaluate(PRESS, [root, "é", "Digit2", {}])
    assert keyed.last_move()["value"] == "three_layers"
    count = len(keyed.moves())
    page.evaluate(PRESS, [root, "@", "Digit2", {"shiftKey": True}])
    page.evaluate(PRESS, [root, "a", "KeyQ", {}])  # French: Q is where A was
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    assert len(keyed.moves()) == count


def test_one_switch_turns_all_keys_off_and_stays_off(keyed, view):
    page = keyed.page
    page.get_by_role("button", name="Display").click()
    page.get_by_role("checkbox", name="Keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Share").focus()
    for key in ("p", "1", "b", "?"):
        page.keyboard.press(key)
    keyed.show(view(lang="es"))
    page.get_by_role("button", name="Compartir").focus()
    page.keyboard.press("p")
    assert keyed.moves() == []
    assert page.locator("[data-blank]").count() == 0


@pytest.mark.parametrize(
    ("controls", "silent", "live"),
    [
        ("bucket,share", "p1nqdb?m", ""),
        ("bucket,projector", "1nq0ds", "pm"),
        ("projector,lesson", "1q0dsm", "n"),
    ],
)
def test_a_part_that_is_left_out_takes_its_keys_along(
    keyed, view, controls, silent, live
):
    state = view(controls=controls)
    keyed.show(state)
    keyed.page.locator("button:visible").first.focus()
    for key in silent:
        assert pressed(keyed, key, state) == [], key
    for key in live:
        assert len(pressed(keyed, key, state)) == 1, key
    expect(keyed.page.get_by_role("dialog")).to_be_hidden()


def test_the_list_has_every_key_and_gives_focus_back(keyed):
    page = keyed.page
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    assert page.evaluate(HELD) == "Close"
    keys = re.findall(r'^  \["(.)", "(?!help)', KEYS_JS.read_text(), re.M)
    listed = dialog.locator("kbd").all_inner_texts()
    assert listed[1:-3] == [key.upper() for key in keys]
    assert listed[0] == f"1\u2013{len(PRESETS)}"
    page.keyboard.press("p")  # the page behind is out of reach
    assert keyed.moves() == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.evaluate(HELD) == "Share"
    page.keyboard.press("?")
    page.keyboard.press("?")
    expect(dialog).to_be_hidden()


def test_each_action_of_the_list_is_a_button_too(keyed):
    page = keyed.page
    page.get_by_role("button", name="Display").click()
    page.get_by_role("button", name="Show all keys").click()
    page.get_by_role("button", name="P Projector on or off").click()
    assert keyed.last_move()["key"] == "projector"
    expect(page.get_by_role("dialog")).to_be_hidden()
