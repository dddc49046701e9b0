"""What the front says: sentences, numbers, live changes, and foreign text as text."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from overlap_widget.app.address import read_address
from overlap_widget.app.quantities import rate_text, size_text, time_text
from overlap_widget.model.scenarios import FAST_HARDWARE

pytestmark = pytest.mark.browser

# Settings whose regime is known, and words that only its sentence has.
REGIMES = {
    "one transfer": ({"bucket": 12}, "One bucket holds every layer"),
    "last bucket": ({"bucket": 4}, "is full only at the end of layer 1"),
    "overhead": ({"bucket": 1, "overhead_s": 4e-3}, "Each of 12 transfers pays 4 ms"),
    "queue": ({"bucket": 5}, "still busy with earlier buckets"),
    "traffic": (
        {"scenario": FAST_HARDWARE, "bucket": 2},
        "Traffic exceeds work: the gradients need 41 ms",
    ),
}


def heading(front):
    return front.page.get_by_role("heading", level=2).first


def why(front):
    return front.page.locator(".overlap-explore .overlap-verdict p")


def live(front):
    return front.page.locator("[aria-live=polite]")


def numbers(front):
    """The shown numbers by name."""
    return front.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('dl > div')]
            .filter((entry) => entry.checkVisibility())
            .map((entry) => [...entry.children].map((cell) => cell.innerText)))"""
    )


@pytest.mark.parametrize("regime", REGIMES)
def test_each_regime_has_its_sentence_with_all_places_filled(open_front, view, regime):
    changes, words = REGIMES[regime]
    front = open_front(first=view(**changes))

    expect(why(front)).to_contain_text(words)
    shown = front.page.locator(".overlap-explore").inner_text()
    assert not re.search(r"[{}]|undefined|null|NaN|why\.|help\.|lever\.", shown)


def test_five_layers_a_bucket_leave_two_in_the_last_and_it_is_said(open_front, view):
    front = open_front(first=view(bucket=5))

    expect(heading(front)).to_have_text("The step waits 15.3 ms for communication.")
    expect(why(front)).to_contain_text(
        "The last bucket holds 2 layers (80 MB), the first 5."
    )


def test_the_tail_is_shown_with_its_three_parts_in_one_unit(open_front, view):
    # 99 GB/s move the 40 MB of the last bucket in 0.404 ms, after 1 ms of overhead.
    front = open_front(first=view(bucket=1, bandwidth_bytes_per_s=99e9))
    shown = {key: text.replace("\xa0", " ") for key, text in numbers(front).items()}

    assert shown["Exposed tail"] == "1.4 ms"
    parts = [shown[part] for part in ("queued", "overhead", "wire")]
    assert parts == ["0 ms", "1 ms", "0.404 ms"]
    assert shown["Traffic to work"] == "0.0975\ntraffic fits under the work"


def test_times_far_apart_are_shown_each_in_its_own_unit(open_front, view):
    # 12 transfers at 100 MB/s take 4.8 s; beside that, 1 µs of overhead is not 0 s.
    front = open_front(first=view(bucket=6, bandwidth_bytes_per_s=1e8, overhead_s=1e-6))
    shown = {key: text.replace("\xa0", " ") for key, text in numbers(front).items()}

    parts = [shown[part] for part in ("Exposed tail", "queued", "overhead", "wire")]
    assert parts == ["4.77 s", "2.37 s", "1 µs", "2.4 s"]


@pytest.mark.parametrize(
    ("ratio", "text", "meaning"),
    [
        (2 / 3, "0.667", "traffic fits under the work"),
        (0.9996, "0.9996", "traffic fits under the work"),
        (1.0, "1", "traffic equals the work"),
        (1 + 2e-16, "1", "traffic equals the work"),
        (1.0004, "1.0004", "traffic exceeds the work"),
        (1.5, "1.5", "traffic exceeds the work"),
        (None, "none", "no work to hide behind"),
    ],
)
def test_traffic_exceeds_work_only_where_the_number_shows_it(
    front, view, ratio, text, meaning
):
    state = view()
    state["explore"]["numbers"]["traffic_to_work"] = ratio
    front.show(state)

    assert numbers(front)["Traffic to work"] == f"{text}\n{meaning}"


def test_what_would_help_most_stands_in_the_second_sentence(open_front, view):
    front = open_front(first=view(bucket=4))

    expect(why(front)).to_contain_text(
        "What helps most: 1 layer a bucket (saves 10 ms), "
        "then twice the bandwidth (1.67 ms)."
    )


def test_the_table_of_transfers_opens_with_all_of_them(front):
    front.page.get_by_text("Table of transfers").first.click()
    rows = front.page.get_by_role("row")

    expect(rows).to_have_count(1 + 3)
    number, layers, *cells = rows.last.inner_text().replace("\xa0", " ").split("\t")
    assert (number, layers[:7], layers[-7:]) == ("3", "layer 4", "layer 1")
    assert cells == ["160 MB", "60.00", "0.000", "60.00", "74.33", "14.33"]


def test_the_lanes_are_a_picture_with_a_summary_for_a_screen_reader(front):
    lanes = front.page.get_by_role("img")

    expect(lanes).to_have_accessible_name(re.compile(r"3 transfers, 43\sms in all"))


def test_a_change_is_said_once_and_only_what_changed(front, view):
    expect(live(front)).to_have_text("")
    front.slider().press("ArrowLeft")
    front.slider().press("ArrowLeft")
    front.show(view(1, bucket=3))
    front.show(view(2, bucket=2))

    expect(live(front)).to_have_text("Exposed tail 7.67 ms, down 6.67 ms.")


def test_a_change_of_regime_is_said_first(front, view):
    front.show(view(0, bucket=12))

    expect(live(front)).to_have_text(
        "A single transfer now starts after the pass. 12 layers, 480 MB, 1 transfer. "
        "Exposed tail 41 ms, up 26.7 ms."
    )


def test_a_notice_is_one_sentence_with_quantities_and_can_be_dismissed(front, view):
    notice = {
        "key": "notice.clamped",
        "values": {"key": "bandwidth", "asked": "<i>9</i>TB/s", "used": 1e12},
    }
    front.show(view(notices=[notice]))
    said = "<i>9</i>TB/s is out of range for bandwidth. 1 TB/s is used."
    expect(front.page.get_by_text(said)).to_be_visible()

    front.page.get_by_role("button", name="Dismiss").click()
    front.show(view(notices=[notice]))
    expect(front.page.get_by_text(said)).to_have_count(0)


NAMES = {
    "scenario": "scenario",
    "bucket": "bucket size",
    "bandwidth": "bandwidth",
    "overhead": "per-transfer overhead",
    "mode": "mode",
    "theme": "theme",
}


@pytest.mark.parametrize("key", NAMES)
def test_a_bad_value_of_any_key_is_one_sentence_and_the_page_stays(
    open_front, view, key
):
    _, (notice,) = read_address(f"{key}=abc")
    said = {"key": notice.key, "values": notice.values}
    front = open_front(first=view(notices=[said]))

    name = NAMES[key]
    sentence = f"“abc” is no value of {name} that this page knows. It is left out."
    expect(front.page.get_by_text(sentence)).to_be_visible()
    expect(front.slider()).to_be_visible()


def test_a_notice_of_a_key_without_a_name_shows_the_key(front, view):
    values = {"key": "chapter", "asked": "9", "used": 3}
    front.show(view(notices=[{"key": "notice.clamped", "values": values}]))

    said = "9 is out of range for chapter. 3 is used."
    expect(front.page.get_by_text(said)).to_be_visible()


def test_foreign_text_is_shown_as_text_wherever_it_comes_from(front, measured_view):
    front.show(measured_view() | {"notices": [{"text": "<b>bold</b>"}]})
    for summary in front.page.locator("summary").all():
        if summary.is_visible():
            summary.click()

    assert front.page.locator("img:not([role])").count() == 0
    assert front.page.locator("b").filter(has_text="bold").count() == 0
    expect(front.page.get_by_text("<b>bold</b>", exact=True)).to_be_visible()
    markup = "<b>bold</b><img src=x onerror=alert(1)>"
    expect(front.page.get_by_role("cell", name=markup)).to_have_count(2)
    expect(
        front.page.get_by_role("combobox", name="Recording").locator("option").first
    ).to_have_text(f"Rank 0: {markup}")


def test_quantities_are_the_same_text_in_python_and_in_the_front(front):
    digits = (1, 1.2345, 2.5, 7, 9.994, 9.996)
    times_s = [
        0.0,
        *(one * 10.0**power for one, power in product(digits, range(-9, 3))),
    ]
    sizes = [0.0, *(one * 10.0**power for one, power in product(digits, range(14)))]
    shown = front.page.evaluate(
        """async ([times_s, sizes]) => {
            const text = await import('/front/quantities.js');
            return [times_s.map(text.timeText), sizes.map(text.sizeText),
                sizes.map(text.rateText)].flat();
        }""",
        [times_s, sizes],
    )
    made = [*map(time_text, times_s), *map(size_text, sizes), *map(rate_text, sizes)]
    assert [text.replace("\xa0", " ") for text in shown] == made


def test_traffic_above_work_also_tells_of_the_queue(open_front, view):
    front = open_front(first=view(scenario=FAST_HARDWARE, bucket=1))

    expect(front.page.get_by_text("the last bucket waits 20.2 ms")).to_be_visible()
