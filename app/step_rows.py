"""The steps of a recording beside each other: how long, how much exposed, how whole."""

from typing import Any

from overlap_widget.app.known_ranks import known_file
from overlap_widget.app.remembered import remembered
from overlap_widget.model.recording import Recording
from overlap_widget.model.step_remarks import Remark

Row = dict[str, Any]


@remembered
def step_rows(recording: Recording, device: int) -> list[Row]:
    """One row a step of a device, as plain data."""
    file = known_file(recording)
    ours = file.step_rows[recording.devices.index(device) :: len(recording.devices)]
    return [
        {
            "name": row.step,
            "complete": row.complete,
            "remark": row.remark or Remark.NONE.value,
            "default": at == file.default_step,
            "span_s": row.span_s,
            "exposed_s": row.exposed_s,
            "tail_s": row.tail_s,
        }
        for at, row in enumerate(ours)
    ]
