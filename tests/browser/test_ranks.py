"""Ranks and comparing in a browser: drawn, chosen by a click, moved together."""

import json
import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FIGURES = """(name) => Bokeh.documents.map((one) => one.get_model_by_name(name))
    .filter((model) => model !== null)"""
WINDOWS = f"""() => ({FIGURES})('recording').map(({{ x_range }}) =>
    [x_range.start, x_range.end])"""


def kernel(name, start_us, length_us, stream, **args):
    return {
        "ph": "X",
        "cat": "kernel",
        "name": name,
        "pid": 0,
        "tid": stream,
        "ts": start_us,
        "dur": length_us,
        "args": {"device": 0, "stream": stream, **args},
    }


@pytest.fixture(scope="module")
def address(serving, tmp_path_factory):
    """The app with two ranks open; rank 1 computes for longer, and rank 0 waits.

    ms                  0    3    5    7        10
    rank 0  compute     [         ]    .
            all-reduce       [ waits   |        ]
    rank 1  compute     [              ]
            all-reduce                 [        ]
    """
    folder = tmp_path_factory.mktemp("ranks")
    for rank, (computes, begins) in enumerate([(5000, 3000), (7000, 7000)]):
        events = [
            kernel("backward_gemm", 0, computes, 7),
            kernel(
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                begins,
                10_000 - begins,
                20,
                **{"Collective name": "allreduce", "Group size": 2},
            ),
        ]
        about = {"distributedInfo": {"rank": rank, "world_size": 2}}
        path = folder / f"{rank}.json"
        path.write_text(json.dumps({**about, "traceEvents": events}))
    with serving(*sorted(folder.iterdir())) as where:
        yield where


def bars(page, source):
    """Left ends of the bars of a source in the figure of ranks."""
    return page.evaluate(
        f"(source) => [...({FIGURES})('rank_rows')[0].document"
        ".get_model_by_name(source).data.left]",
        source,
    )


def idle(page, name, count=1):
    """So many figures have a part of that name, and all are drawn."""
    page.wait_for_function(
        f"""([name, count]) => ({FIGURES})(name).length === count
            && Bokeh.documents.every((one) => one.is_idle)""",
        arg=[name, count],
    )


def test_ranks_are_drawn_on_one_clock_and_chosen_by_a_click_into_their_row(
    address, open_page
):
    page = open_page(address)
    idle(page, "rank_rows")
    ranks = page.get_by_role("region", name="Ranks")

    expect(ranks).to_contain_text("Rank 1 is late in this step: rank 0 waits 4\xa0ms")
    assert bars(page, "waits") == [3]
    assert bars(page, "waits_exposed") == [5]
    assert bars(page, "exposed") == [7, 7]
    box = ranks.get_by_role("img").bounding_box()
    page.mouse.click(box["x"] + 100, box["y"] + box["height"] - 20)
    expect(page.get_by_role("combobox", name="Recording")).to_have_value("1")
    expect(ranks.get_by_role("radio", name=re.compile("Rank 1"))).to_be_checked()
    expect(ranks).to_contain_text("Rank 1 communicates for 3\xa0ms")


def test_two_steps_that_are_compared_are_looked_at_together(address, open_page):
    page = open_page(address)
    page.get_by_role("combobox", name="Compare with").select_option("1")
    idle(page, "recording", count=2)
    expect(page.locator(".overlap-comparison")).to_contain_text("Both steps are")
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_function(f"() => ({WINDOWS})()[1][0] > 0")

    one, other = page.evaluate(WINDOWS)
    assert one == other
    page.evaluate(
        f"() => ({FIGURES})('recording')[1].x_range.setv({{start: 4, end: 6}})"
    )
    assert page.evaluate(WINDOWS) == [[4, 6], [4, 6]]
    page.get_by_role("button", name="Stop comparing").click()
    expect(page.locator(".overlap-comparison")).to_be_hidden()


def shown_part(page):
    """The part of the step that its own lanes show, in ms, and what they could show."""
    return page.evaluate(
        f"""() => {{
            const {{ start, end, bounds }} = ({FIGURES})('recording')[0].x_range;
            return [start, end, ...bounds];
        }}"""
    )


@pytest.mark.parametrize("way", ["nothing", "Stop comparing"])
def test_after_a_comparison_another_step_is_in_view_from_end_to_end(
    serving, open_page, tmp_path, way
):
    # Two steps of 2 ms, then one of 50 ms: the axis of the short ones may not stay.
    paths = [tmp_path / name for name in ("before.json", "after.json", "long.json")]
    for path, length_us in zip(paths, (2000, 1900, 50_000), strict=True):
        events = [kernel(path.stem, 0, length_us, 7)]
        path.write_text(json.dumps({"traceEvents": events}))
    with serving(*paths) as where:
        page = open_page(where)
        chooser = page.get_by_role("combobox", name="Compare with", exact=True)
        chooser.select_option("1")
        idle(page, "recording", count=2)
        page.get_by_role("button", name="Zoom in").click()
        page.wait_for_function(f"() => ({WINDOWS})()[1][0] > 0")
        if way == "nothing":
            chooser.select_option("-1")
        else:
            page.get_by_role("button", name=way).click()
        expect(page.locator(".overlap-comparison")).to_be_hidden()
        assert shown_part(page)[:2] == shown_part(page)[2:]
        page.get_by_role("button", name="Zoom in").click()
        chooser.select_option("1")  # again the same two, and from end to end
        page.wait_for_function(f"() => ({WINDOWS})().every(([start]) => start < 0)")
        chooser.select_option("-1")
        page.get_by_role("combobox", name="Recording", exact=True).select_option("2")
        page.wait_for_function(f"() => ({WINDOWS})()[0][1] > 50")
        start, end, *bounds = shown_part(page)
        assert [start, end] == bounds == pytest.approx([-1, 51])
