"""What must hold of every reader for any bytes: a TrackerError, or content that makes sense.

Each check takes the bytes of a file and a folder to write it to, and returns whether they were
read. Anything but a TrackerError and a wrong result is raised.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pyarrow as pa

from sr_tracker.ingest.analysers import ANALYSIS_SCHEMA
from sr_tracker.ingest.analysers.reference import INNER_BLANK, ReferenceAnalyser
from sr_tracker.ingest.campaigns.manifest import read_manifest
from sr_tracker.ingest.judgements.human_scores import COLUMNS, check_values
from sr_tracker.ingest.meaning.amr_files import read_amr_file
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.alignment import align
from sr_tracker.ingest.outputs.reading import OutputFile, read_outputs
from sr_tracker.ingest.records import Records, read_records
from sr_tracker.ingest.scores.files import read_metric_scores
from sr_tracker.ingest.treebanks.conllu import parse_conllu
from sr_tracker.ingest.treebanks.conllu_columns import (
    check_trees,
    conllu_tables,
    read_heads,
    surface_texts,
)
from sr_tracker.queries.meaning.functions.graph_triples import read_triples
from sr_tracker.schema.errors import TrackerError
from sr_tracker.schema.files import read_bytes, read_text

Check = Callable[[bytes, Path], bool]
TREEBANK_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
# How Python writes bytes in file names that are not UTF-8.
NAME_ERRORS = "surrogateescape"
RANGE_COLUMNS = {2, 6, 10}
EMPTY_NODE_COLUMNS = {2, 3, 4, 5, 6, 9, 10}


def refused(error: TrackerError) -> bool:
    """Check that an error says what is wrong and where; return False: nothing was read."""
    assert error.message.strip()
    assert error.where
    # What is said of a file's content must be printable; its name is what the user gave.
    f"{error.message} {error.hint}".encode(errors=NAME_ERRORS)
    return False


def _written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def check_text(suffix: str) -> Check:
    """Return the check of reading text, as it is or packed as the suffix says."""
    unpacked = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[suffix]

    def check(content: bytes, folder: Path) -> bool:
        path = _written(folder, f"a.txt{suffix}", content)
        try:
            text = read_text(path)
        except TrackerError as error:
            return refused(error)
        plain = read_bytes(path)
        # gzip's one-shot function also takes bytes behind the archive for a damaged header.
        assert plain == unpacked(content)
        assert text == plain.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n")
        assert not {"\0", "\r"} & set(text)
        return True

    return check


def check_treebank(content: bytes, folder: Path) -> bool:
    """Check that a treebank's tables give its file back; see ``expected_export``."""
    path = _written(folder, "en_toy.conllu", content)
    try:
        text = read_text(path)
        file = parse_conllu(text, str(path))
        heads = read_heads(file)
        check_trees(file, heads)
    except TrackerError as error:
        return refused(error)
    tables = conllu_tables(file, heads)
    sentences = len(file.lengths)
    for values in (file.sent_ids, file.texts, file.newdocs, file.comments, file.lines):
        assert len(values) == sentences
    sent_ids = [sent_id for sent_id in file.sent_ids if sent_id is not None]
    assert len(sent_ids) == len(set(sent_ids))
    assert file.lengths.sum() == tables.tokens.num_rows
    if not tables.hidden:
        forms, texts = surface_texts(tables, sentences)
        assert len(forms) == len(texts) == sentences
    assert _exported(file.comments, tables) == expected_export(text)
    return True


def _exported(comments: list[list[str]], tables: object) -> list[str]:
    """Return the blocks of a treebank, put together from its tables row by row."""
    lines: dict[tuple[int, int, int, int], str] = {}
    for row in tables.tokens.to_pylist():  # type: ignore[attr-defined]
        values = ["_" if row[name] is None else str(row[name]) for name in TREEBANK_COLUMNS]
        key = (row["sentence_no"], row["token_no"], 1, 0)
        lines[key] = "\t".join([str(row["token_no"]), *values])
    for row in tables.ranges.to_pylist():  # type: ignore[attr-defined]
        span = f"{row['first_token_no']}-{row['last_token_no']}"
        values = [row["form"], None, None, None, row["feats"], None, None, None, row["misc"]]
        key = (row["sentence_no"], row["first_token_no"], 0, 0)
        lines[key] = "\t".join([span, *(value or "_" for value in values)])
    for row in tables.empty_nodes.to_pylist():  # type: ignore[attr-defined]
        named = [row[name] for name in ("form", "lemma", "upos", "xpos", "feats")]
        values = [*named, None, None, row["deps"], row["misc"]]
        node = f"{row['after_token']}.{row['node_no']}"
        key = (row["sentence_no"], row["after_token"], 2, row["node_no"])
        lines[key] = "\t".join([node, *(value or "_" for value in values)])
    blocks = [list(group) for group in comments]
    for key in sorted(lines):
        blocks[key[0] - 1].append(lines[key])
    return ["\n".join(block) for block in blocks]


def expected_export(text: str) -> list[str]:
    """Return the blocks that a treebank's file is expected to come back as.

    They are the file's own but for the columns that ranges and empty nodes do not have: CoNLL-U
    wants ``_`` in them, and nothing else is kept.
    """
    blocks = [block for block in re.split("\n\n+", text.strip("\n")) if block]
    return ["\n".join(map(_expected_line, block.split("\n"))) for block in blocks]


def _expected_line(line: str) -> str:
    if line.startswith("#"):
        return line
    number, *_ = values = line.split("\t")
    if number.isdecimal():
        return line
    chosen = RANGE_COLUMNS if "-" in number else EMPTY_NODE_COLUMNS
    rest = [value if place in chosen else "_" for place, value in enumerate(values[1:], start=2)]
    return "\t".join([number, *rest])


def check_outputs(suffix: str) -> Check:
    """Return the check of reading the outputs of a file with this suffix."""

    def check(content: bytes, folder: Path) -> bool:
        try:
            file = read_outputs(_written(folder, f"outputs{suffix}", content))
        except TrackerError as error:
            return refused(error)
        _check_output_file(file)
        _check_rewritten(file, folder)
        _check_alignment(file)
        return True

    return check


def _check_output_file(file: OutputFile) -> None:
    assert len(file.lines) == len(file.texts)
    assert file.lines == sorted(set(file.lines))
    assert all(text is None or text.strip() for text in file.texts)
    assert file.ids is None or len(file.ids) == len(file.texts)
    assert pa.array(file.texts, pa.string()).to_pylist() == file.texts
    if file.tokens is not None:
        assert file.tokens.schema == ANALYSIS_SCHEMA
        file.tokens.validate(full=True)
        numbers_found = set(file.tokens["sentence_no"].to_pylist())
        assert numbers_found == set(range(1, len(file.texts) + 1))


def _check_rewritten(file: OutputFile, folder: Path) -> None:
    """Check that the outputs, written as JSON lines, are read as the same ones."""
    ids = file.ids or [str(number) for number in range(1, len(file.texts) + 1)]
    if "" in ids:
        return
    pairs = zip(ids, file.texts, strict=True)
    lines = [json.dumps({"id": sent_id, "text": text}) for sent_id, text in pairs]
    again = _written(folder, "again.jsonl", "\n".join(lines).encode())
    if lines:
        read = read_outputs(again)
        assert (read.ids, read.texts) == (ids, file.texts)


def _check_alignment(file: OutputFile) -> None:
    try:
        computed = align(file, "treebank", ["a", "b", "c"])
    except TrackerError as error:
        refused(error)
        return
    assert len(computed) == len(set(computed)) == len(file.texts)
    assert set(computed) <= {1, 2, 3}


def check_records(suffix: str) -> Check:
    """Return the check of reading a table with this suffix."""

    def check(content: bytes, folder: Path) -> bool:
        try:
            records = read_records(_written(folder, f"records{suffix}", content))
        except TrackerError as error:
            return refused(error)
        for values in records.columns.values():
            assert len(values) == len(records.lines)
            assert all(value is None or value for value in values)
        assert records.lines == sorted(set(records.lines))
        if records.columns:
            _check_written_again(records, folder)
        return True

    return check


def _check_written_again(records: Records, folder: Path) -> None:
    """Check that the records, written as CSV, are read as the same ones."""
    if any("\r" in str(value) for values in records.columns.values() for value in values):
        return
    names = list(records.columns)
    if any("\r" in name for name in names) or names[0].startswith("\ufeff"):
        return
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([names, *zip(*records.columns.values(), strict=True)])
    again = read_records(_written(folder, "again.csv", stream.getvalue().encode()))
    assert again.columns == records.columns


def check_scores(content: bytes, folder: Path) -> bool:
    """Check the values of a file of human scores."""
    mapped = {"z_score": "z"} if content.endswith(b"z") else {}
    try:
        table = COLUMNS.table(read_records(_written(folder, "scores.csv", content)), mapped)
        z_scores, raw_means = (table.numbers(name) for name in ("z_score", "raw_mean"))
        criteria = [item.lower() for item in table.filled("criterion")]
        check_values(table, z_scores, raw_means, criteria)
        judgements = table.whole_numbers("judgements")
        names = {field: table.filled(field) for field in COLUMNS.fields[:1]}
    except TrackerError as error:
        return refused(error)
    for z_score, raw_mean, count in zip(z_scores, raw_means, judgements, strict=True):
        assert (z_score, raw_mean) != (None, None)
        assert z_score is None or math.isfinite(z_score)
        assert raw_mean is None or raw_mean <= 100
        assert count is None or 1 <= count < 2**31
    assert all(value for values in names.values() for value in values)
    return True


def check_metric_scores(suffix: str) -> Check:
    """Return the check of reading scores of metrics from a file whose name ends so."""

    def check(content: bytes, folder: Path) -> bool:
        try:
            scores = read_metric_scores(_written(folder, f"M-refA{suffix}", content))
        except TrackerError as error:
            return refused(error)
        assert any(score.scores for score in scores)
        for item in scores:
            assert len(item.scores) == len(item.systems) == len(item.sentences) == len(item.lines)
            assert item.label
            assert all(score is None or math.isfinite(score) for score in item.scores)
            "".join([item.label, *item.systems]).encode()
        return True

    return check


def check_manifest(content: bytes, folder: Path) -> bool:
    """Check a manifest beside the files a.txt, t.conllu and runs/A/x.txt."""
    (folder / "runs" / "A").mkdir(parents=True, exist_ok=True)
    for name in ("a.txt", "t.conllu", "runs/A/x.txt"):
        (folder / name).touch()
    path = _written(folder, "campaign.toml", content)
    if _leaves_folder(content):
        return False
    try:
        manifest = read_manifest(path)
    except TrackerError as error:
        return refused(error)
    assert isinstance(manifest.campaign["id"], str)
    assert all(isinstance(system["id"], str) for system in manifest.systems)
    for entry in (*manifest.treebanks, *manifest.submissions, *manifest.human_scores):
        assert entry.path.is_file()
        line = int(entry.where.removeprefix(f"{path}:"))
        assert 1 <= line <= content.count(b"\n") + 1
        assert isinstance(entry.values.get("iteration", 1), int)
    return True


def _leaves_folder(content: bytes) -> bool:
    """Return whether a path of the manifest goes up or is absolute: it may mean the whole disk."""
    try:
        manifest = tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError):
        return False
    entries = [
        entry for section in manifest.values() if isinstance(section, list) for entry in section
    ]
    paths = [str(entry["path"]) for entry in entries if isinstance(entry, dict) and "path" in entry]
    return any(path.startswith("/") or ".." in path for path in paths)


def check_name(content: bytes, folder: Path) -> bool:
    """Check the name of a treebank: an id given, and one made from a file's name."""
    text = content.decode("utf-8", NAME_ERRORS)
    read = False
    for path, item in ((Path(text), None), (folder / "x.conllu", text)):
        try:
            name = name_treebank(path, treebank_id=item)
        except TrackerError as error:
            refused(error)
            continue
        read = True
        assert item is None or name.treebank_id == item
        again = name_treebank(path, treebank_id=name.treebank_id)
        assert again.treebank_id == name.treebank_id
        assert (again.language, again.corpus) == (name.language, name.corpus)
        name.treebank_id.encode()
    return read


@cache
def _analyser(*, ranges: bool) -> ReferenceAnalyser:
    forms = ["do", "n't", "New  York", "漢字", "don't-stop", "1,000", "au", "x", "École", "e\u0301"]
    count = len(forms)
    tokens = {
        "sentence_no": pa.array([1] * count, pa.int32()),
        "token_no": pa.array(range(1, count + 1), pa.int32()),
        "form": forms,
        "lemma": [*forms[:1], "not", *forms[2:]],
        "upos": ["AUX", *["X"] * (count - 2), "PUNCT"],
        "deprel": ["root", *["dep"] * (count - 2), "punct"],
        "space_after": [False, *[True] * (count - 1)],
    }
    spans = [(1, 7, 8, "aux")] if ranges else []
    multiword = {
        name: pa.array([span[place] for span in spans], pa.int32() if place < 3 else pa.string())
        for place, name in enumerate(("sentence_no", "first_token_no", "last_token_no", "form"))
    }
    return ReferenceAnalyser(pa.table(tokens), pa.table(multiword), None, "en")


def check_analyser(content: bytes, _folder: Path) -> bool:
    """Check that any text has words, and without multiword tokens just its own characters."""
    texts = content.decode("utf-8", "replace").split("\n")
    numbers_given = pa.array([1 + place % 2 for place in range(len(texts))], pa.int32())
    for ranges in (False, True):
        rows = _analyser(ranges=ranges).analyse(numbers_given, pa.array(texts, pa.string()))
        assert rows.schema == ANALYSIS_SCHEMA
        rows.validate(full=True)
        assert all(rows["form"].to_pylist())
        assert sum(1 for number in rows["token_no"].to_pylist() if number == 1) == sum(
            1 for text in texts if text.strip()
        )
        if not ranges:
            assert _letters("".join(rows["form"].to_pylist())) == _letters("".join(texts))
    return True


def _letters(text: str) -> str:
    return "".join(text.replace(INNER_BLANK, " ").split())


def check_graphs(content: bytes, folder: Path) -> bool:
    """Check that graphs are read as they are where triples are compared."""
    path = _written(folder, "a.amr", content)
    try:
        graphs = read_amr_file(path).graphs
    except TrackerError as error:
        graphs = []
        refused(error)
    try:
        accepted = read_amr_file(path, accept_broken=True).graphs
    except TrackerError as error:
        return refused(error)
    assert not graphs or graphs == accepted
    for graph in accepted:
        if graph.penman is None:
            assert (graph.variables, graph.triples) == (0, 0)
            continue
        triples = read_triples(graph.penman)
        assert (graph.variables, graph.triples) == (len(triples.variables), triples.count)
    return bool(graphs)


CHECKS: Mapping[str, Check] = {
    "text": check_text(""),
    "text.gz": check_text(".gz"),
    "text.xz": check_text(".xz"),
    "treebank": check_treebank,
    **{f"outputs{s}": check_outputs(s) for s in (".txt", ".conllu", ".csv", ".tsv")},
    **{f"outputs{s}": check_outputs(s) for s in (".jsonl", ".parquet", ".txt.gz")},
    **{f"records{s}": check_records(s) for s in (".csv", ".tsv", ".jsonl", ".parquet")},
    "scores": check_scores,
    "metric_scores.score": check_metric_scores(".seg.score"),
    "metric_scores.jsonl": check_metric_scores(".jsonl"),
    "metric_scores.json": check_metric_scores(".json"),
    "manifest": check_manifest,
    "name": check_name,
    "analyser": check_analyser,
    "graphs": check_graphs,
}
