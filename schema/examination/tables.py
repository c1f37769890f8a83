"""How metrics agree with people, and ways of evaluating by people with each other."""

from __future__ import annotations

from ..tables import Table, column, double, key, list_of


class MetricAgreement(Table, table=True):
    """One row per campaign, treebank, metric, criterion and way of correlating: metrics against
    people.
    """

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")
    metric: str = key("name of the metric")
    criterion: str = key("what people judged")
    level: str = key("what is correlated: system or sentence")
    method: str = key("pearson, spearman or kendall")
    outliers: str = key("with or without outlier systems")
    n: int = column("systems, or outputs")
    coefficient: float | None = double("the correlation; NULL where undefined")
    p_value: float | None = double("two-sided")
    williams_p_value: float | None = double(
        "Williams test: is the best metric's correlation higher? NULL for the best"
    )
    among_best: bool | None = column("whether no metric is significantly better")
    removed: list[str] = list_of("VARCHAR", "outlier systems that were left out")
    warning: str | None = column("what makes the figure weak, such as few systems")
    undefined_reason: str | None = column("why the coefficient is NULL")


class EvaluationAgreement(Table, table=True):
    """One row per two ways of evaluating the same systems of a treebank by people."""

    campaign_id: str = key("one campaign, such as the crowd's", of="campaign")
    criterion: str = key("its criterion")
    other_campaign_id: str = key(
        "the other campaign, such as the experts', or the same", of="campaign"
    )
    other_criterion: str = key("its criterion")
    treebank_id: str = key("the treebank", of="treebank")
    method: str = key("pearson, spearman or kendall")
    n: int = column("systems both evaluated")
    coefficient: float | None = double("correlation of their mean z-scores")
    p_value: float | None = double("two-sided")
    undefined_reason: str | None = column("why it is NULL")


class MetricEvaluation(Table, table=True):
    """One row per campaign, treebank, criterion, part of the sentences, statistic and metric: how
    well the metric agrees with people.
    """

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")
    criterion: str = key("what people judged")
    people: str = key("which of their scores: raw or z")
    part_kind: str = key(
        "all, or what parts are of: domain, length, complexity, relation, document"
    )
    part: str = key("the part of the sentences; all")
    level: str = key("what is ordered: sentence (outputs) or system")
    grouping: str = key("whose outputs are compared: those of an item, of a system, or none: all")
    statistic: str = key(
        "accuracy (acc*_eq), kendall (tau-b), pearson, pairwise_accuracy, soft_accuracy (SPA) or"
        " pearson_without_outliers"
    )
    metric: str = key("name of the metric")
    value: float | None = double("agreement, 1 at most; NULL where undefined")
    epsilon: float | None = double("acc*_eq: scores no further apart are tied")
    low: float | None = double(
        "lower end of its 95% bootstrap interval: items resampled (for these systems), and systems"
        " too where they are what is ordered (for systems like these)"
    )
    high: float | None = double("upper end")
    place: int | None = column("1 + the metrics that agree better")
    cluster: int | None = column(
        "1 for the best; it ends before the first metric that one in it is significantly better"
        " than"
    )
    systems: int = column("systems")
    items: int = column("sentences that were judged")
    outputs: int = column("outputs that people and the metric scored")
    resamples: int = column("permutations, and resampled test sets")
    seed: int = column("seed of both")
    undefined_reason: str | None = column("why the value is NULL")


class MetricComparison(Table, table=True):
    """One row per two metrics and statistic of a campaign, treebank and criterion: does the first
    agree better?
    """

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")
    criterion: str = key("what people judged")
    people: str = key("which of their scores: raw or z")
    level: str = key("what is ordered: sentence (outputs) or system")
    grouping: str = key("whose outputs are compared: those of an item, of a system, or none: all")
    statistic: str = key("the statistic, as in metric_evaluation")
    metric: str = key("the metric with the higher value, or the first by name")
    other_metric: str = key("the one it is compared with")
    difference: float = double("its value minus that of the other one")
    p_permutation: float | None = double("PERM-BOTH, one-sided: does it agree better?")
    p_bootstrap: float | None = double("two-sided, by the draws of the intervals, centred")
    p_corrected: float | None = double(
        "PERM-BOTH, two-sided, corrected for all pairs of metrics (Westfall and Young): clusters"
    )
