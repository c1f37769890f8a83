"""``tracker gate``: leave with 1 where a submission got worse than it may."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.schema.errors import CheckFailedError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import SUBMISSION, narrowing_options, option

if TYPE_CHECKING:
    from sr_tracker.queries.change.gate import GateResult

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(name="gate")
@click.argument("new", type=SUBMISSION)
@click.option(
    "--against",
    type=SUBMISSION,
    required=True,
    help="The baseline: a submission, or SYSTEM@best:dea.",
)
@narrowing_options
@click.option(
    "--max-drop",
    multiple=True,
    metavar="MEASURE=LIMIT",
    help="How far it may get worse, in points, as dea=0.5 or 'dea[*]=5'; may be repeated.",
)
@click.option(
    "--min",
    "floors",
    multiple=True,
    metavar="MEASURE=LIMIT",
    help="How low it may be, in points, as bleu=40; may be repeated.",
)
@click.option("--thresholds", type=_FILE, help="Thresholds in a toml file; options go before it.")
@click.option(
    "--allow-undefined", multiple=True, metavar="MEASURE", help="This may be undefined; may have *."
)
@click.option(
    "--significant/--any-drop",
    default=None,
    help="Whether a drop counts only where it is more than chance.  [default: any drop]",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="More than chance: the corrected p-value is below this.  [default: 0.05]",
)
@click.option(
    "--minimum-n",
    type=click.IntRange(0),
    help="What rests on fewer sentences, or edges of a relation, cannot fail.  [default: 0]",
)
@option("replicates")
@option("seed", help="Seed of the resampling.")
@click.option("--junit", type=_FILE, help="Write the result to this file as JUnit XML.")
@click.option("--json", "json_file", type=_FILE, help="Write the result to this file as JSON.")
@click.option("--force", is_flag=True, help="Compare what must not be compared, saying so.")
@pass_context
def command(
    context: Context,
    new: str,
    against: str,
    treebank: str | None,
    campaign: str | None,
    max_drop: tuple[str, ...],
    floors: tuple[str, ...],
    thresholds: Path | None,
    allow_undefined: tuple[str, ...],
    significant: bool | None,
    alpha: float | None,
    minimum_n: int | None,
    junit: Path | None,
    json_file: Path | None,
    **options: Any,
) -> None:
    """Check that submission NEW is not worse than a baseline by more than the thresholds allow.

    Leaves with 0 where it passes, 1 where it fails, 2 where what was asked for makes no sense.
    Limits are in points (hundredths) for scores of 0 to 1, in bits for NIST, else as they are.
    """
    from sr_tracker.queries.change.comparison.model import Settings
    from sr_tracker.queries.change.gate import (
        ThresholdFile,
        check_gate,
        merged,
        parse_threshold,
        read_thresholds,
    )
    from sr_tracker.schema.iterations import resolve_submission
    from sr_tracker.schema.writing import write_file
    from sr_tracker.tracker.show.gate_files import as_json, as_junit

    file = read_thresholds(thresholds) if thresholds else ThresholdFile()
    given = [parse_threshold("max-drop", text) for text in max_drop]
    given += [parse_threshold("min", text) for text in floors]
    alpha = alpha or file.alpha or Settings().alpha
    with context.reading() as database:
        submissions = [
            resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in (new, against)
        ]
        result = check_gate(
            database,
            submissions[0],
            submissions[1],
            merged(file.thresholds, given, allow_undefined),
            significant=bool(file.significant if significant is None else significant),
            minimum_n=(file.minimum_n or 0) if minimum_n is None else minimum_n,
            settings=Settings(alpha=alpha, **options),
        )
    for path, content in ((junit, as_junit), (json_file, as_json)):
        if path is not None:
            write_file(path, content(result))
    _print(result)
    if not result.passed:
        names = ", ".join(verdict.change.measure for verdict in result.failed[:5])
        more = f" and {len(result.failed) - 5} more" if len(result.failed) > 5 else ""
        raise CheckFailedError(
            f"the gate fails by {len(result.failed)} of {len(result.verdicts)} thresholds: "
            f"{names}{more}",
            hint=f"'tracker compare {result.new.submission_id} {result.base.submission_id}' "
            "shows where",
        )


def _print(result: GateResult) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from sr_tracker.queries.change.comparison.points import unit
    from sr_tracker.queries.change.gate.model import FAILED, PASSED
    from sr_tracker.queries.metrics.registry import notes
    from sr_tracker.tracker.console import Console
    from sr_tracker.tracker.show.findings.headline import names
    from sr_tracker.tracker.show.numbers import measured, probability
    from sr_tracker.tracker.show.terminal import visible

    styles = {PASSED: "green", FAILED: "bold red"}
    new, base = map(visible, names(result.new, result.base))
    console = Console()
    console = console if console.is_terminal else Console(width=120)
    rule = f"a drop counts where p < {result.alpha:g} (Holm)" if result.significant else "any drop"
    console.print(Text(f"{new} against {base} · {rule}", style="bold"), highlight=False)
    for objection in result.objections:
        console.print(Text(f"forced, though not comparable: {objection}", style="bold red"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("threshold", overflow="fold")
    for heading in ("base", "new", "change", "limit", "unit", "n", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    for verdict in sorted(result.verdicts, key=lambda each: each.verdict != FAILED):
        change, limit = verdict.change, verdict.threshold.limit
        told = f"{verdict.verdict}: {verdict.reason}" if verdict.reason else verdict.verdict
        table.add_row(
            Text(visible(f"{verdict.threshold.kind} {change.measure}")),
            measured(change.measure, change.base),
            measured(change.measure, change.new),
            measured(change.measure, change.difference, sign=True),
            f"{limit:g}",
            unit(change.measure),
            f"{change.n:,}",
            probability(change.p_holm),
            Text(told, style=styles.get(verdict.verdict, "yellow")),
        )
    console.print(table)
    for note in (*result.notes, *notes(each.change.measure for each in result.verdicts)):
        console.print(Text(f"note: {note}", style="yellow"), highlight=False)
