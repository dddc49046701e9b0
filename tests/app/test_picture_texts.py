"""Which texts of a picture are shown at which width, as the front fits Bokeh's."""

from xml.etree import ElementTree as ET

from overlap_widget.app.notes import note
from overlap_widget.app.picture import lanes_svg
from overlap_widget.app.picture_frame import Frame
from overlap_widget.app.picture_style import Texts
from overlap_widget.app.picture_texts import draw_texts
from overlap_widget.app.settings import DEFAULT, settings_of
from overlap_widget.model.scenarios import SCENARIOS

FLUID = Frame(0, 100, 0, 10, top_px=0, height_px=100)
STYLE = Texts("any", "text", "", 0, 12, False, "center", 0)


def drawn(rows, frame=FLUID):
    """Each text with its place, its anchor, and the widths that show it."""
    tree = ET.fromstring(f"<svg>{draw_texts(STYLE, rows, frame)}</svg>")
    return [
        (
            text.text.strip(),
            text.get("x"),
            text.get("text-anchor") or group.get("text-anchor") or "start",
            (group.get("class") or "").replace("overlap-", ""),
        )
        for group in tree.iter("g")
        for text in group.findall("text")
    ]


def beside(x, end, caption=""):
    """A note of ten characters with its blanks: 8.5 px each and 4 are 89 px."""
    return note((x, 5), "12345678", axis_end=100, end=end, caption=caption)


def test_a_note_with_room_for_any_width_stands_beside_its_point():
    # 50 % of 226 px are 113 px
    assert drawn(beside(50, end=100)) == [("12345678", "50%", "start", "")]


def test_a_note_that_has_room_later_ends_at_its_end_until_then():
    # 89 px are 20 % of 445 px, and 14 beside them: from 500 on
    assert drawn(beside(80, end=100)) == [
        ("12345678", "80%", "start", "from-500"),
        ("12345678", "100%", "end", "below-500"),
    ]


def test_a_note_without_room_at_any_width_always_ends_at_its_end():
    assert drawn(beside(99, end=100)) == [("12345678", "100%", "end", "")]


def test_a_note_before_its_end_gives_way_to_a_caption_of_its_row():
    # 7 characters take 50.4 px: with 89 they are 60 % of 232.3 px, so from 280 on
    assert drawn(beside(60, end=60, caption="Compute")) == [
        ("12345678", "60%", "start", ""),
    ]
    # at 80 % it has room from 500 px on, and before that 139.4 px are 80 % of 174
    assert drawn(beside(80, end=80, caption="Compute"))[1] == (
        *("12345678", "80%", "end", "below-500"),
    )
    # with a caption of 20 characters, 144 px, it needs 80 % of 291 px before its end
    assert drawn(beside(80, end=80, caption="C" * 20))[1] == (
        *("12345678", "80%", "end", "from-320 below-500"),
    )


def test_a_note_beside_its_point_gives_way_to_a_caption_too():
    # 50.4 px are 10 % of 504 px, and 14 beside them
    assert drawn(beside(10, end=10, caption="Compute")) == [
        ("12345678", "10%", "start", "from-560"),
    ]


def test_a_note_of_a_fixed_frame_has_one_place():
    narrow = Frame(0, 100, 0, 10, 0, 100, width_px=300)

    assert drawn(beside(50, end=100), narrow) == [("12345678", "150", "start", "")]
    assert drawn(beside(80, end=100), narrow) == [("12345678", "300", "end", "")]


def test_a_note_out_of_sight_is_left_out():
    assert drawn(beside(101, end=100)) == []


def labels(*texts, room=10):
    count = len(texts)
    return {
        "x": [10 * at for at in range(count)],
        "y": [5] * count,
        "text": texts,
        "room": [room] * count,
    }


def test_a_row_of_equal_bars_has_all_of_its_labels_or_none():
    # two characters and 4 px are 18.4 px, 10 % of 184 px; "9" alone needs no less
    assert {shown for *_, shown in drawn(labels("9", "10", "11"))} == {""}
    # 5 % of 368 px, and 14 beside them
    assert {shown for *_, shown in drawn(labels("9", "10", "11", room=5))} == {
        "from-400"
    }


def test_one_long_name_waits_for_its_room_alone():
    # nine characters and 4 px are 68.8 px, 10 % of 688 px
    assert [
        (text, shown) for text, *_, shown in drawn(labels(*"1234", "embedding"))
    ] == [
        *(("1", ""), ("2", ""), ("3", ""), ("4", "")),
        ("embedding", "from-720"),
    ]


def test_a_label_that_never_fits_and_one_without_text_are_left_out():
    assert drawn(labels("12", room=0.1)) == []
    assert drawn(labels("", "1", "2", "3"))[0][0] == "1"


def gap(settings):
    tree = ET.fromstring(lanes_svg(settings))
    [bars] = [one for one in tree.iter("g") if "fill-compute" in one.get("class", "")]
    return bars.get("class").split()[1:], bars.get("stroke")


def test_bars_lose_their_gaps_where_they_are_narrow_on_average():
    # twelve bars on 75 % of the axis are 14 px wide in the narrowest picture; the 54
    # that take time, on 64.7 of 80 ms, are 6 px wide from 401 px on, and 14 beside them
    resnet = settings_of(SCENARIOS["resnet-50"])

    assert gap(DEFAULT) == (["overlap-line-ground"], "#ffffff")
    assert gap(resnet) == (["overlap-line-ground", "overlap-gap-450"], "#ffffff")
