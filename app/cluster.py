"""A Dask cluster as the place where files are read."""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

CONNECT_S = 5
"""How long a scheduler may take to answer."""
_TALKATIVE = ("distributed.client", "distributed.core", "distributed.utils")


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """An executor that runs where the scheduler at this address has its workers.

    ValueError with one sentence when Dask isn't installed, or no scheduler answers.
    """
    if find_spec("distributed") is None:
        raise ValueError(
            "--scheduler needs Dask, which isn't installed here: "
            'pip install "overlap-widget[cluster]"'
        )
    try:
        # Asked first, since a client that fails to connect complains for seconds, and
        # one that meets another service waits for ever.
        _ask(address)
    except (OSError, ValueError) as error:
        reason = str(error) or "something else is listening"
        raise ValueError(
            f"--scheduler {address}: no Dask scheduler answers there ({reason}); give "
            "its address as in tcp://10.0.0.1:8786"
        ) from None
    for name in _TALKATIVE:  # of a lost scheduler each file has a sentence of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)
    client = import_module("distributed").Client(
        address, timeout=CONNECT_S, set_as_default=False
    )
    with client:
        # Each try is one of its own: a task that failed isn't answered from memory.
        yield client.get_executor(pure=False)


def _ask(address: str) -> None:
    """In a thread of its own, since a loop may run in this one, as in a notebook."""
    with ThreadPoolExecutor(max_workers=1) as asker:
        asker.submit(lambda: asyncio.run(_answer_in_time(address))).result()


async def _answer_in_time(address: str) -> None:
    await asyncio.wait_for(_answer(address), 2 * CONNECT_S)


async def _answer(address: str) -> None:
    comm = await import_module("distributed.comm").connect(address, timeout=CONNECT_S)
    await comm.close()
