"""The bytes of a small file that a user names."""

from pathlib import Path


def content_of(path: Path, most_bytes: int, kind: str, too_large: str) -> bytes:
    """All of a file; `kind` is what it should be: "a file", "a JSON file".

    Raises ValueError with what is wrong, without the path: `too_large` says what to do
    where the file holds more than `most_bytes`.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except IsADirectoryError:
        raise ValueError(f"is a directory; name {kind} in it") from None
    except FileNotFoundError:
        raise ValueError("there is no such file; check the path") from None
    except (OSError, ValueError) as error:  # a path with a null byte, for one
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"can't be read ({reason})") from error
    if len(content) > most_bytes:
        raise ValueError(f"is larger than {most_bytes // 2**20} MiB, {too_large}")
    return content
