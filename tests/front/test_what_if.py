"""What if: the card of a recorded step, the way to Explore, and the way back."""

import pytest
from playwright.sync_api import expect

from overlap_widget.app.explorer import Explorer

pytestmark = pytest.mark.browser

NUMBERS = {
    "bandwidth_bytes_per_s": 11.6e9,
    "overhead_s": 0.31e-3,
    "relative_error": 0.0432,
    "bandwidth_error": 0.0123,
    "overhead_error_s": 0.0642e-3,
    "transfers": 96,
    "low_bytes": 1.05e6,
    "high_bytes": 26.2e6,
    "waiting_removed": False,
    "late_s": 0.0,
    "measured_tail_s": 6.8e-3,
    "replayed_tail_s": 6.5e-3,
    "replay_error_s": -0.3e-3,
    "replay_error": 0.0051,
    "best_tail_s": 2.2e-3,
    "best_transfers": 31,
    "best_low_bytes": 5.2e6,
    "best_high_bytes": 20.9e6,
    "default_tail_s": 3.1e-3,
    "default_transfers": 12,
    "piece_bytes": 5.16e6,
    "buckets": 9,
    "caps": {
        "cap_bytes": [5 * 2**20, 10 * 2**20, 25 * 2**20],
        "transfers": [31, 16, 11],
        "tail_s": [2.7e-3, 2.7e-3, 3.3e-3],
    },
}


def found(**changes):
    return {"reason": None, "numbers": NUMBERS | changes, "scenario": "run"}


def card(front):
    return front.page.get_by_role("region", name="What if?")


def button(front, name):
    return front.page.get_by_role("button", name=name)


def session(query="mode=measured"):
    """A session and what it tells the front."""
    explorer = Explorer(query=query)

    def view(seq):
        told = explorer.__panel__().parts
        parts = {key: told[key] for key in ("figures", "sweep", "map")}
        return {**told["view"], **parts, "upload": None, "seq": seq}

    return explorer, view


def test_the_card_tells_the_fit_and_how_well_it_replays(open_front, measured_view):
    front = open_front(first=measured_view(what_if=found()))
    texts = card(front).locator("dl").first.locator("dd").all_inner_texts()
    assert [" ".join(text.replace("\xa0", " ").split()) for text in texts] == [
        "11.6 GB/s ± 1.2 %",
        "310 µs ± 64 µs",
        "4.3 %",
        "6.8 ms",
        "6.5 ms ends 300 µs early, 0.51 % of the pass",
        "3.1 ms 12 transfers",
        "2.2 ms 31 transfers of 5.2 MB to 20.9 MB",
    ]
    expect(card(front)).to_contain_text("96 transfers of 1.05 MB to 26.2 MB")
    expect(card(front)).to_contain_text("may hold waiting for other ranks")
    expect(card(front)).to_contain_text("even pieces of about 5.16 MB")


def test_the_card_tells_which_cap_of_ddp_has_the_shortest_tail(
    open_front, measured_view
):
    front = open_front(first=measured_view(what_if=found()))
    rows = card(front).get_by_role("row")
    assert [" ".join(text.split()) for text in rows.all_inner_texts()] == [
        "bucket_cap_mb Transfers Tail",
        "not set 12 3.1 ms",
        "5 31 2.7 ms",
        "10 16 2.7 ms",
        "25 11 3.3 ms",
    ]
    expect(card(front)).to_contain_text("bucket_cap_mb=10, 2.7 ms with 16 transfers")
    front.show(measured_view(what_if=found(default_tail_s=2.6e-3)))
    expect(card(front)).to_contain_text("not set, 2.6 ms with 12 transfers")
    none = {"cap_bytes": [], "transfers": [], "tail_s": []}
    front.show(measured_view(what_if=found(caps=none)))
    expect(card(front).get_by_role("table")).to_be_hidden()


def test_transfers_of_one_size_have_that_size(open_front, measured_view):
    alike = found(best_low_bytes=7.086e6, best_high_bytes=7.094e6)
    front = open_front(first=measured_view(what_if=alike))
    expect(card(front)).to_contain_text("31 transfers of 7.09 MB")
    expect(card(front)).not_to_contain_text("MB to 7.09")


def test_late_ranks_and_an_overhead_that_can_t_be_told_are_said(
    open_front, measured_view
):
    front = open_front(
        first=measured_view(
            what_if=found(
                waiting_removed=True,
                late_s=0.0015,
                overhead_s=0.0,
                overhead_error_s=None,
                replay_error_s=0.0004,
            )
        )
    )
    expect(card(front)).to_contain_text("Waiting for other ranks was taken off")
    expect(card(front)).to_contain_text("had a bucket 1.5 ms later")
    expect(card(front)).to_contain_text("too small to tell")
    expect(card(front)).to_contain_text("ends 400 µs late")


def test_where_it_is_refused_only_the_reason_stands(open_front, measured_view):
    reason = "No estimate for this step: <b>sizes</b> are alike."
    refused = {"reason": reason, "numbers": None, "scenario": None}
    front = open_front(first=measured_view(what_if=refused))
    expect(card(front)).to_contain_text(reason)
    expect(card(front).get_by_role("button")).to_have_count(0)
    front.show(measured_view(what_if=found()))
    expect(card(front)).not_to_contain_text(reason)
    expect(button(front, "Try other buckets")).to_be_visible()


def test_one_click_there_and_one_back_and_the_focus_goes_along(open_front):
    explorer, view = session()
    front = open_front(first=view(0))
    button(front, "Try other buckets").click()
    assert front.last_move() == {"type": "try", "seq": 1}
    explorer.move(front.last_move())
    front.show(view(1))
    back = button(front, "Back to the recording")
    expect(back).to_be_focused()
    note = front.page.locator(".overlap-run p")
    expect(note).to_contain_text("Recorded: example-trace.json.gz step 12.")
    expect(note).to_contain_text("Measured, the tail is 5.53 ms")
    expect(note).to_contain_text("one of 48 pieces, even parts of the measured buckets")
    expect(note).to_contain_text("about 7.09 MB each")
    expect(front.page.locator(".overlap-legend")).to_contain_text(
        ["measured in the recording"]
    )

    back.click()
    assert front.last_move() == {
        "type": "set",
        "key": "mode",
        "value": "measured",
        "seq": 2,
    }
    explorer.move(front.last_move())
    front.show(view(2))
    expect(button(front, "Try other buckets")).to_be_focused()


def test_a_run_is_listed_once_it_was_tried_and_its_plan_only_with_it(open_front):
    explorer, view = session("")
    front = open_front(first=view(0))
    scenarios = front.page.get_by_role("combobox", name="Scenario")
    plan = front.page.get_by_role("combobox", name="Buckets")
    offered = "(select) => [...select.options].filter((one) => !one.hidden).length"
    count, plans = scenarios.evaluate(offered), plan.evaluate(offered)
    expect(front.page.locator(".overlap-run")).to_be_hidden()

    explorer.move({"type": "set", "key": "mode", "value": "measured"})
    explorer.move({"type": "try"})
    front.show(view(0))
    assert scenarios.evaluate(offered) == count + 1
    expect(scenarios.locator("option:checked")).to_have_text(
        "Recorded: example-trace.json.gz step 12"
    )
    assert plan.evaluate(offered) == plans + 1
    expect(plan.locator("option:checked")).to_have_text("As measured")

    explorer.move({"type": "set", "key": "scenario", "value": "course"})
    front.show(view(0))
    assert scenarios.evaluate(offered) == count + 1
    assert plan.evaluate(offered) == plans
    expect(front.page.locator(".overlap-run")).to_be_hidden()


def test_the_layers_of_a_run_are_called_pieces_and_those_of_others_layers(open_front):
    explorer, view = session()
    explorer.move({"type": "try"})
    explorer.move({"type": "set", "key": "bucket", "value": 4})
    front = open_front(first=view(0), drawn=True)
    control = front.page.get_by_role("group", name="Bucket size")
    labels = """() => Bokeh.documents.flatMap((one) => ["curve_sizes", "map_sizes"]
        .map((name) => one.get_model_by_name(name)?.axis_label).filter(Boolean))"""
    expect(control).to_contain_text("pieces, 28.4 MB")
    expect(front.page.locator(".overlap-verdict").first).to_contain_text("4 pieces")
    said = f"(text) => ({labels})().every((one) => one === `Bucket size (${{text}})`)"
    front.page.wait_for_function(said, arg="pieces")
    expect(front.page.locator(".overlap-curve")).not_to_contain_text("layer")
    front.type("Bucket size", "3 pieces")
    assert front.last_move()["value"] == 3

    explorer.move({"type": "set", "key": "scenario", "value": "course"})
    front.show(view(1))
    expect(control).to_contain_text("layers")
    expect(front.page.locator(".overlap-curve")).to_contain_text("layer")
    front.page.wait_for_function(said, arg="layers")


def test_a_page_without_its_modes_shows_no_way_back(open_front):
    explorer, view = session("mode=measured&controls=bucket")
    front = open_front(first=view(0))
    explorer.move({"type": "try"})
    front.show(view(0))
    expect(front.page.locator(".overlap-run")).to_be_visible()
    expect(button(front, "Back to the recording")).to_be_hidden()


def test_the_ghost_is_drawn_below_and_gone_with_its_run(open_front):
    explorer, view = session()
    explorer.move({"type": "try"})
    front = open_front(first=view(0), drawn=True)
    height = """() => Bokeh.documents.map((one) => one.get_model_by_name("lanes"))
        .find(Boolean).height"""
    rows = """() => Bokeh.documents.map((one) => one.get_model_by_name("ghost"))
        .find(Boolean).data.left.length"""
    assert front.page.evaluate(rows) == 5
    tall = front.page.evaluate(height)
    explorer.move({"type": "set", "key": "scenario", "value": "course"})
    front.show(view(0))
    assert front.page.evaluate(rows) == 0
    assert front.page.evaluate(height) < tall
