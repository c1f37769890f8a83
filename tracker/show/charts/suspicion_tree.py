"""A suspicion tree: sentences split, again and again, on the most suspicious pattern."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeAlias

import altair
import pandas as pd

from ....schema.errors import InputError
from . import style

ROW, COLUMN = 26, 78
FONT_SIZE = 11
GAP = 14
LARGEST = 380
Node: TypeAlias = "dict[Hashable, Any]"
BRANCHES = {True: "with", False: "without"}


TOOLTIP = [
    altair.Tooltip("pattern:N", title="split on"),
    altair.Tooltip("suspicion:Q", format=".3f"),
    altair.Tooltip("sentences:Q", format=","),
    altair.Tooltip("failed:Q", format=","),
    altair.Tooltip("failure_rate:Q", title="failure rate", format=".1%"),
    altair.Tooltip("stop_reason:N", title="not split because"),
]


def suspicion_tree_chart(suspicion_trees: pd.DataFrame, title: str) -> altair.LayerChart:
    """Return a drawing of one suspicion tree (Narayan and Gardent 2012), root at the left.

    ``suspicion_trees`` holds one tree's rows of the view of that name. A node's area grows with
    its sentences, its colour with the share of them that failed. Beside it stands how many of its
    sentences failed and the pattern they are split on; the upper branch leads to the sentences with
    the pattern, the lower one to those without. Every node has a row of its own, so that no text
    covers another one or a line.

    Raises InputError where there are no rows, or not those of one tree.
    """
    style.require_rows(suspicion_trees, "suspicion tree")
    style.require_single(suspicion_trees, ["node_no"], "submission, labels and metric")
    nodes = _placed(suspicion_trees)
    width = round(
        max(nodes["x"] + nodes["text"].map(lambda text: style.text_width(text, FONT_SIZE)))
    )
    width, height = width + GAP + 8, ROW * len(nodes)
    across = altair.Scale(domain=[0, width])
    down = altair.Scale(domain=[height, 0])
    x = altair.X("x:Q", scale=across, axis=None)
    y = altair.Y("y:Q", scale=down, axis=None)
    parent_x = altair.X("parent_x:Q", scale=across, axis=None)
    parent_y = altair.Y("parent_y:Q", scale=down, axis=None)
    chart = altair.Chart(nodes)
    below = altair.Chart(nodes.dropna(subset=["parent_x"]))
    branches = [
        below.mark_rule(color=style.GREY).encode(x=parent_x, y=parent_y, y2="y:Q"),
        below.mark_rule(color=style.GREY).encode(x=parent_x, x2="x:Q", y=y),
        below.mark_text(
            align="left", baseline="bottom", dx=4, dy=-2, fontSize=FONT_SIZE - 2, opacity=0.75
        ).encode(x=parent_x, y=y, text="branch:N"),
    ]
    circles = chart.mark_circle(stroke="#555555", strokeWidth=0.8, opacity=1).encode(
        x=x,
        y=y,
        size=altair.Size("sentences:Q", scale=altair.Scale(range=[24, LARGEST]), legend=None),
        color=altair.Color(
            "failure_rate:Q",
            scale=altair.Scale(scheme="oranges", domain=[0, 1]),
            legend=altair.Legend(title="failure rate", format="%", tickCount=5, orient="right"),
        ),
        tooltip=TOOLTIP,
    )
    texts = chart.mark_text(align="left", dx=GAP, fontSize=FONT_SIZE).encode(
        x=x, y=y, text="text:N", tooltip=TOOLTIP
    )
    return altair.LayerChart(
        layer=[*branches, circles, texts],
        title=style.heading(title, *_explained(suspicion_trees)),
        width=width,
        height=height,
        view=altair.ViewBackground(stroke=None),
    )


def _placed(tree: pd.DataFrame) -> pd.DataFrame:
    """Return the nodes with their places: columns by depth, rows with, node, without."""
    by_number: dict[int, Node] = {int(node["node_no"]): node for node in tree.to_dict("records")}
    order = _rows(by_number)
    places = {number: (GAP + COLUMN * by_number[number]["depth"], row) for number, row in order}
    found = []
    for number, node in by_number.items():
        parent = _number(node["parent_node_no"])
        node_x, row = places[number]
        parent_x, parent_row = places[parent] if parent else (None, None)
        found.append(
            {
                "node_no": number,
                "x": node_x,
                "y": ROW * (row + 0.5),
                "parent_x": parent_x,
                "parent_y": None if parent_row is None else ROW * (parent_row + 0.5),
                "branch": BRANCHES[bool(node["has_pattern"])] if parent else None,
                "sentences": node["sentences"],
                "failed": node["failed"],
                "failure_rate": node["failed"] / node["sentences"],
                "pattern": _text(node["pattern"]),
                "suspicion": node["suspicion"],
                "stop_reason": _text(node["stop_reason"]),
                "text": _label(node),
            }
        )
    return pd.DataFrame(found)


def _rows(nodes: dict[int, Node]) -> list[tuple[int, int]]:
    """Return the nodes' numbers with their rows: what has a pattern above, the rest below."""
    children: dict[int | None, dict[bool, int]] = {}
    for number, node in sorted(nodes.items()):
        parent = _number(node["parent_node_no"])
        children.setdefault(parent, {})[bool(node["has_pattern"])] = number
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
    return [(number, row) for row, number in enumerate(ordered)]


def _number(value: Any) -> int | None:
    """Return a node's number; pandas has NaN for none."""
    return None if value is None or value != value else int(value)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _label(node: Node) -> str:
    counts = f"{node['failed']:,} of {node['sentences']:,} failed"
    pattern = _text(node["pattern"])
    return f"{counts} · split on {pattern}" if pattern else counts


def _explained(tree: pd.DataFrame) -> list[str]:
    first = tree.iloc[0]
    return [
        f"subtrees of {first['labels']}, failure by {style.long_name(str(first['metric']))}",
        "circle area: sentences; above: those with the pattern, below: those without",
    ]
