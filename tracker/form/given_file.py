"""Files of probabilities computed elsewhere: their rows, checked."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from sr_tracker.ingest.human_scores import sentence_numbers_named, submissions_named
from sr_tracker.ingest.records import Records, read_records
from sr_tracker.ingest.score_columns import ScoreFile, numbers, required
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError

FIELDS = (
    *("submission", "system", "treebank", "iteration", "sent_id", "model"),
    *("probability", "reference_probability", "tokens"),
)


def given_label(model: str) -> str:
    """Return what a model is called whose probabilities are given."""
    return f"given/{model}"


def read_given(
    database: Database, path: Path, given: ScoreFile, model: str | None
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
    unknown = sorted(set(given.columns) - set(FIELDS))
    if unknown:
        raise InputError(
            f"'{unknown[0]}' is not a field of probabilities",
            where=records.source,
            hint=f"fields: {', '.join(FIELDS)}",
        )
    submissions = submissions_named(database, records, given)
    sentences = sentence_numbers_named(
        database, records, submissions, required(records, given, "sent_id")
    )
    models = [model] * len(records.lines) if model else required(records, given, "model")
    if "probability" not in given.columns:
        records.column("probability")
    rows = pa.table(
        {
            "record": pa.array(range(len(records.lines)), pa.int32()),
            "submission_id": pa.array(submissions, pa.string()),
            "sentence_no": pa.array(sentences, pa.int32()),
            "model": pa.array([given_label(str(name)) for name in models], pa.string()),
            "tokens": pa.array(_tokens(records, given), pa.int32()),
            **{
                field: pa.array(_probabilities(records, given, field), pa.float64())
                for field in ("probability", "reference_probability")
            },
        }
    )
    _check_once(records, rows)
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


def _probabilities(records: Records, given: ScoreFile, field: str) -> list[float | None]:
    values = numbers(records, given, field)
    for record, value in enumerate(values):
        if value is not None and not 0 <= value <= 1:
            raise InputError(
                f"{value:g} is no probability",
                where=records.where(record),
                hint="give the mean probability of the tokens, 0 to 1, no logarithm",
            )
    return values


def _tokens(records: Records, given: ScoreFile) -> list[int | None]:
    values = numbers(records, given, "tokens")
    for record, value in enumerate(values):
        if value is not None and not (0 <= value < 2**31 and value.is_integer()):
            raise InputError(
                f"{value:g} is not a number of tokens",
                where=records.where(record),
                hint="give a whole number, or leave the cell empty",
            )
    return [None if value is None else int(value) for value in values]


def _check_once(records: Records, rows: pa.Table) -> None:
    first: dict[tuple[str, int, str], int] = {}
    columns = (rows[name].to_pylist() for name in ("submission_id", "sentence_no", "model"))
    for record, key in enumerate(zip(*columns, strict=True)):
        if key in first:
            raise InputError(
                f"sentence {key[1]} of '{key[0]}' has two probabilities, the first on line "
                f"{records.lines[first[key]]}",
                where=records.where(record),
                hint="keep one of them",
            )
        first[key] = record
