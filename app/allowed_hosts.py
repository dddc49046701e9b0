"""Under which hosts the live page may be opened, and whose pages may connect to it.

A host is `name:port`. Browsers leave the port out where it is the scheme's own.
"""

import re
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

SCHEME_PORTS = {"http": ("80",), "https": ("443",)}
EITHER = ("80", "443")
"""For a host without a port and without a scheme: which of them can't be told."""
_HOST = re.compile(
    r"(?P<name>[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?"
)


def named_host(text: str) -> str:
    """A host as somebody types it, an address of a page too; ValueError in a sentence.

    Without a port it stays so: both schemes' own ports are meant.
    """
    host = urlsplit(text).netloc if "://" in text else text
    host = host.lower()
    if "*" in host:
        raise ValueError("a wildcard would let any page in; name each host")
    if not _HOST.fullmatch(host):
        raise ValueError("not a host[:port] such as course.example or lab7:8080")
    return host


def hosts_of(origin: str) -> list[str]:
    """What an `Origin` or `Host` stands for, with the port; empty for no host."""
    scheme = origin.partition("://")[0]
    found = _HOST.fullmatch(plain_host(origin))
    if not found:
        return []
    ports = [found["port"]] if found["port"] else SCHEME_PORTS.get(scheme, EITHER)
    return [f"{found['name']}:{port}" for port in ports]


def plain_host(origin: str) -> str:
    """An `Origin` or `Host` as one would name it; empty for no host.

    A page from a disk, or in a frame that is kept apart, has the origin `null`.
    """
    host = origin.rpartition("://")[2].lower()
    return host if _HOST.fullmatch(host) and host != "null" else ""


def is_allowed(origin: str, allowed: Collection[str], own: tuple[str, int]) -> bool:
    """Whether an `Origin` or a `Host` is one of the allowed, or our own number.

    allowed: with a port, or without for those of http and https
    own:     address and port at which the connection came in. A page from there is one
             of ours, however many addresses the machine has; names that only lead
             there (DNS rebinding) are not it.
    """
    hosts = hosts_of(origin)
    plain = {
        host.rpartition(":")[0] for host in hosts if host.endswith((":80", ":443"))
    }
    return any(host in allowed for host in [*hosts, *plain]) or any(
        _is_number(host, own) for host in hosts
    )


def _is_number(host: str, own: tuple[str, int]) -> bool:
    name, _, port = host.rpartition(":")
    try:
        number = ip_address(name.strip("[]"))
        return (number, port) == (ip_address(own[0].partition("%")[0]), str(own[1]))
    except ValueError:
        return False
