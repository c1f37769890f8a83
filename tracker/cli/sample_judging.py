"""``tracker examination sample-judging``: outputs that people shall judge, and their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from .context import Context, command
from .options import FILE, PATH, comma_separated, format_option, option


def _count(_context: click.Context, _option: click.Parameter, given: str) -> int | None:
    if given == "all":
        return None
    try:
        return int(given)
    except ValueError:
        raise click.BadParameter("give a number, or all") from None


@command("sample-judging")
@option("campaign")
@option("treebank")
@option(
    "--systems",
    callback=comma_separated,
    help="Whose outputs, as SYSTEM,SYSTEM@ITERATION,…; else the latest of all systems.",
)
@option("--sentences", default="1000", callback=_count, help="Sentences to draw; or all.")
@option(
    "--by",
    choices=["length", "random", "variance", "disagreement", "coverage"],
    default="length",
    help="How: lengths distributed as in the treebank, or as 'tracker examination plan items' "
    "compares.",
)
@option(
    "--criterion",
    default="adequacy,fluency",
    callback=comma_separated,
    help="What to judge, in HITs of its own; fluency without the reference.",
)
@option("--hit-size", default=100, help="Items in a HIT.")
@option(
    "--controls",
    default=20,
    help="Items among them that check the care: degraded copies, repeats, references.",
)
@option(
    "--deduplicate/--no-deduplicate",
    default=True,
    help="Judge equal outputs of several systems once.",
)
@option("seed", default=0, help="Seed of the sample.")
@format_option(
    "csv",
    "spreadsheet",
    "jsonl",
    "appraise",
    "pearmut",
    default="csv",
    show_default=True,
    help="Format of the HITs and the key (spreadsheet is CSV whose HITs hold no formula), or the "
    "platform on which annotators mark errors in whole documents.",
)
@option(
    "--protocol",
    choices=["esa", "mqm"],
    default="esa",
    help="How errors are marked on Appraise and Pearmut: with scores, or with categories.",
)
@option(
    "--language-pair", metavar="PAIR", help="Languages for Appraise, in three letters: eng-deu."
)
@option(
    "--join",
    "answers",
    type=FILE,
    help="Answers (annotator, hit, item, score) to join with the key instead.",
)
@option("--key", type=FILE, help="The key to join them with.")
@option(
    "output",
    required=True,
    type=PATH,
    help="Folder for the HITs and the key; with --join the file of judgements.",
)
@option("replace", help="Replace files that are there already.")
def sample_judging(
    context: Context,
    campaign: str | None,
    treebank: str | None,
    systems: list[str],
    criterion: list[str],
    format_name: str,
    protocol: str,
    language_pair: str | None,
    answers: Path | None,
    key: Path | None,
    output: Path,
    replace: bool,
    **options: Any,
) -> None:
    """Draw outputs for people to judge, in HITs with control items.

    Writes what annotators see (hits) and, to be kept apart, whose outputs that is (key). With
    --join and --key it turns their answers into judgements for 'tracker ingest judgements'.
    For Appraise and Pearmut it writes a campaign; 'tracker ingest judgements' reads their results.
    """
    if answers is not None or key is not None:
        _join(context, answers, key, output, replace=replace)
        return
    from ...queries.examination.sampling import JudgingPlan, draw_sample
    from ..judging import write_sample

    if campaign is None or treebank is None:
        raise InputError(
            "a sample is drawn from the submissions to one treebank in one campaign",
            hint="give --campaign and --treebank",
        )
    plan = JudgingPlan(
        criteria=tuple(dict.fromkeys(name.lower() for name in criterion)),
        systems=systems or None,
        **options,
    )
    if format_name in ("appraise", "pearmut"):
        files = context.tracker().sample_spans(
            campaign,
            treebank,
            output,
            plan,
            platform=format_name,
            protocol=protocol,
            language_pair=language_pair,
            replace=replace,
        )
        context.say(f"written: {', '.join(map(str, files))}")
        return
    with context.tracker().reading() as database:
        sample = draw_sample(database, campaign, treebank, plan)
    seen, key_file = write_sample(sample, output, format_name=format_name, replace=replace)
    context.say(
        f"{plural(sample.sentences, 'sentence')}, {plural(sample.outputs, 'output')}, "
        f"{sample.hits:,} HITs: {seen}"
    )
    context.say(f"keep from the annotators: {key_file}")


def _join(
    context: Context, answers: Path | None, key: Path | None, output: Path, *, replace: bool
) -> None:
    from ..judging import join_answers

    if answers is None or key is None:
        raise InputError(
            "answers are joined with the key to their items", hint="give both --join and --key"
        )
    count = join_answers(answers, key, output, replace=replace)
    context.say(f"{output}: {plural(count, 'judgement')}")
