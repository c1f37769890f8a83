"""A treebank → the inputs of a shallow surface realisation track: unordered trees of lemmas."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ..treebanks.conllu import COLUMN_NAMES, ConlluFile, parse_conllu
from ..treebanks.conllu_columns import check_trees, read_heads, sentence_numbers

PLACED = ("punct", "compound", "fixed", "flat")
"""Relations whose dependents keep their order relative to their head."""
LISTED = "conj"
"""The relation whose dependents keep theirs where they are not alone on their side of the head."""


@dataclass(frozen=True)
class Inputs:
    """The inputs of a track."""

    conllu: str
    sentences: int
    words: int


def shallow_inputs(text: str, source: str, *, seed: int, original_ids: bool = False) -> Inputs:
    """Return a treebank's sentences as inputs of the shallow track (T1).

    As in SR'18 and SR'19 (Mille et al. 2018, section 2; 2019): the lemma stands where the form was,
    all other columns but UPOS, XPOS, FEATS, HEAD and DEPREL are hidden, words are in random order,
    and comments, multiword ranges and empty nodes are left out. A feature ``lin`` tells the order
    of punctuation, compounds, fixed and flat expressions, and conjuncts relative to their head: -1
    is the nearest of them before it, +2 the second behind it. It was read off SR'19's files, as the
    papers do not define it; a conjunct has it only where another of these is on its side.

    The order follows from ``seed`` and from the file, so that who has the inputs and the seed alone
    cannot undo it. ``original_ids`` adds the words' numbers as a feature, for training.

    Raises InputError for what is no treebank, and for one without lemmas.
    """
    file, above = read_trees(text, source)
    nodes = Nodes(
        sentence=sentence_numbers(file.lengths) - 1,
        above=above,
        columns={
            "form": file.words["lemma"],
            "feats": _features(file, above, original_ids=original_ids),
            **{name: file.words[name] for name in ("upos", "xpos", "deprel")},
        },
    )
    return scrambled(nodes, text, seed, len(file.lengths))


@dataclass(frozen=True)
class Nodes:
    """The nodes of a track's trees."""

    sentence: np.ndarray
    """The sentence of each, from 0."""
    above: np.ndarray
    """The node above it; -1 for a root."""
    columns: dict[str, pa.Array]
    """What is told of it; all other columns are hidden."""


def read_trees(text: str, source: str) -> tuple[ConlluFile, np.ndarray]:
    """Return a treebank, and each word's head as an index among all words, -1 for roots.

    Raises InputError for what is no treebank, and for one without lemmas.
    """
    file = parse_conllu(text, source)
    heads = read_heads(file)
    check_trees(file, heads)
    if len(heads) == 0:
        raise InputError("the treebank has no sentences", where=source, hint="is it complete?")
    if pc.all(pc.equal(file.words["lemma"], "_")).as_py():
        hint = "the inputs of a track are lemmas: add them"
        raise InputError("the treebank has no lemmas", where=source, hint=hint)
    starts = np.repeat(file.starts, file.lengths)
    return file, np.where(heads > 0, starts + heads - 1, -1)


def scrambled(nodes: Nodes, text: str, seed: int, sentences: int) -> Inputs:
    """Return nodes in random order within their sentences, as CoNLL-U; see ``shallow_inputs``."""
    count = len(nodes.sentence)
    digest = int.from_bytes(hashlib.sha256(text.encode()).digest())
    drawn = np.random.default_rng([seed, digest]).random(count)
    order = np.lexsort((drawn, nodes.sentence))
    starts = np.searchsorted(nodes.sentence[order], np.arange(sentences + 1))
    numbers = np.empty(count, dtype=np.int64)
    numbers[order] = np.arange(count) - starts[nodes.sentence[order]] + 1
    hidden = pa.array(np.full(count, "_"))
    columns = dict.fromkeys(COLUMN_NAMES, hidden) | nodes.columns
    columns["id"] = _texts(numbers)
    columns["head"] = _texts(np.where(nodes.above < 0, 0, numbers[nodes.above]))
    lines = pc.binary_join_element_wise(*columns.values(), "\t").take(pa.array(order))
    blocks = pc.binary_join(pa.ListArray.from_arrays(pa.array(starts, pa.int32()), lines), "\n")
    content = "".join(f"{block}\n\n" for block in blocks.to_pylist())
    return Inputs(content, sentences, count)


def check_numbering(sent_ids: list[str | None], source: str) -> None:
    """Check that no sent_id is the number of another sentence: outputs have numbers as ids.

    Raises InputError with the first that is.
    """
    numbers = {str(number) for number in range(1, len(sent_ids) + 1)}
    for number, sent_id in enumerate(sent_ids, start=1):
        if sent_id in numbers and sent_id != str(number):
            raise InputError(
                f"the sent_id '{sent_id}' of sentence {number} is another one's number",
                where=source,
                hint="items of a task are numbered from 1: number the sent_ids so, or add a prefix",
            )


def _features(file: ConlluFile, above: np.ndarray, *, original_ids: bool) -> pa.Array:
    """Return the words' features, ``lin`` and original_id before the treebank's own."""
    places = linear_places(file.words["deprel"], above)
    signed = np.where(places > 0, "lin=+", "lin=-")
    lin = pc.binary_join_element_wise(pa.array(signed), _texts(abs(places)), "")
    parts = [pc.if_else(pa.array(places != 0), lin, "")]
    if original_ids:
        parts.append(pc.binary_join_element_wise("original_id=", file.words["id"], ""))
    own = file.words["feats"]
    parts.append(pc.if_else(pc.equal(own, "_"), "", own))
    joined = pc.binary_join_element_wise(*parts, "|")
    filled = pc.utf8_trim(pc.replace_substring(joined, "||", "|"), "|")
    return pc.if_else(pc.equal(filled, ""), "_", filled)


def linear_places(deprels: pa.Array, above: np.ndarray) -> np.ndarray:
    """Return each word's place relative to its head, see ``shallow_inputs``; 0 where it has none.

    ``above`` is the index of each word's head in the same array, -1 for roots.
    """
    relation = pc.replace_substring_regex(deprels, ":.*", "")
    placed = np.asarray(pc.is_in(relation, pa.array(PLACED))) & (above >= 0)
    listed = np.asarray(pc.equal(relation, LISTED)) & (above >= 0)
    words = np.flatnonzero(placed | listed)
    side = above[words] * 2 + (words > above[words])
    _, group, sizes = np.unique(side, return_inverse=True, return_counts=True)
    is_linear = placed[words] | (sizes[group] > 1)
    words, group = words[is_linear], group[is_linear]
    distance = abs(words - above[words])
    order = np.lexsort((distance, group))
    words, group = words[order], group[order]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    rank = np.arange(len(words)) - np.repeat(first, np.diff(np.append(first, len(words)))) + 1
    places = np.zeros(len(above), dtype=np.int64)
    places[words] = np.where(words > above[words], rank, -rank)
    return places


def _texts(numbers: np.ndarray) -> pa.Array:
    return pa.array(numbers).cast(pa.string())
