"""The meaning graphs of a manifest: gold graphs, and what parsers make of outputs or references."""

from __future__ import annotations

from sr_tracker.ingest.campaigns.manifest import Entry
from sr_tracker.ingest.campaigns.registering import treebank_named
from sr_tracker.ingest.campaigns.runs import Run
from sr_tracker.ingest.graphs.gold import ingest_gold_graphs, name_graphs
from sr_tracker.ingest.graphs.loading import (
    GraphOptions,
    ingest_output_graphs,
    ingest_reference_graphs,
)
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError


def load_gold_graphs(database: Database, entry: Entry, campaign_id: str, *, replace: bool) -> bool:
    """Load what an entry of ``[[amr]]`` names and return whether anything changed."""
    values = entry.values
    name = name_graphs(
        entry.path,
        treebank_id=values.get("id", values.get("treebank")),
        language=values.get("language"),
        version=values.get("version"),
        split=values.get("split"),
    )
    found = ingest_gold_graphs(
        database,
        entry.path,
        name,
        campaign_id=campaign_id,
        accept_broken=values.get("accept_broken", False),
        replace=replace,
    )
    return found.changed


def load_graphs(database: Database, entry: Entry, campaign_id: str, *, replace: bool) -> bool:
    """Load what an entry of ``[[graphs]]`` names and return whether anything changed.

    Raises InputError where the entry does not tell the parser, or what was parsed.
    """
    values = entry.values
    if "parser" not in values:
        hint = "name what made them, as in parser = 'jamr/2016'"
        raise InputError("the parser of the graphs is not known", where=entry.where, hint=hint)
    options = GraphOptions(
        values["parser"],
        quality_name=values.get("quality_column"),
        accept_broken=values.get("accept_broken", False),
        accept_mismatch=values.get("accept_mismatch", False),
    )
    if "references" in values:
        treebank = treebank_named(database, campaign_id, values["references"])
        return ingest_reference_graphs(
            database, entry.path, treebank, options, replace=replace
        ).changed
    submission = _submission(database, entry, campaign_id)
    return ingest_output_graphs(database, entry.path, submission, options, replace=replace).changed


def _submission(database: Database, entry: Entry, campaign_id: str) -> str:
    values = entry.values
    if "submission" in values:
        return str(values["submission"])
    system = values.get("system", values.get("team"))
    if system is None or "treebank" not in values:
        raise InputError(
            f"it is not known what {entry.path.name} was parsed from",
            where=entry.where,
            hint="give system and treebank, a submission, or references",
        )
    treebank = treebank_named(database, campaign_id, values["treebank"])
    return Run(campaign_id, system, treebank, iteration=values.get("iteration", 1)).submission_id()
