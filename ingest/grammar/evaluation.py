"""Tagging and parsing accuracy as CoNLL 2018 defines it, of models beside each other."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...schema.errors import InputError
from ...schema.files import bare_name
from ...schema.progress import Progress, silent
from ..treebanks.conllu import ConlluFile, SpecialLine
from .gold import NO_HEAD, ROOT, Words, altered_words, predict, read_gold, words_of

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
    is_aligned = (aligned >= 0) & counted
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
        aligned=int(is_aligned.sum()),
        correct={
            metric: int((right[metric] & is_aligned).sum()) if predicted[metric] else None
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


Span = tuple[int, int]


@dataclass(frozen=True)
class _Tokens:
    """The words of a sentence: forms in lower case, spans in its text without blanks."""

    forms: list[str]
    spans: list[Span]
    multiword: list[Span]
    text: str


def align_words(gold: ConlluFile, system: ConlluFile) -> np.ndarray:
    """Return, for each gold word, the place of the system's same word in its file, or -1.

    Words are the same that cover the same characters, blanks aside. Where multiword tokens of
    either side are, the words of the overlapping tokens are aligned by their longest common
    subsequence of forms, without regard to case.

    Raises InputError where the files have not the same sentences.
    """
    if len(gold.lengths) != len(system.lengths):
        raise InputError(
            f"{len(system.lengths)} sentences are not the {len(gold.lengths)} of the gold file",
            where=system.source,
        )
    sides = [[_tokens(*both) for both in file.forms_by_sentence()] for file in (gold, system)]
    aligned = np.full(int(gold.lengths.sum()), -1, dtype=np.int64)
    starts = gold.starts, system.starts
    for number, (left, right) in enumerate(zip(*sides, strict=True)):
        if left.text != right.text:
            raise InputError(
                "the parser's words do not make up the text of the sentence",
                where=f"{gold.source}:{gold.lines[number]}",
                hint="the characters must be those of the gold forms; only blanks may differ",
            )
        for first, second in _pairs(left, right):
            aligned[starts[0][number] + first] = starts[1][number] + second
    return aligned


def _tokens(forms: list[str], ranges: list[SpecialLine]) -> _Tokens:
    surfaces = list(forms)
    last_of = {}
    for item in ranges:
        surfaces[item.first - 1] = item.columns["form"]
        last_of[item.first - 1] = item.second
    spans: list[Span] = []
    multiword, text, word = [], "", 0
    while word < len(forms):
        after = last_of.get(word, word + 1)
        start, text = len(text), text + "".join(surfaces[word].split())
        spans += [(start, len(text))] * (after - word)
        if word in last_of:
            multiword.append((start, len(text)))
        word = after
    return _Tokens([form.lower() for form in forms], spans, multiword, text)


def _pairs(gold: _Tokens, system: _Tokens) -> list[tuple[int, int]]:
    regions = _merged(gold.multiword + system.multiword)
    left, right = (_by_region(tokens, regions) for tokens in (gold, system))
    same = {system.spans[word]: word for word in right[-1]}
    pairs = [(word, same[gold.spans[word]]) for word in left[-1] if gold.spans[word] in same]
    for region in range(len(regions)):
        first = [gold.forms[word] for word in left[region]]
        second = [system.forms[word] for word in right[region]]
        pairs += [
            (left[region][one], right[region][other]) for one, other in _common(first, second)
        ]
    return pairs


def _merged(spans: list[Span]) -> list[Span]:
    """Return overlapping spans as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _by_region(tokens: _Tokens, regions: list[Span]) -> dict[int, list[int]]:
    """Return the words that start in each region; -1 has those that start in none."""
    starts = [start for start, _ in regions]
    words: dict[int, list[int]] = defaultdict(list)
    for word, (start, _) in enumerate(tokens.spans):
        region = bisect_right(starts, start) - 1
        words[region if region >= 0 and start < regions[region][1] else -1].append(word)
    return words


def _common(first: list[str], second: list[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence."""
    length = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int64)
    for one in reversed(range(len(first))):
        for other in reversed(range(len(second))):
            length[one, other] = (
                1 + length[one + 1, other + 1]
                if first[one] == second[other]
                else max(length[one + 1, other], length[one, other + 1])
            )
    pairs, one, other = [], 0, 0
    while one < len(first) and other < len(second):
        if first[one] == second[other]:
            pairs.append((one, other))
            one, other = one + 1, other + 1
        elif length[one + 1, other] >= length[one, other + 1]:
            one += 1
        else:
            other += 1
    return pairs


ALL, ALTERED_ONLY = "all", "altered"
SCHEMA = pa.schema(
    [
        ("treebank", pa.string()),
        ("words", pa.string()),
        ("model", pa.string()),
        ("n", pa.int64()),
        *((metric, pa.float64()) for metric in METRICS),
    ]
)


def compare_models(
    treebanks: Sequence[Path],
    models: Sequence[Path],
    *,
    tokenise: bool = False,
    altered_only: bool = False,
    progress: Progress = silent,
) -> pa.Table:
    """Return the accuracy of each model on each gold treebank: rows of SCHEMA.

    A treebank has a row for all its words and, where `tracker grammar noise` has marked some, one
    for the altered words. ``n`` is the number of gold words; metrics are F1 from 0 to 1 (the
    accuracy, where the gold words are given), NULL where the model has no such component. Of
    altered words it is the share of them that is right.

    Raises InputError for files that are no treebanks or models, and where no word is altered
    though ``altered_only`` asks for such.
    """
    stems = [model.stem for model in models]
    names = stems if len(set(stems)) == len(stems) else [str(model) for model in models]
    rows: list[dict[str, object]] = []
    for file in treebanks:
        gold = read_gold(file)
        altered = altered_words(gold)
        groups: dict[str, np.ndarray | None] = {} if altered_only else {ALL: None}
        if altered.any():
            groups[ALTERED_ONLY] = altered
        results = []
        for name, model in zip(names, models, strict=True):
            system = predict(gold, model, tokenise=tokenise, progress=progress)
            aligned = align_words(gold, system) if tokenise else np.arange(len(altered))
            results.append((name, words_of(system), aligned))
        truth = words_of(gold)
        for group, chosen in groups.items():
            for name, words, aligned in results:
                evaluation = evaluate(truth, words, aligned, chosen)
                scores = (evaluation.score(metric) for metric in METRICS)
                values = (bare_name(file), group, name, evaluation.gold_words, *scores)
                rows.append(dict(zip(SCHEMA.names, values, strict=True)))
    if not rows:
        raise InputError(
            "no word of the treebanks is marked as altered",
            hint="give a file that 'tracker grammar noise' has written",
        )
    return pa.Table.from_pylist(rows, schema=SCHEMA)
