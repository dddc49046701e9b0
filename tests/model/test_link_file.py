"""Link files: the tables they may hold, and the sentence for each fault."""

import os
from pathlib import Path

import pytest

from overlap_widget.model.link_file import (
    MOST_BYTES,
    MOST_ROWS,
    load_link,
)
from overlap_widget.model.link_rows import LinkError
from overlap_widget.model.links import LINKS
from overlap_widget.model.units import MIB

LINKS_BESIDE = Path(__file__).parents[3] / "shared/reference/links"

# 100 us before the first byte, then 0.5 us a byte.
GOOD = "size_bytes,time_us\n200,200\n400,300\n1000,600\n"


@pytest.fixture
def written(tmp_path):
    """Write a text or bytes; gives the path."""

    def write(content):
        path = tmp_path / "mine.txt"
        is_text = isinstance(content, str)
        path.write_bytes(content.encode() if is_text else content)
        return path

    return write


def sentence(path):
    with pytest.raises(LinkError) as refused:
        load_link(path)
    text = str(refused.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


def rows_of(link):
    """Whole bytes and microseconds."""
    return [
        (size_bytes, pytest.approx(time_s * 1e6))
        for size_bytes, time_s in zip(link.sizes_bytes, link.times_s, strict=True)
    ]


# --- CSV ---------------------------------------------------------------------------


def test_a_csv_is_a_link_with_the_line_fitted_to_it(written):
    link = load_link(written(GOOD))
    assert link.sizes_bytes == (200, 400, 1000)
    assert link.times_s == (200e-6, 300e-6, 600e-6)
    assert link.line.overhead_s == pytest.approx(100e-6)
    assert link.line.bandwidth_bytes_per_s == pytest.approx(2e6)
    assert link.transfer_s(700) == pytest.approx(450e-6)


@pytest.mark.parametrize("size", ["size_bytes", "size"])
@pytest.mark.parametrize(
    ("time", "seconds"),
    [("time_us_out_of_place", 1e-6), ("time_us", 1e-6), ("time_s", 1)],
)
def test_each_name_of_a_column_says_its_unit(written, size, time, seconds):
    link = load_link(written(f"{size},{time}\n3,7\n5,8\n9,10\n"))
    assert link.times_s == pytest.approx((7 * seconds, 8 * seconds, 10 * seconds))


def test_columns_stand_in_any_order_among_others(written):
    link = load_link(
        written("rate,time_s,note,time_us,size\n1,9,a,7,3\n1,9,b,8,5\n1,9,c,10,9\n")
    )
    assert rows_of(link) == [(3, 7), (5, 8), (9, 10)]


def test_spaces_quotes_blank_lines_and_a_byte_order_mark_do_no_harm(written):
    text = '\ufeff\n"size" , time_us\r\n\r\n 3, "7"\r\n5 ,8\r\n , \r\n9,1e1\r\n'
    assert rows_of(load_link(written(text))) == [(3, 7), (5, 8), (9, 10)]


@pytest.mark.parametrize("separator", [";", "\t", " ; "])
def test_semicolons_or_tabs_may_part_the_columns(written, separator):
    text = "note,size,time_us\n a,3,7\n,5,8\nb,9,10\n".replace(",", separator)
    assert rows_of(load_link(written(text))) == [(3, 7), (5, 8), (9, 10)]


def test_remarks_after_a_hash_are_no_rows(written):
    text = '# my cluster, 8 "ranks\n  #2024\nsize,time_us\n3,7\n# warm\n5,8\n9,10\n'
    assert rows_of(load_link(written(text))) == [(3, 7), (5, 8), (9, 10)]


def test_rows_are_sorted_and_those_of_one_size_are_averaged(written):
    link = load_link(written("size,time_us\n9,10\n3,6\n5,8\n3,9\n3,6\n"))
    assert rows_of(link) == [(3, 7), (5, 8), (9, 10)]


def test_the_longest_times_that_a_float_can_hold_have_a_mean(written):
    link = load_link(written("size,time_s\n2,3\n3,4\n4,1e308\n4,1e308\n"))
    assert link.times_s == (3, 4, 1e308)


def test_the_line_is_fitted_to_the_sizes_of_buckets_where_there_are_three(written):
    sizes = [1, MIB, 2 * MIB, 4 * MIB, 512 * MIB]
    times_us = [50, 100, 120, 160, 90000]
    rows = "".join(
        f"{size},{time}\n" for size, time in zip(sizes, times_us, strict=True)
    )
    link = load_link(written(f"size,time_us\n{rows}"))
    assert link.line.overhead_s == pytest.approx(80e-6)
    assert link.line.bandwidth_bytes_per_s == pytest.approx(MIB / 20e-6)


@pytest.mark.parametrize("name", ["t4-efa-2", "a100-ib-16", "h100-port-10"])
def test_a_published_table_in_a_file_is_the_named_link(written, name):
    table = LINKS[name].table
    rows = "".join(
        f"{size},{time_s!r}\n"
        for size, time_s in zip(table.sizes_bytes, table.times_s, strict=True)
    )
    link = load_link(written(f"size_bytes,time_s\n{rows}"))
    assert link.sizes_bytes == table.sizes_bytes
    assert link.times_s == table.times_s
    assert link.line == LINKS[name].fit.link


def test_every_table_beside_the_checkout_is_read():
    if not LINKS_BESIDE.exists():
        pytest.skip("shared/reference is not beside this checkout")
    found = {load_link(path).times_s for path in LINKS_BESIDE.glob("*.csv")}
    assert found == {link.table.times_s for link in LINKS.values() if link.table}


# --- The output of nccl-tests ------------------------------------------------------

# Rows of two nodes of V100, before `root` was a column
# (github.com/Azure/azureml-examples@400ec5283 cli/jobs/single-step/gpu_perf/README.md).
WITHOUT_ROOT = """\
# nThread 1 nGpus 1 minBytes 33554432 maxBytes 8589934592 step: 2(factor)
# Using devices
#   Rank  0 Pid   3876 on node0 device  0 [0x00] Tesla V100
12 lines before the header are no rows
#                                          out-of-place             in-place
#       size         count      type   redop     time   algbw   busbw  error     time
#        (B)    (elements)                       (us)  (GB/s)  (GB/s)            (us)
node0:3876:3876 [0] NCCL INFO Launch mode Parallel
    33554432       8388608     float     sum   4393.9    7.64   14.32  4e-07   4384.4
    67108864      16777216     float     sum   8349.4    8.04   15.07  4e-07   8351.5
   134217728      33554432     float     sum    16064    8.36   15.67  4e-07    16032
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 15.7
"""
WITH_ROOT = """\
#       size         count      type   redop    root     time   algbw   busbw #wrong
         300            75     float     sum      -1    11.50    0.03    0.04      0
         500           125     float     sum      -1    12.25    0.04    0.07    N/A
         900           225     float     sum      -1    13.75    0.07    0.11      0
"""


def test_the_output_of_a_test_gives_its_out_of_place_times(written):
    assert rows_of(load_link(written(WITHOUT_ROOT))) == [
        (33554432, 4393.9),
        (67108864, 8349.4),
        (134217728, 16064),
    ]


def test_a_test_with_a_root_column_has_its_time_one_further(written):
    link = load_link(written(WITH_ROOT))
    assert rows_of(link) == [(300, 11.5), (500, 12.25), (900, 13.75)]


def test_each_header_in_a_log_names_the_columns_of_the_rows_after_it(written):
    again = WITHOUT_ROOT.replace("4393.9", "4395.9").replace("12 lines", "Lines")
    link = load_link(written(WITHOUT_ROOT + WITH_ROOT + again))
    assert rows_of(link)[2:4] == [(900, 13.75), (33554432, 4394.9)]


@pytest.mark.parametrize(
    "tag",
    [
        "[1,0]<stdout>:",
        "[1,0]<stdout>: ",
        "[prterun-host-7@1,0]<stdout>: ",
        "[prterun-host-7@1,0]<stderr>:",
        "0: ",
        " 12: ",
        "\t  ",
    ],
)
@pytest.mark.parametrize("output", [WITH_ROOT, WITHOUT_ROOT])
def test_the_tags_of_launchers_and_indentation_are_taken_off(written, output, tag):
    tagged = "".join(f"{tag}{line}\n" for line in output.splitlines())
    assert load_link(written(tagged)) == load_link(written(output))


STARTING = "# Collective test starting: {}\n"


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (
            STARTING.format("reduce_scatter_perf") + WITH_ROOT,
            "line 1: is the output of 'reduce_scatter_perf', expected an all-reduce; "
            "run all_reduce_perf",
        ),
        (
            f"[1,0]<stdout>: {STARTING.format('reduce_perf_mpi')}{WITH_ROOT}",
            "line 1: is the output of 'reduce_perf_mpi', expected an all-reduce; ",
        ),
        (
            STARTING.format("all_reduce_perf")
            + WITH_ROOT
            + STARTING.format("reduce_scatter_perf")
            + WITH_ROOT,
            "line 6: is the output of 'reduce_scatter_perf', expected an all-reduce",
        ),
        (
            f"\n$ mpirun -n 2 ./build/reduce_scatter_perf -b 8\n{WITHOUT_ROOT}",
            "line 2: is the output of 'reduce_scatter_perf', expected an all-reduce",
        ),
        (
            WITH_ROOT.replace("    -1 ", "     0 "),
            "line 2: root is '0', expected -1, an all-reduce; run all_reduce_perf",
        ),
    ],
)
def test_the_output_of_another_test_is_no_all_reduce(written, log, expected):
    assert sentence(written(log)).startswith(expected)


@pytest.mark.parametrize(
    "before",
    [
        STARTING.format("all_reduce_perf"),
        STARTING.format("all_reduce_perf_mpi"),
        "Linking build/reduce_scatter_perf\n$ ./build/all_reduce_perf -b 8\n",
        "$ mpirun ./build/all_reduce_perf -b 8 # see also perf_reports\n",
    ],
)
def test_a_log_that_names_all_reduce_perf_is_one(written, before):
    assert load_link(written(before + WITH_ROOT)) == load_link(written(WITH_ROOT))


def test_a_test_that_reduces_nothing_is_no_all_reduce(written):
    gather = WITH_ROOT.replace("  sum ", " none ")
    assert sentence(written(gather)) == (
        "line 2: reduces nothing, expected an all-reduce; run all_reduce_perf"
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1500 375 float sum -1", "line 5: time is missing, expected a time above 0"),
        ("1500 375 float sum -1 N/A 0", "line 5: time is 'N/A', expected a time"),
        ("0 0 float sum -1 3.2 0 0", "line 5: size is '0', expected a number of bytes"),
    ],
)
def test_a_broken_row_of_a_test_is_named_with_its_line(written, row, expected):
    text = sentence(written(f"{WITH_ROOT}{row}\n"))
    assert text.startswith(expected)
    assert text.endswith("; correct the line or take it out")


# --- What is wrong with a file -----------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty; expected a CSV such as size_bytes,time_us or the output of"),
        (" \n\n", "is empty; expected a CSV"),
        ("# nothing\n# else\n", "holds no table; expected a CSV such as size_bytes"),
        ("{}", "line 1: names no column size_bytes or size but '{}'; expected a CSV"),
        ("\n1,2\n3,4\n", "line 2: names no column size_bytes or size but '1, 2'; exp"),
        ("size|time_us\n1|2\n", "line 1: names no column size_bytes or size but 'siz"),
        (
            "size,time\n1,2\n",
            "line 1: names no column time_us_out_of_place or time_us or time_s but "
            "'size, time'; expected a CSV such as size_bytes,time_us or the output of",
        ),
        (
            'size,time_us,note\n1,2,"a\n3,4,b\n5,6,c"\n',
            "line 2: a quote isn't closed in '1,2,\"a'; close it or take it out",
        ),
        (f'{GOOD}2000,"700', "line 5: a quote isn't closed in '2000,\"700'; close it"),
        ("size;time_us\n1;2,5\n", "line 2: time_us is '2,5', expected a time above 0"),
        (f"{GOOD}2_000,900", "line 5: size_bytes is '2_000', expected a number of byt"),
        (f"{GOOD}2000,٩", "line 5: time_us is '٩', expected a time above 0"),
        ("size,time_us\n", "holds too few sizes (0), expected 3 or more; measure"),
        ("size,time_us\n1,2\n3,4\n", "holds too few sizes (2), expected 3 or more"),
        ("size,time_us\n1,2\n3,4\n1,2\n", "holds too few sizes (2), expected 3 or"),
        (WITH_ROOT[: WITH_ROOT.index("500")], "holds too few sizes (1), expected"),
        (f"{GOOD}2000", "line 5: time_us is missing, expected a time above 0; corr"),
        (f"{GOOD}2000,", "line 5: time_us is missing, expected a time above 0; corr"),
        (f"{GOOD},900", "line 5: size_bytes is missing, expected a number of bytes"),
        (f"{GOOD}2000,x", "line 5: time_us is 'x', expected a time above 0; correct"),
        (f"{GOOD}2000,0", "line 5: time_us is '0', expected a time above 0"),
        (f"{GOOD}2000,-3", "line 5: time_us is '-3', expected a time above 0"),
        (f"{GOOD}2000,nan", "line 5: time_us is 'nan', expected a time above 0"),
        (f"{GOOD}2000,inf", "line 5: time_us is 'inf', expected a time above 0"),
        (f"{GOOD}2000,1e999", "line 5: time_us is '1e999', expected a time above 0"),
        (f"{GOOD}0,7", "line 5: size_bytes is '0', expected a number of bytes above"),
        (f"{GOOD}\n2 MB,7", "line 6: size_bytes is '2 MB', expected a number of byt"),
        (f"{GOOD}{'9' * 99}x,7", f"line 5: size_bytes is '{'9' * 40}...', expected"),
        (f"{GOOD}1,2{'3' * 200_000}", "line 5: not CSV (field larger than field li"),
        (f"{GOOD}2000,500", "the last size of a measured link must take longer than"),
        ("size,time_us\n1,9\n2,7\n3,8\n", "no line fits: the times don't grow with"),
        ("size,time_us\n1,1\n2,4\n3,9\n", "no line fits: the times grow faster than"),
        (b"\x89PNG\r\n\xff\xfe", "byte 0: not text; expected a CSV such as"),
        (GOOD.encode("utf-16"), "byte 0: not text; expected a CSV such as"),
        (b"\0" * 99, "line 1: names no column size_bytes or size but '\\x00"),
    ],
)
def test_a_wrong_file_is_one_sentence_that_says_where(written, content, expected):
    assert sentence(written(content)).startswith(expected)


def test_more_rows_than_anyone_measures_are_refused(written):
    rows = "".join(f"{row},{row + 5}\n" for row in range(1, MOST_ROWS + 2))
    text = sentence(written(f"size,time_s\n{rows}"))
    assert text == "holds more than 10,000 rows; keep the mean of each size"


def test_as_many_rows_as_are_allowed_are_read(written):
    rows = "".join(f"{row},{row + 5}\n" for row in range(1, MOST_ROWS + 1))
    link = load_link(written(f"size,time_s\n{rows}"))
    assert len(link.sizes_bytes) == MOST_ROWS
    assert link.transfer_s(20_000) == pytest.approx(20_005)


def test_a_file_far_too_large_is_not_read_to_its_end(tmp_path):
    path = tmp_path / "log.txt"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # a hole: it takes no room on the disk
    assert sentence(path).startswith("is larger than 16 MiB, more than a link needs")


def test_a_missing_file_and_a_directory_say_so(tmp_path):
    assert sentence(tmp_path / "none.csv").startswith("there is no such file")
    assert sentence(tmp_path).startswith("is a directory")
    assert sentence(Path("null\0byte")).startswith("can't be read (")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_says_so(written):
    path = written(GOOD)
    path.chmod(0)
    assert sentence(path).startswith("can't be read (Permission denied)")
