"""What a page offers to choose from, by name: scenarios, links, rules for buckets.

Every page offers what ships with the model. One that is exported may add what its
author gave: layers from a file, a measured link, buckets of another size.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from overlap_widget.model.links import LINKS, NamedLink
from overlap_widget.model.rules import RULES, Rule
from overlap_widget.model.scenarios import SCENARIOS, Scenario


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All that an address may name, in the order in which it is offered."""

    scenarios: Mapping[str, Scenario]
    links: Mapping[str, NamedLink]
    rules: Mapping[str, Rule]

    @property
    def link_options(self) -> tuple[str, ...]:
        """The values of the link's chooser: the sliders, each line, each table."""
        tables = (f"{name}-table" for name, link in self.links.items() if link.table)
        return ("own", *self.links, *tables)

    def with_scenario(self, scenario: Scenario) -> "Catalogue":
        """One more scenario, or another one of that name."""
        return replace(self, scenarios={**self.scenarios, scenario.name: scenario})

    def with_link(self, link: NamedLink) -> "Catalogue":
        """One more link."""
        return replace(self, links={**self.links, link.name: link})

    def with_rule(self, name: str, rule: Rule) -> "Catalogue":
        """One more way to fill buckets."""
        return replace(self, rules={**self.rules, name: rule})


SHIPPED = Catalogue(SCENARIOS, LINKS, RULES)
