"""Cross tables of a view: a line for each system, a column for each treebank, and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..schema.database import Database
from ..schema.errors import InputError
from ..schema.iterations import Names
from ..schema.names import check_names
from .counting import Counting
from .reading import Shape, read_view

if TYPE_CHECKING:
    import pyarrow as pa

BETTER, APART = b"better", b"apart"
"""Metadata of the table: higher, lower or nothing; the lines that stand apart, one a line."""


def crossed(
    database: Database,
    view: str,
    rows: str | None,
    columns: str | None,
    measure: str | None,
    filters: Mapping[str, Names],
    counting: Counting,
    shape: Shape,
) -> pa.Table:
    """Return a view's column ``measure`` as a table: a row for each of ``rows``, by ``columns``.

    A name such as system stands for system_id. Of several iterations the newest counts. The
    table's metadata says which values are better, and which rows are the human reference.

    Raises InputError where one of the three is missing or several rows are for one cell,
    UnknownNameError for a column that the view does not have.
    """
    import pyarrow as pa

    if not (rows and columns and measure):
        raise InputError(
            "a cross table takes --rows, --columns and --measure",
            hint="--rows system --columns treebank --measure bleu",
        )
    found = read_view(database, view, filters=filters, counting=counting, **shape)
    line, head, value = (_column(found, view, name) for name in (rows, columns, measure))
    cells: dict[tuple[str, str], tuple[int, object]] = {}
    apart: dict[str, None] = {}
    for row in found.to_pylist():
        place, iteration = (str(row[line]), str(row[head])), row.get("iteration") or 0
        before = cells.get(place)
        if before is not None and before[0] == iteration:
            raise InputError(
                f"several rows of '{view}' are for {rows} {place[0]} and {columns} {place[1]}",
                hint="restrict them: --campaign, --system, --where",
            )
        if before is None or before[0] < iteration:
            cells[place] = (iteration, row[value])
        if row.get("system_kind") == "human":
            apart[place[0]] = None
    lines, heads = (dict.fromkeys(place[part] for place in cells) for part in (0, 1))
    names = sorted(lines, key=lambda name: name in apart)
    values = {
        name: [cells.get((each, name), (0, None))[1] for each in names] for name in sorted(heads)
    }
    metadata = {BETTER: _better(value), APART: "\n".join(apart).encode()}
    return pa.table({line: names, **values}).replace_schema_metadata(metadata)


def _column(found: pa.Table, view: str, name: str) -> str:
    """Return a column of a view by its name, or by that of what it is the id of."""
    column = f"{name}_id" if f"{name}_id" in found.column_names else name
    check_names("column", [column], found.column_names, where=f"the view {view}")
    return column


def _better(column: str) -> bytes:
    from .metrics import metrics

    metric = metrics().get(column)
    return metric.better.encode() if metric else b"higher" if column.endswith("_z") else b""
