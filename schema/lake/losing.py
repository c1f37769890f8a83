"""Telling that a lake was lost: its catalog's server, or the data, is gone meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from sr_tracker.schema.errors import DatabaseUnavailableError
from sr_tracker.schema.lake.address import LakeAddress, Place

_LOST = (
    *("server closed the connection", "Failed to execute query", "no connection to the server"),
    "fetch from an unsuccessful query result",
)
"""What is said where PostgreSQL ends while a statement runs; the last where DuckLake asks on."""


@contextmanager
def unreachable_when_lost(place: Place) -> Iterator[None]:
    """Raise DatabaseUnavailableError where the lake of a place is lost within the block."""
    try:
        yield
    except duckdb.Error as error:
        gone = isinstance(
            error, duckdb.IOException | duckdb.HTTPException | duckdb.ConnectionException
        )
        if not isinstance(place, LakeAddress) or not (
            gone or any(told in str(error) for told in _LOST)
        ):
            raise
        raise DatabaseUnavailableError(
            f"the lake was lost: {str(error).strip().splitlines()[0]}",
            where=str(place),
            hint="what was committed before is whole; do it again when the lake is back, that "
            "goes on",
        ) from error
