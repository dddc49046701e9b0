"""Loads damaged copies of all fixtures: nothing may crash, hang or come out unsound.

Run by hand: `.venv/bin/python tests/bench/fuzz.py [--minutes N] [--seed N]`. Each turn
takes a file of tests/data, of any format, changes it in some places, perhaps packs it,
and loads it. What comes back must be sound recordings or one sentence. Inputs that fail
are kept in a folder whose name is printed.
"""

import argparse
import gzip
import io
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np

from overlap_widget.model.traces import TraceError, load_all

DATA = Path(__file__).parents[1] / "data"
MOST_BYTES = 300_000
HANG_S = 20
MEMORY_BYTES = 4 << 30
NUMBERS = (
    *("0", "-1", "1e400", "-1e-400", "NaN", "inf", "null", "true", '"7"', "[]", "{}"),
    *("9" * 30, "9223372036854775807", "-9223372036854775808", "1711964646000000.5"),
    *("4294967296", "0.0000001", "1.5e3", '""', "''"),
)
TOKENS = (
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\n", b"\r\n", b"\xff"),
    *(b"\xef\xbb\xbf", b"},{", b"],[", b"/*", b"\\u0000", b"\\ud800", b'":', b"'"),
    *(b'"traceEvents":[', b'"cat":"kernel",', b"ProfilerStep#", b'"dur":', b'"ts":-'),
)
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def changed(content, others, chance):
    """A copy that is damaged in one to four places."""
    changes = (_flip, _cut, _insert, _double, _number, _number, _number, _end, _splice)
    for _ in range(chance.randint(1, 4)):
        if content:
            content = chance.choice(changes)(content, others, chance)
    return content


def _flip(content, _, chance):
    at = chance.randrange(len(content))
    flipped = content[at] ^ (1 << chance.randrange(8))
    return content[:at] + bytes([flipped]) + content[at + 1 :]


def _place(content, chance, most=200):
    at = chance.randrange(len(content))
    return at, min(at + chance.randint(0, most), len(content))


def _cut(content, _, chance):
    at, end = _place(content, chance)
    return content[:at] + content[end:]


def _insert(content, _, chance):
    at, _ = _place(content, chance)
    return content[:at] + chance.choice(TOKENS) + content[at:]


def _double(content, _, chance):
    at, end = _place(content, chance, 2000)
    return content[:end] + content[at:end] * chance.randint(1, 3) + content[end:]


def _number(content, _, chance):
    found = list(NUMBER.finditer(content))
    if not found:
        return content
    start, end = chance.choice(found).span()
    return content[:start] + chance.choice(NUMBERS).encode() + content[end:]


def _end(content, _, chance):
    return content[: chance.randrange(len(content))]


def _splice(content, others, chance):
    other = chance.choice(others)
    at, _ = _place(content, chance)
    if not other:
        return content
    start, end = _place(other, chance, 2000)
    return content[:at] + other[start:end] + content[at:]


def packed(content, chance):
    """As it is, gzipped (perhaps damaged then), or in an archive."""
    way = chance.random()
    if way < 0.7:
        return content
    if way < 0.9:
        content = gzip.compress(content, 1, mtime=0)
        return content if way < 0.8 else changed(content, [content], chance)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("trace.json", content)
    content = held.getvalue()
    return content if way < 0.95 else changed(content, [content], chance)


def fault_of(path):
    """What is wrong with how a file is loaded; "" if nothing is."""
    signal.setitimer(signal.ITIMER_REAL, HANG_S)
    try:
        recordings = load_all(str(path))
    except TraceError as refused:
        sentence = str(refused)
        return "" if "\n" not in sentence and "nan" not in sentence else sentence
    except Exception:  # any other is what is looked for
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "; ".join(filter(None, map(_unsound, recordings)))


def _unsound(recording):
    spans = recording.spans
    times = (spans.start_s, spans.end_s, spans.ready_s)
    if not len(spans) or not all(np.isfinite(one).all() for one in times):
        return "a time is not a number, or there is none"
    faults = {
        "a time is negative": spans.start_s.min() != 0
        or (spans.end_s < spans.start_s).any(),
        "ready after its start": (spans.ready_s > spans.start_s).any(),
        "a size is negative": (spans.size_bytes < 0).any(),
        "spans are not in order": (np.diff(spans.start_s) < 0).any(),
        "a step is not there": recording.step.max() >= len(recording.steps),
        "a group is not there": recording.group.max() >= len(recording.groups),
    }
    return "; ".join(fault for fault, found in faults.items() if found)


def _hang(*_):
    raise RuntimeError(f"still loading after {HANG_S} s")


def fixtures():
    """The files of all formats that are small enough, with their content."""
    files = [
        path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".md"
    ]
    return {
        path: path.read_bytes() for path in files if path.stat().st_size <= MOST_BYTES
    }


def turns(files, kept, seed, ends):
    """Load one damaged file after the other until the time is over; count them."""
    chance, counts = random.Random(seed), Counter()
    while time.monotonic() < ends:
        source = chance.choice(list(files))
        content = changed(files[source], list(files.values()), chance)
        path = kept / f"now{source.suffix}"
        path.write_bytes(packed(content, chance))
        fault = fault_of(path)
        counts["tried"] += 1
        counts[source.parent.name] += 1
        if fault:
            counts["failed"] += 1
            path.rename(kept / f"{counts['failed']:03}-{source.name}")
            print(f"{source.name}: {fault}\n", flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    signal.signal(signal.SIGALRM, _hang)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    kept = Path(tempfile.mkdtemp(prefix="fuzz-"))
    ends = time.monotonic() + given.minutes * 60
    counts = turns(fixtures(), kept, given.seed, ends)
    print(", ".join(f"{name}: {count:,}" for name, count in counts.items()))
    print(f"failing inputs, if any, are in {kept}")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
