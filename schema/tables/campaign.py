"""Campaigns, the treebanks they evaluate on, and the systems that take part."""

from __future__ import annotations

from sr_tracker.schema.tables.columns import Entity, column, key


class Campaign(Entity, table=True):
    """One row per evaluation with a name and a year."""

    campaign_id: str = key("short name, such as SR19")
    name: str = column("full name")
    year: int | None = column("year of the evaluation")
    description: str | None = column("free text")


class CampaignTreebank(Entity, table=True):
    """One row per treebank that a campaign evaluates on."""

    campaign_id: str = key("the campaign", of="campaign")
    treebank_id: str = key("the treebank", of="treebank")


class System(Entity, table=True):
    """One row per generator of sentences: a team's system, a baseline, or the human reference."""

    system_id: str = key("short name, such as IMS")
    team: str | None = column("who built it")
    kind: str = column("team, baseline or human")
    description: str | None = column("free text")
    family: str | None = column(
        "name shared by the systems of one team over the years; NULL where none is declared"
    )


class Tag(Entity, table=True):
    """One row per tag or note that a user gave a campaign, system or treebank; those of submissions
    are in submission.tags.
    """

    kind: str = key("campaign, system or treebank")
    target: str = key("its id")
    name: str = key("the tag's name; a note is the tag note")
    value: str = column("what it says")
