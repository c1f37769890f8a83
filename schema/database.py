"""Opening a campaign database: one file, one writer, any number of readers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import duckdb

from .address import LakeAddress, Place, place_of
from .engine import configured, out_of_memory
from .errors import DatabaseUnavailableError, InputError, ReadOnlyError
from .files import part_of
from .migrate import TABLES, Contents, is_newest, migrate, schema_version
from .statements import quoted
from .themes import module
from .waiting import (
    Wait,
    begin_changes,
    check_changes,
    damaged_log,
    log_of,
    open_in_turn,
    set_log_aside,
    unavailable,
)

if TYPE_CHECKING:
    from sqlmodel import Session

WAIT_SECONDS = 60.0
"""How long to wait for a database that another process holds, unless told otherwise."""


def say_nothing(text: str) -> None:
    """Tell nobody."""


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

    folders: Sequence[str] = ()
    """Folders whose files belong to it."""
    comments_on_view_columns = True
    """Whether it keeps what the columns of views mean."""
    is_new = False
    """Whether it was made by opening it."""
    has_own_catalog = True
    """Whether views are installed for who opens it alone, by reading too; else several share it."""

    def __init__(
        self,
        path: Path | None,
        connection: duckdb.DuckDBPyConnection | None,
        *,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self.read_only = read_only
        self._connection = connection
        self._in_transaction = False

    @property
    def where(self) -> str:
        """What messages call it: its path."""
        return str(self.path)

    @property
    def catalog(self) -> str:
        """What its connection's SQL calls it, in quotes."""
        (name,) = self.connection.execute("SELECT current_database()").fetchone() or ("",)
        return '"' + str(name).replace('"', '""') + '"'

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """What runs its statements. Raises InputError where the file is not open at present."""
        if self._connection is None:
            raise InputError(
                "the file is open only inside a block that holds it",
                where=self.where,
                hint="'with db.reading() as database', or db.writing(), holds it for a block",
            )
        return self._connection

    @contextmanager
    def opened(self, *, read_only: bool) -> Iterator[None]:  # noqa: ARG002
        """Do the block's operation: this one is open anyway, see ``schema.sharing``."""
        yield

    def check_within(self, query: str) -> None:
        """Do nothing: what else a query may read here, the limits of its connection say."""

    def give_way(self) -> None:
        """Do nothing: who holds this one holds it until it is closed."""

    def set_up(self, step: Callable[[duckdb.DuckDBPyConnection], object]) -> None:
        """Do something to the connection that the rest of the operation needs."""
        step(self.connection)

    @contextmanager
    def transaction(self, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """Run the block's statements as one transaction: all of them take effect, or none.

        A transaction within another one is part of it, ``read_only`` or not.

        Raises ReadOnlyError where the database is open for reading and the block is to write,
        OutOfMemoryError where the memory that the process may have does not do.
        """
        if self.read_only and not read_only:
            raise ReadOnlyError(
                "the database is open for reading only",
                where=self.where,
                hint="open it without read_only=True",
            )
        if self._in_transaction:
            yield self.connection
            return
        with nullcontext() if read_only else self.turn():
            yield from self._transaction(read_only)

    def _transaction(self, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
        self.connection.execute("BEGIN TRANSACTION READ ONLY" if read_only else "BEGIN")
        self._in_transaction = True
        try:
            if not read_only:
                self._fence()
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException as error:
            self.connection.interrupt()  # what a signal broke off runs on, and would hold this up
            with suppress(duckdb.Error):  # a COMMIT that fails has ended it already
                self.connection.execute("ROLLBACK")
            if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
                raise out_of_memory(error, self.path) from error
            if refusal := self._refusal(error):
                raise refusal from error
            raise
        finally:
            self._in_transaction = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the block when nobody else writes: who has a file open for writing is alone."""
        yield

    def _fence(self) -> None:
        """Do what a transaction that writes begins with: nothing, whose file is held alone."""

    def _refusal(self, error: BaseException) -> DatabaseUnavailableError | None:  # noqa: ARG002
        """Return what to raise in place of an error that ends a transaction; None for itself."""
        return None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return another connection to the same database."""
        return self.connection.cursor()

    @contextmanager
    def aside(self) -> Iterator[Database]:
        """Give the block this database by a connection of its own, as other threads need one."""
        with self.cursor() as connection:
            yield Database(self.path, connection, read_only=self.read_only)

    def session(self) -> Session:
        """Return an SQLModel session on this database, for reading and writing single objects."""
        from duckdb_engine import ConnectionWrapper
        from sqlalchemy import create_engine
        from sqlalchemy.pool import NullPool
        from sqlmodel import Session

        engine = create_engine(
            "duckdb://",
            creator=lambda: ConnectionWrapper(self.cursor()),
            poolclass=NullPool,
        )
        return Session(engine)

    def close(self) -> None:
        """Pack what was written into the file, close the connection and give the file free."""
        if self.path is not None and not self.read_only:
            with suppress(duckdb.Error):  # the changes stay in the log, for who opens it next
                self.connection.execute("CHECKPOINT")
        self.connection.close()


def attach_file(
    connection: duckdb.DuckDBPyConnection,
    file: Path,
    name: str,
    *,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
) -> None:
    """Attach a database's file to a connection by a name, for reading; raises as opening does."""
    with Wait(wait_seconds, say) as wait:
        query = f"ATTACH {quoted(str(file))} AS {name} (READ_ONLY)"
        open_in_turn(lambda: connection.execute(query), file, wait, read_only=True)


def open_database(
    path: Place | str | None,
    *,
    read_only: bool = False,
    create: bool = True,
    wait_seconds: float = WAIT_SECONDS,
    say: Callable[[str], None] = say_nothing,
    accept_loss: bool = False,
    contents: Contents = TABLES,
) -> Database:
    """Open a campaign database and bring its schema up to date; ``None`` opens one in memory.

    A lake's address opens that.

    Writing creates the file where there is none, or an empty one, if ``create``. Reading needs an
    existing file. Waits up to ``wait_seconds`` while another process holds the file, and gets
    ``say`` to tell the user whom it waits for. ``accept_loss`` goes on with what the file itself
    holds where its log of changes was lost or is damaged; a damaged one is renamed. ``contents`` is
    what a new one holds, its tables at least.

    Raises DatabaseBusyError when it is still held then, DatabaseUnavailableError when the file
    is missing, damaged, of another program, of a newer tracker or of one before the first
    release, or lacks changes.
    """
    if path is None:
        connection = configured(":memory:", read_only=False)
        with _closed_on_error(connection, None):
            contents.fill(connection)
        database = Database(None, connection)
        database.is_new = True
        return database
    file = place_of(path)
    if isinstance(file, LakeAddress):
        lake: Database = module("schema", "opening").open_lake(
            file, read_only=read_only, create=create, wait_seconds=wait_seconds, say=say
        )
        return lake
    _check_path(file, create=create and not read_only)
    is_new = not file.exists() or not file.stat().st_size
    if is_new:
        _create(file, contents)
    with Wait(wait_seconds, say) as wait:
        database = _open(file, wait, read_only=read_only, accept_loss=accept_loss)
    database.is_new = is_new
    return database


def _open(file: Path, wait: Wait, *, read_only: bool, accept_loss: bool) -> Database:
    if read_only:
        connection = _connect(file, True, wait)
        with _closed_on_error(connection, file):
            if is_newest(connection):
                check_changes(connection, file)
                return Database(file, connection, read_only=True)
        connection.close()
    if accept_loss:
        set_log_aside(file, lambda: _connect(file, False, wait).close())
    connection = _connect(file, False, wait)
    with _closed_on_error(connection, file):
        if not schema_version(connection) and not accept_loss:
            raise damaged_log(file, "the database has not one table")
        migrate(connection, file)
        if not accept_loss:
            check_changes(connection, file)
        if not read_only:
            begin_changes(connection, file)
            return Database(file, connection)
    connection.close()
    return Database(file, _connect(file, True, wait), read_only=True)


def _create(file: Path, contents: Contents) -> None:
    """Make a database beside and give it its name when it is whole, unless another has it by then.

    Raises DatabaseUnavailableError where that is not possible; nothing is left then.
    """
    log = log_of(file)
    if log.exists() and log.stat().st_size:
        raise DatabaseUnavailableError(
            "there is a log of changes, but the database that it belongs to is not there",
            where=str(log),
            hint=f"put {file.name} back beside it, or move the log away to begin anew",
        )
    part = part_of(file)
    try:
        contents.write(part)
        if not file.exists():
            os.link(part, file)  # of two that make it at once, the second finds it there
        elif not file.stat().st_size:
            part.replace(file)
    except FileExistsError:
        pass
    except DatabaseUnavailableError as error:
        error.where = error.where or str(file)
        raise
    except duckdb.Error as error:
        raise unavailable(error, file) from error
    except OSError as error:
        raise DatabaseUnavailableError(
            f"the database cannot be made: {error.strerror}", where=str(file)
        ) from error
    finally:
        part.unlink(missing_ok=True)
        log_of(part).unlink(missing_ok=True)


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
        raise unavailable(error, file) from error
    except BaseException:
        connection.close()
        raise


def _check_path(file: Path, *, create: bool) -> None:
    if file.is_dir():
        raise DatabaseUnavailableError(
            "the database path is a folder", where=str(file), hint="give a file with --database"
        )
    if not create and not file.exists():
        raise DatabaseUnavailableError(
            "there is no such database",
            where=str(file),
            hint="ingest a campaign first, or name another file with --database; in Python, "
            "connect(…, create=True) makes a new one",
        )
    if not create and not file.stat().st_size:
        raise DatabaseUnavailableError(
            "the database is an empty file: the command that was to make it did not get far",
            where=str(file),
            hint="load the campaign again, that makes it anew",
        )
    if not file.parent.exists():
        raise DatabaseUnavailableError(
            "the database's folder does not exist", where=str(file.parent), hint="create it first"
        )


def _connect(file: Path, read_only: bool, wait: Wait) -> duckdb.DuckDBPyConnection:
    return open_in_turn(
        lambda: configured(str(file), read_only=read_only), file, wait, read_only=read_only
    )
