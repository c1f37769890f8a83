"""People's judgements, metrics against them, and differences between scores."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import SQLModel

from sr_tracker.schema.columns import double, key, list_of, timestamp


class AnnotatorQuality(SQLModel, table=True):
    """How carefully an annotator judged."""

    __tablename__ = "annotator_quality"

    campaign_id: str = key()
    annotator_id: str = key()
    criterion: str = key()
    judgements: int
    raw_mean: float = double()
    sample_deviation: float | None = double(default=None)
    population_deviation: float = double()
    degraded_pairs: int
    degraded_difference: float | None = double(default=None)
    degraded_p_value: float | None = double(default=None)
    repeat_pairs: int
    repeat_difference: float | None = double(default=None)
    repeat_correlation: float | None = double(default=None)
    references_judged: int
    reference_mean: float | None = double(default=None)
    passed: bool | None = None
    reason: str | None = None


class Standardisation(SQLModel, table=True):
    """How a campaign's human scores were made from judgements."""

    campaign_id: str = key()
    criterion: str = key()
    deviation: str
    annotators: str
    threshold: float = double()
    judgements: int
    signature: str
    data_sha256: str
    tool: str
    computed_at: datetime = timestamp()


class HumanRanking(SQLModel, table=True):
    """A submission's place by people's judgement."""

    __tablename__ = "human_ranking"

    campaign_id: str = key()
    treebank_id: str = key()
    criterion: str = key()
    annotators: str = key()
    submission_id: str = key()
    raw_mean: float = double()
    z_mean: float | None = double(default=None)
    sentences: int
    assessments: int
    cluster: int | None = None
    rank_from: int | None = None
    rank_to: int | None = None


class HumanComparison(SQLModel, table=True):
    """Two submissions compared by people's judgement."""

    __tablename__ = "human_comparison"

    campaign_id: str = key()
    treebank_id: str = key()
    criterion: str = key()
    annotators: str = key()
    submission_id: str = key()
    other_submission_id: str = key()
    sentences: int
    other_sentences: int
    z_difference: float | None = double(default=None)
    u: float | None = double(default=None)
    p_value: float | None = double(default=None)
    p_holm: float | None = double(default=None)
    undefined_reason: str | None = None


class AnnotatorAgreement(SQLModel, table=True):
    """How far annotators agree with themselves or each other."""

    __tablename__ = "annotator_agreement"

    campaign_id: str = key()
    criterion: str = key()
    annotators: str = key()
    kind: str = key()
    agreement: float | None = double(default=None)
    units: int
    judgements: int
    undefined_reason: str | None = None


class ScoreInterval(SQLModel, table=True):
    """A bootstrap confidence interval of a submission's score."""

    __tablename__ = "score_interval"

    signature_id: str = key()
    submission_id: str = key()
    metric: str
    replicates: int
    seed: int
    level: float = double()
    sentences: int
    score: float | None = double(default=None)
    low: float | None = double(default=None)
    high: float | None = double(default=None)
    undefined_reason: str | None = None


class ScoreComparison(SQLModel, table=True):
    """Two submissions' scores compared."""

    __tablename__ = "score_comparison"

    signature_id: str = key()
    submission_id: str = key()
    other_submission_id: str = key()
    metric: str
    replicates: int
    seed: int
    level: float = double()
    sentences: int
    difference: float | None = double(default=None)
    low: float | None = double(default=None)
    high: float | None = double(default=None)
    p_bootstrap: float | None = double(default=None)
    p_randomisation: float | None = double(default=None)
    undefined_reason: str | None = None


class MetricAgreement(SQLModel, table=True):
    """How a metric goes with people's judgement."""

    __tablename__ = "metric_agreement"

    campaign_id: str = key()
    treebank_id: str = key()
    metric: str = key()
    criterion: str = key()
    level: str = key()
    method: str = key()
    outliers: str = key()
    n: int
    coefficient: float | None = double(default=None)
    p_value: float | None = double(default=None)
    williams_p_value: float | None = double(default=None)
    among_best: bool | None = None
    removed: list[str] = list_of("VARCHAR")
    warning: str | None = None
    undefined_reason: str | None = None


class EvaluationAgreement(SQLModel, table=True):
    """How two ways of evaluating by people go together."""

    __tablename__ = "evaluation_agreement"

    campaign_id: str = key()
    criterion: str = key()
    other_campaign_id: str = key()
    other_criterion: str = key()
    treebank_id: str = key()
    method: str = key()
    n: int
    coefficient: float | None = double(default=None)
    p_value: float | None = double(default=None)
    undefined_reason: str | None = None
