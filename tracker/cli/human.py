"""``tracker human``: from judgements to rankings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...schema.brief import plural
from ...schema.statements import read_rows, read_table
from .context import Context, command
from .options import option
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.people import HumanReport
    from ...queries.people.human_scores import HumanSettings
    from ...schema.database import Database
    from ..show.model import Table

SHOWN_ANNOTATORS = 20


@command("human")
@option("campaign", help="Only this campaign.")
@option("criterion")
@option(
    "--deviation",
    choices=["sample", "population"],
    default="sample",
    help="Standard deviation of an annotator's scores.",
)
@option(
    "--within",
    choices=["campaign", "treebank"],
    default="campaign",
    help="Standardise over an annotator's scores in the campaign, or in each treebank.",
)
@option(
    "--unvaried",
    choices=["null", "zero"],
    default="null",
    help="z-score of annotators who always give the same score: none, or 0.",
)
@option(
    "--annotators",
    choices=["passing", "all", "auto"],
    default="auto",
    help="Whose judgements make human scores; auto: those who passed where anybody did, else all.",
)
@option(
    "--threshold",
    default=0.05,
    help="Annotators pass who rate degraded copies lower with a p-value below this.",
)
@option("--holm", is_flag=True, help="Clusters by p-values corrected for their number.")
@option(
    "--rank-by",
    "ranked_by",
    choices=["z", "raw"],
    default="z",
    help="Which score of a sentence ranks and is tested: the standardised one, or the raw one.",
)
@option(
    "--over",
    choices=["sentences", "domains"],
    default="sentences",
    help="What a system's mean is of: sentences, or domains, each the mean of its sentences.",
)
@option(
    "--domain-pattern",
    metavar="REGEX",
    help="Find domains in documents' names: '^test-en-([a-z]+)_'; else those that were loaded.",
)
@option(
    "--test",
    choices=["rank-sum", "signed-rank", "wmt24"],
    default="rank-sum",
    help="Which Wilcoxon test makes clusters; wmt24: signed ranks in each domain, combined.",
)
@option(
    "--unit",
    choices=["documents", "sentences"],
    default="documents",
    help="What tests take for independent: documents, where they are known, or sentences.",
)
@option(
    "--head-to-head",
    is_flag=True,
    help="Show differences between every two systems with their significance, not the ranking.",
)
@option("replace", help="Replace human scores that were loaded from files.")
@output_options
def human(
    context: Context, campaign: str | None, to: Destination, head_to_head: bool, **options: Any
) -> None:
    """Turn judgements into rankings: quality control, z-scores, agreement and tests.

    Results are stored with all annotators and with those who passed: 'tracker show
    human_rankings', 'annotators', 'annotator_agreements',
    'human_comparisons', 'metric_agreements'. The outputs' scores are those of the leaderboard.
    """
    from ...queries.people.human_scores import HumanSettings

    settings = HumanSettings(**options)
    tracker = context.tracker()
    with context.progress("evaluating") as progress:
        report = tracker.human(campaign, settings, progress=progress)
    with tracker.reading() as database:
        rows = _evaluated(database, report, head_to_head=head_to_head)
        failed = _failed(database, report)
    for note in report.notes:
        context.say(note)
    for line in failed[:SHOWN_ANNOTATORS]:
        context.say(line)
    if len(failed) > SHOWN_ANNOTATORS:
        context.say(
            f"{len(failed) - SHOWN_ANNOTATORS} more failed: "
            "tracker show annotators --where 'NOT passed'"
        )
    _write(rows, settings, to, head_to_head=head_to_head)


def _write(rows: pa.Table, settings: HumanSettings, to: Destination, *, head_to_head: bool) -> None:
    from ..show.findings import people as shown

    def squares() -> list[Table]:
        return shown.head_to_head_tables(rows.to_pylist(), settings)

    if head_to_head:
        write_rows(rows, to, lambda: shown.head_to_head(squares()), squares)
    else:
        tables = partial(shown.ranking_tables, rows.to_pylist(), settings)
        write_rows(rows, to, tables=tables)


def _evaluated(database: Database, report: HumanReport, *, head_to_head: bool) -> pa.Table:
    """Return the rankings, or the comparisons, by the annotators whose judgements count."""
    evaluated = [
        {"campaign_id": campaign.campaign_id, "criterion": criterion}
        for campaign in report.campaigns
        for criterion in campaign.chosen
    ]
    name = "evaluated_comparisons" if head_to_head else "evaluated_rankings"
    return read_table(database, name, evaluated=evaluated)


def _failed(database: Database, report: HumanReport) -> list[str]:
    """Return a line for each annotator who failed quality control, with the numbers."""
    lines = []
    for campaign in report.campaigns:
        rows = read_rows(
            database,
            "failed_annotators",
            campaign=campaign.campaign_id,
            criteria=list(campaign.chosen),
        )
        lines += [_line(campaign.campaign_id, **row) for row in rows]
    return lines


def _line(
    campaign_id: str,
    annotator_id: str,
    criterion: str,
    reason: str,
    degraded_difference: float,
    degraded_pairs: int,
    degraded_p_value: float | None,
    repeat_difference: float | None,
    repeat_pairs: int,
    reference_mean: float | None,
    references_judged: int,
) -> str:
    numbers = [f"{degraded_difference:.1f} lower in {plural(degraded_pairs, 'pair')}"]
    numbers += [] if degraded_p_value is None else [f"p = {degraded_p_value:.3f}"]
    if repeat_difference is not None:
        numbers.append(f"{plural(repeat_pairs, 'repeat')} off by {repeat_difference:.1f}")
    if reference_mean is not None:
        numbers.append(f"{plural(references_judged, 'reference')} at {reference_mean:.1f}")
    return f"failed: {annotator_id} ({campaign_id}, {criterion}): {reason} ({'; '.join(numbers)})"
