"""Files of pages that a server which was killed could not remove."""

import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

PREFIX = "overlap-upload-"
STALE_S = 24 * 3600.0
"""No file of a page lies so long: it has an hour to come and minutes to be read."""


@cache
def remove_leftovers() -> None:
    """Remove the folders of files that nobody can be reading any more, once a process.

    Age tells it, which holds also where several machines or containers share a folder.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another one removes it
            if _is_stale(folder):
                shutil.rmtree(folder)


def _is_stale(folder: Path) -> bool:
    """Whether it is a folder of ours, no link to one, in which nothing changed."""
    about = folder.lstat()
    is_ours = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    is_old = time.time() - about.st_mtime > STALE_S
    return is_ours and is_old and stat.S_ISDIR(about.st_mode)
