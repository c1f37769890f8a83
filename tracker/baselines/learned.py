"""Trees for baselines, and orders learned of them: by head direction, and by n-grams."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from ...schema.errors import InputError

# Edges are looked up by (head upos, deprel, dependent upos), then by (deprel,), then by ().
Key = tuple[str, ...]


@dataclass
class _Edges:
    """Edges of one key: how many stand on each side, and their summed signed distances."""

    left: int = 0
    right: int = 0
    left_distance: int = 0
    right_distance: int = 0

    def add(self, distance: int) -> None:
        if distance < 0:
            self.left += 1
            self.left_distance += distance
        else:
            self.right += 1
            self.right_distance += distance


@dataclass
class HeadDirection:
    """Sides and distances of dependents, counted over a training split."""

    edges: dict[Key, _Edges] = field(default_factory=dict)

    @classmethod
    def train(cls, trees: Iterable[Tree]) -> HeadDirection:
        """Count every edge of the trees, whose words must be in order."""
        model = cls()
        for tree in trees:
            for dependent, head in enumerate(tree.heads):
                if head != ROOT:
                    for key in _keys(tree, dependent):
                        model.edges.setdefault(key, _Edges()).add(dependent - head)
        return model

    def position(self, tree: Tree, dependent: int) -> float:
        """Mean signed distance to the head on the majority side: negative stands for left."""
        edges = self._edges(tree, dependent)
        if edges.left > edges.right:
            return edges.left_distance / edges.left
        return edges.right_distance / max(edges.right, 1)

    def side_log_odds(self, tree: Tree, dependent: int) -> float:
        """Log of how much more probable the left side is than the right one (add one half)."""
        edges = self._edges(tree, dependent)
        return math.log((edges.left + 0.5) / (edges.right + 0.5))

    def _edges(self, tree: Tree, dependent: int) -> _Edges:
        for key in _keys(tree, dependent):
            if key in self.edges:
                return self.edges[key]
        return _Edges()

    def linearise(self, tree: Tree) -> list[int]:
        """A projective order of the words; what training cannot tell apart keeps its order."""
        domains = tree.dependents()
        spans: dict[int, list[int]] = {}
        for head in bottom_up(tree):
            position = {word: self.position(tree, word) for word in domains[head]}
            ranked = sorted(domains[head], key=position.__getitem__)
            left = [word for dep in ranked if position[dep] < 0 for word in spans.pop(dep)]
            right = [word for dep in ranked if position[dep] >= 0 for word in spans.pop(dep)]
            spans[head] = [*left, head, *right]
        return [word for root in domains[ROOT] for word in spans[root]]


def _keys(tree: Tree, dependent: int) -> tuple[Key, Key, Key]:
    deprel = tree.deprels[dependent]
    head_upos = tree.upos[tree.heads[dependent]]
    return ((head_upos, deprel, tree.upos[dependent]), (deprel,), ())


START = ("<s>", "<s>")
END = ("</s>", "</s>")
BEAM_WIDTH = 16

# Interpolation weights: trigram, bigram and word class; the class model's own come after.
FORM_WEIGHTS = (0.3, 0.2, 0.5)
CLASS_WEIGHTS = (0.6, 0.3, 0.1)

# Gains are kept as whole millionths of a nat: sums of integers do not depend on their order, so
# the best order is the same on every machine.
SCALE = 1_000_000

Word = tuple[str, str]  # lower-cased form, upos
Context = tuple[Word, ...]  # up to two words
Partial = tuple[int, tuple[int, ...], Context]  # score, items in order, last words


@dataclass
class _Counts:
    """Contexts and continuations of one vocabulary, for the orders 1 to 3."""

    grams: Counter[tuple[str, ...]] = field(default_factory=Counter)
    contexts: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def add(self, sequence: list[str]) -> None:
        for end in range(1, len(sequence)):
            for start in range(max(end - 2, 0), end + 1):
                self.grams[tuple(sequence[start : end + 1])] += 1
                self.contexts[tuple(sequence[start:end])] += 1

    def share(self, context: tuple[str, ...], item: str) -> float:
        seen = self.contexts[context]
        return self.grams[(*context, item)] / seen if seen else 0.0


@dataclass
class NgramModel:
    """Interpolated trigram model over lower-cased forms and word classes (universal POS tags).

    Forms are lower-cased because a capital would give the first word of the sentence away.
    """

    forms: _Counts = field(default_factory=_Counts)
    classes: _Counts = field(default_factory=_Counts)
    directions: HeadDirection = field(default_factory=HeadDirection)
    _gains: dict[tuple[Context, Word], int] = field(default_factory=dict)

    @classmethod
    def train(cls, trees: Iterable[Tree]) -> NgramModel:
        """Count the n-grams and the head directions of trees whose words are in order."""
        trees = list(trees)
        model = cls(directions=HeadDirection.train(trees))
        for tree in trees:
            words = [START, *_words(tree), END]
            model.forms.add([form for form, _ in words])
            model.classes.add([tag for _, tag in words])
        return model

    def gain(self, context: Context, word: Word) -> int:
        """How much more probable the word is after the context than anywhere, as scaled log.

        The context holds up to two words; with none the gain is 0. Sums of gains rank the orders
        of a set of words as the model's probability does, and stay comparable between partial
        orders that hold different words.
        """
        if not context:
            return 0
        key = (context, word)
        if key not in self._gains:
            ratio = self._probability(context, word) / self._probability((), word)
            self._gains[key] = round(SCALE * math.log(ratio))
        return self._gains[key]

    def _probability(self, context: Context, word: Word) -> float:
        form, tag = word
        form_context = tuple(item[0] for item in context)
        class_context = tuple(item[1] for item in context)
        emission = (self.forms.grams[(form,)] + 0.1) / (self.classes.grams[(tag,)] + 1)
        class_share = _interpolated(self.classes, class_context, tag, CLASS_WEIGHTS)
        class_share += CLASS_WEIGHTS[2] * (self.classes.share((), tag) + 1e-6)
        form_share = _interpolated(self.forms, form_context, form, FORM_WEIGHTS)
        return form_share + FORM_WEIGHTS[2] * class_share * emission

    def linearise(self, tree: Tree) -> list[int]:
        """A projective order of the words: the best one found in each head's domain, bottom up."""
        domains = tree.dependents()
        words = _words(tree)
        spans: dict[int, list[int]] = {}
        for head in bottom_up(tree):
            is_root = tree.heads[head] == ROOT
            spans[head] = self._best_order(tree, words, head, domains[head], spans, is_root)
        return [word for root in domains[ROOT] for word in spans[root]]

    def _best_order(
        self,
        tree: Tree,
        words: list[Word],
        head: int,
        dependents: list[int],
        spans: dict[int, list[int]],
        is_root: bool,
    ) -> list[int]:
        """Beam search over the orders of a head and its dependents' finished spans.

        Each side of the head is as probable as in training; the n-gram model judges the seams.
        """
        if not dependents:
            return [head]
        spans = {**{word: spans[word] for word in dependents}, head: [head]}
        # A fixed order of the candidates, outermost left first: what decides between equal sums.
        position = {word: self.directions.position(tree, word) for word in dependents}
        items = sorted([*dependents, head], key=lambda word: position.get(word, 0.0))
        left_odds = {
            word: round(SCALE * self.directions.side_log_odds(tree, word)) for word in dependents
        }
        first_context: Context = (START,) if is_root else ()
        beam: list[Partial] = [(0, (), first_context)]
        for step in range(len(items)):
            extended: dict[tuple[frozenset[int], Context], Partial] = {}
            for score, order, context in beam:
                for item in items:
                    if item in order:
                        continue
                    gain, next_context = self._append(context, [words[i] for i in spans[item]])
                    if item != head and head not in order:
                        gain += left_odds[item]
                    if is_root and step == len(items) - 1:
                        gain += self.gain(next_context, END)
                    new_order = (*order, item)
                    # Orders of the same items that end alike have the same future: keep the best.
                    state = (frozenset(new_order), next_context)
                    if state not in extended or extended[state][0] < score + gain:
                        extended[state] = (score + gain, new_order, next_context)
            beam = sorted(extended.values(), key=lambda candidate: -candidate[0])[:BEAM_WIDTH]
        return [word for item in beam[0][1] for word in spans[item]]

    def _append(self, context: Context, span: list[Word]) -> tuple[int, Context]:
        """The gain of a span's first two words after a context, and the context after the span.

        Later words of the span see the same two words before them in every order.
        """
        gain = 0
        running = context
        for word in span[:2]:
            gain += self.gain(running, word)
            running = (*running, word)[-2:]
        return gain, (*context, *span[-2:])[-2:]


def _interpolated(
    counts: _Counts, context: tuple[str, ...], item: str, weights: tuple[float, float, float]
) -> float:
    """The trigram and bigram parts of an interpolation; a short context passes its weight down."""
    if not context:
        return 0.0
    bigram = counts.share(context[-1:], item)
    trigram = counts.share(context, item) if len(context) == 2 else bigram
    return weights[0] * trigram + weights[1] * bigram


def _words(tree: Tree) -> list[Word]:
    return [(form.lower(), tag) for form, tag in zip(tree.forms, tree.upos, strict=True)]


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
