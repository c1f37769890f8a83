"""``tracker grammar``: rules learned from treebanks, edited, and checked on outputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...queries.grammar.extraction import PRESETS, ExtractionSettings
from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.rule_sets import KINDS
from ..api.grammar import Grammar
from . import grammar_results
from .context import Context, command
from .groups import SuggestingGroup
from .operation import Shown, operation
from .options import PATH, TREEBANK, filter_options, option
from .output import write_content
from .score import tell_beside

_DEFAULTS = ExtractionSettings()


@click.group(cls=SuggestingGroup, name="grammar")
def grammar() -> None:
    """Learn grammar rules from treebanks, edit them, and check outputs by them.

    L'AMBRE (Pratapa et al. 2021): agreement, case assignment and verb form choice, learned from a
    dependency treebank; how well-formed a system's outputs are is the share of links that keep the
    rules. Outputs need trees: CoNLL-U, or an analyser with a parser.
    """


@command("extract", grammar)
@click.argument("treebank", type=TREEBANK)
@option("--name", help="Name of the rule set; else that of the treebank.")
@option(
    "--preset",
    choices=list(PRESETS),
    help="Thresholds and rounding of the authors' scripts; options given beside it win.",
)
@option(
    "--kind",
    "kinds",
    choices=KINDS,
    multiple=True,
    default=_DEFAULTS.kinds,
    help="Kind of rules; may be repeated.",
)
@option(
    "--minimum-share",
    default=_DEFAULTS.minimum_share,
    help="Agreement, word order: share of the links that agree or stand so.",
)
@option(
    "--minimum-pairs",
    type=click.IntRange(0),
    help="Agreement, word order: more links than this; else 5 to 50 by the treebank's size.",
)
@option(
    "--coverage",
    default=_DEFAULTS.coverage,
    help="Agreement: the most frequent rules, up to this share of all instances.",
)
@option(
    "--feature",
    "features",
    multiple=True,
    default=_DEFAULTS.features,
    help="Argument structure: features that constructions may prescribe.",
)
@option(
    "--minimum-divergence",
    default=_DEFAULTS.minimum_divergence,
    help="Argument structure: divergence (nats) from the part of speech's own distribution.",
)
@option(
    "--minimum-words",
    type=click.IntRange(1),
    default=_DEFAULTS.minimum_words,
    help="Argument structure: words with the feature in the construction.",
)
@option(
    "--minimum-value-share",
    default=_DEFAULTS.minimum_value_share,
    help="Argument structure: a value this frequent there is allowed.",
)
def extract(
    context: Context, treebank: str, name: str | None, preset: str | None, **thresholds: Any
) -> None:
    """Learn rules from a TREEBANK (its id) and store them as a rule set."""
    settings = ExtractionSettings(**thresholds)
    if preset is not None:
        source = click.get_current_context().get_parameter_source
        given = {
            option: value
            for option, value in thresholds.items()
            if source(option) is not ParameterSource.DEFAULT
        }
        if "minimum_words" in given:
            given["minimum_words_of"] = {}
        settings = replace(PRESETS[preset], **given)
    stored = context.tracker().grammar.extract(treebank, settings, name=name)
    state = "stored" if stored.changed else "nothing new"
    context.say(f"{stored.rule_set_id}: {state}, {plural(stored.rules, 'rule')}")


operation(Grammar.rules, Shown(rows=lambda rows: rows), theme="grammar", group=grammar)


@command("export", grammar)
@click.argument("rule_set")
@option("--examples", type=click.IntRange(0), default=3)
@option("--peer", is_flag=True, help="As lines that L'AMBRE's own tool reads; no word order rules.")
@option("output")
def export(context: Context, rule_set: str, output: Path | None, **options: Any) -> None:
    """Write a RULE_SET as a file that linguists read and edit.

    One line a rule, columns separated by tabs; below each rule sentences that keep (+) or break (-)
    it. Edit, remove, add lines; 'annotation' is always, sometimes or need_not.
    """
    text = context.tracker().grammar.export(rule_set, **options)
    write_content(text.encode(), output)


@command("import", grammar)
@click.argument("file", type=PATH)
@option("--name", help="Name of the rule set; else what the file says.")
@option("language", help="Language code; else what the file says.")
@option("--scheme", choices=["ud", "sud"], help="Else what the file says, or sud.")
def import_(context: Context, file: Path, **options: Any) -> None:
    """Store the rules of a FILE as the next version of their set.

    FILE is what 'tracker grammar export' wrote, edited, or a published rule set of L'AMBRE's tool.
    """
    stored = context.tracker().grammar.import_(file, **options)
    state = "stored" if stored.changed else "nothing new"
    context.say(f"{stored.rule_set_id}: {state}, {plural(stored.rules, 'rule')}")


@command("score", grammar)
@option("--rules", "rule_set", required=True, help="The rule set: name or name@version.")
@filter_options
@option("--references", is_flag=True, help="Check the reference sentences of --treebank instead.")
@option(
    "--applicable",
    choices=["links", "bearing"],
    default="links",
    help="A rule applies to every link of its type, or only where the words bear the feature.",
)
@option(
    "--accept-mismatch",
    is_flag=True,
    help="Check by rules of another language or annotation scheme all the same.",
)
@option("elect")
def score(
    context: Context,
    rule_set: str,
    references: bool,
    applicable: str,
    accept_mismatch: bool,
    elect: bool,
    **filters: tuple[str, ...],
) -> None:
    """Check outputs by grammar rules and store the scores grammar, grammar_agreement, ….

    Read them with 'tracker show grammar_scores' and 'grammar_by_rule'; they are metrics like all
    others in comparisons, histories, gates and reports. Outputs in another language than the
    rules', or with relations of another scheme, are passed over.
    """
    if references and [name for name, values in filters.items() if values] != ["treebank"]:
        raise InputError("--references are those of treebanks", hint="give --treebank alone")
    grammar = context.tracker().grammar
    how: dict[str, Any] = {"applicable": applicable, "accept_mismatch": accept_mismatch}
    if references:
        for treebank in filters["treebank"]:
            found = grammar.score_references(rule_set, treebank, **how)
            result = "no rule applies" if found is None else f"{found:.4f}"
            context.say(f"references of {treebank}: {result}")
        return
    with context.progress("checking") as progress:
        report = grammar.score(rule_set, elect=elect, progress=progress, **how, **filters)
    context.say(
        f"{plural(report.submissions, 'submission')} checked by {report.rule_set_id}, "
        f"{report.unchanged} were before"
    )
    for reason in dict.fromkeys(report.passed_over.values()):
        names = [name for name, why in report.passed_over.items() if why == reason]
        context.say(f"note: {plural(len(names), 'submission')} passed over: {reason}")
    tell_beside(context, report.beside)
    for submission_id in report.unparsed:
        context.say(f"note: {submission_id} has no trees with parts of speech: no score")


grammar.add_command(grammar_results.worst)
grammar.add_command(grammar_results.correlate)
