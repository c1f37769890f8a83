"""Files and their records: compression, encodings, formats, and what is wrong, with the line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker.schema.files
from sr_tracker.ingest.records import read_records
from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.schema.files import bare_name, content_hash, format_suffix, read_bytes, read_text
from tests.building import written

VALUE = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=8)


@given(
    rows=st.lists(st.tuples(VALUE, VALUE), max_size=5),
    suffix=st.sampled_from([".csv", ".tsv", ".jsonl", ".parquet"]),
)
def test_what_is_written_is_read(tmp_path: Path, rows: list[tuple[str, str]], suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    columns = {"x y": [row[0] for row in rows], "z": [row[1] for row in rows]}
    if suffix == ".parquet":
        pq.write_table(pa.table({n: pa.array(v, pa.string()) for n, v in columns.items()}), path)
    elif suffix == ".jsonl":
        names = list(columns)
        lines = [json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows]
        written(path, "".join(lines))
    else:
        stream = io.StringIO(newline="")
        delimiter = "\t" if suffix == ".tsv" else ","
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        writer.writerows([list(columns), *rows])
        written(path, stream.getvalue())
    records = read_records(path)
    if rows or suffix != ".jsonl":
        assert records.columns == {n: [v or None for v in vs] for n, vs in columns.items()}
    assert len(records.lines) == len(rows)


@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(lambda text: text.encode("utf-8", "ignore")),
        st.lists(st.sampled_from(['"', ",", "\n", "a", "\t", "{", "}", ":", "1"]), max_size=20).map(
            lambda pieces: "".join(pieces).encode()
        ),
    ),
    suffix=st.sampled_from([".csv", ".tsv", ".jsonl", ".parquet"]),
)
def test_any_content_is_records_or_a_tracker_error(
    tmp_path: Path, content: bytes, suffix: str
) -> None:
    try:
        records = read_records(written(tmp_path / f"a{suffix}", content))
    except TrackerError:
        return
    assert all(len(values) == len(records.lines) for values in records.columns.values())


def test_lines_of_records_with_line_breaks(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'id,text\n1,"two\nlines"\n\n2,"quote "" inside"\n')
    records = read_records(path)
    assert records.columns == {"id": ["1", "2"], "text": ["two\nlines", 'quote " inside']}
    assert records.lines == [2, 5]
    assert records.where(1) == f"{path}:5"


def test_a_blank_line_is_an_empty_value_where_there_is_one_column(tmp_path: Path) -> None:
    records = read_records(written(tmp_path / "a.csv", "text\na\n\nb\n"))
    assert records.columns == {"text": ["a", None, "b"]}
    assert records.lines == [2, 3, 4]


def test_values_that_are_no_text(tmp_path: Path) -> None:
    lines = ['{"id": 1, "text": "a"}', "", '{"id": 2.5, "other": [1, "ä"]}', '{"id": true}']
    records = read_records(written(tmp_path / "a.jsonl", "\n".join(lines)))
    assert records.columns["id"] == ["1", "2.5", "true"]
    assert records.columns["text"] == ["a", None, None]
    assert records.lines == [1, 3, 4]
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": [7, None], "text": ["x", ""]}), path)
    assert read_records(path).columns == {"id": ["7", None], "text": ["x", None]}


def test_lists_and_objects_are_no_values(tmp_path: Path) -> None:
    lines = '{"id": 1, "text": "a"}\n\n{"id": 2, "text": ["a"], "other": {}}\n'
    pq.write_table(pa.table({"id": ["1"], "text": [["a"]]}), tmp_path / "a.parquet")
    for path, line in ((written(tmp_path / "a.jsonl", lines), 3), (tmp_path / "a.parquet", 1)):
        records = read_records(path)
        assert records.column("id")[0] == "1"
        with pytest.raises(InputError, match="'text' holds a list") as error:
            records.column("text")
        assert error.value.where == f"{path}:{line}"


def test_a_value_of_100000_words(tmp_path: Path) -> None:
    text = "word " * 100_000
    for suffix, content in (
        (".csv", f"id,text\n1,{text}\n"),
        (".tsv", f"id\ttext\n1\t{text}\n"),
        (".jsonl", json.dumps({"id": 1, "text": text})),
    ):
        records = read_records(written(tmp_path / f"a{suffix}", content))
        assert records.column("text") == [text]


@pytest.mark.parametrize(
    ("name", "content", "place", "message"),
    [
        ("a.csv", "a,b\n1,2\n1\n", ":3", "1 values, the header has 2"),
        ("a.tsv", "a\tb\n1,2\n", ":2", "1 values, the header has 2"),
        ("a.jsonl", '{"a": ' + "9" * 5000 + "}\n", ":1", "not JSON"),
        ("a.jsonl", "[" * 100_000, ":1", "not JSON"),
        ("a.jsonl", '{"\\ud800": 1}\n', "", "the column name '.*' holds a NUL character"),
        ("a.jsonl", '{"a": 1}\n{"a": "x\\u0000"}\n', ":2", "NUL character"),
        ("a.csv.gz", b"no gzip", "", "damaged"),
    ],
)
def test_what_is_wrong_and_where(
    tmp_path: Path, name: str, content: str | bytes, place: str, message: str
) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(InputError, match=message) as error:
        read_records(path)
    assert error.value.where == f"{path}{place}"


@pytest.mark.parametrize("depth", range(900, 1000, 4))
def test_deep_json_is_text_or_refused(tmp_path: Path, depth: int) -> None:
    value = "[" * depth + "]" * depth
    try:
        records = read_records(written(tmp_path / "a.jsonl", f'{{"a": {value}}}'))
    except InputError as error:
        assert "not JSON" in error.message  # noqa: PT017
    else:
        assert records.columns == {"a": [value]}


def test_json_with_columns_without_end_is_refused(tmp_path: Path) -> None:
    lines = (f'{{"c{number}": 1}}' for number in range(20_000))
    with pytest.raises(InputError, match="20000 objects have 20000 different names"):
        read_records(written(tmp_path / "a.jsonl", "\n".join(lines)))


def test_a_header_of_100000_columns(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(100_000)]
    assert list(read_records(written(tmp_path / "a.csv", ",".join(names))).columns) == names
    with pytest.raises(InputError, match="'c7' stands twice"):
        read_records(written(tmp_path / "a.csv", ",".join([*names, "c7"])))


@pytest.mark.parametrize(
    "values",
    [
        pa.array([2**62], pa.timestamp("us")),
        pa.array([1], pa.timestamp("us", tz="Nowhere/Land")),
        pa.array([2**31 - 1], pa.date32()),
        pa.array([2**63 - 1], pa.duration("s")),
    ],
)
def test_parquet_with_times_that_python_does_not_know(tmp_path: Path, values: pa.Array) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"when": values}), path)
    with pytest.raises(InputError, match="has no text") as error:
        read_records(path)
    assert error.value.where == str(path)


def test_parquet_with_the_same_column_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table([pa.array(["x"]), pa.array(["y"])], names=["a", "a"]), path)
    with pytest.raises(InputError, match="stands twice"):
        read_records(path)


def test_an_unknown_column_is_named_with_those_there_are(tmp_path: Path) -> None:
    records = read_records(written(tmp_path / "a.csv", "a,b\n1,2\n"))
    with pytest.raises(InputError, match="no column 'c'") as error:
        records.column("c")
    assert "a, b" in (error.value.hint or "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_tables_of_spreadsheets(tmp_path: Path, delimiter: str, encoding: str) -> None:
    """Texts stay as they are, numbers may be written with a comma."""
    rows = [
        ["text", "score", "n", "both"],
        ["0,5", "-0,5", "7", "0,5"],
        ["é, ü", "12,25", "", "1.5"],
    ]
    content = "\r\n".join(delimiter.join(row) for row in rows)
    records = read_records(written(tmp_path / "a.csv", content.encode(encoding)))
    assert records.columns["text"] == ["0,5", "é, ü"]
    assert records.column("score") == ["-0,5", "12,25"]
    assert records.numerals("score") == ["-0.5", "12.25"]
    assert records.numerals("n") == ["7", None]
    assert records.numerals("both") == ["0,5", "1.5"]


def test_commas_stay_where_commas_part_columns(tmp_path: Path) -> None:
    records = read_records(written(tmp_path / "a.csv", 'a,b\n"0,5",x;y\n'))
    assert records.numerals("a") == ["0,5"]
    assert records.column("b") == ["x;y"]


TEXT = "ä line\nanother one\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", TEXT.encode()),
        ("a.txt", b"\xef\xbb\xbf" + TEXT.encode()),
        ("a.txt", TEXT.replace("\n", "\r\n").encode()),
        ("a.txt.gz", gzip.compress(TEXT.encode(), mtime=0)),
        ("A.TXT.GZ", gzip.compress(TEXT.encode(), mtime=0)),
        ("a.txt.xz", lzma.compress(TEXT.encode())),
        (
            "a.txt.gz",
            gzip.compress(TEXT[:5].encode(), mtime=0) + gzip.compress(TEXT[5:].encode(), mtime=0),
        ),
    ],
)
def test_same_text_however_it_is_stored(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert read_text(path) == TEXT


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"one\ntwo \xff\n", 2, "0xff"),
        (b"\xef\xbb\xbfone\ntwo\n\xfe", 3, "0xfe"),
        (b"one\ntw\0o\n", 2, "NUL"),
        (b"one\r\ntwo\r\nth\ree\r\n", 3, "carriage return"),
        (b"one\rtwo\r", 1, "carriage return"),
        ("one\n".encode("utf-16"), 1, "text in UTF-16"),
        (gzip.compress(TEXT.encode(), mtime=0), 1, "packed by gzip"),
        (b"PK\x03\x04\x14\x00\xff", 1, "a ZIP archive"),
    ],
)
def test_broken_text_names_its_line(
    tmp_path: Path, content: bytes, line: int, message: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        read_text(path)
    assert error.value.where == f"{path}:{line}"
    assert error.value.hint


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gz", gzip.compress(TEXT.encode() * 100, mtime=0)[:-9]),
        ("a.gz", gzip.compress(TEXT.encode(), mtime=0)[:15]),
        ("a.gz", b"plain text"),
        ("a.gz", gzip.compress(TEXT.encode(), mtime=0)[:10] + b"\xff" * 20),
        ("a.xz", lzma.compress(TEXT.encode())[:-5]),
        ("a.xz", b"plain text"),
    ],
)
def test_damaged_compression(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match="damaged or cut short") as error:
        read_bytes(path)
    assert error.value.where == str(path)
    assert error.value.hint


def test_missing_file_folder_and_loop(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_bytes(tmp_path / "nothing")
    with pytest.raises(InputError, match="folder"):
        read_bytes(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(tmp_path / "file" / "below")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(loop)


def test_more_than_memory_allows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sr_tracker.schema.files, "MAX_BYTES", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * 1001))
    with pytest.raises(InputError, match="2 GiB"):
        read_bytes(path)


@given(content=st.binary(max_size=200), suffix=st.sampled_from([".txt", ".gz", ".xz"]))
def test_any_bytes_are_text_or_an_input_error(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    try:
        text = read_text(path)
    except InputError as error:
        where, text = error.where or "", ""
        assert where.startswith(str(path))
    assert "\r" not in text
    assert "\0" not in text


def test_hash_tells_parts_apart() -> None:
    assert content_hash("ab", "c") != content_hash("a", "bc")
    assert content_hash("ä") == content_hash("ä".encode())


@pytest.mark.parametrize(
    ("name", "bare", "suffix"),
    [
        ("en_ewt-ud-test.conllu.gz", "en_ewt-ud-test", ".conllu"),
        ("EN.CONLLU.XZ", "EN", ".conllu"),
        ("en.v1.csv", "en.v1", ".csv"),
        ("plain", "plain", ""),
        ("plain.gz", "plain", ""),
    ],
)
def test_names_without_suffixes(name: str, bare: str, suffix: str) -> None:
    assert bare_name(Path("folder.d") / name) == bare
    assert format_suffix(Path("folder.d") / name) == suffix
