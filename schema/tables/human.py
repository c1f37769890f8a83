"""What people said about outputs, metrics against them, and differences between scores."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from . import Table, column, double, key, list_of, timestamp


class Judgement(Table, table=True):
    """One row per raw rating by one annotator of one output on one criterion."""

    campaign_id: str = key("the campaign", of="campaign")
    judgement_no: int = key("number within the campaign, from 1")
    annotator_id: str = column("who judged")
    hit_id: str | None = column("batch of items judged in one go")
    item_id: str | None = column("item within the batch")
    submission_id: str | None = column(
        "the submission; NULL for a reference put in as an output", of="submission"
    )
    treebank_id: str = column("the treebank")
    sentence_no: int = column("the sentence", of="sentence")
    criterion: str = column("adequacy, fluency or any other name")
    kind: str = column("ordinary, repeat, degraded or reference")
    raw_score: float = double("rating from 0 to 100; on mqm minus the weights of the errors")
    judged_at: datetime | None = timestamp("when, if known")
    error_spans: list[dict[str, Any]] | None = list_of(
        "STRUCT(start_character INTEGER, end_character INTEGER, on_source BOOLEAN, "
        "category VARCHAR, severity VARCHAR, weight DOUBLE)",
        "marked errors in their order (the view error_spans has a row for each); NULL where the "
        "protocol marks none",
    )


class HumanScore(Table, table=True):
    """One row per output and criterion: the aggregate of its judgements."""

    submission_id: str = key("the submission")
    sentence_no: int = key("the sentence", of="output")
    criterion: str = key("adequacy (meaning similarity), fluency (readability) or any other name")
    z_score: float | None = double("mean z-score; NULL where the file gives none")
    raw_mean: float | None = double(
        "mean raw rating, 0 to 100, by MQM minus the weights of errors; NULL where none is given"
    )
    judgements: int | None = column(
        "number of judgements behind it; NULL where the file does not say"
    )
    source: str = column("name of the file it was read from")


class AnnotatorQuality(Table, table=True):
    """One row per campaign, annotator and criterion: how carefully was judged."""

    campaign_id: str = key("the campaign", of="campaign")
    annotator_id: str = key("who judged")
    criterion: str = key("what was judged")
    judgements: int = column("judgements of any kind")
    raw_mean: float = double("mean of all raw scores, 0 to 100")
    sample_deviation: float | None = double(
        "their sample standard deviation; NULL for one judgement"
    )
    population_deviation: float = double("their population standard deviation")
    degraded_pairs: int = column("degraded copies whose original was judged too")
    degraded_difference: float | None = double("mean of original minus degraded copy")
    degraded_p_value: float | None = double("one-sided: are degraded copies rated lower?")
    repeat_pairs: int = column("exact repeats whose original was judged too")
    repeat_difference: float | None = double("mean absolute difference between them")
    repeat_correlation: float | None = double("Pearson's r between them")
    references_judged: int = column("references put in as outputs")
    reference_mean: float | None = double("their mean raw score")
    passed: bool | None = column("whether the annotator passes; NULL where it cannot be told")
    reason: str | None = column("why not, or why it cannot be told")
    repeat_p_value: float | None = double("two-sided: do repeats differ from their originals?")


class Standardisation(Table, table=True):
    """One row per campaign and criterion: how its human scores were made from judgements."""

    campaign_id: str = key("the campaign", of="campaign")
    criterion: str = key("what was judged")
    deviation: str = column("standard deviation of an annotator's scores: sample or population")
    annotators: str = column("whose judgements count: all or passing")
    threshold: float = double("p-value below which degraded copies count as rated lower")
    judgements: int = column("ordinary and repeated judgements behind the scores")
    signature: str = column("what makes the scores comparable")
    ranked_by: str = column("the score of a sentence that ranks: z or raw")
    ranked_over: str = column("what a submission's mean is of: sentences or domains")
    ranked_test: str = column("which test makes clusters: rank-sum, signed-rank or wmt24")
    domain_pattern: str | None = column(
        "regular expression that found domains in documents' names; NULL for the stored ones"
    )
    data_sha256: str = column("hash of the judgements")
    tool: str = column("version of sr-tracker")
    computed_at: datetime = timestamp("when")


class HumanRanking(Table, table=True):
    """One row per campaign, treebank, criterion, choice of annotators and submission."""

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")
    criterion: str = key("what was judged")
    annotators: str = key("whose judgements count: all or passing")
    submission_id: str = key("the submission", of="submission")
    score: float | None = double("what it is ranked by: mean over sentences, or over domains")
    domains: int | None = column("domains that it is the mean of; NULL for a mean over sentences")
    raw_mean: float = double("mean of its sentences' raw means, 0 to 100")
    z_mean: float | None = double("mean of its sentences' z-scores")
    sentences: int = column("distinct sentences that were judged")
    assessments: int = column("judgements behind them")
    cluster: int | None = column(
        "rank cluster, 1 for the best: systems of different clusters differ significantly"
    )
    rank_from: int | None = column("best rank within its cluster")
    rank_to: int | None = column("worst rank within its cluster")


class HumanComparison(Table, table=True):
    """One row per ordered pair of submissions to a treebank, criterion and choice of annotators."""

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")
    criterion: str = key("what was judged")
    annotators: str = key("whose judgements count: all or passing")
    submission_id: str = key("the submission", of="submission")
    other_submission_id: str = key("the one it is compared with", of="submission")
    sentences: int = column("judged sentences of the submission")
    other_sentences: int = column("judged sentences of the other one")
    score_difference: float | None = double("score minus that of the other one")
    z_difference: float | None = double("mean z-score minus that of the other one")
    u: float | None = double(
        "the test's statistic: Mann-Whitney U (rank sum), the sum of positive ranks, or WMT24's z"
    )
    p_value: float | None = double("one-sided: is the submission rated higher?")
    p_holm: float | None = double("the same, corrected over the pairs of a treebank and criterion")
    undefined_reason: str | None = column("why U is NULL")
    documents: int | None = column(
        "documents that the test takes for independent; NULL where it takes sentences"
    )
    design_effect: float | None = double(
        "how many times the statistic's variance by documents is that by sentences"
    )


class AnnotatorAgreement(Table, table=True):
    """One row per campaign, criterion and kind of agreement."""

    campaign_id: str = key("the campaign", of="campaign")
    criterion: str = key("what was judged")
    annotators: str = key("whose judgements count: all or passing")
    kind: str = key(
        "intra (Pearson's r on repeats, mean of HITs) or alpha (Krippendorff's, interval)"
    )
    agreement: float | None = double("the value, at most 1; NULL where undefined")
    units: int = column("HITs with repeats, or items with several annotators")
    judgements: int = column("judgements behind it")
    undefined_reason: str | None = column("why it is NULL")
    low: float | None = double("lower end of its 95% bootstrap interval, for these annotators")
    high: float | None = double("upper end")
    resampling_unit: str | None = column(
        "what was drawn whole: document, text or sentence, of intra annotator or HIT; NULL where "
        "nothing was"
    )
    clusters: int | None = column("how many of these there were")
    no_interval: str | None = column("why there is no interval")


class ScoreInterval(Table, table=True):
    """One row per submission and metric: a bootstrap confidence interval of its score."""

    signature_id: str = key("how the score was computed", of="signature")
    submission_id: str = key("the submission", of="submission")
    metric: str = column("name of the metric")
    replicates: int = column("number of resampled test sets")
    seed: int = column("seed of the resampling")
    level: float = double("share of the replicates within, such as 0.95")
    sentences: int = column("sentences that were resampled")
    score: float | None = double("the score itself")
    low: float | None = double("lower end of the interval")
    high: float | None = double("upper end")
    undefined_reason: str | None = column("why there is none")
    resampling_unit: str | None = column(
        "what was drawn whole: document, text or sentence; NULL where that was not stored yet"
    )
    clusters: int | None = column("how many of these there were")
