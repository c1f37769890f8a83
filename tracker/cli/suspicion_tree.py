"""``tracker suspicion-tree``: which patterns tell failed sentences from passed ones."""

from __future__ import annotations

from functools import partial
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
from sr_tracker.tracker.cli.output import DOCUMENT_FORMATS, document_format, write_document

if TYPE_CHECKING:
    import pyarrow as pa

_PICTURES = (".png", ".svg")


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
@format_option(*DOCUMENT_FORMATS)
@option(
    "output", help="Write to this file: .png and .svg draw the tree, .txt, .json and .html tell it."
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
    from sr_tracker.tracker.show.findings.suspicion_tree import suspicion_document

    drawn = output is not None and format_name is None and output.suffix in _PICTURES
    chosen = "" if drawn else document_format(format_name, output)
    tracker = context.tracker()
    with tracker.reading():
        submission = tracker.resolve(submission, treebank=treebank, campaign=campaign)
        rows = tracker.suspicion_tree(submission, labels=labels, metric=metric)
    if drawn and output is not None:
        _draw(rows, f"Suspicion tree of {submission}", output)
    else:
        document = partial(suspicion_document, submission, rows.to_pylist())
        write_document(context, chosen, output, document, partial(_content, submission, rows))


def _draw(rows: pa.Table, title: str, output: Path) -> None:
    from sr_tracker.tracker.show.charts import save_chart, suspicion_tree_chart

    save_chart(suspicion_tree_chart(rows.to_pandas(), title), output)


def _content(submission: str, rows: pa.Table) -> dict[str, Any]:
    from sr_tracker.queries.errors.suspicion_trees import nested

    first = rows.slice(0, 1).to_pylist()[0]
    described = {name: first[name] for name in ("labels", "metric", "threshold", "signature")}
    return {"submission_id": submission, **described, "tree": nested(rows)}
