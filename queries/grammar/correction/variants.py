"""The four variants of a sentence that contrastive acceptability compares."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from sr_tracker.schema.corrections import AnnotatedSentence, Edit, M2File
from sr_tracker.schema.errors import InputError

VARIANTS = {"source": (), "target": (True, False), "morph": (True,), "rest": (False,)}
"""Which edits are made, those of morphology (True) or the others (Pratapa et al. 2021, A.4)."""
_UNCORRECTED = ("UNK", "Um")
"""Types of errors that the annotator found and could not correct."""


def variant_rows(file: M2File, morphology: frozenset[str]) -> pa.Table:
    """Return the variants: one row per sentence, annotator who looked at it, and variant.

    Columns: sentence (from 1), annotator, variant, text (tokens separated by blanks; it may be
    empty where everything is deleted).

    Raises InputError for a corpus that does not say what is right.
    """
    if not file.corrected:
        raise InputError(
            "the labels say which tokens are wrong, not what would be right",
            where=file.source,
            hint="'tracker gec identify' and 'types' take labels; variants need an M2 file",
        )
    rows = [
        (number, annotator, variant, " ".join(_variant(sentence, annotator, variant, morphology)))
        for number, sentence in enumerate(file.sentences, start=1)
        for annotator in sorted(sentence.annotators)
        for variant in VARIANTS
    ]
    columns = zip(*rows, strict=True)
    types = {
        "sentence": pa.int32(),
        "annotator": pa.int32(),
        "variant": pa.string(),
        "text": pa.string(),
    }
    return pa.table(
        {
            name: pa.array(values, kind)
            for (name, kind), values in zip(types.items(), columns, strict=True)
        }
    )


def _variant(
    sentence: AnnotatedSentence, annotator: int, variant: str, morphology: frozenset[str]
) -> list[str]:
    edits = [
        edit
        for edit in sentence.edits
        if edit.annotator == annotator and (edit.type in morphology) in VARIANTS[variant]
    ]
    return apply_edits(sentence.tokens, edits)


def apply_edits(tokens: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Return the tokens with edits made, which follow each other and do not overlap.

    Errors without a correction (UNK, Um) stay as they are.
    """
    corrected: list[str] = []
    reached = 0
    for edit in edits:
        if edit.type not in _UNCORRECTED:
            corrected += [*tokens[reached : edit.start], *edit.correction]
            reached = edit.end
    return [*corrected, *tokens[reached:]]
