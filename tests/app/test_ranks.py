"""What is shown of several ranks: the late one, who waits, and that parts add up.

Two ranks by hand, the second of them late:

seconds          0         3    4         6    7    9    9.5  10   12
rank 0 compute   [         a    ]
       dp                  [ waits        | moves   ]
       unknown                                                [    ]
rank 1 compute      [      b                   ]
       dp                                 [ moves   ]
       unknown                                           [ w  |    ]

Rank 0 waits from 3 to 6, from 4 on exposed; rank 1 from 9.5 to 10. Rank 1 computes
until 7, so one second of its transfer is hidden.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.app.explorer import Explorer
from overlap_widget.app.known_ranks import known_ranks
from overlap_widget.app.measured import all_opened, choose_recording
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.rank_columns import MOST_MARKS, RankLane, rank_columns
from overlap_widget.app.rank_groups import groups_table
from overlap_widget.app.rank_steps import rank_steps
from overlap_widget.app.ranks_view import choose_rank, ranks_view
from overlap_widget.app.said import Said, text
from overlap_widget.app.words import words
from overlap_widget.model.recording import Group, Phase, Recording, Step
from overlap_widget.model.timeline import Collective, Kind, Timeline

RANK_0 = [("compute", 0, 4), ("dp", 3, 9), (None, 10, 12)]
RANK_1 = [("compute", 1, 7), ("dp", 6, 9), (None, 9.5, 12)]


def rank(number, rows, path=None, shift_s=0.0, step="7"):
    """A recording of rows (compute or the group of an all-reduce, start, end)."""
    start_s = np.array([float(row[1]) for row in rows])
    end_s = np.array([float(row[2]) for row in rows])
    kinds = [
        Kind.COMPUTE if row[0] == "compute" else Kind.COMMUNICATION for row in rows
    ]
    kind = np.array(kinds, dtype=np.uint8)
    moves = kind == Kind.COMMUNICATION
    origin_s = start_s.min()
    zeros = np.zeros(len(rows), dtype=np.int32)
    spans = Timeline(
        start_s=start_s - origin_s,
        end_s=end_s - origin_s,
        ready_s=start_s - origin_s,
        kind=kind,
        collective=np.where(moves, Collective.ALL_REDUCE, 0).astype(np.uint8),
        size_bytes=np.where(moves, 8.0, 0.0),
        stream=zeros,
        name=kind.astype(np.int32),
        names=("gemm", "all-reduce"),
        backward_end_s=None,
    )
    return Recording(
        path=path or f"run/{number}.json",
        format="by hand",
        rank=number,
        spans=spans,
        device=zeros,
        step=zeros,
        phase=np.full(len(rows), Phase.BACKWARD, dtype=np.uint8),
        group=np.array([0 if row[0] == "dp" else -1 for row in rows], dtype=np.int32),
        loaded_kind=kind,
        groups=(Group("1", "dp", (0, 1), 2),),
        steps=(Step(step, complete=True),),
        warnings=(),
        origin_ns=round((origin_s + shift_s) * 1e9),
    )


def both(**changes):
    """A session that has both ranks open and looks at rank 0."""
    return all_opened([rank(0, RANK_0), rank(1, RANK_1, **changes)])


def sentences(view):
    """What is said of the ranks, in words."""

    def said(one):
        values = {
            key: said(value) if isinstance(value, dict) else value
            for key, value in one["values"].items()
        }
        return Said(one["key"], values)

    return [text(said(one)) for one in view["said"]]


def bars(view, source):
    """Start and end of the bars of a source in seconds, by the rank of their card."""
    figure = view["figures"]["ranks"]
    columns = figure["sources"][source]
    rows = zip(columns["name"], columns["left"], columns["right"], strict=True)
    return [
        (text(figure["names"][name]), left / 1e3, right / 1e3)
        for name, left, right in rows
    ]


def test_waiting_is_told_from_transfer_and_the_late_rank_is_named():
    view = ranks_view(both())
    rows = view["rows"]

    assert rows["rank"] == [0, 1]
    assert rows["communication_s"] == [8, 5.5]
    assert rows["waiting_s"] == [3, 0.5]
    assert rows["transfer_s"] == [5, 5]
    assert rows["exposed_s"] == [7, 4.5]
    assert rows["exposed_waiting_s"] == [2, 0.5]
    assert rows["last"] == [1, 1]
    assert view["late"] == 1
    assert sentences(view) == [
        "Rank 1 is late in this step: rank 0 waits 3 s for it, 2 s of that exposed."
    ]


def test_a_row_shows_compute_transfer_and_both_kinds_of_waiting():
    view = ranks_view(both())

    assert bars(view, "compute") == [("Rank 0", 0, 4), ("Rank 1", 1, 7)]
    assert bars(view, "waits") == [("Rank 0", 3, 4)]
    assert bars(view, "waits_exposed") == [("Rank 0", 4, 6), ("Rank 1", 9.5, 10)]
    assert bars(view, "exposed") == [
        ("Rank 0", 6, 9),
        ("Rank 0", 10, 12),
        ("Rank 1", 7, 9),
        ("Rank 1", 10, 12),
    ]
    sources = view["figures"]["ranks"]["sources"]
    assert sources["compute"]["bottom"] == [1.55, 0.55]  # the first rank on top
    assert sources["exposed"]["top"][:2] == [1.45, 1.45]


def test_a_clock_that_is_ahead_is_set_back_and_that_is_said():
    view = ranks_view(both(shift_s=40))

    assert bars(view, "compute") == [("Rank 0", 0, 4), ("Rank 1", 1, 7)]
    assert view["rows"]["waiting_s"] == pytest.approx([3, 0.5], rel=1e-6)
    assert any("the clock of rank 1" in note.lower() for note in view["notes"])


def test_clocks_that_can_not_be_set_leave_the_reason_instead_of_waiting():
    torn = [("compute", 1, 7), ("dp", 6, 8), (None, 9.5, 20)]
    view = ranks_view(all_opened([rank(0, RANK_0), rank(1, torn)]))

    assert view["rows"]["waiting_s"] == [None, None]
    assert view["rows"]["last"] == [None, None]
    assert view["late"] is None
    assert sentences(view) == [words("ranks.untold")]
    assert any("can't be set" in note for note in view["notes"])
    assert bars(view, "waits") == bars(view, "waits_exposed") == []
    assert view["groups"]["waiting_s"] == [None] * len(view["groups"]["name"])


def test_nobody_is_named_where_all_arrive_together():
    view = ranks_view(all_opened([rank(0, RANK_0), rank(1, RANK_0)]))

    assert view["late"] is None
    assert sentences(view) == ["No rank keeps the others waiting in this step."]


def test_of_several_that_wait_the_one_that_waits_longest_is_named():
    early = [("compute", 0, 4), ("dp", 2, 9), (None, 10, 12)]
    three = [rank(0, RANK_0), rank(1, RANK_1), rank(5, early)]
    groups = (Group("1", "dp", (0, 1, 5), 3),)
    view = ranks_view(all_opened(replace(one, groups=groups) for one in three))

    assert sentences(view) == [
        "Rank 1 is late in this step: 2 ranks wait for it, rank 5 longest: "
        "4 s, 2 s of that exposed."
    ]


def test_waiting_that_compute_hides_is_said_to_be_hidden():
    busy = [("compute", 0, 9), ("dp", 3, 9), (None, 10, 12)]
    view = ranks_view(all_opened([rank(0, busy), rank(1, RANK_1)]))

    assert sentences(view) == [
        "Rank 1 is late in this step: rank 0 waits 3 s for it, all of that hidden "
        "behind compute."
    ]


def test_groups_add_up_over_the_ranks_and_an_unknown_one_has_no_name():
    groups = ranks_view(both())["groups"]

    named = [name and text(name) for name in groups["name"]]
    assert named == ["data-parallel (dp)", None, "all groups together"]
    assert groups["transfers"] == [2, 2, 4]
    assert groups["size_bytes"] == [16, 16, 32]
    assert groups["communication_s"] == [6 + 3, 2 + 2.5, 8 + 5.5]
    parts = zip(
        groups["waiting_s"], groups["transfer_s"], groups["untold_s"], strict=True
    )
    sums = [sum(one) for one in parts]
    assert sums == groups["communication_s"]
    assert groups["exposed_s"] == [5 + 2, 2 + 2.5, 7 + 4.5]


# --- In the session -----------------------------------------------------------------


def test_one_rank_alone_has_no_ranks_and_says_what_it_can_not_tell():
    alone = all_opened([rank(0, RANK_0)])

    assert ranks_view(alone) == {}
    assert "waiting for a slower rank" in text(measured_view(alone)["warnings"][-1])
    assert "waiting_s" not in measured_view(alone)["numbers"]


def test_the_numbers_of_the_chosen_rank_hold_its_waiting():
    view = measured_view(both())

    assert view["numbers"]["waiting_s"] == 3
    assert view["numbers"]["transfer_s"] == 5
    assert view["warnings"] == []


def test_choosing_a_rank_keeps_the_step_by_its_name():
    other = rank(1, RANK_1)
    steps = (Step("6", complete=True), *other.steps)
    measured = all_opened(
        [rank(0, RANK_0), replace(other, steps=steps, step=other.step + 1)]
    )
    chosen = choose_rank(measured, 1)

    assert (chosen.recording, chosen.step) == (1, 1)
    assert choose_rank(chosen, 99) == chosen
    assert choose_rank(chosen, -1).recording == 0
    assert choose_rank(all_opened([rank(0, RANK_0)]), 1).recording == 0


def test_a_step_that_no_other_rank_has_shows_no_ranks():
    steps = (Step("7", complete=True), Step("8", complete=True))
    rows = rank(0, RANK_0)
    rows = replace(rows, steps=steps, step=np.array([0, 0, 1], dtype=np.int32))
    measured = all_opened([rows, rank(1, RANK_1)])

    assert ranks_view(replace(measured, step=0))["rows"]["step"] == [0, 0]
    assert ranks_view(replace(measured, step=1)) == {}


def test_ranks_go_to_the_page_once_and_again_only_with_another_step():
    explorer = Explorer([rank(0, RANK_0), rank(1, RANK_1)])
    front = explorer.__panel__()
    first = front.parts["ranks"]
    sent = []
    front._send_msg = lambda message: sent.extend(json.loads(message["parts"]))
    explorer.move({"type": "rank", "value": 1, "seq": 1})

    assert first["late"] == 1
    assert front.parts["view"]["measured"]["recording"] == 1
    assert front.parts["ranks"] is first
    assert "ranks" not in sent
    explorer.move({"type": "set", "key": "mode", "value": "explore", "seq": 2})
    assert front.parts["ranks"] == {}


def test_a_view_of_ranks_is_the_same_whichever_of_them_is_shown():
    measured = both()

    assert ranks_view(measured) is ranks_view(choose_recording(measured, 1))


def test_many_kernels_of_many_ranks_are_merged_into_few_marks():
    count = 5000
    start_s = np.arange(count) * 1.0
    kinds = np.arange(count) % 2
    long = rank(
        0,
        [
            ("dp" if kind else "compute", at, at + 0.5)
            for at, kind in zip(start_s, kinds, strict=True)
        ],
    )
    lane = RankLane("Rank 0", long.spans, 0.0, np.empty((0, 2)))
    sources = rank_columns([lane] * 16)["sources"]

    drawn = sum(len(columns["left"]) for columns in sources.values())
    assert 16 <= drawn <= MOST_MARKS


def test_a_gap_between_kernels_is_too_narrow_to_look_exposed():
    rows = [("compute", 0, 4), ("compute", 4.001, 8), ("dp", 2, 9)]
    view = ranks_view(all_opened([rank(0, rows), rank(1, rows)]))

    assert bars(view, "exposed") == [("Rank 0", 8, 9), ("Rank 1", 8, 9)]
    assert view["rows"]["exposed_s"] == pytest.approx([1.001, 1.001])


def test_what_is_not_told_of_a_group_is_neither_waiting_nor_transfer():
    recordings = [rank(0, [*RANK_0[:2], ("dp", 10, 12)]), rank(1, RANK_1)]
    files, ranks = known_ranks(*recordings)
    steps = rank_steps(files, ranks, "7")
    told = (np.array([3.0, np.nan]), ranks.waiting_s[1])
    groups = groups_table(files, replace(ranks, waiting_s=told), steps[:1])

    assert groups["communication_s"] == [6 + 2]
    assert groups["waiting_s"] == [3]
    assert groups["transfer_s"] == [3]
    assert groups["untold_s"] == [2]


def test_ranks_that_do_not_communicate_are_not_set_beside_each_other():
    alone = [("compute", 0, 4), ("compute", 5, 6)]

    assert ranks_view(all_opened([rank(0, alone), rank(1, alone)])) == {}


def test_devices_of_a_file_without_a_rank_are_compared_by_their_numbers():
    file = rank(0, [*RANK_0, *RANK_1])
    device = np.array([0, 0, 0, 4, 4, 4], dtype=np.int32)
    unknown = np.full(6, -1, dtype=np.int32)
    file = replace(file, rank=None, device=device, group=unknown)
    view = ranks_view(all_opened([file]))

    assert view["rows"]["device_number"] == [0, 4]
    assert sentences(view) == [
        "Device 4 is late in this step: device 0 waits 3 s for it, 2 s of that exposed."
    ]
    assert list(map(text, view["figures"]["ranks"]["names"])) == [
        "Device 0",
        "Device 4",
    ]
