"""Sentences and tables of a terminal."""

from overlap_widget.app.text_table import (
    WIDTH,
    Column,
    aligned,
    fitted,
    on_one_line,
    wrapped,
)


def test_a_sentence_is_broken_between_words_and_never_before_a_unit():
    for length in range(WIDTH - 12, WIDTH + 1):
        start = "x" * length
        lines = wrapped(f"{start} the last waits 7.67 ms of 1,000 layers.").splitlines()
        assert " ".join(lines) == f"{start} the last waits 7.67 ms of 1,000 layers."
        assert max(map(len, lines)) <= WIDTH
        assert any("7.67 ms" in line for line in lines)
        assert any("1,000 layers." in line for line in lines)


def test_a_name_longer_than_a_line_stays_whole():
    path = "/a-folder" * 12
    assert wrapped(f"Link: {path}, the line") == f"Link:\n{path},\nthe line"


def test_what_can_not_be_printed_is_shown_as_a_question_mark():
    assert on_one_line("a\n\x1b[31mb") == "a??[31mb"
    assert wrapped("a\n\x1b[31mb") == "a??[31mb"


def test_columns_are_two_spaces_apart_and_lines_end_with_their_last_sign():
    assert aligned([["a", "1", "x"], ["bb", "22", ""]], "<><") == "a    1  x\nbb  22"


def test_a_table_that_is_too_wide_leaves_its_spare_columns_out_in_their_order():
    columns = [
        Column("name", ("a", "bbb"), "<"),
        Column("first", ("1", "2"), spare=1),
        Column("second", ("3", "4"), spare=2),
        Column("n", ("10", "9")),
    ]
    assert fitted(columns, 24).splitlines() == [
        "name  first  second   n",
        "a         1       3  10",
        "bbb       2       4   9",
    ]
    assert fitted(columns, 22).splitlines()[0] == "name  second   n"
    assert fitted(columns, 10).splitlines()[0] == "name   n"
    assert fitted(columns, 1).splitlines()[0] == "name   n"
