"""Statistical analyses of submissions, and the subtrees of treebanks they rest on."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import SQLModel

from sr_tracker.schema.columns import double, key, list_of, timestamp


class Analysis(SQLModel, table=True):
    """A statistical analysis of a submission that is complete."""

    signature_id: str = key()
    submission_id: str = key()
    analysis: str
    settings: str
    signature: str
    data_sha256: str
    tool: str
    analysed_at: datetime = timestamp()
    revision: int | None = None


class Correlation(SQLModel, table=True):
    """How two measures of a submission go together."""

    signature_id: str = key()
    submission_id: str = key()
    method: str
    unit: str
    measure: str = key()
    other_measure: str = key()
    n: int
    coefficient: float | None = double(default=None)
    p_value: float | None = double(default=None)
    p_holm: float | None = double(default=None)
    undefined_reason: str | None = None


class ProjectivityTest(SQLModel, table=True):
    """Projective against non-projective sentences of a submission by one metric."""

    __tablename__ = "projectivity_test"

    signature_id: str = key()
    submission_id: str = key()
    metric: str = key()
    projective: int
    non_projective: int
    projective_median: float | None = double(default=None)
    non_projective_median: float | None = double(default=None)
    u: float | None = double(default=None)
    p_value: float | None = double(default=None)
    rank_biserial: float | None = double(default=None)
    undefined_reason: str | None = None


class SubtreeEnumeration(SQLModel, table=True):
    """How far the subtrees of a treebank are enumerated."""

    __tablename__ = "subtree_enumeration"

    treebank_id: str = key()
    labels: str = key()
    max_nodes: int
    minimum_support: int
    version: str
    data_sha256: str
    tool: str
    enumerated_at: datetime = timestamp()


class Subtree(SQLModel, table=True):
    """A subtree pattern of a treebank and the sentences that contain it."""

    treebank_id: str = key()
    labels: str = key()
    pattern: str = key()
    nodes: int
    sentence_nos: list[int] = list_of("INTEGER")


class ErrorMining(SQLModel, table=True):
    """Which sentences of a submission count as failed in one mining."""

    __tablename__ = "error_mining"

    signature_id: str = key()
    submission_id: str = key()
    labels: str
    metric: str
    quantile: float | None = double(default=None)
    threshold: float | None = double(default=None)
    sentences: int
    failed: int
    max_nodes: int
    minimum_support: int
    undefined_reason: str | None = None


class Suspicion(SQLModel, table=True):
    """How often a pattern goes with failure in one mining."""

    signature_id: str = key()
    submission_id: str = key()
    pattern: str = key()
    nodes: int
    sentences: int
    failed: int
    p_value: float = double()
    p_holm: float = double()


class SuspicionNode(SQLModel, table=True):
    """A node of a suspicion tree."""

    __tablename__ = "suspicion_node"

    signature_id: str = key()
    submission_id: str = key()
    node_no: int = key()
    parent_node_no: int | None = None
    has_pattern: bool | None = None
    depth: int
    sentences: int
    failed: int
    pattern: str | None = None
    suspicion: float | None = double(default=None)
    stop_reason: str | None = None
