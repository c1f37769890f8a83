"""Reading outputs: every format and shape gives the same texts, and its errors name the line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.analysers import ANALYSIS_SCHEMA
from sr_tracker.ingest.outputs.in_memory import outputs_in_memory
from sr_tracker.ingest.outputs.reading import read_outputs
from sr_tracker.schema.errors import InputError, TrackerError
from tests.building import written


@pytest.mark.parametrize(
    "head", ["# sent_id = {}", "#sent_id = {}", "# sent_id ={} ", "#sent_id={}"]
)
@pytest.mark.parametrize("text", ["# text = {}", "#text = {}", "#text={}"])
@pytest.mark.parametrize("gap", ["\n\n", "\n", "\n\n \n"])
def test_spellings_of_the_shared_task_form(tmp_path: Path, head: str, text: str, gap: str) -> None:
    blocks = [f"{head.format(i)}\n{text.format(f'out {i}')}" for i in ("a-1", "2")]
    path = written(tmp_path / "a.txt", gap.join(blocks))
    outputs = read_outputs(path)
    assert outputs.ids == ["a-1", "2"]
    assert outputs.texts == ["out a-1", "out 2"]
    assert outputs.where(1) == f"{path}:{3 + gap.count(chr(10)) - 1}"


def test_outputs_that_are_not_given(tmp_path: Path) -> None:
    lines = ["# sent_id = 1", "# text = ", "", "# sent_id = 2", "", "# sent_id = 3", "# text =  \t"]
    outputs = read_outputs(written(tmp_path / "a.txt", "\n".join(lines)))
    assert outputs.ids == ["1", "2", "3"]
    assert outputs.texts == [None, None, None]
    assert read_outputs(written(tmp_path / "b.txt", "x\n\n \ny\n")).texts == ["x", None, None, "y"]
    records = read_outputs(written(tmp_path / "c.csv", "id,text\n1,\n2, \n3,x\n"))
    assert records.texts == [None, None, "x"]


def test_many_blanks_inside_an_id(tmp_path: Path) -> None:
    sent_id = "a" + " " * 100_000 + "b"
    read = read_outputs(written(tmp_path / "a.txt", f"# sent_id =  {sent_id} \n# text = x\n"))
    assert read.ids == [sent_id]


def test_lines_without_ids(tmp_path: Path) -> None:
    for content in ("a\nb # sent_id = 3\n", "a\nb # sent_id = 3", "a\r\nb # sent_id = 3\r\n"):
        outputs = read_outputs(written(tmp_path / "a.txt", content))
        assert outputs.ids is None
        assert outputs.texts == ["a", "b # sent_id = 3"]
        assert outputs.lines == [1, 2]


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["# sent_id = 1", "# text = a", "# text = b"], 3, "text without its sent_id"),
        (["# text = a", "# sent_id = 1", "# text = b"], 1, "text without its sent_id"),
        (["# text = a", "# text = b"], 1, "text without its sent_id"),
        (["# sent_id = 1", "# text = a", "more of it"], 3, "neither sent_id nor text"),
        (["--", "# sent_id = 1", "# text = a"], 1, "neither sent_id nor text"),
    ],
)
def test_dirty_shared_task_files(tmp_path: Path, lines: list[str], line: int, message: str) -> None:
    path = written(tmp_path / "a.txt", "\n".join(lines) + "\n")
    with pytest.raises(InputError, match=message) as error:
        read_outputs(path)
    assert error.value.where == f"{path}:{line}"
    assert error.value.hint


def test_tables_by_name_and_by_mapping(tmp_path: Path) -> None:
    expected = (["a", "2"], ["one, two", None])
    rows = [("a", "one, two"), ("2", None)]
    written(tmp_path / "a.csv", 'sent_id,text\na,"one, two"\n2,\n')
    written(tmp_path / "a.tsv", "sent_id\ttext\na\tone, two\n2\t\n")
    lines = [json.dumps({"sent_id": i, "text": t}) for i, t in rows]
    written(tmp_path / "a.jsonl", "\n".join(lines))
    columns = {"sent_id": [i for i, _ in rows], "text": [t for _, t in rows]}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    written(tmp_path / "a.json", f"[{', '.join(lines)}]")
    for suffix in ("csv", "tsv", "jsonl", "json", "parquet"):
        outputs = read_outputs(tmp_path / f"a.{suffix}")
        assert (outputs.ids, outputs.texts) == expected
    for header in ("ID,Text", "key,OUTPUT", "gem_id,prediction"):
        written(tmp_path / "a.csv", f'{header}\na,"one, two"\n2,\n')
        outputs = read_outputs(tmp_path / "a.csv")
        assert (outputs.ids, outputs.texts) == expected
    both = read_outputs(written(tmp_path / "both.csv", "ID,Text,text,id\na,x,y,b\n"))
    assert (both.ids, both.texts) == (["b"], ["y"])
    source = read_outputs(written(tmp_path / "source.csv", "text,output\nx,y\n"))
    assert source.texts == ["y"]
    mapped = written(tmp_path / "b.csv", "segment,mt,text\na,x,no\n")
    outputs = read_outputs(mapped, id_column="segment", text_column="mt")
    assert (outputs.ids, outputs.texts) == (["a"], ["x"])
    with pytest.raises(InputError, match="no column 'nothing'"):
        read_outputs(mapped, text_column="nothing")
    with pytest.raises(InputError, match="no column 'text'") as error:
        read_outputs(written(tmp_path / "c.csv", "id,sentence\n1,x\n"))
    assert "--text-column" in str(error.value.hint)
    with pytest.raises(InputError, match="'id' is empty") as error:
        read_outputs(written(tmp_path / "d.csv", "id,text\n1,x\n,y\n"))
    assert error.value.where == f"{tmp_path / 'd.csv'}:3"


def test_trials_of_several_models_are_one_system_s(tmp_path: Path) -> None:
    path = tmp_path / "outputs.csv"
    path.write_text("id,trial,model,text\n1,a,m1,x\n1,b,m2,y\n", encoding="utf-8")
    assert [file.texts for file in read_outputs(path, system="ours").trials] == [["x"], ["y"]]
    assert [file.texts for file in read_outputs(path, system="m2").trials] == [["y"]]


@pytest.mark.parametrize(
    "cell", ["[laughs]", "[1, 2]", '["a"], ["b"]', "[x for x in y]", f"{'[' * 999}{']' * 999}"]
)
def test_cells_that_are_no_lists_of_texts_are_texts(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "outputs.tsv"
    path.write_text(f"text\n['a', 'b']\n{cell}\n", encoding="utf-8")
    file = read_outputs(path)
    assert file.texts == ["['a', 'b']", cell]
    assert file.further == ()


def test_a_json_value_is_a_list_or_an_object_of_texts(tmp_path: Path) -> None:
    texts = read_outputs(written(tmp_path / "a.json", '["x", null]'))
    assert (texts.ids, texts.texts) == (None, ["x", None])
    by_id = read_outputs(written(tmp_path / "b.json", '{"s-1": "x", "s-2": ""}'))
    assert (by_id.ids, by_id.texts) == (["s-1", "s-2"], ["x", None])
    for broken in ("[1]", '{"outputs": ["x"]}', "3", '[{"text": {"a": 1}}]', "[", '["\\ud800"]'):
        with pytest.raises(InputError) as error:
            read_outputs(written(tmp_path / "c.json", broken))
        assert str(tmp_path / "c.json") in str(error.value.where)


CONLLU = """\
# sent_id = s-2
# text = Il va au bar.
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tva\taller\tVERB\t_\t_\t0\troot\t_\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tbar\tbar\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct:x\t_\t_

# sent_id = s-1
1\t!\t!\tPUNCT\t_\t_\t_\t_\t_\t_
2\toui\t_\tINTJ\t_\t_\t_\t_\t_\t_
"""


def test_conllu_brings_its_analysis(tmp_path: Path) -> None:
    outputs = read_outputs(written(tmp_path / "a.conllu", CONLLU))
    assert outputs.ids == ["s-2", "s-1"]
    assert outputs.texts == ["Il va au bar.", "! oui"]
    assert outputs.lines == [1, 11]
    tokens = outputs.tokens
    assert tokens is not None
    assert tokens.schema.names == ANALYSIS_SCHEMA.names
    assert tokens["sentence_no"].to_pylist() == [1] * 6 + [2] * 2
    assert tokens["position"].to_pylist() == [1, 2, 3, 4, 5, None, None, 1]
    assert tokens["head"].to_pylist() == [2, 0, 5, 5, 2, 2, None, None]
    assert tokens["lemma"].to_pylist()[-1] is None


def test_conllu_with_a_blank_text_has_its_words(tmp_path: Path) -> None:
    content = "# text = \n1\toui\t_\tX\t_\t_\t_\t_\t_\t_\n"
    assert read_outputs(written(tmp_path / "a.conllu", content)).texts == ["oui"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CONLLU.replace("# sent_id = s-1\n", ""), "no sent_id although others have one"),
        ("1\t_\tw\tX\t_\t_\t_\t_\t_\t_\n", "hidden"),
        (CONLLU.replace("\t_\t_\n", "\t_\n", 1), "9 columns"),
        (CONLLU.replace("5\tcase", "7\tcase"), "HEAD '7'"),
    ],
)
def test_conllu_that_cannot_be_outputs(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "a.conllu", content)
    with pytest.raises(InputError, match=message) as error:
        read_outputs(path)
    assert (error.value.where or "").startswith(str(path))


def test_a_line_of_100000_words(tmp_path: Path) -> None:
    text = "word " * 100_000
    assert read_outputs(written(tmp_path / "a.txt", f"{text}\nb\n")).texts == [text, "b"]
    content = f"# sent_id = 1\n# text = {text}\n"
    assert read_outputs(written(tmp_path / "b.txt", content)).texts == [text]


@given(
    content=st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
        st.lists(
            st.sampled_from(
                ["# sent_id = 1\n", "# text = a\n", "#text =", "#", " ", "\n", "x", "\t"]
            ),
            max_size=12,
        ).map("".join),
    ),
    suffix=st.sampled_from(["txt", "conllu", "csv", "jsonl"]),
)
def test_any_text_is_outputs_or_a_tracker_error(tmp_path: Path, content: str, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(content.encode())
    try:
        outputs = read_outputs(path)
    except TrackerError:
        return
    assert len(outputs.texts) == len(outputs.lines)
    assert outputs.ids is None or len(outputs.ids) == len(outputs.texts)
    assert all(text is None or text.strip() for text in outputs.texts)


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
        (["a", ["list"]], "outputs:2"),
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
