"""Opening a lake: extensions, credentials, the turn of those that write."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from importlib.resources import files

import duckdb

from ..address import LakeAddress
from ..database import WAIT_SECONDS, Database, say_nothing
from ..engine import limit_memory
from ..errors import DatabaseBusyError, DatabaseUnavailableError, first_line, require
from ..migrate import bring_to_newest, migrations, schema_version
from ..statements import quoted
from ..waiting import Wait
from . import (
    FENCE,
    METADATA,
    NAME,
    keep_fence_in_catalog,
    note_empty_tables,
    set_layout,
    without_keys,
)
from .guard import check_within_lake
from .turn import in_turn, when_connected

_CONFLICT = "Transaction conflict"
"""What DuckLake says where two transactions changed one row; the one that commits first wins."""
_CATALOG = "catalog_alone"
"""What PostgreSQL is called on a connection while there is no lake in it yet."""
_EXTENSIONS = {
    "postgres_scanner": "duckdb_extension_postgres_scanner",
    "ducklake": "duckdb_extension_ducklake",
}
_HTTP = {"httpfs": "duckdb_extension_httpfs"}
_S3 = {
    "KEY_ID": "AWS_ACCESS_KEY_ID",
    "SECRET": "AWS_SECRET_ACCESS_KEY",
    "SESSION_TOKEN": "AWS_SESSION_TOKEN",
    "REGION": "AWS_REGION",
}


class NoLakeError(DatabaseUnavailableError):
    """There is no lake in the catalog."""


class LakeDatabase(Database):
    """An open lake."""

    comments_on_view_columns = False
    has_own_catalog = False

    def __init__(
        self,
        address: LakeAddress,
        connection: duckdb.DuckDBPyConnection,
        *,
        read_only: bool,
        wait_seconds: float,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(None, connection, read_only=read_only)
        self.address = address
        self._wait_seconds = wait_seconds
        self._say = say
        self.fenced = True
        """Whether there is the row that each transaction changes."""
        self.folders = [data_folder(connection)]

    def check_within(self, query: str) -> None:
        """Raise QueryError for a query that reaches the catalog's server or files."""
        check_within_lake(self.connection, query)

    @property
    def where(self) -> str:
        """The lake's address."""
        return str(self.address)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return another connection to the same lake."""
        cursor = self.connection.cursor()
        cursor.execute(f"USE {NAME}")
        return cursor

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the block in turn with all others that write, whatever machine they are on.

        PostgreSQL holds the lock as long as the transaction of a connection of its own lasts: who
        is killed gives it free. The lock only saves waiting writers their work: it goes with its
        connection, which a database's housekeeping may end. That no two write at once is kept by
        the fence. Raises DatabaseBusyError where the turn does not come in time.
        """
        if not self.address.is_postgres:
            yield
            return
        with in_turn(self.connection, METADATA, self.where, self._wait_seconds, self._say):
            yield

    def check_rights(self) -> None:
        """Raise DatabaseUnavailableError for a role of PostgreSQL's that may read the lake alone.

        Asked before anything is written: files of what is refused would stay with the data.
        """
        if not self.address.is_postgres:
            return
        ask = "SELECT has_table_privilege(''ducklake_snapshot'', ''INSERT'') AS may_write"
        if self.connection.execute(f"FROM postgres_query('{METADATA}', '{ask}')").fetchall() != [
            (True,)
        ]:
            raise DatabaseUnavailableError(
                "this role may read the lake, and not write to it",
                hint="name one that may, by user=NAME in the address or PGUSER",
            )

    def _fence(self) -> None:
        """Change the lake's one row that all who write change: the engine refuses the second."""
        if self.fenced:
            self.connection.execute(f"UPDATE {FENCE} SET missing = false")  # noqa: S608

    def _refusal(self, error: BaseException) -> DatabaseUnavailableError | None:
        """Return what to raise where another wrote meanwhile, and the engine refused this."""
        if not isinstance(error, duckdb.TransactionException) or _CONFLICT not in str(error):
            return None
        return DatabaseBusyError(
            "others wrote to the lake meanwhile: nothing was written",
            where=self.where,
            hint="run the command again: rows that are there by then are not written twice",
        )

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def open_lake(
    address: LakeAddress,
    *,
    read_only: bool = False,
    create: bool = True,
    upgrade: bool = False,
    wait_seconds: float = 60.0,
    say: Callable[[str], None] = say_nothing,
) -> LakeDatabase:
    """Open a lake; writing makes one, if ``create``, where the catalog has none.

    ``upgrade`` brings tables of an older tracker up to date, for all who share the lake.

    Raises DatabaseUnavailableError where the catalog or the data cannot be reached, where there is
    no lake and none is to be made, for a lake of another version, and where the role may not
    write what is to be written; MissingDependencyError where the extra ``lake`` is not installed.
    """
    connection = duckdb.connect()
    try:
        connection.execute("SET enable_progress_bar = false")
        limit_memory(connection)
        try:
            attach(connection, address, read_only=read_only, wait=Wait(wait_seconds, say))
        except NoLakeError:
            if read_only or not create:
                raise
            with _alone(connection, address, wait_seconds, say):
                attach(connection, address, create=True)
                set_layout(connection)
        connection.execute(f"USE {NAME}")
        lake = LakeDatabase(
            address, connection, read_only=read_only, wait_seconds=wait_seconds, say=say
        )
        version = schema_version(connection)
        if not version and (read_only or not create):
            raise _no_lake(address)
        if not read_only:
            lake.check_rights()
        if version < len(migrations()) and not address.moment:
            if version and not upgrade:
                raise DatabaseUnavailableError(
                    "the lake has the tables of an older tracker",
                    hint="'tracker lake upgrade' brings them up to date, for all who share it",
                )
            lake.fenced = bool(version)
            with lake.transaction():
                bring_to_newest(connection, schema_version(connection), without_keys)
            lake.fenced = True
            with lake.turn():
                keep_fence_in_catalog(connection)
                note_empty_tables(connection)
        return lake
    except DatabaseUnavailableError as error:
        connection.close()
        error.where = error.where or str(address)
        raise
    except BaseException:
        connection.close()
        raise


@contextmanager
def _alone(
    connection: duckdb.DuckDBPyConnection,
    address: LakeAddress,
    wait_seconds: float,
    say: Callable[[str], None],
) -> Iterator[None]:
    """Do the block, that makes a lake, when nobody else makes or writes one in the catalog."""
    if not address.is_postgres:
        yield
        return
    words = quoted(address.catalog.removeprefix("postgres:"))
    connection.execute(f"ATTACH {words} AS {_CATALOG} (TYPE postgres, READ_ONLY)")
    try:
        with in_turn(connection, _CATALOG, str(address), wait_seconds, say):
            yield
    finally:
        connection.execute(f"DETACH {_CATALOG}")


def attach(
    connection: duckdb.DuckDBPyConnection,
    address: LakeAddress,
    *,
    read_only: bool = False,
    create: bool = False,
    wait: Wait | None = None,
) -> None:
    """Attach a lake to a connection by NAME, ``wait``ing while PostgreSQL has no connection free.

    Raises what ``open_lake`` does.
    """
    _load(connection, _EXTENSIONS)
    remote = "s3://" in (address.data_path or "") or "AWS_ACCESS_KEY_ID" in os.environ
    if remote:
        _load(connection, _HTTP)
        _give_credentials(connection)
    # Rows in the catalog instead of in files would cost each scan of a table two statements.
    options = ["READ_ONLY"] if read_only else ["DATA_INLINING_ROW_LIMIT 0"]
    if not create:
        options.append("CREATE_IF_NOT_EXISTS false")
    if address.folder:
        options.append(f"DATA_PATH {quoted(address.folder)}")
    if address.moment:
        options.append(f"SNAPSHOT_TIME '{address.moment.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}+00'")
    clause = f" ({', '.join(options)})" if options else ""
    connection.execute("SET parquet_metadata_cache = true")  # files of a lake never change
    query = f"ATTACH {quoted(str(address))} AS {NAME}{clause}"
    try:
        when_connected(lambda: connection.execute(query), wait or Wait(WAIT_SECONDS, say_nothing))
    except duckdb.Error as error:
        raise _unreachable(error, address) from None


def data_folder(connection: duckdb.DuckDBPyConnection) -> str:
    """Return where the data of the lake on a connection is."""
    rows = connection.execute(
        f"SELECT value FROM {METADATA}.ducklake_metadata WHERE key = 'data_path'"  # noqa: S608
    ).fetchall()
    return str(rows[0][0])


def newest_snapshot(address: LakeAddress) -> int:
    """Return the number of a lake's newest snapshot: another one after each commit.

    Raises what ``open_lake`` does.
    """
    with duckdb.connect() as connection:
        attach(connection, address, read_only=True)
        rows = connection.execute(
            f"SELECT max(snapshot_id) FROM {METADATA}.ducklake_snapshot"  # noqa: S608
        ).fetchall()
    return int(rows[0][0])


def _load(connection: duckdb.DuckDBPyConnection, extensions: dict[str, str]) -> None:
    """Load extensions: those of packages for DuckDB 1.5, which a later one fetches itself once."""
    for name, package in extensions.items():
        hint = (
            "install the extra again, whose extensions fit the version of DuckDB: "
            "pip install --upgrade 'sr-tracker[lake]'"
        )
        if duckdb.__version__.startswith("1."):
            require(package)
            folder = files(package).joinpath("extensions")
            (file, *_) = (
                path
                for version in folder.iterdir()
                for path in version.iterdir()
                if path.name == f"{name}.duckdb_extension"
            )
            loading = f"LOAD {quoted(str(file))}"
        else:
            loading = f"INSTALL {name}; LOAD {name}"
            hint = (
                "DuckDB 2 fetches its extensions from extensions.duckdb.org; where that is out of "
                "reach, \"pip install 'sr-tracker[lake]' 'duckdb<2'\" brings DuckDB 1.5 with them"
            )
        try:
            connection.execute(loading)
        except duckdb.Error as error:
            raise DatabaseUnavailableError(
                f"DuckDB's extension {name} cannot be loaded: {first_line(error)}", hint=hint
            ) from None


def _give_credentials(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the connection read and write S3 with what the environment says, as AWS' tools do."""
    values = {key: os.environ[name] for key, name in _S3.items() if os.environ.get(name)}
    if "KEY_ID" not in values:
        return
    address = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")
    words = [f"{key} {quoted(value)}" for key, value in values.items()]
    if address:
        scheme, _, host = address.partition("://")
        words += [f"ENDPOINT {quoted(host)}", "URL_STYLE 'path'", f"USE_SSL {scheme == 'https'}"]
    connection.execute(f"CREATE OR REPLACE SECRET tracker_s3 (TYPE s3, {', '.join(words)})")


def _no_lake(address: LakeAddress) -> NoLakeError:
    return NoLakeError(
        "there is no lake yet",
        where=str(address),
        hint="'tracker lake publish ADDRESS --data-path FOLDER' makes it and brings what you have",
    )


def _unreachable(error: duckdb.Error, address: LakeAddress) -> DatabaseUnavailableError:
    reason = first_line(error)
    if "new DuckLake is explicitly disabled" in reason or "database does not exist" in reason:
        return _no_lake(address)
    if "No snapshot found" in reason and address.moment:
        return DatabaseUnavailableError(
            f"there was no lake yet on {address.moment:%Y-%m-%d %H:%M}", where=str(address)
        )
    hint = "is PostgreSQL running, and do host, dbname and user say where? (PGPASSWORD: password)"
    if "DATA_PATH" in reason.upper():
        hint = "say where the data shall be: --data-path FOLDER or s3://BUCKET/…"
    return DatabaseUnavailableError(
        f"the lake cannot be opened: {reason}", where=str(address), hint=hint
    )
