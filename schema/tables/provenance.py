"""What was loaded or computed, when, from which bytes and by which version."""

from __future__ import annotations

from datetime import datetime

from .columns import Entity, Table, column, key, timestamp


class SchemaVersion(Entity, table=True):
    """One row per migration that was applied to this database."""

    version: int = key("number of the migration file")
    name: str = column("what the migration is called")
    tool: str = column("version of sr-tracker that applied it")
    applied_at: datetime = timestamp("when it was applied")


class Catalog(Table, table=True):
    """One row, which says which set of views and macros is installed."""

    sha256: str = key("hash of the SQL files of the views and macros")
    tool: str = column("version of sr-tracker that installed them")
    installed_at: datetime = timestamp("when")


class ChangeLog(Table, table=True):
    """One row, which says whether the file lacks changes that were written. While a command
    writes, changes lie in NAME.wal. The first of them is that nothing is missing: the file alone
    says that something is.
    """

    missing: bool = key("whether NAME.wal was lost, or is damaged from its start")


class Ingestion(Entity, table=True):
    """One row per file that was loaded."""

    ingestion_id: str = key("hash of kind, target and content")
    kind: str = column("treebank, submission, human_scores or campaign")
    target: str = column("what it was loaded as")
    source: str = column("name of the file")
    sha256: str = column("hash of what was loaded")
    records: int = column("sentences, outputs or scores loaded")
    tool: str = column("version of sr-tracker")
    ingested_at: datetime = timestamp("when")
    revision: int | None = column(
        "number of the step that wrote the row, counted over ingestions, scorings and analyses:"
        " the higher is the newer"
    )


class Scoring(Entity, table=True):
    """One row per computation that is complete: one metric for one submission, or one analysis of
    one treebank.
    """

    target: str = key("submission_id, or treebank_id for an analysis of a treebank")
    metric: str = column("name of the metric or analysis")
    signature_id: str = key("how it was computed")
    data_sha256: str = column("hash of the data it was computed from")
    tool: str = column("version of sr-tracker")
    scored_at: datetime = timestamp("when")
    revision: int | None = column(
        "number of the step that wrote the row, counted over ingestions, scorings and analyses:"
        " the higher is the newer"
    )
