"""A picture as a file: of the recording that is shown first, else of the settings."""

from collections.abc import Sequence

from overlap_widget.app.measured import all_opened
from overlap_widget.app.picture import picture_svg, recording_svg
from overlap_widget.app.settings import Settings
from overlap_widget.app.words import speaking
from overlap_widget.model.recording import Recording


def picture_file(settings: Settings, recordings: Sequence[Recording] = ()) -> str:
    """The text of an .svg file, in the language of the settings."""
    with speaking(settings.lang):
        if recordings:
            return recording_svg(all_opened(recordings))
        return picture_svg(settings)
