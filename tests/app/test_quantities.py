"""Numbers as text: three digits, a space, a unit."""

import pytest

from overlap_widget.app.quantities import rate_text, size_text, time_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (14.333e-3, "14.3 ms"),
        (200e-6, "200 µs"),
        (60e-3, "60 ms"),
        (1.004e-3, "1 ms"),
        (0.9996e-3, "1 ms"),  # rounds first: not 1000 µs
        (999.4e-6, "999 µs"),
        (0.9995, "1 s"),
        (75e-9, "75 ns"),
        (1234.5, "1230 s"),
        (0, "0 ms"),
    ],
)
def test_a_time_has_three_digits_and_its_unit(seconds, text):
    assert time_text(seconds) == text


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (160e6, "160 MB"),
        (25 * 2**20, "26.2 MB"),
        (480e6, "480 MB"),
        (2052000, "2.05 MB"),
        (999_600, "1 MB"),
        (4000, "4 kB"),
        (12, "12 B"),
        (0.5, "0.5 B"),
        (0, "0 B"),
        (3.2e12, "3.2 TB"),
    ],
)
def test_a_size_is_decimal(size_bytes, text):
    assert size_text(size_bytes) == text


def test_a_rate_is_in_bytes():
    assert rate_text(12e9) == "12 GB/s"
    assert rate_text(12.5e9) == "12.5 GB/s"
    assert rate_text(800e6) == "800 MB/s"
