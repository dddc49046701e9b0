"""A simulated step as a timeline, the type that a measured step has too."""

import numpy as np

from overlap_widget.model.backward import Simulation
from overlap_widget.model.timeline import Collective, Kind, Timeline

COMPUTE_STREAM, LINK_STREAM = 0, 1


def timeline_of(simulation: Simulation) -> Timeline:
    """The simulated step as a timeline: layers on one stream, transfers on another.

    A transfer is named for the first and the last layer of its bucket.
    """
    layers = simulation.layers * simulation.effects.micro_steps
    transfers = simulation.transfers
    begun_s, done_s = simulation.done_s[:-1], simulation.done_s[1:]
    counts = [len(layers), len(transfers)]
    sizes_bytes = [layer.gradient_bytes for layer in layers]
    sizes_bytes += [one.size_bytes for one in transfers]
    return Timeline(
        start_s=np.r_[begun_s, [one.start_s for one in transfers]],
        end_s=np.r_[done_s, [one.end_s for one in transfers]],
        ready_s=np.r_[begun_s, [one.ready_s for one in transfers]],
        kind=np.repeat([Kind.COMPUTE, Kind.COMMUNICATION], counts).astype(np.uint8),
        collective=np.repeat([Collective.NONE, Collective.ALL_REDUCE], counts).astype(
            np.uint8
        ),
        size_bytes=np.array(sizes_bytes, dtype=np.float64),
        stream=np.repeat([COMPUTE_STREAM, LINK_STREAM], counts).astype(np.int32),
        name=np.arange(sum(counts), dtype=np.int32),
        names=(
            *(layer.name for layer in layers),
            *(_from_to(one.layers) for one in transfers),
        ),
        backward_end_s=simulation.backward_s,
    )


def _from_to(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
