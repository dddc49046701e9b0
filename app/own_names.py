"""What this machine is called by others: its names and a number of it."""

import socket
from threading import Thread

from tornado.netutil import is_valid_ip

EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that stand for all of this machine; no browser elsewhere can open them."""
MOST_WAIT_S = 0.5
"""For the network's names, which may not answer at all."""
DOCUMENTED = ("192.0.2.1", 9)
"""An address that no machine has; asking for the way to it sends nothing."""


def own_names() -> list[str]:
    """As it calls itself, as its neighbours find it, and as the network does."""
    name = socket.gethostname().lower()
    found = [name, f"{name.partition('.')[0]}.local", *_from_network(name)]
    return [one for one in dict.fromkeys(found) if not _is_of_any(one)]


def _is_of_any(name: str) -> bool:
    """Whether every machine calls itself so, or it is a number."""
    return name.startswith("localhost") or is_valid_ip(name)


def own_number() -> str | None:
    """Its address in the network that it reaches others by, if there is one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(DOCUMENTED)
        except OSError:
            return None
        return str(asking.getsockname()[0])


def _from_network(name: str) -> list[str]:
    """The full name; none when nothing answers in time."""
    found: list[str] = []
    asking = Thread(
        target=lambda: found.append(socket.getfqdn(name).lower()), daemon=True
    )
    asking.start()
    asking.join(MOST_WAIT_S)
    return list(found)
