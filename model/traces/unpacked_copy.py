"""A file on the disk for readers that need one, where the trace is packed."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from overlap_widget.model.traces.errors import TooLargeError, TraceError
from overlap_widget.model.traces.opening import opened
from overlap_widget.model.traces.options import Options, Progress
from overlap_widget.model.traces.source import plain_text
from overlap_widget.model.traces.unpacking import limited


@contextmanager
def unpacked_copy(
    path: str, options: Options, magic: bytes, damage: Counter[str]
) -> Iterator[tuple[str, Progress | None]]:
    """A file that holds the unpacked bytes, and the progress of reading it.

    It is the file itself where that starts with `magic`, else a copy that is gone
    afterwards; unpacking it is the first half of the progress. `damage` counts what
    the gzip stream lost. Raises TraceError when there are more bytes than the limit
    of the options.
    """
    with opened(path) as file:
        plain = Path(path).is_file() and file.read(len(magic)) == magic
        if not plain:
            with TemporaryDirectory(prefix="overlap-") as folder:
                copy = os.path.join(folder, "unpacked")
                text = plain_text(path, file, damage, _half(options.progress, 0.0))
                _save(path, limited(path, text, options.limit_bytes), copy)
                yield copy, _half(options.progress, 0.5)
            return
    limit_bytes = options.limit_bytes
    if limit_bytes is not None and os.path.getsize(path) > limit_bytes:
        raise TooLargeError(
            f"{path}: holds more than {limit_bytes / 1e6:,.0f} MB, the limit here; "
            "open the file by its path instead"
        )
    yield path, options.progress


def _save(path: str, pieces: Iterator[bytes], copy: str) -> None:
    with open(copy, "wb") as target:
        try:
            target.writelines(pieces)
        except OSError as error:
            raise TraceError(
                f"{path}: can't be unpacked to {os.path.dirname(copy)} "
                f"({error.strerror}); unpack it yourself and open the result"
            ) from None


def _half(progress: Progress | None, before: float) -> Progress | None:
    if progress is None:
        return None
    return lambda share: progress(before + share / 2)
