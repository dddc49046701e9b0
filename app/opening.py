"""What was in a file that the page sent: recordings, or rules, told by content."""

import json
from dataclasses import replace
from pathlib import Path

from overlap_widget.app.kernel_classes import reclassified
from overlap_widget.app.measured import Measured, added, opened
from overlap_widget.app.settings import Notice
from overlap_widget.app.upload import Upload
from overlap_widget.model.classes import Rule
from overlap_widget.model.recording import Recording
from overlap_widget.model.rules_file import MOST_BYTES

Opened = tuple[Recording, ...] | tuple[Rule, ...]


DONE = "classes.opened"
"""The key of a notice that nothing is wrong with."""


def is_rules_file(path: Path) -> bool:
    """Whether a file is a JSON object of nothing but lists of texts.

    No trace is: its lists hold events. What the file says wrong, its reader tells.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            return False
        held = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    if not isinstance(held, dict) or not held or "traceEvents" in held:
        return False
    lists = list(held.values())
    return all(isinstance(one, list) for one in lists) and all(
        isinstance(item, str) for one in lists for item in one
    )


def with_rules(measured: Measured, rules: tuple[Rule, ...]) -> Measured:
    """More rules, which hold over those before; one on the same names replaces it.

    ValueError where there are too many.
    """
    patterns = {rule.pattern for rule in rules}
    kept = [one for one in measured.classes.rules if one.pattern not in patterns]
    classes = replace(measured.classes, rules=(*kept, *rules))
    return reclassified(measured, classes)


def open_found(
    measured: Measured, upload: Upload, found: Opened, batch: str
) -> tuple[Measured, tuple[Notice, ...]]:
    """The session with what was found, and what to say of it.

    Of the files of one batch the first is shown; the others join it. ValueError where
    there are too many rules.
    """
    rules = tuple(one for one in found if isinstance(one, Rule))
    recordings = tuple(one for one in found if isinstance(one, Recording))
    if rules:
        said = Notice(DONE, {"name": upload.name, "rules_rules": len(rules)})
        return with_rules(measured, rules), (said,)
    if upload.batch and upload.batch == batch:
        return added(measured, recordings), ()
    return opened(measured, *recordings), ()
