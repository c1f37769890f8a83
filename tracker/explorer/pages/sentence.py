"""The page of a sentence: its tree, every system's output, and what people said of them."""

from __future__ import annotations

from dataclasses import replace

from sr_tracker.queries.errors.word_difference import cut_words, word_difference
from sr_tracker.queries.exploring import Listing, listing
from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.addresses import address
from sr_tracker.tracker.explorer.pages import Asked
from sr_tracker.tracker.explorer.tables import listed
from sr_tracker.tracker.show.findings.examples import examples_document
from sr_tracker.tracker.show.findings.sentences import compared_words
from sr_tracker.tracker.show.model import (
    Card,
    Document,
    Field,
    Form,
    Page,
    Paragraph,
    Section,
    Span,
    Table,
)


def sentence(tracker: Tracker, asked: Asked) -> Page:
    """Return a sentence: its reference tree, all outputs, judgements."""
    treebank, place = asked["treebank"], int(asked["sentence_no"])
    (facts,) = listing(
        tracker.database, "sentences_beside", treebank=treebank, sentence_no=place
    ).rows.to_pylist()
    if facts["text"] is None and facts["sent_id"] is None:
        raise UnknownNameError(f"the treebank '{treebank}' has no sentence {place}")
    chosen, system = asked.get("submission", ""), asked.get("system", "")
    outputs = listing(
        tracker.database,
        "listed_outputs",
        treebank=treebank,
        sentence_no=place,
        system=system or None,
    )
    rows = outputs.rows.to_pylist()
    chosen = chosen or (rows[0]["submission_id"] if rows else "")
    sections = [_tree(tracker, chosen, place)] if chosen else []
    sections.append(_outputs(outputs, facts["text"] or ""))
    judged = _judgements(tracker, treebank, place)
    sections += [judged] if judged.blocks else []
    document = Document(
        "Sentence",
        facts["text"] or f"sentence {place}",
        sections,
        lead=" · ".join(filter(None, [f"sentence {place}", facts["sent_id"], treebank])),
    )
    trail = [Span(treebank, address=address("/leaderboard", treebank=treebank))]
    if chosen:
        trail.append(Span(chosen, address=address("/submission", chosen)))
    beside = [
        Span(
            told,
            address=address("/sentence", treebank, facts[side], submission=chosen, system=system),
        )
        for side, told in (("before", "← sentence before"), ("after", "sentence after →"))
        if facts[side] is not None
    ]
    return Page(document, trail, [_choice(rows, treebank, place, chosen, system)], beside)


def _choice(
    rows: list[dict[str, object]], treebank: str, place: int, chosen: str, system: str
) -> Form:
    systems = sorted({str(row["system_id"]) for row in rows} | ({system} - {""}))
    options = [("", "every system"), *((each, each) for each in systems)]
    return Form(
        address("/sentence", treebank, place),
        [Field("system", "Outputs of", system, options), Field("submission", "", chosen)],
    )


def _tree(tracker: Tracker, chosen: str, place: int) -> Section:
    found = examples_document(tracker.examples(chosen, sentence=str(place)), whole=True)
    cards = [
        replace(block, title=[Span(chosen, address=address("/submission", chosen))])
        for block in found.sections[0].blocks
        if isinstance(block, Card)
    ]
    return Section("tree", "Tree", "The reference's tree, and what became of its edges", "", cards)


def _outputs(outputs: Listing, reference: str) -> Section:
    """Return every output; words that the reference lacks, or has elsewhere, are marked."""
    table = listed(outputs, "Outputs", hidden=("campaign_id",), bars=("bleu", "dea", "chrf"))
    return Section(
        "outputs",
        "Outputs",
        "What was generated",
        "Marked are words that the reference lacks, or has elsewhere.",
        [_marked(table, outputs, reference)],
        "" if table.lines else "No submission has an output for this treebank.",
    )


def _marked(table: Table, outputs: Listing, reference: str) -> Table:
    place = next(n for n, column in enumerate(table.columns) if column.name == "output")
    lines = []
    for line, text in zip(table.lines, outputs.rows["output"].to_pylist(), strict=True):
        cells = list(line.cells)
        if text is not None:
            _, pieces = word_difference(cut_words(reference, []), cut_words(text, []))
            cells[place] = replace(cells[place], text=compared_words(text, pieces, "stray"))
        lines.append(replace(line, cells=cells))
    return replace(table, lines=lines)


def _judgements(tracker: Tracker, treebank: str, place: int) -> Section:
    found = listing(tracker.database, "listed_judgements", treebank=treebank, sentence_no=place)
    blocks = [listed(found, "Judgements")] if found.rows.num_rows else []
    note = [Paragraph("Raw ratings; z-scores stand with the outputs.")] if blocks else []
    return Section("people", "People", "What people said", "", [*blocks, *note])
