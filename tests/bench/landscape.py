"""How much quicker the landscape is than simulating its points one by one.

Run by hand: `.venv/bin/python tests/bench/landscape.py [POINTS]`. The call does the
course's 12 bucket sizes x 200 bandwidths x 200 overheads; the loop simulates POINTS of
them (2000) in Python and is scaled up. Both run on this machine, so look at the ratio.
"""

import random
import resource
import sys
import time

import numpy as np

from overlap_widget.model import OFF, Effects, Link, simulate, whole_layers
from overlap_widget.model.landscape import landscape
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.scenarios import COURSE
from overlap_widget.model.units import GB, MS

RATES = np.geomspace(1, 100, 200) * GB
OVERHEADS_S = np.linspace(0, 5, 200) * MS
REPEATS = 5
EFFECTS = {
    "off": OFF,
    "late rank": Effects(late_s=1 * MS),
    "4 micro-steps": Effects(micro_steps=4, every_micro_step=True),
    "slowdown": Effects(slowdown=0.19),
}


def call_s(effects):
    """The landscape, and seconds of the quickest of some calls."""
    times_s = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        found = landscape(COURSE.layers, RATES, OVERHEADS_S, effects=effects)
        times_s.append(time.perf_counter() - begun)
    return found, min(times_s)


def loop_s(found, effects, points):
    """Seconds for all points if each takes as long as these; they must agree."""
    places = random.Random(3).sample(list(np.ndindex(found.tail_s.shape)), points)
    plans = [whole_layers(12, int(size)) for size in found.buckets]
    rates, overheads_s = RATES.tolist(), OVERHEADS_S.tolist()
    begun = time.perf_counter()
    rows = []
    for b, w, o in places:
        step = simulate(
            COURSE.layers, plans[b], Link(overheads_s[o], rates[w]), effects
        )
        rows.append((step.tail.total_s, regime(step)))
    spent_s = time.perf_counter() - begun
    regimes = list(Regime)
    assert rows == [(found.tail_s[at], regimes[found.regime[at]]) for at in places]
    return spent_s * found.tail_s.size / points


def main():
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print("effects         one call s    loop s   x loop")
    for name, effects in EFFECTS.items():
        found, one_s = call_s(effects)
        all_s = loop_s(found, effects, points)
        print(f"{name:15} {one_s:10.4f} {all_s:9.1f} {all_s / one_s:8.0f}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{found.tail_s.size} points, peak memory {peak_mb:.0f} MB")


if __name__ == "__main__":
    main()
