"""Trees of Universal Dependencies as those of Surface-Syntactic UD, in which function words govern.

Adpositions, auxiliaries, copulas and subordinators become heads of what they mark, relations get
the names of SUD, and conjuncts form a chain: the conversion that the makers of SUD describe (Gerdes
et al. 2018, 2019), in the parts that hold for all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa

CONVERSION = "ud-to-sud-1"
"""Which conversion it is, in signatures."""
_FUNCTIONS = {"case": "comp:obj", "mark": "comp:obj", "cop": "comp:pred", "aux": "comp:aux"}
"""Relations whose dependents become heads, and the relation of what they govern then."""
_KEPT = frozenset(
    {
        *("appos", "cc", "clf", "compound", "conj", "det", "discourse", "dislocated", "flat"),
        *("goeswith", "list", "orphan", "parataxis", "punct", "reparandum", "root", "vocative"),
    }
)
_RENAMED = {
    **dict.fromkeys(("advcl", "advmod", "amod", "nummod"), "mod"),
    **dict.fromkeys(("nsubj", "csubj"), "subj"),
    "fixed": "unk@fixed",
    "obj": "comp:obj",
    "iobj": "comp:obl",
    "obl": "udep",
}
_RENAMED_WHOLE = {
    **dict.fromkeys(("obl:arg", "obl:comp"), "comp:obl"),
    "ccomp:obj": "comp:obj",
    "ccomp:obl": "comp:obl",
    "ccomp:pred": "comp:pred",
    "xcomp:obj": "comp:obj@x",
    "xcomp:obl": "comp:obl@x",
    "advcl:cleft": "comp:cleft",
    "acl:relcl": "mod@relcl",
    "obl:mod": "mod",
    "obl:agent": "comp:obl@agent",
    "expl:pv": "comp@expl",
    "expl:pass": "comp@pass",
    "expl:subj": "subj@expl",
}
_NOMINAL = frozenset({"NOUN", "PRON", "PROPN", "NUM", "X"})
_VERBAL = frozenset({"AUX", "VERB"})
_NOT_SHARED = frozenset({"conj", "discourse", "parataxis", "punct"})


@dataclass
class Tree:
    """A sentence; its words are numbered from 0."""

    upos: Sequence[str]
    verb_forms: Sequence[str]
    """Values of the feature VerbForm, empty without one."""
    heads: list[int]
    """The head of each word; -1 for the root and where it is not in the sentence."""
    relations: list[str]
    children: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.children = [[] for _ in self.heads]
        for word, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(word)

    def related(self, word: int, relation: str) -> Iterator[int]:
        """Yield the dependents of a word in a relation, whatever its subtype."""
        return (child for child in self.children[word] if base(self.relations[child]) == relation)


def base(relation: str) -> str:
    """Return a relation without its subtype."""
    return relation.partition("@")[0].partition(":")[0]


def surface_tree(tree: Tree) -> tuple[list[int], list[str]]:
    """Return the heads and relations that the words of a UD tree have in SUD."""
    words = range(len(tree.heads))
    chains = [_governors(tree, word) for word in words]
    tops = [chain[-1] if chain else word for word, chain in enumerate(chains)]
    heads = list(tree.heads)
    relations = [_renamed(tree, word) for word in words]
    reversed_words = {governor for chain in chains for governor in chain}
    for word, chain in enumerate(chains):
        if not chain:
            continue
        below = word
        relation = relations[word]
        for governor in chain:
            heads[below], relations[below] = governor, relations[governor]
            below = governor
        heads[below], relations[below] = tree.heads[word], relation
    dependents: list[list[int]] = [[] for _ in words]
    for word in words:
        if word not in reversed_words and tree.heads[word] >= 0:
            dependents[tree.heads[word]].append(tops[word])
    for word, chain in enumerate(chains):
        below = word
        for governor in chain:
            rising = _rising(tree, relations, dependents[below], below, governor)
            for dependent in rising:
                heads[dependent] = governor
                dependents[below].remove(dependent)
            dependents[governor] += rising
            below = governor
    _share_with_last_conjunct(heads, relations)
    _chain(heads, relations)
    return heads, relations


def _governors(tree: Tree, word: int) -> list[int]:
    """Return the function words of a word, the one that governs it directly first.

    Those after it go before those before it, the nearest first. A function word has none itself.
    """
    if base(tree.relations[word]) in _FUNCTIONS:
        return []
    functions = [child for name in _FUNCTIONS for child in tree.related(word, name)]
    return sorted(functions, key=lambda child: (child < word, abs(child - word)))


def _renamed(tree: Tree, word: int) -> str:
    """Return the relation of a word in SUD; of a function word that of what it will govern."""
    relation, head = tree.relations[word], tree.heads[word]
    name, _, subtype = relation.partition(":")
    deep = f"@{subtype}" if subtype else ""
    if name in _FUNCTIONS:
        governs = head >= 0 and base(tree.relations[head]) not in _FUNCTIONS
        return _FUNCTIONS[name] + deep if governs else "unk"
    if head >= 0 and name in ("nsubj", "csubj") and "expl:subj" in _relations_below(tree, head):
        return f"comp:obj@{'pass' if subtype == 'pass' else 'agent'}"
    if relation in _RENAMED_WHOLE:
        return _RENAMED_WHOLE[relation]
    if name in ("ccomp", "xcomp"):
        return _clausal_complement(tree, word, name)
    marked = any(True for name_ in ("case", "mark") for _ in tree.related(word, name_))
    if name == "expl":
        pronoun = head >= 0 and tree.upos[head] == "VERB" and tree.upos[word] == "PRON"
        return "comp@expl" if pronoun else "unk@expl"
    if name in ("acl", "nmod"):
        return ("udep" if marked else "mod") + deep
    if name == "advmod" and marked and head >= 0 and tree.upos[head] in _NOMINAL:
        return "udep" + deep
    return (name if name in _KEPT else _RENAMED.get(name, "unk")) + deep


def _relations_below(tree: Tree, word: int) -> set[str]:
    return {tree.relations[child] for child in tree.children[word]}


def _clausal_complement(tree: Tree, word: int, name: str) -> str:
    """Return the relation of a clause that is a complement, ccomp or xcomp in UD."""
    head = tree.heads[word]
    verbal = tree.upos[word] == "VERB" or any(tree.related(word, "cop"))
    control = "@x" if name == "xcomp" else ""
    if name == "xcomp" and (tree.relations[word] == "xcomp:pred" or not verbal):
        return "comp:pred" + (control if verbal else "")
    beside = _relations_below(tree, head) if head >= 0 else set()
    by_adposition = any(tree.upos[mark] == "ADP" for mark in tree.related(word, "mark"))
    direct = (
        head >= 0
        and tree.upos[head] == "VERB"
        and not by_adposition
        and not beside & {"obj", "aux:pass"}
    )
    return ("comp:obj" if direct else "comp:obl") + control


def _rising(
    tree: Tree, relations: Sequence[str], dependents: Sequence[int], old: int, new: int
) -> list[int]:
    """Return the dependents of a word that its new head takes, the outermost first."""
    staying = sorted(dependents, key=lambda word: -abs(word - old))
    rising: list[int] = []
    moved = True
    while moved:
        moved = False
        for word in staying:
            if _rises(tree, relations, word, old, new, staying):
                staying.remove(word)
                rising.append(word)
                moved = True
                break
    return rising


def _rises(
    tree: Tree, relations: Sequence[str], word: int, old: int, new: int, dependents: Sequence[int]
) -> bool:
    """Return whether a dependent of ``old`` belongs to ``new``, which governs it now."""
    relation, function = relations[word], base(tree.relations[new])
    name = base(relation)
    if name in ("discourse", "orphan"):
        return True
    if name == "cc":
        return word < new
    if name in ("dislocated", "subj", "vocative") and function == "mark":
        return word < new < old or (name != "vocative" and old < new < word)
    if name in ("dislocated", "parataxis", "subj", "vocative") or relation == "comp:cleft":
        return function != "mark"
    if relation.endswith("@agent") and name == "comp":
        return function == "cop" or tree.relations[new] == "aux:caus"
    if name == "conj":
        return _conjunct_rises(tree, word, old, new)
    if name in ("mod", "punct"):
        return _modifier_rises(tree, relation, function, word, old, new, dependents)
    return name in ("reparandum", "udep") and word < new < old


def _modifier_rises(
    tree: Tree,
    relation: str,
    function: str,
    word: int,
    old: int,
    new: int,
    dependents: Sequence[int],
) -> bool:
    upos, is_punctuation = tree.upos[word], base(relation) == "punct"
    if new < old < word:
        if any(other > word for other in dependents):
            return False
        if is_punctuation:
            return not any(tree.upos[other] == "PUNCT" and other < old for other in dependents)
        if function == "cop":
            return upos in ("ADP", "ADV", "SCONJ") or (upos in _VERBAL and relation == "mod@x")
        allowed = function == "aux" or (function == "case" and upos in ("ADP", "SCONJ"))
        return allowed and relation != "mod@relcl"
    if new < word < old:
        return (
            relation == "mod"
            and function in ("aux", "cop")
            and not (function == "cop" and upos == "ADJ" and tree.upos[old] == "NOUN")
            and not any(new < other < word for other in dependents)
        )
    if old < word < new:
        return function == "cop" and not is_punctuation
    return True


def _conjunct_rises(tree: Tree, word: int, old: int, new: int) -> bool:
    """Return whether a conjunct is one of the function word, not of what that governs."""
    kinds = {tree.upos[old], tree.upos[word]}
    forms = (tree.verb_forms[old], tree.verb_forms[word])
    if kinds <= _VERBAL:
        return forms[0] != forms[1] and (new < old or len(kinds) > 1)
    if len(kinds) == 1 or kinds <= _NOMINAL or kinds <= {"ADP", "ADV"}:
        return False
    participle = any(
        tree.upos[one] == "VERB" and tree.verb_forms[one] == "Part" for one in (old, word)
    )
    return not (participle and kinds & {"ADJ", "ADP"})


def _share_with_last_conjunct(heads: list[int], relations: Sequence[str]) -> None:
    """Give what follows a conjunct, and depends on the first one, to the last before it."""
    conjuncts: dict[int, list[int]] = {}
    for word, relation in enumerate(relations):
        if base(relation) == "conj":
            conjuncts.setdefault(heads[word], []).append(word)
    for word, relation in enumerate(relations):
        before = [one for one in conjuncts.get(heads[word], ()) if heads[word] < one < word]
        if before and base(relation) not in _NOT_SHARED:
            heads[word] = before[-1]


def _chain(heads: list[int], relations: list[str]) -> None:
    """Attach conjuncts, and words of flat and fixed expressions, each to the one before it."""
    nested = [
        word
        for word, head in enumerate(heads)
        if relations[word] == "conj" and head >= 0 and base(relations[head]) == "conj"
    ]
    groups: dict[tuple[int, str], list[int]] = {}
    for word, head in enumerate(heads):
        name = base(relations[word])
        if head >= 0 and (name in ("conj", "flat") or relations[word] == "unk@fixed"):
            groups.setdefault((head, name), []).append(word)
    for (head, _), group in groups.items():
        after = [word for word in group if word > head]
        for previous, word in pairwise(after):
            heads[word] = previous
    for word in nested:
        relations[word] = "conj:emb"


def surface_trees(words: pa.Table) -> pa.Table:
    """Return words of UD trees with the heads and relations of SUD.

    ``words`` has the columns target, sentence_no, token_no, upos, feats, head and deprel; its other
    columns stay.
    """
    words = words.sort_by([(name, "ascending") for name in ("target", "sentence_no", "token_no")])
    if not words.num_rows:
        return words
    targets = words["target"].combine_chunks().dictionary_encode().indices.to_numpy()
    sentences, numbers = (words[name].to_numpy() for name in ("sentence_no", "token_no"))
    changes = (np.diff(targets) != 0) | (np.diff(sentences) != 0)
    starts = [0, *(np.flatnonzero(changes) + 1).tolist(), words.num_rows]
    upos = words["upos"].to_pylist()
    forms = [_verb_form(feats) for feats in words["feats"].to_pylist()]
    heads, deprels = words["head"].to_pylist(), words["deprel"].to_pylist()
    for start, end in pairwise(starts):
        places = {number: place for place, number in enumerate(numbers[start:end].tolist())}
        tree = Tree(
            upos[start:end],
            forms[start:end],
            [places.get(head, -1) for head in heads[start:end]],
            [deprel or "dep" for deprel in deprels[start:end]],
        )
        new_heads, relations = surface_tree(tree)
        rows = numbers[start:end].tolist()
        heads[start:end] = [rows[head] if head >= 0 else 0 for head in new_heads]
        deprels[start:end] = relations
    return words.set_column(
        words.schema.get_field_index("head"), "head", pa.array(heads, pa.int32())
    ).set_column(words.schema.get_field_index("deprel"), "deprel", pa.array(deprels, pa.string()))


def _verb_form(feats: str | None) -> str:
    return next((pair[9:] for pair in (feats or "").split("|") if pair.startswith("VerbForm=")), "")
