"""What people said about outputs: raw judgements and their aggregates."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sr_tracker.schema.tables.columns import Table, column, double, key, list_of, timestamp


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
