"""Every function that scoring registers, over columns as they come; normalised texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.analyses import FUNCTIONS
from sr_tracker.queries.functions.ngrams import nist_information
from sr_tracker.queries.functions.sql_function import SqlFunction, register
from sr_tracker.queries.functions.text import normalised_text
from sr_tracker.queries.metrics.registry import metrics
from sr_tracker.queries.metrics.scoring import JOINED_LEMMAS
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import statement

EVERY = {
    function.name: function
    for functions in (
        FUNCTIONS,
        [JOINED_LEMMAS],
        *(metric.functions for metric in metrics().values() if metric.is_ready),
    )
    for function in functions
    if function.name != "nist_information"  # of whole treebanks
}
TEXTS = pa.array(["x", "a b", None, "", "b  a c", "a"])
OTHERS = pa.array(["x", "a b", "a", "b a c", None])
LISTS = [["x", "a"], None, ["a b", None], [None], ["b a", "c d"]]
INTEGERS, LOGICAL, WORDS = pa.list_(pa.int32()), pa.list_(pa.bool_()), pa.list_(pa.string())
HEADS = pa.array([[2, 0, 4, 2, 8, 8, 8, 4], [3, 4, 0, 3], None, [0, 1, 2, 3], [2, 1], []], INTEGERS)
MARKS = [[False] * 8, [False] * 4, [False], [False, True, False, False], [False] * 2, []]
ORDERS = pa.array([2], pa.int32())
INPUTS = {
    "VARCHAR": [TEXTS],
    "VARCHAR, VARCHAR": [TEXTS, OTHERS],
    "VARCHAR[]": [pa.array(LISTS, WORDS)],
    "VARCHAR, VARCHAR, VARCHAR[]": [TEXTS, OTHERS, pa.array(LISTS, WORDS)],
    "VARCHAR, VARCHAR, VARCHAR[], INTEGER": [TEXTS, OTHERS, pa.array(LISTS, WORDS), ORDERS],
    "VARCHAR, VARCHAR, BLOB, INTEGER": [TEXTS, OTHERS, nist_information(OTHERS, 2), ORDERS],
    "INTEGER[], BOOLEAN[]": [HEADS, pa.array(MARKS, LOGICAL)],
    "INTEGER[], BOOLEAN[], VARCHAR": [
        HEADS, pa.array(MARKS, LOGICAL), pa.array(["standard", "tacl2021", "standard"]),
    ],
    "VARCHAR, VARCHAR, INTEGER[], INTEGER[]": [
        TEXTS, OTHERS, pa.array([[2], None], INTEGERS), pa.array([[1], None], INTEGERS),
    ],
    "VARCHAR[], VARCHAR[], INTEGER[]": [
        pa.array([["a", "."], None, ["b"]], WORDS), pa.array([["a", None], None, ["c d"]], WORDS),
        pa.array([[2], [], []], INTEGERS),
    ],
}  # fmt: skip
"""By the types of parameters; shorter columns begin anew, so that neighbours differ."""
each_function = pytest.mark.parametrize("function", EVERY.values(), ids=EVERY)


def columns(function: SqlFunction, rows: int) -> list[pa.Array]:
    computed = INPUTS[", ".join(function.parameters)]
    return [column.take(pa.array(np.arange(rows) % len(column))) for column in computed]


@each_function
def test_slices_and_chunks_give_the_same_and_nothing_nothing(function: SqlFunction) -> None:
    rows = columns(function, 60)
    whole = function.function(*rows)
    chunked = [
        pa.chunked_array([column[: 5 + place], column[5 + place :]])
        for place, column in enumerate(rows)
    ]
    assert whole.equals(function.function(*chunked))
    assert whole[7:].equals(function.function(*(column[7:] for column in rows)))
    large = [
        column.cast(pa.large_string()) if column.type == pa.string() else column for column in rows
    ]
    assert whole.equals(function.function(*large))
    assert len(function.function(*(column[:0] for column in rows))) == 0
    no_chunk = [pa.chunked_array([], column.type) for column in rows]
    assert len(function.function(*no_chunk)) == 0


@each_function
def test_columns_of_different_lengths(function: SqlFunction) -> None:
    if [*function.parameters[:2]] == ["VARCHAR", "VARCHAR"]:
        first, *others = columns(function, 2)
        with pytest.raises(InputError, match="2 and 1"):
            function.function(first, *(column[:1] for column in others))


@each_function
def test_in_duckdb_on_two_threads(function: SqlFunction) -> None:
    number = 130_000  # more than one row group: both threads get work
    rows = dict(zip("abcd", columns(function, number), strict=False))
    with duckdb.connect(config={"threads": 2}) as connection:
        register(connection, [function])
        connection.register("given_rows", pa.table({"i": np.arange(number), **rows}))
        connection.execute("CREATE TABLE t AS FROM given_rows")
        query = f"SELECT {function.name}({', '.join(rows)}) AS s FROM t ORDER BY i"
        computed: Any = connection.execute(query).to_arrow_table()["s"].combine_chunks()
    assert computed.equals(function.function(*rows.values()).cast(computed.type))


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
    wrong = [(text, row) for text, row in rows if row != as_the_shared_task(text)]
    assert wrong == []


@given(texts)
def test_any_text_in_sql(connection: duckdb.DuckDBPyConnection, rows: list[str | None]) -> None:
    connection.register("given_texts", pa.table({"given": pa.array(rows, type=pa.string())}))
    table_rows = connection.execute("SELECT plain_text(given) FROM given_texts").fetchall()
    assert [text for (text,) in table_rows] == [
        None if text is None else as_the_shared_task(text) for text in rows
    ]
