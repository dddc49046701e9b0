"""Streams of several contexts on one device, told apart.

Each CUDA context counts its streams anew: stream 7 of one is not stream 7 of another,
and their work may run at the same time.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def told_apart(place: Numbers, context: Numbers, stream: Numbers) -> Numbers:
    """Numbers of streams that differ between the contexts of a place: int64[n].

    place:   the device, or process and device, where contexts meet
    context: negative where untold
    Streams of the first context keep their numbers, those of the next ones get a
    digit before them: stream 7 of the second context is 107.
    """
    if not len(context) or context.min() == context.max():
        return stream
    step = max(10 ** len(str(int(stream.max()))), 100)
    told = stream.copy()
    for here in np.unique(place):
        rows = place == here
        own = context[rows]
        contexts = np.unique(own[own >= 0])
        told[rows] += step * np.searchsorted(contexts, own)
    return told
