"""Aspects of meaning: which triples of two graphs each compares (Damonte et al. 2017)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

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


def _named_entities(graph: GraphTriples) -> list[str]:
    return _with_role(graph, ":name")


def _negation(graph: GraphTriples) -> list[str]:
    return _with_role(graph, ":polarity")


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
    "named_entities": _named_entities,
    "negation": _negation,
    "wikification": _wikification,
}
ASPECTS = (*_PARTS, *_LABELS)
