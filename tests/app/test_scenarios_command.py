"""`overlap scenarios`: what is listed, and what a program gets."""

import json
from dataclasses import replace

import pytest

from overlap_widget.app.cli import main
from overlap_widget.app.scenarios_report import as_json, as_text
from overlap_widget.model.links import LINKS
from overlap_widget.model.scenario_file import load_scenario
from overlap_widget.model.scenarios import COURSE, SCENARIOS

NAMES = [*SCENARIOS, *LINKS]


@pytest.fixture
def text(capsys):
    assert main(["scenarios"]) == 0
    return capsys.readouterr().out


@pytest.fixture
def document(capsys):
    assert main(["scenarios", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def entry(text, name):
    """The lines below a heading, as one line with single spaces."""
    (found,) = [part for part in text.split("\n\n") if part.startswith(f"{name}  ")]
    return " ".join(found.split())


def test_all_scenarios_stand_in_their_order_and_the_links_after_them(text):
    headings = [part.split("  ")[0] for part in text.split("\n\n")]

    assert [heading for heading in headings if heading in NAMES] == NAMES


def test_a_scenario_tells_its_pass_its_link_and_both_sources(text):
    found = entry(text, "gpt2-small")

    assert found.startswith("gpt2-small GPT-2 small: twelve blocks ")
    assert "pass 14 layers in 64.9 ms, 498 MB of gradients" in found
    assert "link a100-ib-16, overhead 94.7 µs, bandwidth 80.6 GB/s" in found
    assert f"sizes {SCENARIOS['gpt2-small'].source}" in found
    assert f"times {SCENARIOS['gpt2-small'].times}" in found


def test_a_link_that_has_no_name_is_told_by_its_numbers_alone(text):
    assert "link overhead 1 ms, bandwidth 12 GB/s" in entry(text, "course")


def test_a_link_tells_its_line_and_by_how_much_it_misses(text):
    found = entry(text, "v100-pcie-4")

    assert "line 4 ranks, overhead 18.4 µs, bandwidth 4.79 GB/s" in found
    assert "fit misses transfers of 1.05 MB to 268 MB by 1.71 % at most" in found
    assert f"source {LINKS['v100-pcie-4'].source}" in found


def test_a_link_that_was_measured_with_large_messages_says_nothing_of_small_ones(text):
    found = entry(text, "h100-port-10")

    assert "fit misses transfers of 33.6 MB to 268 MB by 2.47 % at most" in found


def test_only_an_address_goes_past_the_width_of_the_text(text):
    for line in text.splitlines():
        assert len(line) <= 88 or (line.startswith("   ") and " " not in line.strip())


def test_a_scenario_without_a_sentence_on_its_times_has_no_line_for_it():
    assert "times" not in as_text([replace(COURSE, times="")], [])


def test_the_numbers_of_a_program_are_seconds_and_bytes(document):
    names = [one["name"] for part in document.values() for one in part]
    small = document["scenarios"][list(SCENARIOS).index("gpt2-small")]
    link = document["links"][list(LINKS).index("v100-pcie-4")]

    assert names == NAMES
    assert small["gradient_bytes"] == 124_439_808 * 4
    assert small["backward_s"] == pytest.approx(64.93e-3, rel=1e-4)
    assert small["link"]["name"] == "a100-ib-16"
    assert link["overhead_s"] == 18.36e-6
    assert link["max_relative_error"] == pytest.approx(0.017, abs=5e-4)
    assert (link["from_bytes"], link["to_bytes"]) == (2**20, 2**28)
    port = document["links"][list(LINKS).index("h100-port-10")]
    assert (port["from_bytes"], port["to_bytes"]) == (2**25, 2**28)


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_entry_is_a_scenario_file_of_the_same_scenario(name, document, tmp_path):
    path = tmp_path / "entry.json"
    path.write_text(json.dumps(document["scenarios"][list(SCENARIOS).index(name)]))
    read = load_scenario(path)

    named = SCENARIOS[name]
    assert read == replace(named, title=named.name, times="")


def test_the_elements_of_an_entry_have_the_size_of_the_scenarios():
    written = json.loads(as_json([replace(COURSE, element_bytes=2.0)], []))

    assert written["scenarios"][0]["element_bytes"] == 2
