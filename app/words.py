"""Every word on the screen, from the files that the front reads too.

A language is a file `static/strings.LANG.json`. English is whole; what another one
lacks is said in English. Numbers are written alike in all: Spanish has a decimal point
too, as the Ortografía of 2010 recommends, and as Mexico and Central America write it,
with a comma between thousands.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files

ENGLISH = "en"
_spoken = ContextVar("_spoken", default=ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, by their codes: English first."""
    static = files("overlap_widget.static")
    names = [one.name.split(".") for one in static.iterdir()]
    found = [name[1] for name in names if (name[0], name[-1]) == ("strings", "json")]
    return tuple(sorted(found, key=lambda lang: (lang != ENGLISH, lang)))


@cache
def strings(lang: str = ENGLISH) -> dict[str, str]:
    """All texts of a language by key; templates with `{name}` places."""
    source = files("overlap_widget.static").joinpath(f"strings.{lang}.json")
    texts: dict[str, str] = json.loads(source.read_text(encoding="utf-8"))
    return texts if lang == ENGLISH else strings() | texts


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """While `words` speaks a language; KeyError for one that there isn't."""
    if lang not in languages():
        raise KeyError(lang)
    before = _spoken.set(lang)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> str:
    """The language that `words` speaks: English, unless within `speaking`."""
    return _spoken.get()


def words(key: str, **values: object) -> str:
    """The text of a key with its places filled; KeyError for an unknown key."""
    text = strings(_spoken.get())[key]
    return text.format(**values) if values else text
