"""MF-score: Meaning and Form in one number (Opitz & Frank 2021, equation 1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.progress import silent
from ...schema.statements import fetch_table, statement
from ..catalog import install
from ..metrics import Signature, composed_signature
from ..metrics.loop import Target, chosen_targets, score_by, score_targets, signatures_of
from . import BETAS

VERSION = "1"


@dataclass(frozen=True, kw_only=True)
class _Source(Target):
    """One of the current meanings of a submission, and its current form."""

    treebank_sha256: str
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

    It takes the chosen settings of form, and those of s2match and of smatch: a submission that has
    both has an MF-score by each, over the sentences that the meaning rests on. Which is the score
    of a test set is a choice of its own, s2match where both come first. Submissions without one of
    form and meaning are passed over; those whose MF-score is newer than both stay as they are.

    Raises UnknownNameError for submissions that do not exist.
    """
    install(database)
    sources = _sources(database, submissions)
    computed = {
        (target, signature_id): revision
        for target, signature_id, revision in database.connection.execute(
            "SELECT target, signature_id, revision FROM scoring WHERE starts_with(metric, 'mf_')"
        ).fetchall()
    }
    missing = [
        source
        for source in sources
        if any(
            (revision := computed.get((source.submission_id, signature.signature_id))) is None
            or revision < source.revision
            for signature in source.signatures.values()
        )
    ]
    score_targets(
        database,
        missing,
        lambda batch, _: score_by(database, "score_mf", batch, _facts),
        matches=["statistic_match"],
        progress=silent,
    )
    return len({source.submission_id for source in missing})


def mf_signatures(database: Database, submissions: Sequence[str], meaning: str) -> list[str]:
    """Return the ids of the signatures of submissions' MF-scores by smatch or by s2match."""
    sources = _sources(database, submissions)
    return signatures_of([source for source in sources if source.meaning == meaning])


def _sources(database: Database, submissions: Sequence[str] | None) -> list[_Source]:
    return [
        replace(source, signatures={f"mf_{beta:g}": _signature(source, beta) for beta in BETAS})
        for source in chosen_targets(database, _Source, "mf_submissions", submissions)
    ]


def read_mf(database: Database, submissions: Sequence[str], betas: Sequence[float]) -> pa.Table:
    """Return submissions' Meaning, Form and MF-scores by weights, the best by the first first.

    Below those of a treebank stands its upper bound, where the references are scored.

    Raises InputError for a weight that is not from 0 to infinity.
    """
    wrong = [beta for beta in betas if not beta >= 0]
    if wrong:
        raise InputError(f"{wrong[0]:g} is no weight", hint="beta is from 0 to inf")
    betas = list(dict.fromkeys(betas)) or BETAS
    names = [f'"mf_{beta:g}"' for beta in betas]
    scores = ", ".join(
        f"mf(meaning, form, '{beta:g}'::DOUBLE) AS {name}"
        for beta, name in zip(betas, names, strict=True)
    )
    rows = statement("mf_and_bounds").rstrip().rstrip(";")
    return fetch_table(
        database.connection,
        "SELECT submission_id, measure, precision, recall, meaning, form, "  # noqa: S608
        f"{scores}, sentences, is_bound FROM ({rows}) "
        f"ORDER BY treebank_id, is_bound, {names[0]} DESC NULLS LAST, submission_id",
        {"submissions": list(submissions)},
    )


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


def _facts(source: _Source, metric: str) -> dict[str, object]:
    beta = float(metric.removeprefix("mf_"))
    return {"beta": beta, "meaning_id": source.meaning_id, "form_id": source.form_id}
