"""What a report is about, and what its sections show, each read when it is first shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ....queries.counting import Counting, counted, kinds_of, selecting, who_counts
from ....queries.reading import read_about, read_over
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
_USUAL_LABELS = ("deprel", "upos", "upos~deprel")


@dataclass(frozen=True)
class Mining:
    """Error mining with one kind of label."""

    labels: str
    runs: Sequence[Row]
    """One row per submission: threshold, sentences, failed, undefined_reason, …"""
    patterns: Sequence[Row]
    """The first of them: of one submission, or with coverage over several."""
    total: int
    """How many patterns there are."""
    examples: dict[str, list[SentenceKey]]
    """By pattern, worst first."""
    marked: dict[tuple[str, SentenceKey], Pieces]
    """The references of the examples that are written out, words of the pattern marked."""
    trees: dict[str, list[Row]]
    """By submission: the nodes of its suspicion tree."""


class ReportData:
    """The submissions of a report, those that count in averages, and the rows about either."""

    def __init__(
        self, database: Database, submissions: Sequence[str], counting: Counting = "newest"
    ) -> None:
        """Read what is selected. Raises InputError where none of several counts."""
        self.database = database
        self.everything = [*submissions]
        self.ids = self.everything
        """The submissions that count in averages, and that examples are of."""
        selected = "campaign_id, treebank_id, system_id, iteration, submission_id"
        self.submissions = self.about("submissions", selected)
        if len(submissions) > 1:
            # Those with accuracies by relation or, without any, all.
            self.ids = counted(database, submissions, counting, having="dea_by_relation") or (
                counted(database, submissions, counting)
            )
        self.averaged = [row for row in self.submissions if row["submission_id"] in {*self.ids}]
        self.ids = [row["submission_id"] for row in self.averaged]
        self.who_counts = who_counts(counting, kinds_of(database, self.ids))

    @property
    def single(self) -> bool:
        """Whether averages are of one submission only."""
        return len(self.averaged) == 1

    def about(self, view: str, order: str) -> list[Row]:
        """Return the rows of a view about all submissions."""
        rows: list[Row] = read_about(self.database, view, self.everything, order).to_pylist()
        return rows

    def about_counted(self, view: str, order: str) -> list[Row]:
        """Return the rows of a view about the submissions that count."""
        rows: list[Row] = read_about(self.database, view, self.ids, order).to_pylist()
        return rows

    def rows(self, statement: str) -> list[Row]:
        """Return the rows of a statement over all submissions."""
        return read_rows(self.database, statement, submissions=self.everything)

    def counted_rows(self, statement: str, **parameters: Any) -> list[Row]:
        """Return the rows of a statement over the submissions that count."""
        return read_rows(self.database, statement, submissions=self.ids, **parameters)

    def over_counted(self, statement: str, **parameters: Any) -> list[Row]:
        """Return the rows of a statement on an aggregating view over those that count."""
        with selecting(self.database, self.ids, "all"):
            return read_rows(self.database, statement, **parameters)

    @cached_property
    def relations(self) -> list[Row]:
        """Rows of the view ``dea_by_relation_macro``."""
        rows = read_over(self.database, "dea_by_relation_macro", self.ids, "all")
        relations: list[Row] = rows.to_pylist()
        return relations

    @cached_property
    def relation_examples(self) -> dict[str, list[SentenceKey]]:
        """Outputs that miss an edge, by its relation."""
        return _by(self.counted_rows("report_relation_examples", shown=EXAMPLES), "deprel")

    @cached_property
    def entropy(self) -> list[Row]:
        """The entropy and mean accuracy of relations, by treebank."""
        return self.counted_rows("report_entropy")

    @cached_property
    def correlations(self) -> list[Row]:
        """Correlations of measures by the first method; of several submissions their medians."""
        methods = self.counted_rows("report_correlation_methods")
        if not methods:
            return []
        method = methods[0]["method"]
        if not self.single:
            return self.over_counted("report_correlation_medians", method=method)
        rows = self.about_counted("correlations", "unit, measure, other_measure")
        return [row for row in rows if row["method"] == method]

    @cached_property
    def analyses(self) -> list[Row]:
        """The analyses behind the report, and their settings."""
        return self.counted_rows("report_analyses")

    @cached_property
    def human_rankings(self) -> list[Row]:
        """Submissions by people's judgement."""
        return self.rows("report_human_rankings")

    @cached_property
    def intervals(self) -> list[Row]:
        """Rows of the view ``score_intervals``."""
        order = "treebank_id, metric, score DESC NULLS LAST, submission_id"
        return self.about("score_intervals", order)

    @cached_property
    def metric_changes(self) -> list[Row]:
        """Rows of the view ``measure_changes``: of metrics, between these submissions."""
        return self.rows("report_metric_changes")

    @cached_property
    def minings(self) -> list[Mining]:
        """A mining per kind of label: by BLEU if there is one, with the commonest settings."""
        runs = self.counted_rows("report_minings")
        of_labels: dict[str, list[Row]] = {label: [] for label in _USUAL_LABELS}
        for run in runs:
            of_labels.setdefault(run["labels"], []).append(run)
        return [_mining(self, labels, _chosen(rows)) for labels, rows in of_labels.items() if rows]

    @cached_property
    def sentences(self) -> dict[SentenceKey, Row]:
        """Every sentence that is shown, worst first."""
        worst = self.counted_rows("report_worst_sentences", shown=worst_of_each(len(self.ids)))
        keys = [_key(row) for row in worst]
        for examples in (self.relation_examples, *(mining.examples for mining in self.minings)):
            keys += [key for of_one in examples.values() for key in of_one]
        unique = dict.fromkeys(keys)
        rows = read_rows(
            self.database,
            "report_sentences",
            submissions=[submission for submission, _ in unique],
            sentence_nos=[number for _, number in unique],
        )
        return {_key(row): row for row in rows}


def worst_of_each(submissions: int) -> int:
    """Return how many of its worst sentences are shown of each of so many submissions."""
    return max(1, WORST // submissions)


def _chosen(runs: Sequence[Row]) -> list[Row]:
    """Return the runs with the settings that are shown."""
    settings = [run["settings"] for run in runs]

    def order(run: Row) -> tuple[bool, int, str]:
        return run["metric"] != "bleu", -settings.count(run["settings"]), run["settings"]

    chosen = min(runs, key=order)["settings"]
    return [run for run in runs if run["settings"] == chosen]


def _mining(data: ReportData, labels: str, runs: Sequence[Row]) -> Mining:
    mined = [run for run in runs if run["undefined_reason"] is None]
    of_runs = {
        "submissions": [run["submission_id"] for run in mined],
        "signatures": sorted({run["signature"] for run in mined}),
    }
    if len(runs) == 1:
        patterns = read_rows(data.database, "report_submission_patterns", **of_runs)
    else:
        with selecting(data.database, of_runs["submissions"], "all"):
            patterns = read_rows(
                data.database, "report_pattern_coverage", settings=runs[0]["settings"]
            )
    names = [row["pattern"] for row in patterns[:PATTERNS]]
    shown = {"labels": labels, "patterns": names, "shown": EXAMPLES}
    examples = _by(
        read_rows(data.database, "report_pattern_examples", **of_runs, **shown), "pattern"
    )
    written_out = {name: examples[name] for name in names[:OPENED] if name in examples}
    trees: dict[str, list[Row]] = {}
    for node in read_rows(data.database, "report_trees", **of_runs):
        trees.setdefault(node["submission_id"], []).append(node)
    return Mining(
        labels=labels,
        runs=runs,
        patterns=patterns[:PATTERNS],
        total=len(patterns),
        examples=examples,
        marked=marked_references(data.database, labels, written_out),
        trees=trees,
    )


def _by(rows: Iterable[Row], column: str) -> dict[str, list[SentenceKey]]:
    keys: dict[str, list[SentenceKey]] = {}
    for row in rows:
        keys.setdefault(row[column], []).append(_key(row))
    return keys


def _key(row: Row) -> SentenceKey:
    return row["submission_id"], row["sentence_no"]
