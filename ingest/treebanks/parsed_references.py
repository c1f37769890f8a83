"""Trees for test sets that have none: a parser's, for their references and the outputs for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.keys import NO_OUTPUTS, TEXT_SCHEME, natural_keys, parts_of
from ...schema.names import resolve_treebank
from ...schema.progress import Progress, silent
from ...schema.staging import Load, commit
from ...schema.statements import fetch_table, row_by_id, statement
from ...schema.temporary import temporary
from ..analysers import Analyser
from ..outputs.rows import contents_together, read_labels, trial_rows, word_rows
from .conllu import parse_conllu
from .conllu_columns import ConlluTables, check_trees, conllu_tables, read_heads

_WORDS = ("token", "multiword_token", "empty_node")
_ANALYSES = (
    *("sentence_complexity", "reference_edge", "reference_edges", "reference_lemmas"),
    *("subtree_enumeration", "subtree", "reference_rule_check"),
)
_TESTS = ("score_interval", "comparison", "change")
_RESULTS = tuple(
    part.table
    for part in parts_of("submission")
    if "signature_id" in natural_keys()[part.table] and part.table not in _TESTS
)
_NEITHER = ("conllu", NO_OUTPUTS)
"""Analyses of outputs that are not a tool's: they stay."""
_EMPTY = "_"


@dataclass(frozen=True, repr=False)
class Parsed(Brief):
    """What became of a test set whose sentences were to be parsed."""

    treebank: str
    analysis: str | None
    """What parsed them, with version and the hash of its model; None: they have no trees."""
    tokens: int
    changed: bool
    """Whether the references' trees are new."""
    submissions: Sequence[str]
    """The submissions whose outputs were analysed anew."""


def parse_references(
    database: Database,
    treebank_id: str,
    analyser: Analyser,
    *,
    outputs: bool = True,
    replace: bool = False,
    progress: Progress = silent,
) -> Parsed:
    """Give a test set of plain text the trees of a parser; return what became of it.

    Its references get words, and the treebank the name of the ``analysis``, which every score on
    lemmas and edges has in its signature. ``outputs`` analyses the outputs for it in the same
    way: lemmas of two tools are not the same. Outputs loaded with their own analysis stay. Scores
    of text stay, with those computed elsewhere; what rested on words is forgotten. A sentence of
    several roots becomes one tree: further roots hang from the first as ``parataxis``.

    Doing it twice changes nothing. Raises UnknownNameError for a treebank that is not loaded,
    InputError for one with trees of its own or with hidden text, for a model that does not parse,
    and where another model's trees are there, unless ``replace`` is given.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    earlier = _analysis_of(database, treebank_id)
    if earlier not in (None, analyser.version) and not replace:
        raise InputError(
            f"'{treebank_id}' has trees already, of {earlier}",
            hint="--replace parses it again, with the model that is given",
        )
    tables = None
    if earlier != analyser.version:
        progress("references", 0, 1)
        tables = _trees(database, treebank_id, analyser)
    pending = _pending(database, treebank_id, analyser.version) if outputs else []
    analysed = []
    for done, (submission_id, form) in enumerate(pending):
        progress(submission_id, done, len(pending))
        analysed.append(_analysed(database, treebank_id, submission_id, form, analyser))
    if tables is not None or analysed:
        with database.transaction():
            _forget(database, treebank_id)
            if tables is not None:
                _store(database, treebank_id, tables, analyser.version)
            for load in analysed:
                _replace_words(database, load, analyser.version)
    (tokens,) = row_by_id(database, "treebank", treebank_id, "tokens") or (0,)
    return Parsed(
        treebank_id,
        analyser.version,
        tokens,
        tables is not None,
        [load.target for load in analysed],
    )


def forget_parsed(database: Database, treebank_id: str) -> Parsed:
    """Take the trees of a parser away again; return what became of the test set.

    Outputs keep the words that they have. Raises UnknownNameError for a treebank that is not
    loaded, InputError for one with trees of its own.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    earlier = _analysis_of(database, treebank_id)
    if earlier is not None:
        with database.transaction():
            _forget(database, treebank_id)
            _store(database, treebank_id, None, None)
    return Parsed(treebank_id, None, 0, earlier is not None, [])


def _analysis_of(database: Database, treebank_id: str) -> str | None:
    """Return what parsed a treebank. Raises InputError for one that must not be parsed."""
    columns = ("scheme", "hidden_text", "parsed_by")
    scheme, hidden, analysis = row_by_id(database, "treebank", treebank_id, *columns) or [None] * 3
    if scheme != TEXT_SCHEME:
        raise InputError(
            f"'{treebank_id}' is no test set of plain text: its scheme is {scheme}",
            hint="parsers are for references that 'tracker ingest references' loaded",
        )
    if hidden:
        raise InputError(
            f"the text of '{treebank_id}' is not there",
            hint="load it with 'tracker ingest references FILE --id ID'",
        )
    return None if analysis is None else str(analysis)


def _trees(database: Database, treebank_id: str, analyser: Analyser) -> dict[str, pa.Table]:
    """Return the words of the references, by table."""
    sentences = fetch_table(
        database.connection,
        "SELECT sentence_no, text FROM sentence "
        "WHERE treebank_id = ? AND trim(text) <> '' ORDER BY sentence_no",
        [treebank_id],
    )
    texts = dict(
        zip(*(sentences[name].to_pylist() for name in sentences.column_names), strict=True)
    )
    parsed = analyser.analyse(
        sentences["sentence_no"].combine_chunks(), sentences["text"].combine_chunks()
    )
    if not parsed.num_rows or parsed["head"].null_count:
        raise InputError(
            f"the model of {analyser.version} does not parse: it gives words no heads",
            hint="take a model with a parser, such as one of 'tracker grammar train-parser'",
        )
    blocks, numbers = [], []
    for number, words in groupby(parsed.to_pylist(), key=itemgetter("sentence_no")):
        blocks.append("\n".join(_lines(list(words), texts[number])) + "\n\n")
        numbers.append(number)
    file = parse_conllu("".join(blocks), analyser.version)
    heads = read_heads(file)
    check_trees(file, heads)
    tables: ConlluTables = conllu_tables(file, heads)
    if tables.hidden:
        raise InputError(f"{analyser.version} finds no words in '{treebank_id}'")
    places = pa.array(numbers, pa.int32()).take(
        pc.subtract(tables.tokens["sentence_no"].combine_chunks(), 1)
    )
    tokens = tables.tokens.set_column(0, "sentence_no", places)
    return {"token": tokens.add_column(0, "treebank_id", pa.repeat(treebank_id, len(places)))}


def _lines(words: list[dict[str, Any]], text: str) -> Iterator[str]:
    """Return a sentence's words as lines of CoNLL-U."""
    root = next((word["token_no"] for word in words if word["head"] == 0), None)
    place = 0
    for word in words:
        start = text.find(word["form"], place)
        place = place if start < 0 else start + len(word["form"])
        joined = start >= 0 and place < len(text) and not text[place].isspace()
        further = word["head"] == 0 and word["token_no"] != root
        columns = (
            *(word["token_no"], word["form"], word["lemma"], word["upos"], word["xpos"]),
            *(word["feats"], root if further else word["head"]),
            *("parataxis" if further else word["deprel"], None),
            "SpaceAfter=No" if joined else None,
        )
        yield "\t".join(_EMPTY if value is None else str(value) for value in columns)


def _store(
    database: Database, treebank_id: str, rows: dict[str, pa.Table] | None, analysis: str | None
) -> None:
    """Put words in place of those that are there; None: there shall be none."""
    tokens = rows["token"].num_rows if rows else 0
    for table in (*_WORDS, *_ANALYSES):
        database.connection.execute(
            f"DELETE FROM {table} WHERE treebank_id = ?",  # noqa: S608
            [treebank_id],
        )
    load = Load(
        kind="parsed_references",
        target=treebank_id,
        source=analysis or "",
        sha256=content_hash(treebank_id, analysis or ""),
        records=tokens,
        rows=rows or {},
    )
    commit(database, load)
    database.connection.execute(
        "UPDATE treebank SET parsed_by = ?, tokens = ? WHERE treebank_id = ?",
        [analysis, tokens, treebank_id],
    )
    database.connection.execute("DELETE FROM scoring WHERE target = ?", [treebank_id])


def _pending(database: Database, treebank_id: str, analysis: str) -> list[tuple[str, str]]:
    """Return the submissions whose outputs another tool analysed, each with its reference form."""
    return database.connection.execute(
        "SELECT submission_id, reference_form FROM submission WHERE treebank_id = ? "
        "AND analysis <> ? AND NOT list_contains(?, analysis) ORDER BY submission_id",
        [treebank_id, analysis, list(_NEITHER)],
    ).fetchall()


def _analysed(
    database: Database, treebank_id: str, submission_id: str, form: str, analyser: Analyser
) -> Load:
    """Return the words of a submission's outputs, to be stored."""
    labels = read_labels(database, submission_id)
    contents, words, records = [], [], 0
    for name in labels:
        outputs = fetch_table(
            database.connection,
            "SELECT sentence_no, text FROM output WHERE submission_id = ? ORDER BY sentence_no",
            [name],
        )
        filled = outputs.filter(pc.is_valid(outputs["text"]))
        columns = (filled[column].combine_chunks() for column in ("sentence_no", "text"))
        words.append(word_rows(name, analyser.analyse(*columns)))
        contents.append(json.dumps(outputs["text"].to_pylist()))
        records += filled.num_rows
    hashes = [
        content_hash(content, treebank_id, form, analyser.version)
        for content in (contents_together(contents), *contents)
    ]
    rows = {"output_words": pa.concat_tables(words, promote_options="default")}
    if len(labels) > 1:
        rows["trial"] = trial_rows(submission_id, [*labels.values()], hashes[1:])
    return Load(
        kind="submission",
        target=submission_id,
        source=analyser.version,
        sha256=hashes[0],
        records=records,
        rows=rows,
        replaces=[
            *(("output_words", "submission_id", name) for name in labels),
            ("trial", "submission_id", submission_id),
        ],
    )


def _replace_words(database: Database, load: Load, analysis: str) -> None:
    """Store the words of outputs; scores that rest on their text go on counting."""
    connection = database.connection
    (source,) = row_by_id(database, "submission", load.target, "source") or (load.source,)
    further = load.rows["trial"].to_pylist()[1:] if "trial" in load.rows else []
    hashes = {load.target: load.sha256}
    hashes |= {row["trial_submission_id"]: row["sha256"] for row in further}
    for name, sha256 in hashes.items():
        connection.execute(statement("go_on_counting"), {"target": name, "sha256": sha256})
    connection.execute(
        "UPDATE submission SET analysis = ?, sha256 = ? WHERE submission_id = ?",
        [analysis, load.sha256, load.target],
    )
    commit(database, replaced(load, source=source))


def _forget(database: Database, treebank_id: str) -> None:
    """Remove what was computed from words: scores of lemmas, edges and rules, and all analyses."""
    with temporary(database):
        database.connection.execute(statement("scores_of_words"), {"treebank": treebank_id})
        for table in _RESULTS:
            database.connection.execute(
                f"DELETE FROM {table} WHERE (submission_id, signature_id) IN "  # noqa: S608
                "(SELECT (submission_id, signature_id) FROM of_words)"
            )
        database.connection.execute(
            "DELETE FROM scoring WHERE (target, signature_id) IN "
            "(SELECT (submission_id, signature_id) FROM of_words)"
        )
    for table in _TESTS:
        database.connection.execute(
            f"DELETE FROM {table} WHERE submission_id IN "  # noqa: S608
            "(SELECT submission_id FROM submission WHERE treebank_id = ?)",
            [treebank_id],
        )
