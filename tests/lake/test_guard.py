"""What a reader's query may name in a lake: attacked without a server."""

from __future__ import annotations

import pytest

from sr_tracker.queries.catalog import view_names
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import QueryError
from sr_tracker.schema.lake import METADATA, NAME
from sr_tracker.schema.lake.guard import check_within_lake

SERIALIZED = "json_serialize_sql('FROM postgres_query(''own'', ''SELECT 1'')')"
REFUSED = (
    f"FROM json_execute_serialized_sql({SERIALIZED})",
    f"SELECT (SELECT count(*) FROM json_execute_serialized_sql({SERIALIZED}))",
    f"WITH a AS (FROM JSON_EXECUTE_SERIALIZED_SQL({SERIALIZED})) FROM a",
    f"FROM campaign WHERE EXISTS (FROM system.main.json_execute_serialized_sql({SERIALIZED}))",
    f'FROM "json_execute_serialized_sql"({SERIALIZED})',
    "FROM query('SELECT 1')",
    "FROM query_table('campaign')",
    "FROM campaign, LATERAL (FROM query('SELECT 1'))",
    "FROM campaign UNION ALL FROM read_csv('/etc/passwd')",
    "FROM campaign ORDER BY (SELECT content FROM read_text('/etc/passwd'))",
    "SELECT list_transform([1], x -> (SELECT count(*) FROM glob('/*')))",
    "FROM read_blob('/etc/passwd')",
    "FROM sniff_csv('/etc/passwd')",
    "FROM parquet_bloom_probe('x.parquet', 'a', 1)",
    "FROM read_duckdb('x.duckdb')",
    "FROM duckdb_secrets()",
    "FROM duckdb_databases()",
    "FROM duckdb_settings()",
    "FROM which_secret('s3://a', 's3')",
    "FROM postgres_execute('own', 'DROP TABLE a')",
    "FROM postgres_scan('dbname=postgres', 'public', 'pg_class')",
    "FROM pg_clear_cache()",
    "FROM postgres_attach('dbname=postgres')",
    "FROM ducklake_expire_snapshots('lake')",
    "FROM ducklake_set_option('lake', 'a', 'b')",
    "FROM ducklake_list_files('lake', 'campaign')",
    "FROM ducklake_table_changes('lake', 'main', 'campaign', 0, 9)",
    f"FROM {METADATA}.ducklake_metadata",
    f"FROM {METADATA}.public.ducklake_metadata",
    "FROM other.campaign",
    "FROM other.main.campaign",
    "FROM '/etc/passwd.csv'",
    "FROM 's3://bucket/rows.parquet'",
    'FROM "rows.parquet"',
    "FROM 'C:\\rows.json'",
    'FROM main."rows.parquet"',
    "FROM python_map_function()",
    "FROM checkpoint()",
    "FROM enable_logging()",
    "FROM duckdb_logs()",
    "FROM seq_scan()",
    "FROM pandas_scan(1)",
    "EXPLAIN FROM campaign",
    "CALL postgres_query('own', 'SELECT 1')",
    "PIVOT campaign ON name",
    "DELETE FROM campaign",
    "ATTACH 'x.db'",
    "COPY campaign TO 'x.csv'",
    "INSTALL httpfs",
    "SET lock_configuration = false",
)
ALLOWED = (
    "FROM campaign",
    f"FROM {NAME}.campaign",
    f"SELECT count(*) FROM {NAME}.main.campaign",
    "SELECT * FROM range(3), unnest([1, 2]), generate_series(1, 2)",
    "WITH a AS (FROM leaderboard) SELECT count(*) FROM a",
    "FROM information_schema.tables",
    "SELECT table_name FROM duckdb_tables()",
    "DESCRIBE campaign",
    "SUMMARIZE campaign",
    "VALUES (1)",
    "FROM json_each('[1]')",
    "SELECT * FROM leaderboard AS OF JOIN",  # no statement: DuckDB says what is wrong with it
)


@pytest.mark.parametrize("query", REFUSED)
def test_what_reaches_further_than_a_lake_is_refused(in_memory: Database, query: str) -> None:
    with pytest.raises(QueryError, match="on a lake"):
        check_within_lake(in_memory.connection, query)


@pytest.mark.parametrize("query", ALLOWED)
def test_what_stays_within_a_lake_is_let_through(in_memory: Database, query: str) -> None:
    check_within_lake(in_memory.connection, query)


def test_every_view_and_its_definition_may_be_read(in_memory: Database) -> None:
    for name in view_names():
        check_within_lake(in_memory.connection, f'SELECT * FROM "{name}" LIMIT 1')


def test_functions_that_give_rows_are_refused_but_for_a_few(in_memory: Database) -> None:
    names = in_memory.connection.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'"
    ).fetchall()
    let_through = []
    for (name,) in names:
        try:
            check_within_lake(in_memory.connection, f'FROM "{name}"()')
        except QueryError:
            continue
        let_through.append(name)
    reaching = ("read", "scan", "query", "execute", "glob", "secret", "database", "settings")
    assert len(let_through) < 20
    assert not [name for name in let_through if any(word in name for word in reaching)]
