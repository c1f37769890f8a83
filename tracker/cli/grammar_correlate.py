"""``tracker grammar correlate``: whether grammar scores go with what people said of systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, option
from sr_tracker.tracker.cli.output import output_options, write_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from sr_tracker.queries.people.grammar_correlation import HumanCorrelation


@click.command(name="correlate")
@click.option(
    "--human",
    "file",
    type=click.Path(path_type=Path),
    required=True,
    help="Human scores of systems: columns LP, SYSTEM and HUMAN, as in WMT's DA-syslevel.csv.",
)
@option("campaign", required=True, help="Campaign of the submissions.")
@option("treebank", "treebanks", multiple=True, help="Only this test set.")
@click.option(
    "--metric",
    "-m",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="grammar_agreement, grammar_argument, grammar",
    help="A metric such as bleu, or a rule such as 'grammar[amod-ADJ-NOUN:Case]'.",
)
@click.option("--pair", help="Language pair in the file; else told by language and systems.")
@output_options
@pass_context
def command(
    context: Context,
    file: Path,
    campaign: str,
    treebanks: tuple[str, ...],
    measures: tuple[str, ...],
    pair: str | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Correlate scores of systems with human z-scores: Pearson's r, per test set.

    With all systems, and without those so good or bad that they alone make a correlation (Mathur et
    al. 2020). On a terminal one line for each language pair, p-values beside r; --format and
    --output give a row for each metric.
    """
    found = context.tracker().grammar.correlate(
        file,
        campaign=campaign,
        treebanks=treebanks,
        measures=tuple(dict.fromkeys(measures)),
        pair=pair,
    )
    wide = output is None and format_name in (None, "table")
    write_rows(_by_pair(found) if wide else _rows(found), format_name, output)
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
