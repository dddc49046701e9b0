"""What stands beside the sliders: rules, links, the ring, the options of a step."""

import pytest
from playwright.sync_api import expect

from overlap_widget.model.effects import Effects
from overlap_widget.model.links import LINKS
from overlap_widget.model.rules import RULES

pytestmark = pytest.mark.browser


def choice(front, name):
    return front.page.get_by_role("combobox", name=name)


def open_folds(front):
    front.page.evaluate(
        """() => document.querySelectorAll('.overlap-fold')
            .forEach((one) => (one.open = true))"""
    )


def number_names(front):
    return front.page.locator(".overlap-split dt:visible").all_inner_texts()


def test_each_choice_sends_its_value_and_follows_the_driver(front, view):
    open_folds(front)
    chosen = [
        ("Buckets", "plan", "megatron"),
        ("Link", "link", "h100-nvlink-8-table"),
        ("Overlap", "overlap", "off"),
        ("Communicate after", "sync", "every"),
        ("Map over", "axis", "overhead"),
    ]
    for seq, (name, key, value) in enumerate(chosen, 1):
        choice(front, name).select_option(value)
        assert front.last_move() == {"type": "set", "key": key, "value": value} | {
            "seq": seq
        }
        front.show(view(seq))

    for name, value in (("Buckets", "layers"), ("Map over", "bandwidth")):
        expect(choice(front, name)).to_have_value(value)
    front.show(view(9, plan="ddp", axis="overhead", effects=Effects(overlap=False)))
    expect(choice(front, "Buckets")).to_have_value("ddp")
    expect(choice(front, "Map over")).to_have_value("overhead")
    expect(choice(front, "Overlap")).to_have_value("off")


def test_a_choice_on_its_way_stays_as_the_hand_left_it(front, view):
    choice(front, "Buckets").select_option("best")
    front.show(view(0, plan="layers"))
    expect(choice(front, "Buckets")).to_have_value("best")

    front.show(view(1, plan="layers"))
    expect(choice(front, "Buckets")).to_have_value("layers")


def test_what_a_rule_does_stands_below_it_and_nothing_below_whole_layers(front, view):
    expect(choice(front, "Buckets")).to_have_accessible_description("")
    for name, rule in RULES.items():
        front.show(view(plan=name))
        expect(choice(front, "Buckets")).to_have_accessible_description(rule.says)
        expect(front.page.get_by_text(rule.says)).to_be_visible()


def test_a_link_tells_its_source_and_a_line_its_error(front, view):
    link = LINKS["h100-nvlink-8"]
    line = {
        "bandwidth_bytes_per_s": link.line.bandwidth_bytes_per_s,
        "overhead_s": link.line.overhead_s,
    }
    front.show(view(**line))
    said = front.page.get_by_text(link.source)
    expect(said).to_contain_text("A straight line fitted to measured all-reduces")
    expect(said).to_contain_text(f"{100 * link.fit.max_error:.2g}\xa0% off")

    front.show(view(**line, table=link.name))
    expect(said).to_contain_text("What was measured, with straight lines between")


def test_a_fold_notes_how_many_options_are_on(front, view):
    fold = front.page.locator("summary", has_text="Beyond the simple model")
    expect(fold).to_have_text("Beyond the simple model")

    front.show(view(effects=Effects(overlap=False, late_s=1e-3, micro_steps=2)))
    expect(fold).to_have_text("Beyond the simple model3 on")
    front.show(view(effects=Effects(slowdown=0.2)))
    expect(fold).to_have_text("Beyond the simple model1 on")


def test_the_wait_for_a_late_rank_is_a_part_of_the_tail_only_where_there_is_one(
    front, view
):
    parts = ["Exposed tail", "queued", "overhead", "wire"]
    assert number_names(front) == parts

    front.show(view(effects=Effects(late_s=2e-3)))
    assert number_names(front) == [*parts, "late rank"]


def test_the_legend_names_only_what_the_options_bring_into_the_picture(front, view):
    brought = ["waiting for the late rank", "compute slowed", "a backward pass ends"]
    legend = front.page.locator(".overlap-explore .overlap-lanes ul")
    for text in brought:
        expect(legend).not_to_contain_text(text, use_inner_text=True)

    front.show(view(effects=Effects(slowdown=0.2, late_s=1e-3, micro_steps=2)))
    for text in brought:
        expect(legend).to_contain_text(text, use_inner_text=True)
    front.show(view(effects=Effects(overlap=False, slowdown=0.2)))
    expect(legend).not_to_contain_text("slowed", use_inner_text=True)


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"plan": "ddp"}, ["Bucket size"]),
        ({"table": "h100-nvlink-8"}, ["Bandwidth", "Per-transfer overhead"]),
        ({"effects": Effects(overlap=False, slowdown=0.2)}, ["Slowdown of compute"]),
        ({}, []),
    ],
)
def test_a_slider_that_something_else_decides_for_says_so(
    open_front, view, changes, names
):
    front = open_front(first=view(**changes))
    open_folds(front)
    unused = {
        one.get_attribute("aria-labelledby")
        or one.evaluate("(it) => it.labels[0].textContent")
        for one in front.page.locator("input[type=range]").all()
        if "not in use" in (one.get_attribute("aria-valuetext") or "")
    }
    assert unused == set(names)


# --- Boxes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "typed", "key", "value"),
    [
        ("Ring size in ranks", "8 ranks", "ranks", 8),
        ("Ring size in ranks", "1,024", "ranks", 1024),
        ("Port rate in GB/s", "100Gb/s", "port", 12.5e9),
        ("Slowdown of compute in %", "19%", "slowdown", 0.19),
        ("Slowdown of compute in %", "18.9", "slowdown", 0.189),
        ("Late rank in ms", "300us", "late", 0.0003),
        ("Late rank in ms", "2ms", "late", 0.002),
        ("Gradient accumulation in micro-steps", "4", "micro_steps", 4),
        ("Gradient accumulation in micro-steps", "1 micro-step", "micro_steps", 1),
    ],
)
def test_the_box_of_each_option_reads_its_own_units(
    open_front, view, box, typed, key, value
):
    front = open_front(first=view(effects=Effects(micro_steps=2)))
    open_folds(front)
    front.type(box, typed)

    (move,) = front.moves()
    assert (move["key"], move["value"]) == (key, pytest.approx(value, rel=1e-12))


@pytest.mark.parametrize(
    ("box", "typed", "said"),
    [
        ("Ring size in ranks", "8 GB/s", "Write a whole number"),
        ("Slowdown of compute in %", "2 ms", "Write a percentage such as 20"),
        ("Slowdown of compute in %", "200%", "goes from 0\xa0% to 100\xa0%."),
        ("Late rank in ms", "1 s", "goes from 0\xa0ms to 100\xa0ms."),
        ("Port rate in GB/s", "100gb/s", "could be bytes or bits."),
        ("Ring size in ranks", "1", "Ring size goes from 2 ranks to 1,024 ranks."),
    ],
)
def test_what_the_box_of_an_option_cant_take_is_said(front, box, typed, said):
    open_folds(front)
    front.type(box, typed)

    expect(front.page.locator(".overlap-message:not(:empty)")).to_contain_text(said)


def test_the_ring_follows_the_bandwidth_and_the_bandwidth_the_ring(front, view):
    open_folds(front)
    expect(front.box("Port rate in GB/s")).to_have_value("12")

    front.show(view(ranks=8, bandwidth_bytes_per_s=12e9 / 1.75))
    expect(front.box("Port rate in GB/s")).to_have_value("12")
    expect(front.box("Ring size in ranks")).to_have_value("8")
    expect(front.box("Bandwidth in GB/s")).to_have_value("6.85714285714")


def test_reset_shows_all_options_off(open_front, view):
    on = Effects(overlap=False, slowdown=0.2, late_s=1e-3, micro_steps=3)
    front = open_front(first=view(plan="best", table="h100-nvlink-8", effects=on))
    open_folds(front)
    front.page.get_by_role("button", name="Reset").click()
    front.show(view(1))

    values = {
        name: choice(front, name).input_value()
        for name in ("Buckets", "Link", "Overlap", "Communicate after")
    }
    assert list(values.values()) == ["layers", "own", "on", "last"]
    for box, value in (("Slowdown of compute in %", "0"), ("Late rank in ms", "0")):
        expect(front.box(box)).to_have_value(value)


def test_a_port_rate_that_is_an_endless_fraction_fits_its_box(open_front, view):
    # 3.035 GB/s in a ring of 3 ranks take ports of 3.035 * 4 / 3 = 4.04666... GB/s.
    front = open_front(first=view(bandwidth_bytes_per_s=3.035e9, ranks=3))
    front.page.get_by_text("Bandwidth from ranks and ports").click()

    expect(front.page.get_by_label("Port rate in GB/s")).to_have_value("4.0467")
