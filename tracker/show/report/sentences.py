"""The sentences of a report: where each stands on the page, and what is shown of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sr_tracker.queries.metrics.registry import scorable_metrics
from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.report.cells import cell, number
from sr_tracker.tracker.show.report.data import ReportData, worst_of_each
from sr_tracker.tracker.show.report.marks import SentenceKey
from sr_tracker.tracker.show.report.page_model import (
    Cell,
    Column,
    Line,
    Link,
    Section,
    Sentence,
    Table,
)

WORDS = Column("words", digits=0, meaning="words of the reference, punctuation left out")
READING = (
    "Outputs with the lowest sentence BLEU (lower-cased words between blanks), and every sentence "
    "that a relation or a pattern above points to. A metric compares with one reference: an output "
    "that scores low may still be fine, so read before you count."
)


def score_names() -> dict[str, str]:
    """Return the scores of a sentence that a page shows, and what they are called."""
    metrics = {each.name: each.heading for each in scorable_metrics() if each.usual}
    return {**metrics, "adequacy_z": "adequacy", "fluency_z": "fluency"}


class Sentences:
    """Names and links the sentences that are shown."""

    def __init__(self, data: ReportData) -> None:
        self.rows = data.sentences
        self.anchors = {key: f"s{number}" for number, key in enumerate(self.rows, start=1)}
        self.several = not data.single
        left_out = sum(row["sentences"] for row in data.averaged) - len(self.rows)
        self.cut = (
            f"{len(self.rows):,} outputs: the {worst_of_each(len(data.averaged))} lowest of each "
            f"submission, and the examples. {left_out:,} others are left out."
        )

    def links(self, keys: Sequence[SentenceKey]) -> list[Link]:
        """Return links to sentences, numbered."""
        shown = [key for key in keys if key in self.rows]
        return [
            Link(str(n), self.anchors[key], self._name(self.rows[key]))
            for n, key in enumerate(shown, start=1)
        ]

    def example(self, key: SentenceKey, pieces: Sequence[tuple[str, bool]] = ()) -> Sentence:
        """Return a sentence with its scores, its reference in pieces where words are marked."""
        row = self.rows[key]
        scores = [
            (name, number(row[score]))
            for score, name in score_names().items()
            if row[score] is not None
        ]
        return Sentence(
            row["reference"],
            row["output"],
            self.anchors[key],
            row["submission_id"] if self.several else "",
            row["sent_id"],
            scores,
            pieces,
        )

    def section(self) -> Section:
        """Return the table of all sentences that are shown, worst first."""
        title = "Worst sentences"
        if not self.rows:
            reason = "No sentence is scored: run 'tracker score'."
            return Section("sentences", "Sentences", title, READING, missing=reason)
        used = {
            score: Column(name, digits=2)
            for score, name in score_names().items()
            if any(row[score] is not None for row in self.rows.values())
        }
        head = [Column("sentence", "sentence"), WORDS, *used.values()]
        lines = [
            Line(
                [
                    Cell("", row["reference"] or "", sentence=self.example(key)),
                    cell(row["length"], WORDS),
                    *(cell(row[score], column) for score, column in used.items()),
                ],
                self.anchors[key],
            )
            for key, row in self.rows.items()
        ]
        found = Table(
            "Sentences and their scores", head, lines, shown=20, note=self.cut, filterable=True
        )
        return Section("sentences", "Sentences", title, READING, [found])

    def _name(self, row: Mapping[str, object] | Row) -> str:
        return f"{row['submission_id']}, sentence {row['sentence_no']}"
