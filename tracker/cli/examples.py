"""``tracker examples``, ``suspicion-tree`` and ``select-training``: from patterns to sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ...schema.brief import plural
from ...schema.parameters import Option
from ..api import asking
from .context import Context, command
from .operation import Own, Shown, operation
from .options import MEASURE, SUBMISSION, TREEBANK, narrowing_options, option
from .output import Destination, document_or, write_document

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.errors.examples import Examples
    from ...queries.errors.selection import Selection


def _examples_content(found: Examples) -> dict[str, Any]:
    from dataclasses import asdict

    content = asdict(found)
    del content["single"]
    for example, written in zip(found.examples, content["examples"], strict=True):
        written["matched"] = sorted(example.matched)
    return content


def _notes(found: Examples) -> Iterator[str]:
    if found.single and found.pattern is not None and not found.examples[0].matches:
        yield f"(this sentence does not contain {found.pattern})"
    if found.grew is not None:
        yield f"(for Grew: {found.grew})"


examples = operation(
    asking.examples,
    Shown(
        "sentences:examples_document",
        content=_examples_content,
        notes=_notes,
        options={
            "whole": Own(
                Annotated[bool, Option("Draw long trees whole, not only around the pattern.")],
                False,
            )
        },
    ),
)


@command("suspicion-tree")
@click.argument("submission", type=SUBMISSION)
@option("--labels", default="deprel", help="What the patterns' nodes are labelled with.")
@option("--metric", type=MEASURE, default="bleu", help="Metric that tells failed from passed.")
@narrowing_options
@document_or(
    {".png": "picture", ".svg": "picture"},
    "Write to this file: .png and .svg draw the tree, .txt, .json and .html tell it.",
)
def suspicion_tree(
    context: Context, submission: str, labels: str, metric: str, to: Destination, **options: Any
) -> None:
    """Show SUBMISSION's suspicion tree: its sentences split on the most suspicious patterns.

    Each pattern splits the sentences into those with and without it; S is its suspicion score
    among them.
    """
    from ..show.findings.suspicion_tree import suspicion_document

    tracker = context.tracker()
    with tracker.reading():
        submission = tracker.resolve(submission, **options)
        rows = tracker.suspicion_tree(submission, labels=labels, metric=metric)
    if to.format == "picture" and to.file is not None:
        from ..show.charts import chart
        from ..show.charts.saving import save_chart

        save_chart(chart("suspicion_tree_chart", rows, f"Suspicion tree of {submission}"), to.file)
    else:
        document = partial(suspicion_document, submission, rows.to_pylist())
        write_document(context, to, document, partial(_tree_content, submission, rows))


def _tree_content(submission: str, rows: pa.Table) -> dict[str, Any]:
    from ...queries.errors.suspicion_trees import nested

    first = rows.slice(0, 1).to_pylist()[0]
    described = {name: first[name] for name in ("labels", "metric", "threshold", "signature")}
    return {"submission_id": submission, **described, "tree": nested(rows)}


@command("select-training")
@click.argument("training_treebank", type=TREEBANK)
@option("submission", required=True, help="Whose weak points the sentences have.")
@narrowing_options
@option("output", required=True, help="CoNLL-U file to write (.gz and .xz compress).")
@option("--budget", default=1000, help="Sentences to choose at most.")
@option("--relations", default=5, help="Relations with the lowest DEA.")
@option("--min-edges", default=10, help="Edges a relation must have.")
@option("--patterns", default=10, help="Patterns of highest suspicion.")
@option("--labels", default="deprel", help="Labels of the patterns.")
@option("--metric", type=MEASURE, default="bleu", help="Metric they were mined with.")
@option("--min-depth", type=int, help="Also trees of at least this depth.")
@option("--min-length", type=int, help="Also sentences of at least so many words.")
@option("--min-mdd", type=float, help="Also trees of at least this mean dependency distance.")
@option("--non-projective", is_flag=True, help="Also non-projective trees.")
@option("seed", default=0, help="Decides between equals.")
@option("--allow-same", is_flag=True, help="Allow the treebank the submission was made for.")
def select_training(
    context: Context,
    training_treebank: str,
    submission: str,
    treebank: str | None,
    campaign: str | None,
    output: Path,
    budget: int,
    seed: int,
    allow_same: bool,
    patterns: int,
    labels: str,
    metric: str,
    **options: Any,
) -> None:
    """Choose sentences of TRAINING_TREEBANK with what a submission realises worst.

    Writes the sentences as they are in the treebank. Each adds the weights of the relations,
    patterns and bounds it has, less for those that the sentences chosen before it have already.
    """
    from ...queries.errors.selection import Wanted

    wanted = Wanted(patterns=patterns, labels=labels, metric=metric, **options)
    selection = context.tracker().select_training(
        training_treebank,
        submission,
        wanted,
        budget=budget,
        seed=seed,
        allow_same=allow_same,
        output=output,
        treebank=treebank,
        campaign=campaign,
    )
    if not context.quiet:
        _print_targets(selection)
    if patterns and not any(target.kind == "pattern" for target in selection.targets):
        context.say(f"no pattern is suspicious (labels {labels}, metric {metric})")
    context.say(f"{output}: {plural(len(selection.sentence_nos), 'sentence')}")


def _print_targets(selection: Selection) -> None:
    from ..console import Console
    from ..show.model import Column
    from ..show.tables import table
    from ..show.text import print_table

    columns = {name: Column(name, "text") for name in ("kind", "name")}
    columns |= {name: Column(name) for name in ("weight", "sentences", "chosen")}
    rows = [{name: getattr(target, name) for name in columns} for target in selection.targets]
    print_table(Console(stderr=True), table("Targets", columns, rows))
