"""The sentences of a report: where each stands on the page, and what is shown of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....queries.metrics.registry import tabled_metrics
from ....queries.numbers import number
from ....schema.brief import plural
from ....schema.statements import Row
from ...show.findings.sentences import HIDDEN, NO_OUTPUT
from ...show.model import Card, Cell, Column, Line, Link, Section, Span, Table, Words
from ...show.tables import cell
from ..sections import section
from .data import ReportData, worst_of_each
from .marks import SentenceKey

WORDS = Column("words", digits=0, meaning="words of the reference, punctuation left out")


def score_names() -> dict[str, str]:
    """Return the scores of a sentence that a page shows, and what they are called."""
    metrics = {each.name: each.heading for each in tabled_metrics() if each.usual}
    return {**metrics, "adequacy_z": "adequacy", "fluency_z": "fluency"}


class Sentences:
    """Names and links the sentences that are shown."""

    def __init__(self, data: ReportData) -> None:
        self.rows = data.sentences
        self.anchors = {key: f"s{number}" for number, key in enumerate(self.rows, start=1)}
        self.several = not data.single
        left_out = sum(row["sentences"] for row in data.averaged) - len(self.rows)
        self.cut = (
            f"{plural(len(self.rows), 'output')}: the {worst_of_each(len(data.averaged))} lowest "
            f"of each submission, and the examples. {left_out:,} others are left out."
        )

    def links(self, keys: Sequence[SentenceKey]) -> list[Link]:
        """Return links to sentences, numbered."""
        shown = [key for key in keys if key in self.rows]
        return [
            Link(str(n), self.anchors[key], self._name(self.rows[key]))
            for n, key in enumerate(shown, start=1)
        ]

    def example(self, key: SentenceKey, pieces: Sequence[tuple[str, bool]] = ()) -> Card:
        """Return a sentence with its scores, its reference in pieces where words are marked."""
        row = self.rows[key]
        scores = [
            span
            for score, name in score_names().items()
            if row[score] is not None
            for span in (Span(f"{name} "), Span(number(row[score]), "strong"), Span("  "))
        ]
        marked = [Span(text, "matched" if matched else "") for text, matched in pieces]
        return self._card(key, marked or row["reference"], scores, self.anchors[key])

    def _card(
        self,
        key: SentenceKey,
        reference: Words | None,
        scores: Sequence[Span] = (),
        place: str = "",
    ) -> Card:
        row = self.rows[key]
        origin = [row["submission_id"]] if self.several else []
        return Card(
            facts=[("reference", reference or HIDDEN), ("output", row["output"] or NO_OUTPUT)],
            origin=[*scores, Span(" · ".join([*origin, row["sent_id"] or ""]))],
            place=place,
            framed=False,
        )

    def section(self) -> Section:
        """Return the table of all sentences that are shown, worst first."""
        if not self.rows:
            return section("report.sentences")
        used = {
            score: Column(name, digits=2)
            for score, name in score_names().items()
            if any(row[score] is not None for row in self.rows.values())
        }
        head = [Column("sentence", "sentence"), WORDS, *used.values()]
        lines = [
            Line(
                [
                    Cell("", row["reference"] or "", card=self._card(key, row["reference"])),
                    cell(row["length"], WORDS),
                    *(cell(row[score], column) for score, column in used.items()),
                ],
                self.anchors[key],
            )
            for key, row in self.rows.items()
        ]
        shown = Table(
            "Sentences and their scores", head, lines, shown=20, note=self.cut, filterable=True
        )
        return section("report.sentences", [shown])

    def _name(self, row: Mapping[str, object] | Row) -> str:
        return f"{row['submission_id']}, sentence {row['sentence_no']}"
