"""The lanes of a measured step: one a stream and kind, the rarest streams together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.said import Data, cell
from overlap_widget.model.timeline import Kind, Timeline

ORDER = (Kind.COMPUTE, Kind.COMMUNICATION, Kind.OTHER)
MOST_LANES_OF_A_KIND = 4


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """The spans of one kind on some streams, and the y that they are drawn at."""

    streams: tuple[int, ...]
    kind: Kind
    rows: NDArray[np.bool_]
    y: float

    @property
    def caption(self) -> Data:
        """The kind and the stream, or how many streams share the lane."""
        kind = cell(f"lane.{self.kind.name.lower()}")
        if len(self.streams) == 1:
            return cell("mark.stream", kind=kind, stream=self.streams[0])
        return cell("mark.streams", kind=kind, count=len(self.streams))


def lanes_of(timeline: Timeline) -> list[Lane]:
    """Compute on top, then communication, then the rest; busiest streams first."""
    shared = [(kind, streams) for kind in ORDER for streams in _shared(timeline, kind)]
    return [
        Lane(
            streams=streams,
            kind=kind,
            rows=(timeline.kind == kind) & np.isin(timeline.stream, streams),
            y=float(len(shared) - 1 - row),
        )
        for row, (kind, streams) in enumerate(shared)
    ]


def _shared(timeline: Timeline, kind: Kind) -> list[tuple[int, ...]]:
    """The streams of a kind, each alone while there are few; the rest as one."""
    streams, counts = np.unique(
        timeline.stream[timeline.kind == kind], return_counts=True
    )
    busiest = [int(stream) for stream in streams[np.argsort(-counts, kind="stable")]]
    alone = MOST_LANES_OF_A_KIND
    if len(busiest) > MOST_LANES_OF_A_KIND:
        alone -= 1
    rest = tuple(busiest[alone:])
    return [*((stream,) for stream in busiest[:alone]), *([rest] if rest else [])]
