"""The explorer's pages as a folder of files: what organisers publish."""

from __future__ import annotations

import hashlib
import html
import json
import os.path
import re
from collections import deque
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from starlette.routing import Match, Route

from ...schema.progress import Progress, silent
from ..api.tracker import Tracker
from ..folders import made_whole
from ..pages import PageMaker, request_of
from ..pages.lists import SITE
from ..pages.registry import PAGES
from ..show.html import CHARTS, asset, served
from .app import assets

_ASKING = {"search", "sql", "tables", "views", "view", "examine", "examined"}
"""Pages that answer a reader's own question, which no file can, or take seconds each."""
_FROZEN = tuple((name, page) for name, page in SITE if page.strip("/") not in _ASKING)
_LONGEST = 120
"""Letters of a file's name: no file system holds more than 255 bytes, some 143."""
_LINK = re.compile(r'<a href="(/[^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
_POINT = re.compile(r'"href": "(/[^"]*)"')
"""Where a point of a chart leads."""
_TAKEN = re.compile(r'(href|src)="(/[^"]*)"')


def write_site(tracker: Tracker, folder: Path, *, progress: Progress = silent) -> int:
    """Write every page that the first one leads to into a folder; return how many there are.

    Pages that answer a reader's own question are left out, and links to them are plain text. The
    folder is made whole or not at all; one that holds anything but a site is never replaced.

    Raises InputError where the folder cannot be written, or holds something else.
    """
    routes = [Route(path, maker) for path, maker in PAGES.items()]
    with made_whole(folder, "site") as folder_made:
        made = folder_made.path
        for name, content, _ in assets():
            (made / name).write_bytes(content)
        waiting, seen = deque(["/"]), {"/"}
        taken = datetime.now(UTC)
        done, charted = 0, False
        while waiting:
            address = waiting.popleft()
            maker, state = _maker_and_state(routes, address)
            page = replace(maker(tracker, state), forms=())
            text = served(page, _FROZEN, taken, frozen=True)
            file = _file(address)
            text, leads = _relative(text, file)
            charted = charted or "data-chart=" in text
            path = made / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            new = [lead for lead in dict.fromkeys(leads) if lead not in seen]
            seen.update(new)
            waiting.extend(new)
            done += 1
            progress(address, done, len(seen))
        if charted:
            (made / CHARTS).write_bytes(asset(CHARTS))
    return done


def _maker_and_state(routes: list[Route], address: str) -> tuple[PageMaker, dict[str, str]]:
    """Return what makes the page at an address, and what the address asks it for."""
    parts = urlsplit(address)
    scope = {"type": "http", "method": "GET", "path": unquote(parts.path)}
    for route in routes:
        match, parameters = route.matches(scope)
        if match is Match.FULL:
            maker: PageMaker = route.endpoint
            return maker, request_of(parse_qsl(parts.query), parameters["path_params"])
    raise LookupError(address)


def _file(address: str) -> str:
    """Return the file of an address: its path, and a hash of the state where it has one."""
    parts = urlsplit(address)
    names = [_file_name(name) for name in unquote(parts.path).strip("/").split("/")]
    state = f"-{_hash(parts.query)}" if parts.query else ""
    return f"{'/'.join(names) or 'index'}{state}.html"


def _file_name(name: str) -> str:
    """Return a part of an address as a file system can hold it, and leads to no other folder."""
    if name in (".", ".."):
        return name.replace(".", "%2E")
    quoted = quote(name, safe="@")
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}-{_hash(name)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _saved_address(address: str) -> str:
    """Return the address of the page that is written for another; "" where none is.

    Tables are sorted by the page's own script: no page is written for each order.
    """
    parts = urlsplit(address)
    page = parts.path.strip("/").partition("/")[0]
    if page in _ASKING or "sort" in dict(parse_qsl(parts.query)):
        return ""
    # Of a sentence there is one page, with every output.
    return parts.path if page == "sentence" else address


def _relative(text: str, file: str) -> tuple[str, list[str]]:
    """Return a page whose links lead to files beside it, and the addresses it leads to."""
    leads: list[str] = []
    start = Path(file).parent

    def lead(match: re.Match[str]) -> str:
        saved = _saved_address(html.unescape(match[1]))
        if not saved:
            return match[3]
        address, _, place = saved.partition("#")
        leads.append(address)
        target = quote(os.path.relpath(_file(address), start), safe="/@.")
        return (
            f'<a href="{target}{"#" if place else ""}{html.escape(place)}"{match[2]}>{match[3]}</a>'
        )

    def point(match: re.Match[str]) -> str:
        saved = _saved_address(json.loads(f'"{match[1]}"'))
        if not saved:
            return '"href": null'
        leads.append(saved)
        return f'"href": "{quote(os.path.relpath(_file(saved), start), safe="/@.")}"'

    def take(match: re.Match[str]) -> str:
        return f'{match[1]}="{os.path.relpath(match[2][1:], start)}"'

    return _TAKEN.sub(take, _POINT.sub(point, _LINK.sub(lead, text))), leads
