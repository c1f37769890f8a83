"""A treebank → the inputs of a deep surface realisation track: content words and their arguments.

Mille et al. 2018, section 2, steps 3 to 8. Their graph grammars and lexica are not published: what
is decided here instead is told in docs/shared-task.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ..names import TreebankName
from ..treebanks.conllu import ConlluFile
from .inputs import Inputs, Nodes, deep_features, read_trees, scrambled

MARKERS: Mapping[str, Mapping[str, Collection[str]]] = {
    "en": {"nmod": ("of",), "agent": ("by",), "support": ("do",)},
    "es": {"nmod": ("de",), "agent": ("por",)},
    "fr": {"nmod": ("de",), "agent": ("par",)},
}
"""Lemmas that structure alone calls for, in the languages of SR'18's deep track: adpositions of
nouns' arguments and of the agent of a passive, auxiliaries without a meaning."""
PRO_DROP = ("es",)
"""Languages in which a missing first argument is always a dummy pronoun."""
LARGEST_SLOT = 6
_ARGUMENTS = {
    "nsubj": (1, 0), "csubj": (1, 0), "nsubj:pass": (2, 0), "csubj:pass": (2, 0),
    "obj": (2, 0), "ccomp": (2, 1), "xcomp": (2, 1), "obl:arg": (2, 2), "iobj": (3, 0),
    "obl:agent": (1, 1),
}  # fmt: skip
"""The slot that a relation asks for, and who comes first where several do; others move on."""
_OTHERS = {
    **dict.fromkeys(("conj", "list"), "LIST"),
    **dict.fromkeys(("case", "mark", "cc"), "A2INV"),
    **dict.fromkeys(("dep", "expl", "fixed", "goeswith", "orphan", "reparandum"), "DEP"),
    "flat": "NAME",
    "root": "root",
}
"""Labels of other relations; AM where nothing is said."""


@dataclass(frozen=True)
class Deepening:
    """What languages decide about the deep track."""

    nmod: Collection[str] = ()
    agent: Collection[str] = ()
    support: Collection[str] = ()
    pro_drop: bool = False


def deepening(
    treebank: TreebankName,
    markers: Mapping[str, Collection[str]] | None = None,
    *,
    pro_drop: bool | None = None,
) -> Deepening:
    """Return what is known of a treebank's language, with what is given in its place.

    ``markers`` are lemmas by what they mark: nmod, agent or support.

    Raises InputError for other markers, and for treebanks whose relations are not UD's.
    """
    markers = markers or {}
    kinds = MARKERS["en"]
    if unknown := [kind for kind in markers if kind not in kinds]:
        hint = f"functional words are those of {', '.join(kinds)}, as in nmod=of"
        raise InputError(f"there are no functional words '{unknown[0]}'", hint=hint)
    if treebank.scheme != "ud":
        raise InputError(
            "the deep track is made of UD's relations, the treebank has SUD's",
            where=treebank.treebank_id,
            hint="take the treebank in UD",
        )
    all_markers = {**MARKERS.get(treebank.language or "", {}), **markers}
    dropped = treebank.language in PRO_DROP
    return Deepening(**all_markers, pro_drop=dropped if pro_drop is None else pro_drop)


def deep_inputs(
    text: str,
    source: str,
    *,
    seed: int,
    original_ids: bool = False,
    decided: Deepening = Deepening(),
) -> Inputs:
    """Return a treebank's sentences as inputs of the deep track (T2).

    Removed are punctuation; articles, auxiliaries and copulas, whose meaning becomes features;
    adpositions and subordinators of arguments, where structure or ``decided`` calls for them; and
    relative pronouns that are subject or object, whose antecedent the verb is linked to. Edges are
    A1 to A6, AM, LIST, NAME and DEP, with INV where the governor is the argument. What depended on
    a removed word depends on the next word above it. ``original_ids`` adds the words' numbers, each
    before those of the words it stands for.

    Raises InputError as ``shallow_inputs`` does.
    """
    file, above = read_trees(text, source)
    words = _Words(file, above)
    functional, argument, agent = _functional(words, decided)
    removed = _with_parts(
        words,
        words.has("punct")
        | functional
        | words.articles
        | words.has("aux", "cop")
        | words.relatives,
    )
    parent = _first_outside(removed, words.up)[words.up]
    labels = _labels(words, parent, removed, argument, agent)
    content = np.flatnonzero(~removed)
    features = deep_features(
        file.words["upos"],
        file.words["feats"],
        file.words["lemma"],
        words.up,
        auxiliaries=words.has("aux", "cop"),
        silent=words.has("cop") | (words.relation == "aux:pass"),
        articles=words.articles,
        support=decided.support,
    )
    dummies = _dummies(words, parent, removed, labels, features.finite, pro_drop=decided.pro_drop)
    place = np.cumsum(~removed) - 1
    heads = np.where(above[content] < 0, -1, place[parent[content]])
    feats = features.texts.take(pa.array(content))
    if original_ids:
        feats = _with_original_ids(feats, file.words["id"], content, parent, removed)
    nodes = Nodes(
        sentence=np.append(words.sentence[content], words.sentence[dummies]),
        above=np.append(heads, place[dummies]),
        columns={
            "form": _appended(file.words["lemma"].take(pa.array(content)), "_", len(dummies)),
            "upos": _appended(file.words["upos"].take(pa.array(content)), "PRON", len(dummies)),
            "feats": pa.concat_arrays([feats, features.agreement.take(pa.array(dummies))]),
            "deprel": _appended(pa.array(labels[content], pa.string()), "A1", len(dummies)),
        },
    )
    return scrambled(nodes, text, seed, len(file.lengths))


class _Words:
    """The words of a file as arrays."""

    def __init__(self, file: ConlluFile, above: np.ndarray) -> None:
        self.above = above
        self.up = np.where(above < 0, np.arange(len(above)), above)
        self.relation = np.asarray(file.words["deprel"])
        self.universal = np.asarray(pc.replace_substring_regex(file.words["deprel"], ":.*", ""))
        self.lemma = np.asarray(pc.utf8_lower(file.words["lemma"]))
        self.upos = np.asarray(file.words["upos"])
        self.sentence = np.repeat(np.arange(len(file.lengths)), file.lengths)
        kind, definite, voice = (
            _feature(file.words["feats"], name) for name in ("PronType", "Definite", "Voice")
        )
        self.articles = self.has("det") & ((kind == "Art") | ((kind == "") & (definite != "")))
        self.relatives = (
            self.has("nsubj", "obj") & (kind == "Rel") & (self.universal[self.up] == "acl")
        )
        passive = np.isin(self.relation, ("nsubj:pass", "csubj:pass", "aux:pass"))
        self.passive = (voice == "Pass") | self.with_child(passive)

    def has(self, *relations: str) -> np.ndarray:
        """Return which words have one of these universal relations, and a head."""
        return np.asarray(np.isin(self.universal, relations) & (self.above >= 0))

    def with_child(self, which: np.ndarray) -> np.ndarray:
        """Return which words have a dependent of these."""
        return self.children(which) > 0

    def children(self, which: np.ndarray) -> np.ndarray:
        """Return how many dependents of these each word has."""
        return np.bincount(self.up[which & (self.above >= 0)], minlength=len(self.up))


def _functional(words: _Words, decided: Deepening) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return adpositions and subordinators to remove, and which nouns they make arguments, agents.

    Of several before one word, and of fixed expressions, none is removed.
    """
    single = words.has("case", "mark") & ~words.with_child(words.has("fixed"))
    alone = words.children(words.has("case", "mark"))[words.up] == 1
    core = np.isin(words.relation[words.up], ("nsubj", "obj", "iobj", "obl:arg", "obl:agent"))
    clause = words.has("mark") & np.isin(words.universal[words.up], ("ccomp", "xcomp", "csubj"))
    of_noun = (
        alone & (words.universal[words.up] == "nmod") & np.isin(words.lemma, list(decided.nmod))
    )
    of_agent = (
        alone
        & (words.universal[words.up] == "obl")
        & words.passive[words.up[words.up]]
        & np.isin(words.lemma, list(decided.agent))
    )
    cases = words.has("case")
    argument = words.with_child(single & cases & of_noun)
    agent = words.with_child(single & cases & of_agent)
    return single & (clause | cases & (core | of_noun | of_agent)), argument, agent


def _with_parts(words: _Words, removed: np.ndarray) -> np.ndarray:
    """Return the removed words with what is one with them: fixed expressions, their conjuncts."""
    part = words.has("fixed", "goeswith", "conj", "cc") & ~removed
    return np.asarray(removed[_first_outside(part, words.up)])


def _first_outside(which: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return for each word the first from it upwards that is not one of these."""
    step = np.where(which, up, np.arange(len(up)))
    while which[step].any():
        step = step[step]
    return np.asarray(step)


def _labels(
    words: _Words,
    parent: np.ndarray,
    removed: np.ndarray,
    argument: np.ndarray,
    agent: np.ndarray,
) -> np.ndarray:
    """Return the deep relation of each word.

    ``wanted`` (words, 2) holds the first slot that an argument may have, and its rank among those
    of one governor; of equal ones the first word goes first. Slots that are taken move it on.
    """
    labels = np.array([_OTHERS.get(name, "AM") for name in words.universal], dtype=object)
    names = (words.upos == "PROPN") & (words.upos[words.up] == "PROPN")
    labels[words.has("compound") & names] = "NAME"
    labels[words.above < 0] = "root"
    for inverted, relation in (("A1INV", "nsubj"), ("A2INV", "nsubj:pass"), ("A2INV", "obj")):
        labels[words.up[words.relatives & (words.relation == relation)]] = inverted
    wanted = np.array(
        [
            _ARGUMENTS.get(name) or _ARGUMENTS.get(name.split(":")[0]) or (0, 0)
            for name in words.relation
        ]
    ).reshape(-1, 2)
    wanted[argument] = (2, 3)
    wanted[agent] = (1, 1)
    labelled = np.flatnonzero((wanted[:, 0] > 0) & ~removed & (words.above >= 0))
    labelled = labelled[
        np.lexsort((labelled, wanted[labelled, 1], wanted[labelled, 0], parent[labelled]))
    ]
    slots = _slots(parent[labelled], wanted[labelled, 0])
    labels[labelled] = np.where(slots > LARGEST_SLOT, "AM", np.char.add("A", slots.astype(str)))
    return labels


def _slots(governors: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the slot of each argument: the one wanted, or the next that is free.

    Arguments of one governor stand together, the lower slots first.
    """
    if not len(wanted):
        return wanted
    begins = np.append(True, governors[1:] != governors[:-1])
    group = np.cumsum(begins)
    rank = np.arange(len(wanted)) - np.flatnonzero(begins)[group - 1]
    # slot[k] = max(wanted[k], slot[k - 1] + 1) within a governor; ``far`` keeps governors apart.
    far = int(len(wanted) + wanted.max() + 1)
    return np.asarray(np.maximum.accumulate(wanted - rank + group * far) - group * far + rank)


def _dummies(
    words: _Words,
    parent: np.ndarray,
    removed: np.ndarray,
    labels: np.ndarray,
    finite: np.ndarray,
    *,
    pro_drop: bool,
) -> np.ndarray:
    """Return the finite predicates that get a dummy pronoun as first argument.

    They have no first argument and, unless pronouns are dropped, no second that a passive could be
    built on; conjuncts share those of what they are joined to.
    """
    below = {
        label: np.bincount(parent[(labels == label) & ~removed], minlength=len(parent)) > 0
        for label in ("A1", "A2")
    }
    filled = below["A1"] | (labels == "A1INV") | words.with_child(words.has("expl"))
    if not pro_drop:
        filled |= below["A2"] | (labels == "A2INV")
    return np.flatnonzero(finite & ~removed & ~filled & ~words.has("conj"))


def _with_original_ids(
    feats: pa.Array,
    ids: pa.Array,
    content: np.ndarray,
    parent: np.ndarray,
    removed: np.ndarray,
) -> pa.Array:
    owner = np.where(removed, parent, np.arange(len(parent)))
    order = np.lexsort((removed, owner))
    offsets = np.searchsorted(owner[order], np.append(content, len(parent)))
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), ids.take(pa.array(order)))
    originals = pc.binary_join_element_wise("original_id=", pc.binary_join(lists, ","), "")
    return pc.if_else(
        pc.equal(feats, "_"), originals, pc.binary_join_element_wise(originals, feats, "|")
    )


def _feature(feats: pa.Array, name: str) -> np.ndarray:
    """Return the value of a feature, empty where a word has none."""
    matches = pc.extract_regex(feats, rf"(?:^|\|){name}=(?P<value>[^|]*)")
    return np.asarray(pc.fill_null(pc.struct_field(matches, "value"), ""))


def _appended(values: pa.Array, more: str, count: int) -> pa.Array:
    return pa.concat_arrays([values, pa.repeat(more, count)])
