"""What was loaded or computed, when, from which bytes and by which version."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import SQLModel

from sr_tracker.schema.columns import key, timestamp


class SchemaVersion(SQLModel, table=True):
    """A migration that was applied."""

    __tablename__ = "schema_version"

    version: int = key()
    name: str
    tool: str
    applied_at: datetime = timestamp()


class Catalog(SQLModel, table=True):
    """The installed set of views and macros."""

    sha256: str = key()
    tool: str
    installed_at: datetime = timestamp()


class ChangeLog(SQLModel, table=True):
    """Whether the file lacks changes that were written."""

    __tablename__ = "change_log"

    missing: bool = key()


class Ingestion(SQLModel, table=True):
    """A file that was loaded."""

    ingestion_id: str = key()
    kind: str
    target: str
    source: str
    sha256: str
    records: int
    tool: str
    ingested_at: datetime = timestamp()
    revision: int | None = None


class Scoring(SQLModel, table=True):
    """A computation that is complete."""

    target: str = key()
    metric: str
    signature_id: str = key()
    data_sha256: str
    tool: str
    scored_at: datetime = timestamp()
    revision: int | None = None
