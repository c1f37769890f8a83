"""Campaigns, the treebanks they evaluate on, and the systems that take part."""

from __future__ import annotations

from sqlmodel import SQLModel

from sr_tracker.schema.columns import key


class Campaign(SQLModel, table=True):
    """An evaluation with a name and a year."""

    campaign_id: str = key()
    name: str
    year: int | None = None
    description: str | None = None


class CampaignTreebank(SQLModel, table=True):
    """A treebank that a campaign evaluates on."""

    __tablename__ = "campaign_treebank"

    campaign_id: str = key()
    treebank_id: str = key()


class System(SQLModel, table=True):
    """Who generates: a team's system, a baseline or the human reference."""

    system_id: str = key()
    team: str | None = None
    kind: str = "team"
    description: str | None = None
    family: str | None = None
