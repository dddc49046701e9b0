"""The pages say what the program does: words, commands, tables and numbers."""

import contextlib
import csv
import io
import json
import math
import re
from pathlib import Path

import pytest

from overlap_widget.app.cli import SUMMARIES, main
from overlap_widget.model import (
    Collective,
    Kind,
    Layer,
    Link,
    best_bucket,
    best_of,
    simulate,
    tails,
    whole_layers,
)
from overlap_widget.model.measurement import measure
from overlap_widget.model.scenario_file import load_scenario
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE
from overlap_widget.model.traces import load
from overlap_widget.model.units import MB, MS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MODEL, GLOSSARY = DOCS / "model.md", DOCS / "glossary.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
EFFECTS = ROOT.parent / "shared/reference/effects_outside_the_simple_model.csv"


def page_name(path):
    return path.relative_to(ROOT).as_posix()


def rows_of(path, first_cell):
    """The rows of the table whose head begins with this cell."""
    found = path.read_text().split(f"\n| {first_cell} |")[1].split("\n\n")[0]
    lines = found.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def terms():
    """The words of the glossary: the first cells of its tables, apart at commas."""
    lines = GLOSSARY.read_text().splitlines()
    cells = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    return {term for cell in cells for term in cell.split(", ")} - {"word"}


def digits(value):
    return f"{value:.3g}"


TRACES = ROOT.parent / "shared/traces"


@pytest.mark.parametrize(
    "row", rows_of(DOCS / "implementation-notes.md", "capture"), ids=lambda row: row[0]
)
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


def test_the_scenario_file_of_the_readme_is_one(tmp_path):
    block = (ROOT / "README.md").read_text().split("```json\n")[1].split("```")[0]
    path = tmp_path / "mine.json"
    path.write_text(block)

    assert [layer.name for layer in load_scenario(path).layers] == ["head", "block 1"]


# --- Words -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_span_is_in_the_glossary(kind):
    assert kind.name.lower() in terms()


@pytest.mark.parametrize("collective", list(Collective)[2:], ids=lambda one: one.name)
def test_every_collective_is_in_the_glossary_as_the_code_spells_it(collective):
    assert f"`{collective.name.lower()}`" in GLOSSARY.read_text()


def labels():
    """What the screen calls its controls, pickers and numbers."""
    strings = json.loads((ROOT / "static" / "strings.en.json").read_text())
    return {
        text.lower()
        for key, text in strings.items()
        if key.startswith(("control.", "pick.", "number.", "lane.", "collective."))
        if "{" not in text and text not in ("", "none", "unknown")
    } - {"backward pass ends"}


@pytest.mark.parametrize("label", sorted(labels()))
def test_every_label_of_the_screen_is_in_the_glossary(label):
    assert label in terms() or label.removesuffix("s") in terms()


# --- Commands ----------------------------------------------------------------------


def console_runs():
    """Each `$ overlap ...` in a console block, with the output that follows it."""
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.S):
            for run in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = run.partition("\n")
                yield pytest.param(command, output, id=f"{page_name(page)}: {command}")


@pytest.mark.parametrize(("command", "output"), [*console_runs()])
def test_a_quoted_command_prints_what_the_page_says(command, output, capsys):
    program, *argv = command.split()
    assert program == "overlap"
    assert main(argv) == 0
    assert capsys.readouterr().out.rstrip("\n") == output.rstrip("\n")


def quoted_commands():
    pattern = r"(?<![\w-])overlap (" + "|".join(SUMMARIES) + r")\b([^`\n#]*)"
    for page in PAGES:
        for name, rest in re.findall(pattern, page.read_text()):
            yield pytest.param(name, rest, id=f"{page_name(page)}: {name}{rest}")


@pytest.mark.parametrize(("name", "rest"), [*quoted_commands()])
def test_a_quoted_command_has_the_options_it_is_quoted_with(name, rest):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([name, "--help"]) == 0
    for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
        assert option in out.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_a_link_leads_to_a_file_that_is_there(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


# --- Tables of docs/model.md -------------------------------------------------------


def test_the_pass_worked_by_hand_is_what_the_model_gives():
    rows = rows_of(MODEL, "layer")
    layers = [Layer(name, float(s), float(size)) for name, s, size, *_ in rows]
    link = Link(overhead_s=1, bandwidth_bytes_per_s=2)
    simulation = simulate(layers, (1,) * len(layers), link)
    moments = [[float(cell) for cell in row[3:]] for row in rows]
    assert moments == [
        [one.ready_s, one.start_s, one.end_s] for one in simulation.transfers
    ]
    assert simulation.tail.total_s == 8


def test_the_table_of_tails_is_what_the_model_gives():
    rows = rows_of(MODEL, "layers a bucket")
    assert len(rows) == 12
    for row in rows:
        size, transfers, last, *times = map(float, row)
        simulation = simulate(COURSE.layers, whole_layers(12, int(size)), COURSE.link)
        tail = simulation.tail
        assert len(simulation.transfers) == transfers
        assert len(simulation.transfers[-1].layers) == last
        parts_s = (tail.queued_s, tail.overhead_s, tail.wire_s, tail.total_s)
        assert times == [round(part_s / MS, 3) for part_s in parts_s]


def test_the_table_of_best_sizes_is_what_the_model_gives():
    pass_s, total_bytes = 60 * MS, 480 * MB
    bandwidth = COURSE.link.bandwidth_bytes_per_s
    for row in rows_of(MODEL, "overhead (ms)"):
        overhead_s = float(row[0]) * MS
        keeps_up = overhead_s / (pass_s / total_bytes - 1 / bandwidth)
        shortest = total_bytes * math.sqrt(overhead_s / pass_s)
        by_size = tails(COURSE.layers, Link(overhead_s, bandwidth))
        best = best_bucket(by_size)
        smaller = min(keeps_up, shortest) / (40 * MB)
        assert row[1:] == [
            digits(keeps_up / MB),
            digits(shortest / MB),
            digits(smaller),
            str(best),
            f"{round(by_size[best - 1].total_s / MS, 3):g}",
        ]
        assert best in (max(1, math.floor(smaller)), math.ceil(smaller))


def test_what_is_left_out_is_quoted_as_it_was_published():
    if not EFFECTS.exists():
        pytest.skip("shared/reference is not beside this checkout")
    with EFFECTS.open() as file:
        published = [row["value"] for row in csv.DictReader(file)]
    for _, how_much, _ in rows_of(MODEL, "what"):
        quoted = re.findall(r"[\d.]+x?(?:[-/ ]+(?:of )?[\d.]+x?)?", how_much)
        for number in quoted:
            assert any(number.strip() in value for value in published), number


# --- Numbers in the prose of docs/model.md -----------------------------------------


def run(scenario, size, overhead_ms=1, bandwidth_gb_per_s=12):
    link = Link(overhead_ms * MS, bandwidth_gb_per_s * 1e9)
    return simulate(scenario.layers, whole_layers(12, size), link)


def tail(*of, **link):
    return digits(run(*of, **link).tail.total_s / MS)


def queued(*of, **link):
    return digits(run(*of, **link).tail.queued_s / MS)


def step(*of, **link):
    return digits(run(*of, **link).transfers[-1].end_s / MS)


def cost(place, *of, **link):
    """Of one transfer of a run, in ms."""
    simulation = run(*of, **link)
    size_bytes = simulation.transfers[place].size_bytes
    return digits(simulation.link.transfer_s(size_bytes) / MS)


def sentences():
    """What docs/model.md says in passing, with its numbers computed again."""
    sizes = (12, 6, 3, 1)
    best = best_of(FAST_HARDWARE.layers, FAST_HARDWARE.link)
    lever = run(FAST_HARDWARE, 2, bandwidth_gb_per_s=24)
    slow = {"overhead_ms": 4}
    best_slow = best_bucket(tails(COURSE.layers, Link(4 * MS, 12e9)))
    fast = run(FAST_HARDWARE, 1)
    shortest_mb = 480 * math.sqrt(1 / 30)
    return [
        f"1 + 40 / 12 = {cost(0, COURSE, 1)} ms",
        f"the floor is {cost(-1, COURSE, 5)} ms and not the {cost(0, COURSE, 5)} ms of",
        f"{', '.join(tail(COURSE, size) for size in sizes)} ms for 12, 6, 3 and 1 ",
        f"in half the time, {digits(FAST_HARDWARE.layers[0].backward_s / MS)} ms each",
        f"A transfer still takes {cost(0, FAST_HARDWARE, 1)} ms",
        f"up to {fast.most_waiting} wait at once, and of a tail of "
        f"{tail(FAST_HARDWARE, 1)} ms {queued(FAST_HARDWARE, 1)} ms are queued",
        f"{step(FAST_HARDWARE, 1)} ms instead of {step(COURSE, 1)} ms",
        f"the best size is {best.bucket} layers, with {digits(best.tail_s / MS)} ms",
        f"(B2 is {digits(shortest_mb)} MB)",
        f"it is {digits(fast.traffic_to_work)}: {cost(0, FAST_HARDWARE, 12)} ms of "
        f"traffic against {digits(fast.backward_s / MS)} ms of work, so at least "
        f"{digits((fast.traffic_to_work - 1) * fast.backward_s / MS)} ms show",
        f"(buckets of {', '.join(map(str, best.plan))} layers) leaves "
        f"{digits(best.plan_tail_s / MS)} ms",
        f"at 24 GB/s the ratio is {digits(lever.traffic_to_work)} and 2 layers a "
        f"bucket leave {digits(lever.tail.total_s / MS)} ms",
        f"60 + {tail(COURSE, 12)} = {step(COURSE, 12)} ms",
        f"bytes are {tail(COURSE, 4)} ms. With 5",
        f"{digits(run(COURSE, 5).tail.wire_s / MS)} ms of bytes",
        f"before it left at {digits(run(COURSE, 5).transfers[1].start_s / MS)} ms and "
        f"takes {cost(1, COURSE, 5)} ms, so the last one is queued for "
        f"{queued(COURSE, 5)} ms: {tail(COURSE, 5)} ms in all",
        f"Each of 12 transfers takes {cost(0, COURSE, 1, **slow)} ms",
        f"from {tail(COURSE, 1)} to {tail(COURSE, 1, **slow)} ms. With {best_slow} "
        f"layers a bucket it is {tail(COURSE, best_slow, **slow)} ms",
        f"the best size leaves {digits(best.tail_s / MS)} ms, since "
        f"{cost(0, FAST_HARDWARE, 12)} ms of traffic meet",
        f"16 GB/s two layers a bucket leave "
        f"{tail(FAST_HARDWARE, 2, bandwidth_gb_per_s=16)} ms",
    ]


@pytest.mark.parametrize("sentence", sentences())
def test_a_number_in_passing_is_what_the_model_gives(sentence):
    assert sentence in " ".join(MODEL.read_text().split())
