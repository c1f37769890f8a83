"""``tracker grammar worst`` and ``correlate``: rules that are broken most, and what people say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.rule_sets import KINDS
from .context import Context, command
from .options import MEASURE, PATH, SUBMISSION, narrowing_options, option
from .output import (
    Destination,
    document_or,
    output_options,
    write_document,
    write_rows,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.grammar.violations import Violations
    from ...queries.people.grammar_correlation import HumanCorrelation


@command("worst")
@click.argument("submission", type=SUBMISSION)
@option(
    "--rules", "rule_set", help="The rule set: name or name@version.", show_default="as scored last"
)
@option("--rule", "rules", multiple=True, help="Only this rule; may be repeated.")
@option("--kind", choices=KINDS, help="Only rules of this kind.")
@option("--limit", "-n", type=click.IntRange(1), default=10, help="Rules to show.")
@option("--examples", type=click.IntRange(0), default=3, help="Sentences to show of each rule.")
@option(
    "--accept-mismatch",
    is_flag=True,
    help="Check by rules of another language or annotation scheme all the same.",
)
@narrowing_options
@document_or(
    {".csv": "csv"}, "Write to this file, .txt, .json, .html or .csv.", "csv", "spreadsheet"
)
def worst(context: Context, submission: str, to: Destination, **options: Any) -> None:
    """Show the rules that a SUBMISSION breaks most, with sentences: both words and the clash.

    SUBMISSION is an id, a system, or system@3, system@latest, system@best:grammar. The rule that
    the smallest share of its links keeps comes first; it also costs the score most. A rule set
    named with --rules need not have been scored by.
    """
    from ..show.findings.broken_rules import broken_rules_document

    found = context.tracker().grammar.worst(submission, **options)
    if to.format in ("csv", "spreadsheet"):
        _write_rows(found, to)
    else:
        document = partial(broken_rules_document, found)
        write_document(context, to, document, partial(asdict, found))


def _write_rows(found: Violations, to: Destination) -> None:
    import pyarrow as pa

    from ...queries.grammar.violations import KeptRule

    names = [name for name in KeptRule.__dataclass_fields__ if name != "examples"]
    rows = pa.table(
        {name: pa.array([getattr(rule, name) for rule in found.worst]) for name in names}
    )
    write_rows(rows, to)


@command("correlate")
@option(
    "--human",
    "file",
    type=PATH,
    required=True,
    help="Human scores of systems: columns LP, SYSTEM and HUMAN, as in WMT's DA-syslevel.csv.",
)
@option("campaign", required=True, help="Campaign of the submissions.")
@option("treebank", "treebanks", multiple=True, help="Only this test set.")
@option(
    "--metric",
    "-m",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="grammar_agreement, grammar_argument, grammar",
    help="A metric such as bleu, or a rule such as 'grammar[amod-ADJ-NOUN:Case]'.",
)
@option("--pair", help="Language pair in the file; else told by language and systems.")
@option(
    "--accept-mismatch",
    is_flag=True,
    help="Take scores by rules of another language or annotation scheme all the same.",
)
@output_options
def correlate(
    context: Context, file: Path, measures: tuple[str, ...], to: Destination, **options: Any
) -> None:
    """Correlate scores of systems with human z-scores: Pearson's r, per test set.

    With all systems, and without those so good or bad that they alone make a correlation (Mathur et
    al. 2020). On a terminal one line for each language pair, p-values beside r; --format and
    --output give a row for each metric.
    """
    found = context.tracker().grammar.correlate(
        file, measures=tuple(dict.fromkeys(measures)), **options
    )
    wide = to == Destination("table")
    write_rows(_by_pair(found) if wide else _rows(found), to)
    for note in _notes(found):
        context.say(note)


def _rows(found: Sequence[HumanCorrelation]) -> pa.Table:
    import pyarrow as pa

    text, number = pa.string(), pa.float64()
    columns = {
        "campaign": ([each.campaign_id for each in found], text),
        "year": ([each.year for each in found], pa.int32()),
        "pair": ([each.pair for each in found], text),
        "treebank": ([each.treebank_id for each in found], text),
        "outliers": ([each.outliers for each in found], text),
        "metric": ([each.measure for each in found], text),
        "systems": ([each.correlation.n for each in found], pa.int32()),
        "r": ([each.correlation.coefficient for each in found], number),
        "p_value": ([each.correlation.p_value for each in found], number),
        "removed": ([list(each.removed) for each in found], pa.list_(text)),
        "undefined_reason": ([each.correlation.undefined_reason for each in found], text),
    }
    return pa.table({name: pa.array(values, kind) for name, (values, kind) in columns.items()})


def _by_pair(found: Sequence[HumanCorrelation]) -> pa.Table:
    """Return one row per language pair, with and without outliers; systems are the fewest."""
    import pyarrow as pa

    rows: dict[tuple[str, str], dict[str, object]] = {}
    for each in found:
        row = rows.setdefault(
            (each.treebank_id, each.outliers),
            {
                "year": each.year,
                "pair": each.pair,
                "outliers": each.outliers,
                "systems": each.correlation.n,
            },
        )
        row["systems"] = min(int(str(row["systems"])), each.correlation.n)
        row[each.measure] = each.correlation.coefficient
        row[f"p {each.measure}"] = each.correlation.p_value
    return pa.Table.from_pylist(list(rows.values()))


def _notes(found: Sequence[HumanCorrelation]) -> list[str]:
    notes = []
    for each in found:
        if each.removed:
            notes.append(f"{each.pair}: outliers are {', '.join(each.removed)}")
        if each.unmatched:
            notes.append(
                f"{each.pair}: {', '.join(each.unmatched)} left out, as only people or only the "
                "metric scored them"
            )
        reason = each.correlation.undefined_reason
        if reason:
            notes.append(f"{each.pair}: no correlation of {each.measure}: {reason}")
    return list(dict.fromkeys(notes))
