"""Reading the scores of the years from the views, or from what shared sentences score."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import pyarrow as pa

from ....schema.database import Database
from ....schema.errors import UnknownNameError
from ....schema.iterations import unknown_measure
from ....schema.names import check_names
from ....schema.statements import Row, read_rows
from ....schema.temporary import hold, table_of, temporary
from ...metrics.registry import usual_metrics
from ...overlay import overlaid
from . import Choice, Entry, Point, Years
from .lines import (
    Lines,
    lines_of,
    remarks_on_lines,
    remarks_on_scores,
    with_changes,
)

SYSTEM_KINDS = ("team", "baseline")


def read_years(database: Database, choice: Choice | None = None) -> Years:
    """Return what systems scored over the years, as in Pratapa et al. 2021, Figures 5 and 6.

    Campaigns without a year are left out. Only the latest iteration of each system counts.

    Raises UnknownNameError for names that the database does not hold.
    """
    choice = choice or Choice()
    with temporary(database):
        return _read(database, choice)


def _read(database: Database, choice: Choice) -> Years:
    lines = lines_of(_entries(database, choice))
    kinds = _measures(database, choice)
    measures = [*kinds]
    # What kind of measures they are spares the others: relations rest on every edge there is.
    asked = {"measures": measures, "kinds": [*{*kinds.values()}]}
    _check_families(database, choice)
    _store_entries(database, lines)
    notes = remarks_on_lines(database, lines, shared=choice.shared)
    instead = {}
    if choice.shared:
        from .shared import store_shared_measures

        notes += store_shared_measures(database, lines, measures)
        instead = {"submission_measures": "FROM temp.shared_measures"}
    with overlaid(database, tables=instead) if instead else nullcontext():
        rows = read_rows(database, "year_scores", **asked)
        found = read_rows(database, "year_family_scores", **asked) if choice.families else []
        points = read_rows(database, "year_points", **asked)
    kind = choice.system_kind or _kind_with_scores(rows)
    rows = [row for row in rows if row["system_kind"] == kind]
    notes += remarks_on_scores(rows, lines)
    rows += [row for row in found if row["family"] in choice.families]
    scores = with_changes(rows, measures, lines, shared=choice.shared)
    return Years(scores, [Point(**point) for point in points], kind, notes)


def _kind_with_scores(rows: Sequence[Row]) -> str:
    found = {row["system_kind"] for row in rows}
    return next((kind for kind in SYSTEM_KINDS if kind in found), SYSTEM_KINDS[0])


def _entries(database: Database, choice: Choice) -> list[Entry]:
    """Return the test sets asked for; an unknown language, campaign or treebank is an error."""
    entries = [Entry(**row) for row in read_rows(database, "year_entries")]
    if not entries:
        raise UnknownNameError(
            "there is no submission to a campaign with a year",
            hint="a campaign's year stands in its manifest, or at the end of its id",
        )
    for what, names, names_of in (
        ("language", choice.languages, lambda entry: (entry.language,)),
        ("campaign", choice.campaigns, lambda entry: (entry.campaign_id,)),
        ("treebank", choice.treebanks, lambda entry: (entry.treebank_id, entry.short_name)),
    ):
        known = {name for entry in entries for name in names_of(entry) if name}
        check_names(what, names, known, where="campaigns with a year")
        entries = [entry for entry in entries if not names or {*names_of(entry)} & {*names}]
    if not entries:
        raise UnknownNameError(
            "no test set is of all these languages, campaigns and treebanks",
            hint="'tracker show year_test_sets' lists them",
        )
    return entries


def _measures(database: Database, choice: Choice) -> dict[str, str]:
    """Return the kinds of the measures asked for, or of the usual ones; unknown is an error."""
    query = "SELECT DISTINCT measure, kind FROM submission_measures WHERE {} ORDER BY ALL"
    if choice.measures:
        wanted = [*dict.fromkeys(choice.measures)]
        rows = _fetch(
            database, query.format("list_contains($measures, measure)"), {"measures": wanted}
        )
        kinds = {row["measure"]: row["kind"] for row in rows}
        unknown = [name for name in wanted if name not in kinds]
        if unknown:
            raise unknown_measure(database, unknown[0])
        return {name: kinds[name] for name in wanted}
    rows = _fetch(database, query.format("kind IN ('metric', 'human')"))
    kinds = {row["measure"]: row["kind"] for row in rows}
    human = [measure for measure, kind in kinds.items() if kind == "human"]
    usual = [metric for metric in usual_metrics() if metric in kinds]
    return {measure: kinds[measure] for measure in [*usual, *human]}


def _check_families(database: Database, choice: Choice) -> None:
    rows = _fetch(database, "SELECT DISTINCT family FROM system WHERE family IS NOT NULL")
    known = {row["family"] for row in rows}
    check_names("family", choice.families, known, hint="a manifest declares it: family = …")


def _store_entries(database: Database, lines: Lines) -> None:
    members = [
        (line, entry.campaign_id, entry.treebank_id, entry.track)
        for line, entries in lines.items()
        for entry in entries
    ]
    names = dict.fromkeys(("line", "campaign_id", "treebank_id", "track"), pa.string())
    hold(database, "year_entry", table_of(members, **names))


def _fetch(database: Database, query: str, parameters: dict[str, Any] | None = None) -> list[Row]:
    rows: list[Row] = database.connection.execute(query, parameters).to_arrow_table().to_pylist()
    return rows
