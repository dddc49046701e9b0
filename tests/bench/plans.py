"""How long the best plan and the tails of all bucket sizes take, against plain Python.

Run by hand: `.venv/bin/python tests/bench/plans.py`.
Look at the ratios: both run on the same machine, one after the other.
"""

import time

import numpy as np

from overlap_widget.model import Layer, Link, best_plan, simulate, tails, whole_layers
from overlap_widget.model.schedule import running_totals, start_after

RUNS = 3
TENSORS = (161, 2000, 5000)
LINK = Link(overhead_s=2e-5, bandwidth_bytes_per_s=5e9)
ALL_SIZES_UP_TO = 2000


def tensors(count):
    """Uneven ones of about 50 KB, which the link takes half as long for as compute."""
    draw = np.random.default_rng(count)
    return [
        Layer("", second, float(size))
        for second, size in zip(
            draw.exponential(2e-5, count), draw.integers(0, 100_000, count), strict=True
        )
    ]


def plain_best_plan(layers):
    """The recurrence over prefixes in plain Python; gives the end."""
    done_s, held_bytes = running_totals(layers)
    free_s = [0.0]
    for j in range(1, len(layers) + 1):
        free_s.append(
            min(
                start_after(done_s[j], at_s)
                + LINK.transfer_s(held_bytes[j] - held_bytes[i])
                for i, at_s in enumerate(free_s)
            )
        )
    return free_s[-1]


def plain_tails(layers):
    """Each bucket size simulated on its own."""
    sizes = range(1, len(layers) + 1)
    return tuple(
        simulate(layers, whole_layers(len(layers), size), LINK).tail for size in sizes
    )


def best_s(measured, runs=RUNS):
    """Seconds of the fastest of some runs, and what it gave."""
    times_s = []
    for _ in range(runs):
        start_s = time.perf_counter()
        found = measured()
        times_s.append(time.perf_counter() - start_s)
    return min(times_s), found


def report(what, seconds, plain_s):
    print(f"{what:34} {seconds * 1e3:8.1f} ms   plain {plain_s / seconds:6.1f} times")


def main():
    for count in TENSORS:
        layers = tensors(count)
        seconds, plan = best_s(lambda layers=layers: best_plan(layers, LINK))
        plain_s, end_s = best_s(lambda layers=layers: plain_best_plan(layers), runs=1)
        assert simulate(layers, plan, LINK).transfers[-1].end_s == end_s
        report(f"best plan of {count} tensors", seconds, plain_s)
        if count > ALL_SIZES_UP_TO:
            continue
        seconds, found = best_s(lambda layers=layers: tails(layers, LINK))
        plain_s, expected = best_s(lambda layers=layers: plain_tails(layers), runs=1)
        assert found == expected
        report(f"tails of all sizes, {count} tensors", seconds, plain_s)


if __name__ == "__main__":
    main()
