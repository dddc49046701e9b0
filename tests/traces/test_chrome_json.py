"""The same events from every layout, however the text is cut; damage stays local."""

import json
import re
from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import chrome_json, event_runs
from overlap_widget.model.traces.chrome_json import Reading, events
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.list_end import CUT_OFF, ENDS_EARLY
from overlap_widget.model.traces.rescue import LOST
from overlap_widget.model.traces.wanted_events import Wanted

WANTED = Wanted(re.compile(rb'"cat"\s*:\s*"kernel"'), (b"ProfilerStep#",))
EVENTS = [
    {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}},
    {"ph": "X", "cat": "kernel", "name": "one {lambda()#1}", "ts": 1, "args": {"a": 2}},
    {"ph": "X", "cat": "cpu_op", "name": 'say "},{" to', "ts": 2, "args": {}},
    {"ph": "X", "cat": "kernel", "name": "two", "ts": 3, "args": {"grid": [8, 1, 1]}},
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "ts": 4, "dur": 9},
    {"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 7, "ts": 5},
    {"ph": "X", "cat": "kernel", "name": "three", "ts": 6, "args": {}},
    {"ph": "X", "cat": "cpu_op", "name": "last", "ts": 7, "args": {}},
]
FAKE = "an object in the arguments of an event"
WANTED_NAMES = ["one {lambda()#1}", "two", "ProfilerStep#4", "three"]
INFO = {"distributedInfo": {"backend": "nccl", "rank": 3}}


def kineto_layout(document):
    """As libkineto writes: events over several lines, arguments on one."""
    text = "{\n" + ",\n".join(
        f'  "{key}": {json.dumps(value)}' for key, value in document.items()
    )
    rows = []
    for event in document["traceEvents"]:
        args = event.get("args")
        flat = json.dumps({key: event[key] for key in event if key != "args"})[1:-1]
        tail = (
            "" if args is None else f',\n    "args": {{\n{json.dumps(args)[1:-1]}\n}}'
        )
        rows.append(f"  {{\n    {flat}{tail}\n  }}")
    listed = json.dumps(document["traceEvents"])
    return text.replace(listed, "[\n" + ",\n".join(rows) + "\n  ]") + "\n}"


def reordered(document):
    return {
        "traceEvents": [dict(reversed(one.items())) for one in document["traceEvents"]],
        **INFO,
    }


DOCUMENT = {**INFO, "traceEvents": EVENTS, "traceName": "x"}
LAYOUTS = {
    "kineto": kineto_layout(DOCUMENT),
    "indent 1": json.dumps(DOCUMENT, indent=1),
    "indent 2": json.dumps(DOCUMENT, indent=2),
    "minified": json.dumps(DOCUMENT, separators=(",", ":")),
    "one line": json.dumps(DOCUMENT),
    "events first, keys reversed": json.dumps(reordered(DOCUMENT), indent=2),
    "bare list": json.dumps(EVENTS, indent=1),
    "bare list, never closed": json.dumps(EVENTS)[:-1],
    "Windows line ends": json.dumps(DOCUMENT, indent=2).replace("\n", "\r\n"),
    "empty object first": json.dumps({"traceEvents": [{}, *EVENTS]}),
    "comma first": '{ "traceEvents":[{}\n'
    + "".join(f",{json.dumps(one)}\n" for one in EVENTS)
    + "]}\n",
}


def read(text, size=None, wanted=WANTED):
    """All wanted names, from pieces of a size, and what was found beside."""
    raw = text if isinstance(text, bytes) else text.encode()
    size = size or max(len(raw), 1)
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    reading = Reading()
    with patch.object(event_runs, "RUN_BYTES", size):
        found = [one for batch in events("t", pieces, wanted, reading) for one in batch]
    names = [one["name"] for one in found if one.get("name") in [*WANTED_NAMES, FAKE]]
    return names, reading


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [1, 7, 64, 333, 5000])
def test_every_layout_gives_the_same_events_however_it_is_cut(layout, size):
    names, reading = read(LAYOUTS[layout], size)
    assert names == WANTED_NAMES
    early = Counter({ENDS_EARLY: 1}) if "never closed" in layout else Counter()
    assert reading.damage == early


@pytest.mark.parametrize(
    "layout", ["kineto", "minified", "events first, keys reversed"]
)
@pytest.mark.parametrize("size", [50, 5000])
def test_the_rank_is_noted_before_or_behind_the_events(layout, size):
    _, reading = read(LAYOUTS[layout], size)
    assert b'"rank": 3' in b"".join([reading.head, *reading.notes]) or (
        b'"rank":3' in reading.head
    )


def test_decimals_of_an_event_stay_text():
    found = events("t", [b'[{"cat":"kernel","ts":1.250}]'], WANTED, Reading())
    assert [one["ts"] for batch in found for one in batch] == ["1.250"]


def test_an_unwanted_event_may_be_as_broken_as_it_likes():
    broken = '{"ph":"X","cat":"cpu_op","name":"C:\\users" "x",,"ts":[}'
    text = json.dumps(EVENTS, separators=(",", ":")).replace(
        '{"ph":"M"', broken + ',{"ph":"M"'
    )
    assert read(text) == (WANTED_NAMES, Reading(met=True))


INNER = [{"x": number} for number in range(3)]


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("size", [None, 40, 200])
def test_objects_inside_the_arguments_of_an_event_do_not_break_it(separators, size):
    rows = [
        one | {"args": {"list": INNER}} if one["ph"] == "X" else one for one in EVENTS
    ]
    names, reading = read(json.dumps(rows, separators=separators), size)
    assert names == WANTED_NAMES
    assert reading.damage.total() == 0


def test_an_event_inside_the_arguments_of_an_event_is_none():
    fake = [{"ph": "X", "cat": "kernel", "name": FAKE, "ts": 1}]
    bare = {key: EVENTS[3][key] for key in ("ph", "cat", "name", "ts")}
    rows = [
        EVENTS[1] | {"args": {"list": INNER}},
        {"args": {"list": INNER + fake + INNER}} | bare,
        EVENTS[4],
        EVENTS[6] | {"args": {"list": INNER}},
    ]
    names, reading = read(json.dumps(rows))
    assert names == WANTED_NAMES
    assert reading.damage.total() == 0


def test_a_broken_last_event_that_nobody_wants_is_not_worth_a_word():
    broken = r'{"ph":"X","cat":"cpu_op","name":"C:\users","ts":9}'
    names, reading = read(f"{json.dumps(EVENTS)[:-1]}, {broken}]")
    assert names == WANTED_NAMES
    assert reading.damage.total() == 0


def test_an_event_cut_behind_a_list_of_objects_is_cut_off():
    last = json.dumps(EVENTS[1] | {"args": {"list": INNER, "then": "more"}})
    names, reading = read(json.dumps(EVENTS)[:-1] + "," + last[:-9])
    assert names == WANTED_NAMES
    assert reading.damage == {ENDS_EARLY: 1, CUT_OFF: 1}


def test_a_missing_comma_loses_nothing():
    text = json.dumps(EVENTS, indent=1).replace(
        '},\n {\n  "ph": "X"', '}\n {\n  "ph": "X"'
    )
    names, reading = read(text)
    assert names == WANTED_NAMES
    assert reading.damage[LOST] == 0


def test_what_can_not_be_mended_is_counted_and_its_neighbours_stay():
    text = json.dumps(EVENTS, indent=1).replace('"ts": 3', '"ts": [3')
    names, reading = read(text)
    assert names == ["one {lambda()#1}", "ProfilerStep#4", "three"]
    assert reading.damage == {LOST: 1}


@pytest.mark.parametrize("layout", ["kineto", "minified", "indent 2"])
def test_a_text_cut_anywhere_gives_the_events_before_the_cut(layout):
    text = LAYOUTS[layout]
    start = re.search(r'"traceEvents"\s*:\s*\[', text).end()
    closed = text.rindex("]") + 1
    for cut in range(start, len(text)):
        names, reading = read(text[:cut])
        assert names == WANTED_NAMES[: len(names)]
        assert reading.damage[LOST] == 0
        whole = max(text[:cut].count('"ph"') - 1, 0)  # the last one may be cut
        assert len(names) >= sum(one["name"] in WANTED_NAMES for one in EVENTS[:whole])
        if cut < closed:
            assert reading.damage[ENDS_EARLY] == 1
            assert reading.damage[CUT_OFF] <= 1


@given(st.lists(st.integers(1, 900), max_size=12), st.sampled_from(sorted(LAYOUTS)))
def test_cuts_between_pieces_never_show(sizes, layout):
    raw, pieces = LAYOUTS[layout].encode(), []
    for size in sizes:
        pieces.append(raw[:size])
        raw = raw[size:]
    with patch.object(event_runs, "RUN_BYTES", 1):
        found = events("t", [*filter(None, pieces), raw or b" "], WANTED, Reading())
        names = [one["name"] for batch in found for one in batch if "name" in one]
    assert [name for name in names if name in WANTED_NAMES] == WANTED_NAMES


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"model": "ResNet-18"}', "is JSON, but not a trace"),
        ('{"schemaVersion": 1, "deviceProperties": [{"id"', "breaks off or is damaged"),
        ('{"traceEvents": null}', "is JSON, but not a trace"),
        ('{"name": "\\"traceEvents\\": ["}', "is JSON, but not a trace"),
    ],
)
def test_a_text_without_a_list_of_events_is_refused(text, said):
    with pytest.raises(TraceError, match=said):
        read(text)


def test_a_text_without_an_end_in_sight_is_refused(monkeypatch):
    for module in (chrome_json, event_runs):
        monkeypatch.setattr(module, "HELD_BYTES", 10_000)
    with pytest.raises(TraceError, match="no event ends"):
        read('{"traceEvents": [{"name": "' + "x" * 50_000, size=1000)
    with pytest.raises(TraceError, match=r"no list of events .* in its first"):
        read('{"name": "' + "x" * 50_000, size=1000)


def test_texts_that_matter_only_until_something_is_met_are_searched_no_longer(
    monkeypatch,
):
    wanted = Wanted(WANTED.pattern, until_met=(b"gloo",))
    pieces = [
        b'[{"ph":1,"name":"gloo"},{"ph":1,"cat":"kernel"},',
        b'{"ph":1,"name":"gloo"},{"ph":1}]',
    ]
    monkeypatch.setattr(event_runs, "RUN_BYTES", 1)
    found = [one for batch in events("t", pieces, wanted, Reading()) for one in batch]
    assert [one for one in found if one.get("name") == "gloo"] == [
        {"ph": 1, "name": "gloo"}
    ]
