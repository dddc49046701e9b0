"""Which phase launched a piece of work, and when a transfer could have started."""

import numpy as np

from overlap_widget.model import Kind, Phase
from overlap_widget.model.traces.gpu_events import LAUNCHES, RANGES, GpuEvents
from overlap_widget.model.traces.phases import phase_of
from overlap_widget.model.traces.ready import ready_ns

UNKNOWN, FORWARD, BACKWARD, OPTIMIZER = Phase
COMPUTE, COMMUNICATION, OTHER = Kind


def table(types, *rows):
    columns = zip(*rows, strict=True) if rows else [[] for _ in types]
    return {
        name: np.array(column, dtype=code)
        for (name, code), column in zip(types.items(), columns, strict=True)
    }


def phases(launched_ns, steps, *ranges, thread=1):
    """Of work launched at these times by one thread, one piece each."""
    count = len(launched_ns)
    rows = [(at + 1, ns, thread) for at, ns in enumerate(launched_ns)]
    found = GpuEvents(
        work={},
        names=("kernel",),
        groups=(),
        launches=table(LAUNCHES, *rows),
        ranges=table(RANGES, *ranges),
        marks=(),
    )
    work = {"name": np.zeros(count, dtype=np.int32)}
    return phase_of(work, np.arange(count), found, np.array(steps)).tolist()


def test_ranges_tell_the_phase_and_what_comes_before_backward_is_forward():
    # ns           0    10     20     30     40     50     60
    # ranges               [backward  ]    [optimizer ]
    # launches       5      22    28    35    44       58
    ranges = [(1, 20, 30, BACKWARD), (1, 40, 50, OPTIMIZER)]
    found = phases([5, 22, 28, 35, 44, 58], [0] * 6, *ranges)
    assert found == [FORWARD, BACKWARD, BACKWARD, UNKNOWN, OPTIMIZER, UNKNOWN]


def test_each_step_has_a_forward_pass_of_its_own():
    # the third launch lies after the first step's backward, before the second's
    ranges = [(1, 20, 30, BACKWARD), (1, 60, 70, BACKWARD)]
    found = phases([5, 22, 41, 66], [0, 0, 1, 1], *ranges)
    assert found == [FORWARD, BACKWARD, FORWARD, BACKWARD]


def test_without_a_backward_pass_nothing_is_forward():
    assert phases([5, 44], [0, 0], (1, 40, 50, OPTIMIZER)) == [UNKNOWN, OPTIMIZER]


def test_outside_of_all_steps_nothing_is_guessed():
    assert phases([5, 22], [-1, -1], (1, 20, 30, BACKWARD)) == [UNKNOWN, BACKWARD]


def test_a_range_of_another_thread_tells_nothing():
    assert phases([5, 22], [0, 0], (2, 20, 30, BACKWARD)) == [UNKNOWN, UNKNOWN]


WORK = {"start_ns": "q", "length_ns": "q", "device": "i", "kind": "B"}


def ready(rows, launched_ns):
    """Of work (start, length, device, kind), launched at these times; -1 not known."""
    launches = table(LAUNCHES, *[(at + 1, ns, 1) for at, ns in enumerate(launched_ns)])
    launch = np.where(np.array(launched_ns) >= 0, np.arange(len(rows)), -1)
    return ready_ns(table(WORK, *rows), launch, launches).tolist()


def test_a_transfer_is_ready_when_all_that_was_launched_before_it_is_computed():
    # ns          0        30    45       70      90
    # gemm 1      [ 1      ]
    # gemm 2               [  2  ]
    # transfer of 1         .....[   A    ]              launched after 1, before 2
    # transfer of 2               ........[ B     ]      launched after 2
    rows = [
        (0, 30, 0, COMPUTE),
        (30, 15, 0, COMPUTE),
        (45, 25, 0, COMMUNICATION),
        (70, 20, 0, COMMUNICATION),
    ]
    assert ready(rows, [1, 3, 2, 4]) == [0, 30, 30, 45]


def test_a_transfer_that_runs_ahead_of_compute_was_ready_at_its_start():
    # ns  it starts at 20 though the compute launched before it ends at 50
    rows = [(0, 50, 0, COMPUTE), (20, 10, 0, COMMUNICATION)]
    assert ready(rows, [1, 2]) == [0, 20]


def test_other_devices_and_unknown_launches_tell_nothing():
    rows = [
        (0, 10, 1, COMPUTE),
        (40, 10, 0, COMMUNICATION),
        (60, 10, 1, COMMUNICATION),
        (80, 10, 1, COMMUNICATION),
    ]
    assert ready(rows, [1, 2, -1, 4]) == [0, 40, 60, 10]
