"""Where a database is: a file, a lake's address (``ducklake:postgres:dbname=…``), a server's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .errors import InputError

TOKEN_VARIABLE = "TRACKER_TOKEN"  # noqa: S105 a name
"""The environment variable with the token that a served campaign asks for."""
PREFIX = "ducklake:"
_POSTGRES = "postgres:"
_SECRET_WORD = re.compile(r"(password|passwd|pwd|secret|scram_\w+_key)\w*\s*=", re.IGNORECASE)
_SECRET_OF_USER = re.compile(r":/+[^@]*:[^@]*@")
"""A name and a password before a host; a password may hold any character, a path one slash."""


@dataclass(frozen=True)
class LakeAddress:
    """A lake: its catalog, and where its data is, which the catalog knows once there is any."""

    catalog: str
    """``postgres:`` and libpq's words (dbname=… host=…), or a file for one process at a time."""
    data_path: str | None = None
    """A folder, or s3://BUCKET/…"""
    moment: datetime | None = None
    """As it stood then; None for now."""

    def __post_init__(self) -> None:
        """Raise InputError for a password: addresses stand in messages."""
        _check_no_secret(self.catalog)
        _check_no_secret(self.data_path or "")

    def __str__(self) -> str:
        return f"{PREFIX}{self.catalog}"

    @property
    def is_postgres(self) -> bool:
        """Whether the catalog is in PostgreSQL, so that many may write."""
        return self.catalog.startswith(_POSTGRES)

    @property
    def folder(self) -> str | None:
        """Where the data is, absolute, ending with a slash; None where only the catalog knows."""
        if self.data_path is None:
            return None
        remote = "://" in self.data_path
        path = self.data_path if remote else str(Path(self.data_path).expanduser().resolve())
        return path.rstrip("/") + "/"


@dataclass(frozen=True)
class ServedAddress:
    """A campaign that ``tracker serve --tokens`` serves: http://HOST:PORT."""

    address: str
    """Without a slash at its end."""

    def __str__(self) -> str:
        return self.address


def served_address(text: str) -> ServedAddress | None:
    """Return the address of a served campaign; None for a text that is none of http or https.

    Raises InputError for an address with more in it than a host, a port and a path.
    """
    if not text.startswith(("http://", "https://")):
        return None
    try:
        parts = urlsplit(text)
        whole = parts.hostname and (parts.port or True)
    except ValueError:
        whole = None
    if not whole or parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            "the address of a served campaign is http://HOST:PORT alone",
            hint=f"the token is no part of it: set {TOKEN_VARIABLE}",
        )
    return ServedAddress(text.rstrip("/"))


Place = Path | LakeAddress
"""Where a database is."""


def _holds_secret(text: str) -> bool:
    """Return whether a password is in a text, as libpq reads words and addresses."""
    return bool(_SECRET_WORD.search(f"{text} {unquote(text)}") or _SECRET_OF_USER.search(text))


def _check_no_secret(text: str) -> None:
    """Raise InputError, without the text, where a password is in it."""
    if _holds_secret(text):
        raise InputError(
            "a lake's address holds no password",
            hint="give it in the environment (PGPASSWORD, or PGPASSFILE for a file of passwords)",
        )


def is_lake(text: str) -> bool:
    """Return whether a text is a lake's address, not a file's."""
    return text.startswith(PREFIX)


def place_of(place: str | Path | LakeAddress, data_path: str | None = None) -> Place:
    """Return what a text names: a file, or a lake, whose data is in the folder or bucket.

    Raises InputError for an address with a password in it, one that names no catalog, and that of a
    served campaign, to which commands alone are sent.
    """
    if isinstance(place, LakeAddress):
        return place if data_path is None else replace(place, data_path=data_path)
    text = str(place)
    if served_address(text):
        raise InputError(
            f"{text} is a served campaign, which takes commands alone",
            hint=f"'tracker -d {text} COMMAND' sends one; rows are at {text}/rows.parquet?query=…",
        )
    if not is_lake(text) and (not _holds_secret(text) or Path(text).exists()):
        return Path(place)
    _check_no_secret(text)
    catalog = text.removeprefix(PREFIX)
    if not catalog.removeprefix(_POSTGRES).strip() or catalog.startswith("postgresql:"):
        raise InputError(
            f"'{text}' names no catalog",
            hint="write ducklake:postgres:dbname=NAME host=HOST, as PostgreSQL's clients do, or "
            "ducklake:FILE for a lake of one process",
        )
    if not catalog.startswith(_POSTGRES):
        catalog = str(Path(catalog).expanduser().resolve())
    return LakeAddress(catalog, data_path or None)
