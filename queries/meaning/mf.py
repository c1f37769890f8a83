"""MF-score: Meaning and Form in one number (Opitz & Frank 2021, equation 1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sr_tracker.queries.catalog import install
from sr_tracker.queries.metrics import Signature, composed_signature
from sr_tracker.queries.metrics.records import record_scorings, store_signatures
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import resolve_submissions
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

VERSION = "1"
BETAS = (1.0, 0.5)
"""The weights that are stored as metrics: mf_1, mf_0.5. The macro mf takes any other."""
_STORED = (
    ("statistic_match", "submission_id"),
    ("sentence_score", "submission_id"),
    ("submission_score", "submission_id"),
    ("scoring", "target"),
)


@dataclass(frozen=True)
class _Source:
    """The current meaning and form of a submission."""

    submission_id: str
    treebank_id: str
    treebank_sha256: str
    data_sha256: str
    meaning: str
    meaning_id: str
    meaning_parameters: str
    meaning_versions: str
    form_id: str
    form_parameters: str
    form_versions: str
    text_level: str
    revision: int
    """The step that stored the later of the two."""


def score_mf(database: Database, submissions: Sequence[str] | None = None) -> int:
    """Store mf_1 and mf_0.5 of submissions, all for None; return of how many they were missing.

    It takes a submission's newest form, and as its meaning s2match where it has that, else smatch,
    over the sentences that the meaning rests on. Submissions without one of the two are passed
    over; those whose MF-score is newer than both stay as they are.

    Raises UnknownNameError for submissions that do not exist.
    """
    install(database)
    named = resolve_submissions(database, submissions)
    wanted = None if named is None else set(named)
    rows = database.connection.execute(statement("mf_submissions")).fetchall()
    sources = [_Source(*row) for row in rows if wanted is None or row[0] in wanted]
    computed = {
        (target, signature_id): revision
        for target, signature_id, revision in database.connection.execute(
            "SELECT target, signature_id, revision FROM scoring WHERE starts_with(metric, 'mf_')"
        ).fetchall()
    }
    missing = 0
    for source in sources:
        signatures = [_signature(source, beta) for beta in BETAS]
        stored = [computed.get((source.submission_id, each.signature_id)) for each in signatures]
        if any(revision is None or revision < source.revision for revision in stored):
            with database.transaction():
                _store(database, source, signatures)
            missing += 1
    return missing


def read_mf(database: Database, submissions: Sequence[str], betas: Sequence[float]) -> pa.Table:
    """Return submissions' Meaning, Form and MF-scores by weights, the best by the first first."""
    names = [f'"mf_{beta:g}"' for beta in betas]
    scores = ", ".join(
        f"mf(meaning, form, '{beta:g}'::DOUBLE) AS {name}"
        for beta, name in zip(betas, names, strict=True)
    )
    return database.connection.execute(
        "SELECT submission_id, measure, precision, recall, meaning, form, "  # noqa: S608
        f"{scores}, sentences FROM mf_scores WHERE list_contains($submissions, submission_id) "
        f"ORDER BY treebank_id, {names[0]} DESC NULLS LAST, submission_id",
        {"submissions": list(submissions)},
    ).to_arrow_table()


def _signature(source: _Source, beta: float) -> Signature:
    versions = {"metric": VERSION}
    for part, stated in (("meaning", source.meaning_versions), ("form", source.form_versions)):
        versions |= {f"{part}-{name}": value for name, value in json.loads(stated).items()}
    return composed_signature(
        f"mf_{beta:g}",
        parameters={
            "beta": f"{beta:g}",
            "meaning": source.meaning,
            **json.loads(source.meaning_parameters),
            **json.loads(source.form_parameters),
        },
        text_level=source.text_level,
        tokeniser="none",
        versions=versions,
        treebank_id=source.treebank_id,
        data_sha256=source.treebank_sha256,
    )


def _store(database: Database, source: _Source, signatures: Sequence[Signature]) -> None:
    connection = database.connection
    store_signatures(database, signatures)
    for table, column in _STORED:
        connection.execute(
            f"DELETE FROM {table} WHERE {column} = ? AND list_contains(?, signature_id)",  # noqa: S608
            [source.submission_id, [each.signature_id for each in signatures]],
        )
    targets = [
        {
            "target": source.submission_id,
            "metric": each.metric,
            "signature_id": each.signature_id,
            "beta": beta,
            "meaning_id": source.meaning_id,
            "form_id": source.form_id,
        }
        for beta, each in zip(BETAS, signatures, strict=True)
    ]
    with temporary(database, mf_target=pa.Table.from_pylist(targets)):
        connection.execute(statement("score_mf"))
    for each in signatures:
        record_scorings(
            database, each.metric, [source.submission_id], [each.signature_id], [source.data_sha256]
        )
