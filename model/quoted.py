"""How the sentences of errors quote what somebody wrote: on one line, and not all."""

LONGEST = 40
"""Characters of a text that a sentence quotes; in more of them it would drown."""


def quoted(text: str) -> str:
    """The text in quotes, cut where it is long; what can't be printed is escaped."""
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")
