"""What docs/measuring.md says of HTA, held against the reference and our numbers."""

import json
import re
from pathlib import Path

import pytest

from overlap_widget.model.measurement import measure
from overlap_widget.model.traces import load

PAGE = Path(__file__).parents[2] / "docs" / "measuring.md"
TRACE = "ddp-2gpu-a100/rank0.json.gz"
ROWS = (
    *("excl_last_step_rounded", "excl_last_step_ns"),
    *("incl_last_step_rounded", "incl_last_step_ns"),
)


@pytest.fixture(scope="module")
def percentages():
    """Those of the table on HTA, in its order; ours comes last."""
    table = PAGE.read_text("utf-8").split("| HTA 0.5.0 | overlap |\n")[1]
    return re.findall(r"\| ([\d.]+) % \|", table.split("\n\n")[0])


def test_the_numbers_of_hta_are_those_of_the_reference(shared, percentages):
    document = json.loads(shared("traces/reference.json").read_text())
    runs = document[TRACE]["hta"]
    assert percentages[:-1] == [f"{runs[row]['overlap_pctg']:.2f}" for row in ROWS]


def test_our_number_is_what_is_measured(shared, percentages):
    (total,) = measure([load(str(shared(f"traces/{TRACE}")))]).totals
    assert percentages[-1] == f"{total.overlap:.1%}".removesuffix("%")
