"""What a reader chooses of a recording in the served app: classes, a part, files."""

import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def kernel(name, start_us, length_us, stream):
    place = {"pid": 0, "tid": stream, "args": {"device": 0, "stream": stream}}
    times = {"ts": start_us, "dur": length_us}
    return {"ph": "X", "cat": "kernel", "name": name} | times | place


# ms                0      3      5        10
# gemm, stream 7    [ ---------- ]
# my_reduce, 20            [ ------------- ]
EVENTS = [kernel("gemm", 0, 5000, 7), kernel("my_reduce", 3000, 7000, 20)]


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"traceEvents": EVENTS}))
    return path


def verdict(page):
    return page.get_by_role("heading", level=2).first


def open_file(page, path):
    page.locator("input[type=file]").first.set_input_files(path)


def test_a_class_that_is_chosen_is_in_numbers_lanes_and_the_saved_rules(
    served, open_page, trace, tmp_path
):
    page = open_page(f"{served}?mode=measured")
    open_file(page, trace)
    expect(verdict(page)).to_have_text("There is no communication in this step.")
    page.get_by_text("Table of kernel names compute").click()
    page.get_by_label("Class of my_reduce").select_option("communication")
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")
    page.get_by_label("Class of gemm").select_option("other")  # a third kind of lane
    expect(verdict(page)).to_have_text("7 ms of communication is exposed.")
    page.wait_for_function(
        """() => Bokeh.documents.some((one) => {
            const top = Math.max(...(one.get_model_by_name("other")?.data.top ?? []));
            return top > 0 && top < one.get_model_by_name("rows")?.end;
        })"""
    )
    page.get_by_label("Class of gemm").select_option("loaded")
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the rules as a file").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert json.loads(saved.read_text()) == {"communication": ["my_reduce"]}

    page.get_by_role("button", name="Undo the last change").click()
    expect(verdict(page)).to_have_text("7 ms of communication is exposed.")
    page.get_by_role("button", name="All as loaded").click()
    expect(verdict(page)).to_have_text("There is no communication in this step.")
    open_file(page, saved)
    expect(verdict(page)).to_have_text("5 ms of communication is exposed.")


def test_a_part_that_is_dragged_has_numbers_of_its_own(served, open_page, trace):
    page = open_page(f"{served}?mode=measured")
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")
    open_file(page, trace)
    expect(verdict(page)).to_have_text("There is no communication in this step.")
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")
    page.get_by_role("button", name="Drag on the picture").click()
    place = page.locator(".overlap-dragged").bounding_box()
    for at, act in ((0.1, "down"), (0.4, "up")):
        page.mouse.move(place["x"] + at * place["width"], place["y"] + 40)
        getattr(page.mouse, act)()

    expect(verdict(page)).to_have_text(
        "There is no communication in this part of the step."
    )
    page.get_by_role("button", name="Whole step").first.click()
    expect(verdict(page)).to_have_text("There is no communication in this step.")


def test_ranks_that_are_dropped_as_a_folder_open_together(served, open_page, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    for rank in (0, 1, 10):
        events = [*EVENTS, kernel(f"only_{rank}", 11_000, 1000 * (1 + rank), 7)]
        (folder / f"rank{rank}.json").write_text(json.dumps({"traceEvents": events}))
    (folder / "notes.json").write_text('{"note": 1}')
    page = open_page(f"{served}?mode=measured")
    page.get_by_label("Open a folder").set_input_files(folder)

    recordings = page.get_by_role("combobox", name="Recording", exact=True)
    expect(recordings.locator("option")).to_have_text(
        ["Rank 0: example-trace.json.gz", "rank0.json", "rank1.json", "rank10.json"]
    )
    expect(recordings).to_have_value("1")
    expect(page.get_by_text("left out: 1 file of the folder")).to_be_visible()
