"""Rows that a cut leaves half, and numbers of any length, in tables and shapes."""

import gzip
import json
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from overlap_widget.model import Collective
from overlap_widget.model.traces import load
from overlap_widget.model.traces.xla_shapes import collective_bytes

DATA = Path(__file__).parents[1] / "data"
NSYS = (DATA / "nsys_csv" / "new.csv").read_bytes()
ROCPROF = (DATA / "rocprof" / "run_kernel_trace.csv").read_bytes()


@pytest.mark.parametrize("name", ["trace.csv", "run_kernel_trace.csv"])
def test_a_last_row_without_a_line_end_may_be_cut_off(tmp_path, name):
    path = tmp_path / name
    said = "the last row has no line end: it may be cut off"
    whole = NSYS if name == "trace.csv" else ROCPROF
    path.write_bytes(whole)
    assert said not in load(str(path)).warnings
    path.write_bytes(whole.rstrip())
    assert said in load(str(path)).warnings


def test_a_kernel_without_a_name_is_a_row_that_was_cut_off(tmp_path):
    path = tmp_path / "trace.csv"
    header = "Start (ns),Duration (ns),Device,Strm,Name\n"
    path.write_text(f"{header}1000,2000,A (0),7,gemm\n4000,1000,A (0),7,")
    recording = load(str(path))
    assert recording.spans.names == ("gemm",)
    assert "1 row without a time or cut off left out" in recording.warnings


def test_a_kernel_without_a_name_in_a_whole_row_counts(tmp_path):
    path = tmp_path / "trace.csv"
    header = "Start (ns),Duration (ns),Device,Strm,Name\n"
    nameless = "4000,1000,A (0),7,\n"
    path.write_text(f"{header}{nameless}5000,2000,A (0),7,gemm\n{nameless}")
    recording = load(str(path))
    names = [recording.spans.names[at] for at in recording.spans.name]
    assert sorted(names) == 2 * ["(kernel without a name)"] + ["gemm"]
    assert not [said for said in recording.warnings if "left out" in said]


def test_a_row_at_the_cut_of_a_gzip_file_is_dropped(tmp_path):
    path = tmp_path / "trace.csv.gz"
    header = b"Start (ns),Duration (ns),Device,Strm,Name\n"
    path.write_bytes(
        gzip.compress(header + b"1000,2000,A (0),7,gemm\n4,1,A (0),7,nc")[:-8]
    )
    recording = load(str(path))
    assert recording.spans.names == ("gemm",)
    assert recording.warnings[0] == "gzip ends early; last event dropped"


@pytest.mark.parametrize("extent", ["9" * 400, "9" * 5000])
def test_an_array_larger_than_any_number_has_no_size(tmp_path, extent):
    document = json.loads((DATA / "xla" / "tpu-core.json").read_text())
    for event in document["traceEvents"]:
        args = event.get("args", {})
        for name in ("long_name", "shape_with_layout"):
            if name in args:
                args[name] = args[name].replace("[", f"[{extent},", 1)
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(document))
    sizes = load(str(path)).spans.size_bytes
    np.testing.assert_array_equal(sizes, [0, np.nan, 512, 0, 0])


def test_arrays_that_together_are_larger_than_any_number_have_no_size():
    arrays = ", ".join(10 * [f"s8[2{'0' * 307}]"])  # 1.8e308 is the largest float
    text = f"%a = ({arrays}) all-reduce(s8[1] %b)"
    assert np.isnan(collective_bytes({"long_name": text}, Collective.ALL_REDUCE))


def test_numbers_of_any_length_are_read(tmp_path):
    run = Path(copytree(DATA / "rocprof", tmp_path / "run"))
    digits = b"7" * 5000
    kernels, markers = (
        run / f"run_{table}.csv" for table in ("kernel_trace", "marker_api_trace")
    )
    markers.write_bytes(markers.read_bytes().replace(b"step 7", b"step 00" + digits))
    recording = load(str(kernels))
    assert [step.name for step in recording.steps] == ["6", digits.decode()]
    kernels.write_bytes(ROCPROF.replace(b"8819330200070000", digits, 1))
    recording = load(str(kernels))
    assert "1 kernel longer than an hour left out" in recording.warnings
