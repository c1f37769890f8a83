"""Edit distance between outputs and references: over characters (SR'18) and over tokens.

DIST is derived from the counts. The SR'18 text (Mille et al. 2018, section 3.1) averages, over
sentences, 1 - edits / characters of the reference. The script that teams used pools tokens over
the corpus: 1 - sum of edits / sum of the longer length.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from .text import Column, Rows
from .words import UNKNOWN, EncodedWords, check_same_length, encode_words

SURROGATES = range(0xD800, 0xE000)  # code points that are no characters
CHARACTERS = 0x110000 - len(SURROGATES)


def character_edits(output_text: Column, reference_text: Column) -> Rows:
    """Return how many characters to insert, delete or substitute to turn outputs into references.

    A row is int32, NULL if either text is NULL. Characters are Unicode code points; blanks and
    punctuation count. Raises InputError if the columns differ in length.
    """
    check_same_length(output_text, reference_text)
    outputs = output_text.to_pylist()
    references = reference_text.to_pylist()
    missing = [
        output is None or reference is None
        for output, reference in zip(outputs, references, strict=True)
    ]
    edits = _edits(
        [output or "" for output in outputs], [reference or "" for reference in references]
    )
    return pa.array(edits, mask=np.array(missing, dtype=np.bool_))


def token_edits(output: Column, reference: Column) -> Rows:
    """Return how many tokens to insert, delete or substitute to turn outputs into references.

    Tokens stand between single blanks. A row is struct(edits, output_length, reference_length),
    int32 all, lengths in tokens; NULL if either text is NULL. Raises InputError if the columns
    differ in length.
    """
    outputs, references = encode_words(output, reference)
    as_text = references.codes.max(initial=0) - UNKNOWN < CHARACTERS
    edits = _edits(_sequences(outputs, as_text), _sequences(references, as_text))
    return pa.StructArray.from_arrays(
        [
            pa.array(edits),
            pa.array(outputs.lengths, type=pa.int32()),
            pa.array(references.lengths, type=pa.int32()),
        ],
        names=["edits", "output_length", "reference_length"],
        mask=pa.array(~(outputs.valid & references.valid)),
    )


def _edits(
    outputs: Sequence[Sequence[Hashable]], references: Sequence[Sequence[Hashable]]
) -> npt.NDArray[np.int32]:
    # Pairs are compared on this thread: DuckDB already calls from all of its own.
    return cpdist(outputs, references, scorer=Levenshtein.distance, dtype=np.int32, workers=1)


def _sequences(tokens: EncodedWords, as_text: bool) -> list[str] | list[list[int]]:
    """Return each row as something to compare item by item: text is many times faster."""
    boundaries = tokens.starts.tolist()
    codes = tokens.codes - UNKNOWN
    if not as_text:
        numbers = codes.tolist()
        return [numbers[start:end] for start, end in pairwise(boundaries)]
    characters = np.where(codes < SURROGATES.start, codes, codes + len(SURROGATES))
    text = characters.astype("<u4").tobytes().decode("utf-32-le")
    return [text[start:end] for start, end in pairwise(boundaries)]
