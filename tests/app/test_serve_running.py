"""One run of `overlap serve`: whom it answers, what it says, also behind nginx.

The configuration of nginx is the one that docs/serving.md gives.
"""

import http.client
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
SITE = "course.example"
FRAME = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""
KEY = "openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
needs_nginx = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")),
    reason="no nginx or no openssl on this machine",
)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def configuration(port, folder, secure, plain):
    """What the page gives, with this machine's ports and files for the site's own."""
    (text,) = re.findall(r"```nginx\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    for written, here in (
        ("listen 443", f"listen 127.0.0.1:{secure}"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        ("/etc/ssl/course.example", f"{folder}/site"),
        ("127.0.0.1:5006", f"127.0.0.1:{port}"),
        ("127.0.0.1:5007", f"127.0.0.1:{port}"),
    ):
        assert written in text
        text = text.replace(written, here)
    return FRAME.format(folder=folder, site=text)


@contextmanager
def in_front(port, folder):
    """nginx before the server; gives its ports for https and http, its certificate."""
    ports = free_port(), free_port()
    (folder / "nginx.conf").write_text(configuration(port, folder, *ports))
    site = ["-subj", f"/CN={SITE}", "-addext", "subjectAltName=IP:127.0.0.1"]
    site += ["-keyout", f"{folder}/site.key"]
    made = [*KEY.split(), *site, "-out", f"{folder}/site.pem"]
    subprocess.run(made, check=True, capture_output=True)
    command = ["nginx", "-p", str(folder), "-c", f"{folder}/nginx.conf"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", ports[0])) == 0:
                    break
            assert process.poll() is None, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield *ports, f"{folder}/site.pem"
    finally:
        process.terminate()
        process.wait(timeout=10)


def ask(port, path, host, origin=None, trusted=None):
    """Ask for a page, or for a socket where there's an origin; by https if trusted."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    if trusted:
        context = ssl.create_default_context(cafile=trusted)
        connection = http.client.HTTPSConnection("127.0.0.1", port, context=context)
    upgrade = {
        "Origin": origin,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "bokeh",
    }
    headers = {"Host": host, **(upgrade if origin else {})}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    text = "" if answer.status == 101 else answer.read().decode()
    connection.close()
    return SimpleNamespace(
        status=answer.status, text=text, location=answer.getheader("Location")
    )


def asked(port):
    """What it answers under its own names and others'."""
    ours, evil = f"127.0.0.1:{port}", f"evil.example:{port}"
    return {
        "by its number": ask(port, "/ws", ours, f"http://{ours}"),
        "by its name": ask(
            port, "/ws", f"localhost:{port}", f"http://localhost:{port}"
        ),
        "for the site": ask(port, "/ws", ours, f"https://{SITE}"),
        "another's page": ask(port, "/ws", ours, "http://evil.example"),
        "another's name": ask(port, "/", evil),
        "its socket": ask(port, "/ws", evil, f"http://{evil}"),
    }


def asked_through(secure, plain, trusted):
    """What nginx answers in its place."""

    def behind(path, host=SITE, origin=None):
        return ask(secure, path, host, origin, trusted)

    page = behind("/overlap/")
    script = re.search(r'(?:src|href)="([^":]+\.js[^"]*)"', page.text)[1]
    return {
        "page": page,
        "script": behind(f"/overlap/{script}"),
        "room": behind("/overlap/room"),
        "socket": behind("/overlap/ws?bucket=5", origin=f"https://{SITE}"),
        "another's page": behind("/overlap/ws", origin="https://evil.example"),
        "without the slash": behind("/overlap?bucket=5"),
        "plain": ask(plain, "/overlap/?bucket=5", SITE),
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A server that was asked in all these ways and then ended, and what it said."""
    command = [sys.executable, "-m", "overlap_widget.app", "serve", "--no-show"]
    options = ["--port", "0", "--address", "0.0.0.0", "--allow-origin", SITE]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            first = process.stdout.readline()
            port = int(re.search(r"localhost:(\d+)", first)[1])
            answers, behind = asked(port), {}
            if not needs_nginx.args[0]:
                with in_front(port, tmp_path_factory.mktemp("nginx")) as site:
                    behind = asked_through(*site)
        finally:
            process.send_signal(signal.SIGTERM)
        out, err = first + process.stdout.read(), process.stderr.read()
    return SimpleNamespace(
        port=port,
        out=out,
        err=err,
        code=process.returncode,
        answers=answers,
        behind=behind,
    )


def test_it_says_where_it_runs_what_else_it_may_be_called_and_when_it_stopped(run):
    first, names, room, others, last = run.out.splitlines()
    name = socket.gethostname()

    assert first == (
        f"Overlap Explorer runs at http://localhost:{run.port} and, for others, at "
        f"http://{name}:{run.port} (Ctrl-C stops it)"
    )
    assert names.startswith(f"It answers under the names {name.lower()}, ")
    said, _, place = room.partition(": ")
    assert said == "For a whole room, without a session each"
    assert re.fullmatch(rf"http://[\w.-]+:{run.port}/room", place)
    assert others == "Under another name, or behind another server: --allow-origin HOST"
    assert last == "Overlap Explorer has stopped."
    assert run.code == 0


@pytest.mark.parametrize("way", ["by its number", "by its name", "for the site"])
def test_a_page_connects_under_any_name_that_is_allowed_on_a_free_port_too(run, way):
    assert run.answers[way].status == 101


@pytest.mark.parametrize("way", ["another's page", "another's name", "its socket"])
def test_another_host_is_refused_also_where_it_leads_to_this_machine(run, way):
    assert run.answers[way].status == 403
    assert run.answers[way].text.startswith("Overlap Explorer doesn't answer ")


def test_what_is_refused_is_one_sentence_with_the_option_that_allows_it(run):
    host = f"evil.example:{run.port}"
    option = "if it is yours: --allow-origin"
    lines = [line for line in run.err.splitlines() if line.startswith("overlap:")]

    assert lines == [
        f"overlap: refused to answer to pages of evil.example; {option} evil.example",
        f"overlap: refused to answer at {host}; {option} {host}",
    ]
    assert "allow-websocket-origin" not in run.err
    assert run.answers["another's name"].text == (
        f"Overlap Explorer doesn't answer at {host}. Whoever started it can allow "
        f"that: overlap serve --allow-origin {host}\n"
    )


@needs_nginx
def test_behind_the_nginx_of_the_docs_the_page_lives_below_a_prefix(run):
    assert run.behind["page"].status == 200
    assert run.behind["script"].status == 200
    assert run.behind["room"].status == 200
    assert run.behind["socket"].status == 101


@needs_nginx
def test_behind_nginx_too_a_page_of_another_site_is_refused(run):
    assert run.behind["another's page"].status == 403


@needs_nginx
def test_nginx_leads_to_the_page_from_other_spellings_of_its_address(run):
    places = [run.behind[way].location for way in ("without the slash", "plain")]
    assert [(urlsplit(one).path, urlsplit(one).query) for one in places] == [
        ("/overlap/", "bucket=5")
    ] * 2
