"""The tables of what was published and measured, computed again cell by cell."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.app.cli import main
from overlap_widget.app.quantities import (
    percent_text,
    rate_text,
    size_text,
    time_text,
)
from overlap_widget.model import MeasuredLink, ring_factor, simulate
from overlap_widget.model.elements import element_count, elements_bytes
from overlap_widget.model.fit import fit
from overlap_widget.model.links import LINKS
from overlap_widget.model.measurement import measure
from overlap_widget.model.rules import (
    DDP_CAP_MIB,
    DDP_FIRST_MIB,
    DEEPSPEED_ELEMENTS,
    MEGATRON_PARAMETERS,
    MEGATRON_PARAMETERS_PER_RANK,
    RULES,
)
from overlap_widget.model.scenarios import SCENARIOS
from overlap_widget.model.traces import load
from overlap_widget.model.units import GIB, KIB, MB, MIB, MS, size_bytes

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "docs" / "model.md"
NOTES = ROOT / "docs" / "implementation-notes.md"
TRACES = ROOT.parent / "shared" / "traces"
REFERENCE = ROOT.parent / "shared" / "reference"


def table(path, first_cell):
    """Head and rows of the table whose head begins with this cell."""
    found = path.read_text().split(f"\n| {first_cell} |")[1].split("\n\n")[0]
    head, _, *rows = f"| {first_cell} |{found}".splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in (head, *rows)
    ]


def rows_of(path, first_cell):
    return table(path, first_cell)[1:]


def digits(value):
    """Three of them, without an exponent: `264`, `18.4`, `3480`."""
    return f"{float(f'{value:.3g}'):.10g}"


def reference_rows(name):
    """The rows of a reference beside the checkout; skips where there is none."""
    if not (REFERENCE / name).exists():
        pytest.skip("shared/reference is not beside this checkout")
    with (REFERENCE / name).open() as file:
        return list(csv.DictReader(file))


# --- Buckets of frameworks ---------------------------------------------------------


def test_the_frameworks_have_the_defaults_and_sources_of_the_rules():
    ddp, megatron, deepspeed = rows_of(MODEL, "framework")
    assert ddp[1:3] == ["MiB", f"{DDP_CAP_MIB}, the first bucket {DDP_FIRST_MIB}"]
    assert megatron[1] == "parameters"
    assert megatron[2].startswith(f"{MEGATRON_PARAMETERS:,}, or ")
    assert f" {MEGATRON_PARAMETERS_PER_RANK:,} for each" in megatron[2]
    assert deepspeed[1:3] == ["elements", f"{DEEPSPEED_ELEMENTS:,}"]
    for name, row in (("ddp", ddp), ("megatron", megatron), ("deepspeed", deepspeed)):
        assert row[4] in RULES[name].source.split("; ")


def test_the_defaults_of_the_frameworks_are_the_published_ones():
    rows = reference_rows("framework_bucket_defaults.csv")
    published = {row["setting"]: row["value"] for row in rows}
    assert published["bucket_cap_mb"] == str(DDP_CAP_MIB)
    assert published["first bucket"] == str(DDP_FIRST_MIB)
    assert published["bucket_size"] == (
        f"max({MEGATRON_PARAMETERS}, {MEGATRON_PARAMETERS_PER_RANK}*dp)"
    )
    assert published["reduce_bucket_size"] == str(DEEPSPEED_ELEMENTS)


@pytest.mark.parametrize("row", rows_of(MODEL, "limit"), ids=" ".join)
def test_a_limit_is_so_many_mb_and_mib(row):
    limit, kind, mb, mib = row
    count, unit = limit.rsplit(" ", 1)
    if unit in ("parameters", "elements"):
        each = {"fp32": 4, "bf16": 2}[kind]
        found = elements_bytes(element_count(count), each)
    else:
        found = size_bytes(limit)
    assert (mb, mib) == (digits(found / MB), digits(found / MIB))


# --- Links and scenarios -----------------------------------------------------------


def test_the_links_have_the_lines_and_errors_of_their_fits():
    assert rows_of(MODEL, "link") == [
        [
            *(link.name, link.title, str(link.ranks)),
            time_text(link.line.overhead_s),
            rate_text(link.line.bandwidth_bytes_per_s),
            f"{size_text(link.fit.low_bytes)} to {size_text(link.fit.high_bytes)}",
            percent_text(link.fit.max_error),
        ]
        for link in LINKS.values()
    ]


def test_the_links_have_the_numbers_that_the_terminal_prints(capsys):
    assert main(["scenarios"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for name, title, ranks, overhead, bandwidth, sizes, error in rows_of(MODEL, "link"):
        assert (
            f"{name} {title} line {ranks} ranks, overhead {overhead}, bandwidth "
            f"{bandwidth} fit misses transfers of {sizes} by {error} at most"
        ) in printed


def test_the_ring_factors_are_those_of_the_model():
    head, factors = table(MODEL, "ranks")
    assert factors[1:] == [digits(ring_factor(int(ranks))) for ranks in head[1:]]


def test_the_scenarios_have_these_passes_and_gradients():
    lines = {link.line: name for name, link in LINKS.items()}
    for row, scenario in zip(
        rows_of(MODEL, "scenario"), SCENARIOS.values(), strict=True
    ):
        step = simulate(scenario.layers, (len(scenario.layers),), scenario.link)
        own = rate_text(scenario.link.bandwidth_bytes_per_s)
        own += f", {time_text(scenario.link.overhead_s)}"
        assert row == [
            *(scenario.name, str(len(scenario.layers)), digits(step.backward_s / MS)),
            digits(step.total_bytes / MB),
            lines.get(scenario.link, own),
            re.split("[ ,:]", scenario.times)[0].lower(),
        ]


LOW, HIGH = 64 * KIB, 1 * GIB


def largest_and_mean(found_s, times_s):
    errors = np.array(found_s) / np.array(times_s) - 1
    return digits(100 * abs(errors).max()), digits(100 * np.sqrt((errors**2).mean()))


def interpolated(link):
    """Each row of 64 KiB to 1 GiB out of its neighbours, and what was measured."""
    sizes, times = np.array(link.sizes_bytes), np.array(link.times_s)
    places = [
        at for at in range(1, len(sizes) - 1) if LOW <= link.sizes_bytes[at] <= HIGH
    ]
    found_s = [
        MeasuredLink(
            tuple(np.delete(sizes, at)), tuple(np.delete(times, at)), link.line
        ).transfer_s(float(sizes[at]))
        for at in places
    ]
    return found_s, times[places]


@pytest.mark.parametrize("row", rows_of(NOTES, "link"), ids=lambda row: row[0])
def test_lines_and_tables_miss_by_as_much_as_the_notes_say(row):
    name, *cells = row
    link = LINKS[name]
    sizes, times = np.array(link.table.sizes_bytes), np.array(link.table.times_s)
    inside = (sizes >= LOW) & (sizes <= HIGH)
    wide = fit(sizes, times, LOW, HIGH)
    expected = [
        (digits(100 * link.fit.max_error), digits(100 * link.fit.rms_error)),
        largest_and_mean(link.line.transfer_s(sizes[inside]), times[inside]),
        (digits(100 * wide.max_error), digits(100 * wide.rms_error)),
        largest_and_mean(*interpolated(link.table)),
    ]
    assert cells == [" / ".join(pair) for pair in expected]


def test_interpolated_tables_miss_by_as_much_as_the_page_says():
    largest = [
        largest_and_mean(*interpolated(link.table))[0]
        for link in LINKS.values()
        if link.table
    ]
    least, most = min(largest, key=float), max(largest, key=float)
    text = " ".join(MODEL.read_text().split())
    assert f"from its neighbours, it misses by {least} to {most} %" in text


# --- What others measured ----------------------------------------------------------


def test_what_is_left_out_is_quoted_as_it_was_published():
    published = [
        row["value"] for row in reference_rows("effects_outside_the_simple_model.csv")
    ]
    for _, how_much, _ in rows_of(MODEL, "what"):
        quoted = re.findall(r"[\d.]+x?(?:[-/ ]+(?:of )?[\d.]+x?)?", how_much)
        for number in quoted:
            assert any(number.strip() in value for value in published), number


@pytest.mark.parametrize("row", rows_of(NOTES, "capture"), ids=lambda row: row[0])
def test_the_table_of_measured_accuracy_is_what_the_captures_give(row):
    name, *parts, tails_ms = row
    if not (TRACES / name).exists():
        pytest.skip("the captures are not at hand")
    measurement = measure([load(str(TRACES / name))])
    (whole,) = measurement.totals
    found_s = (
        *(whole.communication_s, whole.compute_s),
        *(whole.hidden_s, whole.exposed_s),
    )

    assert parts == [f"{seconds / MS:.3f}" for seconds in found_s]
    steps = [f"{step.tail_s / MS:.3f}" for step in measurement.steps]
    assert tails_ms == ", ".join(steps)
