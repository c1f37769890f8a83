"""A treebank → the inputs of a shallow surface realisation track: unordered trees of lemmas.

Of the deep track, the features: those that mean something, and what auxiliaries and articles say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ..treebanks.conllu import COLUMN_NAMES, ConlluFile, parse_conllu
from ..treebanks.conllu_columns import check_trees, read_heads, sentence_numbers

_SURFACE = {"Case", "VerbForm", "Voice"}
"""Features that the structure prescribes."""
_AGREEMENT = {"Animacy", "Gender", "Number", "Person"}
"""Those that words other than nominals take from others."""
_NOMINAL = {"NOUN", "PRON", "PROPN", "SYM", "X"}
_PARTICIPLES = {"Ger", "Part"}
_BETWEEN = "\t"


@dataclass(frozen=True)
class DeepFeatures:
    """What becomes of words' features."""

    texts: pa.Array
    """Each word's features in the deep track."""
    finite: np.ndarray
    """Which words are finite, or have a finite auxiliary."""
    agreement: pa.Array
    """Number and person of the finite word."""


def deep_features(
    upos: pa.Array,
    feats: pa.Array,
    lemmas: pa.Array,
    up: np.ndarray,
    *,
    auxiliaries: np.ndarray,
    silent: np.ndarray,
    articles: np.ndarray,
    support: Collection[str],
) -> DeepFeatures:
    """Return the features of the deep track; ``up`` is each word's head, or a root itself.

    A finite auxiliary gives its tense and mood. One before a gerund or a present participle makes
    the aspect progressive, before another participle perfect; any other is told by its lemma as
    Modal, but for those of ``support``. Of ``silent`` ones, copulas and those of passives, only
    tense and mood count. The tense of a participle or infinitive goes where it has an auxiliary. An
    article gives Definiteness. Features of agreement go, and those that structure prescribes (Case,
    VerbForm, Voice); Mood=Ind is not told.
    """
    auxiliary = np.flatnonzero(auxiliaries)
    complement = pc.if_else(
        pa.array(silent[auxiliary]),
        "_",
        feats.take(pa.array(_complements(auxiliary, up))),
    )
    of_auxiliaries = _mapped(
        lambda feats_text, lemma, below: _auxiliary_features(feats_text, lemma, below, support),
        feats.take(pa.array(auxiliary)), lemmas.take(pa.array(auxiliary)), complement,
    )  # fmt: skip
    article = np.flatnonzero(articles)
    added = _joined(
        np.append(up[auxiliary], up[article]),
        pa.concat_arrays([of_auxiliaries, _mapped(_definite, feats.take(pa.array(article)))]),
        len(up),
    )
    is_finite = np.asarray(pc.match_substring_regex(feats, r"(^|\|)VerbForm=Fin(\||$)"))
    bears = np.arange(len(up))
    carried = auxiliary[is_finite[auxiliary]]
    bears[up[carried]] = carried
    finite = is_finite.copy()
    finite[up[carried]] = True
    return DeepFeatures(
        _mapped(_feature_text, upos, feats, added),
        finite,
        _mapped(_agreement, feats.take(pa.array(bears))),
    )


def _complements(auxiliary: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return what each auxiliary stands before: the next that is nearer to the head, or it."""
    side = up[auxiliary] * 2 + (auxiliary > up[auxiliary])
    order = np.lexsort((abs(auxiliary - up[auxiliary]), side))
    nearest = np.append(True, side[order][1:] != side[order][:-1])[: len(auxiliary)]
    complements = np.empty(len(auxiliary), dtype=np.int64)
    complements[order] = np.where(nearest, up[auxiliary[order]], np.roll(auxiliary[order], 1))
    return complements


def _mapped(function: Callable[..., str], *columns: pa.Array) -> pa.Array:
    """Return what a function makes of the values of each row, each combination of them once."""
    if not len(columns[0]):
        return pa.array([], pa.string())
    coded = pc.binary_join_element_wise(*columns, _BETWEEN).dictionary_encode()
    made = [function(*text.split(_BETWEEN)) for text in coded.dictionary.to_pylist()]
    return pa.array(made, pa.string()).take(coded.indices)


def _joined(owners: np.ndarray, texts: pa.Array, count: int) -> pa.Array:
    order = np.argsort(owners, kind="stable")
    offsets = np.searchsorted(owners[order], np.arange(count + 1))
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), texts.take(pa.array(order)))
    return pc.binary_join(lists, "|")


def _pairs(text: str) -> list[tuple[str, str]]:
    pairs = (pair.partition("=") for pair in text.split("|"))
    return [(name, value) for name, _, value in pairs if value]


def _auxiliary_features(feats: str, lemma: str, complement: str, support: Collection[str]) -> str:
    own, below = dict(_pairs(feats)), dict(_pairs(complement))
    features = [f"{name}={own[name]}" for name in ("Mood", "Tense") if name in own]
    features = features if own.get("VerbForm", "Fin") == "Fin" else []
    if below.get("VerbForm") in _PARTICIPLES:
        going_on = below["VerbForm"] == "Ger" or below.get("Tense") == "Pres"
        features.append("Aspect=Progr" if going_on else "Aspect=Perf")
    elif "VerbForm" in below and lemma.lower() not in support:
        features.append("Modal=" + lemma.translate({ord(mark): "_" for mark in "|=, "}))
    return "|".join(features)


def _definite(feats: str) -> str:
    return "|".join(f"{name}={value}" for name, value in _pairs(feats) if name == "Definite")


def _agreement(feats: str) -> str:
    features = [f"{name}={value}" for name, value in _pairs(feats) if name in ("Number", "Person")]
    return "|".join(features) or "_"


def _feature_text(upos: str, feats: str, added: str) -> str:
    """Return a word's features: its own that are kept, those added in their place, by name."""
    removed = _SURFACE | (set() if upos in _NOMINAL else _AGREEMENT)
    features = {name: value for name, value in _pairs(feats) if name not in removed}
    more: dict[str, set[str]] = {}
    for name, value in _pairs(added):
        more.setdefault(name, set()).add(value)
    if more.keys() - {"Definite"} and "VerbForm=Fin" not in feats:
        features.pop("Tense", None)
    features |= {name: ",".join(sorted(values)) for name, values in more.items()}
    if features.get("Mood") == "Ind":
        del features["Mood"]
    if "Definite" in features:
        features["Definiteness"] = features.pop("Definite")
    return "|".join(f"{name}={features[name]}" for name in sorted(features, key=str.lower)) or "_"


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
