"""Tagging and parsing accuracy as the shared task of CoNLL 2018 defines it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sr_tracker.ingest.parsing.gold import NO_HEAD, ROOT, Words

METRICS = ("UPOS", "UFeats", "UAS", "LAS")


@dataclass(frozen=True)
class Evaluation:
    """How many of the words are right; a metric is None where the model predicts nothing for it."""

    gold_words: int
    system_words: int
    aligned: int
    correct: dict[str, int | None]

    def score(self, metric: str) -> float | None:
        """Return the F1 of right words, 0 to 1; None without words or predictions.

        With the gold tokenisation it is the accuracy.
        """
        correct, words = self.correct[metric], self.gold_words + self.system_words
        return None if correct is None or words == 0 else 2 * correct / words


def evaluate(
    gold: Words, system: Words, aligned: np.ndarray, chosen: np.ndarray | None = None
) -> Evaluation:
    """Return how many of the gold words the system analyses rightly.

    ``aligned`` says which word of the system is each gold word, -1 for none. With ``chosen`` only
    those gold words count, and as many words of the system: the share found right of them.

    UPOS and UFeats (universal features only) must be equal; UAS asks that the heads are aligned
    words or both the root; LAS also that the universal relations are equal.
    """
    counted = np.ones(len(aligned), dtype=bool) if chosen is None else chosen
    found = (aligned >= 0) & counted
    partner = np.where(aligned >= 0, aligned, 0)
    right = {
        "UPOS": _equal(gold.upos, system.upos, partner),
        "UFeats": _equal(gold.feats, system.feats, partner),
        "UAS": _same_heads(gold, system, aligned, partner),
    }
    right["LAS"] = right["UAS"] & _equal(gold.deprel, system.deprel, partner)
    tagged, parsed = bool((system.upos != "_").any()), bool((system.head != NO_HEAD).any())
    predicted = {"UPOS": tagged, "UFeats": tagged, "UAS": parsed, "LAS": parsed}
    return Evaluation(
        gold_words=int(counted.sum()),
        system_words=len(system.upos) if chosen is None else int(counted.sum()),
        aligned=int(found.sum()),
        correct={
            metric: int((right[metric] & found).sum()) if predicted[metric] else None
            for metric in METRICS
        },
    )


def _equal(gold: np.ndarray, system: np.ndarray, partner: np.ndarray) -> np.ndarray:
    return np.asarray(gold == system[partner], dtype=bool)


def _same_heads(gold: Words, system: Words, aligned: np.ndarray, partner: np.ndarray) -> np.ndarray:
    """Return whether the heads are the root in both trees, or aligned with each other."""
    head = system.head[partner]
    inner = gold.head >= 0
    expected = np.where(inner, aligned[np.where(inner, gold.head, 0)], ROOT)
    return np.asarray(np.where(inner, (expected >= 0) & (head == expected), head == ROOT))
