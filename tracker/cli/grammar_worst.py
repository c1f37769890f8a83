"""``tracker grammar worst``: the rules that a submission breaks most, with the links that do."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.schema.rule_sets import KINDS
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import SUBMISSION, format_option, narrowing_options, option
from sr_tracker.tracker.cli.output import (
    DOCUMENT_FORMATS,
    document_format,
    write_document,
    write_rows,
)

if TYPE_CHECKING:
    from sr_tracker.queries.grammar.violations import Violations


@click.command(name="worst")
@click.argument("submission", type=SUBMISSION)
@click.option(
    "--rules", "rule_set", help="The rule set: name or name@version.", show_default="as scored last"
)
@click.option("--rule", "rules", multiple=True, help="Only this rule; may be repeated.")
@click.option("--kind", type=click.Choice(KINDS), help="Only rules of this kind.")
@click.option(
    "--limit", "-n", type=click.IntRange(1), default=10, show_default=True, help="Rules to show."
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    help="Sentences to show of each rule.",
)
@narrowing_options
@format_option(*DOCUMENT_FORMATS, "csv", "spreadsheet")
@option("output", help="Write to this file, .txt, .json, .html or .csv.")
@pass_context
def command(
    context: Context,
    submission: str,
    rule_set: str | None,
    rules: tuple[str, ...],
    kind: str | None,
    limit: int,
    examples: int,
    treebank: str | None,
    campaign: str | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Show the rules that a SUBMISSION breaks most, with sentences: both words and the clash.

    SUBMISSION is an id, a system, or system@3, system@latest, system@best:grammar. The rule that
    the smallest share of its links keeps comes first; it also costs the score most. A rule set
    named with --rules need not have been scored by.
    """
    from sr_tracker.tracker.show.findings.broken_rules import broken_rules_document

    chosen = document_format(format_name, output, {".csv": "csv"})
    found = context.tracker().grammar.worst(
        submission,
        rule_set=rule_set,
        rules=rules,
        kind=kind,
        limit=limit,
        examples=examples,
        treebank=treebank,
        campaign=campaign,
    )
    if found.language and found.rules_language not in (None, found.language):
        context.say(f"note: outputs in {found.language}, rules of {found.rules_language}")
    if chosen in ("csv", "spreadsheet"):
        _write_rows(found, chosen, output)
    else:
        document = partial(broken_rules_document, found)
        write_document(context, chosen, output, document, partial(asdict, found))


def _write_rows(found: Violations, chosen: str, output: Path | None) -> None:
    import pyarrow as pa

    from sr_tracker.queries.grammar.violations import KeptRule

    names = [name for name in KeptRule.__dataclass_fields__ if name != "examples"]
    rows = pa.table(
        {name: pa.array([getattr(rule, name) for rule in found.worst]) for name in names}
    )
    write_rows(rows, chosen, output)
