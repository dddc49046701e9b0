"""What `simulate` and `sweep` share: scenario, buckets, link and effects as options."""

import json

import pytest

from overlap_widget.app import simulation_inputs
from overlap_widget.app.cli import Parser, UsageError
from overlap_widget.app.explanation import explanation
from overlap_widget.app.option_readers import share
from overlap_widget.model import OFF, Effects, Link, best_of
from overlap_widget.model.links import LINKS, with_ranks
from overlap_widget.model.rules import RULES
from overlap_widget.model.scenarios import COURSE, GPT2_SMALL, RESNET_18
from overlap_widget.model.units import GB, MIB, MS, US

RATES = """size_bytes,time_us
1000000,1100
2000000,1200
4000000,1400
9000000,1900
"""  # 1 ms and 10 GB/s


def inputs(*options):
    parser = Parser(prog="overlap")
    simulation_inputs.add_arguments(parser)
    return simulation_inputs.inputs_of(parser.parse_args(options))


def refusal(*options):
    with pytest.raises(ValueError, match=r".") as caught:
        inputs(*options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def held_bytes(*options):
    """What each bucket holds."""
    return [one.size_bytes for one in inputs(*options).simulation.transfers]


@pytest.fixture
def measured(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(RATES)
    return str(path)


def test_without_options_the_course_is_asked_for_four_layers_to_a_bucket():
    found = inputs()
    assert found.scenario is COURSE
    assert found.link.cost == COURSE.link
    assert found.link.says == "Link: 12 GB/s, 1 ms before each transfer."
    assert found.effects == OFF
    assert found.buckets.plan == (4, 4, 4)
    assert not found.buckets.is_given
    assert found.buckets.says == ""
    assert found.options == {}


# --- Buckets -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # Sizes as in PyTorch's own rule, of ResNet-18's parameters in reverse order.
        (["--bucket-bytes", "25MiB"], [2052000, 28852224, 15853824]),
        (["--bucket-bytes", "35MiB"], [2052000, 38297600, 6408448]),
        (
            ["--bucket-bytes", "25MiB", "--first-bucket", "25MiB"],
            [30904224, 15853824],
        ),
        (["--bucket-bytes", "100MiB", "--first-bucket", "100MiB"], [46758048]),
        (["--plan", "ddp"], [2052000, 28852224, 15853824]),
        (["--plan", "ddp-first-step"], [46758048]),
        (["--plan", "ddp-small-last"], [11497376, 33744896, 1515776]),
    ],
)
def test_resnet_18_fills_the_buckets_of_pytorch(options, expected):
    assert held_bytes("--scenario", "resnet-18", *options) == expected


@pytest.mark.parametrize(
    ("options", "plan"),
    [
        # Layers of 40 MB hold 10 million numbers in fp32 and 20 million in bf16.
        (["--bucket", "5"], (5, 5, 2)),
        (["--bucket-elements", "25000000"], (3, 3, 3, 3)),
        (["--bucket-elements", "25,000,000", "--element-bytes", "2"], (2,) * 6),
        (["--bucket-elements", "2.5e7", "--plan", "megatron"], (3, 3, 3, 3)),
        (["--bucket-elements", "25,000,000", "--plan", "deepspeed"], (2,) * 6),
        (
            ["--bucket-elements", "5e7", "--plan", "deepspeed", "--element-bytes", "2"],
            (2,) * 6,
        ),
        (["--plan", "megatron"], (4, 4, 4)),
        (["--plan", "megatron", "--element-bytes", "2"], (2,) * 6),
        # From 40 ranks on a million parameters for each of them: 70 million here.
        (["--plan", "megatron", "--ranks", "70", "--port-rate", "9GB/s"], (7, 5)),
        (["--plan", "deepspeed"], (12,)),
        (["--plan", "deepspeed", "--element-bytes", "1"], (12,)),
        (["--plan", "best"], (1,) * 12),
    ],
)
def test_each_way_to_fill_buckets_fills_those_of_the_course(options, plan):
    found = inputs(*options).buckets
    assert found.plan == plan
    assert found.is_given


@pytest.mark.parametrize("name", RULES)
def test_every_rule_can_be_asked_for_and_says_what_it_does(name):
    found = inputs("--scenario", "resnet-18", "--plan", name).buckets
    rule = RULES[name]
    assert found.plan == rule.plan_of(RESNET_18.layers, RESNET_18.link, OFF, 4)
    assert found.says.startswith(f"{rule.title}: {rule.says}")
    assert found.options["plan"] == name


def test_the_best_plan_is_that_of_the_link_and_the_effects():
    asked = ["--scenario", "fast-hardware", "--plan", "best"]
    slow = [*asked, "--overhead", "3ms", "--no-overlap"]
    assert inputs(*asked).buckets.plan == (1, 1, 2, 3, 5)
    assert inputs(*slow).buckets.plan == (12,)


def test_a_best_plan_that_no_search_finds_exactly_is_not_called_the_best_of_all():
    found = inputs("--plan", "best", "--slowdown", "50%")
    assert found.buckets.plan == best_of(COURSE.layers, COURSE.link, found.effects).plan
    assert "of all" not in found.buckets.says
    assert "no search over all plans is exact" in found.buckets.says


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            ["--bucket-bytes", "25MiB"],
            "Buckets close once they hold 25 MiB, the first once it holds 1 MiB, as in "
            "PyTorch's DDP without a cap. Releases since 2.4 take a given "
            "bucket_cap_mb for the first bucket too: --first-bucket 25MiB.",
        ),
        (
            ["--bucket-bytes", "60.5MB"],
            "Buckets close once they hold 60.5 MB, the first once it holds 1 MiB, as "
            "in PyTorch's DDP before 2.4. Later releases take a given bucket_cap_mb "
            "for the first bucket too: --first-bucket 60.5MB.",
        ),
        (
            ["--bucket-bytes", "25MiB", "--first-bucket", "7MB"],
            "Buckets close once they hold 25 MiB, the first once it holds 7 MB.",
        ),
        (
            ["--bucket-bytes", "3MiB", "--first-bucket", "3MiB"],
            "Buckets close once they hold 3 MiB.",
        ),
        (
            ["--bucket-elements", "3000000"],
            "Buckets close once they hold 3,000,000 parameters of 4 B, 12 MB, as in "
            "Megatron Core.",
        ),
        (
            ["--bucket-elements", "3e6", "--element-bytes", "2", "--plan", "deepspeed"],
            "Buckets hold at most 3,000,000 elements of 2 B, 6 MB, unless one tensor "
            "holds more, as in DeepSpeed's ZeRO.",
        ),
        (
            ["--plan", "megatron", "--element-bytes", "2"],
            f"Megatron Core: {RULES['megatron'].says} Each takes 2 B.",
        ),
    ],
)
def test_the_rule_that_filled_the_buckets_is_said(options, expected):
    assert inputs(*options).buckets.says == expected


def test_elements_are_as_large_as_the_scenario_has_them(tmp_path):
    layers = [
        {"name": name, "backward_s": 1, "gradient_bytes": size}
        for name, size in (("c", 6), ("b", 2), ("a", 10))
    ]
    path = tmp_path / "halves.json"
    path.write_text(json.dumps({"name": "h", "layers": layers, "element_bytes": 2}))
    asked = ["--scenario", str(path), "--bucket-elements", "4"]
    assert inputs(*asked).buckets.plan == (2, 1)
    assert inputs(*asked, "--element-bytes", "1").buckets.plan == (1, 2)
    assert inputs(*asked, "--element-bytes", "4").buckets.plan == (3,)


# --- The link ----------------------------------------------------------------------


def test_a_named_link_costs_its_fitted_line():
    found = inputs("--link", "a100-ib-16").link
    assert found.cost == LINKS["a100-ib-16"].line
    assert found.says == (
        "Link: a100-ib-16, the line fitted to 16 A100, NVLink 3 and InfiniBand HDR: "
        "80.6 GB/s, 94.7 µs before each transfer; it misses transfers of 1.05 MB to "
        f"268 MB by {LINKS['a100-ib-16'].fit.max_error * 100:.3g} % at most."
    )
    assert found.options == {"link": "a100-ib-16"}


def test_a_table_costs_what_was_measured():
    found = inputs("--link", "a100-ib-16", "--table").link
    assert found.cost == LINKS["a100-ib-16"].table
    assert found.cost.transfer_s(2**20) == pytest.approx(96.57 * US)
    assert found.says == (
        "Link: a100-ib-16, measured table of 16 A100, NVLink 3 and InfiniBand HDR, "
        "from 8 B to 8.59 GB."
    )
    assert found.options == {"link": "a100-ib-16", "table": True}


def test_a_file_gives_its_line_and_its_table(measured):
    line = inputs("--link", measured).link
    assert line.cost.overhead_s == pytest.approx(1 * MS)
    assert line.cost.bandwidth_bytes_per_s == pytest.approx(10 * GB)
    assert f"Link: {measured}, the line fitted to 3 of its 4 sizes: 10 GB/s" in (
        line.says
    )
    assert line.says.endswith("it misses transfers of 2 MB to 9 MB by 0 % at most.")
    table = inputs("--link", measured, "--table").link
    assert table.cost.transfer_s(6e6) == pytest.approx(1.6 * MS)
    assert table.says == (
        f"Link: {measured}, measured table of its 4 sizes, from 1 MB to 9 MB."
    )
    assert table.options == {"link": measured, "table": True}


@pytest.mark.parametrize(
    ("sizes_mib", "said"),
    [
        ([0.25, 0.5, 1, 2, 7, 16], ("4 of its 6 sizes", "1.05 MB to 16.8 MB")),
        ([0.25, 0.5, 2, 512], ("its 4 sizes", "262 kB to 537 MB")),
    ],
)
def test_the_line_of_a_file_is_told_for_the_sizes_it_was_fitted_to(
    sizes_mib, said, tmp_path
):
    path = tmp_path / "mine.csv"
    rows = [f"{mib * MIB:.0f},{100 + 50 * mib}" for mib in sizes_mib]
    path.write_text("\n".join(["size_bytes,time_us", *rows]))
    of, between = said
    found = inputs("--link", str(path)).link.says
    assert f"the line fitted to {of}: " in found
    assert f"it misses transfers of {between} by " in found
    everything = f"measured table of its {len(sizes_mib)} sizes, from "
    assert everything in inputs("--link", str(path), "--table").link.says


def test_values_of_ones_own_replace_those_of_a_line():
    line = LINKS["v100-pcie-4"].line
    faster = inputs("--link", "v100-pcie-4", "--bandwidth", "7").link
    assert faster.cost == Link(line.overhead_s, 7 * GB)
    assert ", with another bandwidth: 7 GB/s, 18.4 µs before" in faster.says
    both = inputs("--link", "v100-pcie-4", "--bandwidth", "7", "--overhead", "3").link
    assert both.cost == Link(3 * US, 7 * GB)
    assert "misses" not in both.says
    assert both.options == {"link": "v100-pcie-4"}


def test_ranks_and_the_rate_of_their_ports_set_the_bandwidth():
    # 8 ranks move 2 * 7 / 8 of the bytes through each port: 35 / 1.75 = 20 GB/s.
    found = inputs("--ranks", "8", "--port-rate", "35GB/s").link
    assert found.cost == Link(1 * MS, 20 * GB)
    assert found.says == (
        "Link, as a ring of 8 ranks with 35 GB/s a port: 20 GB/s, 1 ms before each "
        "transfer."
    )
    assert found.options == {"ranks": 8, "port_bytes_per_s": 35 * GB}
    two = inputs("--ranks", "2", "--port-rate", "280Gb/s", "--overhead", "7us").link
    assert two.cost == Link(7 * US, 35 * GB)


def test_a_named_link_is_carried_over_to_other_ranks():
    found = inputs("--link", "a100-ib-16", "--ranks", "4").link
    assert found.cost == with_ranks(LINKS["a100-ib-16"], 4)
    assert ", between 4 ranks instead of 16: 101 GB/s, 94.7 µs before" in found.says
    assert found.options == {"link": "a100-ib-16", "ranks": 4}


def test_a_scenario_that_starts_on_a_named_link_tells_its_name():
    assert inputs("--scenario", "gpt2-small").link.says.startswith("Link: a100-ib-16, ")
    found = inputs("--scenario", "gpt2-small", "--bandwidth", "7").link
    assert found.says == "Link: 7 GB/s, 94.7 µs before each transfer."
    assert found.cost == Link(GPT2_SMALL.link.overhead_s, 7 * GB)
    assert found.options == {}


# --- Effects -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "effects", "document"),
    [
        (["--no-overlap"], Effects(overlap=False), {"overlap": False}),
        (["--slowdown", "0.19"], Effects(slowdown=0.19), {"slowdown": 0.19}),
        (["--slowdown", "19%"], Effects(slowdown=0.19), {"slowdown": 0.19}),
        (["--slowdown", "250 %"], Effects(slowdown=2.5), {"slowdown": 2.5}),
        (["--late", "5ms"], Effects(late_s=5 * MS), {"late_s": 5 * MS}),
        (["--late", "700"], Effects(late_s=700 * US), {"late_s": 700 * US}),
        (["--micro-steps", "3"], Effects(micro_steps=3), {"micro_steps": 3}),
        (
            ["--micro-steps", "3", "--every-micro-step"],
            Effects(micro_steps=3, every_micro_step=True),
            {"micro_steps": 3, "every_micro_step": True},
        ),
        (["--slowdown", "0", "--late", "0", "--micro-steps", "1"], OFF, {}),
    ],
)
def test_each_effect_is_an_option(options, effects, document):
    found = inputs(*options)
    assert found.effects == found.simulation.effects == effects
    assert found.options == document


@pytest.mark.parametrize("text", ["1", "0.5", " 50 % ", "0", "1000%"])
def test_a_share_is_a_part_of_1_or_a_percentage(text):
    number = float(text.strip(" %"))
    assert share(text) == (number / 100 if "%" in text else number)


# --- What doesn't fit --------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--bucket", "1", "--plan", "ddp"], "not allowed with argument --bucket"),
        (["--bucket-bytes", "9", "--plan", "ddp"], "not allowed with argument"),
        (["--plan", "horovod"], "--plan: invalid choice: 'horovod'"),
        (
            ["--bucket-elements", "9", "--bucket", "1"],
            "--bucket-elements can't go with --bucket; leave out one",
        ),
        (
            ["--bucket-elements", "9", "--bucket-bytes", "1"],
            "--bucket-elements can't go with --bucket-bytes; leave out one",
        ),
        (
            ["--bucket-elements", "9", "--plan", "ddp"],
            "--bucket-elements can't go with --plan ddp; leave out one",
        ),
        (["--bucket-elements", "25MiB"], "'25MiB' is no count of parameters or"),
        (["--bucket-elements", "0"], "'0' is no count of parameters or elements"),
        (["--element-bytes", "2"], "--element-bytes goes with --bucket-elements, or"),
        (["--element-bytes", "2", "--plan", "ddp"], "--element-bytes goes with"),
        (
            ["--bucket-elements", "9", "--element-bytes", "25"],
            "up to 16 bytes, such as",
        ),
        (["--bucket-elements", "9", "--element-bytes", "0"], "up to 16 bytes, such as"),
        (["--bucket-elements", "9", "--element-bytes", "nan"], "is not a number of b"),
        (
            ["--plan", "deepspeed", "--element-bytes", "x"],
            "'x' is not a number of bytes",
        ),
        (["--plan", "megatron", "--element-bytes", "1_6"], "'1_6' is not a number of"),
        (["--plan", "megatron", "--element-bytes", "٤"], "'٤' is not a number of"),
        (["--first-bucket", "9", "--plan", "ddp"], "--first-bucket goes with"),
        (["--link", "a100"], "no link 'a100'; choose t4-efa-2, v100-pcie-4,"),
        (["--link", ""], "no link ''; choose"),
        (["--link", "none.csv"], "none.csv: there is no such file"),
        (["--table"], "--table goes with --link; name the link that was measured"),
        (["--link", "a100-zaratan-8", "--table"], "a100-zaratan-8 has no table here"),
        (
            ["--link", "t4-efa-2", "--table", "--bandwidth", "1"],
            "leave out --bandwidth",
        ),
        (["--link", "t4-efa-2", "--table", "--overhead", "1"], "leave out --overhead"),
        (["--link", "t4-efa-2", "--table", "--ranks", "4"], "leave out --ranks"),
        (["--table", "--port-rate", "4"], "leave out --port-rate"),
        (["--ranks", "8"], "--ranks goes with --port-rate, or with a named --link"),
        (["--port-rate", "8"], "--port-rate goes with --ranks; name both"),
        (["--ranks", "8", "--port-rate", "8", "--bandwidth", "8"], "both set the"),
        (["--ranks", "1", "--port-rate", "8"], "one rank has nothing to send"),
        (["--ranks", "1", "--link", "t4-efa-2"], "one rank has nothing to send"),
        (["--ranks", "0", "--port-rate", "8"], "a ring has 1 rank or more, not 0"),
        (["--slowdown", "19"], "'19' is above 1; write percent as such: 19%"),
        (["--slowdown", "a bit"], "'a bit' is not a share such as 0.19 or 19%"),
        (["--slowdown", "1.2.3"], "'1.2.3' is not a share such as 0.19 or 19%"),
        (["--slowdown", "-5%"], "'-5%' is too low; it must be 0 or more"),
        (
            ["--slowdown", "1001%"],
            "--slowdown: '1001%' is too large; it must be at most 1000%",
        ),
        (["--late", "2e9s"], "--late: '2e9s' is too large; it must be at most 1e9s"),
        (["--overhead", "1.1e9s"], "--overhead: '1.1e9s' is too large; it must be at"),
        (
            ["--bandwidth", "1e299"],
            "--bandwidth: '1e299' is too large; it must be at most 1e24B/s",
        ),
        (["--ranks", "8", "--port-rate", "2e15"], "--port-rate: '2e15' is too large"),
        (["--late", "-1ms"], "'-1ms' is too low; it must be 0 or more"),
        (["--late", "soon"], "'soon' is not a time such as 200us or 1ms"),
        (["--micro-steps", "0"], "a step has 1 to 64 micro-steps"),
        (["--micro-steps", "65"], "a step has 1 to 64 micro-steps"),
        (["--every-micro-step"], "goes with --micro-steps of 2 or more"),
    ],
)
def test_what_does_not_fit_together_is_one_sentence(options, expected):
    assert expected in refusal(*options)


@pytest.mark.parametrize("option", ["--bucket", "--micro-steps", "--ranks"])
@pytest.mark.parametrize("text", ["1_0", "٤", "4,0", "1,000", "1e1", "4.0", "", "+4"])
def test_a_whole_number_is_digits_alone(option, text):
    assert (
        f"argument {option}: {text!r} is not a whole number such as 4, in digits"
        in (refusal(option, text))
    )


def test_a_whole_number_of_many_digits_is_quoted_in_part():
    assert f"--bucket: '{'9' * 40}...' is not a whole number" in (
        refusal("--bucket", "9" * 5000)
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--bandwidth", "1e24B/s", "--overhead", "1e9s"],
        ["--late", "1e9s", "--slowdown", "1000%"],
        ["--ranks", "8", "--port-rate", "1e24B/s"],
    ],
)
def test_the_most_that_is_read_can_be_simulated_and_doubled(options):
    assert explanation(inputs(*options).simulation)


def test_a_file_does_not_tell_between_how_many_ranks_it_was_measured(measured):
    assert "or with a named --link" in refusal("--link", measured, "--ranks", "4")


@pytest.mark.parametrize("option", ["--overhead", "--late"])
def test_a_negative_time_is_refused_alike_with_and_without_an_equals_sign(option):
    with pytest.raises(UsageError) as apart:
        inputs(option, "-1us")
    with pytest.raises(UsageError) as joined:
        inputs(f"{option}=-1us")
    assert str(apart.value) == str(joined.value)
    assert "'-1us' is too low; it must be 0 or more" in str(apart.value)
