"""``tracker challenge``, ``overlap`` and ``drift``: what is in test sets, and their versions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from .context import Context, command
from .options import (
    MEASURE,
    PATH,
    SUBMISSION,
    TREEBANK,
    filter_options,
    option,
)
from .output import (
    Destination,
    document_options,
    output_options,
    write_document,
    write_rows,
)


@command("challenge")
@filter_options
@output_options
def challenge(context: Context, to: Destination, **filters: Any) -> None:
    """Tell which items of challenge sets outputs pass, by phenomenon, from run to run.

    Intervals are Wilson's; changes since the run before are tested by McNemar's exact test,
    corrected over phenomena (Holm). Of contrastive sets it is also told how often each metric
    prefers the good output.
    """
    from ..show.findings.test_sets import challenges_document

    found = context.tracker().challenge(**filters)
    write_rows(found.rates, to, partial(challenges_document, found))


@command("overlap")
@click.argument("treebank", type=TREEBANK)
@click.argument("training", nargs=-1, type=PATH)
@option("--name", help="What the training files are called; else their names.")
@option("--order", default=8, help="Words of the n-grams looked for.")
@option("--share", default=0.5, help="Share of its n-grams from which a sentence overlaps.")
@option(
    "--similarity",
    default=0.5,
    help="Similarity to a training line from which a sentence overlaps.",
)
@option("--metric", "metrics", type=MEASURE, multiple=True, help="Only this; may be repeated.")
@option("--top", type=click.IntRange(1), default=10, help="Show so many sentences.")
@option("replicates", help="Number of resampled test sets.")
@option("seed", help="Seed of the resampling.")
@document_options
def overlap(
    context: Context,
    treebank: str,
    training: tuple[Path, ...],
    metrics: tuple[str, ...],
    top: int,
    to: Destination,
    **options: Any,
) -> None:
    """Tell which sentences of a TREEBANK the TRAINING files hold, and what systems score on them.

    References, and sources where there are any, are looked for word by word, by n-grams of words
    and by the most similar line. Files have a sentence a line, or are CoNLL-U; .gz and .xz are
    unpacked. What is found is stored; without files, what was found last is told again.
    """
    from ..show.findings.test_sets import overlap_document
    from ..show.json_forms import found_as_json

    with context.progress("overlap") as progress:
        found = context.tracker().overlap(
            treebank, *training, metrics=metrics or None, progress=progress, **options
        )
    write_document(
        context, to, partial(overlap_document, found, top=top), partial(found_as_json, found)
    )


@command("drift")
@click.argument("versions", nargs=-1, required=True, type=TREEBANK)
@option(
    "--metric",
    "metrics",
    type=MEASURE,
    multiple=True,
    help="Only this; may be repeated. dea[nsubj] is a relation, dea[*] all of them.",
)
@option("--base", type=SUBMISSION, help="The older run, of the first or the last version.")
@option("--new", type=SUBMISSION, help="The newer run, of the first or the last version.")
@option("--top", type=click.IntRange(1), default=10, help="Show so many changes of a kind.")
@option("replicates", help="Number of resampled test sets.")
@option("seed", help="Seed of the resampling.")
@option("chart", help="Draw what changed as well: .png, .svg or .html.")
@document_options
def drift(
    context: Context,
    versions: tuple[str, ...],
    top: int,
    chart: Path | None,
    to: Destination,
    metrics: tuple[str, ...],
    **options: Any,
) -> None:
    """Tell what changed between VERSIONS of a test set, the oldest first, and in scores by that.

    Sentences belong together by sent_id, else by text; words by their forms. Scores are followed
    from the first version to the last, of every run that is loaded for both ('tracker carry'): a
    change is what sentences bring that one version lacks, what the references bring, and what the
    system brings. With --base and --new it is the change from one run to another.
    """
    from ..show.findings.drift import drift_document
    from ..show.json_forms import found_as_json

    with context.progress("drift") as progress:
        found = context.tracker().drift(
            *versions, metrics=metrics or None, progress=progress, **options
        )
    write_document(
        context, to, partial(drift_document, found, top=top), partial(found_as_json, found)
    )
    context.draw(chart, "drift_chart", found)
