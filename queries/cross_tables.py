"""Cross tables of a view: a line for each system, a column for each treebank, and the like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.iterations import Names
from ..schema.names import check_names
from ..schema.statements import Row
from .counting import Counting
from .reading import Shape, read_view

if TYPE_CHECKING:
    import pyarrow as pa

BETTER, APART, VALUE = b"better", b"apart", b"value"
"""Metadata: of a column, higher or lower; of the table, the rows that stand apart, one a line; of a
column, the view's column whose values it has."""


def crossed(
    database: Database,
    view: str,
    rows: str | None,
    columns: str | None,
    measures: Sequence[str],
    *,
    filters: Mapping[str, Names],
    counting: Counting,
    shape: Shape,
) -> pa.Table:
    """Return columns of a view as a table: a row for each of ``rows``, by ``columns``.

    The columns are ``measures``; of several each has a column of its own for each of ``columns``.
    A name such as system stands for system_id. Of several iterations the newest counts. Metadata
    says which values of a column are better, and which rows are the human reference.

    Raises InputError where one of the three is missing or several rows are for one cell,
    UnknownNameError for a column that the view does not have.
    """
    import pyarrow as pa

    if not (rows and columns and measures):
        raise InputError(
            "a cross table takes --rows, --columns and --measure",
            hint="--rows system --columns treebank --measure bleu",
        )
    shown = read_view(database, view, filters=filters, counting=counting, **shape)
    line, head, *values = (_column(shown, view, name) for name in (rows, columns, *measures))
    cells: dict[tuple[str, str], Row] = {}
    for row in shown.to_pylist():
        place = (str(row[line]), str(row[head]))
        before = cells.get(place)
        if before is not None and before.get("iteration") == row.get("iteration"):
            raise InputError(
                f"several rows of '{view}' are for {rows} {place[0]} and {columns} {place[1]}",
                hint="restrict them: --campaign, --system, --where",
            )
        if before is None or before["iteration"] < row["iteration"]:
            cells[place] = row
    apart = {name: None for (name, _), row in cells.items() if row.get("system_kind") == "human"}
    names = sorted(dict.fromkeys(name for name, _ in cells), key=lambda name: name in apart)
    fields, filled = [pa.field(line, pa.string())], [pa.array(names, pa.string())]
    for of in sorted({column for _, column in cells}):
        for value in values:
            kind = shown.schema.field(value).type
            title = f"{of} {value}" if len(values) > 1 else of
            fields.append(pa.field(title, kind, metadata=_metadata(value)))
            column = [cells[name, of][value] if (name, of) in cells else None for name in names]
            filled.append(pa.array(column, kind))
    schema = pa.schema(fields, metadata={APART: "\n".join(apart).encode()})
    return pa.Table.from_arrays(filled, schema=schema)


def _column(table: pa.Table, view: str, name: str) -> str:
    """Return a column of a view by its name, or by that of what it is the id of."""
    column = f"{name}_id" if f"{name}_id" in table.column_names else name
    check_names("column", [column], table.column_names, where=f"the view {view}")
    return column


def _metadata(column: str) -> dict[bytes, bytes]:
    return {BETTER: _better(column), VALUE: column.encode()}


def _better(column: str) -> bytes:
    from .metrics import metrics

    metric = metrics().get(column)
    return metric.better.encode() if metric else b"higher" if column.endswith("_z") else b""
