"""What is comparable with each other, and what of it is not computed yet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from sr_tracker.queries.metrics import metrics
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import resolve_submissions
from sr_tracker.schema.names import check_names
from sr_tracker.schema.statements import read_tuples

if TYPE_CHECKING:
    from sr_tracker.queries.change.significance import Settings

ANALYSIS = "significance"
VERSION = "1"


@dataclass(frozen=True)
class Scored:
    """A submission's score by the metric and signature of its group."""

    submission_id: str
    undefined_reason: str | None
    data_sha256: str


@dataclass(frozen=True)
class Group:
    """Comparable scores: of one treebank, by one metric, of one signature."""

    treebank_id: str
    metric: str
    signature_id: str
    statistics_signature_id: str
    """That of the metric whose statistics by sentence these scores come from."""
    scored: Sequence[Scored]
    """Those whose scores are needed, by name."""
    without_interval: frozenset[str]
    without_comparison: Sequence[tuple[str, str]]
    settings: str
    signature: str
    """How the group is tested; what the rows of the table analysis say."""

    @property
    def analysis_id(self) -> str:
        """The short hash of the signature."""
        return _short_hash(self.signature)


def pending_groups(
    database: Database, submissions: Sequence[str] | None, settings: Settings
) -> list[Group]:
    """Return the groups in which something is missing, by treebank and metric.

    Raises UnknownNameError for submissions that do not exist and metrics that are not scored.
    """
    connection = database.connection
    rows = read_tuples(database, "comparable_scores")
    submissions = resolve_submissions(database, submissions)
    check_names("metric", settings.metrics or (), {row[1] for row in rows})
    signatures = {(metric, submission): signature for _, metric, signature, submission, *_ in rows}
    wanted = [
        row
        for row in rows
        if (settings.metrics is None or row[1] in settings.metrics)
        and (submissions is None or row[3] in submissions)
    ]
    complete = set(
        connection.execute(
            "SELECT submission_id, signature_id, data_sha256 FROM analysis WHERE analysis = ?",
            [ANALYSIS],
        ).fetchall()
    )
    compared = set(
        connection.execute(
            "SELECT signature_id, submission_id, other_submission_id FROM score_comparison"
        ).fetchall()
    )

    def groups() -> Iterator[Group]:
        for (treebank_id, metric, signature_id), members in groupby(wanted, lambda row: row[:3]):
            known = metrics().get(metric)
            base = known.statistics_of if known and known.statistics_of else metric
            scored = [Scored(submission, reason, data) for *_, submission, reason, data in members]
            parts = (
                f"metric:{metric}",
                f"replicates:{settings.replicates}",
                f"seed:{settings.seed}",
                f"level:{settings.level}",
            )
            stated = "|".join(parts)
            signature = f"{ANALYSIS}|{stated}|version:{VERSION}|scores:{signature_id}"
            analysis_id = _short_hash(signature)
            without_interval = frozenset(
                each.submission_id
                for each in scored
                if (each.submission_id, analysis_id, each.data_sha256) not in complete
            )
            pairs = combinations([each.submission_id for each in scored], 2)
            without_comparison = [
                pair
                for pair in (pairs if settings.pairs else ())
                if (signature_id, *pair) not in compared or not without_interval.isdisjoint(pair)
            ]
            needed = without_interval.union(*without_comparison)
            yield Group(
                treebank_id,
                metric,
                signature_id,
                signatures.get((base, scored[0].submission_id), signature_id),
                [each for each in scored if each.submission_id in needed],
                without_interval,
                without_comparison,
                stated,
                signature,
            )

    return [group for group in groups() if group.scored]


def _short_hash(signature: str) -> str:
    return hashlib.sha256(signature.encode()).hexdigest()[:12]
