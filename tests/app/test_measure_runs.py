"""`overlap measure` of whole runs: folders, ranks, rules, kernel names, comparison.

The runs are written here. Each step of a rank, in microseconds from its start; what
comes after the forward pass is as late as the rank is, and both transfers end for all
ranks together, so the others wait in the first one:

    compute   |== 20 ==|======= 50 =======|        |= 10, 11, 12 =|
    transfer           |..... 30 .....|   | . 25 . |
             100      120            150 172      197
"""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys

import pytest

from overlap_widget.app import progress_line
from overlap_widget.app.cli import main

STEP_US = 1000


def event(step, name, start, end, stream, **args):
    place = {"device": 0, "stream": stream}
    return {
        "ph": "X",
        "cat": "kernel",
        "name": name,
        "ts": start + STEP_US * step,
        "dur": end - start,
        "args": place | args,
    }


def reduced(step, name, start, end, elements, group):
    notes = {
        "Collective name": "allreduce",
        "In msg nelems": elements,
        "dtype": "Float",
        "Process Group Name": group,
        "Process Group Ranks": "[0, 1, 2]",
    }
    return event(step, name, start, end, 20, **(notes if "nccl" in name else {}))


def work(step, late, latest, kernel, second_group):
    return [
        event(step, "forward", 100, 120 + late, 7),
        event(step, "backward", 120 + late, 170 + late, 7),
        reduced(step, kernel, 120 + late, 150 + latest, 1000, "0"),
        reduced(step, kernel, 172 + late, 197 + latest, 3000, second_group),
        event(step, "adamw", 200 + latest, 210 + latest + step, 7),
    ]


def write_run(
    folder, late=(0, 0, 0), kernel="ncclKernel_AllReduce", second_group="0", steps=3
):
    """A file a rank: `rank0.json` and so on; returns the folder as text."""
    folder.mkdir(parents=True)
    marks = [
        {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step + 5}"}
        | {"ts": 50 + STEP_US * step, "dur": 400}
        for step in range(steps)
    ]
    for rank, own in enumerate(late):
        rows = [
            one
            for step in range(steps)
            for one in work(step, own, max(late), kernel, second_group)
        ]
        info = {"rank": rank, "world_size": len(late)}
        document = {"distributedInfo": info, "traceEvents": [*marks, *rows]}
        (folder / f"rank{rank}.json").write_text(json.dumps(document))
    return str(folder)


@pytest.fixture
def overlap(capsys, tmp_path, monkeypatch):
    """Run `overlap measure` beside the runs: code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["measure", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


def paragraphs(out):
    return [part.replace("\n", " ") for part in out.split("\n\n")]


# --- Folders and ranks -------------------------------------------------------------


def test_of_several_ranks_the_slowest_is_named_first(overlap, tmp_path):
    run = write_run(tmp_path / "run", late=(0, 7, 3))
    code, out, err = overlap(run)
    assert (code, err) == (0, "")
    first, table, *_ = paragraphs(out)
    assert first == (
        "Step 6: rank 1 is the slowest; 2 ranks wait 22 µs for it, all of them "
        "together. Step 6, 3 ranks: communication runs 55 µs to 69 µs, 25 µs to 32 µs "
        "of it exposed, of which 0 ms to 7 µs waits for a late rank."
    )
    rows = out.split("\n\n")[1].splitlines()
    assert [row.split()[0] for row in rows] == ["rank", "0", "1", "2"]
    assert {row.split()[2] for row in rows[1:]} == {"6"}
    assert table.startswith("rank")


def test_each_transfer_of_several_ranks_has_its_waiting(overlap, tmp_path):
    _, out, _ = overlap(write_run(tmp_path / "run", late=(0, 7, 3)))
    tables = [part for part in out.split("\n\n") if part.startswith("Transfers.")]
    waits = [[row[-5:].strip() for row in one.splitlines()[2:]] for one in tables]
    assert waits == [["7 µs", "7 µs"], ["0 ms", "0 ms"], ["4 µs", "4 µs"]]


def test_ranks_that_come_together_wait_for_nobody(overlap, tmp_path):
    _, out, _ = overlap(write_run(tmp_path / "run"))
    assert paragraphs(out)[0].startswith("Step 6: no rank keeps others waiting as far")


def test_all_ranks_are_told_of_at_the_step_of_the_first(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    path = tmp_path / "run" / "rank2.json"
    document = json.loads(path.read_text())
    (long_one,) = [
        one
        for one in document["traceEvents"]
        if one["name"] == "adamw" and one["ts"] == 1200
    ]
    long_one["dur"] = 400  # alone, rank 2 would begin with step 7
    path.write_text(json.dumps(document))
    _, out, _ = overlap(run)
    rows = out.split("\n\n")[1].splitlines()[1:]
    assert [row.split()[2] for row in rows] == ["6", "6", "6"]


def test_one_rank_of_a_run_says_that_it_cannot_tell_waiting(overlap, tmp_path):
    run = write_run(tmp_path / "run", late=(0, 7, 3))
    _, out, _ = overlap(f"{run}/rank0.json")
    assert "Note: one rank alone can't tell waiting from transfer" in out


def test_notes_that_several_files_share_stand_once(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    _, out, _ = overlap(run)
    said = paragraphs(out)[-1]
    assert said.count("the file holds no launches of kernels") == 1
    assert "Note: all 3 files: the file holds no launches" in said
    (tmp_path / "run" / "notes.txt").write_text("x")
    _, out, _ = overlap(run)
    assert (
        f"Note: {run}: 1 file is no trace and was skipped (notes.txt)."
        in (paragraphs(out)[-1])
    )


def test_every_line_of_the_text_fits_100_columns(overlap, tmp_path):
    run = write_run(tmp_path / "a-rather-long-name-of-a-run", late=(0, 7, 3))
    os.replace(f"{run}/rank0.json", f"{run}/worker.{'x' * 60}.1700.pt.trace.json")
    for arguments in ([run], [run, "--step", "all"], [f"{run}/rank1.json"]):
        _, out, _ = overlap(*arguments)
        tables = [line for line in out.splitlines() if "  " in line]
        assert max(map(len, tables)) <= 100


def test_process_groups_are_told_apart_where_there_are_several(overlap, tmp_path):
    _, alike, _ = overlap(write_run(tmp_path / "one"))
    _, two, _ = overlap(write_run(tmp_path / "two", second_group="tp"))
    assert "Process groups." not in alike
    (table,) = [part for part in two.split("\n\n") if part.startswith("Process gr")]
    head, columns, *rows = table.splitlines()
    assert head == "Process groups. Step 6, all ranks together:"
    assert columns.split() == [
        *("process", "group", "transfers", "size"),
        *("communication", "exposed", "waiting"),
    ]
    assert [row.split("  ")[0] for row in rows] == [
        *("0", "tensor-parallel (tp)", "all groups together"),
    ]


def test_json_of_a_folder_has_a_file_a_rank(overlap, tmp_path):
    run = write_run(tmp_path / "run", late=(0, 7, 3))
    _, out, _ = overlap(run, "--json", "--step", "6")
    document = json.loads(out)
    assert [*document] == [
        *("files", "steps", "totals", "transfers", "link", "default_step")
    ]
    assert [row["rank"] for row in document["steps"]] == [0, 1, 2]
    waits = [row["waiting_s"] for row in document["steps"]]
    assert waits == pytest.approx([14e-6, 0, 8e-6])
    assert len(document["files"]) == 3
    assert len(document["transfers"]) == 6


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_a_program_finds_what_was_skipped_on_stderr(overlap, tmp_path, form):
    run = write_run(tmp_path / "run")
    (tmp_path / "run" / "notes.txt").write_text("x")
    for arguments in ([form], ["--kernels", form]):
        _, out, err = overlap(run, *arguments)
        assert "skipped" not in out
        assert f"{run}: 1 file is no trace and was skipped (notes.txt)\n" in err


def test_a_folder_without_a_trace_is_one_sentence(overlap, tmp_path):
    (tmp_path / "empty").mkdir()
    code, out, err = overlap("empty")
    assert (code, out) == (2, "")
    assert err == (
        "overlap: empty: is an empty folder; name the one that the profiler wrote to\n"
    )


def test_a_file_that_cannot_be_read_is_told_and_the_others_measured(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    (tmp_path / "run" / "rank1.json").write_text('{"traceEvents": []}')
    code, out, err = overlap(run)
    assert code == 2
    assert err.count("\n") == 1
    assert "rank1.json: no GPU work" in err
    assert "2 ranks" in paragraphs(out)[0]


# --- Jobs and progress -------------------------------------------------------------


def test_several_jobs_give_the_same_answer(overlap, tmp_path):
    run = write_run(tmp_path / "run", late=(0, 7, 3))
    assert overlap(run, "--jobs", 2) == overlap(run, "--jobs", 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--jobs", "0"), "--jobs 0: at least 1 file is read at once"),
        (("--jobs", "many"), "argument --jobs: 'many' is not a whole number"),
        (("--kernels", "--step", "6"), "--kernels is of whole files, one after the"),
        (("--step", "all", "--against-step", "5"), "two steps are compared; name one"),
        (("--rules", "none.json"), "none.json: there is no such file; check the path"),
    ],
)
def test_options_that_do_not_fit_are_one_sentence(overlap, tmp_path, arguments, said):
    run = write_run(tmp_path / "run")
    code, out, err = overlap(run, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_on_a_terminal_the_progress_is_one_line_that_goes(
    overlap, tmp_path, monkeypatch
):
    terminal = Terminal()
    run = write_run(tmp_path / "run")
    monkeypatch.setattr(progress_line, "BETWEEN_S", 0.0)
    monkeypatch.setattr(progress_line.sys, "stderr", terminal)
    code, out, _ = overlap(run)
    assert code == 0
    assert out.startswith("Step 6")
    said = terminal.getvalue()
    assert "\rReading: 100 %, 3 of 3 files" in said
    assert said.count("\n") == 0
    assert re.search(r"\r +\r$", said)


def test_a_measurement_loads_nothing_that_draws(tmp_path):
    run = write_run(tmp_path / "run")
    code = f"from overlap_widget.app.cli import main; main(['measure', {run!r}])"
    report = f"{code}; import sys; print('loaded:', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", report],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    out, _, loaded = done.stdout.rpartition("loaded:")
    assert out.startswith("Step 6")
    assert not {"panel", "bokeh", "param", "pandas", "distributed"} & {*loaded.split()}


SLOW = """
import sys, time
from overlap_widget.app.cli import main
from overlap_widget.model.traces import recognise

def wait(path):
    print("reading", flush=True)
    time.sleep(60)

recognise.head_of = wait
sys.exit(main(["measure", "slow.json"]))
"""


def test_an_interrupt_ends_at_once_and_quietly():
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"reading\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_pipe_is_named_and_the_rest_measured(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    os.mkfifo(tmp_path / "pipe")
    code, out, err = overlap("pipe", run)
    assert code == 2
    assert "Step 6, 3 ranks" in out
    assert err.startswith("overlap: pipe: is a pipe or a device, and traces are read")


# --- Rules and kernel names --------------------------------------------------------


def test_rules_make_communication_of_kernels_of_ones_own(overlap, tmp_path):
    run = write_run(tmp_path / "run", kernel="mine::exchange<float>")
    rules = tmp_path / "rules.json"
    rules.write_text('{"communication": ["mine::ex*<*>"], "other": ["adamw"]}')
    _, without, _ = overlap(f"{run}/rank0.json", "--json")
    _, with_rules, _ = overlap(f"{run}/rank0.json", "--json", "--rules", rules)
    seconds = [
        [json.loads(one)["totals"][0][key] for key in ("compute_s", "communication_s")]
        for one in (without, with_rules)
    ]
    assert seconds[0] == pytest.approx([3 * 95e-6 + 33e-6, 0])
    assert seconds[1] == pytest.approx([3 * 70e-6, 3 * 55e-6])
    assert "2 kernel names count as something else by the rules" in with_rules


def test_patterns_that_fit_no_kernel_of_any_file_are_named(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    write_run(tmp_path / "other", kernel="mine")
    rules = tmp_path / "rules.json"
    rules.write_text('{"communication": ["ncclK*", "nine*", "mine"], "other": ["a?"]}')
    said = "'nine*', 'a?' of the rules fit no kernel; --kernels lists all names"
    both = (f"{run}/rank0.json", "other/rank1.json", "--rules", rules)
    assert f"Note: {said}." in overlap(*both)[1].replace("\n", " ")
    assert overlap(*both, "--kernels")[2] == f"overlap: {said}\n"
    alone = overlap("other/rank1.json", "--rules", rules)[1].replace("\n", " ")
    assert "'ncclK*', 'nine*', 'a?' of the rules fit no kernel" in alone
    rules.write_text('{"communication": ["ncclK*"]}')
    assert "fit" not in overlap(run, "--rules", rules)[1]
    many = [f"x{at}" for at in range(6)]
    rules.write_text(json.dumps({"other": [*many, "y"]}))
    assert "'x4' and 2 more of the rules fit no" in (
        overlap(run, "--rules", rules)[1].replace("\n", " ")
    )


def test_kernel_names_are_listed_with_their_class(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    code, out, _ = overlap(run, "--kernels")
    assert code == 0
    lines = out.splitlines()
    assert [line.split() for line in lines[:5]] == [
        ["class", "count", "time", "kernel"],
        ["communication", "18", "495", "µs", "ncclKernel_AllReduce"],
        ["compute", "9", "450", "µs", "backward"],
        ["compute", "9", "180", "µs", "forward"],
        ["compute", "9", "99", "µs", "adamw"],
    ]
    assert "--rules FILE" in out


def test_a_long_kernel_name_is_cut_in_the_text_and_whole_in_csv(overlap, tmp_path):
    name = f"void gemm<{'float, ' * 40}int>"
    run = write_run(tmp_path / "run", kernel=name)
    _, out, _ = overlap(run, "--kernels")
    assert max(map(len, out.splitlines())) <= 100
    _, table, _ = overlap(run, "--kernels", "--csv")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert name in [row["name"] for row in rows]
    assert [*rows[0]] == ["name", "class", "count", "time_s"]


def test_kernel_names_as_json(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    _, out, _ = overlap(f"{run}/rank0.json", "--kernels", "--json")
    first = json.loads(out)["kernels"][0]
    assert first["name"] == "ncclKernel_AllReduce"
    assert (first["class"], first["count"]) == ("communication", 6)
    assert first["time_s"] == pytest.approx(165e-6)


def test_runs_without_a_relation_are_told_of_without_a_word_on_who_is_late(
    overlap, tmp_path
):
    for at in range(5):
        write_run(tmp_path / f"run{at}", steps=3 if at < 4 else 1)
    code, out, _ = overlap(*(f"run{at}/rank0.json" for at in range(5)))
    assert code == 0
    assert "waiting as far as" not in out
    assert "1 recording" not in out
    assert out.startswith("Step 6, 4 recordings: communication runs")
    assert "Step 5, rank 0, run4/rank0.json: " in out.replace("\n", " ")


def test_long_paths_that_differ_in_the_middle_have_a_legend(overlap, tmp_path):
    name = "a-long-name-of-a-trace-of-{}-whose-end-is-long-as-well.json"
    run = write_run(tmp_path / "run")
    for at, sign in enumerate("xy"):
        os.rename(f"{run}/rank{at}.json", tmp_path / name.format(sign))
    document = (tmp_path / name.format("y")).read_text()
    (tmp_path / name.format("y")).write_text(document.replace('"rank": 1', '"rank": 0'))
    _, out, _ = overlap(*(name.format(sign) for sign in "xy"))
    legend = f"file 1: {name.format('x')}\nfile 2: {name.format('y')}\n"
    assert f"\n\n{legend}\nfile    rank " in out


def test_files_are_called_by_what_tells_them_apart(overlap, tmp_path):
    for run in ("before", "after"):
        write_run(tmp_path / "deep" / run)
    names = ("before/rank0", "after/rank0", "after/rank2")
    _, out, _ = overlap(*(f"deep/{name}.json" for name in names))
    rows = out.split("\n\n")[3].splitlines()
    assert [row.split()[0] for row in rows] == [
        *("file", "before/rank0.json", "after/rank0.json", "rank2.json")
    ]


# --- Comparison --------------------------------------------------------------------


def test_two_runs_are_compared_rank_by_rank(overlap, tmp_path):
    before = write_run(tmp_path / "before", late=(0, 20, 3))
    after = write_run(tmp_path / "after", late=(0, 0, 0))
    code, out, err = overlap(after, "--against", before)
    assert (code, err) == (0, "")
    where, said, numbers, others, ranks, notes = out.split("\n\n")
    assert notes.startswith("Note: all 6 files: the file holds no launches")
    assert where.startswith("Before: step 6, rank 1, ")
    assert said.startswith("The step is 20 µs shorter (111 µs instead of 131 µs)")
    assert "because compute takes 20 µs less" in said.replace("\n", " ")
    assert numbers.splitlines()[1].split() == [
        *("length", "131", "µs", "111", "µs", "-20", "µs")
    ]
    assert numbers.splitlines()[-2].split() == ["transfers", "2", "2", "the", "same"]
    assert "No communication waits for a late rank." in said
    head, first, second = others.replace(" rank ", "\nrank ").split("\nrank ")
    assert head.startswith("The other ranks, the most changed first:\nStep 6,")
    assert first.startswith("0, ")
    assert second.startswith("2, ")
    assert "less communication is exposed" in " ".join(second.split())
    assert ranks.splitlines()[0].split() == [
        *("after", "length", "change", "compute", "change", "exposed", "change")
    ]
    assert len(ranks.splitlines()) == 4


def test_of_many_ranks_some_are_told_of_and_all_are_in_the_table(overlap, tmp_path):
    before = write_run(tmp_path / "before", late=(0,) * 12)
    after = write_run(tmp_path / "after", late=(0,) * 10 + (30, 0))
    _, out, _ = overlap(after, "--against", before)
    where, _, _, others, ranks, _ = paragraphs(out)
    assert "After: step 6, rank 10," in where
    assert others.count("The step is".lower()) == 7
    assert ranks.count("rank 10,") == 1
    assert out.split("\n\n")[4].count("\n") == 12


def test_two_steps_of_one_run_are_compared(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    _, out, _ = overlap(f"{run}/rank0.json", "--step", 7, "--against-step", 5)
    where, said, _, notes = paragraphs(out)
    assert notes.count("the file holds no launches") == 1
    assert where.startswith("Before: step 5, rank 0, ")
    assert "After: step 7, rank 0, " in where
    assert said.startswith("The step is 2 µs longer (112 µs instead of 110 µs) because")


def test_a_comparison_as_json_has_both_steps_the_change_and_the_words(
    overlap, tmp_path
):
    before = write_run(tmp_path / "before", late=(0, 20, 3))
    after = write_run(tmp_path / "after")
    _, out, _ = overlap(
        f"{after}/rank1.json", "--against", f"{before}/rank2.json", "--json"
    )
    (pair,) = json.loads(out, parse_constant=pytest.fail)["comparisons"]
    assert pair["before"]["span_s"] == pytest.approx(131e-6)
    assert pair["after"]["span_s"] == pytest.approx(111e-6)
    assert pair["change"]["span_s"] == pytest.approx(-20e-6)
    assert pair["change"]["waiting_s"] is None
    assert pair["sentences"][0].startswith("The step is 20 µs shorter")
    assert "the file holds no launches" in json.loads(out)["notes"][0]


def test_a_comparison_as_csv_has_a_row_a_number(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    _, out, _ = overlap(f"{run}/rank0.json", "--against-step", 5, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["number"] for row in rows][:2] == ["span_s", "compute_s"]
    assert {row["change"] for row in rows if row["number"] == "transfers"} == {"0"}


@pytest.mark.parametrize(
    ("after", "against", "said"),
    [
        ("a/rank0.json", "none", "none: there is no such file"),
        ("a", "b/rank3.json", "have no rank and device in common; name one file of e"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    overlap, tmp_path, after, against, said
):
    write_run(tmp_path / "a")
    write_run(tmp_path / "b", late=(0, 0, 0, 0))
    code, out, err = overlap(after, "--against", against)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_an_unknown_step_to_compare_with_is_answered_with_those_there_are(
    overlap, tmp_path
):
    run = write_run(tmp_path / "run")
    _, out, err = overlap(f"{run}/rank0.json", "--against-step", 9)
    assert out == ""
    assert "there is no step '9'; the steps are 5, 6, 7" in err


def test_what_stands_out_of_a_step_on_all_ranks_is_said(overlap, tmp_path):
    run = write_run(tmp_path / "run")
    _, first, _ = overlap(run, "--step", "5")
    _, default, _ = overlap(run)
    assert "This is the first step, which often warms up." in paragraphs(first)[0]
    assert "first step" not in default
