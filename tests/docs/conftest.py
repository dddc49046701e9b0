"""docs/teaching.md as its tests read it: states, and what is named behind them."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "teaching.md"
TIMES = (
    *("tail", "queued", "overhead", "wire", "floor", "pass", "step"),
    *("communication", "hidden", "best tail", "best plan"),
)
NAMES = sorted((*TIMES, "overlap", "traffic to work", "best size"), key=len)[::-1]
STATE = r"`\?(?P<state>[a-z_]+=[^`\s]+)`"
VALUE = r"(?<=work )\d\.?\d*|\d[\d.]* (?:ms|µs|%|layers?)(?!\w)"
NAMED = rf"\b(?P<name>{'|'.join(NAMES)})(?: is| of)? (?P<value>{VALUE})"
SUM = r"(?P<sum>\(?\d[\d.+*/() -]*?) = (?P<equals>\d[\d.]*(?<!\.))"
ROW = r"^\|(?P<row> \d \| `\?.*)$"
SPOT = re.compile(rf"{ROW}|(?P<head>^#)|{STATE}|{SUM}|{NAMED}", re.M | re.I)


def flat(text):
    """A paragraph a line, without fences and quotes; rows of a table as they are."""
    text = re.sub(r"^( *`{3,}).*?^\1$", "", text, flags=re.M | re.S)
    text = re.sub(r"^ *> ?", "", text, flags=re.M)
    parts = (part.strip() for part in re.split(r"\n\s*\n", text))
    return "\n".join(
        part if part.startswith("|") else " ".join(part.split()) for part in parts
    )


def spots_of(prose):
    """What can be checked, in its order, each with the state that it stands behind."""
    state = None
    for spot in SPOT.finditer(prose):
        if spot["head"]:
            state = None
        state = spot["state"] or state
        yield spot, state


@pytest.fixture(scope="session")
def teaching():
    """The text, its prose, the spots in it, and the names of times and of states."""
    text = PAGE.read_text("utf-8")
    prose = flat(text)
    return SimpleNamespace(
        text=text,
        prose=prose,
        spots=[*spots_of(prose)],
        times=TIMES,
        state=STATE,
        of_a_recording="lesson=measured",
    )
