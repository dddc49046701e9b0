"""The link of a recording: found where sizes tell it, refused with the reason else."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Collective, Group, Step
from overlap_widget.model.link import Link
from overlap_widget.model.link_fit import LinkFit, Refused, fitted_link
from overlap_widget.model.measured_file import MeasuredFile, Transfers
from overlap_widget.model.units import MB

SUM, GATHER = Collective.ALL_REDUCE, Collective.ALL_GATHER


def file_of(sizes, times, **changes):
    """One step with transfers of these sizes and times, a second apart."""
    sizes, times = np.array(sizes, dtype=float), np.array(times, dtype=float)
    count = len(sizes)
    start_s = np.r_[0.0, np.cumsum(times + 1)[:-1]] if count else sizes
    zeros = np.zeros(count, dtype=np.int32)
    columns = {
        "step": zeros,
        "device": zeros,
        "stream": zeros,
        "name": zeros,
        "collective": np.full(count, SUM, dtype=np.uint8),
        "group": zeros - 1,
        "sequence": zeros.astype(np.int64) - 1,
        "size_bytes": sizes,
        "start_s": start_s,
        "end_s": start_s + times,
        "ready_s": start_s,
        "exposed_s": times,
    }
    steps = changes.pop("steps", (Step("1", complete=True),))
    return MeasuredFile(
        path="run.json",
        format="by hand",
        rank=0,
        warnings=(),
        origin_ns=0,
        steps=steps,
        step_rows=(),
        total_rows=(),
        transfers=Transfers(**columns | changes),
        exposed={},
        default_step=0,
    )


def reason_of(*files, **given):
    found = fitted_link(files, **given)
    assert isinstance(found, Refused), found
    return found.reason


# --- Found ---------------------------------------------------------------------------


def test_a_line_by_hand():
    # 2 s of overhead and 4 bytes a second: 3, 4.5 and 7 s for 4, 10 and 20 bytes.
    found = fitted_link([file_of([4, 20, 10], [3, 7, 4.5])])
    assert found.link.overhead_s == pytest.approx(2)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(4)
    assert found.relative_error == pytest.approx(0, abs=1e-12)
    assert found.bandwidth_error == pytest.approx(0, abs=1e-12)
    assert (found.transfers, found.low_bytes, found.high_bytes) == (3, 4, 20)
    assert found.waiting_removed is False


def test_errors_by_hand():
    # 3 and 3.3 s for 30 bytes, 6 and 6.6 for 60. Times t and 1.1 t are missed least by
    # (1 + 1 / 1.1) / (1 + 1 / 1.21) t = 1.04525 t: 4.525 % above, 4.977 % below.
    found = fitted_link([file_of([30, 30, 60, 60] * 9, [3, 3.3, 6, 6.6] * 9)])
    assert found.link.overhead_s == pytest.approx(0, abs=1e-12)
    assert found.link.bandwidth_bytes_per_s == pytest.approx(10 / 1.04525, rel=1e-5)
    squares = (0.04525**2 + 0.04977**2) / 2
    assert found.relative_error == pytest.approx(squares**0.5, rel=1e-3)


def test_standard_errors_are_those_of_a_textbook():
    sizes, times = np.array([10.0, 20.0, 30.0] * 20), np.tile([1.0, 1.01, 1.03], 20)
    found = fitted_link([file_of(sizes, times)])
    line, covariance = np.polyfit(sizes, times, 1, w=1 / times, cov=True)
    assert 1 / found.link.bandwidth_bytes_per_s == pytest.approx(line[0])
    slope_error, overhead_error = np.sqrt(np.diag(covariance))
    assert found.bandwidth_error == pytest.approx(slope_error / line[0], rel=1e-6)
    assert found.overhead_error_s == pytest.approx(overhead_error, rel=1e-6)


@given(
    link=st.builds(Link, st.floats(1e-4, 1), st.floats(1e6, 1e12)),
    sizes=st.lists(st.integers(10**6, 10**9), min_size=3, max_size=9).filter(
        lambda sizes: max(sizes) >= 1.3 * min(sizes)
    ),
)
def test_any_link_is_found_again(link, sizes):
    sizes = np.array(sizes, dtype=float)
    found = fitted_link([file_of(sizes, link.transfer_s(sizes))])
    assert isinstance(found, LinkFit)
    assert found.link.transfer_s(sizes) == pytest.approx(link.transfer_s(sizes))
    assert found.relative_error < 1e-6


@given(
    times=st.lists(st.floats(1e-3, 10), min_size=3, max_size=9),
    sizes=st.lists(st.floats(1, 1e9), min_size=9, max_size=9),
)
def test_whatever_the_times_there_is_a_link_or_a_reason(times, sizes):
    found = fitted_link([file_of(sizes[: len(times)], times)])
    if isinstance(found, Refused):
        assert found.reason.strip(". ") == found.reason
        assert "nan" not in found.reason
    else:
        assert 0 <= found.relative_error <= 0.25
        assert 0 <= found.bandwidth_error <= 0.25
        assert found.link.overhead_s >= 0


def test_where_scatter_would_make_the_overhead_negative_there_is_none():
    found = fitted_link([file_of([10, 20, 40], [1.0, 2.1, 4.2])])
    assert found.link.overhead_s == 0
    assert found.overhead_error_s is None
    # Paces of 10, 9.5238 and 9.5238 bytes a second, weighted by themselves.
    assert found.link.bandwidth_bytes_per_s == pytest.approx(9.6877, rel=1e-5)


def test_files_of_several_ranks_are_fitted_together():
    found = fitted_link([file_of([4, 20], [3, 7]), file_of([10], [4.5])])
    assert found.transfers == 3
    assert found.link.overhead_s == pytest.approx(2)


# --- Which transfers -----------------------------------------------------------------

SIZES, TIMES = [4, 20, 10, 8, 40, 20], [3, 7, 4.5, 2, 9, 3]
"""The last three follow no line."""


def test_the_first_step_and_cut_ones_are_left_out():
    step = np.array([1, 1, 1, 0, 2, -1], dtype=np.int32)
    steps = (Step("0", True), Step("1", True), Step("2", False))
    found = fitted_link([file_of(SIZES, TIMES, step=step, steps=steps)])
    assert found.transfers == 3
    assert found.link.overhead_s == pytest.approx(2)


def test_the_first_step_is_taken_where_no_other_is_whole():
    step = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    steps = (Step("0", True), Step("1", False))
    found = fitted_link([file_of(SIZES, TIMES, step=step, steps=steps)])
    assert (found.transfers, found.low_bytes) == (3, 4)


def test_gathers_of_parameters_are_no_gradients():
    collective = np.array([SUM] * 3 + [GATHER] * 3, dtype=np.uint8)
    found = fitted_link([file_of(SIZES, TIMES, collective=collective)])
    assert found.transfers == 3


def test_the_group_that_moves_most_is_taken_unless_it_splits_the_model():
    group = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    groups = (Group("0", "dp"), Group("1", "other"))
    given = {"group": group, "groups": groups}
    assert "scatter" in reason_of(file_of(SIZES, TIMES, **given))
    given["groups"] = (Group("0", "dp"), Group("1", "TENSOR_MODEL_PARALLEL_GROUP"))
    found = fitted_link([file_of(SIZES, TIMES, **given)])
    assert (found.transfers, found.high_bytes) == (3, 20)


def test_a_loss_among_gradients_is_no_bucket():
    found = fitted_link([file_of([4e6, 20e6, 10e6, 4], [3, 7, 4.5, 1e-5])])
    assert found.transfers == 3
    assert found.link.overhead_s == pytest.approx(2)


def test_waiting_for_other_ranks_is_taken_off_where_it_is_known():
    file = file_of([4, 20, 10, 10], [3 + 5, 7, 4.5 + 1, 99])
    waits = np.array([5.0, 0.0, 1.0, np.nan])
    found = fitted_link([file], waiting_s=[waits])
    assert found.link.overhead_s == pytest.approx(2)
    assert (found.transfers, found.waiting_removed) == (3, True)
    unknown = fitted_link(
        [file_of([4, 20, 10], [3, 7, 4.5])], waiting_s=[waits[3:] * [1, 1, 1]]
    )
    assert unknown.waiting_removed is False


# --- Refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "times", "sentence"),
    [
        ([], [], "nothing communicates here"),
        ([np.nan] * 4, [1, 2, 3, 4], "no all-reduce or reduce-scatter of known size"),
        ([4, 20, np.nan], [3, 7, 5], "and the size is known of 2"),
        ([25 * MB] * 5, [1, 2, 1, 2, 1], "alike in size (25 MB)"),
        ([40e6, 41e6, 40.5e6], [1, 1.1, 1], "alike in size (40 to 41 MB)"),
        ([4e9, 4.9e9, 4.2e9], [1, 1.1, 1], "alike in size (4 to 4.9 GB)"),
        ([4e3, 40e3, 9e3], [3, 1, 2], "don't grow with the sizes (4 to 40 kB)"),
        ([4e6, 40e6, 9e6], [3, 3, 3], "don't grow with the sizes (4 to 40 MB)"),
        ([1e6, 2e6, 4e6, 2e6], [1, 5, 4, 1], "more than 25 % would mislead"),
        ([2e6, 3e6] * 2, [1, 1.1, 1.2, 1.35], "the rate would be uncertain by"),
    ],
)
def test_what_has_no_link_is_refused_with_the_reason(sizes, times, sentence):
    assert sentence in reason_of(file_of(sizes, times))


@pytest.mark.parametrize(
    ("overlap_s", "is_refused"), [(0.0, False), (0.1, False), (0.2, True), (2, True)]
)
def test_transfers_that_run_at_once_are_refused(overlap_s, is_refused):
    # 3, 7 and 4.5 s one after the other are 14.5 s, and 1 % of it is 0.145 s.
    start_s = np.array([0, 3 - overlap_s, 10 - overlap_s])
    columns = {"start_s": start_s, "end_s": start_s + np.array([3, 7, 4.5])}
    found = fitted_link([file_of([4, 20, 10], [3, 7, 4.5], **columns)])
    assert isinstance(found, Refused) == is_refused


def test_what_runs_beside_gradients_shares_their_link():
    file = file_of([4, 20, 10, 8], [3, 7, 4.5, 2])
    collective = np.array([SUM] * 3 + [GATHER], dtype=np.uint8)
    beside = np.array([0, 4, 12, 5.0])  # the gather runs within the second transfer
    moved = replace(
        file.transfers,
        collective=collective,
        start_s=beside,
        end_s=beside + np.array([3, 7, 4.5, 2]),
    )
    at_once = replace(file, transfers=moved)
    assert "run at once for 14 % of their time" in reason_of(at_once)
    elsewhere = replace(moved, device=np.array([0, 0, 0, 1], dtype=np.int32))
    assert isinstance(fitted_link([replace(file, transfers=elsewhere)]), LinkFit)
