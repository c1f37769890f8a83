"""Loading human scores: sentence-level means and z-scores per submission and criterion."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace as with_values
from pathlib import Path

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.names import meant, only_one
from ...schema.staging import Load, commit
from ...schema.statements import read_table, statement
from ...schema.temporary import temporary
from ..formats import LARGEST_WHOLE, Column, Columns, Table
from ..records import check_once
from ..scores import (
    ScoreFile,
    resolved,
    sentence_numbers_named,
    submissions_by_name,
)
from ..scores.columns import CRITERION, SCORED, named_column, scored_records
from .error_spans import off_scale

COLUMNS = Columns(
    "human scores",
    (
        *SCORED,
        CRITERION,
        named_column("z_score", "z"),
        named_column("raw_mean", "raw"),
        Column("judgements", whole=True, lowest=1, highest=LARGEST_WHOLE),
        Column("text"),
    ),
)

CRITERION_NAMES = {
    "meaning_similarity": "adequacy",
    "meaning similarity": "adequacy",
    "meaning": "adequacy",
    "readability": "fluency",
}

__all__ = ["ScoreFile", "ingest_human_scores"]


def ingest_human_scores(
    database: Database, path: Path, settings: ScoreFile, *, replace: bool = False
) -> int:
    """Load sentence-level human scores and return how many are new (0 where nothing changed).

    A row names its submission by ``submission``, or by ``system`` and ``treebank`` (and
    ``iteration``) within the campaign. Meaning similarity is stored as adequacy, readability as
    fluency. Numbers of sentences are believed where they name all of a submission's, or ``text`` is
    the output or the reference beside them. A file with a column for each criterion is loaded once
    for each, ``criterion`` and ``columns`` saying which. ``replace`` puts the file in place of
    scores of the same sentences and of those that a file of its name brought for the same
    submissions and criteria.

    Raises InputError (file:line) for values that are not numbers, raw means outside 0 to 100 and
    scores that are there already, UnknownNameError for unknown submissions and sentences.
    """
    records = scored_records(path)
    if not records.lines:
        raise InputError("the file holds no scores", where=str(path), hint="give a row a score")
    rows = _rows(
        database, COLUMNS.table(records, settings.columns, settings.fixed), settings, path.name
    )
    load = Load(
        kind="human_scores",
        target=":".join(filter(None, (settings.campaign_id, settings.criterion, path.name))),
        source=path.name,
        sha256=content_hash(json.dumps(records.columns), json.dumps(vars(settings), default=dict)),
        records=rows.num_rows,
        rows={"human_score": rows},
    )
    return store_human_scores(database, load, str(path), replace=replace)


def store_human_scores(
    database: Database, load: Load, source: str, *, replace: bool = False
) -> int:
    """Store human scores that were read and return how many are new; see ``ingest_human_scores``.

    ``source`` is where messages say that they came from.
    """
    rows = load.rows["human_score"]
    with temporary(database, staged_scores=rows):
        if not _differs(database, load.source, replace=replace):
            return 0
        if not replace:
            _check_free(database, source)
        with database.transaction():
            if replace:
                replaced = {"source": load.source}
                database.connection.execute(statement("delete_replaced_scores"), replaced)
            commit(database, load)
    return int(rows.num_rows)


def _differs(database: Database, source: str, *, replace: bool) -> bool:
    """Return whether the staged scores are new or, for a replacement, fewer than were there."""
    if read_table(database, "new_human_scores").num_rows:
        return True
    return replace and bool(read_table(database, "gone_human_scores", source=source).num_rows)


def _rows(database: Database, table: Table, settings: ScoreFile, source: str) -> pa.Table:
    submissions = submissions_named(database, table, settings)
    sent_ids = table.filled("sent_id")
    criteria = [criterion.lower() for criterion in table.filled("criterion")]
    z_scores, raw_means = table.numbers("z_score"), table.numbers("raw_mean")
    check_values(table, z_scores, raw_means, criteria)
    texts = table.texts("text") if table.has("text") else None
    numbers = sentence_numbers_named(database, table, submissions, sent_ids, texts=texts)
    rows = pa.table(
        {
            "submission_id": pa.array(submissions, pa.string()),
            "sentence_no": pa.array(numbers, pa.int32()),
            "criterion": [CRITERION_NAMES.get(criterion, criterion) for criterion in criteria],
            "z_score": pa.array(z_scores, pa.float64()),
            "raw_mean": pa.array(raw_means, pa.float64()),
            "judgements": pa.array(table.whole_numbers("judgements"), pa.int32()),
            "source": pa.repeat(source, len(table)),
        }
    )
    score_of = ["submission_id", "sentence_no", "criterion"]
    check_once(
        table,
        zip(*rows.select(score_of).to_pydict().values(), strict=True),
        lambda key: f"sentence {key[1]} of '{key[0]}' has two scores on {key[2]}",
    )
    return rows


def check_values(
    table: Table,
    z_scores: Sequence[float | None],
    raw_means: Sequence[float | None],
    criteria: Sequence[str],
) -> None:
    """Check that each row has a score, and raw means are within 0 to 100, on mqm at most 0."""
    for row, (z_score, raw_mean) in enumerate(zip(z_scores, raw_means, strict=True)):
        if z_score is None and raw_mean is None:
            raise InputError(
                "the row has neither a z-score nor a raw mean",
                where=table.where(row),
                hint="-c raw_mean=COLUMN or -c z_score=COLUMN says which it is; a file with a "
                "column for each criterion is loaded once for each, with --criterion",
            )
        wrong = None if raw_mean is None else off_scale(raw_mean, criteria[row])
        if wrong is not None:
            message, hint = wrong
            raise InputError(
                f"the raw mean {raw_mean} {message}", where=table.where(row), hint=hint
            )


def submissions_named(database: Database, table: Table, settings: ScoreFile) -> list[str]:
    """Return the submission of each row: named by itself, or by system, treebank and iteration.

    Raises InputError (file:line) for rows that name none, UnknownNameError for those not loaded.
    """
    campaign = settings.campaign_id or only_one(database, "campaign")
    settings = resolved(database, with_values(settings, campaign_id=campaign))
    if not table.has("treebank"):
        only = only_one(database, "treebank", settings.campaign_id)
        settings = with_values(settings, treebank_id=only)
    by_id = table.has("submission")
    named = table.filled("submission") if by_id else _named_by_system(database, table, settings)
    return submissions_by_name(
        database, table, named, campaign=settings.campaign_id, treebank=settings.treebank_id
    )


def _named_by_system(database: Database, table: Table, settings: ScoreFile) -> list[str]:
    whose = "these scores", table.source
    campaign = meant(database, "campaign", settings.campaign_id, *whose)
    systems, treebank = table.filled("system"), settings.treebank_id
    if treebank is None and table.has("treebank"):
        treebanks = table.filled("treebank")
    else:
        treebank = meant(database, "treebank", treebank, *whose, campaign=campaign)
        treebanks = [treebank] * len(table)
    return [
        f"{campaign}/{system}/{treebank}@{iteration or 1}"
        for system, treebank, iteration in zip(
            systems, treebanks, table.texts("iteration"), strict=True
        )
    ]


def _check_free(database: Database, source: str) -> None:
    taken = database.connection.execute(
        "SELECT submission_id, sentence_no, criterion FROM staged_scores "
        "JOIN human_score USING (submission_id, sentence_no, criterion) LIMIT 1"
    ).fetchone()
    if taken is not None:
        raise InputError(
            f"sentence {taken[1]} of '{taken[0]}' has another score on {taken[2]} already",
            where=source,
            hint="--replace loads the file in place of the scores that are there",
        )
