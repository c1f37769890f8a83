"""Which triples of two graphs each aspect of meaning compares, and how alike concepts are."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....schema.errors import InputError, optional_packages
from ....schema.files import read_lines
from .graph_candidates import Alignment, Similarity
from .graph_triples import TOP_ROLE, GraphTriples

Align = Callable[..., Alignment]

_SENSE = re.compile(r"-[0-9]{2,3}$")
_ARGUMENT = re.compile(r":arg[0-9]+$", re.IGNORECASE)
_LABEL = ":label"


class AspectCounts(NamedTuple):
    """What two graphs share in one aspect."""

    matched: float
    output_triples: int
    gold_triples: int
    status: str
    """How far the alignment is proved to be the best; counting without one is optimal."""
    gap: float


def aspect_counts(
    output: GraphTriples,
    gold: GraphTriples,
    aspects: Sequence[str],
    align: Align,
    *,
    similarity: Similarity | None = None,
) -> dict[str, AspectCounts]:
    """Return what two graphs share, by aspect.

    ``align`` is align_graphs or climb_graphs, with its settings bound. ``all`` aligns the graphs
    as they are; ``unlabelled`` without the names of relations, ``no_senses`` without the senses of
    predicates. ``reentrancies`` and ``srl`` align parts: the relations to nodes with several
    parents, or the numbered arguments, with the concepts of the nodes they link. ``concepts``,
    ``named_entities``, ``negation`` and ``wikification`` count labels that both have, each as
    often as it stands there. ``similarity`` is that of concepts in ``all``, as align_graphs has it.

    Raises KeyError for an aspect that is none of ASPECTS.
    """
    by_aspect = {}
    for aspect in aspects:
        if aspect in _LABELS:
            by_aspect[aspect] = _shared_labels(
                *(_LABELS[aspect](graph) for graph in (output, gold))
            )
            continue
        ours, theirs = (_PARTS[aspect](graph) for graph in (output, gold))
        options = {"similarity": similarity} if aspect == "all" and similarity else {}
        alignment = align(ours, theirs, **options)
        by_aspect[aspect] = AspectCounts(
            alignment.matched, ours.count, theirs.count, alignment.status, alignment.gap
        )
    return by_aspect


def _shared_labels(output: Iterable[str], gold: Iterable[str]) -> AspectCounts:
    ours, theirs = Counter(output), Counter(gold)
    shared = (ours & theirs).total()
    return AspectCounts(float(shared), ours.total(), theirs.total(), "optimal", 0.0)


def _whole(graph: GraphTriples) -> GraphTriples:
    return graph


def _unlabelled(graph: GraphTriples) -> GraphTriples:
    """Return the graph with one name for all roles but that of the top; equal triples are one."""
    relations = dict.fromkeys((source, _LABEL, target) for source, _, target in graph.relations)
    attributes = dict.fromkeys(
        (variable, role if role == TOP_ROLE else _LABEL, value)
        for variable, role, value in graph.attributes
    )
    return replace(graph, relations=(*relations,), attributes=(*attributes,))


def _no_senses(graph: GraphTriples) -> GraphTriples:
    instances = tuple((name, _SENSE.sub("", concept)) for name, concept in graph.instances)
    attributes = tuple(
        (name, role, _SENSE.sub("", value) if role == TOP_ROLE else value)
        for name, role, value in graph.attributes
    )
    return replace(graph, instances=instances, attributes=attributes)


def _reentrancies(graph: GraphTriples) -> GraphTriples:
    parents = Counter(target for _, _, target in graph.relations)
    return _linked(graph, [triple for triple in graph.relations if parents[triple[2]] > 1])


def _srl(graph: GraphTriples) -> GraphTriples:
    return _linked(graph, [triple for triple in graph.relations if _ARGUMENT.match(triple[1])])


def _linked(graph: GraphTriples, relations: Sequence[tuple[str, str, str]]) -> GraphTriples:
    """Return the part of a graph that has these relations, and the concepts of what they link."""
    ends = {end for source, _, target in relations for end in (source, target)}
    return replace(
        graph,
        variables=tuple(name for name in graph.variables if name in ends),
        instances=tuple(triple for triple in graph.instances if triple[0] in ends),
        attributes=(),
        relations=(*relations,),
        top=None,
        graded_top=False,
    )


def _concepts(graph: GraphTriples) -> list[str]:
    return [concept for _, concept in graph.instances]


def _with_role(graph: GraphTriples, role: str) -> list[str]:
    """Return the concepts of the nodes with a role, once for each time they have it."""
    concepts = dict(graph.instances)
    sources = [
        name for name, its_role, _ in (*graph.attributes, *graph.relations) if its_role == role
    ]
    return [concepts[name] for name in sources if name in concepts]


def _wikification(graph: GraphTriples) -> list[str]:
    return [value for _, role, value in graph.attributes if role == ":wiki"]


_PARTS: dict[str, Callable[[GraphTriples], GraphTriples]] = {
    "all": _whole,
    "unlabelled": _unlabelled,
    "no_senses": _no_senses,
    "reentrancies": _reentrancies,
    "srl": _srl,
}
_LABELS: dict[str, Callable[[GraphTriples], list[str]]] = {
    "concepts": _concepts,
    "named_entities": partial(_with_role, role=":name"),
    "negation": partial(_with_role, role=":polarity"),
    "wikification": _wikification,
}
ASPECTS = (*_PARTS, *_LABELS)


Vectors: TypeAlias = "Mapping[str, NDArray[np.float64]]"


_DIGIT = re.compile("[0-9]")


class Sense(NamedTuple):
    """A concept as S2match reads it."""

    word: str
    """What the concept is called by: a predicate without its sense."""
    is_predicate: bool
    """Whether it has a sense: a hyphen with something behind it, and a digit."""


def sense_of(concept: str) -> Sense:
    """Return the word of a concept and whether it is a predicate, as the authors' program does."""
    concept = concept.strip('"').lower()
    if "-" in concept and _DIGIT.search(concept):
        return Sense(concept.rpartition("-")[0], True)
    return Sense(concept, False)


def words_of(concept: str) -> set[str]:
    """Return the words whose vectors may be part of a concept's."""
    word, is_predicate = sense_of(concept)
    return {word, f"{word}s"} if is_predicate else {word, *word.split("-")}


def similarity_of(
    vectors: Vectors, threshold: float, sense_weight: float
) -> Callable[[str, str], float]:
    """Return the function that says how similar two concepts are, 0 to 1.

    As in the program of Opitz et al. (2020): 1 for equal concepts; ``sense_weight`` for one word
    with different senses, or with a sense and without; else the cosine of their vectors where that
    is above the threshold, times ``sense_weight`` where one of the two, or both, is a predicate; 0
    below, and where a concept has no vector.

    A predicate's vector is that of its word plus that of its third person; another concept's that
    of its word, or where that has none the sum of those of the words between its hyphens.
    """

    @cache
    def vector_of(concept: str) -> NDArray[np.float64] | None:
        word, is_predicate = sense_of(concept)
        if word in vectors:
            parts = [word, f"{word}s"] if is_predicate else [word]
        else:
            parts = [] if is_predicate else word.split("-")
        parts_there = [vectors[part] for part in parts if part in vectors]
        length = np.linalg.norm(total := np.sum(parts_there, axis=0)) if parts_there else 0.0
        return total / length if length else None

    def similarity(one: str, other: str) -> float:
        if one == other:
            return 1.0
        first, second = sense_of(one), sense_of(other)
        weight = sense_weight if first.is_predicate or second.is_predicate else 1.0
        if first.word == second.word:
            return weight
        here, there = vector_of(one), vector_of(other)
        if here is None or there is None:
            return 0.0
        cosine = min(float(here @ there), 1.0)
        return weight * cosine if cosine > threshold else 0.0

    return similarity


def read_vectors(path: Path, words: Collection[str]) -> tuple[Vectors, str]:
    """Return the vectors of some words, and a name with a hash of what they are.

    ``path`` is a text file in GloVe's format (a word and its numbers, separated by blanks, a line
    each; a first line with two numbers is passed over), or the folder of a model of the package
    sentence-transformers.

    Raises InputError (file:line) for lines that are no vectors and for a file without a vector of
    any of the words, MissingDependencyError for a folder without that package.
    """
    vectors = _encoded(path, words) if path.is_dir() else _read_text(path, set(words))
    if not vectors:
        raise InputError(
            "there is no vector of any concept", where=str(path), hint="is it another language?"
        )
    digest = hashlib.sha256()
    for word in sorted(vectors):
        digest.update(word.encode() + vectors[word].tobytes())
    return vectors, f"{path.name}@{digest.hexdigest()[:12]}"


def _read_text(path: Path, words: set[str]) -> dict[str, NDArray[np.float64]]:
    vectors: dict[str, NDArray[np.float64]] = {}
    size: int | None = None
    for number, content in enumerate(read_lines(path), start=1):
        try:
            word, *values = content.decode().rstrip("\r").split(" ")
        except UnicodeDecodeError as error:
            raise _no_vector(path, number, f"it is not UTF-8 ({error.reason})") from error
        if number == 1 and len(values) == 1:
            continue
        size = size or len(values)
        if len(values) != size or not values:
            raise _no_vector(path, number, f"it has {len(values)} numbers, not {size}")
        if word.lower() in words and word.lower() not in vectors:
            vectors[word.lower()] = np.array(_numbers(values, path, number))
    return vectors


def _numbers(values: list[str], path: Path, number: int) -> list[float]:
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        raise _no_vector(path, number, "what follows the word are no numbers") from None
    if not np.isfinite(numbers).all() or not any(numbers):
        raise _no_vector(path, number, "it is not finite, or zero")
    return numbers


def _no_vector(path: Path, number: int, message: str) -> InputError:
    return InputError(
        f"this is no vector: {message}",
        where=f"{path}:{number}",
        hint="a line is a word and its numbers, separated by single blanks",
    )


def _encoded(path: Path, words: Collection[str]) -> dict[str, NDArray[np.float64]]:
    with optional_packages("give a file in GloVe's format"):
        from sentence_transformers import SentenceTransformer
    ordered = sorted(words)
    model: Any = SentenceTransformer(str(path))
    vectors = model.encode(ordered, normalize_embeddings=True, show_progress_bar=False)
    return dict(zip(ordered, np.asarray(vectors, np.float64), strict=True))
