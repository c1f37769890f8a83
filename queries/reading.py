"""Reading a campaign database: views by name, and SQL of the user's own within limits."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from threading import Event
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import duckdb

from ..schema.database import Database
from ..schema.errors import HALF_A_PAIR, OutOfMemoryError, QueryError
from ..schema.iterations import COLUMNS, SELECTED, Names, resolve_filters, select_submissions
from ..schema.keys import natural_keys
from ..schema.names import check_names, unknown_name
from ..schema.statements import fetch_table, quoted, released
from .catalog import current_name, view_names
from .counting import Counting, aggregates, counting_rows, selecting
from .formats import fetched, is_plain, plain_rows
from .functions.sql_function import register
from .limits import check_size, time_limit

if TYPE_CHECKING:
    import pyarrow as pa

ROW_LIMIT = 1000
SECONDS_LIMIT = 60.0
_BATCH = 100_000
_OWN_TABLES = {"language": {"treebank_id": "treebank"}, "year": {"campaign_id": "campaign"}}
"""Tables that hold what selects, by their key: for views that are not about submissions."""
_BY_RUN = {"submission_id", "iteration"}
_READING = {"SELECT", "EXPLAIN", "RELATION"}
_NO_COLUMN = re.compile(
    r'Referenced column "(?P<column>[^"]+)" not found.*(\nCandidate bindings: (?P<near>.*))?'
)
_HINTS: dict[type[Exception], str] = {
    duckdb.BinderException: "'tracker show VIEW --describe' explains a view's columns",
    duckdb.PermissionException: "queries read the database alone; 'tracker ingest' loads files",
}


@dataclass(frozen=True)
class Result:
    """The rows of a query, and whether there were more than the limit."""

    rows: Any
    """An Arrow table; plain rows where these were asked for."""
    truncated: bool


def register_functions(database: Database) -> None:
    """Make the metrics' functions callable from the user's own SQL."""
    from .analyses import FUNCTIONS
    from .metrics import metrics

    of_metrics = [function for metric in metrics().values() for function in metric.functions]
    register(database.connection, [*FUNCTIONS, *of_metrics])


class Shape(TypedDict, total=False):
    """Which rows and columns of a view, as SQL, and in what order."""

    where: str | None
    order: str | None
    limit: int | None
    columns: str | None
    by: Sequence[str]


def read_view(
    database: Database,
    view: str,
    *,
    filters: Mapping[str, Names] | None = None,
    counting: Counting = "newest",
    seconds: float | None = None,
    give_up: Callable[[], None] | None = None,
    plain: bool = False,
    **shape: Unpack[Shape],
) -> Any:
    """Return the rows of a view or table as an Arrow table.

    ``seconds``, ``give_up`` and ``plain`` are as in ``read_sql``.

    ``filters`` name submissions, campaigns and so on, as in ``schema.iterations``. A view that
    aggregates over submissions does so over those that count, of those that pass.

    With ``by``, one row per combination of these columns: ``rows``, and ``…_mean`` and
    ``…_median`` of every other column of floating-point numbers, over the rows where it is known;
    of rows about submissions those that count, group by group. ``counting`` tells who counts,
    where not by iteration or submission each is a group of its own.

    Raises UnknownNameError for a view or a column of ``by`` the database does not hold, QueryError
    for a wrong condition, order or column.
    """
    query, counting = _view_query(database, view, filters or {}, counting, shape)
    selects = aggregates(view) and any((filters or {}).values())
    submissions = select_submissions(database, filters or {}) if selects else None
    with selecting(database, submissions, counting):
        return read_sql(
            database, query, rows=None, seconds=seconds, give_up=give_up, plain=plain
        ).rows


def view_query(
    database: Database,
    view: str,
    *,
    filters: Mapping[str, Names] | None = None,
    **shape: Unpack[Shape],
) -> str:
    """Return the SELECT that ``read_view`` runs, and raise what it raises."""
    return _view_query(database, view, filters or {}, "newest", shape)[0]


def _view_query(
    database: Database, view: str, filters: Mapping[str, Names], counting: Counting, shape: Shape
) -> tuple[str, Counting]:
    """Return the SELECT that reads a view, and who counts in it."""
    check_view(view)
    types = _types(database, view)
    where, by = shape.get("where"), shape.get("by", ())
    conditions = _conditions(database, view, types, filters)
    conditions += [f"({where}\n)"] if where else []
    rows = view
    rows += f" WHERE {' AND '.join(conditions)}" if conditions else ""
    order = shape.get("order")
    if by:
        groups, means = ", ".join(by), _means(view, types, by)
        if "submission_id" in types:
            counting = "iterations" if counting == "newest" and _BY_RUN & {*by} else counting
            rows = counting_rows(f"(SELECT * FROM {rows})", by)  # noqa: S608
        order = order or groups
        query = f"SELECT {groups}, {means} FROM {rows} GROUP BY {groups}"  # noqa: S608
    else:
        query = f"SELECT {shape.get('columns') or '*'} FROM {rows}"  # noqa: S608
    query += f" ORDER BY {order}\n" if order else ""
    limit = shape.get("limit")
    return query + (f" LIMIT {limit}" if limit is not None else ""), counting


def read_about(
    database: Database, view: str, submissions: Sequence[str], order: str = ""
) -> pa.Table:
    """Return the rows of a view or table that are about these submissions, in an order of columns.

    That ids lie between two, unlike that a list contains them, reaches the tables beneath a view's
    groups.
    """
    query = (
        f"SELECT * FROM {view} "  # noqa: S608
        "WHERE submission_id BETWEEN list_min($submissions) AND list_max($submissions) "
        "AND list_contains($submissions, submission_id)"
    )
    return fetch_table(
        database.connection,
        f"{query} ORDER BY {order}" if order else query,
        {"submissions": list(submissions)},
    )


def read_batches(database: Database, name: str) -> pa.RecordBatchReader:
    """Return the rows of a view or table batch by batch, as every format can hold them."""
    from .values import holdable

    rows = released(database.connection).sql(f"FROM {name}")
    return holdable(rows).to_arrow_reader(_BATCH)


def read_over(
    database: Database, view: str, submissions: Sequence[str], counting: Counting
) -> pa.Table:
    """Return the rows of a view that aggregates over submissions, over those that count."""
    with selecting(database, submissions, counting):
        return fetch_table(database.connection, f"FROM {view}")


def _types(database: Database, view: str) -> dict[str, str]:
    """Return the types of a view's columns."""
    rows = database.connection.execute(f"DESCRIBE {view}").fetchall()
    return {name: kind for name, kind, *_ in rows}


def _conditions(
    database: Database, view: str, types: Mapping[str, str], filters: Mapping[str, Names]
) -> list[str]:
    """Return filters as SQL on the view's columns, or on the submissions that its rows are of.

    Filters without a column choose over which submissions a view aggregates.
    """
    conditions = []
    for kind, ids in resolve_filters(database, filters).items():
        column = COLUMNS[kind]
        # An equality is handed down through joins to what a view reads; a list is not.
        one, *others = map(quoted, ids)
        among = f"{column} IN ({', '.join([one, *others])})" if others else f"{column} = {one}"
        sources = {"submission_id": SELECTED} | _OWN_TABLES.get(kind, {})
        key = next((source for source in sources if source in types), None)
        if column in types:
            conditions.append(among)
        elif key is not None:
            conditions.append(f"{key} IN (SELECT {key} FROM {sources[key]} WHERE {among})")  # noqa: S608
        elif not aggregates(view):
            raise unknown_name(
                "column", column, types, message=f"the view '{view}' has no column '{column}'"
            )
    return conditions


def check_view(name: str) -> None:
    """Raise UnknownNameError for what is neither a view nor a table."""
    names = view_names() | set(natural_keys())
    check_names("view", [current_name(name)], names, hint="'tracker show' lists the views")


def _means(view: str, types: Mapping[str, str], by: Sequence[str]) -> str:
    """Return the means and medians of a view's numbers as SQL; ordered, for the last digit."""
    check_names("column", by, types, where=f"the view {view}")
    numbers = [name for name, kind in types.items() if kind == "DOUBLE" and name not in by]
    means = [
        f"avg({name} ORDER BY {name}) AS {name}_mean, median({name}) AS {name}_median"
        for name in numbers
    ]
    return ", ".join(["count(*) AS rows", *means])


def read_sql(
    database: Database,
    query: str,
    *,
    rows: int | None = ROW_LIMIT,
    seconds: float | None = SECONDS_LIMIT,
    give_up: Callable[[], None] | None = None,
    plain: bool = False,
) -> Result:
    """Return the result of one reading statement, at most ``rows`` rows, as an Arrow table.

    ``give_up`` is called where the statement does not obey its limit of ``seconds``. ``plain`` is
    for ``plain_rows`` instead, which most results do not need Arrow for.

    Raises QueryError where the statement is wrong, is not one that reads, or takes longer than
    ``seconds``.
    """
    connection = database.connection
    stopped = Event()
    try:
        with time_limit(connection, seconds, give_up, stopped):
            _check_statement(connection, query)
            database.check_within(query)
            with database.transaction(read_only=True):
                relation = _relation(database, query)
                names = distinct(relation.columns)
                result: Any = None
                if plain and all(map(is_plain, relation.types)):
                    kinds = dict(zip(names, relation.types, strict=True))
                    result = fetched(connection.execute(query), kinds, rows, check_size)
                if result is None:
                    from .values import as_arrow

                    result = as_arrow(database, relation, names, rows)
                    result = plain_rows(result) if plain else result
    except (duckdb.Error, OSError, OutOfMemoryError, _arrow_error()) as error:
        if stopped.is_set():
            raise QueryError(
                f"the query was stopped after {seconds:g} seconds",
                hint="restrict it, or give more --seconds",
            ) from error
        if isinstance(error, OutOfMemoryError):
            raise QueryError(
                str(error.__cause__).strip(), hint="ask for fewer rows or columns, or for sums"
            ) from error
        hint = _HINTS.get(type(error), "'tracker show' lists the views")
        raise (_unknown_column(error, hint) or QueryError(str(error).strip(), hint=hint)) from error
    if rows is None or len(result) <= rows:
        return Result(result, False)
    return Result(result.slice(0, rows), True)


def _unknown_column(error: BaseException, hint: str) -> QueryError | None:
    """Return the error for a column that there is not, with the nearest; None for other errors."""
    named = _NO_COLUMN.search(str(error))
    if named is None:
        return None
    near = ", ".join(re.findall(r'"([^"]+)"', named["near"] or ""))
    return QueryError(
        f"there is no column '{named['column']}'", hint=f"nearest: {near}; {hint}" if near else hint
    )


def _arrow_error() -> type[Exception]:
    """Return what Arrow raises, where it was needed, else an error that is raised anyway."""
    arrow = sys.modules.get("pyarrow")
    return duckdb.Error if arrow is None else arrow.ArrowException


def _check_statement(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    if HALF_A_PAIR.search(query):
        raise QueryError("the query holds half a surrogate pair, which is no character")
    statements = connection.extract_statements(query)
    if _is_pivot(statements):
        return
    if len(statements) != 1:
        raise QueryError(
            f"one statement is expected, there are {len(statements)}",
            hint="give one SELECT; 'tracker show' lists the views",
        )
    kind = statements[0].type.name
    if kind not in _READING:
        raise QueryError(
            f"{kind} is not allowed: this reads only",
            hint="write with 'tracker ingest' and 'score'",
        )


def _is_pivot(statements: Sequence[duckdb.Statement]) -> bool:
    """Return whether they are one PIVOT: DuckDB makes it of temporary types and a SELECT.

    The parts of a PIVOT have no text of their own, as every statement of a user has.
    """
    *before, last = (statement.type.name for statement in statements) if statements else [""]
    made = before and {*before} == {"CREATE"} and last == "SELECT"
    return bool(made) and not any(statement.query for statement in statements)


def _relation(database: Database, query: str) -> duckdb.DuckDBPyRelation:
    """Return a query's rows to be; the metrics' functions are registered when it calls one."""
    connection = released(database.connection)
    try:
        return connection.sql(query)
    except duckdb.CatalogException as error:
        if "Scalar Function with name" not in str(error):
            raise
    register_functions(database)
    return connection.sql(query)


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names of columns, a repeated ``a`` as ``a_1``: JSON and pandas need each once."""
    unique_names: list[str] = []
    for name in names:
        numbers = count(1)
        unique = name
        while unique in unique_names or (unique != name and unique in names):
            unique = f"{name}_{next(numbers)}"
        unique_names.append(unique)
    return unique_names
