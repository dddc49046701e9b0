"""Which hosts the live page answers under, and whose pages may connect to it."""

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from overlap_widget.app import own_names as names_of_this_machine
from overlap_widget.app.allowed_hosts import is_allowed, named_host, plain_host
from overlap_widget.app.own_names import own_names
from overlap_widget.app.unwelcome import Unwelcome

ALLOWED = {"localhost:5006", "course.example", "lab7:8443"}
OWN = ("192.168.7.3", 5006)
"""Where the connection came in."""


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:5006", True),
        ("http://LOCALHOST:5006", True),
        ("http://localhost:5007", False),
        ("http://localhost", False),
        ("https://course.example", True),
        ("http://course.example", True),
        ("http://course.example:5006", False),
        ("http://my.course.example", False),
        ("http://course.example.evil.example", False),
        ("https://lab7:8443", True),
        ("https://lab7", False),
        ("http://192.168.7.3:5006", True),  # its own number, by which it was reached
        ("http://192.168.7.4:5006", False),  # another's
        ("http://192.168.7.3:5007", False),
        ("http://localhost:5006@evil.example", False),
        ("null", False),  # of a page from a disk
        ("", False),
        ("*", False),
        ("http://*:5006", False),
    ],
)
def test_an_origin_is_one_that_is_named_or_our_own_number(origin, allowed):
    assert is_allowed(origin, ALLOWED, OWN) == allowed


def test_a_host_without_a_port_is_at_either_schemes_own():
    assert is_allowed("course.example", ALLOWED, OWN)
    assert is_allowed("lab7", {"lab7:443"}, OWN)
    assert not is_allowed("lab7", {"lab7:8443"}, OWN)


def test_a_number_may_be_written_in_any_way_of_its_kind():
    own = ("::1", 5006)
    assert is_allowed("http://[::1]:5006", (), own)
    assert is_allowed("http://[0:0:0:0:0:0:0:1]:5006", (), own)
    assert not is_allowed("http://[::2]:5006", (), own)


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("course.example", "course.example"),
        ("Lab7:8080", "lab7:8080"),
        ("https://course.example/widget/", "course.example"),
        ("[::1]:5006", "[::1]:5006"),
    ],
)
def test_a_host_may_be_typed_as_it_stands_in_the_address_bar(typed, host):
    assert named_host(typed) == host


def test_what_could_be_named_is_the_host_as_it_came():
    assert plain_host("https://Course.example") == "course.example"
    assert plain_host("lab7:8443") == "lab7:8443"
    assert plain_host("null") == plain_host("http://<b>:5006") == ""


@pytest.mark.parametrize("typed", ["*", "*.example", "lab7:*", "http://*"])
def test_a_wildcard_is_refused(typed):
    with pytest.raises(ValueError, match=r"^a wildcard would let any page in"):
        named_host(typed)


@pytest.mark.parametrize("typed", ["", "a b", "lab7/overlap", "lab7:http", "::1"])
def test_what_is_no_host_is_refused(typed):
    with pytest.raises(ValueError, match=r"^not a host\[:port\]"):
        named_host(typed)


def unwelcome(allowed=ALLOWED, **headers):
    """What a request with these headers, in a connection of a file, is refused for."""
    start = RequestStartLine("GET", "/ws", "HTTP/1.0")
    request = HTTPServerRequest(start_line=start, headers=HTTPHeaders(headers))
    found = Unwelcome(allowed).match(request)
    return found and (found["path_kwargs"]["header"], found["path_kwargs"]["came"])


def test_a_request_is_refused_for_the_name_it_was_sent_to_or_the_page_it_is_from():
    ours = "localhost:5006"
    other = "http://evil.example:5006"

    assert unwelcome(Host=ours) is None
    assert unwelcome(Host=ours, Origin=f"http://{ours}") is None
    assert unwelcome(Host=ours, Origin=other) == ("Origin", other)
    # A name of another that leads to this machine has the same origin as its pages.
    assert unwelcome(Host="evil.example:5006", Origin=other)[0] == "Host"
    assert unwelcome() is None


def test_an_origin_that_is_allowed_is_one_for_the_library_too():
    allowed = {"localhost:5006", "lab7:443"}
    assert unwelcome(allowed, Host="localhost:5006", Origin="https://lab7") is None
    assert "lab7:80" in allowed  # as it looks up an origin without a port


def test_the_names_of_a_machine_are_its_own_and_never_everyones(monkeypatch):
    socket = names_of_this_machine.socket
    monkeypatch.setattr(socket, "gethostname", lambda: "Lab7")
    monkeypatch.setattr(socket, "getfqdn", lambda _name: "lab7.cs.example")
    assert own_names() == ["lab7", "lab7.local", "lab7.cs.example"]

    monkeypatch.setattr(socket, "getfqdn", lambda _name: "localhost.localdomain")
    assert own_names() == ["lab7", "lab7.local"]
