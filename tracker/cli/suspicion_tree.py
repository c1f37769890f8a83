"""``tracker suspicion-tree``: which patterns tell failed sentences from passed ones."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import (
    MEASURE,
    SUBMISSION,
    format_option,
    narrowing_options,
    option,
)
from sr_tracker.tracker.cli.output import write_content
from sr_tracker.tracker.show.formats import json_text
from sr_tracker.tracker.show.terminal import visible

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.text import Text
    from rich.tree import Tree

_TEXTS = (".txt", ".json")


@click.command(name="suspicion-tree")
@click.argument("submission", type=SUBMISSION)
@click.option(
    "--labels",
    default="deprel",
    show_default=True,
    help="What the patterns' nodes are labelled with.",
)
@click.option(
    "--metric",
    type=MEASURE,
    default="bleu",
    show_default=True,
    help="Metric that tells failed from passed.",
)
@narrowing_options
@format_option("tree", "json")
@option(
    "output", help="Write to this file: .png, .svg or .html draw the tree, .json and .txt write it."
)
@pass_context
def command(
    context: Context,
    submission: str,
    labels: str,
    metric: str,
    treebank: str | None,
    campaign: str | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Show SUBMISSION's suspicion tree: its sentences split on the most suspicious patterns.

    Each pattern splits the sentences into those with and without it; S is its suspicion score
    among them.
    """
    from sr_tracker.queries.errors.suspicion_trees import read_suspicion_tree
    from sr_tracker.schema.iterations import resolve_submission

    drawn = output is not None and format_name is None and output.suffix not in _TEXTS
    if drawn and output is not None:
        from sr_tracker.tracker.show.charts.saving import check_ending

        check_ending(output)
    with context.reading() as database:
        submission = resolve_submission(database, submission, treebank=treebank, campaign=campaign)
        rows = read_suspicion_tree(database, submission, labels=labels, metric=metric)
    if drawn and output is not None:
        _draw(rows, f"Suspicion tree of {submission}", output)
    elif format_name == "json" or (output is not None and output.suffix == ".json"):
        write_content(_json(submission, rows).encode(), output)
    else:
        _print(submission, rows, output)


def _draw(rows: pa.Table, title: str, output: Path) -> None:
    from sr_tracker.tracker.show.charts import save_chart, suspicion_tree_chart

    save_chart(suspicion_tree_chart(rows.to_pandas(), title), output)


def _json(submission: str, rows: pa.Table) -> str:
    from sr_tracker.queries.errors.suspicion_trees import nested

    first = rows.slice(0, 1).to_pylist()[0]
    described = {name: first[name] for name in ("labels", "metric", "threshold", "signature")}
    content = {"submission_id": submission, **described, "tree": nested(rows)}
    return json_text(content)


def _print(submission: str, rows: pa.Table, output: Path | None) -> None:
    from sr_tracker.tracker.console import Console

    tree = _rich_tree(submission, rows)
    if output is None and sys.stdout.isatty():
        Console().print(tree)
        return
    text = io.StringIO()
    Console(file=text, width=1000).print(tree)
    lines = "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())
    write_content(lines.encode(), output)


def _rich_tree(submission: str, rows: pa.Table) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    from sr_tracker.queries.errors.suspicion_trees import nested

    first = rows.slice(0, 1).to_pylist()[0]
    root = nested(rows)
    base = root["failure_rate"] or 0.0
    heading = Text.assemble((visible(submission), "bold"))
    heading.append(
        f" · {first['labels']} · failed: {first['metric']} up to {first['threshold']:.3f}\n",
        style="dim",
    )
    heading.append_text(_counts(root, base))
    tree = Tree(heading, guide_style="dim")
    _grow(tree, root, base)
    return tree


def _grow(branch: Tree, node: dict[str, Any], base: float) -> None:
    from rich.text import Text

    for name, style in (("with", "bold"), ("without", "")):
        below = node.get(name)
        if below is None:
            continue
        line = Text.assemble((f"{name:<8}", "dim"), (visible(node["pattern"]), style))
        if name == "with":
            line.append(f"  S {node['suspicion']:.2f}", style="cyan")
        line.append("  ")
        line.append_text(_counts(below, base))
        _grow(branch.add(line), below, base)


def _counts(node: dict[str, Any], base: float) -> Text:
    from rich.text import Text

    rate = node["failure_rate"] or 0.0
    colour = "green" if rate < base else "yellow" if rate < 2 * base else "red"
    style = "bold" if rate == base else f"bold {colour}"
    counts = Text.assemble((f"{100 * rate:.0f} %", style))
    counts.append(f"  {node['failed']:,} of {node['sentences']:,} failed")
    if node["stop_reason"]:
        counts.append(f"  ({node['stop_reason']})", style="dim")
    return counts
