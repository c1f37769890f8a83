"""Copying from one database to another takes along what is known of where things come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from sr_tracker.schema.database import open_database
from sr_tracker.schema.keys import INGESTED
from sr_tracker.schema.lake.copying import EVERYTHING, SOURCE, TARGET, Chosen, copy


@pytest.mark.parametrize(
    ("chosen", "expected"), [(EVERYTHING, True), (Chosen([], ["two"], []), False)]
)
def test_what_was_loaded_for_a_treebank_comes_with_it(
    tmp_path: Path, chosen: Chosen, expected: bool
) -> None:
    kinds = [*INGESTED["treebank"]]
    with open_database(tmp_path / "source.duckdb") as source:
        connection = source.connection
        for name in ("one", "two"):
            connection.execute(
                "INSERT INTO treebank (treebank_id, scheme, excluded_relations, hidden_text, "
                "sentences, tokens, source, sha256) VALUES (?, 'ud', [], false, 1, 2, '', '')",
                [name],
            )
        for number, kind in enumerate(kinds):
            connection.execute(
                "INSERT INTO ingestion VALUES (?, ?, ?, '', '', 1, '1.0.0', now(), ?)",
                [kind, kind, "one" if kind == "treebank" else "one extra", number],
            )
    with open_database(tmp_path / "target.duckdb") as target:
        target.connection.execute(f"ATTACH '{tmp_path / 'source.duckdb'}' AS other (READ_ONLY)")
        with target.transaction():
            titles = {SOURCE: "the source", TARGET: "the target"}
            copy(target, "other", target.catalog, chosen, titles=titles)
        rows = target.connection.execute("SELECT kind FROM ingestion ORDER BY revision").fetchall()
    assert [kind for (kind,) in rows] == (kinds if expected else [])
