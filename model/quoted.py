"""How the sentences of errors quote what somebody wrote: on one line, and not all."""

LONGEST = 40
"""Characters of a text that a sentence quotes; in more of them it would drown."""


def quoted(text: str) -> str:
    """The text in quotes, cut where it is long; what can't be printed is escaped."""
    shown = repr(text[: LONGEST + 1])
    if len(shown) <= LONGEST + 2:  # and two quotes
        return shown
    return f"{shown[: LONGEST + 1]}...{shown[-1]}"
