"""What pairs of graphs share, of each pair or of all: rows without a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import duckdb
import pyarrow as pa

from sr_tracker.queries.catalog import macros
from sr_tracker.queries.functions.graph_aspects import ASPECTS
from sr_tracker.queries.meaning.matching import MatchRow, match_table
from sr_tracker.schema.statements import statement

Rows: TypeAlias = Literal["corpus", "pair"]
ROWS: tuple[Rows, ...] = get_args(Rows)
_OF_ROWS: dict[Rows, tuple[str, ...]] = {"corpus": ("pair", "id"), "pair": ("pairs", "mean_f1")}
"""Columns that say nothing of such rows."""


def pair_rows(found: Sequence[MatchRow], ids: Sequence[str | None], by: Rows) -> pa.Table:
    """Return one row per aspect of the corpus, or per pair and aspect; ``ids`` are the pairs'."""
    overlap = next(macro.text for macro in macros() if macro.name == "graph_overlap")
    pairs = pa.table(
        {
            "sentence_no": pa.array(range(1, len(ids) + 1), pa.int32()),
            "id": pa.array(ids, pa.string()),
        }
    )
    with duckdb.connect() as connection:
        connection.execute(overlap)
        connection.register("graph_match_rows", match_table(found))
        connection.register("graph_pair", pairs)
        rows = connection.execute(
            statement("compare_graph_files"), {"by": by, "aspects": list(ASPECTS)}
        ).to_arrow_table()
    return rows.drop_columns(list(_OF_ROWS[by]))
