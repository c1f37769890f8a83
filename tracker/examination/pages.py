"""Marked errors on pages: the outputs of a sentence, with what people marked in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...queries.exploring import listing
from ...queries.numbers import number
from ..api.tracker import Tracker
from ..pages.addresses import address
from ..pages.lists import PAGE_ROWS
from ..pages.sections import section
from ..show.model import Cell, Column, Paragraph, Section, Span
from ..show.tables import filled
from .marked_errors import errors_text, marked_words

if TYPE_CHECKING:
    from ..pages.sentence import Place


def judged_outputs(tracker: Tracker, place: Place) -> list[Section]:
    """Return the outputs in which annotators marked errors, where there are some."""
    rows = listing(
        tracker.database,
        "listed_marked_outputs",
        treebank=place.treebank,
        sentence_no=place.sentence_no,
    ).rows.to_pylist()
    if not rows:
        return []
    columns = [
        Column("submission", "text", "The submission."),
        Column("annotator", "text", "Who marked the errors."),
        Column("criterion", "text", "What was judged."),
        Column("score", "number", "The annotator's rating; on mqm minus what the errors cost."),
        Column("output", "sentence", "The output, with its errors marked."),
        Column("errors", "text", "Severity, category, text and cost of each error."),
    ]
    cells = [_marked_cells(place, row) for row in rows]
    table = filled("Marked errors", columns, cells, shown=PAGE_ROWS, rest="judgements")
    legend = [Span("Major and critical errors are marked so", "worse"), Span(", others ")]
    reading = Paragraph([*legend, Span("so", "doubt"), Span(".")])
    return [section("sentence.errors", [reading, table])]


def _marked_cells(place: Place, row: dict[str, Any]) -> list[Cell | str]:
    name, errors = row["submission_id"], row["error_spans"]
    in_words = errors_text(row["output"], errors)
    return [
        Cell([Span(place.short(name), address=address("/submission", name))], name),
        row["annotator_id"],
        row["criterion"],
        Cell(number(row["raw_score"], 1), row["raw_score"]),
        Cell(marked_words(row["output"], errors), title=in_words),
        in_words,
    ]
