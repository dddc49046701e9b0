"""A picture as a file: of the recording that is shown first, else of the settings."""

from collections.abc import Sequence

from overlap_widget.app.measured import Measured, choose_recording
from overlap_widget.app.picture import picture_svg, recording_svg
from overlap_widget.app.settings import Settings
from overlap_widget.model.recording import Recording


def picture_file(settings: Settings, recordings: Sequence[Recording] = ()) -> str:
    """The text of an .svg file."""
    if recordings:
        measured = Measured(recordings=tuple(recordings))
        return recording_svg(choose_recording(measured, 0))
    return picture_svg(settings)
