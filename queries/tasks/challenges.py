"""Scoring outputs by what challenge sets expect of them, and reading which items pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.keys import NO_OUTPUTS
from ...schema.progress import Progress, silent
from ...schema.statements import Row, read_rows, read_table
from ..functions.sql_function import register
from ..functions.statistics import holm_by_family
from ..metrics.builtin import CHARACTER_EDITS
from ..metrics.loop import Target, chosen_targets, missing_targets, score_by, score_targets
from ..metrics.signatures import Signature, composed_signature
from .metrics import PASSED

AT_ONCE = 16
"""Submissions that are scored in one transaction."""


@dataclass(frozen=True, kw_only=True)
class _Target(Target):
    analysis: str
    treebank_sha256: str
    items_sha256: str


@dataclass(frozen=True, repr=False)
class Challenges(Brief):
    """Which items of challenge sets submissions pass."""

    rates: pa.Table
    """A row per submission and phenomenon, and one with the phenomenon NULL for all items: items,
    passed, pass_rate and Wilson's interval; against the run before: gained, lost, p_value of
    an exact test over templates, and p_holm, corrected over the phenomena of a run."""
    metrics: pa.Table
    """A row per set, phenomenon and metric: how often it prefers the good output."""
    left_out: Sequence[Row] = ()
    """A row per test set and phenomenon with items that are about trees where outputs of some
    ``submissions`` have none: the most ``items`` of one of these without a result."""


def score_challenges(
    database: Database, submissions: Sequence[str] | None = None, *, progress: Progress = silent
) -> int:
    """Score submissions whose test set has challenge items; return how many were not complete.

    What is complete stays; other items of a test set are another signature. Raises
    UnknownNameError for submissions that do not exist.
    """
    targets = chosen_targets(
        database, _Target, "challenge_submissions", submissions, no_outputs=NO_OUTPUTS
    )
    missing = missing_targets(
        database, [replace(t, signatures={PASSED.name: _signature(t)}) for t in targets]
    )
    if not missing:
        return 0
    database.set_up(lambda connection: register(connection, [CHARACTER_EDITS]))
    score_targets(
        database,
        missing,
        lambda batch, _: score_by(
            database, "score_challenge", batch, lambda t, _: {"treebank_id": t.treebank_id}
        ),
        matches=["statistic_match", "part_match"],
        limit=lambda _: AT_ONCE,
        kind=lambda _: PASSED.name,
        progress=progress,
    )
    return len(missing)


def _signature(target: _Target) -> Signature:
    return composed_signature(
        PASSED.name,
        parameters={"items": target.items_sha256[:12]},
        text_level=PASSED.text_level,
        tokeniser=target.analysis,
        versions={"metric": PASSED.version},
        treebank_id=target.treebank_id,
        data_sha256=target.treebank_sha256,
    )


def read_challenges(database: Database, submissions: Sequence[str]) -> Challenges:
    """Return which items submissions pass, by phenomenon, and what changed since the run before.

    Changes are tested over items that both runs have by McNemar's exact test (McNemar 1947;
    two-sided binomial) or, where items share a template or a text, by that of sign flips over
    templates; corrected over the phenomena of a run (Holm 1979).
    """
    rates = read_table(database, "challenge_rates", submissions=list(submissions))
    rows: list[Row] = rates.to_pylist()
    corrected = holm_by_family(
        [None if row["phenomenon"] is None else row["p_value"] for row in rows],
        [row["submission_id"] for row in rows],
    )
    treebanks = read_rows(database, "challenge_treebanks", submissions=list(submissions))
    metrics = read_table(
        database, "challenge_metrics", treebanks=[row["treebank_id"] for row in treebanks]
    )
    return Challenges(
        rates.append_column("p_holm", pa.array(corrected, pa.float64())),
        metrics,
        read_rows(
            database, "challenge_left_out", submissions=list(submissions), no_outputs=NO_OUTPUTS
        ),
    )
