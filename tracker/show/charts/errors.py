"""Patterns that go with failure, and trees of sentences split on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....schema.errors import InputError
from ....schema.parameters import ALPHA
from ....schema.statements import Row
from ..excerpt import text_width
from .drawing import Specification, draw, long_name, records, require_rows, require_single, values

TOP = 20
MINED = ("submission_id", "labels", "metric", "pattern")
"""What a pattern's sentences are found by."""


def suspicious_patterns_chart(patterns: Any, title: str) -> Specification:
    """Return the 20 foremost patterns of an error mining as bars (section 3.4, Tables 5 to 7).

    ``patterns`` holds one mining's rows of ``suspicious_patterns``: bars of suspicion, full where
    the pattern goes with failure significantly; beside them the failure rate of the sentences with
    the pattern against that of all, and both counts. Or it holds rows of ``pattern_coverage`` with
    the same labels and metric: bars of the share of submissions where the pattern is suspicious,
    the darker the higher its mean suspicion there.

    Raises InputError where there are no rows, or a pattern comes twice.
    """
    rows = records(patterns)
    require_rows(rows, "patterns")
    require_single(rows, ["pattern"], "submission, labels and metric")
    return _coverage(rows, title) if "coverage" in rows[0] else _suspicion(rows, title)


def _suspicion(patterns: Sequence[Row], title: str) -> Specification:
    rows = [
        {
            **values(row, *MINED, "suspicion", "failure_rate", "base_rate", "p_holm"),
            "counts": f"{row['failed']:,.0f} of {row['sentences']:,.0f}",
            "is_suspicious": row["suspicious"] is True,
        }
        for row in sorted(patterns, key=lambda row: (-row["suspicion"], row["pattern"]))[:TOP]
    ]
    base = float(rows[0]["base_rate"])
    test = f"p < {ALPHA}, exact test, Holm–Bonferroni"
    lines = (
        _mining(patterns),
        f"filled: fails significantly more often ({test}); hollow: does not",
        f"dashed: failure rate of all sentences, {base:.0%}; right: failed of those with it",
    )
    return draw("suspicious_patterns", title, lines, rows=rows, base=base)


def _coverage(patterns: Sequence[Row], title: str) -> Specification:
    suspicious = sorted(
        (row for row in patterns if row["suspicious_in"] > 0),
        key=lambda row: (-row["coverage"], -row["suspicion_mean"], row["pattern"]),
    )[:TOP]
    require_rows(suspicious, "pattern that is suspicious in any submission")
    mined = round(suspicious[0]["suspicious_in"] / suspicious[0]["coverage"])
    names = ("submissions", "suspicious_in", "coverage")
    rows = [
        {
            **values(row, *MINED, *names, "suspicion_mean", "suspicion_median"),
            "figures": f"{row['coverage']:.0%} ({row['suspicious_in']:,.0f})",
        }
        for row in suspicious
    ]
    return draw(
        "pattern_coverage",
        title,
        [
            _mining(suspicious),
            "coverage: share of submissions in which it is suspicious; in brackets: so many",
        ],
        rows=rows,
        share=f"coverage, of {mined:,} mined submissions",
    )


def _mining(rows: Sequence[Row]) -> str:
    return f"subtrees of {rows[0]['labels']}, failure by {long_name(str(rows[0]['metric']))}"


LINE, COLUMN = 26, 78
FONT_SIZE = 11
GAP = 14
BRANCHES = {True: "with", False: "without"}


def suspicion_tree_chart(suspicion_trees: Any, title: str) -> Specification:
    """Return a drawing of one suspicion tree (Narayan and Gardent 2012), root at the left.

    ``suspicion_trees`` holds one tree's rows of the view of that name. A node's area grows with
    its sentences, its colour with the share of them that failed. Beside it stands how many of its
    sentences failed and the pattern they are split on; the upper branch leads to the sentences with
    the pattern, the lower one to those without. Every node has a row of its own, so that no text
    covers another one or a line.

    Raises InputError where there are no rows, or not those of one tree.
    """
    rows = records(suspicion_trees)
    require_rows(rows, "suspicion tree")
    require_single(rows, ["node_no"], "submission, labels and metric")
    nodes = placed_nodes(rows)
    lines = (
        _mining(rows),
        "circle area: sentences; above: those with the pattern, below: those without",
    )
    width = round(max(node["x"] + text_width(node["text"], FONT_SIZE) for node in nodes)) + GAP + 8
    return draw(
        "suspicion_tree",
        title,
        lines,
        nodes=nodes,
        width=width,
        height=LINE * len(nodes),
    )


def placed_nodes(tree: Sequence[Row]) -> list[Row]:
    """Return the nodes with their places: columns by depth, rows with, node, without."""
    nodes = {row["node_no"]: row for row in tree}
    places = {
        number: (GAP + COLUMN * nodes[number]["depth"], LINE * (line + 0.5))
        for line, number in enumerate(_order(nodes))
    }
    placed = []
    for number, node in nodes.items():
        parent = node["parent_node_no"]
        x, y = places[number]
        parent_x, parent_y = (None, None) if parent is None else places[parent]
        counts = f"{node['failed']:,} of {node['sentences']:,} failed"
        placed.append(
            {
                **values(node, *MINED, "node_no", "sentences", "failed", "suspicion"),
                "x": x,
                "y": y,
                "parent_x": parent_x,
                "parent_y": parent_y,
                "branch": None if parent is None else BRANCHES[bool(node["has_pattern"])],
                "failure_rate": node["failed"] / node["sentences"],
                "stop_reason": node["stop_reason"],
                "text": f"{counts} · split on {node['pattern']}" if node["pattern"] else counts,
            }
        )
    return placed


def _order(nodes: Mapping[int, Row]) -> list[int]:
    """Return the nodes' numbers from top to bottom: what has a pattern above, the rest below."""
    children: dict[int | None, dict[bool, int]] = {}
    for number, node in sorted(nodes.items()):
        children.setdefault(node["parent_node_no"], {})[bool(node["has_pattern"])] = number
    roots = list(children.get(None, {}).values())
    if len(roots) != 1:
        raise InputError("the rows are not those of one suspicion tree: there is not one root")
    ordered: list[int] = []

    def walk(number: int) -> None:
        below = children.get(number, {})
        if True in below:
            walk(below[True])
        ordered.append(number)
        if False in below:
            walk(below[False])

    walk(roots[0])
    if len(ordered) != len(nodes):
        raise InputError("the rows are not those of one suspicion tree: nodes hang in the air")
    return ordered
