"""Quantities as people write them, read into seconds and bytes."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.units import rate_bytes_per_s, size_bytes, time_s


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("200us", 200e-6),
        ("200 µs", 200e-6),  # the micro sign
        ("200 μs", 200e-6),  # the Greek letter
        ("1ms", 1e-3),
        ("1.5 MS", 1.5e-3),
        ("70ns", 70e-9),
        ("0.5s", 0.5),
        ("2e-3s", 2e-3),
        ("200", 200e-6),  # a bare number is microseconds
        ("0", 0),
    ],
)
def test_a_time_has_its_unit(text, seconds):
    assert time_s(text) == seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25MB", 25_000_000),
        ("25", 25_000_000),  # a bare number is MB
        ("25MiB", 26_214_400),
        ("25mib", 26_214_400),
        ("1.5 GB", 1_500_000_000),
        ("64KiB", 65_536),
        ("64kB", 64_000),
        ("3B", 3),
        ("2TB", 2e12),
    ],
)
def test_a_size_tells_decimal_from_binary(text, expected):
    assert size_bytes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12GB/s", 12e9),
        ("12", 12e9),  # a bare number is GB/s
        ("100Gb/s", 12.5e9),
        ("100 Gbit/s", 12.5e9),
        ("400Gbps", 50e9),
        ("800MB/s", 0.8e9),
        ("1GiB/s", 2**30),
    ],
)
def test_a_rate_tells_bytes_from_bits(text, expected):
    assert rate_bytes_per_s(text) == expected


@pytest.mark.parametrize("read", [time_s, size_bytes, rate_bytes_per_s])
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is not a"),
        ("fast", "is not a"),
        ("nan", "is not a"),
        ("inf", "is not a"),
        ("1.2.3", "is not a"),
        ("1,5", "is not a"),
        ("1_000", "is not a"),
        ("12 parsecs", "no unit known"),
        ("1e400", "is too large"),
    ],
)
def test_what_is_no_quantity_is_refused_in_one_sentence(read, text, fault):
    with pytest.raises(ValueError, match=fault) as refused:
        read(text)
    sentence = str(refused.value)
    assert sentence.startswith(repr(text))
    assert "such as" in sentence
    assert "\n" not in sentence


def test_a_quantity_may_be_negative_for_its_user_to_refuse():
    assert (time_s("-2ms"), size_bytes("-3B"), rate_bytes_per_s("-1")) == (
        -2e-3,
        -3,
        -1e9,
    )


@pytest.mark.parametrize(
    ("read", "text"),
    [(rate_bytes_per_s, "12gb/s"), (size_bytes, "25Mb"), (size_bytes, "25Gb")],
)
def test_bits_or_bytes_is_never_guessed(read, text):
    with pytest.raises(ValueError, match="no unit known"):
        read(text)


def test_a_size_may_overflow_only_with_its_unit():
    with pytest.raises(ValueError, match="too large"):
        size_bytes("1e308GB")


def test_a_long_text_is_cut_in_its_sentence():
    with pytest.raises(ValueError, match=r"9\.\.\.' is too large") as refused:
        time_s("9" * 5000)
    assert len(str(refused.value)) < 150


def test_minus_zero_is_zero():
    assert math.copysign(1, time_s("-0")) == 1


@given(st.text(max_size=12))
def test_any_text_is_a_quantity_or_refused(text):
    for read in (time_s, size_bytes, rate_bytes_per_s):
        with contextlib.suppress(ValueError):
            assert math.isfinite(read(text))


@given(st.floats(1e-6, 1e6))
def test_microseconds_are_read_to_the_nearest_float(number):
    assert time_s(f"{number!r}us") == number / 1e6


@pytest.mark.parametrize("read", [time_s, size_bytes, rate_bytes_per_s])
@pytest.mark.parametrize("text", ["1{}1", "{}", "{}x", "1{}ms 1", "1e5{}."])
def test_many_spaces_are_refused_as_soon_as_few(read, text):
    with pytest.raises(ValueError, match="is not a"):  # read twice, this took minutes
        read(text.format(" " * 100_000))
