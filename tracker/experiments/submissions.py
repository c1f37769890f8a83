"""What a submission is to MLflow: name, parameters, tags, metrics, dataset and tables."""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.errors.measures import COMPLEXITIES
from sr_tracker.queries.functions.statistics import SPEARMAN
from sr_tracker.schema.database import Database

LAYOUT = "6"
"""Part of every fingerprint: another number makes the next logging update every run."""

_SUBMISSIONS = """
WITH scored AS (
    SELECT submission_id, string_agg(signature_id, ',' ORDER BY signature_id) AS signatures
    FROM current_scoring
    GROUP BY submission_id
),
based AS (
    SELECT
        submission_id,
        coalesce(parent_submission_id, lag(submission_id) OVER (
            PARTITION BY campaign_id, system_id, treebank_id, track ORDER BY iteration
        )) AS base_submission_id
    FROM submission
),
analysed AS (
    SELECT target AS treebank_id, string_agg(signature_id, ',' ORDER BY signature_id) AS signatures
    FROM scoring
    WHERE target IN (SELECT treebank_id FROM treebank)
    GROUP BY target
),
judged AS (
    SELECT
        submission_id,
        md5(string_agg(
            concat_ws('|', criterion, sentence_no, coalesce(z_score::VARCHAR, '-'), raw_mean),
            ',' ORDER BY criterion, sentence_no
        )) AS scores
    FROM human_score
    GROUP BY submission_id
),
correlated AS (
    SELECT
        submission_id,
        string_agg(signature_id || data_sha256, ',' ORDER BY signature_id) AS correlations
    FROM current_analysis
    JOIN analysis USING (submission_id, signature_id)
    WHERE current_analysis.analysis = 'correlation'
    GROUP BY submission_id
)
SELECT
    submission.submission_id, submission.campaign_id, submission.system_id, submission.treebank_id,
    submission.track, submission.iteration, submission.parent_submission_id,
    epoch_ms(submission.created_at) AS created_ms, epoch_us(submission.created_at) AS created_us,
    submission.reference_form, submission.analysis,
    submission.params, submission.tags, submission.sha256, team, kind,
    language, split, sentences, tokens, hidden_text,
    treebank.source AS treebank_source, treebank.sha256 AS treebank_sha256,
    scored.signatures, analysed.signatures AS treebank_signatures, judged.scores AS human_scores,
    correlated.correlations, based.base_submission_id, base.sha256 AS base_sha256,
    base_scored.signatures AS base_signatures
FROM submission
JOIN based USING (submission_id)
JOIN system ON system.system_id = submission.system_id
JOIN treebank ON treebank.treebank_id = submission.treebank_id
LEFT JOIN submission AS base ON base.submission_id = based.base_submission_id
LEFT JOIN scored AS base_scored ON base_scored.submission_id = based.base_submission_id
LEFT JOIN scored ON scored.submission_id = submission.submission_id
LEFT JOIN analysed ON analysed.treebank_id = submission.treebank_id
LEFT JOIN judged ON judged.submission_id = submission.submission_id
LEFT JOIN correlated ON correlated.submission_id = submission.submission_id
ORDER BY
    submission.campaign_id, submission.system_id, submission.treebank_id, submission.iteration
"""

_METRICS = """
SELECT submission_id, metric AS name, score AS value FROM submission_metrics
UNION ALL
SELECT submission_id, 'coverage', coverage FROM coverage
UNION ALL
SELECT submission_id, 'missing', missing FROM coverage
UNION ALL
SELECT submission_id, criterion || '_z', avg(z_score ORDER BY sentence_no)
FROM human_score GROUP BY submission_id, criterion
UNION ALL
SELECT submission_id, criterion || '_raw', avg(raw_mean ORDER BY sentence_no)
FROM human_score GROUP BY submission_id, criterion
UNION ALL
SELECT submission_id, 'judged_sentences', count(DISTINCT sentence_no)
FROM human_score GROUP BY submission_id
UNION ALL
SELECT submission_id, regexp_replace(measure, '\\[(.*)\\]$', '/\\1'), score
FROM submission_measures WHERE kind IN ('relation', 'meaning')
"""

_TABLES = {
    "submission_metrics": "metric",
    "dea_by_relation": "dea, deprel",
    "sentence_scores": "sentence_no",
    "outputs": "sentence_no",
    "correlations": "method, unit, measure, other_measure",
}
"""Views that go along as tables, and their order within a submission."""
_SOURCES = {
    "outputs": "(SELECT submission_id, sentence_no, sent_id, output.text FROM output "
    "JOIN submission USING (submission_id) JOIN sentence USING (treebank_id, sentence_no))"
}
"""What is no view: the outputs, so that a submission can be loaded again from its run."""
_DATES = ("created_ms", "created_us")
_RECORDED = ("track", "iteration", "created_us", "reference_form", "analysis", "sha256")


@dataclass(frozen=True)
class Submission:
    """A submission as the database describes it."""

    row: dict[str, Any]
    fingerprint: str
    """Hash of everything its run shows: equal fingerprints mean that nothing has changed."""

    def __getitem__(self, column: str) -> Any:
        return self.row[column]

    @property
    def submission_id(self) -> str:
        """The submission's id."""
        return str(self.row["submission_id"])

    @property
    def lineage_id(self) -> str:
        """The series of iterations it belongs to: campaign/system/treebank."""
        return f"{self['campaign_id']}/{self['system_id']}/{self['treebank_id']}"

    def params(self) -> dict[str, str]:
        """Return the parameters of the model run, and how its outputs are read."""
        own = {
            "reference_form": self["reference_form"],
            "analysis": self["analysis"],
            "parent": self["parent_submission_id"],
        }
        return _merged(own, json.loads(self["params"]))

    def record(self) -> dict[str, Any]:
        """Return everything said of the submission, by which it can be loaded again."""
        row = self.row
        return {
            "submission_id": self.submission_id,
            "campaign": row["campaign_id"],
            "system": row["system_id"],
            "treebank": row["treebank_id"],
            "treebank_sha256": row["treebank_sha256"],
            **{name: row[name] for name in _RECORDED},
            "parent": row["parent_submission_id"],
            "params": json.loads(row["params"]),
            "tags": json.loads(row["tags"]),
        }

    def tags(self, signatures: dict[str, str]) -> dict[str, str]:
        """Return what runs are searched and grouped by; ``signatures`` by metric."""
        own = {
            "campaign": self["campaign_id"],
            "team": self["team"],
            "system": self["system_id"],
            "system_kind": self["kind"],
            "treebank": self["treebank_id"],
            "language": self["language"],
            "track": self["track"],
            "iteration": self["iteration"],
            "sha256": self["sha256"],
            **{f"signature/{metric}": text for metric, text in signatures.items()},
        }
        return _merged(own, json.loads(self["tags"]))


@dataclass(frozen=True)
class Results:
    """The results of some submissions, read in one go."""

    metrics: dict[str, dict[str, float]]
    """By submission and name; what is undefined is not in it."""
    signatures: dict[str, dict[str, str]]
    tables: dict[str, pa.Table]

    def tables_of(self, submission_id: str) -> dict[str, pa.Table]:
        """Return one submission's rows of every table."""
        return {
            name: table.filter(pc.equal(table["submission_id"], submission_id))
            for name, table in self.tables.items()
        }


def read_submissions(database: Database) -> list[Submission]:
    """Return all submissions, in the order of their systems' iterations."""
    rows = database.connection.execute(_SUBMISSIONS).to_arrow_table().to_pylist()
    return [Submission(row, _fingerprint(row)) for row in rows]


def read_metrics(database: Database, submissions: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the finite overall metrics and accuracies by relation, by submission and name."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    rows = database.connection.execute(
        f"SELECT * FROM ({_METRICS}) WHERE submission_id IN (SELECT unnest(?))",  # noqa: S608
        [list(submissions)],
    ).fetchall()
    for submission_id, name, value in rows:
        if value is not None and math.isfinite(value):
            found[submission_id][name] = float(value)
    return found


def read_results(database: Database, submissions: Sequence[str]) -> Results:
    """Return the results of some submissions: metrics, signatures and tables."""
    metrics = read_metrics(database, submissions)
    tables = {
        name: database.connection.execute(
            f"SELECT * FROM {_SOURCES.get(name, name)} WHERE submission_id IN (SELECT unnest(?)) "  # noqa: S608
            f"ORDER BY submission_id, {order}",
            [list(submissions)],
        ).to_arrow_table()
        for name, order in _TABLES.items()
    }
    for row in tables["correlations"].to_pylist():
        if row["coefficient"] is not None and _is_of_complexity(row):
            name = f"{SPEARMAN}/{row['measure']}:{row['other_measure']}"
            metrics[row["submission_id"]][name] = row["coefficient"]
    signatures: dict[str, dict[str, str]] = defaultdict(dict)
    for row in tables["submission_metrics"].to_pylist():
        signatures[row["submission_id"]][row["metric"]] = row["signature"]
    return Results(metrics, signatures, tables)


def _is_of_complexity(row: dict[str, Any]) -> bool:
    """Return whether a correlation is one of performance with complexity, by rank."""
    return (
        row["method"] == SPEARMAN
        and row["other_measure"] in COMPLEXITIES
        and row["measure"] not in COMPLEXITIES
    )


def hash_of(parts: Iterable[Any]) -> str:
    """Return a short hash of plain values."""
    return hashlib.sha256(json.dumps(list(parts), default=str).encode()).hexdigest()[:32]


def _fingerprint(row: dict[str, Any]) -> str:
    # When a run was made is not given in every file: loading the same files into a new database
    # must not touch the runs.
    return hash_of([LAYOUT, *sorted(item for item in row.items() if item[0] not in _DATES)])


def _merged(own: dict[str, Any], given: dict[str, Any]) -> dict[str, str]:
    """Return our values and those the user gave, as text; a name that is taken gets a prefix."""
    merged = {name: _text(value) for name, value in own.items() if value is not None}
    for name, value in given.items():
        taken = name in own or name.startswith(("mlflow.", "sr_tracker."))
        merged[f"given.{name}" if taken else name] = _text(value)
    return merged


def _text(value: Any) -> str:
    """Return text as it is, and everything else as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
