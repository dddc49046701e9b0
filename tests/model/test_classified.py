"""Rules on kernel names change what counts as communication, after loading."""

from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.model import (
    Classes,
    Collective,
    Kind,
    Recording,
    Rule,
    Timeline,
    break_down,
    classified,
    window,
)
from overlap_widget.model.classified import unfitted
from overlap_widget.model.completeness import steps_with_completeness

COMPUTE, COMMUNICATION, OTHER = Kind

# ms                0    1    2    3    5    6    7    9
# gemm              [    step 0     ]
# my_ar_1           .         [   ]
# copy of a peer    .    [    ]
# gemm                                   [ step 1  ]
# nccl                                        [ st.1  ]
NAMES = ("gemm", "my_ar_1", "copy", "ncclDevKernel_AllReduce")
ROWS = [
    (0, 3, 0, COMPUTE, Collective.NONE, 0, 0),
    (1, 2, 2, OTHER, Collective.PEER_COPY, 70, 0),
    (2, 3, 1, COMPUTE, Collective.NONE, 0, 0),
    (5, 7, 0, COMPUTE, Collective.NONE, 0, 1),
    (6, 9, 3, COMMUNICATION, Collective.ALL_REDUCE, 40, 1),
]


def recording(rows=ROWS, names=NAMES):
    start, end, name, kind, collective, size, step = map(
        np.array, zip(*rows, strict=True)
    )
    count = len(rows)
    spans = Timeline(
        start_s=start / 1e3,
        end_s=end / 1e3,
        ready_s=start / 1e3,
        kind=kind.astype(np.uint8),
        collective=collective.astype(np.uint8),
        size_bytes=size.astype(float),
        stream=np.zeros(count, dtype=np.int32),
        name=name.astype(np.int32),
        names=names,
        backward_end_s=None,
    )
    return Recording(
        path="run.json",
        format="by hand",
        rank=0,
        spans=spans,
        device=np.zeros(count, dtype=np.int32),
        step=step.astype(np.int32),
        phase=np.zeros(count, dtype=np.uint8),
        group=np.full(count, -1, dtype=np.int32),
        loaded_kind=spans.kind,
        groups=(),
        steps=steps_with_completeness("01", step, spans.kind, spans.size_bytes),
        warnings=("said by the loader",),
    )


def parts_ms(chosen, step):
    parts = break_down(window(chosen, 0, step).timeline)
    seconds = (parts.compute_s, parts.communication_s, parts.hidden_s, parts.exposed_s)
    return [round(one * 1e3, 9) for one in seconds]


def test_without_rules_the_loader_decides():
    plain = classified(recording(), Classes())
    assert plain.spans.kind.tolist() == [row[3] for row in ROWS]
    assert parts_ms(plain, 0) == [3, 0, 0, 0]
    assert parts_ms(plain, 1) == [2, 3, 1, 2]


def test_a_rule_makes_communication_of_kernels_that_fit_it():
    ruled = classified(recording(), Classes((Rule("my_ar_*", COMMUNICATION),)))
    assert parts_ms(ruled, 0) == [3, 1, 1, 0]
    row = list(ruled.spans.name).index(1)
    assert ruled.spans.collective[row] == Collective.UNKNOWN
    assert np.isnan(ruled.spans.size_bytes[row])
    assert ruled.warnings[-1] == (
        "1 kernel name counts as something else by the rules (1 span)"
    )


def test_the_last_rule_that_fits_holds():
    rules = (Rule("*", OTHER), Rule("gem?", COMPUTE), Rule("gemm", COMMUNICATION))
    kinds = classified(recording(), Classes(rules)).spans.kind
    assert kinds.tolist() == [COMMUNICATION, OTHER, OTHER, COMMUNICATION, OTHER]


def test_patterns_fit_whole_names_and_heed_capitals():
    for pattern in ("emm", "GEMM", "gem"):
        rules = Classes((Rule(pattern, OTHER),))
        assert classified(recording(), rules).spans.kind.tolist() == [
            row[3] for row in ROWS
        ]


def test_peer_copies_count_when_asked_for_and_either_is_said_once():
    counted = classified(recording(), Classes(count_peer_copies=True))
    assert parts_ms(counted, 0) == [3, 1, 1, 0]
    assert counted.warnings == (
        "said by the loader",
        "1 peer copy between GPUs counted as communication",
    )
    again = classified(counted, Classes())
    assert parts_ms(again, 0) == [3, 0, 0, 0]
    assert len(again.warnings) == 2
    assert "not counted as communication" in again.warnings[1]


@pytest.mark.parametrize(
    "classes",
    [
        Classes(),
        Classes(count_peer_copies=True),
        Classes((Rule("gemm", COMMUNICATION), Rule("nccl*", COMPUTE))),
    ],
)
def test_other_classes_start_from_the_loader_again(classes):
    through = classified(classified(recording(), Classes((Rule("*", OTHER),))), classes)
    at_once = classified(recording(), classes)
    assert through.spans.kind.tolist() == at_once.spans.kind.tolist()
    assert through.warnings == at_once.warnings
    assert through.steps == at_once.steps


def test_steps_are_judged_by_what_counts_now():
    # ten transfers in step 0, one in step 1: with the copies both are alike
    rows = [
        (at, at + 1, 3, COMMUNICATION, Collective.ALL_REDUCE, 10, 0) for at in range(10)
    ]
    rows += [(20, 21, 3, COMMUNICATION, Collective.ALL_REDUCE, 10, 1)]
    rows += [(30, 31, 2, OTHER, Collective.PEER_COPY, 90, 1)]
    loaded = recording(rows)
    assert [step.complete for step in loaded.steps] == [True, False]
    counted = classified(loaded, Classes(count_peer_copies=True))
    assert [step.complete for step in counted.steps] == [True, True]
    assert classified(counted, Classes()).steps == loaded.steps


def test_new_transfers_of_unknown_size_leave_the_verdict_to_the_known_ones():
    """A first step sends all in one bucket, before DDP cuts them anew: no step is cut.

    Bytes: 100 in step 0, 40 + 60 in step 1; each has a kernel of one's own.
    """
    reduce = (COMMUNICATION, Collective.ALL_REDUCE)
    rows = [
        (0, 3, 3, *reduce, 100, 0),
        (3, 4, 1, COMPUTE, Collective.NONE, 0, 0),
        (5, 6, 3, *reduce, 40, 1),
        (6, 7, 3, *reduce, 60, 1),
        (7, 8, 1, COMPUTE, Collective.NONE, 0, 1),
    ]
    rules = Classes((Rule("my_*", COMMUNICATION),))
    ruled = classified(recording(rows), rules)
    assert [step.complete for step in ruled.steps] == [True, True]
    cut = classified(recording([(0, 3, 3, *reduce, 80, 0), *rows[1:]]), rules)
    assert [step.complete for step in cut.steps] == [False, True]
    without = classified(recording(rows[1:]), rules)
    assert [step.complete for step in without.steps] == [False, True]


def test_patterns_that_fit_no_name_are_told():
    rules = (Rule("gem", OTHER), Rule("gem?", OTHER), Rule("x*", COMMUNICATION))
    assert unfitted(classified(recording(), Classes(rules))) == ("gem", "x*")
    assert unfitted(recording()) == ()


def test_what_a_recording_holds_is_not_changed():
    loaded = recording()
    before = replace(loaded).spans.kind.tolist()
    classified(loaded, Classes((Rule("*", OTHER),)))
    assert loaded.spans.kind.tolist() == before
