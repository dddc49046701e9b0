"""How fast and how lean a trace is read, beside the standard library's JSON.

Run by hand: `.venv/bin/python tests/bench/traces.py [MB]`. It writes a trace in the
layout of the PyTorch profiler, then reads it in a process of its own each time: with
`load`, gzipped with `load`, and as a whole document with `json`. Look at the ratios.
"""

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "static" / "example-trace.json.gz"
STEP_US = 400_000
READERS = {
    "overlap": "from overlap_widget.model.traces import load; load(path)",
    "overlap, .gz": "from overlap_widget.model.traces import load; load(path + '.gz')",
    "json": "import json; json.load(open(path, encoding='utf-8'))",
}
MEASURE = """
import resource, sys, time
path = sys.argv[1]
begun = time.process_time()
{reader}
print(time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_trace(path, size_bytes):
    """The example over and over, later each time and with numbers of its own."""
    document = json.loads(gzip.decompress(EXAMPLE.read_bytes()))
    events = document.pop("traceEvents")
    head = json.dumps(document)[:-1]
    written = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(f'{head},\n  "traceEvents": [\n')
        copy = 0
        while written < size_bytes:
            texts = [_event_text(event, copy) for event in events]
            comma = "," if copy else ""
            written += file.write(comma + ",".join(texts))
            copy += 1
        file.write("\n  ]\n}")


def _event_text(event, copy):
    """An event of the copy as Kineto lays it out.

    Around each launch stand host operations and the arrows to its kernel, in the
    shares of a real capture: most events are of no interest here.
    """
    moved = dict(event)
    if "ts" in event:
        moved["ts"] = round(float(event["ts"]) + copy * STEP_US, 3)
    args = dict(event.get("args", {}))
    if "correlation" in args:
        args["correlation"] += copy * 10_000
    name = str(moved.get("name", ""))
    if name.startswith("ProfilerStep#"):
        moved["name"] = f"ProfilerStep#{int(name.partition('#')[2]) + 4 * copy}"
    moved["args"] = args
    text = _laid_out(moved)
    if moved.get("cat") == "cuda_runtime":
        place = {key: moved[key] for key in ("pid", "tid", "ts")}
        host = {"ph": "X", "cat": "cpu_op", "name": "aten::linear", **place, "dur": 2}
        arrow = {"ph": "s", "id": copy, "cat": "ac2g", "name": "ac2g", **place}
        notes = {"External id": copy, "Sequence number": 7, "Ev Idx": 11}
        around = [{**host, "args": notes}] * 5 + [{**arrow, "args": {}}] * 2
        text = ",".join([*(_laid_out(dict(one)) for one in around), text])
    return text


def _laid_out(event):
    args = json.dumps(event.pop("args"))
    fields = json.dumps(event)[1:-1]
    return f'\n  {{\n    {fields},\n    "args": {args}\n  }}'


def measured(reader, path):
    """CPU seconds and peak memory in MB of reading the file in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE.format(reader=reader), str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, peak_kib = map(float, done.stdout.split())
    return seconds, peak_kib / 1e3


def main():
    size_mb = float(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        write_trace(path, size_mb * 1e6)
        with path.open("rb") as plain, gzip.open(f"{path}.gz", "wb", 6) as packed:
            shutil.copyfileobj(plain, packed)
        size_mb = path.stat().st_size / 1e6
        rows = {name: measured(reader, path) for name, reader in READERS.items()}
    print(f"{size_mb:.0f} MB        CPU s    MB/s   peak MB   x json   of its memory")
    json_s, json_mb = rows["json"]
    for name, (seconds, peak_mb) in rows.items():
        print(
            f"{name:12} {seconds:8.2f} {size_mb / seconds:7.0f} {peak_mb:9.0f} "
            f"{json_s / seconds:8.2f} {peak_mb / json_mb:12.2f}"
        )


if __name__ == "__main__":
    main()
