"""People's scores in files of mt-metrics-eval: those of sentences are stored, others checked."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.ingest.human_scores import store_human_scores
from sr_tracker.ingest.metric_score_files import MetricScores, read_score_lines
from sr_tracker.ingest.metric_scores import Whose, sentence_rows
from sr_tracker.ingest.wmt_folder import HumanFile
from sr_tracker.schema.copying.conflicts import BY_JUDGEMENTS
from sr_tracker.schema.database import Database
from sr_tracker.schema.files import content_hash
from sr_tracker.schema.staging import Load

MQM = "mqm"
_ROUNDED = 1e-6
"""System scores in files may be rounded."""


@dataclass(frozen=True)
class LoadedHumanScores:
    """What became of a file of human scores."""

    new: int
    notes: tuple[str, ...] = ()


def read_human_scores(file: HumanFile) -> MetricScores:
    """Return the rows of a file of human scores. Raises InputError (file:line) for broken lines."""
    level = "sentence" if file.level == "seg" else "submission"
    found = MetricScores(file.name, str(file.path), level)
    for line, system, score in read_score_lines(file.path):
        found.add(system, None, score, line)
    return found


def ingest_wmt_human_scores(
    database: Database, file: HumanFile, read: MetricScores, given: Whose, *, replace: bool = False
) -> LoadedHumanScores:
    """Store people's scores of sentences: as published, NULL is no row.

    Scores that are neither z-scores, nor 0 to 100, nor MQM's (at most 0) are left, with a note.
    Raises what ``sentence_rows`` and ``store_human_scores`` do.
    """
    rows = sentence_rows(database, read, given)
    rows = rows.filter(rows["score"].is_valid())
    limits = pc.min_max(rows["score"]).as_py()
    lowest, highest = limits["min"], limits["max"]
    if not rows.num_rows:
        return LoadedHumanScores(0)
    by_mqm = file.criterion.startswith(MQM) and highest <= 0
    if not file.standardised and not by_mqm and not (lowest >= 0 and highest <= 100):
        told = (
            f"{file.path.name} is left out: its scores are {lowest:g} to {highest:g}, not 0 to 100"
        )
        return LoadedHumanScores(0, (told,))
    if _made_from_judgements(database, given, file.criterion):
        told = f"{file.path.name} is left out: scores on {file.criterion} were made from judgements"
        return LoadedHumanScores(0, (told,))
    count = rows.num_rows
    nothing = pa.nulls(count, pa.float64())
    scores = pa.table(
        {
            "submission_id": rows["submission_id"],
            "sentence_no": rows["sentence_no"],
            "criterion": pa.repeat(file.criterion, count),
            "z_score": rows["score"] if file.standardised else nothing,
            "raw_mean": nothing if file.standardised else rows["score"],
            "judgements": pa.nulls(count, pa.int32()),
            "source": pa.repeat(file.path.name, count),
        }
    )
    load = Load(
        kind="human_scores",
        target=f"{given.campaign_id}:{file.criterion}:{file.path.name}",
        source=file.path.name,
        sha256=content_hash(repr([read.systems, read.scores])),
        records=count,
        rows={"human_score": scores},
    )
    return LoadedHumanScores(store_human_scores(database, load, str(file.path), replace=replace))


def _made_from_judgements(database: Database, given: Whose, criterion: str) -> bool:
    """Return whether a campaign's scores on a criterion were made from judgements."""
    found = database.connection.execute(
        "SELECT 1 FROM human_score JOIN submission USING (submission_id) "
        "WHERE human_score.source = ? AND criterion = ? AND campaign_id = ? AND treebank_id = ? "
        "LIMIT 1",
        [BY_JUDGEMENTS, criterion, given.campaign_id, given.treebank_id],
    ).fetchone()
    return found is not None


def differing_means(segments: MetricScores, systems: MetricScores) -> dict[str, float]:
    """Return by how much system scores differ from the means of the sentences', where they do."""
    sums: dict[str, list[float]] = {}
    for system, score in zip(segments.systems, segments.scores, strict=True):
        if score is not None:
            sums.setdefault(system, []).append(score)
    found = {}
    for system, score in zip(systems.systems, systems.scores, strict=True):
        own = sums.get(system)
        if own and score is not None and abs(score - sum(own) / len(own)) > _ROUNDED:
            found[system] = score - sum(own) / len(own)
    return found
