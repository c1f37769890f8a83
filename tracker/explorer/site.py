"""The explorer's pages as a folder of files: what organisers publish."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import os
import os.path
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from starlette.routing import Match, Route

from ...queries.browser_copy import COPY_BYTES, UNSHARED, write_browser_copy
from ...queries.formats import json_text
from ...schema import TOOL_VERSION
from ...schema.database import Database
from ...schema.engine import one_thread, own_cores
from ...schema.errors import InputError, TrackerError, visible
from ...schema.progress import Progress, silent
from ..api.tracker import Tracker
from ..folders import made_whole
from ..pages import PageMaker, request_of
from ..pages.catalog import TABLES, asking, beginning
from ..pages.lists import EVERY, SITE, columns_of_all
from ..pages.registry import PAGES
from ..show.html import CHARTS, Sources, asset, served
from ..show.model import Document, Page, Section
from .app import assets

_ASKING = {"search", "views", "view", "examine", "examined"}
"""Pages that answer a reader's own question, which no file can, or take seconds each."""
_OF_SQL = {"sql", "tables"}
"""Pages that a site has where it answers SQL."""
_README = """\
---
title: {title}
sdk: static
app_file: index.html
---

Pages that sr-tracker {version} wrote, to be served as they are.
"""
_EXAMPLES = 50
"""Patterns of a submission whose examples a site has: those to which its first pages lead."""
_BATCH = 64
"""Pages that are written one after the other, while the next of them are made."""
_LONGEST = 120
"""Letters of a file's name: no file system holds more than 255 bytes, some 143."""
_DEVICE = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]", re.IGNORECASE)
"""What no file of Windows may be called, whatever its ending."""
_LINK = re.compile(r'<a href="(/[^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
_POINT = re.compile(r'"href": "(/[^"]*)"')
"""Where a point of a chart leads."""
_TAKEN = re.compile(r'(href|src|data-names)="(/[^"]*)"')


def write_site(
    tracker: Tracker, folder: Path, *, sql: bool = False, progress: Progress = silent
) -> int:
    """Write every page that the first one leads to into a folder; return how many there are.

    Pages that answer a reader's own question are left out, and links to them are plain text; with
    ``sql`` there is one on which DuckDB answers in the browser. The folder is made whole or not at
    all; one that holds anything but a site is never replaced.

    Raises InputError where the folder cannot be written, or holds something else, and where what
    runs DuckDB in a browser cannot be had.
    """
    files = engine() if sql else {}
    with made_whole(folder, "site") as folder_made:
        made = folder_made.path
        for name, content, _ in assets():
            (made / name).write_bytes(content)
        campaigns = ", ".join(tracker.show("campaign")["campaign_id"].to_pylist())
        title = json_text(visible(f"Evaluation of {campaigns}"), indent=None).strip()
        readme = _README.format(title=title, version=TOOL_VERSION)
        (made / "README.md").write_text(readme, encoding="utf-8")
        makers = dict(PAGES)
        if sql:
            answering = write_sql(tracker.database, made, files)
            makers["/sql"] = lambda *_: answering
        return _Site(tracker, made, makers, sql=sql).write(progress)


class _Site:
    """A site that is being written."""

    def __init__(
        self, tracker: Tracker, folder: Path, makers: Mapping[str, PageMaker], *, sql: bool
    ) -> None:
        self.tracker, self.folder = tracker, folder
        self.routes = [Route(path, maker) for path, maker in makers.items()]
        self.sources: Sources = "sql" if sql else "text"
        self.unsaved = _ASKING if sql else _ASKING | _OF_SQL
        self.places = tuple(
            (name, page) for name, page in SITE if page.strip("/") not in self.unsaved
        )
        self.made = datetime.now(UTC)
        self.files: dict[str, str] = {}
        """By address."""
        self.taken: dict[str, str] = {}
        """Addresses by their files, as a file system has them that knows no capitals."""
        self.examples: Counter[str] = Counter()
        """How many patterns of each submission have their examples on the site."""

    def write(self, progress: Progress) -> int:
        """Write every page that the first one leads to; return how many there are."""
        addresses, done, charted = {"/": None}, 0, False
        with (
            self.tracker.reading() as database,
            one_thread(database),
            ThreadPoolExecutor(own_cores() + 1) as threads,
        ):
            while batch := [*islice(addresses, done, done + _BATCH)]:
                for address, page in zip(batch, threads.map(self.text, batch), strict=True):
                    file = self.file(address)
                    text, leads = self.relative(page, file)
                    charted = charted or "data-chart=" in text
                    path = self.folder / file
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
                    addresses |= dict.fromkeys(leads)
                    done += 1
                    progress(address, done, len(addresses))
        if charted:
            (self.folder / CHARTS).write_bytes(asset(CHARTS))
        return done

    def text(self, address: str) -> str:
        """Return the page at an address as the explorer serves it, from any thread."""
        with self.tracker.database.aside() as database:
            page = self.page(Tracker(database), address)
        return served(page, self.places, self.made, sources=self.sources)

    def page(self, tracker: Tracker, address: str) -> Page:
        """Return the page at an address; where it cannot be made, one that says why."""
        maker, state = _maker_and_state(self.routes, address)
        try:
            # What is listed is listed whole: files answer no further questions.
            page = maker(tracker, {"rows": EVERY, **state})
        except TrackerError as error:
            section = Section("error", "Error", "", missing=str(error))
            page = Page(Document("Wrong", "This cannot be shown", [section]))
        return page if address == "/sql" else replace(page, forms=())

    def file(self, address: str) -> str:
        """Return the file of an address: another for each, whatever the file system."""
        if address not in self.files:
            file = _file(address)
            if self.taken.setdefault(file.lower(), address) != address:
                file = f"{file.removesuffix('.html')}-{_hash(address)}.html"
            self.files[address] = file
        return self.files[address]

    def saved_address(self, address: str) -> str:
        """Return the address of the page that is written for another; "" where none is.

        Tables are sorted by the page's own script: no page is written for each order.
        """
        parts = urlsplit(address)
        page = parts.path.strip("/").partition("/")[0]
        if page in self.unsaved or "sort" in dict(parse_qsl(parts.query)):
            return ""
        if page == "sql" and parts.query:
            return f"{parts.path}#{parts.query}"
        # Of a sentence there is one page, with every output.
        return parts.path if page == "sentence" else address

    def written_address(self, address: str) -> str:
        """Return ``saved_address``; "" also for examples of further patterns than a site has."""
        saved = self.saved_address(address)
        if saved.startswith("/examples/") and saved not in self.files:
            submission = urlsplit(saved).path
            if self.examples[submission] == _EXAMPLES:
                return ""
            self.examples[submission] += 1
        return saved

    def relative(self, text: str, file: str) -> tuple[str, list[str]]:
        """Return a page whose links lead to files beside it, and the addresses it leads to."""
        leads: list[str] = []
        start = Path(file).parent

        def target(address: str) -> str:
            leads.append(address)
            return quote(os.path.relpath(self.file(address), start), safe="/@.")

        def lead(match: re.Match[str]) -> str:
            saved = self.written_address(html.unescape(match[1]))
            if not saved:
                return match[3]
            address, mark, place = saved.partition("#")
            return f'<a href="{target(address)}{mark}{html.escape(place)}"{match[2]}>{match[3]}</a>'

        def point(match: re.Match[str]) -> str:
            saved = self.written_address(json.loads(f'"{match[1]}"'))
            return f'"href": "{target(saved)}"' if saved else '"href": null'

        def take(match: re.Match[str]) -> str:
            return f'{match[1]}="{os.path.relpath(match[2][1:], start)}"'

        return _TAKEN.sub(take, _POINT.sub(point, _LINK.sub(lead, text))), leads


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
    if len(quoted) <= _LONGEST and not _DEVICE.fullmatch(quoted.partition(".")[0]):
        return quoted
    return f"{quoted[:_LONGEST]}-{_hash(name)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


FOLDER = "sql"
SCRIPT, NAMES = "sql.js", "names.json"
_DUCKDB, _ARROW = ("@duckdb/duckdb-wasm", "1.32.0"), ("apache-arrow", "17.0.0")
_SHA256 = {
    _DUCKDB: "13c29d80888b795cb493b281685d3d3e1738db2fad50d419e2884c6585789722",
    _ARROW: "3517f9ef256e9e5bf819f92652028545131660784c68818604e9025ec643b317",
}
"""Of the files that npm brings."""
_SECONDS = 600


def engine() -> dict[str, bytes]:
    """Return the files that run DuckDB in a browser, by their names.

    They are kept in the user's cache. Raises InputError where they are not, and npm brings none.
    """
    duckdb, arrow = _package(*_DUCKDB), _package(*_ARROW)
    client = (
        _member(arrow, "Arrow.es2015.min.js")
        + b"\n(() => { const module = { exports: {} }; const exports = module.exports;"
        + b" const require = () => globalThis.Arrow;\n"
        + _member(duckdb, "dist/duckdb-browser.cjs")
        + b"\nglobalThis.duckdb = module.exports; })();\n"
    )
    return {
        "duckdb.js": client,
        "duckdb-worker.js": _member(duckdb, "dist/duckdb-browser-eh.worker.js"),
        "duckdb.bin": _packed(_member(duckdb, "dist/duckdb-eh.wasm")),
        "worker.js": asset("sql_worker.js"),
        "LICENSES.txt": asset("sql_licence.txt") + _member(arrow, "LICENSE.txt"),
    }


def write_sql(database: Database, site: Path, files: dict[str, bytes]) -> Page:
    """Write what the page for SQL takes into a site; return the page."""
    folder = site / FOLDER
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    with TemporaryDirectory(dir=folder, prefix=".copy-") as made:
        copy = Path(made) / "campaign.duckdb"
        left_out = write_browser_copy(database, copy)
        (folder / "campaign.bin").write_bytes(_packed(copy.read_bytes()))
    (site / SCRIPT).write_bytes(asset(SCRIPT))
    absent = {*left_out, *UNSHARED}
    names = {name: columns for name, columns in columns_of_all().items() if name not in absent}
    (site / NAMES).write_text(json_text(names), encoding="utf-8")
    lead = (
        "Any SELECT: it runs in your browser, on a copy of the campaign that came with this page."
    )
    if left_out:
        size = f"{COPY_BYTES // 10**6} MB"
        lead += f" Not in the copy, whose rows take {size} at most: {', '.join(sorted(left_out))}."
    document = Document("SQL", "Ask in SQL", [beginning()], lead=lead)
    return Page(document, forms=[asking("")], beside=[TABLES])


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=6, mtime=0)


def _package(name: str, version: str) -> Path:
    """Return the file of a package in the cache, where npm puts it if it is not there."""
    file = _engine_file(name, version)
    if _is_right(file, name, version):
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=file.parent) as folder:
            reason = _download(f"{name}@{version}", Path(folder))
            brought = Path(folder) / file.name
            if not reason and not _is_right(brought, name, version):
                reason = "npm brought another file than is expected"
            if not reason:
                brought.replace(file)
    except OSError as error:
        reason = error.strerror or str(error)
    if reason:
        raise InputError(
            f"SQL on a site needs {name} {version}: {reason}",
            where=str(file),
            hint="put the package's file there ('npm pack' fetches it), or leave --sql out",
        )
    return file


def _engine_file(name: str, version: str) -> Path:
    """Return the file of a package in the cache, called as npm calls it."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "sr-tracker", f"{name.strip('@').replace('/', '-')}-{version}.tgz")


def _download(package: str, folder: Path) -> str:
    """Let npm fetch a package; return what went wrong."""
    npm = shutil.which("npm")
    if npm is None:
        return "it is not in the cache, and npm is not installed"
    command = [npm, "pack", "--silent", "--ignore-scripts", package]
    try:
        done = subprocess.run(  # noqa: S603 - its arguments are ours
            command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False, text=True
        )
    except subprocess.TimeoutExpired:
        return f"npm took longer than {_SECONDS} seconds"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return "" if done.returncode == 0 else f"npm failed: {lines[-1] if lines else 'offline?'}"


def _is_right(file: Path, name: str, version: str) -> bool:
    """Return whether a file is there and is the package, byte by byte."""
    if not file.is_file():
        return False
    return hashlib.sha256(file.read_bytes()).hexdigest() == _SHA256[name, version]


def _member(package: Path, name: str) -> bytes:
    with tarfile.open(package) as archive:
        content = archive.extractfile(f"package/{name}")
        if content is None:
            raise LookupError(name)
        return content.read()
