"""Suspicion trees: sentences split on the most suspicious patterns."""

from __future__ import annotations

from collections.abc import Sequence

from ....queries.metrics.registry import label_of
from ....queries.numbers import measured, number, percent
from ....schema.statements import Row
from ..model import Branch, Document, Section, Span, Tone, Tree

READING = (
    "Each pattern splits the sentences into those with and those without it; S is its suspicion "
    "score among them. Coloured is what fails more, or less, often than all sentences do."
)


def suspicion_document(submission: str, nodes: Sequence[Row]) -> Document:
    """Return the suspicion tree of a submission, whose ``nodes`` come depth first."""
    first = nodes[0]
    metric, threshold = first["metric"], first["threshold"]
    lead = f"{first['labels']} · failed: {label_of(metric)} up to {measured(metric, threshold)}"
    section = Section("tree", "Tree", "", blocks=[suspicion_tree("", nodes)])
    return Document(
        "Suspicion tree",
        submission,
        [section],
        lead=lead,
        legend=[READING],
        provenance=[("mining", first["signature"])],
    )


def suspicion_tree(title: str, nodes: Sequence[Row], *, opened: bool = True) -> Tree:
    """Return the nodes of a tree, which come depth first, as a tree to show."""
    return Tree(title, _branch(nodes[0], nodes, _rate(nodes[0])), opened)


def _branch(node: Row, nodes: Sequence[Row], base: float) -> Branch:
    children = [row for row in nodes if row["parent_node_no"] == node["node_no"]]
    rate = _rate(node)
    tone: Tone = "better" if rate < base else "worse" if rate >= 2 * base else "doubt"
    text = [
        *_split(node, nodes),
        Span(percent(rate), "strong" if rate == base else tone),
        Span(f"  {node['failed']:,} of {node['sentences']:,} failed"),
        *([Span(f"  ({node['stop_reason']})", "muted")] if node["stop_reason"] else []),
    ]
    return Branch(text, [_branch(child, nodes, base) for child in children], rate)


def _split(node: Row, nodes: Sequence[Row]) -> list[Span]:
    """Return on which side of which pattern a node stands."""
    if node["has_pattern"] is None:
        return [Span("all sentences  ", "muted")]
    above = next(row for row in nodes if row["node_no"] == node["parent_node_no"])
    side = "with" if node["has_pattern"] else "without"
    suspicion = f"  S {number(above['suspicion'], 2)}" if node["has_pattern"] else ""
    return [Span(f"{side:<8}", "muted"), Span(above["pattern"], "code"), Span(f"{suspicion}  ")]


def _rate(node: Row) -> float:
    return node["failed"] / node["sentences"] if node["sentences"] else 0.0
