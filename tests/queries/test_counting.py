"""Who counts in aggregates: the macro against plain Python, and every view that aggregates."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.catalog import views
from sr_tracker.schema.database import Database, open_database

SELECTED = "selected_submissions"
AGGREGATING = {
    *("dea_by_relation_macro", "correlation_medians", "pattern_coverage", "mf_correlations"),
    *("mf_dependence", "relation_consistency", "relation_divergence", "suspicion_tree_coverage"),
}
Entry = tuple[str, str, str, str, str, str, int, str]
NAMES = (
    *("submission_id", "campaign_id", "system_id", "system_kind", "treebank_id", "track"),
    *("iteration", "counting"),
)


def who_counts(entries: list[Entry], scope: int) -> set[str]:
    """The definition in plain words: entry by entry, those of its scope looked through."""
    names = set()
    for entry in entries:
        name, campaign, system, kind, treebank, track, iteration, counting = entry
        run = (campaign, system, treebank, track)
        iterations = [other[6] for other in entries if (*other[1:3], *other[4:6]) == run]
        kinds = {other[3] for other in entries if other[scope] == entry[scope]}
        preferred = "team" if "team" in kinds else "baseline"
        newest = counting == "iterations" or iteration == max(iterations)
        if counting == "all" or (kind == preferred and newest):
            names.add(name)
    return names


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["C", "D"]),
            st.sampled_from(["team a", "team b", "baseline c", "human d"]),
            st.sampled_from(["t", "u"]),
            st.sampled_from(["deep", "shallow"]),
            st.integers(1, 4),
        ),
        unique=True,
        max_size=12,
    ),
    st.sampled_from(["newest", "iterations", "all"]),
    st.sampled_from([7, 1, 4]),
)
def test_who_counts(
    in_memory: Database, runs: list[tuple[str, str, str, str, int]], counting: str, scope: int
) -> None:
    entries: list[Entry] = [
        (f"s{n}", campaign, system, system.split()[0], treebank, track, iteration, counting)
        for n, (campaign, system, treebank, track, iteration) in enumerate(runs)
    ]
    columns = [*zip(*entries, strict=True)] or [()] * len(NAMES)
    kinds = [pa.int32() if name == "iteration" else pa.string() for name in NAMES]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    in_memory.connection.register("entries", pa.table(arrays, names=[*NAMES]))
    rows = in_memory.connection.execute(
        f"SELECT submission_id FROM entries QUALIFY who_counts(entries, entries.{NAMES[scope]})"
    ).fetchall()
    in_memory.connection.unregister("entries")
    assert {name for (name,) in rows} == who_counts(entries, scope)


def test_views_that_aggregate_over_submissions_say_who_counts() -> None:
    names = {item.name for item in views() if "who_counts(" in item.text}
    assert names == AGGREGATING
    for view in views():
        if view.name in names:
            assert f" {SELECTED} AS entry" in view.text
            assert "who_counts" in view.description


@pytest.fixture(scope="module")
def everything(file_with_all_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign with every row, its first system's runs iterations of a team."""
    copy = tmp_path_factory.mktemp("counting") / "all.duckdb"
    copy.write_bytes(file_with_all_rows.read_bytes())
    return copy


# The campaign has the meaning of no system by two parsers.
@pytest.mark.parametrize("view", sorted(AGGREGATING - {"mf_dependence"}))
@pytest.mark.parametrize("kind", ["human", "baseline"])
def test_references_and_baselines_beside_teams_change_nothing(
    everything: Path, view: str, kind: str
) -> None:
    """An aggregate is that of a database without them."""
    with open_database(everything) as database:
        connection = database.connection
        connection.execute("BEGIN")
        connection.execute("INSERT INTO system VALUES ('extra', NULL, ?, NULL, NULL)", [kind])
        wanted = connection.execute(f"FROM {view} ORDER BY ALL").fetchall()
        changed = 0
        for table, owner in (
            *[("submission", "submission_id"), ("edge_outcome", "submission_id")],
            *[("correlation", "submission_id"), ("analysis", "submission_id")],
            *[("error_mining", "submission_id"), ("suspicion", "submission_id")],
            ("suspicion_node", "submission_id"),
            *[("scoring", "target"), ("submission_score", "submission_id")],
        ):
            columns = [
                name
                for name, *_ in connection.execute(f"DESCRIBE {table}").fetchall()
                if name not in (owner, "system_id")
            ]
            system = ", 'extra' AS system_id" if table == "submission" else ""
            connection.execute(
                f"INSERT INTO {table} BY NAME SELECT {', '.join(columns)}{system}, "
                f"'extra/' || {owner} AS {owner} FROM {table} "
                f"WHERE {owner} IN (SELECT submission_id FROM submission)"
            )
            changed += connection.execute(
                f"SELECT count(*) FROM {table} WHERE {owner} LIKE 'extra/%'"
            ).fetchone()[0]  # type: ignore[index]
        assert changed
        rows = connection.execute(f"FROM {view} ORDER BY ALL").fetchall()
        connection.execute("UPDATE system SET kind = 'team' WHERE system_id = 'extra'")
        as_team = connection.execute(f"FROM {view} ORDER BY ALL").fetchall()
        connection.execute("ROLLBACK")
    assert rows == wanted
    if view != "relation_divergence":
        assert as_team != wanted, "the test would not fail"
