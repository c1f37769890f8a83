"""What people said about outputs: raw judgements and their aggregates."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy
from sqlmodel import Field, SQLModel

from sr_tracker.schema.columns import double, key


class Judgement(SQLModel, table=True):
    """One annotator's raw rating of one output on one criterion."""

    campaign_id: str = key()
    judgement_no: int = key()
    annotator_id: str
    hit_id: str | None = None
    item_id: str | None = None
    submission_id: str | None = None
    treebank_id: str
    sentence_no: int
    criterion: str
    kind: str
    raw_score: float = double()
    judged_at: datetime | None = Field(
        default=None,
        sa_type=sqlalchemy.TIMESTAMP(timezone=True),
    )


class HumanScore(SQLModel, table=True):
    """The aggregate of an output's judgements on one criterion."""

    __tablename__ = "human_score"

    submission_id: str = key()
    sentence_no: int = key()
    criterion: str = key()
    z_score: float | None = double(default=None)
    raw_mean: float | None = double(default=None)
    judgements: int | None = None
    source: str
