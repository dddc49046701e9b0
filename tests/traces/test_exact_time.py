"""Microseconds as text become the nanoseconds that they say, to the last digit."""

from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces.exact_time import FAR_NS, nanoseconds

DECIMALS = st.decimals(
    min_value=-(10**15), max_value=10**15, allow_nan=False, allow_infinity=False
)


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        (50, 50_000),
        ("50", 50_000),
        ("1714521600123456.839", 1714521600123456839),
        ("-0.5", -500),
        (".5", 500),
        ("5.", 5_000),
        (" 7 ", 7_000),
        ("1.71e3", 1_710_000),
        ("0.0015", 2),  # rounded, half to even
        ("0.0025", 2),
    ],
)
def test_a_text_or_an_integer_is_read_exactly(text, ns):
    assert nanoseconds(text) == ns


@pytest.mark.parametrize(
    "value", ["", "-", ".", "abc", "inf", "nan", "1. 5", None, True, 1.5, [], {}]
)
def test_what_is_no_exact_number_is_no_time(value):
    assert nanoseconds(value) is None


@pytest.mark.parametrize("text", ["1e999999999", "9" * 5000, str(10**40), 10**40])
def test_numbers_beyond_all_clocks_are_cut_and_cost_nothing(text):
    assert nanoseconds(text) == FAR_NS


def test_a_tiny_number_costs_nothing():
    assert nanoseconds("1e-400000000") == 0


@given(DECIMALS)
def test_any_decimal_equals_its_exact_value(number):
    expected = (number * 1000).to_integral_value(ROUND_HALF_EVEN)
    assert nanoseconds(str(number)) == int(expected)


@given(st.integers(-(2**60), 2**60))
def test_nanoseconds_written_as_microseconds_come_back(ns):
    sign, whole, rest = "-" if ns < 0 else "", *divmod(abs(ns), 1000)
    assert nanoseconds(f"{sign}{whole}.{rest:03}") == ns


@given(st.text(max_size=12))
def test_no_text_is_an_error(text):
    ns = nanoseconds(text)
    assert ns is None or ns == max(-FAR_NS, min(FAR_NS, round(Decimal(text) * 1000)))
