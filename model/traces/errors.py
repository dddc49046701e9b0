"""What a loader says when it can't read a file."""


class TraceError(ValueError):
    """One sentence for the user: which file, where, why, and what to do."""


class TooLargeError(TraceError):
    """A file unpacks to more bytes than the limit."""
