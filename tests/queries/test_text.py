from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.analyses import FUNCTIONS
from sr_tracker.queries.functions.sql_function import register
from sr_tracker.queries.functions.text import normalised_text
from sr_tracker.schema.statements import statement

texts = st.lists(st.one_of(st.none(), st.text(), st.text(alphabet="aB \t\n\x1c\u3000İΣ𝒜")))


def as_the_shared_task(text: str) -> str:
    return " ".join(text.lower().split())


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Has the macro plain_text, as scoring defines it."""
    with duckdb.connect() as connection:
        register(connection, FUNCTIONS)
        connection.execute(statement("plain_text"))
        yield connection


@given(texts)
def test_texts_are_those_of_the_shared_task(rows: list[str | None]) -> None:
    expected = [None if text is None else as_the_shared_task(text) for text in rows]
    assert normalised_text(pa.array(rows, type=pa.string())).to_pylist() == expected


def test_python_s_own_case_and_whitespace() -> None:
    array = pa.array(["ΟΔΟΣ\u00a0\u3000İ", "a\x1cb", " \t", None])
    assert normalised_text(array).to_pylist() == ["οδος i̇", "a b", "", None]


def test_every_character_in_sql(connection: duckdb.DuckDBPyConnection) -> None:
    characters = [chr(point) for point in range(1, 0x110000) if not 0xD800 <= point < 0xE000]
    given_texts = [f"A{c}B" for c in characters]
    given_texts += [text for c in characters[:0x3000] for text in (c, f"ΑΣ{c}", f"{c} ")]
    connection.register("given_texts", pa.table({"given": given_texts}))
    rows = connection.execute("SELECT given, plain_text(given) FROM given_texts").fetchall()
    wrong = [(text, found) for text, found in rows if found != as_the_shared_task(text)]
    assert wrong == []


@given(texts)
def test_any_text_in_sql(connection: duckdb.DuckDBPyConnection, rows: list[str | None]) -> None:
    connection.register("given_texts", pa.table({"given": pa.array(rows, type=pa.string())}))
    found = connection.execute("SELECT plain_text(given) FROM given_texts").fetchall()
    assert [text for (text,) in found] == [
        None if text is None else as_the_shared_task(text) for text in rows
    ]
