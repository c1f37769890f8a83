"""The page about people and what they judged, and their sections of reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...queries.metrics.registry import label_of
from ...schema.brief import plural
from ...schema.names import check_names, names_of, resolve_name
from ...schema.statements import Row
from ...schema.themes import members
from ..api.tracker import Tracker
from ..show.model import Block, Document, Field, Form, Page, Section, Span, Tab
from . import Request
from .addresses import address
from .drawings import Drawings, tabbed
from .lists import IDENTITY, IN_THE_ID
from .sections import (
    folded_part,
    list_section,
    read_rows_of,
    read_section,
    section,
    section_table,
)
from .selected import ReportData

_ROWS = 200
PLACE = ("campaign_id", "treebank_id", "criterion", "people")
PEOPLE = Span("People", address="/people")
SUBMISSIONS_DRAWN = 30
"""Submissions whose intervals are drawn at most."""
IN_THE_TAB = (*IDENTITY, *IN_THE_ID, "criterion")
"""Columns that say what the tab of a table does."""


def people(tracker: Tracker, request: Request) -> Page:
    """Return what people judged: who is best of each test set, and what unfolds: all the rest."""
    campaign, part = request.get("campaign", ""), request.get("part", "")
    if campaign:
        resolve_name(tracker.database, "campaign", campaign)
    makers = _parts()
    if part:
        check_names("part of what people said", [part], makers)
        shown = makers[part](tracker, campaign)
        above = replace(PEOPLE, address=address("/people", campaign=campaign))
        return Page(Document("People", shown.title, [shown]), [above])
    overview = read_section(tracker.database, "people.overview", {"campaign": campaign})
    titles = {name: section(f"people.{name}").title for name in makers}
    folded = [
        folded_part(name, title, "/people", campaign=campaign) for name, title in titles.items()
    ]
    sections = [overview, *([] if overview.missing else [section("people.parts", folded)])]
    campaigns = names_of(tracker.database, "campaign")
    options = [("", "every campaign"), *((name, name) for name in sorted(campaigns))]
    return Page(
        Document("People", campaign or "What people said", sections),
        forms=[Form("/people", [Field("campaign", "campaign", campaign, options)])],
    )


def _parts() -> dict[str, Callable[[Tracker, str], Section]]:
    """Return what makes each part of the page, of one campaign or all."""
    parts: dict[str, Callable[[Tracker, str], Section]] = {
        "human-rankings": view_maker("human-rankings")
    }
    for of_theme in members("tracker", "pages", "PEOPLE_PARTS"):
        parts |= of_theme
    return parts | {name: view_maker(name) for name in ("annotators", "annotator-agreements")}


def view_maker(place: str) -> Callable[[Tracker, str], Section]:
    """Return what makes the section of a view about people, of one campaign or all."""
    return lambda tracker, campaign: view_section(tracker, place, campaign)


def view_section(tracker: Tracker, place: str, campaign: str) -> Section:
    """Return the rows of a view about people, of one campaign or all, as a section."""
    place = f"people.{place}"
    rows = read_rows_of(tracker.database, place, filters=of_campaign(campaign), limit=_ROWS)
    in_the_id = IN_THE_ID if "submission_id" in rows.rows.column_names else ()
    return list_section(place, rows, hidden=(*IDENTITY, *in_the_id))


def of_campaign(campaign: str) -> dict[str, tuple[str]]:
    """Return the filter by a campaign, where one is named."""
    return {"campaign": (campaign,)} if campaign else {}


def rankings(data: ReportData, drawings: Drawings) -> Section:
    """Return the rankings by people's judgement, with the significance of their differences."""
    pairs = data.rows("report_human_comparisons")

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        of_group = [row for row in pairs if group_of(row) == name]
        alternative = f"Significant differences between {plural(len(rows), 'system')}: {name}."
        drawn = drawn_rows(drawings, f"people {name}", "human_heat_map", of_group, alternative)
        table = section_table(
            "people.human-rankings",
            rows,
            caption=f"Ranking: {name}",
            hidden=IN_THE_TAB,
        )
        return [*drawn, table]

    tabs = tabs_of("people", data.human_leaderboard, group_of, blocks)
    return section("people.human-rankings", tabs, anchor="people")


def significance(data: ReportData, drawings: Drawings) -> Section:
    """Return confidence intervals of the scores and the significance of their differences."""

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        pairs = [
            row
            for row in data.metric_changes
            if (row["measure"], row["treebank_id"]) == (rows[0]["metric"], rows[0]["treebank_id"])
        ]
        alternative = f"Bootstrap intervals of {plural(len(rows), 'submission')}: {name}."
        defined = [row for row in rows if row["low"] is not None]
        drawn = defined if len(defined) <= SUBMISSIONS_DRAWN else []
        file = f"intervals {rows[0]['metric']} {rows[0]['treebank_id']}"
        return [
            *drawn_rows(drawings, file, "intervals_chart", drawn, alternative, title=name),
            section_table("report.significance", rows, caption=f"Intervals: {name}"),
            *(section_table("report.pairs", pairs, caption=f"Pairs: {name}") for _ in pairs[:1]),
        ]

    return section("report.significance", tabs_of("significance", data.intervals, _metric, blocks))


def group_of(row: Row) -> str:
    """Return the name of a row's ranking: its test set and criterion."""
    return f"{row['treebank_id']} · {row['criterion']}"


def _metric(row: Row) -> str:
    return f"{label_of(row['metric'])} · {row['treebank_id']}"


def tabs_of(
    group: str,
    rows: Sequence[Row],
    name_of: Callable[[Row], str],
    blocks: Callable[[str, Sequence[Row]], list[Block]],
) -> list[Block]:
    """Return one tab for each name; the blocks alone where there is one."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return tabbed(group, [Tab(name, blocks(name, of_name)) for name, of_name in groups.items()])


def drawn_rows(
    drawings: Drawings,
    name: str,
    chart: str,
    rows: Sequence[Row],
    alternative: str,
    title: str | None = None,
) -> list[Block]:
    """Return rows as a figure; nothing where there are none.

    Its title is what follows the first word of its name, unless another is given.
    """
    if not rows:
        return []
    file = re.sub(r"[^\w.]+", "-", name)
    shown = name.partition(" ")[2] if title is None else title
    return [drawings.draw(file, alternative, chart, [*rows], shown)]
