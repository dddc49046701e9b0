"""A session: moves in, view state out; nothing from a browser can break it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.explorer import Explorer


def view_of(explorer):
    return explorer.__panel__().view


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

    assert explorer.__panel__().seq == 7
    assert view["explore"]["numbers"]["tail_s"] == pytest.approx(0.0043333, rel=1e-4)
    assert "bucket=1&" in view["address"]


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
        | st.sampled_from(["cancel_upload", "reset", "unknown"]),
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
