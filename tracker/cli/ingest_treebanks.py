"""``tracker ingest references``, ``challenge``, ``amr`` and ``graphs``: what is no tree goes in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from .context import Context, command
from .options import PATH, narrowing_options, option

if TYPE_CHECKING:
    from ...ingest.graphs.loading import ParsedGraphs


@command("references")
@click.argument("file", type=PATH)
@option("--id", "treebank", help="Id of the test set; else the file's name.")
@option("language")
@option("campaign", help="Campaign that evaluates on it.")
@option("sources")
@option("documents")
@option(
    "--alternative",
    metavar="NAME",
    help="Load as other references of the sentences, such as refB; --id names what is loaded.",
)
@option("replace")
def references(context: Context, file: Path, alternative: str | None, **options: Any) -> None:
    """Load a FILE of reference sentences without trees, one a line, as a test set.

    Metrics of text work on it; those of lemmas and edges, complexity and error mining do not. A
    test set that 'ingest judgements --register' made known gets its texts so.
    """
    tracker = context.tracker(create=True)
    treebank_id, changed = tracker.ingest_references(file, alternative=alternative, **options)
    state = "loaded" if changed else "nothing new"
    if alternative:
        context.say(f"{treebank_id}: other references {alternative}: {state}")
        return
    (row,) = tracker.show("treebank", treebank=treebank_id).to_pylist()
    context.say(f"{treebank_id}: {state}, {plural(row['sentences'], 'sentence')} without trees")


@command("challenge")
@click.argument("file", type=PATH)
@option("treebank", help="Test set the items are of, or what a contrastive set is to be called.")
@option("--name", help="Name of the challenge set; else the file's name.")
@option("--pair", help="Of a contrastive set only this language pair, such as en-de.")
@option("language", help="Language of a contrastive set's outputs.")
@option("replace", help="Load in place of other items under the same name.")
def challenge(context: Context, file: Path, **options: Any) -> None:
    """Load a FILE of what outputs are expected to be, and score by it.

    Columns phenomenon, sent_id, kind (contains, lacks, matches, avoids, edge) and pattern say what
    outputs for a test set are to have; phenomenon, reference, good and incorrect (source, langpair)
    make a test set whose good outputs metrics should prefer, as ACES. CSV, TSV, JSONL or Parquet.
    """
    with context.progress("challenge") as progress:
        loaded = context.tracker(create=True).ingest_challenge(file, progress=progress, **options)
    state = "loaded" if loaded.changed else "nothing new"
    context.say(
        f"{loaded.treebank_id}: {loaded.challenge}: {state}, {plural(loaded.items, 'item')} of "
        f"{loaded.phenomena:,} phenomena"
    )
    if not loaded.submissions:
        context.say("note: no outputs are loaded for it yet, so there is nothing to check")


_replace_option = option("replace")


@command("amr")
@click.argument("file", type=PATH)
@option("--id", "treebank", help="Id of the treebank; else the file's name.")
@option("language", help="Language code of the sentences.")
@option("--version", "release", help="Version of the graphs, such as 1.6.")
@option("--split", choices=["train", "dev", "test"], help="Split.")
@option("campaign", help="Campaign that evaluates on it.")
@option("--accept-broken", is_flag=True, help="Take a graph that is not sound for none.")
@_replace_option
def amr(context: Context, file: Path, release: str | None, **options: Any) -> None:
    """Load a FILE of gold meaning graphs as a treebank without trees.

    AMR in PENMAN notation ('# ::id', '# ::snt', then the graph), one graph a line, or a table with
    a column of graphs.
    """
    tracker = context.tracker(create=True)
    found = tracker.ingest_amr(file, version=release, **options)
    state = "loaded" if found.changed else "nothing new"
    context.say(
        f"{found.treebank_id}: {state}, {plural(found.graphs, 'sentence')} with their graphs"
    )
    if found.broken:
        listed = "\n".join(f"  {each}" for each in found.broken)
        context.say(
            f"note: counted without a graph: {plural(len(found.broken), 'sentence')}:\n{listed}"
        )
    if found.flagged:
        context.say(
            f"note: {plural(found.flagged, 'unusual graph')}: see flag in 'show gold_graph'"
        )
    if found.without_text:
        context.say(
            f"note: {plural(found.without_text, 'graph')} without '# ::snt': the treebank "
            "hides its text, metrics of text are NULL"
        )


@command("graphs")
@click.argument("file", type=PATH, required=False)
@option("--parser", help="What made the graphs, as name/version: jamr/2016.")
@option("--model", type=PATH, help="Parse now, with this folder of an amrlib model.")
@option("submission", "-s", help="Submission whose outputs were parsed: id or SYSTEM@3.")
@option("system", help="Its system, where the submission is the only one it has.")
@narrowing_options
@option("--references", help="The treebank whose sentences were parsed, not outputs.")
@option(
    "--quality-column",
    metavar="NAME",
    help="Column, or key in '# ::NAME 0.93', of estimated quality, 0 to 1; else quality.",
)
@option("--accept-broken", is_flag=True, help="Take a graph that is not sound for none.")
@option("--accept-mismatch", is_flag=True, help="Load graphs that come with other texts.")
@_replace_option
def graphs(
    context: Context,
    file: Path | None,
    parser: str | None,
    model: Path | None,
    submission: str | None,
    system: str | None,
    treebank: str | None,
    campaign: str | None,
    references: str | None,
    quality_column: str | None,
    accept_broken: bool,
    accept_mismatch: bool,
    replace: bool,
) -> None:
    """Load a FILE of graphs that a parser made of outputs, or of reference sentences.

    Graphs find their sentences by '# ::id' (sent_id, or number from 0 or 1), else by '# ::snt',
    else by position. Several parsers stand side by side. Without FILE, --model parses.
    """
    named = submission or system
    if (references is None) == (named is None):
        hint = "--submission, or --system and --treebank, or --references"
        raise InputError("either a submission or a treebank's references were parsed", hint=hint)
    if (file is None) == (model is None) or (file is None) == (parser is not None):
        hint = "either a FILE and its --parser, or a --model to parse with"
        raise InputError("where the graphs come from is not clear", hint=hint)
    tracker = context.tracker()
    with context.progress("parsing") as progress:
        if named is not None:
            named = tracker.resolve(named, treebank=treebank, campaign=campaign)
        if file is None:
            found = tracker.parse_graphs(
                model or "",
                submission=named,
                references=references,
                replace=replace,
                progress=progress,
            )
        else:
            found = tracker.ingest_graphs(
                file,
                parser=parser or "",
                submission=named,
                references=references,
                quality_name=quality_column,
                accept_broken=accept_broken,
                accept_mismatch=accept_mismatch,
                replace=replace,
            )
    _tell(context, found)


def _tell(context: Context, found: ParsedGraphs) -> None:
    state = "loaded" if found.changed else "nothing new"
    context.say(
        f"{found.target}: {state}, {plural(found.sentences - found.without, 'graph')} by "
        f"{found.parser}, "
        f"matched {found.way}"
    )
    if found.without:
        context.say(
            f"note: no graph: {found.without:,} of {plural(found.sentences, 'sentence')}: "
            "the flag says why"
        )
    if found.flagged:
        context.say(f"note: {plural(found.flagged, 'unusual graph')}: the flag says how")
