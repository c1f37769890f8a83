"""Macros and views: installed once, described, and free of everything but SQL."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import requires
from itertools import combinations
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from click.testing import CliRunner
from rapidfuzz.distance import Levenshtein

import sr_tracker
import sr_tracker.queries.catalog
from sr_tracker.queries.catalog import (
    ALIASES_END,
    GROUPS,
    aliases,
    audits,
    install,
    macros,
    made_of,
    open_installed,
    sha256,
    table_macros,
    views,
)
from sr_tracker.queries.functions.sql_function import SqlFunction, register
from sr_tracker.queries.reading import read_view
from sr_tracker.schema import short_cuts
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import DatabaseUnavailableError, InputError
from sr_tracker.schema.keys import natural_keys, table_audits
from sr_tracker.schema.statements import SqlFile, statement
from sr_tracker.tracker.cli import cli

IN_A_PLAIN_CLIENT = """
import json, sys
import duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
views = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
rows = {name: connection.execute(f"SELECT count(*) FROM (FROM {name})").fetchone()[0]
        for (name,) in views}
scores = connection.execute(
    "SELECT corpus_bleu(element_sums(matches, 4), element_sums(totals, 4), "
    "sum(output_length), sum(reference_length)), "
    "corpus_bleu_smoothed(element_sums(matches, 4), element_sums(bleu_denominators(totals), 4), "
    "sum(output_length), sum(reference_length)) FROM ngram_match WHERE len(matches) = 4"
).fetchone()
more = connection.execute(
    "SELECT sentence_bleu([1, 1, 1, 1], [1, 1, 1, 1], 1, 1), brevity_penalty(1, 1), "
    "nist([1.0], [1], 1, 1), chrf([1::DOUBLE for n in range(18)]), "
    "mean_share([1, 2, 0, 0])"
).fetchone()
ours = [name for name in sys.modules
        if name.split(".")[0] in ("schema", "ingest", "queries", "tracker")]
functions = connection.execute(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal"
).fetchall()
print(json.dumps({"rows": rows, "scores": scores, "more": more, "ours": ours,
                  "macros": sorted(name for (name,) in functions)}))
"""

IN_DUCKDB_ALONE = """
import json, sys
sys.modules.update(dict.fromkeys(("numpy", "pandas", "pyarrow", "pytz")))
import duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
views = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
refused = {}
for (name,) in views:
    try:
        connection.execute(f"FROM {name}").fetchall()
    except duckdb.Error as error:
        refused[name] = str(error)
print(json.dumps(refused))
"""


def contents(file: Path) -> list[list[str]]:
    """All that a file's catalog says, with sorted words: DuckDB turns what REPLACE names round."""
    kinds = "tables views columns constraints indexes sequences functions types"
    queries = [
        "SELECT COLUMNS(lambda name: NOT regexp_matches(name, 'database_|_oid')) "
        f"FROM duckdb_{kind}() WHERE database_name = current_database() ORDER BY ALL"
        for kind in kinds.split()
    ]
    queries += [
        "SELECT version, name, tool FROM schema_version",
        "SELECT sha256, tool FROM catalog",
    ]
    with duckdb.connect(str(file), read_only=True) as connection:
        rows = [str(row) for query in queries for row in connection.execute(query).fetchall()]
    return [sorted(re.findall(r"\w+|\W", row)) for row in rows]


def made_at(database: Database) -> list[datetime]:
    """Return when the tables, and the views, of a database were made, as it says."""
    query = "SELECT applied_at FROM schema_version UNION ALL SELECT installed_at FROM catalog"
    return [when for (when,) in database.connection.execute(query).fetchall()]


def installed_at(database: Database) -> list[tuple[object, ...]]:
    return database.connection.execute("FROM catalog").fetchall()


def test_views_that_duckdb_2_stores_are_read_by_1_5() -> None:
    """DuckDB 2 stores ``if(…)`` as a function that 1.5 does not have; both store CASE alike."""
    files = [*macros(), *table_macros(), *views(), *aliases()]
    assert [file.name for file in files if re.search(r"\bif\s*\(", file.text)] == []


def test_functions_of_sql_stay_off_the_main_thread() -> None:
    """Ctrl-C in one of them would leave what it holds taken, and DuckDB's other threads waiting."""
    threads = []

    def tell(column: pa.Array) -> pa.Array:
        threads.append(threading.current_thread())
        return column

    with open_database(None) as database:
        register(database.connection, [SqlFunction("tell", tell, ["BIGINT"], "BIGINT")])
        rows = database.connection.execute("SELECT tell(a) FROM range(3) AS t (a)").fetchall()
    assert rows == [(0,), (1,), (2,)]
    assert threads
    assert threading.main_thread() not in threads


def test_installing_again_does_nothing() -> None:
    with open_database(None) as database:
        install(database)
        first = installed_at(database)
        install(database)
        assert len(first) == 1
        assert installed_at(database) == first


@pytest.mark.parametrize("left", [0, 9000, 900_000])
def test_new_databases_are_copies_of_one_that_was_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left: int
) -> None:
    """What is damaged, or of another version, is made anew; where nothing may be kept, each is."""
    templates = tmp_path / "templates"
    templates.mkdir()
    monkeypatch.setattr(sr_tracker.queries.catalog, "TEMPLATES", templates)
    others = [templates / f"template-of-others.{suffix}" for suffix in ("duckdb", "sha256")]
    for other in others:
        other.touch()
    for kept_none in (True, False):
        monkeypatch.setattr(sys, "dont_write_bytecode", kept_none)
        open_installed(None).close()
        assert ({*templates.iterdir()} == {*others}) == kept_none
    database_file, digest = sorted(templates.iterdir())
    assert digest.suffix == ".sha256"
    database_file.write_bytes(database_file.read_bytes()[:left])
    files = [tmp_path / f"{number}.duckdb" for number in range(5)]
    with ThreadPoolExecutor(4) as threads:  # several at once
        for database in threads.map(open_installed, files[:3]):
            database.close()
    with monkeypatch.context() as patch:
        patch.setattr(sr_tracker.queries.catalog, "_install", None)
        before = datetime.now(UTC)
        with open_installed(files[3]) as copied, open_installed(None) as in_memory:
            assert in_memory.connection.execute("FROM leaderboard").fetchall() == []
            for database in (copied, in_memory):
                assert min(*made_at(database)) >= before
    monkeypatch.setattr(short_cuts, "TAKEN", False)
    open_installed(files[4]).close()
    assert [contents(file) for file in files] == [contents(database_file)] * 5


def test_what_macros_and_views_are_made_of_is_told_without_making_them() -> None:
    names = {file.name for file in made_of()}
    assert {"leaderboard.sql", "nist.sql", "builtin.py", "registry.py", "chrf.py"} <= names
    assert {f"{item.name}.sql" for item in [*macros(), *table_macros(), *views()]} <= names
    folders = {file.parent.name for file in made_of() if file.name == "metrics.py"}
    assert folders == {"grammar", "meaning", "tasks"}


def test_a_metric_that_a_package_registers_or_changes_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its registration is among what the catalog is made of; so is the package's version."""
    results = []
    for version in ("1.0", "1.1"):
        folder = tmp_path / version
        (folder / f"mine-{version}.dist-info").mkdir(parents=True)
        file = folder / f"mine-{version}.dist-info" / "entry_points.txt"
        file.write_text("[sr_tracker.metrics]\nmine = mine:METRIC\n", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.syspath_prepend(str(folder))
            assert file in made_of()
            sha256.cache_clear()
            results.append(sha256())
    sha256.cache_clear()
    assert len({sha256(), *results}) == 3


def test_changed_view_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_installed(None) as database:
        first = installed_at(database)
        text = "CREATE OR REPLACE VIEW submission_overview AS SELECT 7 AS seven"
        changed = SqlFile("submission_overview", "one row.", text, {})
        others = [changed if view.name == "submission_overview" else view for view in views()]
        monkeypatch.setattr(sr_tracker.queries.catalog, "views", lambda: others)
        monkeypatch.setattr(sr_tracker.queries.catalog, "sha256", lambda: "of changed views")
        install(database)
        assert database.connection.execute("FROM submission_overview").fetchall() == [(7,)]
        monkeypatch.undo()
        install(database)
        assert database.connection.execute("FROM submission_overview").fetchall() == []
        assert [row[0] for row in installed_at(database)] == [row[0] for row in first]


def test_another_metric_renews_the_views_that_name_metrics_and_leaves_the_others() -> None:
    comments = (
        "SELECT view_name, sql, comment FROM duckdb_views() WHERE NOT internal UNION ALL "
        "SELECT table_name, column_name, comment FROM duckdb_columns() ORDER BY ALL"
    )
    metric = "('rating', 'Rating', 'what it says', '1', 'higher', 'points', 0, 1)"
    with open_database(None) as database, open_database(None) as anew:
        install(database)
        database.connection.execute("COMMENT ON VIEW coverage IS 'not renewed'")
        for item in (database, anew):
            item.connection.execute(f"INSERT INTO external_metric VALUES {metric}")
            item.connection.execute(
                "INSERT INTO scoring VALUES ('C/s/t', 'rating', 'x', 'h', 'tool', now(), 1)"
            )
            install(item)
        renewed, whole = (
            entry.connection.execute(comments).fetchall() for entry in (database, anew)
        )
        assert {name for name, *_ in set(renewed) ^ set(whole)} == {"coverage"}
        assert database.connection.execute(
            "SELECT label FROM metrics WHERE metric = 'rating'"
        ).fetchall() == [("Rating",)]
        database.connection.execute("DELETE FROM scoring")
        install(database)
        for view in [*views(), *aliases()]:
            database.connection.execute(f"FROM {view.name} LIMIT 0")
        database.connection.execute("COMMENT ON VIEW coverage IS NULL; DELETE FROM catalog")
        install(database)
        (comment,) = database.connection.execute(
            "SELECT comment FROM duckdb_views() WHERE view_name = 'coverage'"
        ).fetchone() or ("",)
        assert comment


def test_failing_installation_leaves_the_old_views(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_installed(None) as database:
        first = installed_at(database)
        broken = [*views()[:-1], SqlFile("x", "x.", "CREATE VIEW x AS SELECT nonsense", {})]
        monkeypatch.setattr(sr_tracker.queries.catalog, "views", lambda: broken)
        monkeypatch.setattr(sr_tracker.queries.catalog, "sha256", lambda: "of broken views")
        with pytest.raises(Exception, match="nonsense"):
            install(database)
        assert installed_at(database) == first
        database.connection.execute("FROM leaderboard")


def test_views_come_after_those_they_read() -> None:
    names = [view.name for view in views()]
    assert len(names) == len(set(names))
    for before, after in (
        ("coverage", "leaderboard"),
        ("human_means", "leaderboard"),
        ("current_scoring", "submission_metrics"),
        ("leaderboard", "submission_history"),
        ("dea_by_relation", "dea_by_relation_macro"),
    ):
        assert names.index(before) < names.index(after)


def tables_in(node: object) -> set[str]:
    """Return what a query, as DuckDB's parser tells it, reads by a plain name."""
    parts = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    keys: set[str] = set().union(*map(tables_in, parts))
    if isinstance(node, dict):
        keys |= {node["table_name"]} if node.get("type") == "BASE_TABLE" else set()
        keys -= {item["key"] for item in node.get("cte_map", {}).get("map", [])}
    return keys


def test_views_declare_what_they_read(campaign: Database) -> None:
    """What DuckDB itself reads out of its own text of each view."""
    texts = dict(
        campaign.connection.execute(
            "SELECT view_name, json_serialize_sql(regexp_replace(rtrim(sql, ';'), "
            "'^CREATE VIEW \\w+( \\([^)]*\\))? AS ', '')::VARCHAR) "
            "FROM duckdb_views() WHERE NOT internal"
        ).fetchall()
    )
    declared = [*views(), *aliases()]
    names = {view.name for view in declared}
    assert {*texts} == names
    for view in declared:
        parsed = json.loads(texts[view.name])
        assert not parsed["error"], (view.name, parsed)
        assert {*view.reads} == tables_in(parsed) & names, view.name
        assert [*view.reads] == sorted(view.reads)


def test_a_view_has_one_row_for_each_of_its_grain(file_with_all_rows: Path) -> None:
    with open_database(file_with_all_rows, read_only=True) as database:
        for view in views():
            assert view.grain, view.name
            assert view.group in GROUPS, view.name
            keys = ", ".join(view.grain)
            twice = database.connection.execute(
                f"SELECT {keys}, count(*) FROM {view.name} GROUP BY {keys} HAVING count(*) > 1"
            ).fetchall()
            assert twice == [], view.name


def test_scoring_and_analysing_leave_nothing_temporary(campaign: Database) -> None:
    made = "SELECT count(*) FROM {}() WHERE temporary AND NOT internal"
    for function in ("duckdb_tables", "duckdb_views"):
        assert campaign.connection.execute(made.format(function)).fetchone() == (0,)


def test_views_that_read_each_other_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    circle = [
        SqlFile("a", "x", "CREATE VIEW a AS FROM b", {}, reads=("b",)),
        SqlFile("b", "x", "CREATE VIEW b AS SELECT * FROM c JOIN a USING (x)", {}, reads=("a",)),
    ]
    monkeypatch.setattr(sr_tracker.queries.catalog, "read_sql_files", lambda *_: circle)
    with pytest.raises(ValueError, match="read each other"):
        views()


def test_every_view_and_column_has_a_comment(campaign: Database) -> None:
    """But columns of views under their old names."""
    silent = campaign.connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL UNION ALL "
        "SELECT table_name || '.' || column_name FROM duckdb_columns() "
        "WHERE NOT internal AND comment IS NULL AND NOT list_contains($old, table_name)",
        {"old": [alias.name for alias in aliases()]},
    ).fetchall()
    assert silent == []


def test_comments_belong_to_their_columns(campaign: Database) -> None:
    comments = dict(
        campaign.connection.execute(
            "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'leaderboard'"
        ).fetchall()
    )
    assert comments["coverage"] == "share of sentences with an output, 0 to 1"
    assert comments["nist"] == "NIST of 5-grams, in bits"


def test_every_sql_file_says_what_a_row_or_result_is() -> None:
    for file in [*views(), *audits()]:
        assert file.description.startswith("one row per "), file.name
    for file in macros():
        assert f"MACRO {file.name}(" in file.text
    for view in views():
        assert f"CREATE OR REPLACE VIEW {view.name} AS" in view.text


def test_the_views_of_the_design_are_there() -> None:
    assert {view.name for view in views()} >= {
        *("leaderboard", "output_scores", "dea_by_relation", "dea_by_relation_macro"),
        *("treebank_complexity", "submission_history", "coverage", "submission_overview"),
    }


def test_duckdb_alone_reads_every_view(file_with_all_rows: Path) -> None:
    """Times are instants: DuckDB 1.5 needs pytz for them, which its package does not bring."""
    printed = subprocess.check_output(
        [sys.executable, "-I", "-c", IN_DUCKDB_ALONE, str(file_with_all_rows)], text=True
    )
    refused = json.loads(printed)
    with open_database(file_with_all_rows, read_only=True) as database:
        rows = database.connection.execute(
            "SELECT DISTINCT table_name FROM duckdb_columns() JOIN duckdb_views() "
            "ON table_name = view_name WHERE data_type = 'TIMESTAMP WITH TIME ZONE'"
        ).fetchall()
    instants = {name for (name,) in rows}
    assert len(instants) >= 9
    assert set(refused) <= (instants if duckdb.__version__.startswith("1.") else set())
    assert all("Required module 'pytz'" in message for message in refused.values())
    assert any(line.startswith("pytz") for line in requires("sr-tracker") or ())


def test_views_and_macros_work_in_a_plain_client(file_with_all_rows: Path) -> None:
    plain = subprocess.run(
        [sys.executable, "-I", "-c", IN_A_PLAIN_CLIENT, str(file_with_all_rows)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    seen = json.loads(plain.stdout)
    assert seen["ours"] == []
    old = {alias.name: seen["rows"].pop(alias.name) for alias in aliases()}
    assert old == {alias.name: seen["rows"][alias.reads[0]] for alias in aliases()}
    assert set(seen["rows"]) == {view.name for view in views()}
    empty = {name for name, rows in seen["rows"].items() if not rows}
    two_treebanks = {"relation_divergence", "test_set_versions"}
    good_and_incorrect_outputs = {"challenge_by_metric"}
    replaced_since = {"superseded_comparison"}
    one_parser_and_model = {"mf_dependence"}
    held_against_people = {"metric_leaderboard", "metric_pairs"}
    rules_about_one_word = {"grammar_rule_values"}
    one_trial_each = {"flaky_sentences", "pass_at_k", "trial_scores"}
    assert empty == {
        *(*two_treebanks, *good_and_incorrect_outputs, *held_against_people),
        *(*replaced_since, *one_parser_and_model),
        *(*rules_about_one_word, *one_trial_each),
    }
    made = {macro.name for macro in [*macros(), *table_macros()]}
    assert set(seen["macros"]) == {"next_revision", *made}
    assert all(0 < value < 1 for value in seen["scores"])
    assert seen["more"] == [1.0, 1.0, 1.0, 1.0, 0.5]
    with open_database(file_with_all_rows, read_only=True) as database:
        for name, rows in seen["rows"].items():
            assert database.connection.execute(f"SELECT count(*) FROM {name}").fetchone() == (rows,)


def test_rows_refer_to_rows_that_are_there(file_with_all_rows: Path) -> None:
    """What the classes of the tables declare of each other holds wherever there are rows."""
    with open_database(file_with_all_rows, read_only=True) as database:
        for audit in table_audits():
            assert database.connection.execute(audit.text).fetchall() == [], audit.name


def test_no_two_names_differ_by_a_letter() -> None:
    """Tables, views and macros: who types one letter more would read something else."""
    names = [*natural_keys(), *(file.name for file in [*views(), *macros(), *table_macros()])]
    assert len(names) == len(set(names))
    alike = {
        (one, other)
        for one, other in combinations(sorted(names), 2)
        if Levenshtein.distance(one, other, score_cutoff=1) <= 1
    }
    of_tables = {("reference_edge", "reference_edges")}
    assert alike == of_tables


def test_a_view_is_read_by_its_old_name_and_says_how_it_is_called(
    campaign: Database, campaign_file: Path
) -> None:
    assert {"submissions", "correlations"} <= {alias.name for alias in aliases()}
    for alias in aliases():
        (name,) = alias.reads
        was, now = (read_view(campaign, item) for item in (alias.name, name))
        assert was.select(now.column_names).num_rows == now.num_rows
        ((comment,),) = campaign.connection.execute(
            "SELECT comment FROM duckdb_views() WHERE view_name = $1", [alias.name]
        ).fetchall()
        assert comment == f"the old name of {name}, which goes with {ALIASES_END}."
    old, new = (
        CliRunner().invoke(cli, ["-d", str(campaign_file), "show", name, "-f", "csv"])
        for name in ("submissions", "submission_overview")
    )
    assert old.stdout == new.stdout
    assert "'submissions' is now called 'submission_overview'" in old.stderr
    assert "is now called" not in new.stderr
    with (
        sr_tracker.connect(campaign_file, read_only=True) as db,
        pytest.warns(DeprecationWarning, match="'correlations' is now called"),
    ):
        assert db.show("correlations", limit=1).num_rows == 1


def test_old_names_of_columns_are_read_by_the_old_name(campaign: Database) -> None:
    of = campaign.connection.execute
    assert of("SELECT count(*) FROM human_comparisons").fetchone() != (0,)
    assert of(
        "SELECT DISTINCT other_submission_id = base_submission_id, "
        "other_system_id = base_system_id, other_sentences = base_sentences FROM human_comparisons"
    ).fetchall() == [(True, True, True)]


def test_statement_is_found_by_name() -> None:
    assert "INSERT INTO edge_outcome" in statement("match_edges")


def test_functions_are_registered_once() -> None:
    def first(texts):  # type: ignore[no-untyped-def]  # DuckDB must not need annotations
        return texts

    def second(texts):  # type: ignore[no-untyped-def]
        raise AssertionError("the first one stays")

    with open_database(None) as database:
        register(database.connection, [SqlFunction("same", first, ["VARCHAR"], "VARCHAR")])
        register(database.connection, [SqlFunction("same", second, ["VARCHAR"], "VARCHAR")])
        assert database.connection.execute("SELECT same('a')").fetchone() == ("a",)


def test_the_list_begins_with_twenty_views_and_says_how_to_see_the_rest() -> None:
    listed = CliRunner().invoke(cli, ["show", "--format", "json"])
    names = [row["view"] for row in json.loads(listed.stdout)]
    assert {*names} == {view.name for view in views() if view.first}
    assert 15 <= len(names) <= 22
    assert {"leaderboard", "sentence_pairs", "measure_changes", "human_leaderboard"} <= {*names}
    assert "'tracker show --all' lists the rest" in listed.stderr


def test_the_list_of_views_is_by_what_they_are_for() -> None:
    """Groups in order, views in each by name; what others read is last, and old names."""
    listed = CliRunner().invoke(cli, ["show", "--all", "--format", "json"])
    rows = json.loads(listed.stdout)
    assert [(GROUPS.index(row["group"]), row["view"]) for row in rows] == sorted(
        (GROUPS.index(view.group), view.name) for view in [*views(), *aliases()]
    )
    assert GROUPS[-2:] == ("internal", "old names")
    refused = CliRunner().invoke(cli, ["show", "leaderboard", "--all"])
    assert isinstance(refused.exception, InputError)


def test_a_database_of_between_two_releases_is_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "c.duckdb"
    with open_database(path) as database:
        database.connection.execute("ALTER TABLE comparison RENAME TO former")
        database.connection.execute("DELETE FROM catalog")  # its views are not today's
    for read_only in (True, False):
        with pytest.raises(
            DatabaseUnavailableError, match=r"lack comparison\.submission_id"
        ) as refused:
            open_installed(path, read_only=read_only)
        assert "new database" in str(refused.value.hint)
    with open_database(path) as database:
        assert database.connection.execute("FROM campaign").fetchall() == []
