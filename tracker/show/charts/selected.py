"""Charts of selected submissions: one submission's own, or aggregated over several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ....queries.counting import Counting, counted, kinds_of, who_counts
from ....queries.errors.jobs import check_mining
from ....queries.reading import read_about, read_over
from ....schema.database import Database
from ....schema.errors import InputError, UnknownNameError
from ....schema.names import check_names
from ....schema.statements import Row, read_rows, read_table
from . import chart
from .drawing import COMPLEXITY, Specification, by, captioned, defined, records

TESTED = ("bleu", "dea", "adequacy_z", "fluency_z")


@dataclass(frozen=True)
class Choice:
    """What a chart shows; the defaults are those of the paper."""

    labels: str = "deprel"
    """Labels of the mined patterns."""
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


@dataclass(frozen=True)
class _Chosen:
    """What a chart is of."""

    database: Database
    submissions: Sequence[str]
    title: str
    choice: Choice

    def rows(self, view: str, over: str = "") -> list[Row]:
        """Return a view's rows; where there are several submissions, of the view ``over`` them."""
        if over and len(self.submissions) > 1:
            read = read_over(self.database, over, self.submissions, self.choice.counting)
        else:
            read = read_about(self.database, view, self.submissions)
        return records(read)

    def check_metrics(self, names: set[str]) -> None:
        """Raise UnknownNameError for a chosen metric that is not known."""
        check_names("metric", self.choice.metrics, names, where="what is selected")


def draw_selected(
    database: Database, kind: str, submissions: Sequence[str], name: str, choice: Choice
) -> Specification:
    """Return the chart of a kind (one of KINDS) of the submissions, which are called ``name``.

    One submission is shown as it is; of several the heat map shows medians, dea and entropy show
    means, patterns show coverage, of those that count (AGGREGATED), which is said below the title;
    the others show each.

    Raises UnknownNameError for another kind, or where what it shows is not computed yet,
    InputError for a suspicion tree of several submissions, or where none counts.
    """
    check_names("kind of chart", [kind], KINDS)
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
    return captioned(KINDS[kind](_Chosen(database, submissions, title, choice)), caption)


def _dea(of: _Chosen) -> Specification:
    rows = defined(of.rows("dea_by_relation"), "deprel")
    _require(rows, "accuracy by relation", "run 'tracker score'")
    one = len(of.submissions) == 1
    return chart("dea_by_relation_chart" if one else "dea_of_submissions_chart", rows, of.title)


def _correlations(of: _Chosen) -> Specification:
    rows = [
        row
        for row in of.rows("measure_correlations", "correlation_medians")
        if row["method"] == of.choice.method and row["unit"] == "sentence"
    ]
    _require(
        rows, f"correlation by {of.choice.method}", f"'tracker analyse --method {of.choice.method}'"
    )
    measures = {row[name] for row in rows for name in ("measure", "other_measure")}
    of.check_metrics(measures - {*COMPLEXITY})
    if of.choice.metrics:
        chosen = {*of.choice.metrics, *COMPLEXITY}
        rows = [row for row in rows if {row["measure"], row["other_measure"]} <= chosen]
    return chart("correlation_heat_map", rows, of.title)


def _projectivity(of: _Chosen) -> Specification:
    rows = of.rows("projectivity_effects")
    _require(
        rows,
        "projectivity test",
        "'tracker analyse' tests where more than 5 % of the sentences are non-projective; "
        "--minimum-share 0 tests all",
    )
    of.check_metrics({row["metric"] for row in rows})
    chosen = of.choice.metrics or TESTED
    return chart("projectivity_chart", [row for row in rows if row["metric"] in chosen], of.title)


def _entropy(of: _Chosen) -> Specification:
    rows = of.rows("entropy_dea")
    _require(rows, "accuracy by relation", "run 'tracker score'")
    coefficients = [
        row["coefficient"]
        for row in defined(of.rows("measure_correlations"), "coefficient")
        if row["unit"] == "relation"
    ]
    return chart("entropy_scatter", rows, of.title, median(coefficients) if coefficients else None)


def _patterns(of: _Chosen) -> Specification:
    check_mining(of.database, of.choice.labels, of.choice.mining_metric)
    minings = read_rows(
        of.database,
        "newest_mining_of",
        submissions=list(of.submissions),
        labels=of.choice.labels,
        metric=of.choice.mining_metric,
    )
    if not minings:
        raise _missing(
            f"error mining of {of.choice.labels} by {of.choice.mining_metric}",
            f"'tracker analyse --labels {of.choice.labels} --metric {of.choice.mining_metric}'",
        )
    (mining,) = minings
    if not mining["submissions"]:
        raise UnknownNameError(
            "nothing could be mined from the selected submissions",
            where=mining["undefined_reason"],
            hint="choose another --metric, or 'tracker analyse' with another --quantile",
        )
    rows = of.rows("suspicious_patterns", "pattern_coverage")
    rows = [row for row in rows if row["settings"] == mining["settings"]]
    return chart("suspicious_patterns_chart", rows, of.title)


def _suspicion_tree(of: _Chosen) -> Specification:
    from ....queries.errors.suspicion_tree import read_suspicion_tree

    if len(of.submissions) > 1:
        raise InputError(
            f"a suspicion tree is one submission's, these are {len(of.submissions)}",
            hint="choose one with --submission",
        )
    rows = read_suspicion_tree(
        of.database, of.submissions[0], labels=of.choice.labels, metric=of.choice.mining_metric
    )
    return chart("suspicion_tree_chart", rows, of.title)


def _human(of: _Chosen) -> Specification:
    rows = of.rows("human_pairs")
    rows = [
        row for row in rows if row["chosen"] is True and row["base_submission_id"] in of.submissions
    ]
    _require(rows, "comparison by people", "run 'tracker human'")
    _require_one_test_set(rows)
    return chart("human_heat_map", rows, of.title)


def _agreement(of: _Chosen) -> Specification:
    rows = records(
        read_table(of.database, "system_metric_agreements", submissions=list(of.submissions))
    )
    _require(rows, "correlation of metrics with people", "run 'tracker human'")
    _require_one_test_set(rows)
    return chart("metric_agreement_chart", rows, of.title)


def _intervals(of: _Chosen) -> Specification:
    rows = of.rows("metric_intervals")
    _require(rows, "interval of a score", "run 'tracker why significance'")
    of.check_metrics({row["metric"] for row in rows})
    chosen = of.choice.metrics
    shown = [row for row in rows if not chosen or row["metric"] in chosen]
    return chart("intervals_chart", shown, of.title)


def _require_one_test_set(rows: Sequence[Row]) -> None:
    groups = len(by(rows, "campaign_id", "treebank_id"))
    if groups > 1:
        raise InputError(
            f"the selected submissions were judged in {groups} groups",
            hint="choose one with --campaign and --treebank",
        )


def _require(rows: Sequence[Any], what: str, hint: str) -> None:
    if not rows:
        raise _missing(what, hint)


def _missing(what: str, hint: str) -> UnknownNameError:
    return UnknownNameError(f"there is no {what} for the selected submissions", hint=hint)


AGGREGATED: dict[str, tuple[str, Sequence[str]]] = {
    "dea": ("dea_by_relation", ()),
    "correlations": ("measure_correlations", ("method", "unit", "measure", "other_measure")),
    "entropy": ("entropy_dea", ()),
    "patterns": ("suspicious_patterns", ("settings",)),
}
"""Charts that aggregate over several submissions: the view whose rows they show, and the
columns of the scope within which submissions count."""

KINDS: dict[str, Callable[[_Chosen], Specification]] = {
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
