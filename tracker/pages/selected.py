"""What a report is about: submissions with what its sections show of them, and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ...queries.counting import Counting, counted, kinds_of, selecting, who_counts
from ...queries.metrics.registry import tabled_metrics
from ...queries.numbers import measured
from ...queries.reading import read_about, read_over
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.statements import Row, read_rows
from ..show.findings.sentences import HIDDEN, NO_OUTPUT
from ..show.model import Card, Link, Section, Span
from .sections import section, section_table

SentenceKey = tuple[str, int]
Examples = Mapping[str, Sequence[SentenceKey]]
"""Sentences by the relation or pattern that they are examples of, worst first."""
EXAMPLES = 3
"""Example sentences of a relation or pattern."""
WORST = 60
"""Worst sentences shown, over all submissions; of each at least one."""
_TEXTS = ("submission_id", "sentence_no", "reference", "output", "length")


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
        self.submissions = self.about("submission_overview", selected)
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

    @property
    def named(self) -> str:
        """Which submissions a picture is about, for its title."""
        if self.single:
            return str(self.averaged[0]["submission_id"])
        return plural(len(self.averaged), "submission")

    @property
    def caption(self) -> str:
        """Who counts in a chart; nothing where there is one submission."""
        return f"counted: {self.who_counts}" if len(self.submissions) > 1 else ""

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
        rows = self.about_counted("measure_correlations", "unit, measure, other_measure")
        return [row for row in rows if row["method"] == method]

    @cached_property
    def analyses(self) -> list[Row]:
        """The analyses behind the report, and their settings."""
        return self.counted_rows("report_analyses")

    @cached_property
    def human_leaderboard(self) -> list[Row]:
        """Submissions by people's judgement."""
        return self.rows("report_human_rankings")

    @cached_property
    def intervals(self) -> list[Row]:
        """Rows of the view ``metric_intervals``."""
        order = "treebank_id, metric, score DESC NULLS LAST, submission_id"
        return self.about("metric_intervals", order)

    @cached_property
    def metric_changes(self) -> list[Row]:
        """Rows of the view ``measure_changes``: of metrics, between these submissions."""
        return self.rows("report_metric_changes")


def score_names() -> dict[str, str]:
    """Return the scores of a sentence that a page shows, and what they are called."""
    metrics = {metric.name: metric.heading for metric in tabled_metrics() if metric.usual}
    return {**metrics, "adequacy_z": "adequacy", "fluency_z": "fluency"}


def examples_by(rows: Iterable[Row], column: str) -> dict[str, list[SentenceKey]]:
    """Return the sentences of rows by what they are examples of."""
    keys: dict[str, list[SentenceKey]] = {}
    for row in rows:
        keys.setdefault(row[column], []).append(_key(row))
    return keys


class Sentences:
    """Names and links the sentences that are shown: the worst ones, and examples."""

    def __init__(self, data: ReportData, examples: Sequence[Examples]) -> None:
        """Read the sentences; ``examples`` are those of patterns."""
        self.of_relations = examples_by(
            data.counted_rows("report_relation_examples", shown=EXAMPLES), "deprel"
        )
        of_each = max(1, WORST // len(data.ids))
        worst = data.counted_rows("report_worst_sentences", shown=of_each)
        keys = [_key(row) for row in worst]
        for of_one in (self.of_relations, *examples):
            keys += [key for sentences in of_one.values() for key in sentences]
        unique = dict.fromkeys(keys)
        rows = read_rows(
            data.database,
            "report_sentences",
            submissions=[submission for submission, _ in unique],
            sentence_nos=[number for _, number in unique],
        )
        self.rows = {_key(row): row for row in rows}
        self.anchors = {key: f"s{number}" for number, key in enumerate(self.rows, start=1)}
        self.single = data.single
        left_out = sum(row["sentences"] for row in data.averaged) - len(self.rows)
        self.note = (
            f"{plural(len(self.rows), 'output')}: the {of_each} lowest of each submission, and "
            f"the examples. {left_out:,} others are left out."
        )

    def links(self, keys: Sequence[SentenceKey]) -> list[Link]:
        """Return links to sentences, numbered."""
        shown = [key for key in keys if key in self.rows]
        return [
            Link(str(place), self.anchors[key], f"{key[0]}, sentence {key[1]}")
            for place, key in enumerate(shown, start=1)
        ]

    def example(self, key: SentenceKey, pieces: Sequence[tuple[str, bool]] = ()) -> Card:
        """Return a sentence with its scores, its reference in pieces where words are marked."""
        row = self.rows[key]
        scores = [
            span
            for score, name in score_names().items()
            if row[score] is not None
            for span in (Span(f"{name} "), Span(measured(score, row[score]), "strong"), Span("  "))
        ]
        marked = [Span(text, "matched" if matched else "") for text, matched in pieces]
        names = [*([] if self.single else [row["submission_id"]]), row["sent_id"] or ""]
        return Card(
            facts=[
                ("reference", marked or row["reference"] or HIDDEN),
                ("output", row["output"] or NO_OUTPUT),
            ],
            origin=[*scores, Span(" · ".join(names))],
            place=self.anchors[key],
            framed=False,
        )

    def section(self) -> Section:
        """Return the table of all sentences that are shown, worst first."""
        if not self.rows:
            return section("report.sentences")
        names = score_names()
        table = section_table(
            "report.sentences",
            [*self.rows.values()],
            columns=[*_TEXTS, *names],
            headings=names,
            hidden=["submission_id"] if self.single else [],
            note=self.note,
        )
        lines = [
            replace(line, anchor=anchor)
            for line, anchor in zip(table.lines, self.anchors.values(), strict=True)
        ]
        return section("report.sentences", [replace(table, lines=lines)])


def _key(row: Row) -> SentenceKey:
    return row["submission_id"], row["sentence_no"]
