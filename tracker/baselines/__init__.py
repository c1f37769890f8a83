"""Baseline realisers: a floor and a ceiling for any treebank.

They order the words of a dependency tree whose forms are given and whose order is not, the
simplest reading of the shallow track of the surface realisation shared tasks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pyarrow as pa

from ...schema.errors import InputError
from ...schema.names import check_names
from .learned import HeadDirection, NgramModel, Tree, read_trees, shuffled

__all__ = ["BASELINES", "Baseline", "realise"]

Linearise = Callable[[Tree], list[int]]


@dataclass(frozen=True)
class Baseline:
    """What a baseline does, and how it gets from training sentences to a way of ordering."""

    description: str
    prepare: Callable[[Iterable[Tree], int], Linearise]
    needs_training: bool = False
    sees_order: bool = False


def _random_order(_train: Iterable[Tree], seed: int) -> Linearise:
    def linearise(tree: Tree) -> list[int]:
        order = list(range(len(tree.forms)))
        random.Random(f"random:{seed}:{tree.sentence_no}").shuffle(order)
        return order

    return linearise


def _reference_order(_train: Iterable[Tree], _seed: int) -> Linearise:
    return lambda tree: list(range(len(tree.forms)))


BASELINES: dict[str, Baseline] = {
    "random": Baseline("the words in random order", _random_order),
    "head-direction": Baseline(
        "each dependent on the majority side of its head, by mean distance",
        lambda train, _seed: HeadDirection.train(train).linearise,
        needs_training=True,
    ),
    "ngram": Baseline(
        "each head and its dependents in the order a trigram model prefers",
        lambda train, _seed: NgramModel.train(train).linearise,
        needs_training=True,
    ),
    "reference": Baseline(
        "the words in the order of the treebank, an upper bound", _reference_order, sees_order=True
    ),
}


def realise(
    name: str,
    tokens: pa.Table,
    *,
    train: pa.Table | None = None,
    seed: int = 0,
) -> pa.Table:
    """One text per sentence: its forms in the baseline's order, joined with blanks.

    `tokens` and `train` hold sentence_no, token_no, form, upos, head and deprel of one treebank
    each (multiword ranges and empty nodes left out). Words are shuffled with the seed before any
    baseline but `reference` sees them. Returns sentence_no (int32) and text (string) by ascending
    sentence_no; the same input and seed give the same texts. Raises InputError for an unknown name,
    for a baseline that learns without `train`, and for heads that make no tree.
    """
    check_names("baseline", [name], BASELINES)
    baseline = BASELINES[name]
    if baseline.needs_training and (train is None or train.num_rows == 0):
        raise InputError(
            f"the baseline {name!r} learns from a training split, and none is given",
            hint="name the treebank's training split, or use the baseline 'random'",
        )
    training = read_trees(train) if baseline.needs_training and train is not None else iter(())
    linearise = baseline.prepare(training, seed)
    sentence_nos: list[int] = []
    texts: list[str] = []
    for tree in read_trees(tokens):
        seen = tree if baseline.sees_order else shuffled(tree, seed)
        sentence_nos.append(tree.sentence_no)
        texts.append(" ".join(seen.forms[index] for index in linearise(seen)))
    return pa.table(
        {"sentence_no": pa.array(sentence_nos, pa.int32()), "text": pa.array(texts, pa.string())}
    )
