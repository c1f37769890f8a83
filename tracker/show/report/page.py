"""The page of a report: its head, and its sections as HTML."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from datetime import datetime
from importlib.resources import files

from sr_tracker.queries.metrics.registry import scorable_metrics
from sr_tracker.tracker.show.report.cells import number
from sr_tracker.tracker.show.report.data import ReportData
from sr_tracker.tracker.show.report.page_model import Section


def render(data: ReportData, sections: Sequence[Section], title: str, made: datetime) -> str:
    """Return the page as HTML.

    Every text is escaped by the template; a policy on the page forbids the browser to fetch
    anything and to run any script but the page's own.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    # Drawings are made by us from escaped text; style and script are our own files.
    environment.filters["drawing"] = Markup
    script = page_part("script.js")
    return environment.from_string(page_part("page.html")).render(
        title=title,
        kind=_kind(data, title),
        lead=_lead(data),
        figures=_figures(data),
        sections=sections,
        provenance=_provenance(data),
        tool=data.tool,
        date=made.strftime("%Y-%m-%d %H:%M UTC"),
        policy=page_policy(f"\n{script}"),
        style=Markup(page_part("style.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
    )


def default_title(data: ReportData) -> str:
    """Return the name of what all submissions have in common, the narrowest first."""
    for key in ("submission_id", "system_id", "campaign_id", "treebank_id"):
        names = {str(row[key]) for row in data.submissions}
        if len(names) == 1:
            return names.pop()
    return "All campaigns"


def page_part(name: str) -> str:
    """Return the text of a file that pages are made of: style.css, script.js."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def page_policy(script: str) -> str:
    """Return the policy of a page: it fetches nothing and runs no script but this one."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )


def _kind(data: ReportData, title: str) -> str:
    if len(data.submissions) == 1:
        return "Submission report"
    for kind in ("system", "campaign", "treebank"):
        if {row[f"{kind}_id"] for row in data.submissions} == {title}:
            return f"{kind.capitalize()} report"
    return "Report"


def _lead(data: ReportData) -> str:
    count = len(data.submissions)
    if count == 1:
        row = data.submissions[0]
        year = f" ({row['year']})" if row["year"] else ""
        return (
            f"Iteration {row['iteration']} of system {row['system_id']} in campaign "
            f"{row['campaign_id']}{year}: {row['sentences']:,} sentences of treebank "
            f"{row['treebank_id']}, {row['missing']:,} without an output."
        )
    lead = (
        f"{count} submissions of {_count(data, 'system')} for {_count(data, 'treebank')} in "
        f"{_count(data, 'campaign')}."
    )
    used = len(data.averaged)
    if used < count:
        lead += (
            f" Averages and examples rest on {used} of them, the {data.who_counts}; the others are "
            "in the leaderboard only."
        )
    return lead


def _count(data: ReportData, kind: str) -> str:
    names = sorted({str(row[f"{kind}_id"]) for row in data.submissions})
    return f"{kind} {names[0]}" if len(names) == 1 else f"{len(names)} {kind}s"


def _figures(data: ReportData) -> list[tuple[str, str, str]]:
    (newest, *others) = data.averaged
    if others or len({row["system_id"] for row in data.submissions}) > 1:
        return []
    (row,) = (r for r in data.leaderboard if r["submission_id"] == newest["submission_id"])
    return [
        (name, number(row[key]), meaning)
        for key, name, meaning in _key_figures()
        if row[key] is not None
    ]


def _key_figures() -> list[tuple[str, str, str]]:
    """Return columns of the leaderboard, what each is called and what it means."""
    metrics = [each for each in scorable_metrics() if each.usual]
    return [
        ("coverage", "coverage", "share of sentences with an output"),
        *((each.name, each.heading, each.column_comment) for each in metrics),
        ("adequacy_z", "adequacy", "mean z-score of human judgements"),
        ("fluency_z", "fluency", "mean z-score of human judgements"),
    ]


def _provenance(data: ReportData) -> list[tuple[str, str]]:
    return [
        *((row["metric"], row["signature"]) for row in data.signatures),
        *((row["analysis"], row["signature"]) for row in data.analyses),
        *((row["treebank_id"], f"sha256 {row['sha256']}") for row in data.references),
        ("all data", f"sha256 {data.data_sha256}"),
    ]
