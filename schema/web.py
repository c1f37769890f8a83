"""Requests to addresses that users name: none is followed elsewhere, none waits for long.

An address may hold a secret: no message has more of it than its host.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from threading import Event, Timer
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    ProxyHandler,
    Request,
    build_opener,
)

FIRST_FAILURE = 300
"""An answer with this status or a higher one, a redirect too, is not what was wanted."""


class _AnyStatus(HTTPErrorProcessor):
    """Gives answers as they are, and follows no redirect: what is sent is for one address."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:  # noqa: ARG002
        return response

    https_response = http_response


class _Deadline:
    """Cuts the connections of a request that takes longer than it may, however slowly it goes on.

    The time that a socket waits is for each piece that comes: a byte a second would last for ever.
    """

    def __init__(self, seconds: float) -> None:
        self._sockets: list[socket.socket] = []
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True
        self.passed = Event()

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def watch(self, connection: HTTPConnection) -> None:
        self._sockets.append(connection.sock)
        if self.passed.is_set():
            self._cut()

    def _cut(self) -> None:
        self.passed.set()
        for held in self._sockets:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def handlers(self) -> list[HTTPHandler | HTTPSHandler]:
        """Return what opens connections that are watched."""
        watch = self.watch

        class Plain(HTTPConnection):
            def connect(self) -> None:
                super().connect()
                watch(self)

        class Encrypted(HTTPSConnection):
            def connect(self) -> None:
                super().connect()
                watch(self)

        class PlainHandler(HTTPHandler):
            def http_open(self, request: Request) -> HTTPResponse:
                return self.do_open(Plain, request)

        class EncryptedHandler(HTTPSHandler):
            def https_open(self, request: Request) -> HTTPResponse:
                return self.do_open(Encrypted, request)

        return [PlainHandler(), EncryptedHandler()]


@contextmanager
def answer_to(request: Request, host: str, seconds: float) -> Iterator[HTTPResponse]:
    """Give what a host answers, whatever its status, for a block; here without a proxy.

    Raises TimeoutError where the request and the block together take longer, OSError and
    HTTPException where there is no answer.
    """
    here = [ProxyHandler({})] if is_here(host) else []
    with _Deadline(seconds) as deadline:
        opener = build_opener(_AnyStatus, *deadline.handlers(), *here)
        try:
            with opener.open(request, timeout=seconds) as answer:
                yield answer
        except (OSError, HTTPException, ValueError):
            if deadline.passed.is_set():
                raise TimeoutError("timed out") from None
            raise
        if deadline.passed.is_set():
            raise TimeoutError("timed out")


def is_here(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_of(address: str) -> str:
    """Return the host of an address of http or https; empty where it is none."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


def send_json(address: str, body: bytes, seconds: float) -> str:
    """Send JSON to an address; return why it could not be sent, empty where it was taken."""
    host = host_of(address)
    if not host:
        return "it is no address of http or https"
    headers = {"Content-Type": "application/json", "User-Agent": "sr-tracker"}
    try:
        request = Request(address, body, headers)  # noqa: S310 checked before
        with answer_to(request, host, seconds) as answer:
            return f"{host} answers HTTP {answer.status}" if answer.status >= FIRST_FAILURE else ""
    except URLError as error:
        reason = error.reason
        why = reason.strerror if isinstance(reason, OSError) else None
        return f"{host} is not reached: {why or type(reason).__name__}"
    except (OSError, HTTPException, ValueError) as error:
        return f"{host} is not reached: {type(error).__name__}"
