"""Trees for the baselines: training sentences in order, test sentences with their order removed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from ...schema.errors import InputError

ROOT = -1


@dataclass(frozen=True)
class Tree:
    """One sentence: parallel lists over its words; a head is an index into them, or ROOT."""

    sentence_no: int
    forms: list[str]
    upos: list[str]
    deprels: list[str]
    heads: list[int]

    def dependents(self) -> list[list[int]]:
        """The dependents of each word, in the order of the lists; the last list holds the roots."""
        domains: list[list[int]] = [[] for _ in range(len(self.forms) + 1)]
        for index, head in enumerate(self.heads):
            domains[head].append(index)
        return domains


def read_trees(tokens: pa.Table) -> Iterator[Tree]:
    """Sentences of a token table with their words in order, by ascending sentence_no.

    Expects the columns sentence_no, token_no, form, upos, head, deprel. Raises InputError where a
    head is not a word of its sentence or where heads run in a circle.
    """
    columns = ["sentence_no", "token_no", "form", "upos", "head", "deprel"]
    ordered = tokens.select(columns).sort_by(
        [("sentence_no", "ascending"), ("token_no", "ascending")]
    )
    values = [ordered.column(name).to_pylist() for name in columns]
    sentence_nos = values[0]
    start = 0
    for end in range(1, len(sentence_nos) + 1):
        if end < len(sentence_nos) and sentence_nos[end] == sentence_nos[start]:
            continue
        yield _tree(sentence_nos[start], *(column[start:end] for column in values[1:]))
        start = end


def _tree(
    sentence_no: int,
    token_nos: list[int],
    forms: list[str | None],
    upos: list[str | None],
    heads: list[int | None],
    deprels: list[str | None],
) -> Tree:
    index_of = {token_no: index for index, token_no in enumerate(token_nos)}
    index_of[0] = ROOT
    try:
        head_indices = [index_of[head or 0] for head in heads]
    except KeyError as error:
        raise InputError(
            f"sentence {sentence_no}: head {error.args[0]} is not a word of the sentence",
            hint="check the HEAD column of the treebank",
        ) from None
    tree = Tree(
        sentence_no,
        [form or "_" for form in forms],
        [tag or "_" for tag in upos],
        [deprel or "_" for deprel in deprels],
        head_indices,
    )
    if len(bottom_up(tree)) != len(tree.forms):
        raise InputError(
            f"sentence {sentence_no}: its heads run in a circle",
            hint="check the HEAD column of the treebank",
        )
    return tree


def bottom_up(tree: Tree) -> list[int]:
    """The words that a root dominates, every word after all of its dependents."""
    domains = tree.dependents()
    top_down: list[int] = []
    pending = list(domains[ROOT])
    while pending:
        index = pending.pop()
        top_down.append(index)
        pending.extend(domains[index])
    return top_down[::-1]


def shuffled(tree: Tree, seed: int) -> Tree:
    """The same tree with its words in an order that depends on nothing but the seed."""
    order = list(range(len(tree.forms)))
    random.Random(f"{seed}:{tree.sentence_no}").shuffle(order)
    new_index = {old: new for new, old in enumerate(order)}
    new_index[ROOT] = ROOT
    return Tree(
        tree.sentence_no,
        [tree.forms[old] for old in order],
        [tree.upos[old] for old in order],
        [tree.deprels[old] for old in order],
        [new_index[tree.heads[old]] for old in order],
    )
