"""`overlap simulate`: its JSON, its words, its units, and its refusals."""

import json

import pytest

from overlap_widget.app.best_report import plan_text
from overlap_widget.app.cli import main
from overlap_widget.model.links import LINKS

THREE = {
    "name": "three uneven layers",
    "layers": [
        {"name": "c", "backward_s": 3, "gradient_bytes": 4},
        {"name": "b", "backward_s": 1, "gradient_bytes": 8},
        {"name": "a", "backward_s": 2, "gradient_bytes": 2},
    ],
    "link": {"bandwidth_bytes_per_s": 2, "overhead_s": 1},
}


@pytest.fixture
def three(tmp_path):
    path = tmp_path / "three.json"
    path.write_text(json.dumps(THREE))
    return str(path)


@pytest.fixture
def simulated(capsys):
    """Run `overlap simulate --json`; gives the document."""

    def run(*options):
        assert main(["simulate", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)

    return run


@pytest.fixture
def refusal(capsys):
    def run(*options):
        assert main(["simulate", *options]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        return captured.err.removeprefix("overlap: ").rstrip("\n")

    return run


def test_the_json_of_three_uneven_layers_worked_by_hand(three, simulated):
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 13
    # compute  [   c    ][b][  a  ]|
    # link              [1  c    ][1    b      ][1 a ]
    document = simulated("--scenario", three, "--bucket", "1")
    del document["best"]
    assert document == {
        "scenario": "three uneven layers",
        "bandwidth_bytes_per_s": 2,
        "overhead_s": 1,
        "transfers": [
            {"layers": ["c"], "bytes": 4, "ready_s": 3, "start_s": 3, "end_s": 6},
            {"layers": ["b"], "bytes": 8, "ready_s": 4, "start_s": 6, "end_s": 11},
            {"layers": ["a"], "bytes": 2, "ready_s": 6, "start_s": 11, "end_s": 13},
        ],
        "backward_s": 6,
        "communication_s": 10,
        "hidden_s": 3,
        "tail_s": 7,
        "tail": {"queued_s": 5, "overhead_s": 1, "wire_s": 1},
        "traffic_to_work": 8 / 6,
    }


def test_the_best_of_three_uneven_layers_worked_by_hand(three, simulated):
    # one to a bucket ends at 13; two (cb, a) at 4 + 7 + 2 = 13 too, with fewer
    # transfers; all three at 6 + 8 = 14. Of all plans (c, ba) ends at 6 + 6 = 12.
    assert simulated("--scenario", three)["best"] == {
        "bucket": 2,
        "tail_s": 7,
        "plan": [["c"], ["b", "a"]],
        "plan_tail_s": 6,
    }


def test_the_course_waits_14_ms_by_default(simulated):
    course = simulated()
    assert course["scenario"] == "course"
    assert [len(one["layers"]) for one in course["transfers"]] == [4, 4, 4]
    assert course["tail_s"] == pytest.approx(14.333e-3, abs=1e-6)
    assert course["best"]["plan_tail_s"] == pytest.approx(4.333e-3, abs=1e-6)


def test_tail_hidden_and_split_agree(simulated):
    for size in range(1, 13):
        one = simulated("--bucket", str(size))
        assert sum(one["tail"].values()) == one["tail_s"]
        assert one["hidden_s"] + one["tail_s"] == pytest.approx(one["communication_s"])


def test_the_split_adds_up_exactly_in_its_order_with_a_late_rank(simulated):
    for late_us in range(100, 3000, 291):
        one = simulated("--bucket", "5", "--late", str(late_us))
        assert list(one["tail"]) == ["late_s", "queued_s", "overhead_s", "wire_s"]
        assert sum(one["tail"].values()) == one["tail_s"]


def test_a_small_scenario_takes_a_smaller_bucket_by_default(three, simulated):
    assert len(simulated("--scenario", three)["transfers"]) == 1


@pytest.mark.parametrize(
    ("options", "layers"),
    [
        # 40 MB a layer: 60 MB takes two of them, 120 MB three, and the first its own.
        (["--bucket-bytes", "60MB"], [1, 2, 2, 2, 2, 2, 1]),
        (["--bucket-bytes", "120MB", "--first-bucket", "80MB"], [2, 3, 3, 3, 1]),
        # 115 MiB are 120.6 MB, a little more than three layers hold.
        (["--bucket-bytes", "115MiB", "--first-bucket", "80MB"], [2, 4, 4, 2]),
        (["--bucket-bytes", "120", "--first-bucket", "1e3"], [12]),
    ],
)
def test_buckets_by_bytes_close_as_in_pytorch(options, layers, simulated):
    transfers = simulated(*options)["transfers"]
    assert [len(one["layers"]) for one in transfers] == layers


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--bucket-bytes", "25MiB"], [2052000, 28852224, 15853824]),
        (["--bucket-bytes", "35MiB"], [2052000, 38297600, 6408448]),
        (
            ["--bucket-bytes", "25MiB", "--first-bucket", "25MiB"],
            [30904224, 15853824],
        ),
        (["--plan", "ddp-small-last"], [11497376, 33744896, 1515776]),
    ],
)
def test_resnet_18_has_the_buckets_of_pytorch(options, expected, simulated):
    transfers = simulated("--scenario", "resnet-18", *options)["transfers"]
    assert [one["bytes"] for one in transfers] == expected


@pytest.mark.parametrize(
    ("options", "bandwidth", "overhead"),
    [
        (["--bandwidth", "25", "--overhead", "200"], 25e9, 200e-6),
        (["--bandwidth", "100Gb/s", "--overhead", "2ms"], 12.5e9, 2e-3),
        (["--overhead", "0"], 12e9, 0),
    ],
)
def test_the_link_is_read_in_the_units_that_were_written(
    options, bandwidth, overhead, simulated
):
    document = simulated(*options)
    assert document["bandwidth_bytes_per_s"] == bandwidth
    assert document["overhead_s"] == overhead


# --- Effects, links and plans ------------------------------------------------------


def test_effects_worked_by_hand_are_in_the_json(three, simulated):
    # Late by 2 s, and beside a transfer compute takes half as long again:
    #
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14
    # compute  [   c    ][b][   a    ]|
    # late               ------   ------
    # link                     [1  c ][ 1   b     ][1 a ]
    # c's transfer runs from 5 to 8, and a, begun at 4, does 1 by 5 and 1 more by 6.5.
    document = simulated(
        *("--scenario", three, "--bucket", "1", "--late", "2s", "--slowdown", "50%")
    )
    del document["best"]
    assert document == {
        "scenario": "three uneven layers",
        "bandwidth_bytes_per_s": 2,
        "overhead_s": 1,
        "transfers": [
            {"layers": ["c"], "bytes": 4, "ready_s": 3, "start_s": 5, "end_s": 8},
            {"layers": ["b"], "bytes": 8, "ready_s": 4, "start_s": 8, "end_s": 13},
            {"layers": ["a"], "bytes": 2, "ready_s": 6.5, "start_s": 13, "end_s": 15},
        ],
        "backward_s": 6.5,
        "communication_s": 10,
        "hidden_s": 1.5,
        "tail_s": 8.5,
        "tail": {"queued_s": 4.5, "overhead_s": 1, "wire_s": 1, "late_s": 2},
        "traffic_to_work": 8 / 6.5,
        "options": {"slowdown": 0.5, "late_s": 2},
    }


def test_the_best_knows_the_effects(three, simulated):
    # Without overlap each transfer only adds its overhead: one bucket ends at 6 + 8.
    best = simulated("--scenario", three, "--no-overlap")["best"]
    assert best == {
        "bucket": 3,
        "tail_s": 8,
        "plan": [["c", "b", "a"]],
        "plan_tail_s": 8,
    }


def test_the_best_of_slowed_compute_is_the_shortest_step(simulated):
    # By 1 layer the tail is shorter, but transfers slow nearly all of the pass.
    slowed = ("--slowdown", "50%", "--overhead", "4ms", "--bandwidth", "24")
    best = simulated(*slowed)["best"]
    assert best["bucket"] == 9
    sizes = [simulated(*slowed, "--bucket", str(size)) for size in (1, 9)]
    steps_s = [one["backward_s"] + one["tail_s"] for one in sizes]
    assert steps_s[1] < steps_s[0]
    assert best["tail_s"] == sizes[1]["tail_s"] > sizes[0]["tail_s"]


def test_a_table_has_its_own_overhead_and_the_bandwidth_of_its_line(simulated):
    link = LINKS["a100-ib-16"]
    document = simulated("--scenario", "gpt2-small", "--link", link.name, "--table")
    assert document["overhead_s"] == link.table.overhead_s == 36.38e-6
    assert document["bandwidth_bytes_per_s"] == link.line.bandwidth_bytes_per_s
    assert document["options"] == {"link": link.name, "table": True}
    for one in document["transfers"]:
        took_s = one["end_s"] - one["start_s"]
        assert took_s == pytest.approx(link.table.transfer_s(one["bytes"]))


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--bucket", "3"],
        ["--bucket-bytes", "25MiB", "--first-bucket", "3MiB"],
        ["--bandwidth", "3", "--overhead", "3"],
        ["--scenario", "gpt2-small"],
        ["--slowdown", "0", "--late", "0", "--micro-steps", "1"],
    ],
)
def test_plain_inputs_add_no_key_to_the_json(options, simulated):
    document = simulated(*options)
    assert "options" not in document
    assert list(document["tail"]) == ["queued_s", "overhead_s", "wire_s"]


def test_options_are_in_the_json_in_seconds_and_bytes(simulated):
    document = simulated(
        *("--plan", "deepspeed", "--bucket-elements", "3e7", "--element-bytes", "2"),
        *("--ranks", "8", "--port-rate", "35", "--micro-steps", "4"),
    )
    assert document["options"] == {
        "plan": "deepspeed",
        "bucket_elements": 30_000_000,
        "element_bytes": 2,
        "ranks": 8,
        "port_bytes_per_s": 35e9,
        "micro_steps": 4,
    }


def test_each_option_that_is_on_is_named_in_the_text(capsys):
    options = (
        *("--plan", "megatron", "--link", "t4-efa-2", "--table", "--late", "30ms"),
        *("--slowdown", "19%", "--micro-steps", "3", "--every-micro-step"),
    )
    assert main(["simulate", *options]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "after 3 backward passes that take " in text
    assert "Megatron Core: A bucket closes once it holds" in text
    assert "Link: t4-efa-2, measured table of 2 T4, EFA at 25 Gb/s, from 4 B" in text
    assert " late 30 ms until the late rank has its gradients queued " in text
    assert "19 % longer" in text
    assert "each of them sends its gradients" in text
    assert "that was tried" in text


def test_the_link_is_always_told_and_whole_layers_are_not(capsys):
    assert main(["simulate"]) == 0
    text = capsys.readouterr().out
    assert "\nLink: 12 GB/s, 1 ms before each transfer.\n" in text
    assert "Buckets" not in text
    assert text.count("\n\n") == 4


def test_the_rule_of_the_buckets_stands_before_the_split(capsys):
    assert main(["simulate", "--bucket-bytes", "25MiB"]) == 0
    _, origins, split, *_ = capsys.readouterr().out.split("\n\n")
    link, buckets = origins.split("\n", 1)
    assert link == "Link: 12 GB/s, 1 ms before each transfer."
    assert buckets.startswith("Buckets close once they hold 25 MiB, the first once it")
    assert max(map(len, origins.splitlines())) <= 88
    assert split.startswith("The tail of ")


# --- Text --------------------------------------------------------------------------


def test_the_text_begins_with_the_answer(capsys):
    assert main(["simulate", "--bucket", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "course: the step waits 15.3 ms for communication after a backward pass "
        "of 60 ms."
    )
    assert lines[1] == (
        "3 transfers need 43 ms, and 27.7 ms of that runs while layers still compute."
    )
    assert "  queued    7.67 ms  the last bucket waits for earlier transfers" in lines
    assert "  wire      6.67 ms  its bytes, 80 MB of 2 layers" in lines
    assert lines[-1] == "Best: 1 layer to a bucket, tail 4.33 ms; no plan does better."


def test_the_table_of_transfers_is_aligned(capsys):
    main(["simulate", "--bucket", "5"])
    table = capsys.readouterr().out.split("\n\n")[3].splitlines()
    assert table[0].split() == ["transfer", "layers", "size", "ready", "starts", "ends"]
    assert table[3].split("  ")[-1].strip() == "75.3 ms"
    assert len({len(line) for line in table}) == 1


def test_traffic_beyond_the_work_is_said(capsys):
    main(["simulate", "--scenario", "fast-hardware", "--bucket", "2"])
    text = capsys.readouterr().out
    assert "Traffic exceeds work: the gradients need 41 ms on the link" in text
    assert text.endswith(
        "Best size: 2 layers to a bucket, tail 21 ms.\n"
        "Best of all plans: buckets of 1, 1, 2, 3, 5 layers, tail 17.7 ms.\n"
    )


def test_a_plan_of_many_buckets_is_summed_up(tmp_path, capsys):
    # The best plan sends small buckets first and keeps the link busy from then on.
    layers = [
        {"name": str(n), "backward_s": 1e-3, "gradient_bytes": 1e6 if n < 40 else 9e7}
        for n in range(60)
    ]
    path = tmp_path / "many.json"
    path.write_text(json.dumps({"name": "many", "layers": layers}))
    assert main(["simulate", "--scenario", str(path), "--overhead", "1us"]) == 0
    assert " buckets of 1 to " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ((1,) * 62, "62 buckets of 1 layer"),
        ((3,) * 20, "20 buckets of 3 layers"),
        ((*(1,) * 1999, 1200), "2,000 buckets of 1 to 1,200 layers"),
        ((1, 1, 2), "buckets of 1, 1, 2 layers"),
        ((1,), "one bucket of 1 layer"),
    ],
)
def test_a_plan_is_said_without_counting_what_is_alike(plan, said):
    assert plan_text(plan) == said


def test_a_name_with_a_line_break_leaves_the_table_whole(tmp_path, capsys):
    layer = {"name": "a\n\x1b[31mb", "backward_s": 1, "gradient_bytes": 1}
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"name": "odd", "layers": [layer]}))
    assert main(["simulate", "--scenario", str(path)]) == 0
    text = capsys.readouterr().out
    assert "a??[31mb" in text
    assert "\x1b" not in text


def test_a_name_that_can_not_be_printed_is_shown_without_what_it_would_do(
    tmp_path, capsys
):
    layers = [
        {"name": name, "backward_s": seconds, "gradient_bytes": 1e6}
        for name, seconds in (("first", 0.01), ("last\x1b[2J", 0.02))
    ]
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"name": "odd\x1b[31m", "layers": layers}))
    for command in ("simulate", "sweep"):
        assert main([command, "--scenario", str(path), "--bucket", "1"]) == 0
        text = capsys.readouterr().out
        assert text.startswith("odd?[31m: ")
        assert "last?[2J" in text
        assert "\x1b" not in text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--bandwidth", "0"], "--bandwidth: '0' is too low; it must be above 0"),
        (["--bandwidth", "-3"], "--bandwidth: '-3' is too low; it must be"),
        (["--bandwidth", "1e400"], "--bandwidth: '1e400' is too large"),
        (["--bandwidth", "nan"], "--bandwidth: 'nan' is not a rate such as 12GB/s"),
        (["--overhead", "12 parsecs"], "--overhead: '12 parsecs' has no unit known"),
        (["--overhead=-1ms"], "--overhead: '-1ms' is too low; it must be"),
        (["--overhead", "-1ms"], "--overhead: '-1ms' is too low; it must be"),
        (["--link", "t4-efa-2", "--table", "--overhead", "1"], "leave out --overhead"),
        (["--ranks", "1", "--port-rate", "9"], "one rank has nothing to send"),
        (["--bucket-bytes", "0"], "--bucket-bytes: '0' is too low; it must be"),
        (["--bucket", "13"], "a bucket can't hold 13 of 12 layers; choose 1 to 12"),
        (["--bucket", "0"], "a bucket can't hold 0 of 12 layers; choose 1 to 12"),
        (["--bucket", "2.5"], "--bucket: '2.5' is not a whole number such as 4"),
        (["--first-bucket", "1MB"], "--first-bucket goes with --bucket-bytes"),
        (["--bucket", "1", "--bucket-bytes", "9MB"], "not allowed with argument"),
        (["--scenario", "cours"], "no scenario 'cours'; choose course, fast-hardware"),
        (["--scenario", "none.json"], "none.json: there is no such file"),
        (["--scenario", "."], ".: is a directory"),
        (["--bandwidth", "1e-309"], "are too large to add up"),
    ],
)
def test_wrong_inputs_are_one_sentence(options, expected, refusal):
    assert expected in refusal(*options)
