"""From a recorded step to Explore and back: the card, the scenario, the ghost."""

import json
from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.app.address import address, read_address
from overlap_widget.app.cli import main
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lane_columns import lane_columns
from overlap_widget.app.measured import (
    Measured,
    all_opened,
    choose_recording,
    example,
)
from overlap_widget.app.measured_data import measured_data
from overlap_widget.app.notebook import frame
from overlap_widget.app.picture import lanes_svg, picture_svg
from overlap_widget.app.quantities import percent_text, rate_text
from overlap_widget.app.said import text
from overlap_widget.app.settings import (
    DEFAULT,
    MEASURED,
    plan_of,
    settings_of,
    simulation_of,
)
from overlap_widget.app.titles import scenario_title
from overlap_widget.app.what_if import (
    beginning,
    run_name,
    run_of,
    shown_replay,
    tried,
    what_if_view,
)
from overlap_widget.model import Phase, simulate, timeline_of
from overlap_widget.model.link_fit import Refused
from overlap_widget.model.traces import load
from overlap_widget.model.units import MS

RUN = "example-trace.json.gz step 12"
SHOWN = all_opened([example()])


def unsized():
    spans = example().spans
    return replace(
        example(), spans=replace(spans, size_bytes=spans.size_bytes * np.nan)
    )


def slower(times):
    """The example in slow motion: the same sizes at another rate."""
    spans = example().spans
    moments = {
        name: getattr(spans, name) * times for name in ("start_s", "end_s", "ready_s")
    }
    return replace(example(), spans=replace(spans, **moments))


def rank_trace(rank):
    """One step of two ranks, of which the second comes 20 us later to the first bucket.

    us                  0         200        500  600      900  1000   1200
    compute, backward   [ - - - - - - - - - - - - - - - - - - - ]
    all-reduce  rank 0            [ 2 MB     ]    [ 28 MB       ][ 16 MB ]
                rank 1              [ 2 MB   ]    [ 28 MB       ][ 16 MB ]
    """
    rows = [(200 + 20 * rank, 400, 2), (600, 960, 28), (960, 1200, 16)]
    place = {"ph": "X", "cat": "kernel", "pid": 0}
    moved = [
        {
            **place,
            "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
            "tid": 20,
            "ts": start,
            "dur": end - start,
            "args": {
                "device": 0,
                "stream": 20,
                "Collective name": "allreduce",
                "Process Group Name": "0",
                "Group size": 2,
                "dtype": "Float",
                "In msg nelems": 250_000 * mb,
                "Seq": number,
            },
        }
        for number, (start, end, mb) in enumerate(rows)
    ]
    computed = {"name": "backward_gemm", "tid": 7, "ts": 0, "dur": 900}
    about = {"rank": rank, "world_size": 2}
    args = {"device": 0, "stream": 7}
    events = [{**place, **computed, "args": args}, *moved]
    return {"distributedInfo": about, "traceEvents": events}


# --- The card ------------------------------------------------------------------------


def test_the_card_tells_the_link_that_the_example_was_made_with():
    # tests/example_trace.py: 14 GB/s and 90 us, wire times off by up to 3 %, and every
    # transfer of 85 MB takes 6 ms.
    numbers = what_if_view(SHOWN)["numbers"]
    assert numbers["bandwidth_bytes_per_s"] == pytest.approx(14e9, rel=0.02)
    assert abs(numbers["overhead_s"] - 90e-6) < 2 * numbers["overhead_error_s"]
    assert numbers["relative_error"] < 0.03
    assert numbers["transfers"] == 15  # five in each step but the first


def test_its_replay_is_as_long_as_the_recording_and_the_best_plan_shorter():
    numbers = what_if_view(SHOWN)["numbers"]
    replayed, measured = numbers["replayed_tail_s"], numbers["measured_tail_s"]
    assert replayed - measured == pytest.approx(numbers["replay_error_s"])
    assert numbers["replay_error"] < 0.001
    assert numbers["best_tail_s"] < replayed / 5


def test_the_card_tells_what_caps_of_ddp_would_give():
    # 340 MB in 48 pieces of 7.09 MB: caps from 10 MiB on tell them apart.
    numbers = what_if_view(SHOWN)["numbers"]
    caps = numbers["caps"]
    assert [round(cap / 2**20) for cap in caps["cap_bytes"]] == [10, 25, 50, 100, 200]
    assert caps["transfers"] == [24, 12, 6, 4, 2]
    assert caps["tail_s"] == sorted(caps["tail_s"])
    assert numbers["piece_bytes"] == pytest.approx(7.09e6, rel=1e-3)
    assert numbers["best_tail_s"] < numbers["default_tail_s"]
    assert numbers["best_low_bytes"] <= numbers["piece_bytes"]
    assert numbers["default_transfers"] == 13  # a piece, then four a bucket


def test_without_sizes_the_card_says_why_there_is_no_estimate():
    shown = what_if_view(all_opened([unsized()]))
    assert shown["numbers"] is None
    assert shown["scenario"] is None
    assert text(shown["reason"]).startswith(
        "No estimate for this step: the recording doesn't"
    )
    assert text(shown["reason"]).endswith("The measured numbers hold.")


def test_a_link_that_no_slider_can_be_set_to_is_refused():
    replay = shown_replay(all_opened([slower(1000)]))
    assert isinstance(replay, Refused)
    assert "is 13.8 MB/s, and a page shows 100 MB/s to 1 TB/s" in replay.reason


def test_two_ranks_are_fitted_together_as_overlap_measure_does(tmp_path, capsys):
    # Each has the sizes of the other in times of its own; the link is of both.
    paths = [tmp_path / f"rank{rank}.json" for rank in (0, 1)]
    for rank, path in enumerate(paths):
        path.write_text(json.dumps(rank_trace(rank)))
    shown = all_opened(load(str(path)) for path in paths)
    for at in (0, 1):
        numbers = what_if_view(choose_recording(shown, at))["numbers"]
        assert numbers["transfers"] == 6
        assert numbers["waiting_removed"]
        rate = rate_text(numbers["bandwidth_bytes_per_s"])
        error = percent_text(float(f"{numbers['bandwidth_error']:.2g}"))
    assert main(["measure", *map(str, paths)]) == 0
    said = " ".join(capsys.readouterr().out.replace("\xa0", " ").split())
    assert f"{rate} (± {error}) and".replace("\xa0", " ") in said


# --- The scenario --------------------------------------------------------------------


def test_a_run_starts_as_it_was_measured():
    settings = tried(DEFAULT, SHOWN)
    replay = shown_replay(SHOWN)
    assert (settings.mode, settings.plan) == ("explore", MEASURED)
    assert plan_of(settings) == replay.measured.plan == (4, 12, 12, 12, 8)
    assert simulation_of(settings).tail == replay.simulation.tail
    assert settings.scenario.name in settings.catalogue.scenarios


def test_what_the_page_shows_stays_on_the_way_to_explore():
    before = replace(DEFAULT, theme="dark", show="lanes", controls="mode", bucket=2)
    settings = tried(before, SHOWN)
    assert (settings.theme, settings.show, settings.controls) == (
        "dark",
        "lanes",
        "mode",
    )
    assert settings.scenario.name == RUN


def test_an_address_restores_the_run_where_its_recording_is_open():
    settings = tried(DEFAULT, SHOWN)
    query = address(settings)
    again, notices = read_address(query, beginning(query, [example()]))
    assert (again, notices) == (settings, ())
    assert simulation_of(again) == simulation_of(settings)
    assert Explorer(query=query).settings == settings  # of the example that ships


def test_a_notebook_may_ask_for_a_run_by_its_address():
    assert f"Recorded: {RUN}" in frame(query=address(tried(DEFAULT, SHOWN))).page


def test_elsewhere_its_address_is_answered_with_a_notice():
    query = "scenario=mine.json+step+3&mode=explore&plan=measured"
    explorer = Explorer(query=query)
    assert explorer.settings.scenario.name == "course"
    assert [notice.key for notice in explorer.notices] == ["notice.bad_value"] * 2


def test_names_tell_recordings_devices_and_steps_apart():
    other = slower(2)
    there = replace(slower(3), path="elsewhere/example-trace.json.gz")
    device = np.arange(len(other.spans)) % 2
    divided = replace(slower(4), path="two.json", device=device.astype(np.int32))
    twice = replace(slower(5), path="steps.json", steps=(example().steps[0],) * 4)
    every = (example(), other, there, divided, twice)
    names = {
        run_name(Measured(every, recording=at, device=device, step=step))
        for at, one in enumerate(every)
        for device in range(len(one.devices))
        for step in range(4)
    }
    assert len(names) == 4 * (4 + 2)


def test_processes_of_one_file_are_named_without_its_folder():
    both = [replace(slower(at), path="/home/report.sqlite") for at in (2, 3)]
    names = [run_name(Measured(tuple(both), recording=at)) for at in (0, 1)]
    assert names == ["report.sqlite #1 step 10", "report.sqlite #2 step 10"]


def test_another_scenario_leaves_the_measured_plan_behind():
    explorer = Explorer(query="mode=measured")
    explorer.move({"type": "try"})
    explorer.move({"type": "set", "key": "scenario", "value": "course"})
    assert (explorer.settings.scenario.name, explorer.settings.plan) == (
        "course",
        "layers",
    )
    explorer.move({"type": "set", "key": "plan", "value": MEASURED})
    assert explorer.settings.plan == "layers"
    explorer.move({"type": "set", "key": "scenario", "value": RUN})
    explorer.move({"type": "reset"})
    assert explorer.settings.plan == MEASURED


def test_settings_without_a_run_have_no_measured_plan():
    with pytest.raises(ValueError, match="was not measured"):
        replace(DEFAULT, plan=MEASURED)


def test_the_late_ranks_of_a_run_are_late_in_its_estimate():
    run = run_of(SHOWN)
    late = replace(run, ghost=replace(run.ghost, late_s=0.003))
    assert settings_of(late).effects.late_s == 0.003
    assert simulation_of(settings_of(late)).tail.late_s == 0.003


# --- A session -----------------------------------------------------------------------


def test_trying_leads_to_explore_and_the_recording_stays():
    explorer = Explorer(query="mode=measured")
    explorer.move({"type": "try", "seq": 1})
    view = explorer.__panel__().parts["view"]
    assert view["state"]["mode"] == "explore"
    assert text(view["controls"]["scenario"]["title"]) == f"Recorded: {RUN}"
    run = view["controls"]["scenario"]["run"]
    assert run["tail_s"] == pytest.approx(0.00553, 1e-3)
    assert run["is_fitted"]
    explorer.move({"type": "set", "key": "mode", "value": "measured"})
    assert explorer.__panel__().parts["view"]["measured"]["step"] == 2


def test_a_step_that_is_refused_can_t_be_tried():
    explorer = Explorer([unsized()])
    explorer.move({"type": "try", "seq": 1})
    assert explorer.settings.mode == "measured"
    assert [notice.key for notice in explorer.notices] == ["notice.bad_move"]


def test_without_a_recording_there_is_nothing_to_try():
    explorer = Explorer()
    explorer.move({"type": "try", "seq": 1})
    assert [notice.key for notice in explorer.notices] == ["notice.bad_move"]


def test_scenarios_that_were_not_measured_have_no_run():
    assert Explorer().__panel__().parts["view"]["controls"]["scenario"]["run"] is None


# --- The ghost -----------------------------------------------------------------------


def figure(ghost):
    simulation = simulation_of(DEFAULT)
    return lane_columns(timeline_of(simulation), ghost=ghost)


def test_what_was_measured_lies_below_the_estimate_with_its_name():
    ghost = run_of(SHOWN).ghost
    shown = figure(ghost)
    bars = shown["sources"]["ghost"]
    assert bars["measured"] == [1, 2, 3, 4, 5]
    assert bars["left"] == bars["start"] == [start_s / MS for start_s in ghost.start_s]
    assert bars["size"][:2] == pytest.approx([28.35, 85.05], rel=1e-3)
    assert shown["sources"]["ghost_backward"]["right"] == [ghost.backward_s / MS]
    lowest = min(shown["sources"]["waiting"]["bottom"], default=0.3)
    assert max(bars["top"]) < lowest
    assert shown["ranges"]["lanes_y"]["start"] < min(bars["bottom"])
    assert text(shown["sources"]["captions"]["text"][-1]) == "Measured"


def test_without_a_run_the_lanes_are_as_high_as_ever():
    plain, measured = figure(None), figure(run_of(SHOWN).ghost)
    assert plain["sources"]["ghost"]["left"] == []
    assert plain["ranges"]["lanes_y"] == {"start": 0.0, "end": 10}
    heights = [one["props"]["lanes"]["height"] for one in (plain, measured)]
    assert heights[0] == 230 < heights[1]


def test_the_time_axis_has_room_for_what_was_measured():
    run = run_of(SHOWN)
    fast = simulate(run.layers, (1,) * len(run.layers), run.link.scaled(wire=0.1))
    ghost = replace(run.ghost, end_s=(*run.ghost.end_s[:-1], 0.2))
    shown = lane_columns(timeline_of(fast), ghost=ghost)
    assert shown["ranges"]["lanes_x"]["end"] > 200


def test_pictures_have_the_ghost_and_say_what_it_is():
    settings = tried(DEFAULT, SHOWN)
    for drawn in (lanes_svg(settings), picture_svg(settings)):
        assert ">Measured<" in drawn
    assert "measured in the recording" in picture_svg(settings)
    assert "Buckets: As measured" in picture_svg(settings)
    assert "measured in the recording" not in picture_svg(DEFAULT)


# --- A page --------------------------------------------------------------------------


def test_an_exported_page_has_the_run_that_it_shows():
    page = embedded_page(tried(DEFAULT, SHOWN), [])
    title = json.dumps(scenario_title(run_of(SHOWN)), separators=(",", ":"))
    assert page.count(f'"title":{title}') >= 2  # the front's list, the twin's
    before = page.split("</main>")[0]  # what stands there until scripts run
    assert "measured in the recording" in before
    assert "This is an estimate: its backward pass of 30.7\xa0ms" in before


def test_every_step_of_a_page_that_can_be_replayed_has_its_run():
    unmarked = replace(unsized(), path="other.json")
    first, second = measured_data([example(), unmarked])["recordings"]
    names = [one["run"]["name"] for one in first["windows"].values()]
    assert names == [f"example-trace.json.gz step {step}" for step in range(10, 14)]
    assert all(one["run"] is None for one in second["windows"].values())


def test_a_recording_without_a_pass_has_no_run():
    phase = np.full(len(example().spans), Phase.UNKNOWN, dtype=np.uint8)
    shown = all_opened([replace(example(), phase=phase)])
    assert run_of(shown) is None
    assert "of its one backward pass" in text(what_if_view(shown)["reason"])
