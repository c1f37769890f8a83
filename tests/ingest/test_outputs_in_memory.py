"""Outputs that a program holds, in every shape, read as files with the same content are."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.outputs.reading import outputs_in_memory, read_outputs
from sr_tracker.schema.errors import InputError

TEXTS = ["the dog saw it", None, "  ", "ça va", "a\nb"]
READ = ["the dog saw it", None, None, "ça va", "a\nb"]
IDS = ["s3", "s1", "2", "s9", "s4"]


@pytest.mark.parametrize(
    "outputs",
    [
        TEXTS,
        tuple(TEXTS),
        (text for text in TEXTS),
        np.array(TEXTS, object),
        pd.Series(TEXTS),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:2], TEXTS[2:]]),
        pd.DataFrame({"text": TEXTS}),
        pd.DataFrame({"step": range(5), "prediction": TEXTS}, index=range(5, 10)),
        pa.table({"hypothesis": TEXTS}),
        pa.record_batch({"output": pa.array(TEXTS)}),
    ],
)
def test_texts_in_the_order_of_the_treebank(outputs: Any) -> None:
    file = outputs_in_memory(outputs)
    assert (file.ids, file.texts, file.lines) == (None, READ, [1, 2, 3, 4, 5])


@pytest.mark.parametrize(
    "outputs",
    [
        dict(zip(IDS, TEXTS, strict=True)),
        pd.Series(TEXTS, index=IDS).to_dict(),
        pd.DataFrame({"sent_id": IDS, "text": TEXTS}),
        pd.DataFrame({"text": TEXTS}, index=pd.Index(IDS, name="sent_id")),
        pa.table({"id": IDS, "text": TEXTS}),
    ],
)
def test_texts_with_their_ids(outputs: Any) -> None:
    file = outputs_in_memory(outputs)
    assert (file.ids, file.texts) == (IDS, READ)


def test_columns_may_be_named() -> None:
    frame = pd.DataFrame({"key": IDS, "text": "wrong", "beam 1": TEXTS})
    file = outputs_in_memory(frame, id_column="key", text_column="beam 1")
    assert (file.ids, file.texts) == (IDS, READ)


@pytest.mark.parametrize("ids", [[1, 2, 3], [1.0, 2.0, 3.0], np.array([1, 2, 3])])
def test_numbers_are_ids_as_they_are_written(ids: Any) -> None:
    frame = pd.DataFrame({"sent_id": ids, "text": ["a", "b", "c"]})
    assert outputs_in_memory(frame).ids == ["1", "2", "3"]


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT])
def test_what_is_missing_is_no_text_and_no_id(missing: Any) -> None:
    assert outputs_in_memory(["a", missing]).texts == ["a", None]
    with pytest.raises(InputError, match="no sentence id") as caught:
        outputs_in_memory({"1": "a", missing: "b"})
    assert caught.value.where == "outputs:2"


@pytest.mark.parametrize(
    ("outputs", "where"),
    [
        (["a", 3], "outputs:2"),
        (["a", "b", b"c"], "outputs:3"),
        ([["a", "list"]], "outputs:1"),
        (["nul \0"], "outputs:1"),
        (["half \ud800"], "outputs:1"),
        ({"1": "a", "2": {}}, "outputs:2"),
        (pd.DataFrame({"sent_id": IDS, "words": TEXTS}), "outputs"),
        (pd.DataFrame({"text": [1, 2]}), "outputs:1"),
        ("text.txt", None),
        (b"text", None),
        (17, None),
        (None, None),
    ],
)
def test_what_cannot_be_outputs(outputs: Any, where: str | None) -> None:
    with pytest.raises(InputError) as caught:
        outputs_in_memory(outputs)
    assert caught.value.where == where
    assert caught.value.hint


def test_an_unknown_column_is_told_with_those_there_are() -> None:
    with pytest.raises(InputError, match="no column 'texts'") as caught:
        outputs_in_memory(pa.table({"id": IDS, "text": TEXTS}), text_column="texts")
    assert "id, text" in str(caught.value)
    doubled = pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(InputError, match="2 columns are named 'text'"):
        outputs_in_memory(doubled)


LETTERS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8)


@given(st.dictionaries(st.text("abc12.-", min_size=1, max_size=4), LETTERS, min_size=1))
def test_a_dictionary_reads_as_the_file_with_the_same_content(
    tmp_path_factory: pytest.TempPathFactory, outputs: dict[str, str]
) -> None:
    path = _written(tmp_path_factory.mktemp("given") / "outputs.csv", outputs)
    from_file, ours = read_outputs(path), outputs_in_memory(outputs)
    assert (ours.ids, ours.texts) == (from_file.ids, from_file.texts)


def _written(path: Path, outputs: dict[str, str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([("sent_id", "text"), *outputs.items()])
    return path
