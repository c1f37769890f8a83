"""What runs show, read for some submissions at once: results, what changed, sentences, files."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...queries.change.comparison.comparing import sentence_change
from ...queries.change.comparison.model import Comparison
from ...queries.metrics.registry import headline_metrics
from ...schema.statements import Row, read_rows
from ..show.findings.comparison import comparison_document
from ..show.html import page
from .description import Place, change_tags, describe, found_least, over_iterations
from .pages import COMPARE, REPORT, report_page
from .results import (
    Moves,
    Results,
    read_results,
    with_sentences,
)
from .sentences import (
    WORST,
    Examples,
    Key,
    judged_by,
    moved,
    read_examples,
    scored,
)
from .submissions import PRIMARY, Submission

if TYPE_CHECKING:
    from ...schema.database import Database

OUTPUTS, RECORD = "tables/sentence_scores.parquet", "submission/submission.json"
"""Artifacts by which a submission can be loaded again: its texts are in the column output."""
SENTENCES = "worst_sentences.json"
PATTERNS, SENTENCE_ROWS, DIGITS = 15, 50, 4
Metrics = Mapping[str, Mapping[str, float]]
"""By submission and name."""


@dataclass(frozen=True)
class Sheet:
    """Everything that one submission's run shows."""

    submission: Submission
    results: Results
    patterns: Sequence[Row]
    worst: Sequence[int]
    """Its worst sentences."""
    examples: Examples
    comparison: Comparison | None
    """What changed; None where there is nothing to compare with."""
    history: Sequence[tuple[int, float]]
    """Iterations until this one, and their values of the first metric."""
    moves: Moves

    @property
    def tags(self) -> dict[str, str]:
        """What runs are found and grouped by."""
        own = self.submission.tags(self.results.signatures)
        return {**own, **change_tags(self.submission, self.moves)}

    def describe(self, place: Place) -> str:
        """Return the run's description."""
        scores, worst = self.results.scores, self.worst[:WORST]
        course = (
            over_iterations(self.history)
            if len(self.history) > 1
            else found_least(self.results.tables["dea_by_relation"])
        )
        return describe(self.submission, scores, self.comparison, worst, course, place)

    def write(self, folder: Path) -> None:
        """Write its record, tables and pages into a folder."""
        record = json.dumps(self.submission.record(), ensure_ascii=False, indent=1)
        files = {RECORD: f"{record}\n", SENTENCES: json.dumps(self._table(), ensure_ascii=False)}
        shown = self.worst[:WORST]
        files[REPORT] = report_page(
            self.submission, self.results, self.patterns, shown, self.examples, self.comparison
        )
        if self.comparison is not None:
            files[COMPARE] = page(comparison_document(self.comparison, trees=False))
        write_files(folder, files)
        (folder / "tables").mkdir(exist_ok=True)
        for name, table in self.results.tables.items():
            pq.write_table(table, folder / "tables" / f"{name}.parquet", compression="zstd")

    def _table(self) -> dict[str, list[object]]:
        """Return the worst sentences in the form of MLflow's tables.

        Its columns are narrow, and the first are seen.
        """
        scores = [name for name in headline_metrics() if name != PRIMARY]
        shown = ["sentence_no", PRIMARY, "reference", "output", *scores, "length", "sent_id"]
        rows = self.results.tables["sentence_scores"].select(shown)
        found = rows.filter(pc.is_in(rows["sentence_no"], pc.cast(list(self.worst), "int32")))
        by_number = {
            row["sentence_no"]: [
                round(value, DIGITS) if isinstance(value, float) else value
                for value in row.values()
            ]
            for row in found.to_pylist()
        }
        return {"columns": [*shown], "data": [by_number[number] for number in self.worst]}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts into a folder by their names, which may lie in folders within it."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


def read_sheets(
    database: Database,
    batch: Sequence[Submission],
    known: Mapping[str, Submission],
    metrics: Metrics,
    moves: Moves,
) -> list[Sheet]:
    """Return what the runs of some submissions show, in their order.

    ``known`` are all submissions by id, ``metrics`` those of all iterations of the batch's lines,
    ``moves`` those of the batch.
    """
    ids = [found.submission_id for found in batch]
    lines: dict[str, list[Submission]] = defaultdict(list)
    for each in known.values():
        lines[each.lineage_id].append(each)
    bases = {found.submission_id: _base(found, known) for found in batch}
    others = sorted({base.submission_id for base in bases.values() if base} - {*ids})
    results = read_results(database, [*ids, *others], metrics)
    sentences = {name: found.tables["sentence_scores"] for name, found in results.items()}
    worst = {
        name: scored(sentences[name], judged_by(sentences[name])).worst(SENTENCE_ROWS)
        for name in ids
    }
    judged = {
        name: judged_by(sentences[name], sentences[base.submission_id])
        for name, base in bases.items()
        if base
    }
    moving = {
        name: moved(scored(sentences[name], metric), scored(sentences[base.submission_id], metric))
        for name, metric in judged.items()
        if (base := bases[name])
    }
    keys: set[Key] = {(name, number) for name in ids for number in worst[name][:WORST]}
    for name, both in moving.items():
        base = bases[name]
        numbers = [each.number for side in both for each in side]
        keys |= {
            (side, n) for n in numbers for side in (name, base.submission_id if base else name)
        }
    examples = read_examples(database, keys)
    patterns = {
        name: list(group)
        for name, group in groupby(
            read_rows(database, "logged_patterns", submissions=ids, shown=PATTERNS),
            key=lambda row: str(row["submission_id"]),
        )
    }

    def comparison(new: Submission) -> Comparison | None:
        base = bases[new.submission_id]
        if base is None:
            return None
        name, other = new.submission_id, base.submission_id
        gained, lost = (
            [
                sentence_change(
                    each.new, each.base, examples[name, each.number], examples[other, each.number]
                )
                for each in side
            ]
            for side in moving[name]
        )
        return with_sentences(new, base, moves, gained, lost, judged[name])

    return [
        Sheet(
            submission=found,
            results=results[found.submission_id],
            patterns=patterns.get(found.submission_id, ()),
            worst=worst[found.submission_id],
            examples=examples,
            comparison=comparison(found),
            history=_history(found, lines[found.lineage_id], metrics),
            moves=moves,
        )
        for found in batch
    ]


def _history(
    submission: Submission, line: Sequence[Submission], metrics: Metrics
) -> list[tuple[int, float]]:
    """Return the iterations of a line until a submission, with their first metric, by iteration."""
    return sorted(
        (each["iteration"], metrics[each.submission_id][PRIMARY])
        for each in line
        if each["iteration"] <= submission["iteration"]
        and PRIMARY in metrics.get(each.submission_id, {})
    )


def _base(submission: Submission, known: Mapping[str, Submission]) -> Submission | None:
    """Return what a submission is compared with: its parent, where that is on its treebank."""
    base = known.get(str(submission["base_submission_id"]))
    alike = base is not None and base["treebank_id"] == submission["treebank_id"]
    return base if alike else None
