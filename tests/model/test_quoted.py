"""How a sentence quotes what somebody wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.quoted import LONGEST, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "''"),
        ("25 MB", "'25 MB'"),
        ("don't", '"don\'t"'),
        ("a\nb", r"'a\nb'"),
        ("x" * 40, f"'{'x' * 40}'"),
        ("x" * 41, f"'{'x' * 40}...'"),
        ("\n" * 30, "'" + r"\n" * 20 + "...'"),
    ],
)
def test_a_text_stands_in_quotes_and_a_long_one_is_cut(text, shown):
    assert quoted(text) == shown


@given(st.text())
def test_any_text_is_one_short_line(text):
    shown = quoted(text)
    assert shown.isprintable()
    assert len(shown) <= LONGEST + len("''...")
