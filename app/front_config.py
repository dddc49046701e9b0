"""What every session's front gets once: words, bounds of the controls, figures."""

from typing import Any

from overlap_widget.app.catalogue import SHIPPED, Catalogue
from overlap_widget.app.fields import NUMBERS
from overlap_widget.app.figures import LEVELS, figure_items
from overlap_widget.app.lesson import lesson_data, presets_data
from overlap_widget.app.settings import DEFAULT
from overlap_widget.app.titles import link_options, plan_options, scenario_title
from overlap_widget.app.upload import MOST_BYTES
from overlap_widget.app.words import languages, strings


def config(catalogue: Catalogue = SHIPPED) -> dict[str, Any]:
    """What a front gets and never changes, with the names that its page offers."""
    return {
        "strings": {lang: strings(lang) for lang in languages()},
        "controls": [
            {"key": key, "stops": list(number.control(DEFAULT).stops)}
            for key, number in NUMBERS.items()
        ],
        "choices": {"plan": plan_options(catalogue), "link": link_options(catalogue)},
        "scenarios": [
            {"name": scenario.name, "title": scenario_title(scenario)}
            for scenario in catalogue.scenarios.values()
        ],
        "levels": list(LEVELS),
        "lesson": lesson_data(),
        "presets": presets_data(),
        "figures": figure_items(),
        "limits": {"upload_bytes": MOST_BYTES},
    }
