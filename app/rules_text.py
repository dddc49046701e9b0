"""The rules of a session as the text of a rules file, which reads back as they are."""

import json
from collections.abc import Iterable, Sequence
from itertools import permutations

from overlap_widget.app.kernel_classes import exact
from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.timeline import Kind


def rules_text(rules: Sequence[Rule], names: Iterable[str]) -> str:
    """JSON under which each of the names counts as it does by the rules.

    A file groups its patterns by class, so it can't keep every order; where no order of
    the classes would do, it holds the names themselves.
    """
    known = list(names)
    wanted = _kinds(rules, known)
    for order in permutations(Kind):
        grouped = [rule for kind in order for rule in rules if rule.kind == kind]
        if _kinds(grouped, known) == wanted:
            return _text(grouped)
    return _text([Rule(exact(name), kind) for name, kind in wanted.items()])


def _kinds(rules: Sequence[Rule], names: Iterable[str]) -> dict[str, Kind]:
    classes = Classes(tuple(rules))
    found = {name: classes.kind_of(name) for name in names}
    return {name: kind for name, kind in found.items() if kind is not None}


def _text(rules: Iterable[Rule]) -> str:
    lists: dict[str, list[str]] = {}
    for rule in rules:
        lists.setdefault(rule.kind.name.lower(), []).append(rule.pattern)
    return json.dumps(lists, indent=2, ensure_ascii=False) + "\n"
