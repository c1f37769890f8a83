"""Charts of selected submissions: one submission's own, or aggregated over several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from sr_tracker.queries.counting import Counting, counted, kinds_of, who_counts
from sr_tracker.queries.errors.measures import check_mining
from sr_tracker.queries.reading import read_about, read_over
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.names import check_names
from sr_tracker.schema.statements import read_rows, read_table
from sr_tracker.tracker.show.charts import chart
from sr_tracker.tracker.show.charts.style import COMPLEXITY, captioned

if TYPE_CHECKING:
    from altair.typing import ChartType

TESTED = ("bleu", "dea", "adequacy_z", "fluency_z")


@dataclass(frozen=True)
class Choice:
    """What a chart shows; the defaults are those of the paper."""

    labels: str = "deprel"
    """What the nodes of mined patterns are labelled with."""
    metrics: Sequence[str] = ()
    """Only these metrics. Of mined patterns, the first one (else BLEU) tells failed from passed."""
    method: str = "spearman"
    """Coefficient of the correlations."""
    counting: Counting = "newest"
    """Who counts in what is aggregated over several submissions."""

    @property
    def mining_metric(self) -> str:
        """The metric of the error mining."""
        return self.metrics[0] if self.metrics else "bleu"


def draw_selected(
    database: Database, kind: str, submissions: Sequence[str], name: str, choice: Choice
) -> ChartType:
    """Return the chart of a kind (one of KINDS) of the submissions, which are called ``name``.

    One submission is shown as it is; of several the heat map shows medians, dea and entropy show
    means, patterns show coverage, of those that count (AGGREGATED), which is said below the title;
    the others show each.

    Raises UnknownNameError where what it shows is not computed yet, InputError for a suspicion
    tree of several submissions, or where none counts.
    """
    caption = ""
    if kind in AGGREGATED and len(submissions) > 1:
        having, scope = AGGREGATED[kind]
        counting = counted(database, submissions, choice.counting, having=having, scope=scope)
        if counting:
            caption = f"counted: {who_counts(choice.counting, kinds_of(database, counting))}"
            submissions = counting
    title = (
        submissions[0] if len(submissions) == 1 else f"{name} · {len(submissions):,} submissions"
    )
    return captioned(KINDS[kind](database, submissions, title, choice), caption)


def _dea(
    database: Database,
    submissions: Sequence[str],
    title: str,
    choice: Choice,  # noqa: ARG001
) -> ChartType:
    rows = _rows(database, "dea_by_relation", submissions)
    rows = rows[rows["deprel"].notna()]
    _require(rows, "accuracy by relation", "run 'tracker score'")
    if len(submissions) == 1:
        return chart("dea_by_relation_chart", rows, title)
    return chart("dea_of_submissions_chart", rows, title)


def _correlations(
    database: Database, submissions: Sequence[str], title: str, choice: Choice
) -> ChartType:
    if len(submissions) == 1:
        rows = _rows(database, "correlations", submissions)
    else:
        rows = _aggregated(database, "correlation_medians", submissions, choice)
    rows = rows[(rows["method"] == choice.method) & (rows["unit"] == "sentence")]
    _require(rows, f"correlation by {choice.method}", f"'tracker analyse --method {choice.method}'")
    _check_metrics(choice, {*rows["measure"], *rows["other_measure"]} - {*COMPLEXITY})
    if choice.metrics:
        kept = {*choice.metrics, *COMPLEXITY}
        rows = rows[rows["measure"].isin(kept) & rows["other_measure"].isin(kept)]
    return chart("correlation_heat_map", rows, title)


def _projectivity(
    database: Database, submissions: Sequence[str], title: str, choice: Choice
) -> ChartType:
    rows = _rows(database, "projectivity_tests", submissions)
    _require(
        rows,
        "projectivity test",
        "'tracker analyse' tests where more than 5 % of the sentences are non-projective; "
        "--minimum-share 0 tests all",
    )
    _check_metrics(choice, {*rows["metric"]})
    return chart("projectivity_chart", rows[rows["metric"].isin(choice.metrics or TESTED)], title)


def _entropy(
    database: Database,
    submissions: Sequence[str],
    title: str,
    choice: Choice,  # noqa: ARG001
) -> ChartType:
    rows = _rows(database, "entropy_dea", submissions)
    _require(rows, "accuracy by relation", "run 'tracker score'")
    correlation = _rows(database, "correlations", submissions)
    of_relations = correlation[correlation["unit"] == "relation"]
    rho = of_relations["coefficient"].astype(float).median()
    return chart("entropy_scatter", rows, title, None if rho != rho else float(rho))


def _patterns(
    database: Database, submissions: Sequence[str], title: str, choice: Choice
) -> ChartType:
    check_mining(database, choice.labels, choice.mining_metric)
    minings = read_rows(
        database,
        "newest_mining_of",
        submissions=list(submissions),
        labels=choice.labels,
        metric=choice.mining_metric,
    )
    if not minings:
        raise _missing(
            f"error mining of {choice.labels} by {choice.mining_metric}",
            f"'tracker analyse --labels {choice.labels} --metric {choice.mining_metric}'",
        )
    (mining,) = minings
    if not mining["submissions"]:
        raise UnknownNameError(
            "nothing could be mined of what is selected",
            where=mining["undefined_reason"],
            hint="choose another --metric, or 'tracker analyse' with another --quantile",
        )
    if len(submissions) == 1:
        rows = _rows(database, "suspicious_patterns", submissions)
    else:
        rows = _aggregated(database, "pattern_coverage", submissions, choice)
    return chart("suspicious_patterns_chart", rows[rows["settings"] == mining["settings"]], title)


def _suspicion_tree(
    database: Database, submissions: Sequence[str], title: str, choice: Choice
) -> ChartType:
    from sr_tracker.queries.errors.suspicion_trees import read_suspicion_tree

    if len(submissions) > 1:
        raise InputError(
            f"a suspicion tree is one submission's, these are {len(submissions)}",
            hint="choose one with --submission",
        )
    rows = read_suspicion_tree(
        database, submissions[0], labels=choice.labels, metric=choice.mining_metric
    )
    return chart("suspicion_tree_chart", rows, title)


def _human(
    database: Database,
    submissions: Sequence[str],
    title: str,
    choice: Choice,  # noqa: ARG001
) -> ChartType:
    rows = _rows(database, "human_comparisons", submissions)
    rows = rows[rows["chosen"].eq(True) & rows["other_submission_id"].isin(submissions)]
    _require(rows, "comparison by people", "run 'tracker human'")
    _require_one_test_set(rows)
    return chart("human_heat_map", rows, title)


def _agreement(
    database: Database,
    submissions: Sequence[str],
    title: str,
    choice: Choice,  # noqa: ARG001
) -> ChartType:
    rows = read_table(
        database, "system_metric_agreements", submissions=list(submissions)
    ).to_pandas()
    _require(rows, "correlation of metrics with people", "run 'tracker human'")
    _require_one_test_set(rows)
    return chart("metric_agreement_chart", rows, title)


def _intervals(
    database: Database, submissions: Sequence[str], title: str, choice: Choice
) -> ChartType:
    rows = _rows(database, "score_intervals", submissions)
    _require(rows, "interval of a score", "run 'tracker significance'")
    _check_metrics(choice, {*rows["metric"]})
    kept = rows[rows["metric"].isin(choice.metrics)] if choice.metrics else rows
    return chart("intervals_chart", kept, title)


def _rows(database: Database, view: str, submissions: Sequence[str]) -> pd.DataFrame:
    frame: pd.DataFrame = read_about(database, view, submissions).to_pandas()
    return frame


def _aggregated(
    database: Database, view: str, submissions: Sequence[str], choice: Choice
) -> pd.DataFrame:
    """Return the rows of an aggregating view over submissions."""
    frame: pd.DataFrame = read_over(database, view, submissions, choice.counting).to_pandas()
    return frame


def _require_one_test_set(rows: pd.DataFrame) -> None:
    groups = rows.groupby(["campaign_id", "treebank_id"]).ngroups
    if groups > 1:
        raise InputError(
            f"what is selected was judged in {groups} groups",
            hint="choose one with --campaign and --treebank",
        )


def _require(rows: pd.DataFrame, what: str, hint: str) -> None:
    if rows.empty:
        raise _missing(what, hint)


def _missing(what: str, hint: str) -> UnknownNameError:
    return UnknownNameError(f"there is no {what} of what is selected", hint=hint)


def _check_metrics(choice: Choice, known: set[str]) -> None:
    check_names("metric", choice.metrics, known, where="what is selected")


AGGREGATED: dict[str, tuple[str, Sequence[str]]] = {
    "dea": ("dea_by_relation", ()),
    "correlations": ("correlations", ("method", "unit", "measure", "other_measure")),
    "entropy": ("entropy_dea", ()),
    "patterns": ("suspicious_patterns", ("settings",)),
}
"""Charts that aggregate over several submissions: the view whose rows they show, and the
columns of the scope within which submissions count."""

KINDS: dict[str, Callable[[Database, Sequence[str], str, Choice], ChartType]] = {
    "dea": _dea,
    "correlations": _correlations,
    "projectivity": _projectivity,
    "entropy": _entropy,
    "patterns": _patterns,
    "suspicion-tree": _suspicion_tree,
    "human": _human,
    "agreement": _agreement,
    "intervals": _intervals,
}
