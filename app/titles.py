"""What a page offers by name, as sentences: shipped ones in all languages.

What comes from a file or from the command line is called as its author calls it. Where
a citation or a path stands in a sentence it stays as it is.
"""

import re

from overlap_widget.app.catalogue import Catalogue
from overlap_widget.app.said import Cell, Said, cell
from overlap_widget.app.settings import LAYERS, MEASURED
from overlap_widget.model.links import LINKS, NamedLink
from overlap_widget.model.rules import RULES
from overlap_widget.model.scenarios import SCENARIOS, Scenario

GIVEN = "given"
"""The name of the buckets and of the link that only an exported page has."""
Option = list[Cell]
_RUN = re.compile(r"(?P<file>.*?)( device (?P<device>\d+))? step (?P<step>.*)", re.S)


def scenario_title(scenario: Scenario) -> Cell:
    """Of a scenario, or of the recorded step that one is the replay of."""
    if scenario.ghost:
        return _run_title(scenario.name)
    shipped = SCENARIOS.get(scenario.name)
    if shipped and shipped.title == scenario.title:
        return cell(f"scenario.{scenario.name}")
    return scenario.title


def _run_title(name: str) -> Cell:
    """As `what_if.run_name` puts it together."""
    found = _RUN.fullmatch(name)
    if not found:
        return name
    said = {key: value for key, value in found.groupdict().items() if value}
    key = "run.name.device" if "device" in said else "run.name"
    return cell("what_if.run", name=Said(key, said))


def plan_title(catalogue: Catalogue, name: str) -> Cell:
    """Of a way to fill buckets; KeyError for an unknown one."""
    if name in (LAYERS, MEASURED):
        return cell(f"plan.{name}")
    rule = catalogue.rules[name]
    if name in RULES and RULES[name].title == rule.title:
        return cell(f"plan.{name}")
    if name != GIVEN:
        return rule.title
    is_count = rule.title.replace(",", "").isdecimal()
    given = Said("plan.elements", {"n": rule.title}) if is_count else rule.title
    return cell("plan.given", given=given)


def plan_options(catalogue: Catalogue) -> list[Option]:
    """Whole layers, the rules of frameworks, what was measured: value, title, sense."""
    named: list[Option] = [
        [name, plan_title(catalogue, name), _plan_sense(catalogue, name)]
        for name in catalogue.rules
    ]
    own: list[Cell] = [MEASURED, plan_title(catalogue, MEASURED)]
    measured = [*own, cell("plan.measured.hint")]
    return [[LAYERS, plan_title(catalogue, LAYERS)], *named, measured]


def _plan_sense(catalogue: Catalogue, name: str) -> Cell:
    rule = catalogue.rules[name]
    is_shipped = name in RULES and RULES[name].says == rule.says
    return cell(f"plan.{name}.hint") if is_shipped else rule.says


def link_title(link: NamedLink) -> Cell:
    """Of a measured link."""
    shipped = LINKS.get(link.name)
    if shipped and shipped.title == link.title:
        return cell(f"link.{link.name}")
    return link.title


def table_title(link: NamedLink) -> Cell:
    """Of its table, beside its line."""
    return cell("link.table", title=link_title(link))


def link_options(catalogue: Catalogue) -> list[Option]:
    """The link of the sliders, each named line with its error, each named table."""
    lines: list[Option] = [
        [name, link_title(link), _line_sense(link)]
        for name, link in catalogue.links.items()
    ]
    tables: list[Option] = [
        [f"{name}-table", table_title(link), _table_sense(link)]
        for name, link in catalogue.links.items()
        if link.table
    ]
    return [["own", cell("link.own")], *lines, *tables]


def _line_sense(link: NamedLink) -> Cell:
    fit = link.fit
    return cell(
        "link.line.hint",
        error_share=float(f"{fit.max_error:.2g}"),
        low_bytes=fit.low_bytes,
        high_bytes=fit.high_bytes,
        source=link.source,
    )


def _table_sense(link: NamedLink) -> Cell:
    return cell("link.table.hint", source=link.source)
