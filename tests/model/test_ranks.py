"""Ranks compared by hand: matched collectives, waiting, clocks, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.model.intervals import length_s
from overlap_widget.model.ranks import NOBODY, Verdict, waiting_of
from overlap_widget.model.ranks_compared import compare_ranks, members_of
from overlap_widget.model.ranks_said import ALONE
from overlap_widget.model.ranks_shared import shared_collectives
from overlap_widget.model.recording import Group
from overlap_widget.model.timeline import Collective

NONE, AR, RS = Collective.NONE, Collective.ALL_REDUCE, Collective.REDUCE_SCATTER
AG, A2A, SR = Collective.ALL_GATHER, Collective.ALL_TO_ALL, Collective.SEND_RECV
BOTH = Group("0", "default_pg", (0, 1), 2)


def parts_text(parts):
    return [round(value, 9) for value in vars_of(parts)]


def vars_of(parts):
    return [
        parts.waiting_s,
        parts.transfer_s,
        parts.untold_s,
        parts.exposed_waiting_s,
        parts.exposed_transfer_s,
        parts.exposed_untold_s,
    ]


# seconds      0    2    4    6    7    10   12        17   19
# rank 0       [  compute   ]                [ compute ]
#                   [  all-reduce      ][ reduce-scatter    ]
# rank 1       [  compute       ]       [    compute   ]
#                               [ a-r  ]               [ r-s]
RANK_0 = [
    (0, NONE, 0, 6),
    (0, NONE, 12, 17),
    (0, AR, 2, 10, 80, 0),
    (0, RS, 10, 19, 90, 0),
]
RANK_1 = [
    (0, NONE, 0, 7),
    (0, NONE, 10, 17),
    (0, AR, 7, 10, 80, 0),
    (0, RS, 17, 19, 90, 0),
]


@pytest.fixture
def two(rank_file):
    return [rank_file(0, RANK_0, [BOTH]), rank_file(1, RANK_1, [BOTH])]


def test_a_rank_waits_until_the_latest_begins_and_the_rest_is_transfer(two):
    ranks = compare_ranks(two)
    assert ranks.waiting_s[0].tolist() == [5, 7]
    assert ranks.waiting_s[1].tolist() == [0, 0]
    assert [latest.tolist() for latest in ranks.latest] == [[1, 1], [1, 1]]
    # Rank 0 is busy from 2 to 19 and moves from 7 to 10 and from 17 to 19. Exposed are
    # 6 to 12, of which 6 to 7 and 10 to 12 wait, and 17 to 19.
    assert parts_text(ranks.parts[0, 0, 0]) == [12, 5, 0, 3, 5, 0]
    assert parts_text(ranks.parts[1, 0, 0]) == [0, 5, 0, 0, 5, 0]


def test_the_slowest_rank_is_the_one_that_the_others_wait_for(two):
    ranks = compare_ranks(two)
    late = ranks.late["7"]
    assert (ranks.members[late.member].label, late.waiting_s, late.waiting) == (
        "rank 1",
        12,
        1,
    )
    assert ranks.slowest == late
    assert ranks.sentences == ((), ())


def test_what_waits_is_a_union_on_the_clock_of_the_file(two):
    ranks = compare_ranks(two)
    assert waiting_of(two, ranks, 0, 0, 0).tolist() == [[2, 7], [10, 17]]
    assert not len(waiting_of(two, ranks, 1, 0, 0))


def test_it_waits_only_while_no_other_transfer_moves(rank_file):
    # seconds        0    2    4    6    8
    # rank 0, DP     [ waits        ][   ]
    # rank 0, TP          [waits][ moves ]
    groups = [BOTH, Group("1", "tp", (0, 1), 2)]
    first = [(0, AR, 0, 8, 8, 0), (0, AG, 2, 8, 9, 1)]
    second = [(0, AR, 6, 8, 8, 0), (0, AG, 4, 8, 9, 1)]
    files = [rank_file(at, rows, groups) for at, rows in enumerate([first, second])]
    ranks = compare_ranks(files)
    assert parts_text(ranks.parts[0, 0, 0])[:3] == [4, 4, 0]
    assert waiting_of(files, ranks, 0, 0, 0).tolist() == [[0, 4]]


@pytest.mark.parametrize("ahead_s", [-3600, -0.003, 0.000_06, 1_700_000_000])
def test_a_clock_that_is_ahead_is_set_back_and_the_shift_is_said(
    rank_file, two, ahead_s
):
    shifted = rank_file(1, RANK_1, [BOTH], ahead_s=ahead_s)
    ranks, plain = compare_ranks([two[0], shifted]), compare_ranks(two)
    assert ranks.clocks[1].verdict is Verdict.SHIFTED
    assert ranks.clocks[1].shift_ns == round(ahead_s * 1e9)
    assert ranks.parts == plain.parts
    (said,) = ranks.sentences[1]
    way = "ahead of" if ahead_s > 0 else "behind"
    assert f"{way} that of rank 0, by the common ends of 2 collectives" in said


@pytest.mark.parametrize(
    ("ahead_s", "text"),
    [(0.003, "3 ms"), (1_700_000_000, "1,700,000,000 s"), (0.000_057_2, "57.2 µs")],
)
def test_a_shift_is_said_with_all_of_its_digits(rank_file, two, ahead_s, text):
    shifted = rank_file(1, RANK_1, [BOTH], ahead_s=ahead_s)
    assert f"is {text} ahead" in compare_ranks([two[0], shifted]).sentences[1][0]


def test_a_shift_smaller_than_ends_are_apart_agrees(rank_file, two):
    near = rank_file(1, RANK_1, [BOTH], ahead_s=49e-6)
    ranks = compare_ranks([two[0], near])
    assert ranks.clocks[1].verdict is Verdict.AGREES
    assert ranks.clocks[1].shift_ns == 49_000
    assert ranks.sentences == ((), ())


def test_a_clock_that_drifts_is_read_on_its_line(rank_file):
    # 20 collectives a second apart; rank 1 gains 30 us on each.
    early = [(0, AR, at, at + 0.01, 8, 0) for at in range(20)]
    gaining = [
        (0, AR, (at + 0.004) * (1 + 30e-6), (at + 0.01) * (1 + 30e-6), 8, 0)
        for at in range(20)
    ]
    files = [rank_file(0, early, [BOTH]), rank_file(1, gaining, [BOTH])]
    ranks = compare_ranks(files)
    assert ranks.clocks[1].drift == pytest.approx(30e-6, rel=1e-3)
    assert ranks.waiting_s[0] == pytest.approx(np.full(20, 0.004), abs=1e-6)
    said = ranks.sentences[1][-1]
    assert said.startswith("the clock of rank 1 gains 30 µs a second")
    assert said.endswith("on that of rank 0, which was taken off")


def test_a_drift_that_no_clock_has_is_refused(rank_file):
    early = [(0, AR, at, at + 0.01, 8, 0) for at in range(20)]
    wild = [(0, AR, at * 1.01 + 0.004, at * 1.01 + 0.01, 8, 0) for at in range(20)]
    files = [rank_file(0, early, [BOTH]), rank_file(1, wild, [BOTH])]
    assert {one.verdict for one in compare_ranks(files).clocks} == {Verdict.REFUSED}


def test_clocks_whose_collectives_do_not_end_together_are_refused(rank_file):
    # Ends are 0, 5, 1 and 9 ms apart: a median, but not one that means anything.
    first = [(0, AR, at, at + 0.002, 8, 0) for at in range(4)]
    second = [
        (0, AR, at + late, at + late + 0.002, 8, 0)
        for at, late in zip(range(4), (0, 0.005, 0.001, 0.009), strict=True)
    ]
    files = [rank_file(0, first, [BOTH]), rank_file(1, second, [BOTH])]
    ranks = compare_ranks(files)
    assert {one.verdict for one in ranks.clocks} == {Verdict.REFUSED}
    assert np.isnan(np.concatenate(ranks.waiting_s)).all()
    assert (ranks.parts, ranks.late, ranks.slowest) == ({}, {}, None)
    for at, other in ((0, 1), (1, 0)):
        assert ranks.sentences[at] == (
            f"the clock of rank {at} can't be set by that of rank {other}: the "
            "collectives that they share don't end together (nine of ten within "
            "6 ms), so waiting can't be told from transfer",
        )


def test_a_rank_of_another_run_leaves_the_others_compared(rank_file):
    group = Group("0", "", (0, 1, 2), 3)
    odd = [(0, AR, 0, 1, 8, 0), (0, AR, 2, 5, 8, 0), (0, AR, 9, 11, 8, 0)]
    first = [(0, AR, 0, 3, 8, 0), (0, AR, 3, 6, 8, 0), (0, AR, 6, 9, 8, 0)]
    second = [(0, AR, 1, 3, 8, 0), (0, AR, 5, 6, 8, 0), (0, AR, 8, 9, 8, 0)]
    files = [
        rank_file(at, rows, [group]) for at, rows in enumerate([odd, first, second])
    ]
    ranks = compare_ranks(files)
    verdicts = [one.verdict for one in ranks.clocks]
    assert verdicts == [Verdict.REFUSED, Verdict.REFERENCE, Verdict.AGREES]
    assert ranks.waiting_s[1].tolist() == [1, 2, 2]
    assert np.isnan(ranks.waiting_s[0]).all()


def test_ranks_without_a_common_group_are_set_by_way_of_others(rank_file):
    # Tensor-parallel pairs 0-1 and 2-3, data-parallel pairs 0-2 and 1-3: ranks 0 and 3
    # meet in no group, and each clock is ahead by its own.
    pairs = {name: Group(name, name, tuple(map(int, name))) for name in PAIRS}
    starts = {"01": (0, 1), "23": (2, 0), "02": (11, 13), "13": (10, 14)}
    files = []
    for rank in range(4):
        groups = [pairs[name] for name in PAIRS if str(rank) in name]
        rows = [
            (0, AR, starts[one.name][one.ranks.index(rank)], end, 8, at)
            for at, (one, end) in enumerate(zip(groups, (9, 19), strict=True))
        ]
        files.append(rank_file(rank, rows, groups, ahead_s=100 * rank))
    ranks = compare_ranks(files)
    assert [one.shift_ns for one in ranks.clocks] == [0, 10**11, 2 * 10**11, 3 * 10**11]
    waits = [list(one) for one in ranks.waiting_s]
    assert waits == [[1, 2], [0, 4], [0, 0], [2, 0]]


PAIRS = ("01", "23", "02", "13")


def test_ranks_that_disagree_on_the_number_of_collectives_are_left_out(rank_file):
    group = Group("0", "", (0, 1, 2), 3)
    whole = [(0, AR, 0, 3, 8, 0), (0, AR, 3, 6, 9, 0)]
    later = [(0, AR, 2, 3, 8, 0), (0, AR, 5, 6, 9, 0)]
    cut = [(0, AR, 5, 6, 9, 0), (0, RS, 8, 9, 9, 0)]
    more = [(0, RS, 7, 9, 9, 0)]
    files = [
        rank_file(0, whole + more, [group]),
        rank_file(1, later, [group]),
        rank_file(2, cut, [group]),
    ]
    ranks = compare_ranks(files)
    assert ranks.waiting_s[0].tolist() == [2, 2, 1]
    np.testing.assert_equal(ranks.waiting_s[2], [np.nan, 0])
    assert ranks.latest[2].tolist() == [NOBODY, 2]
    assert ranks.parts[2, 0, 0].untold_s == 1
    assert (
        "1 of 2 transfers in steps can't be matched with those of other ranks, so what "
        "they wait counts as transfer"
    ) in ranks.sentences[2]


@pytest.mark.parametrize(
    ("other", "matched"),
    [
        ([(0, AR, 2, 3, 8, 0), (0, AR, 5, 6, 9, 0)], True),
        ([(0, AR, 2, 3, 9, 0), (0, AR, 5, 6, 8, 0)], False),  # in another order
        ([(0, AR, 2, 3, np.nan, 0), (0, AR, 5, 6, 9, 0)], True),  # a size is unknown
        ([(0, AR, 2, 3, 8, 0)], False),
        ([(0, AR, 2, 3, 8, 0), (0, AG, 5, 6, 9, 0)], False),
        ([(0, AR, 2, 3, 8, -1), (0, AR, 5, 6, 9, -1)], False),  # of another group
        ([(-1, AR, 2, 3, 8, 0), (-1, AR, 5, 6, 9, 0)], False),  # outside of steps
    ],
)
def test_collectives_are_matched_by_step_group_operation_order_and_size(
    rank_file, other, matched
):
    rows = [(0, AR, 0, 3, 8, 0), (0, AR, 3, 6, 9, 0)]
    files = [rank_file(0, rows, [BOTH]), rank_file(1, other, [BOTH])]
    told = np.isfinite(compare_ranks(files).waiting_s[0])
    assert told.all() == told.any() == matched


def test_steps_are_matched_by_name_where_one_rank_recorded_more(rank_file):
    first = [(at, AR, 10 * at, 10 * at + 3, 8, 0) for at in range(3)]
    second = [(at, AR, 10 * at + 11, 10 * at + 13, 8, 0) for at in range(2)]
    files = [
        rank_file(0, first, [BOTH], steps=("7", "8", "9")),
        rank_file(1, second, [BOTH], steps=("8", "9")),
    ]
    ranks = compare_ranks(files)
    np.testing.assert_equal(ranks.waiting_s[0], [np.nan, 1, 1])
    assert sorted(ranks.late) == ["8", "9"]
    assert sorted(ranks.parts) == [(0, 1, 0), (0, 2, 0), (1, 0, 0), (1, 1, 0)]


def test_an_all_to_all_may_have_another_size_on_each_rank(rank_file):
    files = [
        rank_file(0, [(0, A2A, 0, 3, 8, 0)], [BOTH]),
        rank_file(1, [(0, A2A, 2, 3, 5, 0)], [BOTH]),
    ]
    assert compare_ranks(files).waiting_s[0].tolist() == [2]


def test_sends_that_end_together_tell_waiting_and_others_do_not(rank_file):
    # The all-reduce sets the clocks. Of the sends in one file pair three end together,
    # as those of an all-to-all do; in the other one does, as between pipeline stages.
    ends = [(0, AR, 0, 1, 8, 0)]
    sends = [(0, SR, at, at + 0.5) for at in (2, 3, 4)]
    pair = [(0, SR, at + 0.3, at + 0.5) for at in (2, 3, 4)]
    stages = [(0, SR, at + 0.3, at + 0.9) for at in (2, 3)] + pair[2:]  # one by chance
    for others, told in ((pair, True), (stages, False)):
        files = [
            rank_file(0, ends + sends, [BOTH]),
            rank_file(1, ends + others, [BOTH]),
        ]
        waits = compare_ranks(files).waiting_s[0][1:]
        assert np.isfinite(waits).all() == np.isfinite(waits).any() == told
        if told:
            assert waits == pytest.approx([0.3] * 3)


def test_sends_alone_set_no_clock(rank_file):
    files = [rank_file(rank, [(0, SR, 0, 1), (0, SR, 2, 3)]) for rank in (0, 1)]
    ranks = compare_ranks(files)
    assert {one.verdict for one in ranks.clocks} == {Verdict.UNSHARED}
    for at, said in enumerate(ranks.sentences):
        assert said == (
            f"rank {at} shares no collective with the others that ends for all ranks "
            "at once, so waiting can't be told from transfer",
        )


def test_devices_of_one_file_have_one_clock(rank_file):
    rows = [(0, SR, 0, 3, 8, -1, 0), (0, SR, 2, 3, 8, -1, 1)]
    ranks = compare_ranks([rank_file(None, rows, path="run.sqlite")])
    assert [one.label for one in ranks.members] == [
        "run.sqlite, device 0",
        "run.sqlite, device 1",
    ]
    assert ranks.waiting_s[0].tolist() == [2, 0]
    assert ranks.sentences == ((),)


def test_processes_of_one_file_have_one_clock(rank_file):
    files = [
        rank_file(None, [(0, SR, 0, 3)], path="run.sqlite"),
        rank_file(None, [(0, SR, 2, 3)], path="run.sqlite"),
    ]
    ranks = compare_ranks(files)
    assert [one.label for one in ranks.members] == [
        "process 1 of run.sqlite",
        "process 2 of run.sqlite",
    ]
    assert [one.tolist() for one in ranks.waiting_s] == [[2], [0]]


def test_one_rank_alone_cannot_tell(two):
    ranks = compare_ranks(two[:1])
    assert np.isnan(ranks.waiting_s[0]).all()
    assert ranks.sentences == ((ALONE,),)


def test_a_file_that_moves_nothing_has_nothing_to_tell(rank_file):
    ranks = compare_ranks([rank_file(0, [(0, NONE, 0, 3)])])
    assert (ranks.members, ranks.parts, ranks.sentences) == ((), {}, ((),))
    assert compare_ranks([]).sentences == ()


def test_files_of_one_rank_are_of_several_runs(two):
    again = replace(two[1], path="other.json")
    ranks = compare_ranks([*two, again])
    assert [one.label for one in ranks.members] == ["rank 0"]
    for at in (1, 2):
        assert ranks.sentences[at] == (
            "2 files are of rank 1, as of several runs, so this one isn't compared "
            "with other ranks",
        )


def test_files_without_a_rank_number_are_named_by_their_paths(rank_file):
    files = [
        rank_file(None, RANK_0, [BOTH], path="a.json"),
        rank_file(None, RANK_1, [BOTH], path="b.json"),
    ]
    ranks = compare_ranks(files)
    assert [one.label for one in ranks.members] == ["a.json", "b.json"]
    assert ranks.waiting_s[0].tolist() == [5, 7]


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (BOTH, ()),
        (Group("0"), ()),
        (Group("0", "", (), 8), "2 of the 8 ranks of a group are compared"),
        (Group("0", "", (0, 1, 2)), "2 of the 3 ranks of a group are compared"),
        (None, "the files don't tell how many ranks took part"),
    ],
)
def test_ranks_that_are_not_here_may_be_the_late_ones(rank_file, group, said):
    rows = [[(*row[:5], -1) if group is None else row for row in one] for one in TWO]
    groups = [group] if group else []
    files = [rank_file(at, one, groups) for at, one in enumerate(rows)]
    first, second = compare_ranks(files).sentences
    assert not second
    if said:
        assert said in first[0]
        assert first[0].endswith("and the one that they wait for may be another")
    else:
        assert not first


TWO = ([row for row in RANK_0 if row[1]], [row for row in RANK_1 if row[1]])


def test_groups_of_one_name_that_cannot_be_told_apart_are_not_matched(rank_file):
    # Four ranks in two pairs: nothing tells which two belong together.
    pair = Group("tp", "", (), 2)
    rows = [(0, AR, 0, 3, 8, 0)]
    files = [rank_file(rank, rows, [pair]) for rank in range(4)]
    ranks = compare_ranks(files)
    assert ranks.parts == {}
    assert (
        "4 ranks name a process group tp of 2, and the files don't list its ranks, so "
        "its collectives aren't matched"
    ) in ranks.sentences[3]


def test_a_wait_is_never_longer_than_its_transfer(rank_file):
    # Rank 1 begins the last one 20 us after rank 0 has left it, by clocks that the
    # other ends have set: as near as ends are told apart.
    first = [(0, AR, at, at + 0.01, 8, 0) for at in range(4)]
    second = [(0, AR, at + 0.005, at + 0.01, 8, 0) for at in range(3)]
    second.append((0, AR, 3.010_02, 3.010_04, 8, 0))
    files = [rank_file(0, first, [BOTH]), rank_file(1, second, [BOTH])]
    waits = compare_ranks(files).waiting_s[0]
    assert waits == pytest.approx([0.005, 0.005, 0.005, 0.01], abs=1e-9)


def test_what_only_one_rank_recorded_is_not_shared(rank_file):
    files = [
        rank_file(0, [(0, AR, 0, 3, 8, 0), (0, RS, 4, 5, 8, 0)], [BOTH]),
        rank_file(1, [(0, AR, 1, 3, 8, 0)], [BOTH]),
    ]
    shared = shared_collectives(files, members_of(files))
    assert shared.collective.tolist() == [AR, AR]
    assert shared.member.tolist() == [0, 1]
    assert shared.event.tolist() == [0, 0]


def test_a_collective_that_contradicts_the_clocks_tells_nothing(rank_file):
    # Three end together; the fourth begins on rank 1 after it has ended on rank 0.
    first = [(0, AR, at, at + 0.5, 8, 0) for at in (0, 2, 4, 6)]
    second = [(0, AR, at + 0.2, at + 0.5, 8, 0) for at in (0, 2, 4)]
    second.append((0, AR, 6.6, 6.7, 8, 0))
    files = [rank_file(0, first, [BOTH]), rank_file(1, second, [BOTH])]
    ranks = compare_ranks(files)
    np.testing.assert_allclose(ranks.waiting_s[0], [0.2, 0.2, 0.2, np.nan])


def test_waits_within_the_noise_of_clocks_name_nobody(rank_file):
    # Ends are up to 6 us apart, and so is what seems to be waiting.
    noise = (0, 6e-6, -6e-6, 5e-6, -5e-6)
    first = [(0, AR, at, at + 0.01, 8, 0) for at in range(5)]
    second = [
        (0, AR, at + off, at + 0.01 + off, 8, 0)
        for at, off in zip(range(5), noise, strict=True)
    ]
    files = [rank_file(0, first, [BOTH]), rank_file(1, second, [BOTH])]
    ranks = compare_ranks(files)
    assert ranks.clocks[1].spread_s == pytest.approx(6e-6)
    assert (ranks.late, ranks.slowest) == ({}, None)


def test_the_union_of_what_waits_is_as_long_as_the_parts_say(two):
    ranks = compare_ranks(two)
    stretches = waiting_of(two, ranks, 0, 0, 0)
    assert length_s(stretches) == ranks.parts[0, 0, 0].waiting_s
