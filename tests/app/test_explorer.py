"""A session: moves in, view state out; nothing from a browser can break it."""

import json
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from panel.models.esm import DataEvent

from overlap_widget.app import explorer as explorer_module
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.front import Front
from overlap_widget.app.measured_moves import MEASURED_MOVES
from overlap_widget.model.traces import TraceError


@pytest.fixture
def trace_path():
    return Path(__file__).parents[2] / "static" / "example-trace.json.gz"


def view_of(explorer):
    return explorer.__panel__().parts["view"]


def say(explorer, **move):
    explorer.move({"seq": 1, **move})
    return view_of(explorer)


def test_a_session_starts_as_its_address_says():
    view = view_of(Explorer(query="?bucket=3&overhead=0.2ms&theme=dark"))

    assert view["state"]["bucket"] == 3
    assert view["state"]["overhead"] == 0.0002
    assert view["state"]["theme"] == "dark"


def test_a_move_is_answered_by_its_number_and_the_state_that_follows():
    explorer = Explorer()
    view = say(explorer, type="set", key="bucket", value=1, seq=7)

    assert explorer.__panel__().parts["seq"] == 7
    assert view["explore"]["numbers"]["tail_s"] == pytest.approx(0.0043333, rel=1e-4)
    assert "bucket=1&" in view["address"]


@pytest.mark.parametrize("sent", [None, [], "reset", 3, {"type": None}])
def test_what_is_no_move_at_all_changes_nothing(sent):
    explorer = Explorer(query="bucket=3")
    explorer.__panel__()._process_event(DataEvent(model=None, data=sent))

    assert view_of(explorer)["state"]["bucket"] == 3


def parts_sent(explorer, **move):
    """The parts of the state that a move hands the front."""
    front, sent = explorer.__panel__(), []
    front._send_msg = sent.append
    say(explorer, **move)
    (message,) = sent
    return json.loads(message["parts"]).keys() - {"seq"}


@pytest.mark.parametrize(
    ("key", "value", "parts"),
    [
        ("bucket", 7, {"view", "figures"}),
        ("plan", "ddp", {"view", "figures"}),
        ("bandwidth", 13e9, {"view", "figures", "sweep"}),
        ("overhead", 2e-3, {"view", "figures", "sweep", "map"}),
        ("axis", "overhead", {"view", "figures", "map"}),
        ("late", 1e-3, {"view", "figures", "sweep", "map"}),
    ],
)
def test_curve_and_map_are_sent_only_when_a_move_changes_them(key, value, parts):
    sent = parts_sent(Explorer(), type="set", key=key, value=value)

    assert sent == parts


def test_measured_mode_leaves_no_curve_behind_and_explore_brings_it_back():
    explorer = Explorer()
    parts_sent(explorer, type="set", key="mode", value="measured")
    front = explorer.__panel__()

    assert (front.parts["sweep"], front.parts["map"]) == ({}, {})
    assert parts_sent(explorer, type="set", key="mode", value="explore") >= {
        "sweep",
        "map",
    }


def test_two_sessions_share_no_state():
    first, second = Explorer(), Explorer()
    say(first, type="set", key="bucket", value=12)

    assert view_of(second)["state"]["bucket"] == 4


def test_reset_restores_the_scenarios_numbers_and_keeps_the_theme():
    explorer = Explorer(query="theme=light&bucket=9&bandwidth=3GB/s")
    view = say(explorer, type="reset")

    assert view["state"]["bandwidth"] == 12e9
    assert (view["state"]["bucket"], view["state"]["theme"]) == (4, "light")


def test_a_value_out_of_range_is_clamped_said_and_forgotten_with_the_next_move():
    explorer = Explorer()
    clamped = say(explorer, type="set", key="bucket", value=99)
    after = say(explorer, type="set", key="bucket", value=2)

    assert clamped["state"]["bucket"] == 12
    assert [notice["key"] for notice in clamped["notices"]] == ["notice.clamped"]
    assert after["notices"] == []


def test_recordings_open_by_path_one_or_several(trace_path):
    one, several = Explorer(trace_path), Explorer([str(trace_path), trace_path])

    assert view_of(one)["state"]["mode"] == "measured"
    assert len(one.measured.recordings) == 1
    assert len(several.measured.recordings) == 1  # the same file, opened twice


def test_a_path_that_isnt_a_trace_is_one_sentence():
    with pytest.raises(TraceError, match=r"no-such-file\.json"):
        Explorer("no-such-file.json")


def test_assigned_settings_are_shown():
    explorer = Explorer()
    explorer.settings = replace(explorer.settings, bucket=12)

    assert view_of(explorer)["state"]["bucket"] == 12


def test_an_unknown_setting_changes_nothing_and_is_said():
    view = say(Explorer(), type="set", key="colour", value=3)

    assert view["state"]["bucket"] == 4
    assert [notice["key"] for notice in view["notices"]] == ["notice.bad_move"]


def test_a_sent_file_is_read_and_shown_beside_what_was_open(trace_path):
    explorer = Explorer(query="mode=measured")
    data = trace_path.read_bytes()
    piece = {"type": "upload", "id": "a", "name": "mine.json.gz"}
    explorer.move({**piece, "size_bytes": len(data), "offset": 0, "data": data[:99]})
    explorer.move(
        {
            **piece,
            "size_bytes": len(data),
            "offset": 99,
            "data": data[99:],
            "last": True,
        }
    )
    wait([explorer.receiver.future])

    names = [one["name"] for one in view_of(explorer)["measured"]["recordings"]]
    assert names == ["example-trace.json.gz", "mine.json.gz"]
    assert explorer.receiver.upload is None


def test_a_piece_out_of_turn_ends_the_upload_in_one_sentence():
    explorer = Explorer()
    piece = {"type": "upload", "id": "a", "name": "mine.json", "size_bytes": 9}
    view = say(explorer, **piece, offset=4, data=b"late")

    assert "mine.json: a piece of the file is missing" in str(view["notices"])
    assert explorer.receiver.upload is None


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
MOVES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["set", "step", "device", "recording", "window", "upload"]
        )
        | st.sampled_from(["cancel_upload", "reset", "unknown"])
        | st.sampled_from(sorted(MEASURED_MOVES)),
    },
    optional={
        "key": st.sampled_from(["bucket", "bandwidth", "overhead", "mode"]) | PLAIN,
        "value": PLAIN,
        "seq": PLAIN,
        "start_s": PLAIN,
        "end_s": PLAIN,
        "id": PLAIN,
        "offset": PLAIN,
        "name": PLAIN,
        "size_bytes": PLAIN,
        "data": PLAIN,
    },
)


@given(st.lists(MOVES, max_size=4))
def test_no_move_from_a_browser_breaks_a_session(moves):
    explorer = Explorer()
    for move in moves:
        explorer.move(move)
    explorer.close()

    json.dumps(view_of(explorer), allow_nan=False)


def test_another_step_has_numbers_of_its_own():
    explorer = Explorer(query="mode=measured")
    spans_s = {
        index: say(explorer, type="step", value=index)["measured"]["numbers"]["span_s"]
        for index in range(4)
    }

    assert len(set(spans_s.values())) == 4


def test_a_second_file_takes_the_place_of_one_that_never_ended(trace_path):
    explorer = Explorer()
    data = trace_path.read_bytes()
    half = {"type": "upload", "id": "a", "name": "half.json.gz", "size_bytes": 10**6}
    explorer.move({**half, "offset": 0, "data": data[:500]})
    left_behind = explorer.receiver.upload.path
    whole = {"type": "upload", "id": "b", "name": "b.json.gz", "size_bytes": len(data)}
    explorer.move({**whole, "offset": 0, "data": data, "last": True})
    wait([explorer.receiver.future])

    assert not left_behind.exists()
    assert [one.path for one in explorer.measured.recordings] == ["b.json.gz"]


def test_settings_that_no_control_could_set_are_refused_before_they_are_assigned():
    explorer = Explorer()
    with pytest.raises(ValueError, match="bucket goes from 1 to 12, and 99"):
        explorer.settings = replace(explorer.settings, bucket=99)

    assert say(explorer, type="reset")["state"]["bucket"] == 4


def test_what_is_no_trace_is_named():
    assert Explorer(None).measured.recordings == ()
    with pytest.raises(TypeError, match="a trace is a path or a Recording, and 5"):
        Explorer([5])


@pytest.fixture
def handed_over(monkeypatch):
    """The files that sessions hand to their browsers: lists of name and text."""
    files = []
    monkeypatch.setattr(Front, "hand_over", lambda _, *file: files.append(file))
    return files


def test_an_export_hands_over_a_page_of_what_is_shown_and_no_new_view(
    monkeypatch, handed_over
):
    asked = []
    monkeypatch.setattr(
        explorer_module, "embedded_page", lambda *given: asked.append(given) or "<page>"
    )
    explorer = Explorer(query="bucket=3")

    assert parts_sent(explorer, type="export", seq=4) == set()
    assert handed_over == [("overlap.html", "<page>")]
    assert asked == [(explorer.settings, (), None)]
    assert explorer.__panel__().parts["seq"] == 4
    assert parts_sent(explorer, type="set", key="bucket", value=2) >= {"view"}
    assert len(handed_over) == 1


def test_an_export_takes_the_open_recordings_along(
    monkeypatch, handed_over, trace_path
):
    monkeypatch.setattr(
        explorer_module,
        "embedded_page",
        lambda _, recordings, place: f"{Path(recordings[0].path).name} {place}",
    )
    explorer = Explorer(str(trace_path))
    say(explorer, type="step", value=3)
    say(explorer, type="export")

    assert handed_over == [("overlap.html", f"{trace_path.name} (0, 0, 3)")]


def test_an_export_that_fails_is_one_notice(monkeypatch, handed_over):
    def fail(*_):
        raise RuntimeError("no room" + "!" * 99)

    monkeypatch.setattr(explorer_module, "embedded_page", fail)
    (notice,) = say(Explorer(), type="export")["notices"]

    assert notice["key"] == "error.export"
    assert notice["values"]["reason"] == "no room" + "!" * 53 + "…"
    assert handed_over == []
