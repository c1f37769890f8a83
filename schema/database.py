"""Opening a campaign database: one file, one writer, any number of readers."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import duckdb

from schema.errors import DatabaseBusyError, DatabaseUnavailableError
from schema.migrate import migrate, migrations, schema_version

if TYPE_CHECKING:
    from sqlmodel import Session

# The log of recent changes may grow to this size before they are packed into the tables: packing
# after every few files costs more than loading them.
_SETTINGS = "SET checkpoint_threshold = '256MB'"
_HOLDER = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")


class Closeable:
    """Something open: leaving its ``with`` block closes it."""

    def close(self) -> None:
        """Close it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Database(Closeable):
    """An open campaign database."""

    def __init__(self, path: Path | None, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self.connection = connection
        self._in_transaction = False

    @contextmanager
    def transaction(self, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """Run the block's statements as one transaction: all of them take effect, or none.

        A transaction within another one is part of it, ``read_only`` or not.
        """
        if self._in_transaction:
            yield self.connection
            return
        self.connection.execute("BEGIN TRANSACTION READ ONLY" if read_only else "BEGIN")
        self._in_transaction = True
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.interrupt()  # what a signal broke off runs on, and would hold this up
            with suppress(duckdb.TransactionException):  # a COMMIT that fails has ended it already
                self.connection.execute("ROLLBACK")
            raise
        finally:
            self._in_transaction = False

    def session(self) -> Session:
        """Return an SQLModel session on this database, for reading and writing single objects."""
        from duckdb_engine import ConnectionWrapper
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool
        from sqlmodel import Session

        engine = create_engine(
            "duckdb://",
            creator=lambda: ConnectionWrapper(self.connection.cursor()),
            poolclass=NullPool,
        )
        return Session(engine)

    def close(self) -> None:
        """Close the connection and give the file free."""
        self.connection.close()


def open_database(
    path: Path | str | None, *, read_only: bool = False, wait_seconds: float = 5.0
) -> Database:
    """Open a campaign database and bring its schema up to date; ``None`` opens one in memory.

    Writing creates the file where there is none. Reading needs an existing file. Waits up to
    ``wait_seconds`` while another process holds the file.

    Raises DatabaseBusyError when it is still held then, DatabaseUnavailableError when the file
    is missing, damaged, of another program or of a newer tracker.
    """
    file = None if path is None else Path(path)
    if file is not None:
        _check_path(file, read_only=read_only)
    if read_only and file is not None:
        connection = _connect(file, read_only=True, wait_seconds=wait_seconds)
        with _closed_on_error(connection, file):
            version = schema_version(connection)
        if version == len(migrations()):
            return Database(file, connection)
        connection.close()
    connection = _connect(file, read_only=False, wait_seconds=wait_seconds)
    with _closed_on_error(connection, file):
        migrate(connection, file)
    if not (read_only and file is not None):
        return Database(file, connection)
    connection.close()
    return Database(file, _connect(file, read_only=True, wait_seconds=wait_seconds))


@contextmanager
def _closed_on_error(connection: duckdb.DuckDBPyConnection, file: Path | None) -> Iterator[None]:
    """Close the connection where the block fails; the error names the file."""
    try:
        yield
    except DatabaseUnavailableError as error:
        connection.close()
        error.where = error.where or str(file)
        raise
    except duckdb.Error as error:
        connection.close()
        raise _unavailable(error, file) from error
    except BaseException:
        connection.close()
        raise


def _check_path(file: Path, *, read_only: bool) -> None:
    if file.is_dir():
        raise DatabaseUnavailableError(
            "the database path is a folder", where=str(file), hint="give a file with --database"
        )
    if read_only and not file.exists():
        raise DatabaseUnavailableError(
            "there is no such database",
            where=str(file),
            hint="ingest a campaign first, or name another file with --database",
        )
    if not file.parent.exists():
        raise DatabaseUnavailableError(
            "the database's folder does not exist", where=str(file.parent), hint="create it first"
        )


def _connect(
    file: Path | None, *, read_only: bool, wait_seconds: float
) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            connection = duckdb.connect(
                ":memory:" if file is None else str(file), read_only=read_only
            )
            connection.execute(_SETTINGS)
            return connection
        except duckdb.Error as error:
            busy = isinstance(error, duckdb.IOException) and "Could not set lock" in str(error)
            if busy and time.monotonic() < deadline:
                time.sleep(0.1)
                continue
            raise (_busy(error, file) if busy else _unavailable(error, file)) from error


def _busy(error: duckdb.Error, file: Path | None) -> DatabaseBusyError:
    holder = _HOLDER.search(str(error))
    name = f"process {holder['pid']} ({holder['program']})" if holder else "another process"
    return DatabaseBusyError(
        f"the database is in use by {name}",
        where=str(file),
        hint="wait until it has finished, or stop it; readers and one writer exclude each other",
    )


def _unavailable(error: duckdb.Error, file: Path | None) -> DatabaseUnavailableError:
    return DatabaseUnavailableError(
        f"the database cannot be opened: {str(error).splitlines()[0]}",
        where=str(file),
        hint="check the file's permissions and that it is a DuckDB database of this version",
    )
