"""What validation finds wrong with treebanks as a document: each kind, how often, where first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.show.model import Column, Document, Section
from sr_tracker.tracker.show.tables import table

if TYPE_CHECKING:
    from sr_tracker.ingest.validation.validating import Validation

COLUMNS = {
    "level": Column("level", digits=0),
    "kind": Column("kind", "whole"),
    "count": Column("count", digits=0),
    "sentences": Column("sentences", digits=0),
    "place": Column("first", "whole"),
    "value": Column("what stands there", "text"),
    "about": Column("about", "text"),
}


def validation_document(found: Validation) -> Document:
    """Return how much was looked at, and the findings by kind."""
    sections = [
        Section(file, file, file, blocks=[table(f"Findings in {file}", COLUMNS, rows)])
        for file, rows in found.grouped().items()
    ]
    told = f"{plural(found.sentences, 'sentence')}, {plural(found.words, 'word')}"
    count = found.findings.num_rows
    return Document(
        "Validation",
        f"level {found.level}: {f'{count:,} findings' if count else 'nothing is wrong'}",
        sections,
        lead=told,
    )
