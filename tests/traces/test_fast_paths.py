"""The fast ways through a trace give what its whole document gives, event by event."""

import json
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import event_runs, kineto
from overlap_widget.model.traces.chrome_json import Reading, typed_events
from overlap_widget.model.traces.exact_time import FAR_NS
from overlap_widget.model.traces.gathering import gather
from overlap_widget.model.traces.kineto_events import event_of
from overlap_widget.model.traces.kineto_layout import wanted_texts

NAMES = [
    "gemm",
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL()",
    "Memcpy PtoP (Device -> Device)",
    'a "quoted" name\\',
    'x",\n  "cat": "kernel", "ts": 1\n  },\n  {',
    "ProfilerStep#3",
    "autograd::engine::evaluate_function: AddmmBackward0",
    "Optimizer.step#AdamW.step",
    "gloo:all_reduce",
    "cudaLaunchKernel",
    "cudaEventRecord",
    "hipLaunchKernel",
    "größe",
]
CATEGORIES = [
    *("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver"),
    *("cpu_op", "python_function", "user_annotation", "gpu_user_annotation"),
    *("overhead", "Kernel", "Memcpy", "Runtime", "Operator", "cuda_sync", "novel"),
]
TIMES = st.one_of(
    st.integers(0, 2 * 10**15).map(str),
    st.tuples(st.integers(0, 2 * 10**15), st.integers(0, 999)).map(
        lambda time: f"{time[0]}.{time[1]:03}"
    ),
    st.sampled_from(['"12.5"', "3.25", "1e3", "0.1234", "-7", "null"]),
)
PLACES = st.sampled_from(["0", "1", "7", '"stream 7"', '"7"', "2.0", "null"])
ARGS = st.fixed_dictionaries(
    {},
    optional={
        "device": PLACES,
        "stream": PLACES,
        "correlation": st.sampled_from(["0", "5", "70123", '"9"', "null"]),
        "graph node id": st.sampled_from(["0", "12"]),
        "grid": st.just("[8, 1, 1]"),
        "Collective name": st.sampled_from(['"allreduce"', '""', "null"]),
        "In msg nelems": st.sampled_from(["100", '"7"']),
        "dtype": st.sampled_from(['"Float"', '"BFloat16"']),
        "Process Group Name": st.sampled_from(['"0"', '"dp"']),
        "Process Group Ranks": st.sampled_from(['"[0, 1]"', '"[0, 1, ...]"', "[2, 3]"]),
        "Group size": st.just("4"),
    },
)
EVENTS = st.lists(
    st.tuples(
        st.sampled_from("XXXXXXsfiMB"),
        st.sampled_from(CATEGORIES),
        st.sampled_from(NAMES),
        *(PLACES, PLACES, TIMES, TIMES, ARGS),
    ),
    min_size=1,
    max_size=12,
)


def as_kineto(event):
    """The text that libkineto writes of an event."""
    ph, cat, name, pid, tid, ts, dur, args = event
    cat, name = json.dumps(cat), json.dumps(name)
    place = f'"pid": {pid}, "tid": {tid}'
    if ph in "sf":
        first = f'"ph": "{ph}", "id": 7, {place}, "ts": {ts}'
        return f'  {{\n    {first},\n    "cat": {cat}, "name": {name}\n  }}'
    if ph == "M":
        first = f'"name": {name}, "ph": "M", "ts": {ts}, {place}'
    else:
        first = f'"ph": "{ph}", "cat": {cat}, "name": {name}, {place},\n    "ts": {ts}'
        first += f', "dur": {dur}'
    noted = ", ".join(f'"{key}": {value}' for key, value in args.items())
    return f'  {{\n    {first},\n    "args": {{\n      {noted}\n    }}\n  }}'


def on_one_line(event):
    return " ".join(as_kineto(event).split("\n"))


def document(texts):
    return '{\n  "traceEvents": [\n' + ",\n".join(texts) + "\n  ]\n}"


def columns_of(text, run_bytes=1 << 17):
    raw = text.encode()
    with patch.object(event_runs, "RUN_BYTES", run_bytes):
        pieces = [raw[at : at + run_bytes] for at in range(0, len(raw), run_bytes)]
        reading = Reading()
        found = gather(
            typed_events("t", pieces, kineto._WANTED, kineto._TYPED, reading)
        )
    assert reading.damage.total() == 0
    return found


def whole_document(text):
    """The slow twin: all is decoded by the standard library, nothing passed over."""
    events = json.loads(text, parse_float=str)["traceEvents"]
    return gather([[event_of(event) for event in events]])


def assert_same(found, expected):
    for table in ("work", "launches", "ranges"):
        ours, theirs = getattr(found, table), getattr(expected, table)
        for name in theirs:
            np.testing.assert_array_equal(ours[name], theirs[name], f"{table} {name}")
    for value in ("names", "groups", "marks"):
        assert getattr(found, value) == getattr(expected, value)
    assert +found.seen == +expected.seen


@given(EVENTS, st.integers(100, 900))
def test_libkinetos_layout_gives_what_the_whole_document_gives(events, run_bytes):
    text = document(map(as_kineto, events))
    expected = whole_document(text)
    assert_same(columns_of(text), expected)
    assert_same(columns_of(text, run_bytes), expected)


@given(EVENTS, EVENTS, st.data())
def test_events_in_other_layouts_among_them_are_not_lost(events, others, data):
    texts = [*map(as_kineto, events)]
    for other in others:
        texts.insert(data.draw(st.integers(0, len(texts))), on_one_line(other))
    assert_same(columns_of(document(texts)), whole_document(document(texts)))


@given(EVENTS)
def test_a_rewritten_document_gives_the_same_however_it_is_laid_out(events):
    whole = json.loads(document(map(as_kineto, events)))
    for layout in ({"indent": 1}, {"separators": (",", ":")}, {"sort_keys": True}):
        text = json.dumps(whole, **layout)
        assert_same(columns_of(text), whole_document(text))


KERNEL = ("X", "kernel", "gemm", "0", "7", "1.250", "2.500", {"stream": "7"})
ASIDE = ("X", "cpu_op", "aten::mm", "9", "9", "1.000", "2.000", {"Ev Idx": "3"})
ARROW = ("s", "ac2g", "ac2g", "9", "9", "1.000", "", {})


def run_of(*events):
    return ("\n" + ",\n".join(map(as_kineto, events))).encode()


def test_only_wanted_events_are_kept_of_a_run():
    run = run_of(ASIDE, KERNEL, ARROW, ASIDE, KERNEL, ARROW)
    assert wanted_texts(run) == [as_kineto(KERNEL).strip().encode()] * 2


def test_a_run_of_unwanted_events_keeps_nothing():
    assert wanted_texts(run_of(ASIDE, ARROW, ASIDE)) == []


@pytest.mark.parametrize("first", [KERNEL, ASIDE])
def test_an_event_that_is_not_closed_does_not_swallow_the_next(first):
    torn = as_kineto(first).removesuffix("\n  }")
    run = f"\n{torn},\n{as_kineto(KERNEL)},\n{as_kineto(ASIDE)}".encode()
    assert wanted_texts(run)[-1].endswith(as_kineto(ASIDE).encode())


def test_text_in_another_layout_is_left_to_others():
    assert wanted_texts(on_one_line(KERNEL).encode()) is None
    assert wanted_texts(b"") is None
    (rest,) = wanted_texts(run_of(ASIDE) + b"," + on_one_line(KERNEL).encode())
    assert json.loads(rest.strip(b", "))["cat"] == "kernel"


def test_the_layout_of_2021_is_eaten_too():
    old = as_kineto(KERNEL).replace('"kernel", ', '"Kernel", \n    ')
    aside = as_kineto(ASIDE).replace('"cpu_op", ', '"Operator", \n    ')
    assert wanted_texts(f"\n{old},\n{aside}".encode()) == [old.strip().encode()]


def test_objects_that_look_like_events_inside_a_list_of_one_are_none():
    torn = [
        '\n  {\n    "ph": "X", "cat": "kernel", "list": [{"a": 1\n  }',
        as_kineto(ASIDE).removeprefix("  "),
        '  {\n    "ph": "X", "cat": "kernel", "b": 2}], "ts": 1\n  }',
    ]
    run = ",\n".join(torn).encode()
    (event,) = kineto._TYPED.decoded(run)
    assert bytes(event.ts) == b"1"


def test_a_launch_without_a_time_is_none():
    launch = {"cat": "cuda_runtime", "name": "cudaLaunchKernel"}
    timed = [{**launch, "ts": ts, "args": {"correlation": 5}} for ts in (7, None)]
    assert gather([[*map(event_of, timed)]]).launches["start_ns"].tolist() == [7000]


def test_a_step_that_only_begins_is_a_step():
    begun = {"ph": "B", "cat": "user_annotation", "name": "ProfilerStep#3", "ts": 7}
    (mark,) = gather([[event_of(begun), event_of({**begun, "ph": "i"})]]).marks
    assert (mark.name, mark.start_ns) == ("3", 7000)
    assert mark.end_ns == FAR_NS
