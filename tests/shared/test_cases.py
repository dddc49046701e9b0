"""Every case gives the numbers or the message that are expected."""

from pathlib import Path

import pytest

from overlap_widget.model import break_down, window
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.measurement import default_step
from overlap_widget.model.ranks import Verdict
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.traces import TraceError, load, load_all

NUMBERS = [
    "00-base.json",
    "01-windows-backslash.json",
    "02-bare-inf-nan.json",
    "04-truncated.json",
    "05-truncated.json.gz",
    "09-string-timestamps.json",
    "10-zero-ts-kernels.json",
    "11-negative-dur.json",
    "13-same-track-overflow.json",
    "14-nccl-name-generations.json",
    "15-rccl-generic.json",
    "17-legacy-categories.json",
    "19-gpu-user-annotation.json",
    "20-sync-events.json",
    "23-two-comm-streams.json",
    "25-straggler-rank0.json",
    "25-straggler-rank1.json",
    "26-no-rank.json",
    "28-clock-rank0.json",
    "28-clock-rank1.json",
    "29-epoch-precision.json",
    "31-no-profilerstep.json",
    "34-no-comm.json",
    "38-jax-gpu.trace.json.gz",
    "43-nsys-gputrace-new.csv",
    "46-html-names.json",
]
US = 1e6
LONGEST_S = 5e-3


def parts_us(recording, step=0):
    parts = break_down(window(recording, recording.devices[0], step).timeline)
    seconds = {
        "comm": parts.communication_s,
        "hidden": parts.hidden_s,
        "exposed": parts.exposed_s,
        "tail": parts.tail_s,
    }
    return {name: value * US for name, value in seconds.items()}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_case_gives_its_numbers_on_a_short_axis(shared, expected, name):
    case = expected[name]
    recording = load(str(shared(f"cases/{name}")))
    measured = parts_us(recording)
    wanted = {key: case[key] for key in measured}
    assert measured == pytest.approx(wanted, rel=1e-6, abs=1e-6)
    assert recording.spans.end_s.max() < case.get("max_axis_us", 5000) / US


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("04-truncated.json", "file ends early; last event dropped"),
        ("05-truncated.json.gz", "gzip ends early"),
        ("10-zero-ts-kernels.json", "4 kernels without a time were left out"),
        ("11-negative-dur.json", "1 GPU event with negative length left out"),
        (
            "13-same-track-overflow.json",
            "kernel longer than the gap to the next kernel on its stream; clipped",
        ),
        ("15-rccl-generic.json", "collective of unknown type"),
        ("26-no-rank.json", "treated as one rank"),
        ("31-no-profilerstep.json", "the whole capture is shown as one step"),
    ],
)
def test_a_case_is_shown_with_its_warning(shared, name, said):
    recording = load(str(shared(f"cases/{name}")))
    assert any(said in warning for warning in recording.warnings)


def test_the_base_case_only_tells_how_its_steps_were_found(shared):
    (warning,) = load(str(shared("cases/00-base.json"))).warnings
    assert "no launches of kernels" in warning


def test_peer_copies_are_shown_one_way_and_the_other(shared, expected):
    path = str(shared("cases/21-copy-engine.json"))
    case = expected["21-copy-engine.json"]
    for counted, key in ((False, "nccl_only"), (True, "with_peer_copies")):
        recording = load(path, count_peer_copies=counted)
        assert parts_us(recording) == pytest.approx(case[key], abs=1e-6)
        assert any("2 peer copies" in warning for warning in recording.warnings)


def test_of_three_steps_the_middle_one_is_shown(shared, expected):
    case = expected["32-three-steps.json"]
    recording = load(str(shared("cases/32-three-steps.json")))
    assert [step.complete for step in recording.steps] == [True, True, False]
    assert default_step(recording) == case["default_step"]
    first, second = parts_us(recording, 0), parts_us(recording, 1)
    for key in ("comm", "hidden", "exposed"):
        assert first[key] == pytest.approx(case["step0"][key], abs=1e-6)
    assert second == pytest.approx(case["step1"], abs=1e-6)


def test_a_step_of_a_table_with_a_suffix_is_found(shared, expected):
    recording = load(str(shared("cases/40-nsys-nvtx-v3.sqlite")))
    assert [step.name for step in recording.steps] == ["3"]
    case = expected["40-nsys-nvtx-v3.sqlite"]
    wanted = {key: case[key] for key in ("comm", "hidden", "exposed", "tail")}
    assert parts_us(recording) == pytest.approx(wanted, abs=1e-6)


def test_two_processes_of_one_report_are_told_apart(shared, expected):
    recordings = load_all(str(shared("cases/41-nsys-multirank.sqlite")))
    assert len(recordings) == 2
    wanted = expected["41-nsys-multirank.sqlite"]["per_process"]
    for recording in recordings:
        assert recording.devices == (0,)
        assert parts_us(recording) == pytest.approx(wanted, abs=1e-6)


def ranks_of(shared, names):
    files = [measured_file(load(str(shared(f"cases/{name}")))) for name in names]
    return compare_ranks(files)


def test_waiting_for_a_late_rank_is_told_from_transfer(shared, expected):
    names = ("25-straggler-rank0.json", "25-straggler-rank1.json")
    early, late = (expected[name] for name in names)
    ranks = ranks_of(shared, names)
    parts = ranks.parts[0, 0, 0]
    assert parts.waiting_s * US == pytest.approx(early["waiting_for_rank1"])
    assert parts.transfer_s * US == pytest.approx(early["transfer"])
    exposed_us = parts.exposed_waiting_s * US
    assert exposed_us == pytest.approx(early["waiting_inside_exposed"])
    assert ranks.parts[1, 0, 0].waiting_s == late["waiting"] == 0
    assert ranks.members[ranks.slowest.member].rank == 1


def test_clocks_that_agree_are_not_shifted(shared, expected):
    names = ("28-clock-rank0.json", "28-clock-rank1.json")
    _, clock = ranks_of(shared, names).clocks
    assert clock.shift_ns == expected[names[1]]["offset_to_rank0_us"] == 0
    assert clock.verdict is Verdict.AGREES


def test_every_case_with_expected_numbers_is_tried(expected):
    tried = Path(__file__).read_text()
    assert [name for name in expected if name not in tried] == []


def test_a_name_full_of_markup_stays_text(shared):
    names = load(str(shared("cases/46-html-names.json"))).spans.names
    assert "</script><script>document.title='pwned'</script>" in names


def test_paths_of_windows_are_readable(shared):
    path = shared("cases/01-windows-backslash.json")
    names = set(load(str(path)).spans.names)
    assert names == set(load(str(shared("cases/00-base.json"))).spans.names)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("07-empty.json", "file is empty"),
        ("33-cpu-only.json", "no GPU work in the file (permissions, WSL, or CUDA"),
        ("52-hidden-tab.html", "an HTML or XML page"),
        ("61-dark-host.html", "an HTML or XML page"),
        ("78-resnet18-buckets.json", "is JSON, but not a trace"),
    ],
)
def test_a_case_that_can_not_be_shown_is_one_sentence(shared, name, said):
    path = shared(f"cases/{name}")
    with pytest.raises(TraceError) as refused:
        load(str(path))
    sentence = str(refused.value)
    assert said in sentence
    assert sentence.startswith(f"{path}: ")
    assert "\n" not in sentence
