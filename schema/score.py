"""Scores, the counts they are derived from, and the signatures that make them comparable."""

from __future__ import annotations

from typing import Any

from sqlmodel import SQLModel

from sr_tracker.schema.columns import double, json_object, key, list_of


class Signature(SQLModel, table=True):
    """What makes two scores comparable."""

    signature_id: str = key()
    metric: str
    signature: str
    parameters: dict[str, Any] = json_object()
    text_level: str
    tokeniser: str
    versions: dict[str, Any] = json_object()
    treebank_id: str
    data_sha256: str
    better: str | None = "higher"


class EdgeMatch(SQLModel, table=True):
    """Whether an output realises an edge of the reference."""

    __tablename__ = "edge_match"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    token_no: int = key()
    deprel: str | None = None
    found: int


class NgramMatch(SQLModel, table=True):
    """Clipped n-gram matches and totals of an output."""

    __tablename__ = "ngram_match"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    output_length: int
    reference_length: int
    matches: list[int] = list_of("INTEGER")
    totals: list[int] = list_of("INTEGER")
    information: list[float] | None = list_of("DOUBLE", nullable=True)


class EditMatch(SQLModel, table=True):
    """The edits that turn an output into its reference."""

    __tablename__ = "edit_match"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    edits: int
    output_length: int
    reference_length: int


class StatisticMatch(SQLModel, table=True):
    """The sufficient statistics of a plug-in metric."""

    __tablename__ = "statistic_match"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    statistics: list[float] = list_of("DOUBLE")


class SentenceScore(SQLModel, table=True):
    """The score of one output by one metric."""

    __tablename__ = "sentence_score"

    signature_id: str = key()
    submission_id: str = key()
    sentence_no: int = key()
    metric: str
    score: float | None = double(default=None)
    undefined_reason: str | None = None


class SubmissionScore(SQLModel, table=True):
    """The score of a whole submission by one metric."""

    __tablename__ = "submission_score"

    signature_id: str = key()
    submission_id: str = key()
    metric: str
    score: float | None = double(default=None)
    sentences: int
    undefined_reason: str | None = None
