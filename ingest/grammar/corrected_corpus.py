"""Corpora of corrected errors: M2 files, and MultiGED's files of tokens with labels."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from sr_tracker.ingest.grammar.m2 import parse_m2
from sr_tracker.schema.corrections import AnnotatedSentence, Edit, M2File
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

INCORRECT = "i"
_LABELS = ("c", INCORRECT)


def read_corpus(path: Path) -> M2File:
    """Return the sentences and edits of a corpus (.gz and .xz unpack).

    It is an M2 file, or one in the format of the shared task MultiGED 2023 where its first line
    holds a tab: a token, a tab and a label on a line, a blank line after each sentence. The label
    ``i`` marks tokens that are wrong, ``c`` all others. Each wrong token becomes an edit of the
    type ``i``; what is right, and who says so, is not known.

    Raises InputError (file:line) as ``parse_m2``, and for lines that are no token with a label.
    """
    text = read_text(path)
    first = next((line for line in text.split("\n") if line.strip()), "")
    if "\t" not in first or first.startswith("S "):
        return parse_m2(text, str(path))
    lines = list(enumerate(text.split("\n"), start=1))
    sentences = [
        _sentence(list(block), str(path))
        for filled, block in groupby(lines, key=lambda line: bool(line[1].strip()))
        if filled
    ]
    return M2File(str(path), sentences, [0], corrected=False)


def _sentence(lines: list[tuple[int, str]], source: str) -> AnnotatedSentence:
    tokens = []
    edits = []
    for place, (number, line) in enumerate(lines):
        token, *labels = line.split("\t")
        if len(labels) != 1 or labels[0].strip() not in _LABELS or not token.strip():
            raise InputError(
                "this is no token with a label",
                where=f"{source}:{number}",
                hint="a token, a tab, then c (correct) or i (incorrect); a blank line between "
                "sentences; test data without labels cannot be evaluated",
            )
        tokens.append(token)
        if labels[0].strip() == INCORRECT:
            edits.append(Edit(place, place + 1, INCORRECT, (), annotator=0, line=number))
    return AnnotatedSentence(tuple(tokens), edits, frozenset({0}), lines[0][0])
