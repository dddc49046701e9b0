"""Tables as files: exactly their rows, in seconds and bytes, and harmless to open."""

import csv
import io

import pytest
from playwright.sync_api import expect

from overlap_widget.model.effects import Effects
from overlap_widget.model.scenarios import SCENARIOS

pytestmark = pytest.mark.browser

OPEN_ALL = """() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
}"""
BUTTONS = ".overlap-csv:visible button"


def saved(front, title):
    """The name and the text of the file that a table's button saves."""
    button = front.page.get_by_role("button", name=f"CSV: {title}", exact=True)
    with front.page.expect_download() as download:
        button.locator("visible=true").click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def rows(text):
    return list(csv.reader(io.StringIO(text.decode("utf-8"))))


def table_rows(front, title):
    """How many rows a table shows."""
    table = front.page.get_by_role("region", name=title, exact=True)
    return table.locator("visible=true").locator("tbody tr").count()


def test_every_table_saves_its_rows_under_a_name_of_its_own(open_front, view):
    front = open_front(first=view(effects=Effects(late_s=2e-3)))
    front.page.evaluate(OPEN_ALL)
    names = set()
    for button in front.page.locator(BUTTONS).all():
        title = button.get_attribute("aria-label").removeprefix("CSV: ")
        name, text = saved(front, title)
        names.add(name)
        count = table_rows(front, title)
        expected = count * 13 if "the map" in title else count  # a row for each cell
        assert len(rows(text)) == 1 + expected, title

    assert names == {
        "overlap-transfers.csv",
        "overlap-layers.csv",
        "overlap-sizes.csv",
        "overlap-map-bandwidth.csv",
    }


def test_numbers_are_in_si_units_and_as_exact_as_they_are(open_front, view):
    state = view(bucket=5, effects=Effects(late_s=1e-3))
    front = open_front(first=state)
    front.page.evaluate(OPEN_ALL)
    head, *cells = rows(saved(front, "Table of transfers")[1])

    times = ["ready_s", "waited_s", "late_s", "start_s", "end_s", "exposed_s"]
    assert head == ["number", "layers", "bytes", *times]
    shown = state["explore"]["transfers"]
    assert [[float(cell) for cell in row[3:]] for row in cells] == [
        list(row) for row in zip(*(shown[key] for key in times), strict=True)
    ]
    assert float(cells[2][4]) == pytest.approx(8.6667e-3, rel=1e-4)
    assert [float(row[5]) for row in cells] == pytest.approx([1e-3] * 3)
    head, *cells = rows(saved(front, "Table of layers")[1])
    assert head == ["layer", "bytes", "start_s", "end_s"]
    assert cells[1] == ["layer 11", "40000000", "0.005", "0.01"]
    assert len(cells) == 12


def test_the_layers_of_a_real_model_and_what_of_them_waits_are_tables(front, view):
    front.show(view(scenario=SCENARIOS["gpt2-small"]))
    title = "Table of layers"
    front.page.get_by_text(title, exact=True).click()
    table = front.page.get_by_role("region", name=title)

    expect(table.get_by_role("row").nth(1)).to_contain_text("head")
    expect(table.get_by_role("row").last).to_contain_text("embeddings")
    expect(front.page.get_by_text("Table of measured transfers")).to_be_hidden()


def test_a_recording_saves_its_transfers_kernels_and_steps(open_front, measured_view):
    front = open_front(first=measured_view())
    front.page.evaluate(OPEN_ALL)
    name, text = saved(front, "Table of transfers")
    head, first, second, *_ = rows(text)

    assert name == "overlap-transfers.csv"
    assert head[3:] == ["bytes", "start_s", "end_s", "exposed_s"]
    assert first[2:5] == ["all_reduce", "26200000", "0.001"]
    assert second[1:4] == ["<b>bold</b><img src=x onerror=alert(1)>", "unknown", ""]
    head, *cells = rows(saved(front, "Table of steps")[1])
    assert head == ["step", "span_s", "exposed_s", "tail_s", "complete", "remark"]
    assert cells[1] == ["ProfilerStep#6", "0.0391", "0.0121", "0", "false", "cut"]
    head, *cells = rows(saved(front, "Table of kernel names")[1])
    assert head == ["name", "class", "count", "time_s"]
    assert cells[1][1:] == ["other", "7", "0.0000021"]


def test_a_name_is_never_a_formula_and_never_two_cells(open_front, measured_view):
    begin = ["=", "+", "-", "@", "\t", "\n"]
    names = [*(f'{one}cmd|"A0",\n1' for one in begin), "a,b", "naïve 核"]
    state = measured_view()
    columns = state["measured"]["transfers"]
    for key, column in columns.items():
        if key != "transfers_total":
            columns[key] = column[:1] * len(names)
    columns |= {"name": names, "start_s": [-1e-9, *columns["start_s"][1:]]}
    front = open_front(first=state)
    front.page.evaluate(OPEN_ALL)
    _, *cells = rows(saved(front, "Table of transfers")[1])

    assert [row[1] for row in cells] == [
        *(f"'{one}" for one in names[:-2]),
        *names[-2:],
    ]
    assert float(cells[0][4]) == -1e-9  # a number, not a text


def test_where_a_frame_may_not_save_the_text_can_be_copied(own_front, view):
    own_front.page.evaluate("""() => {
        Object.defineProperty(document, 'cookie', { get() { throw new Error('no') } });
        Object.defineProperty(window, 'frameElement', { value: null });
        Object.defineProperty(window, 'self', { value: {} });
    }""")
    own_front.page.get_by_text("Table of transfers").first.click()
    own_front.page.get_by_role("button", name="CSV: Table of transfers").first.click()

    expect(
        own_front.page.get_by_role("status").get_by_text("may not save")
    ).to_be_visible()
    field = own_front.page.get_by_role("textbox", name="Table of transfers as CSV")
    assert field.input_value().count("\n") == 4
    own_front.show(view(bucket=6))
    assert field.input_value().count("\n") == 3
