"""docs/teaching.md: minutes add up, questions are those asked, letters are right."""

import re
from pathlib import Path

import pytest

from overlap_widget.app.address import read_address
from overlap_widget.app.lesson import PRESETS, STEP_NAMES
from overlap_widget.app.settings import simulation_of
from overlap_widget.app.sweep_view import sweep_of
from overlap_widget.app.words import words
from overlap_widget.model.units import MS

FRONT = Path(__file__).parents[2] / "static" / "front"
PLANS = {"Seven": 7, "Twenty": 20, "Forty-five": 45}
SAYS = {
    "overlap": "wait|guess",
    "floor": "tail",
    "balance": "Which size is best|are best",
    "queue": "how long is the tail|Guess",
    "lever": "takes most off|traffic below work",
    "measured": "recorded step",
}
"""What the plans say where a step of the lesson is opened."""

KEYS = re.compile(r"^\| key \| what.*?(?=^[^|])", re.M | re.S)


def rows(teaching, plan):
    part = teaching.prose.split(f"### {plan} minutes\n")[1].split("\n#")[0]
    found = re.findall(r"^\| (\d+)-(\d+) \| (.*?) \| (.*?) \|$", part, re.M)
    return [(int(start), int(end), do, see) for start, end, do, see in found]


@pytest.mark.parametrize("plan", PLANS)
def test_the_minutes_of_a_plan_follow_each_other_and_add_up(plan, teaching):
    starts, ends, *_ = zip(*rows(teaching, plan), strict=True)
    assert starts == (0, *ends[:-1])
    assert ends[-1] == PLANS[plan]
    assert f"[{PLANS[plan]}](#{plan.lower()}-minutes)" in teaching.prose
    assert all(start < end for start, end in zip(starts, ends, strict=True))


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_opens_steps_of_the_lesson_in_their_order(plan, teaching):
    found = rows(teaching, plan)
    opened = [
        (name, at)
        for at, row in enumerate(found)
        for name in re.findall(r"^`\?lesson=(\w+)`", row[2])
    ]
    names = [name for name, _ in opened]
    assert names == [name for name in STEP_NAMES if name in names]
    for name, at in opened:
        asked = " ".join(row[2] for row in found[at : at + 2])
        assert re.search(SAYS[name], asked), name


def test_the_longest_plan_has_every_step_of_the_lesson(teaching):
    text = " ".join(row[2] for row in rows(teaching, "Forty-five"))
    assert re.findall(r"lesson=(\w+)", text) == [*STEP_NAMES]


def test_the_table_of_numbers_has_rows_for_each_claim_in_their_order(teaching):
    claims = re.findall(r"^\| (\d) \| `", teaching.prose, re.M)
    part = teaching.text.split("## What students must see")[1].split("\n## ")[0]
    assert [*dict.fromkeys(claims)] == re.findall(r"^(\d)\. \*\*", part, re.M)
    assert claims == sorted(claims)


def test_the_table_of_keys_has_every_key_with_what_the_screen_says_of_it(teaching):
    listed = re.findall(r"^\| (\S+) \| (.*?) \|$", KEYS.search(teaching.prose)[0], re.M)
    keys = re.findall(r'^  \["(.)", "(\w+)", "', (FRONT / "keys.js").read_text(), re.M)
    says = {key.upper(): words(f"key.{name}") for key, name in keys if name != "help"}
    assert dict(listed[1:]) == {
        **says,
        "?": words("keys.open"),
        f"1-{len(PRESETS)}": words("key.presets"),
    }
    presets = (f"{at} {words(f'preset.{name}')}" for at, name in enumerate(PRESETS, 1))
    assert f"The presets: {', '.join(presets)}." in teaching.prose


# --- Questions ---------------------------------------------------------------------


def questions(teaching):
    """(question, letter, answer) of each, in their order."""
    part = teaching.prose.split("### Choose one\n")[1].split("\n#")[0]
    return re.findall(r"^\d\. (.*)\n\*\*([a-d])[.*,]+ ?(.*)$", part, re.M)


def option(question, letter):
    return re.search(rf"\({letter}\) (.*?)(?:,? \([b-d]\)|\?)", question)[1].rstrip(",")


def number(text):
    return float(re.match(r"[\d.]+", text)[0])


def tail_ms(state):
    return simulation_of(read_address(state)[0]).tail.total_s / MS


def test_the_letter_of_an_answer_is_that_of_the_right_option(teaching):
    asked = questions(teaching)
    assert len(asked) == 7
    right = [option(question, letter) for question, letter, _ in asked]
    whole, fast = (
        simulation_of(read_address(state)[0]).step_s / MS
        for state in ("bucket=12", "scenario=fast-hardware&bucket=1")
    )
    assert right[0] == "the last one sent"
    assert number(right[1]) == pytest.approx(whole, rel=5e-3)
    assert number(right[2]) == sweep_of(read_address("lesson=balance")[0]).best.bucket
    assert number(right[3]) == pytest.approx(fast, rel=5e-3)
    assert right[5] == "one can't tell"
    later = tail_ms("bucket=4&late=5ms") - tail_ms("bucket=4")
    assert number(right[6]) == pytest.approx(later)


def test_of_the_changes_of_question_five_only_the_right_one_reaches_the_goal(teaching):
    question, letter, answer = questions(teaching)[4]
    goal = number(re.search(r"tail below (.*?) ms", question)[1])
    states = re.findall(teaching.state, answer)
    letters = [letter, *re.findall(r"\(([a-d])\) `", answer)]
    assert sorted(letters) == [*"abcd"]
    reached = [
        one for one, state in zip(letters, states, strict=True) if tail_ms(state) < goal
    ]
    assert reached == [letter]
    says = dict(zip(letters, states, strict=True))
    for one, part in {
        "a": "bucket=1",
        "b": "plan=best",
        "c": "overhead=500us",
        "d": "bandwidth=24GB/s",
    }.items():
        assert part in says[one].split("&")
