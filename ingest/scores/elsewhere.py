"""Values computed elsewhere: probabilities of texts, and scores of the variants of sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.keys import EXTERNAL, SCORED, natural_keys
from ...schema.staging import Load, commit
from ...schema.statements import fetch_table, read_table, statement
from ...schema.temporary import temporary
from ..formats import LARGEST_WHOLE, Column, Columns, Table
from ..judgements.human_scores import submissions_named
from ..records import Records, check_once, read_records
from . import ScoreFile, sentence_numbers_named

_PROBABILITY: dict[str, Any] = {
    "lowest": 0,
    "highest": 1,
    "refusal": "{value:g} is no probability",
    "hint": "give the mean probability of the tokens, 0 to 1, no logarithm",
}
COLUMNS = Columns(
    "probabilities",
    (
        *map(Column, ("submission", "system", "treebank", "iteration", "sent_id", "model")),
        Column("probability", required=True, **_PROBABILITY),
        Column("reference_probability", **_PROBABILITY),
        Column("tokens", whole=True, lowest=0, highest=LARGEST_WHOLE),
    ),
)


@dataclass(frozen=True)
class LoadedProbabilities:
    """What became of a file of probabilities."""

    models: Sequence[str]
    """The labels of the models, as they are stored."""
    new: int
    """Rows of outputs and references that were not there, or were otherwise."""
    submissions: int = 0
    """Submissions scored by them."""
    mf: int = 0
    """Submissions that got MF-scores."""


def ingest_probabilities(
    database: Database,
    path: Path,
    settings: ScoreFile,
    *,
    model: str | None = None,
    replace: bool = False,
) -> LoadedProbabilities:
    """Load mean token probabilities from a file and return what became of it, all or nothing.

    A row names its submission (``submission``, or ``system`` and ``treebank`` within a campaign),
    ``sent_id`` and its model, unless ``model`` is that of all rows. It gives ``probability``, and
    for at least one submission to each treebank ``reference_probability``. A submission's rows of
    a model stand in one file. ``replace`` puts them in place of what is there, whose scores go.

    Raises InputError (file:line) for values that are no probabilities, for rows that contradict
    each other and for other values than are there; UnknownNameError for submissions and sentences
    that are not loaded.
    """
    records, rows = read_external(database, path, settings, model)
    with database.transaction():
        with temporary(database, external_probability=rows):
            outputs = read_table(database, "form_external_outputs")
            references = read_table(database, "form_external_references")
        check_references(records, references)
        tables = {
            "output_probability": outputs,
            "reference_probability": references.drop_columns(["different", "record"]),
        }
        new = _store(database, path, records, tables, replace=replace)
    return LoadedProbabilities(sorted(set(rows["model"].to_pylist())), new)


def read_external(
    database: Database, path: Path, settings: ScoreFile, model: str | None
) -> tuple[Records, pa.Table]:
    """Return the records of a file, and a row for each: record, submission, sentence, model, ….

    Raises InputError (file:line) for broken values and sentences given twice, UnknownNameError for
    submissions and sentences that are not loaded.
    """
    records = read_records(path)
    if not records.lines:
        raise InputError(
            "the file holds no probabilities", where=str(path), hint="give each sentence a row"
        )
    table = COLUMNS.table(records, settings.columns, settings.fixed)
    submissions = submissions_named(database, table, settings)
    sentences = sentence_numbers_named(database, table, submissions, table.filled("sent_id"))
    models = [model] * len(table) if model else table.filled("model")
    rows = pa.table(
        {
            "record": pa.array(range(len(table)), pa.int32()),
            "submission_id": pa.array(submissions, pa.string()),
            "sentence_no": pa.array(sentences, pa.int32()),
            "model": pa.array([EXTERNAL + name for name in models], pa.string()),
            "tokens": pa.array(table.whole_numbers("tokens"), pa.int32()),
            **{
                name: pa.array(table.numbers(name), pa.float64())
                for name in ("probability", "reference_probability")
            },
        }
    )
    keys = rows.select([*natural_keys()["output_probability"]]).to_pydict().values()
    check_once(
        records,
        zip(*keys, strict=True),
        lambda key: f"sentence {key[2]} of '{key[0]}' has two probabilities",
    )
    return records, rows


def check_references(records: Records, references: pa.Table) -> None:
    """Raise InputError (file:line) where a reference has two probabilities by one model."""
    for row in references.to_pylist():
        if row["different"] > 1:
            raise InputError(
                f"sentence {row['sentence_no']} of '{row['treebank_id']}' has several "
                "probabilities as a reference",
                where=records.where(row["record"]),
                hint="a reference has the same probability beside all outputs",
            )


def _store(
    database: Database,
    path: Path,
    records: Records,
    tables: Mapping[str, pa.Table],
    *,
    replace: bool,
) -> int:
    """Store the rows that are new or otherwise than before, and return how many they are."""
    changed = {
        table: _changed(database, str(path), table, rows, replace=replace)
        for table, rows in tables.items()
    }
    new = sum(len(rows) for rows in changed.values())
    if new:
        _forget(database, changed)
        load = Load(
            kind="probabilities",
            target=path.name,
            source=path.name,
            sha256=content_hash(json.dumps(records.columns)),
            records=len(records.lines),
            rows=changed,
        )
        commit(database, load)
    return new


def _changed(
    database: Database, source: str, table: str, rows: pa.Table, *, replace: bool
) -> pa.Table:
    """Return the rows that are not stored; what is stored otherwise under their keys is removed.

    Raises InputError where there is such a row and it must not be replaced.
    """
    connection = database.connection
    keys = ", ".join(natural_keys()[table])
    with temporary(database, external_rows=rows):
        changed = fetch_table(
            connection,
            f"FROM external_rows EXCEPT SELECT {', '.join(rows.column_names)} FROM {table} "  # noqa: S608
            f"ORDER BY {keys}",
        )
    with temporary(database, external_rows=changed):
        stored = f"{table} SEMI JOIN external_rows USING ({keys})"
        taken = connection.execute(f"SELECT {keys} FROM {stored} LIMIT 1").fetchone()  # noqa: S608
        if taken is not None and not replace:
            raise InputError(
                f"there is another {table.replace('_', ' ')} already: {', '.join(map(str, taken))}",
                where=source,
                hint="--replace loads the file in place of what is there",
            )
        connection.execute(
            f"DELETE FROM {table} WHERE ({keys}) IN (SELECT ({keys}) FROM external_rows)"  # noqa: S608
        )
    return changed


def _forget(database: Database, changed: Mapping[str, pa.Table]) -> None:
    """Remove the scores that rest on what changed, under any tolerance."""
    connection = database.connection
    with temporary(database, **{f"changed_{table}": rows for table, rows in changed.items()}):
        connection.execute(statement("form_outdated"))
        for table, column in SCORED:
            connection.execute(
                f"DELETE FROM {table} WHERE ({column}, signature_id) IN "  # noqa: S608
                "(SELECT (submission_id, signature_id) FROM form_outdated)"
            )


_HINT = "'tracker grammar gec variants' writes the rows that need a score"
_Key = tuple[int, int, str]
_VARIANTS = Columns(
    "scores of variants",
    (
        Column("sentence", required=True),
        Column("annotator"),
        *(Column(name, required=True) for name in ("variant", "metric", "score")),
    ),
)


def read_scores(path: Path, variants: pa.Table) -> pa.Table:
    """Return the scores of a file (CSV, TSV, JSONL, Parquet) for the rows of ``variants``.

    The file has the columns sentence, variant, metric, score and, where there are several
    annotators, annotator; an empty score is one that the metric does not have. Columns of the
    result: sentence, annotator, variant, metric, score.

    Raises InputError (file:line) for rows that belong to no variant, repeated and missing rows, and
    scores that are no number.
    """
    table = _VARIANTS.table(read_records(path))
    names = variants.select(["sentence", "annotator", "variant"])
    expected = list(zip(*(column.to_pylist() for column in names.columns), strict=True))
    keys = _keys(table, sorted({annotator for _, annotator, _ in expected}))
    metrics = table.texts("metric")
    scores = table.numbers("score")
    _check_rows(table, keys, metrics, set(expected))
    _check_complete(str(path), expected, keys, metrics)
    sentences, annotators, texts = zip(*keys, strict=True) if keys else ((), (), ())
    return pa.table(
        {
            "sentence": pa.array(sentences, pa.int32()),
            "annotator": pa.array(annotators, pa.int32()),
            "variant": pa.array(texts, pa.string()),
            "metric": pa.array(metrics, pa.string()),
            "score": pa.array(scores, pa.float64()),
        }
    )


def _keys(table: Table, annotators: list[int]) -> list[_Key]:
    sentences = _whole(table, "sentence")
    if table.has("annotator") or len(annotators) > 1:
        table.records.check_column("annotator")
        annotators = _whole(table, "annotator")
    else:
        annotators = annotators * len(table)
    return [
        (sentence, annotator, variant or "")
        for sentence, annotator, variant in zip(
            sentences, annotators, table.texts("variant"), strict=True
        )
    ]


def _whole(table: Table, name: str) -> list[int]:
    numbers = []
    for row, value in enumerate(table.texts(name)):
        if value is None or not value.isdecimal() or len(value) > 9:
            raise InputError(
                f"'{value or ''}' is not the number of a {name}", where=table.where(row), hint=_HINT
            )
        numbers.append(int(value))
    return numbers


def _check_rows(
    table: Table, keys: list[_Key], metrics: list[str | None], expected: set[_Key]
) -> None:
    for row, (key, metric) in enumerate(zip(keys, metrics, strict=True)):
        if metric is None:
            raise InputError("the score has no metric", where=table.where(row), hint="name it")
        if key not in expected:
            raise InputError(
                f"there is no variant '{key[2]}' of sentence {key[0]} by annotator {key[1]}",
                where=table.where(row),
                hint=_HINT,
            )
    hint = "give one score a metric and variant"
    check_once(table, zip(keys, metrics, strict=True), lambda _: "the score stands twice", hint)


def _check_complete(
    source: str, expected: list[_Key], keys: list[_Key], metrics: list[str | None]
) -> None:
    if not keys:
        raise InputError("the file holds no scores", where=source, hint=_HINT)
    scored: dict[str | None, set[_Key]] = {}
    for key, metric in zip(keys, metrics, strict=True):
        scored.setdefault(metric, set()).add(key)
    for metric, scored_keys in scored.items():
        missing = next((key for key in expected if key not in scored_keys), None)
        if missing is not None:
            raise InputError(
                f"{metric} lacks a row: variant '{missing[2]}' of sentence {missing[0]} by "
                f"annotator {missing[1]}",
                where=source,
                hint=f"{_HINT}; leave the score empty where the metric has none",
            )
