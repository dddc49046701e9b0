"""Number boxes: the units and numbers they read, what they refuse, how to get out."""

import pytest
from playwright.sync_api import expect

from overlap_widget.app.controls import BANDWIDTH as BANDWIDTHS
from overlap_widget.app.controls import OVERHEAD as OVERHEADS
from overlap_widget.model import units

pytestmark = pytest.mark.browser

BUCKET, BANDWIDTH, OVERHEAD = (
    "Bucket size in layers",
    "Bandwidth in GB/s",
    "Per-transfer overhead in ms",
)
FACTORS = {"bucket": 1, "bandwidth": 1e9, "overhead": 1e-3}


def read(front, key, *texts):
    """What the front reads in texts, without bounds: values in SI units or problems."""
    return front.page.evaluate(
        """async ([key, texts, factor]) => {
            const { readQuantity } = await import('/front/typed.js');
            return texts.map((text) => readQuantity(key, text, factor))
                .map(({ value, problem }) => problem ?? value);
        }""",
        [key, texts, FACTORS[key]],
    )


def message(front):
    return front.page.locator(".overlap-message:not(:empty)")


@pytest.mark.parametrize(
    ("box", "typed", "key", "value"),
    [
        (BUCKET, "6", "bucket", 6),
        (BUCKET, "6 layers", "bucket", 6),
        (BUCKET, "1 layer", "bucket", 1),
        (BANDWIDTH, "24", "bandwidth", 24e9),
        (BANDWIDTH, "12,5", "bandwidth", 12.5e9),
        (BANDWIDTH, "100 GB/s", "bandwidth", 100e9),
        (BANDWIDTH, "100Gb/s", "bandwidth", 12.5e9),
        (BANDWIDTH, "100 Gbit/s", "bandwidth", 12.5e9),
        (BANDWIDTH, "500MB/s", "bandwidth", 5e8),
        (OVERHEAD, "0.2", "overhead", 0.0002),
        (OVERHEAD, " 2.5 ms ", "overhead", 0.0025),
        (OVERHEAD, "200us", "overhead", 0.0002),
        (OVERHEAD, "0,002 s", "overhead", 0.002),
    ],
)
def test_a_box_reads_units_and_without_one_that_of_its_label(
    front, box, typed, key, value
):
    front.type(box, typed)

    assert front.moves() == [{"type": "set", "key": key, "value": value, "seq": 1}]
    expect(message(front)).to_have_count(0)


@pytest.mark.parametrize(
    ("box", "typed", "said"),
    [
        (BANDWIDTH, "100gb/s", "could be bytes or bits. Write GB/s for bytes"),
        (BANDWIDTH, "100gbps", "could be bytes or bits."),
        (BANDWIDTH, "1,000", "could be read in two ways."),
        (OVERHEAD, "1,500", "could be read in two ways."),
        (BANDWIDTH, "12 ms", "Write a rate such as 12 GB/s (bytes) or 100 Gb/s"),
        (BANDWIDTH, "12 GB", "Write a rate such as"),
        (OVERHEAD, "3 GB/s", "Write a time such as 200 µs or 1 ms."),
        (BUCKET, "40 MB", "Write a whole number, such as 4."),
        (BANDWIDTH, "1.2.3", "is not a number. Bandwidth stays at 12 GB/s."),
        (BANDWIDTH, "1 000", "is not a number."),
        (BANDWIDTH, "NaN", "is not a number."),
    ],
)
def test_what_could_mean_something_else_is_refused_in_a_sentence(
    front, box, typed, said
):
    before = front.box(box).input_value()
    front.type(box, typed)

    expect(message(front)).to_contain_text(f"“{typed}”")
    expect(message(front)).to_contain_text(said)
    expect(front.box(box)).to_have_value(before)
    assert front.moves() == []


def test_units_mean_the_same_as_on_the_command_line(front):
    rates = read(front, "bandwidth", *(f"7{unit}" for unit in units.RATES))
    assert rates == pytest.approx([7 * each for each in units.RATES.values()])
    times = read(front, "overhead", *(f"7{unit}" for unit in units.PER_SECOND))
    assert times == pytest.approx([7 / each for each in units.PER_SECOND.values()])


def test_commas_are_read_where_only_one_reading_is_left(front):
    texts = ["1,5", "0,125", "1234,567", "1,000,000", "1,000.5", "1,5e3", "1,2,3"]
    values = [1.5, 0.125, 1234.567, 1e6, 1000.5, 1500, None]
    shown = read(front, "overhead", *texts)
    assert shown == [
        "nonsense" if value is None else pytest.approx(value * 1e-3) for value in values
    ]
    # Layers are whole, so that a comma in their count can only part thousands.
    assert read(front, "bucket", "1,204 layers") == [1204]


def test_what_the_page_prints_is_read_as_what_it_stands_for(front):
    printed = front.page.evaluate(
        """async (values) => {
            const text = await import('/front/quantities.js');
            const words = (await import('/front/words.js')).wordsFrom(
                (await (await fetch('/config.json')).json()).strings.en);
            const { controlText } = await import('/front/measures.js');
            return Object.fromEntries(Object.entries(values).map(([key, some]) =>
                [key, some.map((value) => controlText(words, key, value))]));
        }""",
        {
            "bandwidth": list(BANDWIDTHS.stops),
            "overhead": list(OVERHEADS.stops),
            "bucket": [1, 2, 12, 1204],
        },
    )
    assert read(front, "bandwidth", *printed["bandwidth"]) == pytest.approx(
        BANDWIDTHS.stops
    )
    assert read(front, "overhead", *printed["overhead"]) == pytest.approx(
        OVERHEADS.stops
    )
    assert read(front, "bucket", *printed["bucket"]) == [1, 2, 12, 1204]
    said = front.slider().get_attribute("aria-valuetext")
    beside, _, _ = said.rpartition(", ")  # without the transfers
    assert read(front, "bucket", beside) == [4]


@pytest.mark.parametrize(
    ("box", "typed", "value", "said"),
    [
        (BUCKET, "99", 12, "Bucket size goes from 1 layer to 12 layers."),
        (BUCKET, "5.4", 5, "Bucket size is a whole number."),
        (BANDWIDTH, "1e300", 1e12, "Bandwidth goes from 100 MB/s to 1 TB/s."),
        (BANDWIDTH, "1e999", 1e12, "Bandwidth goes from 100 MB/s to 1 TB/s."),
        (OVERHEAD, "-1", 0, "Per-transfer overhead goes from 0 ms to 10 ms."),
        (OVERHEAD, "\u22121 ms", 0, "Per-transfer overhead goes from 0 ms to 10 ms."),
    ],
)
def test_what_a_box_cannot_take_is_clamped_and_said(front, box, typed, value, said):
    front.type(box, typed)

    assert front.last_move()["value"] == value
    expect(front.page.get_by_text(said)).to_be_visible()


def test_nonsense_in_a_box_changes_nothing_and_is_said_as_text(front):
    front.type(BANDWIDTH, "<b>fast</b>")

    assert front.moves() == []
    expect(front.box(BANDWIDTH)).to_have_value("12")
    said = "“<b>fast</b>” is not a number. Bandwidth stays at 12 GB/s."
    expect(front.page.get_by_text(said)).to_be_visible()


def test_an_empty_box_is_restored_without_a_word(front):
    front.type(OVERHEAD, "")

    expect(front.box(OVERHEAD)).to_have_value("1")
    expect(message(front)).to_have_count(0)
    assert front.moves() == []


def test_escape_restores_the_former_value_and_nothing_is_sent(front):
    front.box(BUCKET).fill("77")
    front.box(BUCKET).press("Escape")
    expect(front.box(BUCKET)).to_have_value("4")
    front.box(BUCKET).press("Tab")

    expect(front.box(BUCKET)).to_have_value("4")
    assert front.moves() == []


@pytest.mark.parametrize("key", ["Enter", "Tab"])
def test_the_message_of_a_box_stays_while_it_is_left(front, key):
    front.box(BUCKET).fill("99")
    front.box(BUCKET).press(key)
    front.box(BANDWIDTH).focus()

    expect(message(front)).to_have_count(1)


@pytest.mark.parametrize(
    ("typed", "key"), [("4", "Enter"), ("", "Tab"), ("6", "Escape"), ("6", "Tab")]
)
def test_the_message_of_a_box_goes_with_a_valid_or_restored_value(front, typed, key):
    front.type(BUCKET, "many")
    expect(message(front)).to_have_count(1)
    front.box(BUCKET).fill(typed)
    front.box(BUCKET).press(key)

    expect(message(front)).to_have_count(0)


def test_the_message_of_a_box_goes_with_the_next_move(front):
    front.type(BUCKET, "99")
    front.slider().press("ArrowLeft")

    expect(message(front)).to_have_count(0)


def test_arrow_keys_step_a_number_box_too(front):
    front.box(BUCKET).press("ArrowUp")

    expect(front.box(BUCKET)).to_have_value("5")
    assert front.last_move()["value"] == 5


def test_a_view_does_not_overwrite_what_is_being_typed(front, view):
    front.box(BUCKET).fill("1")
    front.show(view(0, bandwidth_bytes_per_s=24e9))

    expect(front.box(BUCKET)).to_have_value("1")
    expect(front.box(BANDWIDTH)).to_have_value("24")
