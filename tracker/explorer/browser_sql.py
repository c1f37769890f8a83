"""SQL on a site: DuckDB for browsers, fetched once by npm, and a copy of the campaign for it."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from ...queries.browser_copy import COPY_BYTES, UNSHARED, write_browser_copy
from ...queries.formats import json_text
from ...schema.database import Database
from ...schema.errors import InputError
from ..pages.catalog import TABLES, asking, beginning
from ..pages.lists import columns_of_all
from ..show.html import asset
from ..show.model import Document, Page

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
    file = _kept(name, version)
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


def _kept(name: str, version: str) -> Path:
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
