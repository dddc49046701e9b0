"""Distinct values are those of a set, in order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces.distinct import distinct


@given(st.lists(st.integers(-3, 3)))
def test_each_value_comes_once_and_in_order(values):
    assert distinct(np.array(values, dtype=np.int64)) == sorted(set(values))
