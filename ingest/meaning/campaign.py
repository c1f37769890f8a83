"""Graphs that a campaign's manifest names: treebanks of graphs, and what parsers make of texts."""

from __future__ import annotations

from collections.abc import Callable

from ...schema.database import Database
from ...schema.errors import InputError
from ..campaigns.manifest import Entry
from ..campaigns.runs import Run
from ..names import name_treebank
from . import (
    SCHEME,
    GraphOptions,
    Target,
    ingest_gold_graphs,
    ingest_graphs,
    output_target,
    reference_target,
)


def load_gold_graphs(database: Database, entry: Entry, campaign: str, *, replace: bool) -> bool:
    """Load a treebank of graphs; return whether that changed anything."""
    values = entry.values
    parts = {key: values.get(key) for key in ("language", "version", "split")}
    name = name_treebank(
        entry.path, treebank_id=values.get("id", values.get("treebank")), scheme=SCHEME, **parts
    )
    return ingest_gold_graphs(
        database,
        entry.path,
        name,
        campaign_id=campaign,
        accept_broken=values.get("accept_broken", False),
        replace=replace,
    ).changed


def load_graphs(
    database: Database,
    entry: Entry,
    campaign: str,
    treebank_of: Callable[[str], str],
    *,
    replace: bool,
) -> bool:
    """Load what a parser makes of outputs or of references; return whether that changed anything.

    ``treebank_of`` returns the treebank that a name in the manifest means. Raises InputError where
    the entry does not tell the parser, or what was parsed.
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
    target = _parsed(database, entry, campaign, treebank_of)
    return ingest_graphs(database, entry.path, target, options, replace=replace).changed


def _parsed(
    database: Database, entry: Entry, campaign: str, treebank_of: Callable[[str], str]
) -> Target:
    values = entry.values
    if "references" in values:
        return reference_target(database, treebank_of(values["references"]))
    submission = values.get("submission")
    if submission is None:
        system = values.get("system", values.get("team"))
        if system is None or "treebank" not in values:
            raise InputError(
                f"the sentences that {entry.path.name} was parsed from are not named",
                where=entry.where,
                hint="give system and treebank, a submission, or references",
            )
        treebank, iteration = treebank_of(values["treebank"]), values.get("iteration", 1)
        submission = Run(campaign, system, treebank, iteration).submission_id()
    return output_target(database, submission)
