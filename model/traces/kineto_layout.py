"""The wanted events of text in libkineto's layout, by one regular expression.

libkineto writes an event over several lines, its category on the first:

      {
        "ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7,
        "ts": 1711.250, "dur": 20.125,
        "args": {
          ...
        }
      },

A line break can't stand inside a JSON string, so lines tell where an event ends. The
expression eats all events in order, those that nobody wants without keeping them. What
it can't eat stops it, so that nothing is lost in silence.
"""

import re

from overlap_widget.model.traces.kineto_names import (
    HOST_RANGES,
    LAUNCH_NOTHING,
    WITHOUT_RANGES,
)

_ARGS_ON_ONE_LINE = rb'[^\n]*+\n[^\n]*+\n    "args": \{\n[^\n]*+\n    \}\n  \}'
_ANY_LINES = rb"(?:[^\n]*+\n(?!  [{}]))*+[^\n]*+\n  \}"
_BODY = rb"(?:%s|%s)" % (_ARGS_ON_ONE_LINE, _ANY_LINES)
_SHORT = rb"[^\n]*+\n[^\n]*+\n  \}"  # arrows, mostly
_ASIDE = rb"|".join(
    (
        rb'(?:%s)"' % "|".join(WITHOUT_RANGES).encode(),
        rb'(?:cpu_op|Operator)",\s*+"name": "(?!%s)' % "|".join(HOST_RANGES).encode(),
        rb'(?:cuda_runtime|Runtime)",\s*+"name": "%s' % LAUNCH_NOTHING.encode(),
    )
)
_UNWANTED = rb'(?:[sf]"%s|[sfitnCM]"%s|X", "cat": "(?:%s)%s)' % (
    _SHORT,
    _BODY,
    _ASIDE,
    _BODY,
)
_EVENTS = re.compile(
    rb"(?s:(?=.))"  # so that nothing is found behind the end
    rb'(?:,?+\n  \{\n    "ph": "%s)*+'
    % _UNWANTED
    + rb'(?:(?:,?+\n  )?+(\{\n    "ph": "X", "cat": "%s|(?s:.++))|\Z)' % _BODY
)
_BEGINS = re.compile(rb',?\n  \{\n    "')


def wanted_texts(run: bytes) -> list[bytes] | None:
    """The texts of the wanted events of a run; None if it isn't in the layout.

    A run holds whole events, with the commas before them. Where an event is in another
    layout, the last text is all from there on, no matter how many events that is.
    """
    if not _BEGINS.match(run):
        return None
    found: list[bytes] = _EVENTS.findall(run)
    if found and not found[-1]:
        found.pop()  # it ended with events that nobody wants
    return found
