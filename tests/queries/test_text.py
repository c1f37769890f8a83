from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest
from duckdb.sqltypes import VARCHAR
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.functions.text import normalised_text, surface_tokens

texts = st.lists(st.one_of(st.none(), st.text(), st.text(alphabet="aB \t\n\x1c\u3000İΣ𝒜")))


@settings(deadline=None)  # the first call loads Arrow
@given(texts)
def test_tokens_are_those_of_the_shared_task(rows: list[str | None]) -> None:
    expected = [
        None
        if text is None
        else [token for token in " ".join(text.lower().split()).split(" ") if token]
        for text in rows
    ]
    array = pa.array(rows, type=pa.string())
    assert surface_tokens(array).to_pylist() == expected
    assert normalised_text(array).to_pylist() == [
        None if tokens is None else " ".join(tokens) for tokens in expected
    ]


def test_python_s_own_case_and_whitespace() -> None:
    array = pa.array(["ΟΔΟΣ\u00a0\u3000İ", "a\x1cb", " \t", None])
    assert surface_tokens(array).to_pylist() == [["οδος", "i̇"], ["a", "b"], [], None]
    assert normalised_text(array).to_pylist() == ["οδος i̇", "a b", "", None]


def test_slices_and_chunks_are_read_as_columns() -> None:
    array = pa.array(["zero", "One  two", None, "Three"])
    expected = [["one", "two"], None, ["three"]]
    assert surface_tokens(array.slice(1)).to_pylist() == expected
    chunked = pa.chunked_array([array.slice(1, 1), array.slice(2)])
    assert surface_tokens(chunked).to_pylist() == expected
    assert surface_tokens(pa.chunked_array([], type=pa.string())).to_pylist() == []


@pytest.mark.parametrize("rows", [0, 1, 5000])
def test_in_duckdb(rows: int) -> None:
    with duckdb.connect() as connection:
        connection.create_function(
            "surface_tokens",
            surface_tokens,
            [VARCHAR],
            "VARCHAR[]",
            type="arrow",
            null_handling="special",
        )
        result = connection.execute(
            "SELECT surface_tokens(if(i % 7 = 0, NULL, 'Row  ' || i)) FROM range(?) AS t(i)", [rows]
        ).fetchall()
    assert result == [(None if i % 7 == 0 else ["row", str(i)],) for i in range(rows)]
