"""Which sentences of a treebank contain given subtree patterns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from queries.catalog import statement
from queries.functions.patterns import Pattern, node_label, parse_pattern
from queries.subtrees import label_attributes
from schema.database import Database


def pattern_sentences(
    database: Database, treebank_id: str, labels: str, patterns: Sequence[str]
) -> dict[str, list[int]]:
    """Return the sentences that contain each pattern, as numbers in ascending order.

    A pattern is contained where each of its nodes is a word of its own with the node's label, and
    its edges are edges of the tree, siblings in any order (Shimorina et al. 2021, section 3.4).
    """
    connection = database.connection
    connection.execute(
        statement("label_nodes"),
        {"treebank_id": treebank_id, "attributes": label_attributes(labels)},
    )
    rows = connection.execute(
        "SELECT label, any_value(attributes) FROM labelled_node GROUP BY label"
    ).fetchall()
    number_of = {node_label(values): number for number, values in rows}
    found = {}
    for pattern in patterns:
        query = _matching_query(parse_pattern(pattern), number_of)
        matches = connection.execute(query).fetchall()
        found[pattern] = [sentence_no for (sentence_no,) in matches]
    connection.execute("DROP TABLE temp.labelled_node")
    return found


def _matching_query(pattern: Pattern, number_of: dict[str, int]) -> str:
    """Return the query for the sentences with a pattern: one row of labelled_node per node."""
    conditions: list[str] = []
    nodes = 0

    def add(node: Pattern) -> str:
        nonlocal nodes
        name = f"node_{nodes}"
        nodes += 1
        conditions.append(f"{name}.label = {number_of.get(node.label, -1)}")
        children = [add(child) for child in node.children]
        conditions.extend(f"{child}.head_node = {name}.node" for child in children)
        conditions.extend(f"{a}.node <> {b}.node" for a, b in combinations(children, 2))
        return name

    add(pattern)
    tables = ", ".join(f"labelled_node AS node_{number}" for number in range(nodes))
    return (
        f"SELECT DISTINCT node_0.sentence_no FROM {tables} "  # noqa: S608
        f"WHERE {' AND '.join(conditions)} ORDER BY ALL"
    )
