"""What was measured of a run, as columns of the lanes: below the estimate."""

from typing import Any

from overlap_widget.app.figures import GHOST_CAPTION_Y, GHOST_Y
from overlap_widget.app.said import cell
from overlap_widget.model.scenarios import Ghost
from overlap_widget.model.units import MB, MS

Columns = dict[str, list[Any]]


def ghost_bars(ghost: Ghost | None) -> dict[str, Columns]:
    """The transfers and the pass that were measured; no rows without a ghost."""
    starts = [start_s / MS for start_s in ghost.start_s] if ghost else []
    ends = [end_s / MS for end_s in ghost.end_s] if ghost else []
    sizes = [size / MB for size in ghost.size_bytes] if ghost else []
    passes = [ghost.backward_s / MS] if ghost else []
    return {
        "ghost": _bars(starts, ends, "link")
        | {
            "measured": list(range(1, len(starts) + 1)),
            "size": sizes,
            "start": starts,
            "end": ends,
        },
        "ghost_backward": _bars([0.0] * len(passes), passes, "backward"),
    }


def ghost_captions(captions: Columns, ghost: Ghost | None) -> Columns:
    """The captions of the lanes, and one of the lane of the ghost."""
    if ghost is None:
        return captions
    return {
        "x": [*captions["x"], 0],
        "y": [*captions["y"], GHOST_CAPTION_Y],
        "text": [*captions["text"], cell("lane.ghost")],
    }


def ghost_end_ms(ghost: Ghost | None) -> float:
    """When the last of its transfers ends; 0 without a ghost."""
    return max(ghost.end_s) / MS if ghost else 0.0


def _bars(left: list[float], right: list[float], row: str) -> Columns:
    low, high = GHOST_Y[row]
    return {
        "left": left,
        "right": right,
        "bottom": [low] * len(left),
        "top": [high] * len(left),
    }
