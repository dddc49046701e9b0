"""Ranks of one run in the shared cases and captures: waiting, clocks, who is late."""

import pytest

from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import measure
from overlap_widget.model.ranks import Verdict
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.traces import load_all

US = 1e-6
STRAGGLER = ["cases/25-straggler-rank0.json", "cases/25-straggler-rank1.json"]
CLOCKS = ["cases/28-clock-rank0.json", "cases/28-clock-rank1.json"]
DLRM = [f"traces/dlrm-8rank-v100/rank{rank}.pt.trace.json" for rank in (0, 3)]


@pytest.fixture
def recordings(shared):
    def loaded(*names):
        return [one for name in names for one in load_all(str(shared(name)))]

    return loaded


@pytest.fixture
def compared(recordings):
    def found(*names):
        return compare_ranks([measured_file(one) for one in recordings(*names)])

    return found


def test_the_straggler_keeps_the_other_waiting_as_expected(compared):
    ranks = compared(*STRAGGLER)
    waits, late = (ranks.parts[at, 0, 0] for at in (0, 1))
    assert waits.waiting_s == pytest.approx(450 * US)
    assert waits.exposed_waiting_s == pytest.approx(250 * US)
    assert waits.transfer_s == pytest.approx(850 * US)
    assert late.waiting_s == 0
    assert late.exposed_transfer_s == pytest.approx(300 * US)
    assert ranks.members[ranks.slowest.member].label == "rank 1"


def test_other_time_bases_of_one_clock_are_no_shift(compared):
    ranks = compared(*CLOCKS)
    assert ranks.clocks[1].shift_ns == 0
    assert ranks.clocks[1].verdict is Verdict.AGREES
    assert [one.waiting_s for one in ranks.parts.values()] == [0, 0]
    assert ranks.sentences == ((), ())


def test_two_of_eight_ranks_wait_for_each_other_in_all_to_alls_too(compared):
    # Read off the files: in the first all-to-all rank 3 begins 3983 us before rank 0.
    ranks = compared(*DLRM)
    assert ranks.clocks[1].verdict is Verdict.AGREES
    assert ranks.clocks[1].shift_ns == -4000
    assert ranks.waiting_s[1].tolist()[0] == pytest.approx(3983 * US)
    assert ranks.parts[0, 0, 0].waiting_s == pytest.approx(95 * US)
    assert ranks.parts[1, 0, 3].waiting_s == pytest.approx(4054 * US)
    assert all(one.untold_s == 0 for one in ranks.parts.values())
    assert ranks.members[ranks.slowest.member].label == "rank 0"
    assert "may be another" in ranks.sentences[0][0]


def test_processes_of_one_report_are_compared(compared):
    ranks = compared("cases/41-nsys-multirank.sqlite")
    assert [(one.rank, one.device) for one in ranks.members] == [(0, 0), (1, 0)]
    assert ranks.clocks[1].shift_ns == 300_000
    assert [one.waiting_s for one in ranks.parts.values()] == [0, 0]


def test_sends_and_receives_of_two_devices_end_together(compared):
    ranks = compared("traces/nsys-2gpu-nccl-sendrecv/report.sqlite")
    assert len(ranks.members) == 2
    assert all(one.untold_s == 0 for one in ranks.parts.values())
    # Read off the file: the 14th exchange begins at 118.2300 and 121.4555 ms.
    assert ranks.waiting_s[0][13] == pytest.approx(3225.5 * US, rel=1e-4)


def test_files_of_two_runs_are_refused_rather_than_compared(compared):
    ranks = compared(STRAGGLER[0], CLOCKS[1])
    assert {one.verdict for one in ranks.clocks} == {Verdict.REFUSED}
    assert ranks.parts == {}


def test_steps_tell_their_waiting(recordings):
    steps = measure(recordings(*STRAGGLER)).steps
    assert [row.waiting_s for row in steps] == pytest.approx([450 * US, 0])
    (alone,) = measure(recordings(STRAGGLER[0])).steps
    assert alone.waiting_s is None
