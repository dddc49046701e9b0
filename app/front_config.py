"""What every session's front gets once: words, bounds of the controls, figures."""

from typing import Any

from overlap_widget.app.controls import BANDWIDTH, OVERHEAD, Control, bucket_control
from overlap_widget.app.figures import figure_items
from overlap_widget.app.settings import DEFAULT
from overlap_widget.app.upload import MOST_BYTES
from overlap_widget.app.words import strings
from overlap_widget.model.scenarios import SCENARIOS


def config() -> dict[str, Any]:
    """What every session's front gets and never changes."""
    return {
        "strings": strings(),
        "controls": [
            _control(bucket_control(DEFAULT.scenario)),
            _control(BANDWIDTH),
            _control(OVERHEAD),
        ],
        "scenarios": [
            {"name": scenario.name, "title": scenario.title}
            for scenario in SCENARIOS.values()
        ],
        "figures": figure_items(),
        "limits": {"upload_bytes": MOST_BYTES},
    }


def _control(control: Control) -> dict[str, Any]:
    return {
        "key": control.key,
        "min": control.low,
        "max": control.high,
        "stops": list(control.stops),
    }
