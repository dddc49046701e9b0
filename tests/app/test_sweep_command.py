"""`overlap sweep`: its JSON, its table, its words, and its refusals."""

import json

import pytest

from overlap_widget.app.cli import main
from overlap_widget.app.sweep_report import MOST_SIZES, sizes_shown

FOUR = {
    "name": "four uneven layers",
    "layers": [
        {"name": "d", "backward_s": 3, "gradient_bytes": 2},
        {"name": "c", "backward_s": 1, "gradient_bytes": 6},
        {"name": "b", "backward_s": 4, "gradient_bytes": 4},
        {"name": "a", "backward_s": 2, "gradient_bytes": 10},
    ],
    "link": {"bandwidth_bytes_per_s": 2, "overhead_s": 1},
}


@pytest.fixture
def four(tmp_path):
    return written(tmp_path, FOUR)


def written(folder, scenario):
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario))
    return str(path)


@pytest.fixture
def swept(capsys):
    """Run `overlap sweep --json`; gives the document."""

    def run(*options):
        assert main(["sweep", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)

    return run


@pytest.fixture
def text(capsys):
    """Run `overlap sweep`; gives its paragraphs as lists of lines."""

    def run(*options):
        assert main(["sweep", *options]) == 0
        return [part.splitlines() for part in capsys.readouterr().out.split("\n\n")]

    return run


@pytest.fixture
def simulated(capsys):
    def run(*options):
        assert main(["simulate", "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def row(bucket, transfers, queued_s, wire_s, **more):
    """Of a link whose overhead is 1 s."""
    return {
        "bucket": bucket,
        "tail_s": more.get("late_s", 0) + queued_s + 1 + wire_s,
        "transfers": transfers,
        "queued_s": queued_s,
        "overhead_s": 1,
        "wire_s": wire_s,
    } | more


# --- JSON --------------------------------------------------------------------------


def test_the_json_of_four_uneven_layers_worked_by_hand(four, swept):
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 ... 18
    # compute  [   d    ][c][     b     ][  a ]|
    # by 1              [1 d ][   2  c   ][ 3  b  ][ 4  a ]  to 18
    # by 2                 [ 1  d c       ]    [  2  b a  ]  to 18
    # by 3                                [  1  d c b  ][ 2 ] to 21
    # by 4                                     [ 1  d c b a ] to 22
    #
    # Of all plans none ends before 18 either: a alone would follow b's end at 12.
    document = swept("--scenario", four)
    assert list(document) == ["tails", "best"]
    assert document["tails"] == [
        row(1, 4, queued_s=2, wire_s=5),
        row(2, 2, queued_s=0, wire_s=7),
        row(3, 2, queued_s=5, wire_s=5),
        row(4, 1, queued_s=0, wire_s=11),
    ]
    assert list(document["tails"][0]) == [
        *("bucket", "tail_s", "transfers", "queued_s", "overhead_s", "wire_s")
    ]
    assert document["best"] == {
        "bucket": 2,
        "tail_s": 8,
        "plan": [["d", "c"], ["b", "a"]],
        "plan_tail_s": 8,
    }


@pytest.mark.parametrize(
    "options",
    [
        ["--scenario", "fast-hardware"],
        ["--scenario", "resnet-18", "--link", "t4-efa-2", "--table"],
        ["--slowdown", "60%", "--bandwidth", "30"],
        ["--late", "3ms", "--micro-steps", "2", "--every-micro-step"],
        ["--no-overlap", "--ranks", "6", "--port-rate", "9"],
    ],
)
def test_the_best_is_that_of_simulate(options, swept, simulated):
    assert swept(*options)["best"] == simulated(*options)["best"]


def test_each_size_has_the_tail_that_simulate_gives_it(swept, simulated):
    options = ["--link", "v100-pcie-4", "--table", "--late", "1ms"]
    for one in swept(*options)["tails"]:
        step = simulated(*options, "--bucket", str(one["bucket"]))
        split = {key: one[key] for key in step["tail"]}
        assert (one["tail_s"], split) == (step["tail_s"], step["tail"])
        assert one["transfers"] == len(step["transfers"])


def test_each_split_adds_up_exactly_in_its_order_with_a_late_rank(swept):
    for late_us in range(100, 3000, 291):
        for one in swept("--late", str(late_us))["tails"]:
            parts = list(one)[list(one).index("transfers") + 1 :]
            assert parts == ["late_s", "queued_s", "overhead_s", "wire_s"]
            assert sum(one[part] for part in parts) == one["tail_s"]


def test_a_late_rank_is_a_part_of_each_tail(four, swept):
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 13 ... 20
    # late                     [ d c from 4.5 to 9.5 ][ b a from 10.5 to 18.5 ]
    document = swept("--scenario", four, "--late", "500ms")
    second = row(2, 2, queued_s=0, wire_s=7, late_s=0.5)
    assert document["tails"][1] == second
    assert second["tail_s"] == 8.5
    assert document["options"] == {"late_s": 0.5}


def test_with_slowed_compute_the_shortest_step_is_best(tmp_path, swept):
    # Worked out in tests/model/test_plans.py: by 1 a tail of 5 s and a pass that is
    # 7.5 s longer, by 2 they are 6 s and 6 s, by 3 they are 13 s and nothing.
    layers = [
        {"name": name, "backward_s": seconds, "gradient_bytes": size}
        for name, seconds, size in (("c", 1, 6), ("b", 4, 10), ("a", 2, 8))
    ]
    path = written(tmp_path, FOUR | {"layers": layers})
    document = swept("--scenario", path, "--slowdown", "300%")
    assert document["tails"] == [
        row(1, 3, queued_s=0, wire_s=4, slowed_s=7.5),
        row(2, 2, queued_s=1, wire_s=4, slowed_s=6),
        row(3, 1, queued_s=0, wire_s=12, slowed_s=0),
    ]
    assert document["best"] == {
        "bucket": 2,
        "tail_s": 6,
        "plan": [["c", "b"], ["a"]],
        "plan_tail_s": 6,
    }


def test_buckets_that_are_asked_for_are_compared(four, swept):
    # Limits of 7 and then 4 bytes close d with c, b, and a; c's end at 9 s, b's at 12.
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 ... 18
    # link                 [  1  d c      ][ 2  b  ][ 3 a ]
    document = swept(
        *("--scenario", four, "--bucket-bytes", "4B", "--first-bucket", "7B")
    )
    assert document["given"] == {
        key: value
        for key, value in row(0, 3, queued_s=2, wire_s=5).items()
        if key != "bucket"
    }
    assert "options" not in document
    assert "given" not in swept("--scenario", four)


# --- Text --------------------------------------------------------------------------


def test_the_text_says_what_is_swept_and_marks_the_best(four, text):
    head, table, best = text("--scenario", four)
    assert head == [
        "four uneven layers: 4 layers, a backward pass of 10 s, 22 B of gradients.",
        "Link: 2 B/s, 1 s before each transfer.",
    ]
    assert [" ".join(line.split()) for line in table] == [
        "layers transfers last bucket tail queued overhead wire what decides",
        "1 4 1 layer, 10 B 8 s 2 s 1 s 5 s traffic above work",
        "2 2 2 layers, 14 B 8 s 0 ms 1 s 7 s traffic above work best",
        "3 2 1 layer, 10 B 11 s 5 s 1 s 5 s traffic above work",
        "4 1 4 layers, 22 B 12 s 0 ms 1 s 11 s one transfer",
    ]
    assert best[0] == "Best: 2 layers to a bucket, tail 8 s; no plan does better."
    assert best[1].startswith("Traffic exceeds work: the gradients need 12 s")


def test_a_better_plan_than_any_size_is_named(text):
    best = text("--scenario", "fast-hardware")[2]
    assert best[:2] == [
        "Best size: 2 layers to a bucket, tail 21 ms.",
        "Best of all plans: buckets of 1, 1, 2, 3, 5 layers, tail 17.7 ms.",
    ]


def test_the_table_shows_what_effects_add(text):
    def heads(*options):
        return " ".join(text(*options)[1][0].split())

    assert "tail late queued overhead wire what" in heads("--late", "1ms")
    assert "tail queued overhead wire longer pass what" in heads("--slowdown", "9%")
    plain = "tail queued overhead wire what"
    assert plain in heads("--no-overlap", "--slowdown", "9%")
    assert plain in heads("--micro-steps", "3", "--every-micro-step")


def test_what_is_best_for_a_slowed_step_is_said_to_be_so(text):
    best = " ".join(text("--slowdown", "50%", "--overhead", "4ms")[2])
    assert best.startswith("Best for the step, slower compute counted: ")
    assert "no plan that was tried does better." in best
    assert "Compute takes 50 % longer" in best


def test_the_link_of_a_table_has_no_bandwidth(text):
    head = " ".join(text("--link", "t4-efa-2", "--table")[0])
    assert "Link: t4-efa-2, measured table of 2 T4" in head
    assert "B/s" not in head.split("Link: ")[1].replace("25 Gb/s", "")


def test_buckets_that_are_asked_for_follow_with_their_rule(text):
    given = text("--bucket-bytes", "100MB", "--first-bucket", "70MB")[3]
    assert given == [
        "As asked: buckets of 2, 3, 3, 3, 1 layers, tail 10.3 ms.",
        "Buckets close once they hold 100 MB, the first once it holds 70 MB.",
    ]
    assert text("--bucket", "5")[3] == [
        "As asked: buckets of 5, 5, 2 layers, tail 15.3 ms."
    ]


# --- Many layers -------------------------------------------------------------------


def test_of_many_sizes_the_text_shows_round_ones_and_the_best_and_says_so(text, swept):
    table = text("--scenario", "resnet-50")[1]
    best = swept("--scenario", "resnet-50")["best"]["bucket"]
    shown = [int(line.split()[0]) for line in table[1:-1]]
    assert shown == sizes_shown(161, best)
    assert {1, 10, 100, best, 161} <= set(shown)
    assert len(shown) < 30
    assert table[-1] == f"{len(shown)} of 161 sizes are shown; --json has all of them."
    assert len(swept("--scenario", "resnet-50")["tails"]) == 161


def test_two_thousand_layers_are_some_thirty_lines(tmp_path, text, swept):
    layers = [
        {"name": str(at), "backward_s": 1e-5 * (at % 7), "gradient_bytes": at % 11}
        for at in range(2000)
    ]
    path = written(tmp_path, {"name": "many", "layers": layers})
    assert sum(map(len, text("--scenario", path))) < 50
    assert len(swept("--scenario", path)["tails"]) == 2000


def test_up_to_forty_sizes_are_all_shown():
    assert sizes_shown(MOST_SIZES, 7) == list(range(1, MOST_SIZES + 1))
    more = sizes_shown(MOST_SIZES + 1, 7)
    assert more == [*(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 41)]


@pytest.mark.parametrize("sizes", [41, 100, 1000, 1001, 99_999])
def test_a_selection_has_the_ends_and_no_size_twice(sizes):
    shown = sizes_shown(sizes, sizes - 1)
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-2], shown[-1]) == (1, sizes - 1, sizes)
    assert len(shown) <= 70


# --- What doesn't fit --------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--bucket", "13"], "a bucket can't hold 13 of 12 layers; choose 1 to 12"),
        (["--bandwidth", "0"], "sweep: argument --bandwidth: '0' is too low"),
        (["--overhead", "-1us"], "sweep: argument --overhead: '-1us' is too low"),
        (["--scenario", "cours"], "no scenario 'cours'; choose course"),
        (["--bandwidth", "1e-309"], "are too large to add up"),
        (["--table"], "--table goes with --link"),
        (["--csv"], "unrecognized arguments: --csv"),
    ],
)
def test_wrong_inputs_are_one_sentence(options, expected, capsys):
    assert main(["sweep", *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert expected in captured.err
