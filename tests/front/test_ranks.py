"""Several ranks on the page: named, chosen by pointer and key, told in words."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from overlap_widget.app.bundles import stylesheet
from overlap_widget.app.figures import figure_items
from overlap_widget.app.rank_figure import ABOVE_PX, ROW_PX

pytestmark = pytest.mark.browser
CSS = stylesheet()


def ranks_view(count, late=1, told=True, **changes):
    """The ranks of a step: rank k waits k ms of its 10 ms of communication."""
    waiting_s = [at / 1e3 if told else None for at in range(count)]
    rows = {
        "recording": list(range(count)),
        "device": [0] * count,
        "devices": [1] * count,
        "device_number": [0] * count,
        "step": [0] * count,
        "rank": list(range(count)),
        "last": [3 if told else None] * count,
        "compute_s": [0.03] * count,
        "communication_s": [0.01] * count,
        "exposed_s": [0.004] * count,
        "tail_s": [0.002] * count,
        "waiting_s": waiting_s,
        "transfer_s": [0.01 - one if told else None for one in waiting_s],
        "untold_s": [0.0 if told else None] * count,
        "exposed_waiting_s": [0.0005 if told else None] * count,
    }
    values = {
        "rank": {"key": "rank.numbered", "values": {"rank": late}},
        "other": {"key": "rank.within", "values": {"rank": 0}},
        "longest_s": 0.00045,
        "exposed_s": 0.00025,
        "all_ranks": 1,
    }
    return {
        "rows": rows,
        "late": late,
        "said": [{"key": "ranks.late.one", "values": values}],
        "notes": [],
        "groups": {
            "name": ["dp (1)", None],
            "transfers": [12, 1204],
            "size_bytes": [25_000_000.0, None],
            "communication_s": [0.02, 0.0005],
            "waiting_s": [0.005, None],
            "transfer_s": [0.015, None],
            "untold_s": [0.0, None],
            "exposed_s": [0.01, 0.0001],
        },
        "figures": {"ranks": {"sources": {}, "ranges": {}, "props": {}}},
    } | changes


@pytest.fixture
def front(open_front, measured_view):
    recordings = [
        {"name": f"{at}.json", "format": "by hand", "rank": at} for at in range(8)
    ]
    view = measured_view(recordings=recordings) | {"ranks": ranks_view(8)}
    front = open_front(first=view)
    front.view = view
    return front


def section(front):
    return front.page.get_by_role("region", name="Ranks")


def choice(front, rank):
    return section(front).get_by_role("radio", name=re.compile(f"^Rank {rank}"))


def test_the_late_rank_is_said_and_named_and_without_ranks_nothing_is_there(front):
    expect(section(front)).to_contain_text(
        "Rank 1 is late in this step: rank 0 waits 450\xa0µs for it, "
        "250\xa0µs of that exposed."
    )
    names = section(front).locator("fieldset label")
    expect(names).to_have_text(
        ["Rank 0", "Rank 1, late", *(f"Rank {at}" for at in range(2, 8))]
    )
    for ranks in ({}, None):
        front.show({**front.view, "ranks": ranks})
        expect(section(front)).to_be_hidden()
        expect(front.page.get_by_text("Table of ranks")).to_be_hidden()
    front.show({**front.view, "state": front.view["state"] | {"show": "verdict"}})
    expect(section(front)).to_be_hidden()


def test_a_rank_is_chosen_by_a_click_and_by_the_arrow_keys(front):
    expect(choice(front, 0)).to_be_checked()
    section(front).get_by_text("Rank 3").click()
    assert front.last_move() == {"type": "rank", "value": 3, "seq": 1}
    shown = front.view["measured"] | {"recording": 3}
    front.show({**front.view, "measured": shown, "seq": 1})
    choice(front, 3).press("ArrowDown")

    expect(choice(front, 4)).to_be_checked()
    assert front.last_move() == {"type": "rank", "value": 4, "seq": 2}
    front.show({**front.view, "measured": shown, "seq": 1})  # an earlier answer
    expect(choice(front, 4)).to_be_checked()
    front.show({**front.view, "measured": shown, "seq": 2})
    expect(choice(front, 3)).to_be_checked()


def test_the_chosen_rank_is_framed_where_colours_are_forced(front):
    front.page.emulate_media(forced_colors="active")
    frames = (
        section(front)
        .locator("fieldset label")
        .evaluate_all("(all) => all.map((one) => getComputedStyle(one).outlineStyle)")
    )

    assert frames == ["solid", *["none"] * 7]


def test_a_click_into_the_figure_chooses_the_rank_of_that_row(front):
    front.page.evaluate(
        "() => told.onPick('ranks', { x: 2, y: 5.5 })"
    )  # 8 rows, from below
    assert front.last_move() == {"type": "rank", "value": 2, "seq": 1}
    front.page.evaluate("() => told.onPick('ranks', { x: 2, y: 99 })")
    assert len(front.moves()) == 1


def test_the_communication_of_the_chosen_rank_is_taken_apart(front):
    front.show({**front.view, "measured": front.view["measured"] | {"recording": 3}})

    expect(section(front)).to_contain_text(
        "Rank 3 communicates for 10\xa0ms: 3\xa0ms of waiting for another rank and "
        "7\xa0ms of transfer. 4\xa0ms of it is exposed, 500\xa0µs of that while it "
        "waits."
    )
    front.show(front.view)
    expect(section(front)).to_contain_text("waits for nobody: all of that is transfer")
    ranks = ranks_view(8)
    ranks["rows"]["untold_s"][0] = 0.0025
    front.show({**front.view, "ranks": ranks})
    expect(section(front)).to_contain_text(
        "of transfer and 2.5\xa0ms of which the files"
    )


def test_where_waiting_is_not_told_there_is_the_reason_and_no_legend_of_it(front):
    said = [{"key": "ranks.untold", "values": {}}]
    notes = ["The clock of rank 1 can't be set.", "The clock of rank 1 can't be set."]
    untold = ranks_view(8, late=None, told=False, said=said, notes=notes)
    front.show({**front.view, "ranks": untold})

    expect(section(front)).to_contain_text("told from transfer in this step")
    expect(section(front).get_by_text("The clock of rank 1")).to_have_count(1)
    expect(section(front).get_by_text("waits for a late rank")).to_have_count(2)
    for text in section(front).get_by_text("waits for a late rank").all():
        expect(text).to_be_hidden()
    expect(section(front)).not_to_contain_text("communicates for")
    notes = [f"The clock of rank {at} was set." for at in range(1, 8)]
    front.show({**front.view, "ranks": ranks_view(8, notes=notes)})
    last = section(front).get_by_text("The clock of rank 7 was set.")

    expect(last).to_be_hidden()
    section(front).get_by_text("Remarks on the comparison").click()
    expect(last).to_be_visible()


def test_tables_tell_ranks_and_groups_with_what_is_unknown(front):
    front.page.get_by_text("Table of ranks").click()
    front.page.get_by_text("Table of process groups").click()
    tables = front.page.locator(".overlap-rank-tables")

    rows = tables.locator("tbody").first.locator("tr")
    expect(rows).to_have_count(8)
    expect(rows.nth(2).locator("td")).to_have_text(
        [
            "Rank 2",
            "30.00",
            "10.00",
            "2.00",
            "8.00",
            "0.00",
            "4.00",
            "0.50",
            "2.00",
            "3",
        ]
    )
    group = tables.locator("tbody").last.locator("tr").last.locator("td")
    expect(group).to_have_text(
        ["unknown group", "1,204", "unknown", "0.50", *["unknown"] * 3, "0.10"]
    )
    ranks = ranks_view(2, late=None)
    ranks["rows"] |= {"rank": [4, None], "devices": [2, 2], "device_number": [0, 7]}
    front.show({**front.view, "ranks": ranks})

    names = section(front).locator("fieldset label")
    expect(names).to_have_text(["Rank 4, device 0", "Device 7"])


def test_names_stand_beside_their_rows():
    """The styles and the figure, which no element connects, say the same."""
    choices = re.search(r"\.overlap-rank-choices \{.*?inset: ([\d.]+)em", CSS)
    label = re.search(r"\.overlap-rank-choices label \{.*?height: ([\d.]+)em", CSS)

    assert [16 * float(one[1]) for one in (choices, label)] == [ABOVE_PX, ROW_PX]
    assert "ranks" in figure_items()


def test_few_and_many_ranks_fit_the_page(front):
    rows = front.page.locator(".overlap-rank-rows")
    for count, width in itertools.product((2, 64), (320, 1280)):
        front.page.set_viewport_size({"width": width, "height": 800})
        front.show({**front.view, "ranks": ranks_view(count)})
        assert rows.bounding_box()["height"] <= 400
        assert front.page.evaluate(
            "document.documentElement.scrollWidth"
            " <= document.documentElement.clientWidth"
        )
        last = section(front).get_by_role("radio").last
        last.focus()
        box, around = last.bounding_box(), rows.bounding_box()
        assert around["y"] <= box["y"] <= around["y"] + around["height"]
