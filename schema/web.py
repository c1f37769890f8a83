"""Requests to addresses that users name: none is followed elsewhere, none waits for long.

An address may hold a secret: no message has more of it than its host.
"""

from __future__ import annotations

from http.client import HTTPException
from ipaddress import ip_address
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: what is sent is for the address that was named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def opener_for(host: str) -> OpenerDirector:
    """Return what opens addresses of a host: without redirects, and here without a proxy."""
    handlers = [ProxyHandler({})] if is_here(host) else []
    return build_opener(_NoRedirects, *handlers)


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
        opener_for(host).open(request, timeout=seconds).close()
    except HTTPError as error:
        error.close()
        return f"{host} answers HTTP {error.code}"
    except URLError as error:
        reason = error.reason
        why = reason.strerror if isinstance(reason, OSError) else None
        return f"{host} is not reached: {why or type(reason).__name__}"
    except (OSError, HTTPException, ValueError) as error:
        return f"{host} is not reached: {type(error).__name__}"
    return ""
