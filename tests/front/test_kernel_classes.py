"""What kernels count as: chosen in their table, found by a search, undone in a list."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

READ_ONLY = {"limits": {}}


@pytest.fixture
def front(open_front, measured_view):
    front = open_front(first=measured_view())
    open_table(front)
    return front


def open_table(front):
    front.page.get_by_text("Table of kernel names").click()


def choice(front, name):
    return front.page.get_by_role("combobox", name=f"Class of {name}")


def test_a_kernel_says_what_it_counts_as_and_what_it_was_loaded_as(front):
    reduced = choice(front, "ncclDevKernel_AllReduce_Sum_f32_RING_LL")

    expect(choice(front, "void at::native")).to_have_value("loaded")
    expect(choice(front, "<b>bold</b>")).to_have_value("other")
    expect(choice(front, "<b>bold</b>").locator("option")).to_have_text(
        ["compute (as loaded)", "communication", "other"]
    )
    expect(reduced.locator("option").first).to_have_text(
        "as loaded, some so and some so"
    )


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_all_columns(open_front, measured_view, width):
    front = open_front(width, first=measured_view())
    open_table(front)
    hidden_px = "(element) => element.scrollWidth - element.clientWidth"
    assert (
        front.page.locator(".overlap-classes .overlap-scroller").evaluate(hidden_px)
        <= 0
    )


def test_a_choice_is_told_and_keeps_the_reader_in_its_row(front, measured_view):
    name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
    choice(front, name).focus()
    choice(front, name).select_option("compute")
    assert front.last_move() == {
        "type": "class",
        "name": name,
        "value": "compute",
        "seq": 1,
    }
    answer = measured_view(1)
    kernels = answer["measured"]["kernels"]
    for column in kernels.values():  # the row moves to the top
        column.insert(0, column.pop())
    front.show(answer)

    expect(choice(front, name)).to_be_focused()
    rows = front.page.locator(".overlap-classes tbody tr")
    expect(rows.first.locator("td").first).to_have_text(name)


def test_a_search_is_told_and_says_how_many_names_it_finds(front, measured_view):
    box = front.page.get_by_role("searchbox", name="Find kernel names")
    box.fill("nccl")
    assert front.last_move() == {"type": "search", "value": "nccl", "seq": 1}
    answer = measured_view(1)
    answer["measured"]["classes"]["search"] = "nccl"
    answer["measured"]["kernels"]["kernels_total"] = 31
    front.show(answer)

    expect(box).to_have_value("nccl")
    expect(
        front.page.get_by_text("31 names with “nccl”; the first 3 are listed.")
    ).to_be_visible()


def test_an_edit_is_listed_and_can_be_taken_back(front):
    expect(
        front.page.get_by_text("<b>bold</b><img src=x onerror=alert(1)>: other")
    ).to_be_visible()
    front.page.get_by_role("button", name="Remove: <b>bold</b>").click()
    front.page.get_by_role("button", name="Undo the last change").click()
    front.page.get_by_role("button", name="Save the rules as a file").click()

    types = [(move["type"], move.get("value")) for move in front.moves()]
    assert types == [("drop_rule", 0), ("undo_classes", None), ("save_classes", None)]


def with_classes(view, rules, can_undo):
    columns = {"name": rules, "kind": ["other"] * len(rules)}
    view["measured"]["classes"] |= {"rules": columns, "can_undo": can_undo}
    return view


@pytest.mark.parametrize("name", ["Remove: gemm", "All as loaded"])
def test_focus_goes_to_the_way_back_once_the_last_rule_is_gone(
    open_front, measured_view, name
):
    front = open_front(first=with_classes(measured_view(), ["gemm"], True))
    open_table(front)
    front.page.get_by_role("button", name=name).press("Enter")
    front.show(with_classes(measured_view(1), [], True))

    undo = front.page.get_by_role("button", name="Undo the last change")
    expect(undo).to_be_focused()
    undo.press("Enter")
    front.show(with_classes(measured_view(2), [], False))

    table = front.page.get_by_role("region", name="Table of kernel names")
    expect(table).to_be_focused()


def test_without_rules_there_is_nothing_to_save(open_front, measured_view):
    state = measured_view()
    state["measured"]["classes"] |= {
        "rules": {"name": [], "kind": []},
        "can_undo": False,
    }
    front = open_front(first=state)
    open_table(front)

    expect(
        front.page.get_by_role("button", name="Save the rules as a file")
    ).to_be_hidden()
    expect(front.page.get_by_role("button", name="Undo the last change")).to_be_hidden()


def test_copies_between_gpus_are_a_visible_choice_where_there_are_any(
    open_front, measured_view
):
    front = open_front(first=measured_view())
    box = front.page.get_by_role("checkbox", name="Count 12 copies between GPUs")
    expect(box).not_to_be_checked()
    box.check()
    assert front.last_move() == {"type": "peer_copies", "value": True, "seq": 1}
    state = measured_view(1)
    state["measured"]["classes"]["peer_copies"] = 0
    front.show(state)

    expect(box).to_be_hidden()


def test_a_page_without_python_only_reads_the_table_and_searches_it(
    open_front, measured_view
):
    front = open_front(first=measured_view(), **READ_ONLY)
    open_table(front)
    front.page.get_by_role("searchbox", name="Find kernel names").fill("NCCL")

    rows = front.page.locator(".overlap-classes tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.locator("td").nth(1)).to_have_text("communication")
    expect(front.page.get_by_role("checkbox")).to_have_count(0)
    assert front.moves() == []
