"""chrF: character n-gram F-score (Popović 2015), counted by sacreBLEU."""

from __future__ import annotations

import pyarrow as pa

from sr_tracker.queries.functions.text import Column, Rows
from sr_tracker.queries.functions.words import check_same_length


def chrf_statistics(output_text: Column, reference_text: Column) -> Rows:
    """Return the n-gram counts that chrF2 rests on for each output; NULL if either text is NULL.

    A row is list<int32> of 18 numbers, three per n = 1 to 6: the output's character n-grams (0
    where the reference has none), the reference's, and the clipped matches. Whitespace is left
    out, case kept: sacreBLEU's defaults. Sums of the rows give the system's score.
    Raises InputError if the columns differ in length.
    """
    from sacrebleu.metrics.chrf import CHRF

    check_same_length(output_text, reference_text)
    pairs = list(zip(output_text.to_pylist(), reference_text.to_pylist(), strict=True))
    complete = [(out, ref) for out, ref in pairs if out is not None and ref is not None]
    # One object per call: sacreBLEU keeps the number of references in it.
    counts = iter(
        CHRF()._extract_corpus_statistics(  # the public methods only give scores
            [output for output, _ in complete], [[reference for _, reference in complete]]
        )
    )
    return pa.array(
        [None if None in pair else next(counts) for pair in pairs], type=pa.list_(pa.int32())
    )
