"""Which words of a reference belong to a pattern."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ....schema.database import Database
from ....schema.statements import Row, read_rows

SentenceKey = tuple[str, int]
Pieces = Sequence[tuple[str, bool]]


def marked_references(
    database: Database, labels: str, examples: Mapping[str, Sequence[SentenceKey]]
) -> dict[tuple[str, SentenceKey], Pieces]:
    """Return the references of examples in pieces, those marked that are words of the pattern.

    ``examples`` has the sentences of each pattern.
    """
    from ....queries.errors.example_patterns import matches_in, read_pattern

    keys = sorted({key for found in examples.values() for key in found})
    texts = _texts(database, keys)
    found = {}
    for pattern, wanted in examples.items():
        for treebank in sorted({texts[key]["treebank_id"] for key in wanted}):
            inside = [key for key in wanted if texts[key]["treebank_id"] == treebank]
            numbers = sorted({number for _, number in inside})
            matches = matches_in(database, treebank, labels, read_pattern(pattern), numbers)
            for key in inside:
                matched = {n for match in matches.get(key[1], ()) for n in match.tokens}
                row = texts[key]
                found[pattern, key] = pieces(row["text"] or "", row["forms"], matched)
    return found


def pieces(text: str, forms: Sequence[str | None], matched: Collection[int]) -> Pieces:
    """Return a text in pieces, each with whether it is a matched word.

    ``forms`` are its words in order, counted from 1 in ``matched``. A word that is not in the text
    as it is, such as a part of a contraction, is not marked.
    """
    found: list[tuple[str, bool]] = []
    position = missed = 0
    for number, form in enumerate(forms, start=1):
        start = text.find(form, position) if form else -1
        # Only words that were missed may be skipped: further ahead is another word of that form.
        if form is None or start < 0 or len(text[position:start].split()) > missed:
            missed += 1
            continue
        end = start + len(form)
        found += [(text[position:start], False), (text[start:end], number in matched)]
        position, missed = end, 0
    return _joined([*found, (text[position:], False)])


def _joined(found: Sequence[tuple[str, bool]]) -> Pieces:
    joined: list[tuple[str, bool]] = []
    for text, matched in found:
        if joined and not joined[-1][1] and not matched:
            joined[-1] = (joined[-1][0] + text, False)
        elif text:
            joined.append((text, matched))
    return joined


def _texts(database: Database, keys: Sequence[SentenceKey]) -> dict[SentenceKey, Row]:
    rows = read_rows(
        database,
        "report_reference_words",
        submissions=[submission for submission, _ in keys],
        sentence_nos=[number for _, number in keys],
    )
    return {(row["submission_id"], row["sentence_no"]): row for row in rows}
