"""What the moves of measured mode do: each takes what is looked at to what follows."""

from collections.abc import Callable, Mapping
from typing import Any

from overlap_widget.app.against import (
    compare_with,
    compare_with_device,
    compare_with_step,
    swapped,
)
from overlap_widget.app.kernel_classes import (
    all_as_loaded,
    dropped_rule,
    kernel_class_of,
    peer_copies_counted,
    undone,
)
from overlap_widget.app.measured import (
    Measured,
    choose_device,
    choose_recording,
    choose_step,
    look_at,
    searched,
)
from overlap_widget.app.ranks_view import choose_rank
from overlap_widget.app.step_part import choose_part, whole_step

Move = Mapping[str, Any]
Act = Callable[[Measured, Move], Measured]


def _indexed(choose: Callable[[Measured, int], Measured]) -> Act:
    return lambda measured, move: choose(measured, int(move["value"]))


def _look(measured: Measured, move: Move) -> Measured:
    return look_at(measured, float(move["start_s"]), float(move["end_s"]))


def _part(measured: Measured, move: Move) -> Measured:
    return choose_part(measured, float(move["start_s"]), float(move["end_s"]))


def _class(measured: Measured, move: Move) -> Measured:
    return kernel_class_of(measured, str(move["name"]), str(move["value"]))


MEASURED_MOVES: dict[str, Act] = {
    "recording": _indexed(choose_recording),
    "device": _indexed(choose_device),
    "step": _indexed(choose_step),
    "rank": _indexed(choose_rank),
    "window": _look,
    "part": _part,
    "whole_step": lambda measured, _move: whole_step(measured),
    "against": _indexed(compare_with),
    "against_device": _indexed(compare_with_device),
    "against_step": _indexed(compare_with_step),
    "swap": lambda measured, _move: swapped(measured),
    "search": lambda measured, move: searched(measured, str(move["value"])),
    "class": _class,
    "peer_copies": lambda measured, move: peer_copies_counted(
        measured, move["value"] is True
    ),
    "drop_rule": _indexed(dropped_rule),
    "undo_classes": lambda measured, _move: undone(measured),
    "reset_classes": lambda measured, _move: all_as_loaded(measured),
}
"""By the type of the move; KeyError, TypeError or ValueError for one that is none."""
