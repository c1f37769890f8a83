"""Rows of the plain layout of judgements, as readers of other layouts find them."""

from __future__ import annotations

from dataclasses import dataclass, field

from sr_tracker.ingest.records import Records

COLUMNS = (
    *("annotator", "hit", "item", "system", "treebank", "language", "sent_id", "criterion"),
    *("kind", "score", "time", "error_spans", "document"),
)


@dataclass(frozen=True)
class JudgementTable:
    """A file of judgements in the plain layout, and what to know of what it left out."""

    records: Records
    notes: list[str] = field(default_factory=list)


@dataclass
class Rows:
    """Rows of the plain layout as they are found."""

    source: str
    rows: list[tuple[str | None, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, line: int, **values: str | None) -> None:
        """Add a row with the line that it comes from."""
        self.rows.append(tuple(values.get(name) for name in COLUMNS))
        self.lines.append(line)

    def table(self, notes: list[str]) -> JudgementTable:
        """Return the rows by column, with what to know of those left out."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(COLUMNS)
        named = {name: list(values) for name, values in zip(COLUMNS, columns, strict=True)}
        return JudgementTable(Records(self.source, named, self.lines), notes)
