"""Mends the text of an event that isn't JSON, and says what was wrong with it.

Profilers write names and values unescaped: Windows paths, quotation marks, `inf`.
Only what JSON forbids is changed; escapes that mean something stay.
"""

import json
import re
from typing import Any

Event = dict[str, Any]

BARE_VALUES = "a value that isn't JSON (such as inf or N/A) was taken for null"
BACKSLASHES = "backslashes that escape nothing were kept as they are"
QUOTES = "quotation marks inside a name were kept as they are"
COMMAS = "a trailing comma was dropped"
BLANKS = "NUL bytes were dropped"
NOT_UTF8 = "bytes that aren't UTF-8 were replaced"

_DECODER = json.JSONDecoder(strict=False, parse_float=str)
_GAP = r"[\s\x00]*"
_ENDS = rf"""(?={_GAP}(?:[:}}\]]|$|,{_GAP}(?:["\[{{}}\]\d.+-]|null|true|false)))"""
_KEY_FOLLOWS = rf"""(?={_GAP}(?:,{_GAP}"[^"\\]*"{_GAP}:|\}}{_GAP}(?:[,}}\]]|$)))"""
_KEY = rf'"(?:[^"\\]|\\.)*"{_GAP}:'
_VALUE_ENDS = rf"(?={_GAP}(?:[}}\]]|$|,{_GAP}(?:{_KEY}|[}}\]]|$)))"
_TOKEN = re.compile(
    # a quotation mark ends a string only where JSON could go on behind it
    rf'(?P<before>:\s*)"(?P<value>(?:[^"\\]|\\(?="{_KEY_FOLLOWS})|\\.'
    rf'|"(?!{_VALUE_ENDS}))*+)"'
    rf"|(?P<hollow>:(?={_GAP}[,}}\]]))"
    rf'|"(?P<string>(?:[^"\\]|\\(?="{_KEY_FOLLOWS})|\\.|"(?!{_ENDS}))*+)"'
    r'|(?P<endless>".*)'  # or it would be looked for again at each later one
    rf"|(?P<comma>,)(?={_GAP}[}}\]])"
    r"|(?P<nul>\x00+)"
    r'|(?P<bare>[^\s\x00"{}\[\],:]+)',
    re.DOTALL,
)
_ESCAPE = re.compile(
    r'\\(?:["\\]|u[0-9a-fA-F]{4}|(?P<valid>[/bfnrt])|(?P<stray>.|$))', re.DOTALL
)
_BARE_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS = frozenset({"true", "false", "null"})


def decoded(text: str) -> Any:
    """A JSON value; decimals stay text, so that none is rounded.

    Raises ValueError when the text isn't JSON, or too deep or too large to be read.
    """
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def decoded_at(text: str, at: int = 0) -> tuple[Any, int]:
    """The JSON value that starts at a place, and where it ends; errors as `decoded`."""
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def mended(text: str) -> tuple[str, frozenset[str]]:
    """The text as JSON as far as that can be done, and what was changed."""
    changes: set[str] = set()

    def mend(token: re.Match[str]) -> str:
        body = token["string"] if token["value"] is None else token["value"]
        if body is not None:
            return f'{token["before"] or ""}"{_mended_string(body, changes)}"'
        if token["endless"]:
            return token["endless"]
        if token["comma"]:
            changes.add(COMMAS)
            return ""
        if token["nul"]:
            changes.add(BLANKS)
            return " "
        bare = token["bare"] or ""
        if bare in _WORDS or _NUMBER.fullmatch(bare):
            return bare
        changes.add(BARE_VALUES)
        return f"{token['hollow'] or ''}null"

    return _TOKEN.sub(mend, text), frozenset(changes)


def _mended_string(body: str, changes: set[str]) -> str:
    """Escape what isn't; a string with a stray backslash was never escaped at all.

    So in `C:\\users\\new` the `\\n` is no line break. In strings without a stray
    backslash every escape stays.
    """
    if any(escape["stray"] is not None for escape in _ESCAPE.finditer(body)):
        changes.add(BACKSLASHES)
        body = _ESCAPE.sub(_doubled, body)
    if '"' in _ESCAPE.sub("", body):
        changes.add(QUOTES)
        body = _BARE_QUOTE.sub(lambda found: found[1] or r"\"", body)
    return body


def _doubled(escape: re.Match[str]) -> str:
    """Keep what can't be text of a path: an escaped quote, backslash or code point."""
    plain = escape["valid"] or escape["stray"]
    return escape[0] if plain is None else rf"\\{plain}"
