"""Campaigns, systems, and what their model runs produced."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .columns import (
    Entity,
    Table,
    column,
    json_object,
    key,
    list_of,
    timestamp,
)


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


class Submission(Entity, table=True):
    """One row per model run: one system's output for one treebank in one campaign."""

    submission_id: str = key("campaign/system/treebank, with @iteration after the first")
    campaign_id: str = column("the campaign", of="campaign")
    system_id: str = column("the system", of="system")
    treebank_id: str = column("the treebank it was generated for", of="treebank")
    track: str = column("shallow, deep or any other name")
    iteration: int = column("1 for a system's first run, then increasing")
    parent_submission_id: str | None = column(
        "the run this one was developed from", of="submission"
    )
    created_at: datetime = timestamp(
        "when the model run was made: given, or when it was first loaded"
    )
    reference_form: str = column(
        "what surface metrics compare with: text (raw) or tokens (forms joined with blanks)"
    )
    analysis: str = column("what turned text into output tokens, with version")
    params: dict[str, Any] = json_object("parameters of the model run")
    tags: dict[str, Any] = json_object("free labels")
    source: str = column("name of the file it was read from")
    sha256: str = column("hash of the outputs and of what decides how they are read")


class Output(Table, table=True):
    """One row per reference sentence and submission: the generated text."""

    submission_id: str = key("the submission", of="submission")
    sentence_no: int = key("the sentence of the submission's treebank")
    text: str | None = column("generated text; NULL where the system gave none")


class OutputWords(Table, table=True):
    """One row per output that has words: its analysed words in their order, in lists (the view
    output_token has a row for each).
    """

    submission_id: str = key("the submission")
    sentence_no: int = key("the sentence", of="output")
    forms: list[str] = list_of("VARCHAR", "word forms")
    lemmas: list[str | None] | None = list_of(
        "VARCHAR", "lemmas, empty where they are the form; NULL where the analysis gives none"
    )
    punctuation: list[int] = list_of("INTEGER", "places, from 1, of the words that are punctuation")
    upos: list[str | None] | None = list_of(
        "VARCHAR", "universal parts of speech; NULL where the analysis gives none"
    )
    xpos: list[str | None] | None = list_of(
        "VARCHAR", "language-specific parts of speech; NULL where the analysis gives none"
    )
    feats: list[str | None] | None = list_of(
        "VARCHAR", "morphological features; NULL where the analysis gives none"
    )
    heads: list[int | None] | None = list_of(
        "INTEGER", "places of the heads, 0 for the root; NULL where the analysis does not parse"
    )
    deprels: list[str | None] | None = list_of(
        "VARCHAR", "dependency relations; NULL where the analysis does not parse"
    )
