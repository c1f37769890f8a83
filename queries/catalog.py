"""Installing the macros and views in a database, the functions on a connection, and audits."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import duckdb

from ..schema import TOOL_VERSION
from ..schema.address import Place
from ..schema.database import Database, open_database, say_nothing
from ..schema.errors import DatabaseUnavailableError
from ..schema.keys import natural_keys, table_audits
from ..schema.migrate import Contents, check_tables, comment, migrate, migrations, tables
from ..schema.short_cuts import kept_template
from ..schema.statements import (
    SqlFile,
    parse_sql,
    read_sql_file,
    read_sql_files,
    read_tuples,
    statement,
)
from ..schema.themes import THEMES, folders

_LAYER = Path(__file__).resolve().parent
ENTRY_POINT_GROUP = "sr_tracker.metrics"
"""In which installed packages register metrics."""
TEMPLATES = _LAYER / "__pycache__"
"""Where a new database is kept to be copied, as byte code is."""
IDENTITY = "submission_identity"
"""The view whose columns every view about submissions begins and ends with."""
GROUPS = (
    *("load", "score", "ask why", "compare and follow", "people", "grammar and meaning"),
    *("look after", "internal", "old names"),
)
"""What people do with views, in order; internal ones are for other views alone."""
LISTED = GROUPS[:-2]
"""The groups that people are shown."""
ALIASES_END = "2.0"
"""The version that takes the old names of views away."""


def macros() -> list[SqlFile]:
    """Return the SQL macros."""
    return _per_metric(read_sql_files(*folders("queries", "macros")))


def table_macros() -> list[SqlFile]:
    """Return the SQL macros that are used as tables, each after those that it reads.

    They read the program's tables, and macros.
    """
    return read_sql_files(*folders("queries", "table_macros"))


def view_files() -> list[SqlFile]:
    """Return the files of the views as they are written, by name."""
    return read_sql_files(*folders("queries", "views"))


def view_names() -> set[str]:
    """Return the names of the views, which are those of their files."""
    return {*_view_paths()}


@cache
def view_file(name: str) -> SqlFile:
    """Return the file of one view as it is written."""
    return read_sql_file(_view_paths()[name])


def _view_paths() -> dict[str, Path]:
    return {
        file.stem: file for place in folders("queries", "views") for file in place.glob("*.sql")
    }


def views() -> list[SqlFile]:
    """Return the views that analysts read, each after those it reads itself.

    Raises ValueError where views read each other, or what is no view.
    """
    files = _with_identity(_per_metric(view_files()))
    ordered: list[SqlFile] = []
    done: set[str] = set()
    while len(ordered) < len(files):
        ready = [file for file in files if file.name not in done and done.issuperset(file.reads)]
        if not ready:
            left = sorted({file.name for file in files} - done)
            raise ValueError(f"views read each other, or what is no view: {left}")
        ordered += ready
        done |= {file.name for file in ready}
    return ordered


def aliases() -> list[SqlFile]:
    """Return the views that let others be read by their old names, until ALIASES_END."""
    return [_alias(file) for file in view_files() if file.formerly]


def _alias(file: SqlFile) -> SqlFile:
    old, *columns = file.formerly
    rows = f"SELECT {', '.join(['*', *columns])} FROM {file.name}"  # noqa: S608
    return SqlFile(
        old,
        f"the old name of {file.name}, which goes with {ALIASES_END}.",
        f"CREATE OR REPLACE VIEW {old} AS {rows};",
        column_comments={},
        grain=file.grain,
        reads=(file.name,),
        group=GROUPS[-1],
    )


def listing(everything: bool) -> list[dict[str, str]]:
    """Return the views by what they are for: those to start with and what a row is, or all.

    Of all it is what is known of them, last of those that others read and of old names.
    """
    by_name = sorted([*view_files(), *aliases()], key=lambda file: file.name)
    return [
        {
            "group": group,
            "view": file.name,
            "meaning": file.description if everything else file.one_row,
        }
        for group in GROUPS
        for file in by_name
        if file.group == group and (everything or file.first)
    ]


def current_name(view: str) -> str:
    """Return what a view is called now, where ``view`` is its old name; else ``view``."""
    if view in view_names() or view in natural_keys():
        return view
    return next((file.name for file in view_files() if view in file.formerly[:1]), view)


def renaming(view: str) -> str:
    """Return what is to be said of a view's old name; nothing of any other name."""
    name = current_name(view)
    if name == view:
        return ""
    return f"'{view}' is now called '{name}'; the old name goes with {ALIASES_END}"


def _per_metric(files: Sequence[SqlFile]) -> list[SqlFile]:
    """Return files with the lines that stand for each metric written out."""
    from .metrics.registry import for_each_metric

    return [
        replace(parse_sql(for_each_metric(file.text), file.name), reads=file.reads)
        if "{metric}" in file.text
        else file
        for file in files
    ]


def _with_identity(files: Sequence[SqlFile]) -> list[SqlFile]:
    """Return views with what the columns mean that they take from the view IDENTITY."""
    meanings = next((file.column_comments for file in files if file.name == IDENTITY), {})
    return [
        replace(file, column_comments={**meanings, **file.column_comments})
        if IDENTITY in file.reads
        else file
        for file in files
    ]


def audits() -> list[SqlFile]:
    """Return the audits: queries whose rows should not exist."""
    return _per_metric(read_sql_files(*folders("queries", "audits")))


def is_installed(database: Database) -> bool:
    """Return whether the newest macros and views are in the database.

    Without a query parameter: binding one would make DuckDB import pandas, half a second.
    """
    load_external_metrics(database)
    installed = database.connection.execute("SELECT sha256 FROM catalog").fetchone()
    return installed == (_needed(),)


def load_external_metrics(database: Database) -> None:
    """Let the metrics there are be those of this database: the external ones are its own."""
    from .metrics.registry import External, set_external_metrics

    rows = read_tuples(database, "external_metrics")
    set_external_metrics(External(*row) for row in rows)


def _needed() -> str:
    """Return the hash of the macros and views that a database with these metrics needs."""
    from .metrics.registry import external_metrics

    external = external_metrics()
    own = sha256()
    return f"{own}+{hashlib.sha256(repr(external).encode()).hexdigest()}" if external else own


@cache
def sha256() -> str:
    """Return the hash of all that macros and views are made of; made, they would take longer."""
    digest = hashlib.sha256()
    for file in made_of():
        digest.update(f"{file.parent.name}/{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def made_of() -> list[Path]:
    """Return the files that decide what the macros and views are."""
    places = (_LAYER, *(_LAYER / theme for theme in THEMES))
    sql = ("macros/*.sql", "table_macros/*.sql", "views/*.sql", "parts/*.sql")
    patterns = (*sql, "metrics.py", "metrics/*.py")
    own = {file for place in places for pattern in patterns for file in place.glob(pattern)}
    return [*sorted({*own, Path(__file__)}), *registrations(tuple(sys.path))]


@lru_cache(maxsize=1)
def registrations(places: tuple[str, ...]) -> list[Path]:
    """Return the files by which packages in these folders, each in a version, register metrics."""
    return [
        file
        for folder in dict.fromkeys(places)
        for file in sorted(Path(folder or ".").glob("*-info/entry_points.txt"))
        if f"[{ENTRY_POINT_GROUP}]" in file.read_text(encoding="utf-8", errors="replace")
    ]


def install(database: Database) -> None:
    """Install macros, views and their comments where they are not the newest.

    Raises DatabaseUnavailableError where tables lack columns that views name.
    """
    if is_installed(database):
        return
    try:
        _install(database)
    except (duckdb.CatalogException, duckdb.BinderException):
        with database.transaction(read_only=True) as connection:
            check_tables(connection)
        raise


def _install(database: Database) -> None:
    with database.transaction() as connection:
        if is_installed(database):  # by another, while this one waited for its turn
            return
        renewed = [*views(), *aliases()]
        (installed,) = connection.execute("SELECT sha256 FROM catalog").fetchone() or ("",)
        if installed.startswith(sha256()):
            renewed = _resting_on_metrics(renewed)
        else:
            for macro in [*macros(), *table_macros()]:
                connection.execute(macro.text)
            connection.execute(statement("fill_choices"))
        for view in renewed:
            connection.execute(view.text)
            comment(connection, "VIEW", view, columns=database.comments_on_view_columns)
        connection.execute("DELETE FROM catalog")
        connection.execute("INSERT INTO catalog VALUES (?, ?, now())", [_needed(), TOOL_VERSION])


def _resting_on_metrics(files: Sequence[SqlFile]) -> list[SqlFile]:
    """Return the views that name each metric, and those that read them: external ones change both.

    ``files`` are in the order of ``views``.
    """
    names = {file.name for file in view_files() if "{metric}" in file.text}
    for file in files:
        if names.intersection(file.reads):
            names.add(file.name)
    return [file for file in files if file.name in names]


def _make(connection: duckdb.DuckDBPyConnection) -> None:
    migrate(connection)
    install(Database(None, connection))


def _template() -> Path | None:
    made_by = repr((sha256(), migrations(), tables(), TOOL_VERSION, duckdb.__version__))
    name = f"template-{hashlib.sha256(made_by.encode()).hexdigest()[:16]}.duckdb"
    return kept_template(TEMPLATES / name, Contents(_make).write)


INSTALLED = Contents(_make, _template)
"""The tables, macros and views."""


def open_installed(path: Place | str | None, *, read_only: bool = False, **how: Any) -> Database:
    """Open a database with the newest macros and views, installed where they are not.

    One that several share is read with those that it has, and keeps those of another version, which
    ``how``'s ``say`` is told.
    ``how`` may give any other option of ``schema.database.open_database``.
    """
    database = open_database(path, read_only=read_only, contents=INSTALLED, **how)
    try:
        if database.has_own_catalog and not database.read_only:
            install(database)
        elif not is_installed(database):
            if database.has_own_catalog:
                database.close()
                with open_database(path, **how) as writable:
                    install(writable)
                database = open_database(path, read_only=True, **how)
            else:
                _check_shared_catalog(database, how.get("say", say_nothing))
                if not database.read_only:
                    install(database)
        if database.is_new:  # what it was copied from is older
            database.connection.execute("UPDATE schema_version SET applied_at = now()")
            database.connection.execute("UPDATE catalog SET installed_at = now()")
    except BaseException:
        database.close()
        raise
    return database


def _check_shared_catalog(database: Database, say: Callable[[str], None]) -> None:
    """Say that the views of a database which several share are others than this tracker's.

    Raises DatabaseUnavailableError where another version's are not to be replaced by writing, or
    where there are none to read.
    """
    row = database.connection.execute("SELECT tool FROM catalog").fetchone()
    hint = "'tracker lake upgrade' renews them, for all who share it"
    if row is None and database.read_only:
        raise DatabaseUnavailableError("there are no views yet", where=database.where, hint=hint)
    if row is None or (row == (TOOL_VERSION,) and not database.read_only):
        return
    if row == (TOOL_VERSION,):
        say(f"the views are made for other metrics than are installed here; {hint}")
        return
    others = f"the views are those of sr-tracker {row[0]}, and this is {TOOL_VERSION}"
    if not database.read_only:
        raise DatabaseUnavailableError(
            others, where=database.where, hint=f"{hint}; or install that version here"
        )
    say(f"{others}: what is new here they may lack")


FIRST_ROWS = 5


@dataclass(frozen=True)
class Finding:
    """An audit that found rows which should not exist."""

    audit: str
    description: str
    rows: int
    """How many rows it found."""
    first_rows: list[dict[str, Any]]
    """The first of them, column by column."""


def run_audits(database: Database) -> list[Finding]:
    """Run every audit and return those that found something; an empty list is a healthy database.

    The audits are the files of ``queries/audits`` and those of ``table_audits``.
    """
    findings = (_run(database, audit) for audit in [*audits(), *table_audits()])
    return [finding for finding in findings if finding is not None]


def _run(database: Database, audit: SqlFile) -> Finding | None:
    query = audit.text.rstrip().removesuffix(";")
    connection = database.connection
    (rows,) = connection.execute(f"SELECT count(*) FROM ({query})").fetchone() or (0,)  # noqa: S608
    if not rows:
        return None
    cursor = connection.execute(f"FROM ({query}) ORDER BY ALL LIMIT {FIRST_ROWS}")
    names = [column[0] for column in cursor.description or ()]
    first = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return Finding(audit.name, audit.description, rows, first)
