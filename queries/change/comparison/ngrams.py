"""Which n-grams of words one of two submissions has and the other lacks, and whether by chance."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log2

import numpy as np

from ....schema.statements import read_rows
from ....schema.temporary import lent
from ...functions.statistics import holm_of_exact
from ...resampling import SENTENCE
from ..significance import intervals
from .model import NgramChange, Settings
from .patterns import clusters_of, exact_p_values
from .sides import Pairing

TEST = "exact McNemar test over sentences"
FAMILIES = {True: "n-gram of references", False: "n-gram beyond references"}


def ngram_changes(pairing: Pairing, settings: Settings) -> list[NgramChange]:
    """Return the n-grams of one to four words that one of two submissions has more often.

    Both submissions are of one test set. An n-gram of a sentence is one of its references or not;
    counted are the sentences in which new alone, and base alone, has it. The p-value is that of the
    exact McNemar test; where sentences belong together (see clusters) that of the exact sign-flip
    test over documents or texts. N-grams of references, and those beyond them, are a family each,
    corrected over those that could be significant, see holm_of_exact. Others are left out: they
    are in fewer sentences (documents, texts) that differ than any test could tell.
    """
    together = pairing.clusters(settings.resampling_unit)
    with lent(pairing.database, sentence_cluster=clusters_of(pairing, settings)):
        rows = read_rows(
            pairing.database,
            "compared_ngrams",
            **pairing.parameters,
            fewest=floor(1 - log2(settings.alpha)) + 1,
        )
    test = TEST if together.unit == SENTENCE else intervals.SIGN_FLIP.format(unit=together.unit)
    changes: list[NgramChange] = []
    for in_references, family in FAMILIES.items():
        some = [row for row in rows if row["in_reference"] == in_references]
        if not some:
            continue
        p_values, smallest = exact_p_values([row["moved"] for row in some])
        p_holms, family_size = holm_of_exact(p_values, smallest, settings.alpha)
        changes += [
            NgramChange(
                measure=f"ngram[{row['ngram']}]",
                kind="n-gram",
                new=row["only_new"],
                base=row["only_base"],
                difference=row["only_new"] - row["only_base"],
                p_value=p_value,
                p_holm=p_holm,
                family=family,
                family_size=family_size,
                n=row["only_new"] + row["only_base"],
                better="higher" if in_references else "lower",
                test=test,
                ngram=row["ngram"],
                in_references=in_references,
            )
            for row, p_value, p_holm in zip(some, p_values.tolist(), p_holms.tolist(), strict=True)
        ]
    return changes


def ranked_ngrams(
    changes: Sequence[NgramChange], alpha: float, *, in_references: bool, more: bool
) -> list[NgramChange]:
    """Return the n-grams that new has significantly more often (``more``) or less, clearest first.

    They are those of references or those beyond. Of n-grams that contain each other and changed in
    as many sentences the longest stands for all: mostly they are one, told in parts.
    """
    moved = [
        change
        for change in changes
        if change.in_references == in_references
        and change.is_significant(alpha)
        and np.sign(change.difference or 0) == (1 if more else -1)
    ]
    moved.sort(key=lambda change: (change.p_holm, -change.n, -len(change.ngram), change.ngram))
    shown: list[NgramChange] = []
    for change in sorted(moved, key=lambda change: -len(change.ngram)):
        within = f" {change.ngram} "
        if not any(
            within in f" {other.ngram} " and (other.new, other.base) == (change.new, change.base)
            for other in shown
        ):
            shown.append(change)
    return [change for change in moved if change in shown]
