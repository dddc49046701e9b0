"""The vector picture of a measured step: its streams, what is exposed, what it says."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from overlap_widget.app.measured import Measured, choose_recording, example, look_at
from overlap_widget.app.picture import recording_svg, streams_svg
from overlap_widget.app.stream_columns import stream_columns
from overlap_widget.app.words import words
from overlap_widget.model.recording import Recording, Step, window
from overlap_widget.model.timeline import Kind, Timeline

SVG = "{http://www.w3.org/2000/svg}"
MARKUP = "<script>alert(1)</script>\0"


def read(svg):
    tree = ET.fromstring(svg)
    for element in tree.iter():
        element.tag = element.tag.removeprefix(SVG)
    return tree


def texts(svg):
    return [
        "".join(text.itertext()).replace("\N{NO-BREAK SPACE}", " ").strip()
        for text in read(svg).iter("text")
    ]


def groups(svg, role):
    """The bars of each group of a role, as left and width."""
    return [
        [(bar.get("x"), bar.get("width")) for bar in group.findall("rect")]
        for group in read(svg).iter("g")
        if role in f"{group.get('class')} {group.get('fill')}"
        if group.find("rect") is not None
    ]


def measured(*spans, backward=(True,), path="run.json", step="5", **given):
    """A recording of one step: spans of (start ms, end ms, kind, stream)."""
    start, end, kind, stream = (np.array(column) for column in zip(*spans, strict=True))
    count = len(spans)
    timeline = Timeline(
        start_s=start / 1000,
        end_s=end / 1000,
        ready_s=start / 1000,
        kind=kind.astype(np.uint8),
        collective=np.zeros(count, dtype=np.uint8),
        size_bytes=np.full(count, np.nan),
        stream=stream.astype(np.int32),
        name=kind.astype(np.int32),
        names=("gemm", "ncclAllReduce", "copy"),
        backward_end_s=None,
    )
    recording = Recording(
        path=path,
        format="PyTorch profiler",
        rank=3,
        spans=timeline,
        device=np.zeros(count, dtype=np.int32),
        step=np.zeros(count, dtype=np.int32),
        phase=np.resize(np.where(backward, 2, 0), count).astype(np.uint8),
        group=np.full(count, -1, dtype=np.int32),
        loaded_kind=timeline.kind,
        groups=(),
        steps=(Step(step, True),),
        warnings=(),
    )
    return Measured(recordings=(replace(recording, **given),))


# ms                 0      2      3      5   6        9   10
# stream 7 compute   [      gemm          ]            [gemm]
# stream 20                 [   all-reduce    ] [6.5 .. 9]
STEP = measured(
    (0.0, 5.0, Kind.COMPUTE, 7),
    (2.0, 6.0, Kind.COMMUNICATION, 20),
    (6.5, 9.0, Kind.COMMUNICATION, 20),
    (9.0, 10.0, Kind.COMPUTE, 7),
    backward=(True, False, False, False),
)


def test_bars_lie_where_they_were_worked_out_by_hand():
    # 10 ms and 2 % on both sides: from -0.2 to 10.2 ms, 10.4 ms in all
    [computes] = groups(streams_svg(STEP), "overlap-fill-compute")
    exposed, tail = groups(streams_svg(STEP), "exposed")

    assert computes == [("1.9231%", "48.0769%"), ("88.4615%", "9.6154%")]
    # 5 to 6 ms and 6.5 to 9 ms
    assert exposed == [("50%", "9.6154%"), ("64.4231%", "24.0385%")]
    assert tail == [("50%", "38.4615%")]


def test_a_file_says_verdict_why_legend_file_and_step():
    said = texts(recording_svg(STEP))

    assert said[0] == "3.5 ms of communication is exposed."
    assert said[1].startswith("Nothing computes while it runs. Of the 6.5 ms")
    assert words("legend.other") not in said
    assert {"Compute, stream 7", "Communication, stream 20", "tail 3.5 ms"} <= set(said)
    assert said[-1] == "Rank 3: run.json · Step 5 (complete), 10 ms"


def test_the_part_of_a_step_in_view_is_drawn_alone_and_named():
    # 898 px for 3 ms: gemm up to 5 ms, all-reduces up to 6 and from 6.5 on
    svg = recording_svg(look_at(STEP, 0.004, 0.007))

    assert texts(svg)[-1].endswith("Part of the step in view: 4 ms \N{EN DASH} 7 ms")
    assert groups(svg, "overlap-fill-compute") == [[("2", "299.33")]]
    assert groups(svg, "overlap-fill-hidden") == [
        [("2", "598.67"), ("750.33", "149.67")]
    ]


def test_what_only_touches_the_part_in_view_is_left_out():
    svg = recording_svg(look_at(STEP, 0.005, 0.0065))

    assert groups(svg, "overlap-fill-compute") == []
    assert groups(svg, "overlap-fill-hidden") == [[("2", "598.67")]]


@pytest.mark.parametrize("draw", [recording_svg, streams_svg])
def test_names_are_text_whatever_they_hold(draw):
    hostile = measured((0.0, 5.0, Kind.COMPUTE, 7), path=MARKUP, step=MARKUP)
    tree = read(draw(hostile))

    assert not list(tree.iter("script"))


def test_a_recording_without_communication_has_no_pass_end():
    svg = streams_svg(measured((0.0, 90.0, Kind.COMPUTE, 7), backward=(False,)))

    assert "stroke-dasharray" not in svg
    assert words("measured.none") in texts(
        recording_svg(measured((0.0, 90.0, Kind.COMPUTE, 7), backward=(False,)))
    )


def test_every_mark_of_the_example_is_in_its_picture_once():
    shown = choose_recording(Measured(recordings=(example(),)), 0)
    recording = shown.shown
    cut = window(recording, recording.devices[0], shown.step)
    columns = stream_columns(shown, cut)["sources"]
    bars = [
        bar
        for bar in read(streams_svg(shown)).iter("rect")
        if "class" not in bar.attrib and "x" in bar.attrib
    ]

    assert len(bars) == sum(len(rows.get("left", [])) for rows in columns.values())


def test_without_a_recording_there_is_one_sentence():
    with pytest.raises(ValueError, match="no recording to draw; name a trace"):
        recording_svg(Measured())
