"""Reading what a report shows into plain structures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ....queries.counting import Counting, counted, kinds_of, selecting, who_counts
from ....queries.reading import read_over
from ....schema import TOOL_VERSION
from ....schema.database import Database
from ....schema.statements import Row, read_rows
from .marks import Pieces, SentenceKey, marked_references

EXAMPLES = 3
"""Example sentences of a relation or pattern."""
PATTERNS = 40
"""Patterns shown of each kind of label."""
OPENED = 6
"""Patterns whose example sentences are written out."""
WORST = 60
"""Worst sentences shown, over all submissions; of each at least one."""
TREES = 12
"""Submissions whose suspicion trees are shown."""


@dataclass(frozen=True)
class Mining:
    """Error mining with one kind of label."""

    labels: str
    runs: Sequence[Row]
    """One row per submission: threshold, sentences, failed, undefined_reason, …"""
    patterns: Sequence[Row]
    """The first of them: of one submission, or with coverage over several."""
    found: int
    """How many patterns there are."""
    examples: dict[str, list[SentenceKey]]
    """By pattern, worst first."""
    marked: dict[tuple[str, SentenceKey], Pieces]
    """The references of the examples that are written out, words of the pattern marked."""
    trees: dict[str, list[Row]]
    """By submission: the nodes of its suspicion tree."""


@dataclass(frozen=True)
class ReportData:
    """Everything that a report shows."""

    submissions: Sequence[Row]
    averaged: Sequence[Row]
    """Those of them that count in averages, and that examples are of."""
    who_counts: str
    """Which those are, in words."""
    leaderboard: Sequence[Row]
    relations: Sequence[Row]
    relations_by_submission: Sequence[Row]
    """Rows of the view ``dea_by_relation``."""
    relation_examples: dict[str, list[SentenceKey]]
    correlations: Sequence[Row]
    projectivity: Sequence[Row]
    entropy: Sequence[Row]
    entropy_by_submission: Sequence[Row]
    """Rows of the view ``entropy_dea``."""
    minings: Sequence[Mining]
    human_rankings: Sequence[Row]
    human_comparisons: Sequence[Row]
    metric_agreements: Sequence[Row]
    metric_evaluations: Sequence[Row]
    intervals: Sequence[Row]
    """Rows of the view ``score_intervals``."""
    metric_changes: Sequence[Row]
    """Rows of the view ``measure_changes``: of metrics, between these submissions."""
    sentences: dict[SentenceKey, Row]
    """Every sentence that is shown, worst first."""
    signatures: Sequence[Row]
    analyses: Sequence[Row]
    references: Sequence[Row]
    data_sha256: str
    tool: str = field(default=TOOL_VERSION)

    @property
    def single(self) -> bool:
        """Whether averages are of one submission only."""
        return len(self.averaged) == 1


def read_report(
    database: Database, submissions: Sequence[str], counting: Counting = "newest"
) -> ReportData:
    """Return everything that a report on these submissions shows.

    Raises InputError where none of several counts.
    """
    with database.transaction(read_only=True):
        return _read(database, submissions, counting)


def worst_of_each(submissions: int) -> int:
    """Return how many of its worst sentences are shown of each of so many submissions."""
    return max(1, WORST // submissions)


def _read(database: Database, everything: Sequence[str], counting: Counting) -> ReportData:
    submissions = read_rows(database, "report_selected", submissions=everything)
    chosen = _counted(database, everything, counting)
    focus = [row for row in submissions if row["submission_id"] in chosen]
    ids = [row["submission_id"] for row in focus]
    relation_examples = _by(
        read_rows(database, "report_relation_examples", submissions=ids, shown=EXAMPLES), "deprel"
    )
    minings = _minings(database, ids)
    worst = read_rows(
        database, "report_worst_sentences", submissions=ids, shown=worst_of_each(len(ids))
    )
    keys = [_key(row) for row in worst]
    for examples in (relation_examples, *(mining.examples for mining in minings)):
        keys += [key for found in examples.values() for key in found]
    data_hash = read_rows(database, "report_data_hash", submissions=everything)
    return ReportData(
        submissions=submissions,
        averaged=focus,
        who_counts=who_counts(counting, kinds_of(database, ids)),
        leaderboard=read_rows(database, "report_leaderboard", submissions=everything),
        relations=read_over(database, "dea_by_relation_macro", ids, "all").to_pylist(),
        relations_by_submission=read_rows(database, "report_dea_by_relation", submissions=ids),
        relation_examples=relation_examples,
        correlations=_correlations(database, ids),
        projectivity=read_rows(database, "report_projectivity", submissions=ids),
        entropy=read_rows(database, "report_entropy", submissions=ids),
        entropy_by_submission=read_rows(database, "report_entropy_dea", submissions=ids),
        minings=minings,
        human_rankings=read_rows(database, "report_human_rankings", submissions=everything),
        human_comparisons=read_rows(database, "report_human_comparisons", submissions=everything),
        metric_agreements=read_rows(database, "report_metric_agreements", submissions=everything),
        metric_evaluations=read_rows(database, "report_metric_evaluations", submissions=everything),
        intervals=read_rows(database, "report_score_intervals", submissions=everything),
        metric_changes=read_rows(database, "report_metric_changes", submissions=everything),
        sentences=_sentences(database, keys),
        signatures=read_rows(database, "report_signatures", submissions=everything),
        analyses=read_rows(database, "report_analyses", submissions=ids),
        references=read_rows(
            database,
            "report_references",
            treebanks=sorted({row["treebank_id"] for row in submissions}),
        ),
        data_sha256=data_hash[0]["sha256"],
    )


def _counted(database: Database, everything: Sequence[str], counting: Counting) -> set[str]:
    """Return who counts: of those with accuracies by relation or, without any, of all."""
    if len(everything) == 1:
        return {*everything}
    return {
        *(
            counted(database, everything, counting, having="dea_by_relation")
            or counted(database, everything, counting)
        )
    }


def _over(database: Database, ids: Sequence[str], name: str, **parameters: Any) -> list[Row]:
    """Return the rows of a statement on an aggregating view over exactly these submissions."""
    with selecting(database, ids, "all"):
        return read_rows(database, name, **parameters)


def _correlations(database: Database, ids: Sequence[str]) -> list[Row]:
    methods = read_rows(database, "report_correlation_methods", submissions=ids)
    if not methods:
        return []
    method = methods[0]["method"]
    if len(ids) == 1:
        return read_rows(database, "report_correlations", submissions=ids, method=method)
    return _over(database, ids, "report_correlation_medians", method=method)


def _minings(database: Database, ids: Sequence[str]) -> list[Mining]:
    """Return a mining per kind of label: by BLEU if there is one, with the commonest settings."""
    runs = read_rows(database, "report_minings", submissions=ids)
    found = []
    for labels in sorted({run["labels"] for run in runs}, key=_label_order):
        of_labels = [run for run in runs if run["labels"] == labels]
        settings = [run["settings"] for run in of_labels]
        chosen = min(
            of_labels,
            key=lambda run, all_of=settings: (  # type: ignore[misc]
                run["metric"] != "bleu",
                -all_of.count(run["settings"]),
                run["settings"],
            ),
        )["settings"]
        found.append(_mining(database, labels, [r for r in of_labels if r["settings"] == chosen]))
    return found


def _label_order(labels: str) -> tuple[int, str]:
    usual = ("deprel", "upos", "upos~deprel")
    return (usual.index(labels) if labels in usual else len(usual), labels)


def _mining(database: Database, labels: str, runs: Sequence[Row]) -> Mining:
    mined = [run for run in runs if run["undefined_reason"] is None]
    of_runs = {
        "submissions": [run["submission_id"] for run in mined],
        "signatures": sorted({run["signature"] for run in mined}),
    }
    if len(runs) == 1:
        patterns = read_rows(database, "report_submission_patterns", **of_runs)
    else:
        ids, settings = of_runs["submissions"], runs[0]["settings"]
        patterns = _over(database, ids, "report_pattern_coverage", settings=settings)
    names = [row["pattern"] for row in patterns[:PATTERNS]]
    rows = read_rows(
        database,
        "report_pattern_examples",
        labels=labels,
        patterns=names,
        shown=EXAMPLES,
        **of_runs,
    )
    examples = _by(rows, "pattern")
    written_out = {name: examples[name] for name in names[:OPENED] if name in examples}
    nodes = read_rows(database, "report_trees", **of_runs)
    trees: dict[str, list[Row]] = {}
    for node in nodes:
        trees.setdefault(node["submission_id"], []).append(node)
    return Mining(
        labels=labels,
        runs=runs,
        patterns=patterns[:PATTERNS],
        found=len(patterns),
        examples=examples,
        marked=marked_references(database, labels, written_out),
        trees=trees,
    )


def _by(rows: Sequence[Row], column: str) -> dict[str, list[SentenceKey]]:
    found: dict[str, list[SentenceKey]] = {}
    for row in rows:
        found.setdefault(row[column], []).append(_key(row))
    return found


def _key(row: Row) -> SentenceKey:
    return row["submission_id"], row["sentence_no"]


def _sentences(database: Database, keys: Sequence[SentenceKey]) -> dict[SentenceKey, Row]:
    unique = list(dict.fromkeys(keys))
    rows = read_rows(
        database,
        "report_sentences",
        submissions=[submission for submission, _ in unique],
        sentence_nos=[number for _, number in unique],
    )
    return {_key(row): row for row in rows}
