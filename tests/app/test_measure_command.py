"""`overlap measure`: a sentence, tables and notes; JSON and CSV; errors."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from overlap_widget.app import measuring as app_measuring
from overlap_widget.app.cli import main
from overlap_widget.app.measurement_report_said import range_sentence
from overlap_widget.model.measurement_rows import StepRow
from overlap_widget.model.traces import measuring

DATA = Path(__file__).parents[1] / "data" / "kineto"

BEHIND_THE_CLOCK = (DATA.parent / "step-behind-the-clock.txt").read_text("utf-8")


@pytest.fixture
def overlap(capsys, monkeypatch):
    """Run `overlap measure` in the folder of the traces: code, stdout, stderr."""
    monkeypatch.chdir(DATA)

    def run(*arguments):
        code = main(["measure", *arguments])
        return code, *capsys.readouterr()

    return run


def paragraphs(out):
    """Its parts between blank lines, each on one line."""
    return [part.replace("\n", " ") for part in out.split("\n\n")]


def test_a_sentence_then_the_steps_then_the_whole_file(overlap):
    assert overlap("step-behind-the-clock.json") == (0, BEHIND_THE_CLOCK, "")


def test_warnings_are_notes_and_change_nothing_else(overlap):
    code, out, err = overlap("cut-off.json")
    assert (code, err) == (0, "")
    assert "Note: the file ends early; last event dropped.\n" in out


def test_without_communication_the_words_say_so(overlap):
    _, out, _ = overlap("cut-compute.json")
    assert out.startswith(
        "Step 1, rank 2: there is no communication; compute runs 4 µs."
    )
    assert "not applicable" in out
    assert "nan" not in out.lower()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("0", "Step 0, rank 2: communication runs 50 µs, none of it hidden behind"),
        ("1", "Step 1, rank 2: communication runs 50 µs, 15 µs of it hidden behind"),
        ("2", "The capture doesn't hold all of this step."),
    ],
)
def test_a_step_that_was_asked_for_is_told_of_alone(overlap, step, said):
    code, out, _ = overlap("first-step-one-bucket.json", "--step", step)
    assert code == 0
    assert said in paragraphs(out)[0]
    steps = out.split("\n\n")[1].splitlines()[1:]
    assert [re.split(r"\s{2,}", row)[2] for row in steps] == [step]


def test_all_tells_of_every_step(overlap):
    _, out, _ = overlap("first-step-one-bucket.json", "--step", "all")
    told = paragraphs(out)[:3]
    assert [line.split(",")[0] for line in told] == ["Step 0", "Step 1", "Step 2"]


def test_steps_that_stand_out_have_a_remark_and_are_told_with_it(overlap):
    _, out, _ = overlap("first-step-one-bucket.json", "--step", "all")
    said = {part.split(",")[0]: part for part in paragraphs(out)[:3]}
    head, *rows = out.split("\n\n")[3].splitlines()
    assert head.endswith("remark")
    assert [re.split(r"\s{2,}", row)[-1] for row in rows] == ["first", "35 µs", "cut"]
    assert said["Step 0"].endswith("This is the first step, which often warms up.")
    assert said["Step 1"].endswith("is idle 1 µs.")
    assert said["Step 2"].endswith("doesn't hold all of this step.")


def test_an_unknown_step_is_answered_with_those_that_there_are(overlap):
    code, out, err = overlap("first-step-one-bucket.json", "--step", "7")
    assert (code, out) == (2, "")
    assert err == (
        "overlap: first-step-one-bucket.json: there is no step '7'; "
        "the steps are 0, 1, 2\n"
    )


def test_several_files_are_told_apart(overlap):
    _, out, _ = overlap("two-devices.json", "launched-steps.json")
    *told, steps = out.split("\n\n")[:4]
    assert [one.split(":")[0] for one in told] == [
        "The whole file, rank 2, device 0, two-devices.json",
        "The whole file, rank 2, device 1, two-devices.json",
        "Step 5, rank 2, device 0, launched-steps.json",
    ]
    assert [row.split()[0] for row in steps.splitlines()] == [
        "file",
        "two-devices.json",
        "two-devices.json",
        "launched-steps.json",
    ]
    assert "Note: two-devices.json: no step is marked" in out


def test_bad_files_among_several_are_a_sentence_each_and_the_rest_is_measured(overlap):
    code, out, err = overlap("launched-steps.json", "cpu-only.json", "no-such.json")
    assert code == 2
    assert err.startswith("overlap: cpu-only.json: no GPU work in the file")
    assert err.count("\n") == 2
    assert out.startswith("Step ")


def test_nothing_is_printed_where_no_file_can_be_read(overlap):
    code, out, err = overlap("cpu-only.json", "no-such.json")
    assert (code, out, err.count("\n")) == (2, "", 2)


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",), ("--kernels",)])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cut-before-work.json", "the file ends early, and no GPU work can be read"),
        ("numbers-for-events.json", "is not a trace: where its first event"),
    ],
)
def test_what_gives_nothing_is_one_sentence_and_no_answer(overlap, name, said, form):
    code, out, err = overlap(name, *form)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"overlap: {name}: {said}")


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (MemoryError(), "there isn't enough memory to read it; record fewer steps"),
        (OSError(5, "Input/output error"), "can't be read (Input/output error); try"),
    ],
)
def test_what_the_machine_fails_at_is_a_sentence_on_the_file(
    overlap, monkeypatch, failure, said
):
    def fail(*_):
        raise failure

    for module in (app_measuring, measuring):
        monkeypatch.setattr(module, "load_all", fail)
    for form in ([], ["--kernels"]):
        code, out, err = overlap("launched-steps.json", *form)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"overlap: launched-steps.json: {said}")


def test_json_is_the_measurement_with_nulls(overlap):
    code, out, err = overlap("step-behind-the-clock.json", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out, parse_constant=pytest.fail)
    assert [*document][:4] == ["files", "steps", "totals", "transfers"]
    assert document["default_step"] == "6"
    assert document["link"] is None
    assert document["steps"][1]["tail_s"] == pytest.approx(38e-6)
    assert document["steps"][1]["waiting_s"] is None
    assert document["transfers"][0]["bytes"] is None


def test_json_of_one_step_holds_that_step(overlap):
    _, out, _ = overlap("first-step-one-bucket.json", "--step", "1", "--json")
    document = json.loads(out)
    assert {row["step"] for row in document["steps"]} == {"1"}
    assert [row["bytes"] for row in document["transfers"]] == [1600, 2000]
    assert document["totals"][0]["communication_s"] == pytest.approx(121e-6)


def test_csv_has_a_row_a_step_and_notes_go_to_stderr(overlap):
    code, out, err = overlap("first-step-one-bucket.json", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [row["step"] for row in rows] == ["0", "1", "2"]
    assert [row["complete"] for row in rows] == ["true", "true", "false"]
    assert float(rows[1]["hidden_s"]) == pytest.approx(15e-6)
    assert rows[0]["waiting_s"] == ""
    assert err.startswith("overlap: the file holds no launches of kernels")


def test_peer_copies_count_when_asked_for(overlap):
    _, without, _ = overlap("peer-copies.json", "--json")
    _, counted, _ = overlap("peer-copies.json", "--json", "--count-peer-copies")
    seconds = [json.loads(one)["totals"][0] for one in (without, counted)]
    assert [one["communication_s"] for one in seconds] == pytest.approx([8e-6, 38e-6])
    assert json.loads(counted)["transfers"][0]["collective"] == "peer_copy"


@pytest.mark.parametrize(
    "arguments", [(), ("launched-steps.json", "--json", "--csv"), ("x", "--stp", "1")]
)
def test_wrong_use_is_one_sentence(overlap, arguments):
    code, out, err = overlap(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("overlap: ")
    assert err.count("\n") == 1


def test_a_name_that_is_no_plain_text_breaks_no_table(overlap, tmp_path):
    path = tmp_path / "trace.json"
    text = (DATA / "by-the-clock.json").read_text()
    path.write_text(text.replace("ProfilerStep#3", r"ProfilerStep#\u001b[31m\n3"))
    code, out, _ = overlap(str(path), "--step", "all")
    assert code == 0
    assert "\x1b" not in out


def test_two_files_of_one_rank_are_told_apart(overlap, tmp_path):
    trace = (DATA / "step-behind-the-clock.json").read_text()
    for name in ("before.json", "after.json"):
        (tmp_path / name).write_text(trace)
    _, out, _ = overlap(str(tmp_path / "before.json"), str(tmp_path / "after.json"))
    tables = [part for part in out.split("\n\n") if part.startswith("Transfers.")]

    assert [len(table.splitlines()) for table in tables] == [3, 3]
    assert "before.json:" in tables[0]
    assert "after.json:" in tables[1]


@pytest.mark.parametrize(
    ("remarks", "said"),
    [
        (["long", "long"], "s. This step is far longer than the others."),
        (["short"], "s. This step is far shorter than the others."),
        (["long", ""], "5 s."),
        (["long", "short"], "5 s."),
        ([""], "5 s."),
    ],
)
def test_what_stands_out_is_said_where_it_is_so_on_all_ranks(remarks, said):
    row = StepRow(
        *("run.json", 0, 0, "7", True, True, 5.0, 0.0, 0.0, 0.0, 0.0, None),
        *(5.0, 0.0, 0.0),
    )
    rows = [replace(row, remark=remark) for remark in remarks]
    assert range_sentence(rows, "Step 7", [None] * len(rows)).endswith(said)
