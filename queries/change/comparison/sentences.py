"""The sentences whose outputs gained and lost most from one submission to another."""

from __future__ import annotations

from collections.abc import Sequence

from ....schema.statements import Row, read_rows
from ...errors.example_reading import Example, read_examples
from ...metrics.registry import direction
from .model import ReferenceWord, SentenceChange, Settings
from .sides import Pairing


def sentence_changes(
    pairing: Pairing, settings: Settings
) -> tuple[list[SentenceChange], list[SentenceChange]]:
    """Return the sentences that gained most, and those that lost most, by the sentence metric.

    Both lists have at most as many as the settings say, the largest change first, equal ones in
    the order of the treebank; what has no score by either is in neither.
    """
    if not settings.sentences:
        return [], []
    database, (new, base), (new_nos, base_nos) = pairing.database, pairing.ids, pairing.sentences
    scored = read_rows(
        database,
        "scored_pairs",
        **pairing.parameters,
        new_nos=new_nos.tolist(),
        base_nos=base_nos.tolist(),
        metric=settings.sentence_metric,
    )
    better = direction(settings.sentence_metric)
    gained = _furthest(scored, settings.sentences, sign=better)
    lost = _furthest(scored, settings.sentences, sign=-better)
    shown = {row["new_no"]: row["base_no"] for row in [*gained, *lost]}
    ours = {e.sentence_no: e for e in read_examples(database, new, [*shown], {})}
    theirs = {e.sentence_no: e for e in read_examples(database, base, [*shown.values()], {})}

    def told(row: Row) -> SentenceChange:
        example, other = ours[row["new_no"]], theirs[row["base_no"]]
        return sentence_change(row["new_score"], row["base_score"], example, other)

    return [told(row) for row in gained], [told(row) for row in lost]


def _furthest(rows: Sequence[Row], limit: int, *, sign: int) -> list[Row]:
    moved = [row for row in rows if sign * (row["new_score"] - row["base_score"]) > 0]
    moved.sort(key=lambda row: (sign * (row["base_score"] - row["new_score"]), row["new_no"]))
    return moved[:limit]


def sentence_change(
    new_score: float, base_score: float, new: Example, base: Example
) -> SentenceChange:
    """Return a sentence with the outputs and scores of both submissions."""
    return SentenceChange(
        sentence_no=new.sentence_no,
        sent_id=new.sent_id,
        reference=new.reference,
        base_output=base.output,
        new_output=new.output,
        base_score=base_score,
        new_score=new_score,
        words=new.words,
        base_found={word.token_no: word.found for word in base.words},
        reference_words=_reference_words(new, base),
        base_pieces=base.output_pieces,
        new_pieces=new.output_pieces,
    )


def _reference_words(new: Example, base: Example) -> list[ReferenceWord]:
    """Return the reference's words; which base has is not told where its reference is another."""
    ours, theirs = new.reference_pieces, base.reference_pieces
    if [piece.word for piece in ours] != [piece.word for piece in theirs]:
        theirs = ours
    return [
        ReferenceWord(
            piece.before, piece.word, in_base=other.kind == "same", in_new=piece.kind == "same"
        )
        for piece, other in zip(ours, theirs, strict=True)
    ]
