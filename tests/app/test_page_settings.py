"""The start of an exported page: what the options ask for, or a refusal."""

import json
from dataclasses import replace

import pytest

from overlap_widget.app.address import address, read_address
from overlap_widget.app.cli import _parser
from overlap_widget.app.commands import export
from overlap_widget.app.page_settings import page_settings
from overlap_widget.app.settings import DEFAULT, cost_of, plan_of, simulation_of
from overlap_widget.app.simulation_inputs import inputs_of
from overlap_widget.model.link import MeasuredLink
from overlap_widget.model.scenarios import COURSE

TABLE = "size_bytes,time_us\n1000000,150\n4000000,420\n16000000,1500\n64000000,5700\n"


def arguments_of(*options):
    return _parser("export", export).parse_args(["export", "page.html", *options])


def settings_for(*options):
    return page_settings(arguments_of(*options))


def test_a_page_starts_as_the_course_unless_told_otherwise():
    assert settings_for() == DEFAULT


@pytest.mark.parametrize(
    "options",
    [
        ["--bucket", "5", "--overhead", "200us"],
        ["--scenario", "resnet-18", "--bucket-bytes", "3MiB"],
        ["--scenario", "resnet-50", "--bucket-bytes", "10MB", "--first-bucket", "2MB"],
        ["--scenario", "gpt2-small", "--plan", "megatron", "--element-bytes", "2"],
        ["--scenario", "gpt2-small", "--plan", "deepspeed", "--bucket-elements", "2e7"],
        ["--plan", "best", "--link", "a100-ib-16", "--table"],
        ["--link", "a100-ib-16", "--ranks", "64"],
        ["--ranks", "8", "--port-rate", "400Gb/s"],
        ["--slowdown", "19%", "--late", "2ms", "--micro-steps", "3"],
        ["--no-overlap"],
    ],
)
def test_a_page_starts_with_the_step_that_simulate_shows(options):
    arguments = arguments_of(*options)
    settings, inputs = page_settings(arguments), inputs_of(arguments)
    assert plan_of(settings) == inputs.buckets.plan
    assert settings.effects == inputs.effects
    tail_s = simulation_of(settings).tail.total_s
    assert tail_s == pytest.approx(inputs.simulation.tail.total_s, rel=1e-9)
    assert read_address(
        address(settings), replace(DEFAULT, catalogue=settings.catalogue)
    ) == (settings, ())


def test_layers_of_a_file_are_offered_under_their_name(tmp_path):
    path = tmp_path / "mine.json"
    layers = [{"name": "<b>x</b>", "backward_s": 0.003, "gradient_bytes": 7e6}]
    path.write_text(json.dumps({"name": "mine", "layers": layers}))
    settings = settings_for("--scenario", str(path))
    assert settings.scenario.name == "mine"
    assert list(settings.catalogue.scenarios)[-1] == "mine"
    assert settings.bucket == 1


def test_layers_of_a_file_never_replace_a_scenario_that_ships(tmp_path):
    path = tmp_path / "mine.json"
    layers = [{"name": "x", "backward_s": 0.003, "gradient_bytes": 7e6}]
    path.write_text(json.dumps({"name": "course", "layers": layers}))
    settings = settings_for("--scenario", str(path))
    assert settings.scenario.name == "course (given)"
    assert settings.catalogue.scenarios["course"] is COURSE


def test_a_measured_link_of_a_file_is_offered_by_its_name_alone(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(TABLE)
    settings = settings_for("--link", str(path), "--table")
    assert isinstance(cost_of(settings), MeasuredLink)
    link = settings.catalogue.links["given"]
    assert (link.title, link.source) == ("mine.csv", "mine.csv")
    assert cost_of(settings).times_s == (150e-6, 420e-6, 1500e-6, 5700e-6)


def test_a_page_with_recordings_starts_with_them():
    assert settings_for("--trace", "a.json", "b.json").mode == "measured"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--bandwidth", "1MB/s"], "a page shows a bandwidth of 100 MB/s to 1 TB/s"),
        (["--overhead", "1s"], "a page shows an overhead of 0 ms to 10 ms, not 1 s"),
        (["--slowdown", "150%"], "a page shows a slowdown of 0 % to 100 %, not 150 %"),
        (["--late", "1s"], "a page shows a late rank of 0 ms to 100 ms, not 1 s"),
        (["--micro-steps", "17"], "a page shows micro-steps of 1 to 16, not 17"),
    ],
)
def test_what_no_control_can_show_is_refused_with_its_bounds(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        settings_for(*options)


def test_more_layers_than_a_browser_can_sweep_are_refused(tmp_path):
    path = tmp_path / "long.json"
    layer = {"name": "x", "backward_s": 1e-5, "gradient_bytes": 7e3}
    path.write_text(json.dumps({"name": "long", "layers": [layer] * 1001}))
    with pytest.raises(ValueError, match=r"long has 1,001 layers .* at most 1,000"):
        settings_for("--scenario", str(path))


FAST = "size_bytes,time_us\n1000,1\n1000000,1.001\n100000000,1.1\n"
SLOW = "size_bytes,time_us\n1000,50000\n1000000,51000\n100000000,90000\n"
WITHIN = ("--bandwidth", "12", "--overhead", "1ms")


@pytest.mark.parametrize(
    ("rows", "options", "sentence"),
    [
        (FAST, ["--table"], "a page shows a bandwidth of 100 MB/s to 1 TB/s, not"),
        (SLOW, ["--table"], "a page shows an overhead of 0 ms to 10 ms, not 50.3 ms"),
        (SLOW, WITHIN, "a page shows an overhead in a link of 0 ms to 10 ms, not"),
    ],
)
def test_a_measured_link_must_fit_the_controls(tmp_path, rows, options, sentence):
    path = tmp_path / "mine.csv"
    path.write_text(rows)
    with pytest.raises(ValueError, match=sentence):
        settings_for("--link", str(path), *options)


def test_a_scenario_must_fit_the_controls_with_the_link_of_its_own(tmp_path):
    path = tmp_path / "mine.json"
    layers = [{"name": "x", "backward_s": 0.003, "gradient_bytes": 7e6}]
    link = {"bandwidth_bytes_per_s": 1, "overhead_s": 0.002}
    path.write_text(json.dumps({"name": "mine", "layers": layers, "link": link}))
    with pytest.raises(ValueError, match=r"a bandwidth in a scenario .* not 1 B/s;"):
        settings_for("--scenario", str(path), *WITHIN)
