"""What every session's front gets once: words, bounds of the controls, figures."""

from typing import Any

from overlap_widget.app.catalogue import SHIPPED, Catalogue
from overlap_widget.app.fields import NUMBERS
from overlap_widget.app.figures import LEVELS, figure_items
from overlap_widget.app.lesson import lesson_data, presets_data
from overlap_widget.app.quantities import percent_text, size_text
from overlap_widget.app.settings import DEFAULT, LAYERS, MEASURED
from overlap_widget.app.upload import MOST_BYTES
from overlap_widget.app.words import languages, strings, words
from overlap_widget.model.links import NamedLink


def config(catalogue: Catalogue = SHIPPED) -> dict[str, Any]:
    """What a front gets and never changes, with the names that its page offers."""
    return {
        "strings": {lang: strings(lang) for lang in languages()},
        "controls": [
            {"key": key, "stops": list(number.control(DEFAULT).stops)}
            for key, number in NUMBERS.items()
        ],
        "choices": {"plan": _plans(catalogue), "link": _links(catalogue)},
        "scenarios": [
            {"name": scenario.name, "title": scenario.title}
            for scenario in catalogue.scenarios.values()
        ],
        "levels": list(LEVELS),
        "lesson": lesson_data(),
        "presets": presets_data(),
        "figures": figure_items(),
        "limits": {"upload_bytes": MOST_BYTES},
    }


def _plans(catalogue: Catalogue) -> list[list[str]]:
    """Whole layers, the rules of frameworks, what was measured: value, text, sense."""
    named = [[name, rule.title, rule.says] for name, rule in catalogue.rules.items()]
    own = [MEASURED, words("plan.measured"), words("plan.measured.hint")]
    return [[LAYERS, words("plan.layers")], *named, own]


def _links(catalogue: Catalogue) -> list[list[str]]:
    """The link of the sliders, each named line with its error, each named table."""
    lines = [
        [name, words("link.line", title=link.title), _line_hint(link)]
        for name, link in catalogue.links.items()
    ]
    tables = [
        [f"{name}-table", words("link.table", title=link.title), _table_hint(link)]
        for name, link in catalogue.links.items()
        if link.table
    ]
    return [["own", words("link.own")], *lines, *tables]


def _line_hint(link: NamedLink) -> str:
    fit = link.fit
    return words(
        "link.line.hint",
        error=percent_text(float(f"{fit.max_error:.2g}")),
        low=size_text(fit.low_bytes),
        high=size_text(fit.high_bytes),
        source=link.source,
    )


def _table_hint(link: NamedLink) -> str:
    return words("link.table.hint", source=link.source)
