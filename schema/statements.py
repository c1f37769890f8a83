"""SQL files: an object each with its header and comments, and statements found by their names."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import HALF_A_PAIR, InputError
from .themes import folders

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from .database import Database

# DuckDB 2 advises ``sql`` instead, which plans a query twice: 50 ms for views of views, where
# copying a million rows takes 30 ms.
warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)

_HEADER = re.compile(r"^--\s*(?P<name>[\w ]+?):\s*(?P<text>.+)$")
_FACT = re.compile(r"^--\s*(?P<name>grain|reads|group|listed|formerly):\s*(?P<text>.+)$")
_SENTENCE_END = re.compile(r"(?<=[.?]) ")
_PARTS = re.compile(r"^ *-- themes add rows here\n", re.MULTILINE)
_NEXT = re.compile(r"(?<=\n)\n(?=-- \w+: )")
"""The empty line before the header of a statement that stands with others."""
_COLUMN = re.compile(r"^\s+.*?(?P<name>\w+)\s*,?\s+--\s*(?P<text>.+)$")


@dataclass(frozen=True)
class SqlFile:
    """An object in SQL: its name, what one row is, its text and what its header declares."""

    name: str
    description: str
    text: str
    column_comments: dict[str, str]
    grain: tuple[str, ...] = ()
    """The columns that tell its rows apart."""
    reads: tuple[str, ...] = ()
    """Views that it reads."""
    group: str = ""
    """What people do with it: as commands are grouped, or ``internal``; what a table is about."""
    first: bool = False
    """Whether it is one of the views to start with."""
    formerly: tuple[str, ...] = ()
    """What it was called, and columns that were called otherwise: ``new AS old``."""
    refers: dict[str, str] = field(default_factory=dict)
    """Of a table, the columns that refer to other tables, and to which."""

    @property
    def one_row(self) -> str:
        """What one row is: the first sentence of its description."""
        return _SENTENCE_END.split(self.description, maxsplit=1)[0]


def read_sql_files(*folders: Path) -> list[SqlFile]:
    """Return the SQL files of the folders, sorted by file name.

    Raises ValueError where a file lacks the header ``-- name: what one row is``.
    """
    return list(_read_sql_files(folders))


@cache
def _read_sql_files(folders: tuple[Path, ...]) -> tuple[SqlFile, ...]:
    paths = sorted(
        (path for folder in folders for path in folder.glob("*.sql")), key=lambda path: path.name
    )
    return tuple(map(read_sql_file, paths))


def read_sql_file(path: Path) -> SqlFile:
    """Return the object of an SQL file, with the rows that themes add to it.

    Each part has the name of the file in a theme's folder ``parts``; it is one more member of the
    union at the line ``-- themes add rows here``, and what it reads the whole reads.

    Raises ValueError where the file or a part lacks the header ``-- name: what one row is``.
    """
    whole = parse_sql(path.read_text(encoding="utf-8"), path.name)
    if not _PARTS.search(whole.text):
        return whole
    parts = [
        parse_sql(part.read_text(encoding="utf-8"), part.name)
        for folder in folders("queries", "parts")
        if (part := folder / path.name).is_file()
    ]
    rows = "".join(f"    UNION ALL\n{part.text.rstrip().rstrip(';')}\n" for part in parts)
    return replace(
        whole,
        text=_PARTS.sub(lambda _: rows, whole.text),
        reads=tuple(sorted({*whole.reads, *(name for part in parts for name in part.reads)})),
    )


def parse_sql(text: str, where: str) -> SqlFile:
    """Return what the definition of one object holds, in the file that ``where`` names.

    Raises ValueError where it lacks the header ``-- name: what one row is``.
    """
    lines = text.splitlines()
    header = _HEADER.match(lines[0])
    if header is None:
        raise ValueError(f"{where}: the first line must be '-- name: what one row is'")
    description, facts = [header["text"]], {}
    for line in lines[1:]:
        if not line.startswith("--"):
            break
        if fact := _FACT.match(line):
            facts[fact["name"]] = fact["text"].strip()
        else:
            description.append(line.removeprefix("--").strip())
    columns = (_COLUMN.match(line) for line in lines if "--" in line)
    comments = {column["name"]: column["text"].strip() for column in columns if column}
    return SqlFile(
        header["name"],
        " ".join(description),
        text,
        comments,
        grain=tuple(facts["grain"].split(", ")) if "grain" in facts else (),
        reads=tuple(facts["reads"].split(", ")) if "reads" in facts else (),
        group=facts.get("group", ""),
        first=facts.get("listed") == "first",
        formerly=tuple(facts["formerly"].split(", ")) if "formerly" in facts else (),
    )


def quoted(text: str) -> str:
    """Return ``text`` as an SQL string literal.

    Raises InputError for half a surrogate pair, which no query can hold.
    """
    if HALF_A_PAIR.search(text):
        raise InputError(f"'{text}' holds half a surrogate pair", hint="decode it as UTF-8")
    return "'" + text.replace("'", "''") + "'"


Row = dict[str, Any]
_ROOT = Path(__file__).resolve().parent.parent
_FOLDERS = ("schema", "ingest", "queries")


@cache
def statement(name: str) -> str:
    """Return the text of the statement of that name, wherever its file is.

    Raises KeyError for a name that no file has.
    """
    return read_statement(name).text


@cache
def read_statement(name: str) -> SqlFile:
    """Return the statement of that name with its header and comments."""
    path = statement_files()[name]
    return (
        parse_sql(_together(path)[name], path.name) if _holds_several(path) else read_sql_file(path)
    )


@cache
def statement_files() -> dict[str, Path]:
    """Return the files of all statements by the statements' names.

    A statement's file has its name. Short ones of a subject stand together in a file that is called
    SUBJECT_statements.sql, an empty line and a header ``-- name: …`` before each.

    Raises ValueError where two statements have one name.
    """
    paths: dict[str, Path] = {}
    for folder, within, names in chain.from_iterable(os.walk(_ROOT / top) for top in _FOLDERS):
        within[:] = [name for name in within if name != "__pycache__"]
        if not folder.endswith(f"{os.sep}sql"):
            continue
        for path in (Path(folder, name) for name in names if name.endswith(".sql")):
            for name in _together(path) if _holds_several(path) else (path.stem,):
                if paths.setdefault(name, path) is not path:
                    raise ValueError(f"two statements have one name: {paths[name]} and {path}")
    return paths


def _holds_several(path: Path) -> bool:
    return path.stem.endswith("_statements")


@cache
def _together(path: Path) -> dict[str, str]:
    """Return the statements of a file by their names. Raises ValueError where two have one."""
    texts = _NEXT.split(path.read_text(encoding="utf-8"))
    statements = {text.removeprefix("-- ").partition(":")[0]: text for text in texts}
    if len(statements) < len(texts):
        raise ValueError(f"two statements have one name in {path}")
    return statements


def read_rows(database: Database, name: str, **parameters: Any) -> list[Row]:
    """Return the rows of the statement of that name as dictionaries."""
    return rows_of(database, statement(name), **parameters)


def read_tuples(database: Database, name: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the statement of that name as tuples."""
    return database.connection.execute(statement(name), parameters).fetchall()


def read_table(database: Database, name: str, **parameters: Any) -> pa.Table:
    """Return the rows of the statement of that name as an Arrow table."""
    return fetch_table(database.connection, statement(name), parameters)


def fetch_table(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    parameters: Mapping[str, Any] | Sequence[Any] | None = None,
) -> pa.Table:
    """Return the rows of a query as an Arrow table."""
    return connection.execute(query, parameters).to_arrow_table()


def released(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return a connection without the rest of a result of which some rows were fetched.

    DuckDB 2 registers no table or function, and makes no relation, before that rest is fetched.
    """
    if hasattr(connection, "abort"):
        connection.abort()
    return connection


def row_by_id(database: Database, kind: str, name: str, *columns: str) -> tuple[Any, ...] | None:
    """Return columns of the treebank, submission or other ``kind`` with an id; None: there is none.

    ``kind`` is a table whose key is KIND_id.
    """
    query = f"SELECT {', '.join(columns)} FROM {kind} WHERE {kind}_id = ?"  # noqa: S608
    row: tuple[Any, ...] | None = database.connection.execute(query, [name]).fetchone()
    return row


def rows_of(database: Database, text: str, **parameters: Any) -> list[Row]:
    """Return the rows of a query as dictionaries."""
    reader = database.connection.execute(text, parameters)
    columns = [column[0] for column in reader.description or ()]
    return [dict(zip(columns, values, strict=True)) for values in reader.fetchall()]
