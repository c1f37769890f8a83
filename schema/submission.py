"""Submissions: what a model run produced for a treebank."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import SQLModel

from sr_tracker.schema.columns import json_object, key, timestamp


class Submission(SQLModel, table=True):
    """One system's output for one treebank in one campaign."""

    submission_id: str = key()
    campaign_id: str
    system_id: str
    treebank_id: str
    track: str
    iteration: int
    parent_submission_id: str | None = None
    created_at: datetime = timestamp()
    reference_form: str
    analysis: str
    params: dict[str, Any] = json_object()
    tags: dict[str, Any] = json_object()
    source: str
    sha256: str


class Output(SQLModel, table=True):
    """The text generated for one reference sentence."""

    submission_id: str = key()
    sentence_no: int = key()
    text: str | None = None


class OutputToken(SQLModel, table=True):
    """An analysed word of an output."""

    __tablename__ = "output_token"

    submission_id: str = key()
    sentence_no: int = key()
    token_no: int = key()
    position: int | None = None
    form: str
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: str | None = None
    head: int | None = None
    deprel: str | None = None
