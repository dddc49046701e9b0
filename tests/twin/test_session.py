"""A session of the twin answers every move as Explorer does, the mistaken ones too."""

import json
from dataclasses import replace
from random import Random
from urllib.parse import quote

import numpy as np
import pytest

from overlap_widget.app.address import address as address_of
from overlap_widget.app.address import read_address
from overlap_widget.app.against import compared
from overlap_widget.app.comparison_view import both_figures
from overlap_widget.app.cover import covered_recording, question_of
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lesson import PRESETS, QUESTIONS, STEP_NAMES
from overlap_widget.app.measured import example
from overlap_widget.app.measured_data import measured_data
from overlap_widget.app.step_view import shown_window
from overlap_widget.app.stream_columns import stream_columns
from overlap_widget.app.twin_data import twin_data
from overlap_widget.model.links import LINKS
from overlap_widget.model.rules import RULES
from overlap_widget.model.timeline import Kind
from overlap_widget.model.units import NS

SESSIONS, MOVES = 30, 25
PLAY = """([query, moves]) => {
  const session = twin.createSession(recorded, query);
  return [toText(session.view()), ...moves.map((move) => toText(session.move(move)))];
}"""
RUN = "example-trace.json.gz step 11"
NAMES = ("course", "gpt2-small", "resnet-18", RUN)
NUMBERS = {
    "bucket": (1, 4, 12, 3.5, "7", "999", -1),
    "bandwidth": (12000000000, 1234567890.5, 1, "3.3GB/s", "100Gb/s", "7 parsecs"),
    "overhead": (0, 1e-3, 1.23456789e-5, "200us", "1 ms", "2 hours", -5),
    "ranks": (2, 8, 1024, 7.5, "64", 1),
    "port": (25000000000, "100Gb/s", 1, "1800GB/s"),
    "slowdown": (0, 0.19, "18.9%", 5, "-0.1"),
    "late": (0, 0.004, "30us", 1000),
    "micro_steps": (1, 2, 3, "2.5", 99),
}
CHOICES = {
    "scenario": (*NAMES, "no such"),
    "mode": ("explore", "explore", "measured", "both"),
    "theme": ("auto", "dark", "neon"),
    "plan": ("layers", *RULES, "measured", "mine"),
    "link": ("own", *LINKS, "v100-pcie-4-table", "wire"),
    "overlap": ("on", "off", True),
    "sync": ("every", "last"),
    "axis": ("bandwidth", "overhead", "time"),
    "lesson": ("off", *STEP_NAMES, "2", 3, "9"),
    "predict": ("off", "off", *QUESTIONS, "1", 0, "who"),
    "projector": ("on", "off", "1", "loud"),
    "lang": ("en", "es", "xx"),
    "controls": ("all", "none", "overhead,bucket", "bucket,bucket", "", "knobs"),
    "show": ("lanes", "all", "lanes,map", "verdict,lanes,curve,map,numbers,tables"),
}
ODD = (None, True, "", "nan", "inf", "1_0", "<b>" * 40, 1e300, "\N{BICYCLE}" * 70)
WHOLE = (0, 1, 2, 3, 99, -1, "1", " 2 ", "1_0", 1.5, True, "one", None, "")
TIMES = (0, 0.01, 0.02, -1, "0.01", 1e300, "now", None)


def two_devices():
    """The example again, with every other kernel on a second device."""
    recording = example()
    device = np.arange(len(recording.spans)) % 2
    return replace(recording, path="two.json", device=device.astype(np.int32))


def late_rank():
    """The example as another rank saw it: its first transfer begins 1 ms later."""
    recording = example()
    spans = recording.spans
    first = np.argmax(spans.kind == Kind.COMMUNICATION)
    start_s = spans.start_s.copy()
    start_s[first] = min(start_s[first] + 1e-3, spans.end_s[first])
    return replace(recording, rank=1, spans=replace(spans, start_s=start_s))


@pytest.fixture(scope="module")
def recordings():
    return [example(), two_devices(), replace(late_rank(), path="rank.json")]


@pytest.fixture(scope="module")
def page(twin, recordings):
    """The twin beside the data of a page with two recordings."""
    given = twin_data() | {"start": ""}
    given["measured"] = measured_data(recordings)
    twin.evaluate(
        "(text) => { globalThis.recorded = JSON.parse(text); }", json.dumps(given)
    )
    return twin


def drawn_setting(random):
    key, values = random.choice([*NUMBERS.items(), *CHOICES.items()])
    return {"key": key, "value": random.choice(random.choice([values, values, ODD]))}


def drawn_move(random):
    """A move of any kind, now and then with a mistake in it."""
    kind = random.choice(
        ["set"] * 12
        + ["reset", "recording", "device", "step", "step", "window", "jump"]
        + ["try", "try"]
        + ["rank", "rank", "against", "against", "against_device", "against_step"]
        + ["swap"]
        + ["preset"]
    )
    move = {"type": kind, "seq": random.choice([1, 7, None, "3", 2.5])}
    if kind == "set":
        move |= drawn_setting(random)
    elif kind == "window":
        move |= {"start_s": random.choice(TIMES), "end_s": random.choice(TIMES)}
    elif kind == "preset":
        move["value"] = random.choice([*PRESETS, "no such", None])
    elif kind not in ("reset", "swap"):
        move["value"] = random.choice(WHOLE)
    if random.random() < 0.05:
        del move[random.choice(list(move))]
    return move | ({"key": "colour"} if random.random() < 0.03 else {})


def whole_figure(explorer):
    """The figure of the step in marks so fine that no others need to follow."""
    measured = replace(explorer.measured, window_s=None)
    figure = finest(measured)
    if measured.against is None:
        return {"recording": figure}
    return both_figures(figure, finest(compared(measured)))


def finest(measured):
    return stream_columns(measured, shown_window(measured), finest_s=NS)


def differing(differences, explorer, text):
    if explorer.settings.mode == "explore":
        return differences(explorer, text)
    figures = whole_figure(explorer)
    if question_of(explorer.settings):
        figures = covered_recording(figures)
    return differences(explorer, text, figures=figures)


@pytest.mark.parametrize("number", range(SESSIONS))
def test_each_move_is_answered_as_explorer_answers_it(
    number, page, recordings, differences
):
    random = Random(number)
    mode = random.choice(["explore", "measured"])
    query = (
        f"?mode={mode}&scenario={quote(random.choice(NAMES))}&bucket={number}&lanes=2"
    )
    moves = [drawn_move(random) for _ in range(MOVES)]
    first, *found = page.evaluate(PLAY, [query, moves])
    explorer = Explorer(recordings, query=query)

    assert differing(differences, explorer, first) == [], query
    for at, (move, text) in enumerate(zip(moves, found, strict=True)):
        explorer.move(move)
        assert differing(differences, explorer, text) == [], moves[: at + 1]


def test_a_page_begins_at_the_step_that_was_shown(page, recordings):
    data = json.dumps({"measured": measured_data(recordings, (1, 1, 3))})
    view = page.evaluate(
        """(text) => twin.createSession(
            { ...recorded, ...JSON.parse(text) }, "mode=measured").view().measured""",
        data,
    )

    assert (view["recording"], view["device"], view["step"]) == (1, 1, 3)


# --- How a page starts, and what it goes back to ------------------------------------

START = "scenario=resnet-18&bucket=5&overhead=77us&theme=dark&show=lanes"
SHOWN = """([start, query, moves]) => {
  const session = twin.createSession({ ...data, start }, query);
  for (const move of moves) session.move(move);
  const { state, address, notices } = session.view();
  return [state, address, notices.map(({ key }) => key)];
}"""


def shown(twin, start, query, *moves):
    """State, address and keys of notices after some moves."""
    return twin.evaluate(SHOWN, [start, query, list(moves)])


@pytest.mark.parametrize("query", ["", "#", "?", "&&", "=5"])
def test_without_keys_a_page_starts_as_it_was_exported(query, twin):
    state, address, notices = shown(twin, START, query)

    assert (state["scenario"], state["bucket"], state["theme"]) == (
        "resnet-18",
        5,
        "dark",
    )
    assert address == Explorer(query=START).__panel__().parts["view"]["address"]
    assert notices == []


def test_an_anchor_of_another_page_starts_it_as_exported_and_is_said(twin):
    state, _, notices = shown(twin, START, "#lesson-2")

    assert state["bucket"] == 5
    assert notices == ["notice.unknown_key"]


def test_what_an_address_leaves_out_is_as_the_page_was_exported(twin):
    state, address, notices = shown(twin, START, "bucket=3&theme=light")
    settings, _ = read_address("bucket=3&theme=light", read_address(START)[0])

    assert (state["scenario"], state["bucket"]) == ("resnet-18", 3)
    assert address == address_of(settings)
    assert notices == []


def test_a_whole_address_leaves_nothing_to_how_the_page_was_exported(twin):
    whole = address_of(read_address("scenario=bert-base&bucket=3&plan=best")[0])

    assert shown(twin, START, whole) == shown(twin, "", whole)
    assert shown(twin, START, whole)[1] == whole


def test_what_is_wrong_with_the_start_is_said(twin):
    assert shown(twin, "bucket=0", "")[2] == ["notice.clamped"]
    assert shown(twin, "bucket=0", "bucket=2")[2] == []


def test_reset_goes_back_to_the_start_and_leaves_mode_and_theme_to_the_reader(twin):
    moves = [
        {"type": "set", "key": "late", "value": 0.002},
        {"type": "set", "key": "bucket", "value": 2},
        {"type": "set", "key": "theme", "value": "light"},
        {"type": "reset"},
    ]
    state, _, _ = shown(twin, START, "mode=measured", *moves)

    assert (state["scenario"], state["bucket"], state["overhead"]) == (
        "resnet-18",
        5,
        7.7e-5,
    )
    assert (state["theme"], state["mode"], state["show"]) == (
        "light",
        "measured",
        "lanes",
    )
    assert state["late"] == 0


def test_reset_starts_another_scenario_as_it_starts_anywhere(twin):
    moves = [
        {"type": "set", "key": "scenario", "value": "bert-base"},
        {"type": "set", "key": "bucket", "value": 2},
        {"type": "reset"},
    ]
    expected = read_address("scenario=bert-base&theme=dark&show=lanes")[0]
    assert shown(twin, START, "", *moves)[1] == address_of(expected)


def test_without_a_start_reset_keeps_the_scenario_as_explorer_does(twin):
    moves = [
        {"type": "set", "key": "scenario", "value": "resnet-50"},
        {"type": "set", "key": "bandwidth", "value": 2_000_000_000},
        {"type": "reset"},
    ]
    explorer = Explorer()
    for move in moves:
        explorer.move(move)

    assert shown(twin, "", "", *moves)[0] == explorer.__panel__().parts["view"]["state"]


def test_a_page_without_recordings_has_nothing_to_measure(twin):
    moves = [{"type": "step", "value": 1}, {"type": "step", "value": "one"}]
    found = twin.evaluate(
        """(moves) => {
          const session = twin.createSession(data, "mode=measured");
          const views = moves.map((move) => session.move(move));
          return views.map((view) => [view.measured, view.figures, view.explore]);
        }""",
        moves,
    )

    assert found == [[None, {}, None]] * 2


@pytest.mark.parametrize(
    ("key", "value", "same"),
    [
        ("bucket", 7, [True, True]),
        ("plan", "ddp", [True, True]),
        ("bandwidth", 13_000_000_000, [False, True]),
        ("overhead", 2e-3, [False, False]),
        ("axis", "overhead", [True, False]),
        ("late", 1e-3, [False, False]),
        ("link", "v100-pcie-4-table", [False, True]),  # the line of this table was set
    ],
)
def test_curve_and_map_are_the_same_objects_while_nothing_of_them_changes(
    key, value, same, twin
):
    found = twin.evaluate(
        """(move) => {
          const start = "link=v100-pcie-4";
          const session = twin.createSession({ ...data, start }, "");
          const before = session.view();
          const after = session.move({ type: "set", ...move });
          const back = session.move({ type: "reset" });
          const parts = ["sweep", "map"];
          const isSame = (one, other) => parts.map((part) => one[part] === other[part]);
          return [isSame(before, after), isSame(before, back)];
        }""",
        {"key": key, "value": value},
    )

    assert found == [same, [True, True]]
