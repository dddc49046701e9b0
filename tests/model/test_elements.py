"""Counts of parameters and elements: never sizes, and bytes only by the size of one."""

import math

import pytest

from overlap_widget.model.elements import element_count, elements_bytes
from overlap_widget.model.units import MB, MIB, size_bytes


def test_a_count_of_the_same_digits_is_neither_as_many_mb_nor_mib():
    # 40 million numbers: 160 MB in fp32, 80 MB in bf16; 40 MB are a quarter or half.
    assert elements_bytes(40_000_000, 4) == 160 * MB == 4 * size_bytes("40MB")
    assert elements_bytes(40_000_000, 2) == 80 * MB
    assert elements_bytes(10 * 2**20, 4) == 40 * MIB == size_bytes("40MiB")
    assert size_bytes("40MB") < size_bytes("40MiB") < elements_bytes(40_000_000, 2)


def test_a_count_may_come_as_a_whole_float():
    assert elements_bytes(5e8, 2) == 1e9


@pytest.mark.parametrize("count", [0, -4, 0.5, 2.5, math.nan, math.inf])
def test_less_than_one_element_or_a_part_of_one_is_refused(count):
    with pytest.raises(ValueError, match="whole parameters or elements, 1 or more"):
        elements_bytes(count, 4)


@pytest.mark.parametrize("each", [0, -4, 17, 25, 2**20, 40_000_000, math.nan])
def test_an_element_larger_than_any_is_refused_as_where_a_call_swaps_the_two(each):
    with pytest.raises(ValueError, match="up to 16 bytes, such as 4 in fp32"):
        elements_bytes(4, each)


def test_elements_are_as_small_as_half_a_byte_and_as_large_as_complex_numbers():
    assert elements_bytes(6, 0.5) == 3
    assert elements_bytes(6, 16) == 96


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("40000000", 40_000_000),
        (" 40,000,000 ", 40_000_000),
        ("1,500", 1500),
        ("999,000", 999_000),
        ("5e8", 500_000_000),
        ("5e+08", 500_000_000),
        ("2.5E6", 2_500_000),
        ("0007", 7),
    ],
)
def test_a_count_is_read_as_people_write_it(text, count):
    assert element_count(text) == count


@pytest.mark.parametrize(
    "text",
    [
        *("1,5e8", "1,500e3", "4,0", "1,2", "1,23", "1,2345", ",400", "400,", "0,400"),
        *("12,34,567", "1234,567", "1,,000", "1_000", "1__2", "4_", "1 000", "7.0"),
        *("7.000", "٤٠٠", "1e٢", "²", "4e", "e4"),
    ],
)
def test_what_may_be_meant_in_two_ways_is_no_count(text):
    with pytest.raises(ValueError, match="is no count of parameters or elements") as no:
        element_count(text)
    assert repr(text) in str(no.value)


@pytest.mark.parametrize(
    "text",
    ["25MiB", "25 MB", "160e6B", "40M", "0", "-4", "2.5", "5e-1", "nan", "", "1.2.3"],
)
def test_a_size_or_a_part_of_a_number_is_no_count(text):
    with pytest.raises(ValueError, match=r"is no count .* without a unit") as refused:
        element_count(text)
    assert repr(text) in str(refused.value)


def test_the_sentence_cuts_a_long_text():
    with pytest.raises(ValueError, match=r"'9{40}\.\.\.' is no count"):
        element_count("9" * 60 + "MiB")
