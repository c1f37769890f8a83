"""The first page: what happened last, how each system goes, and what needs attention."""

from __future__ import annotations

from collections.abc import Sequence

from ...queries.catalog import run_audits
from ...queries.change.comparison.stored import stored_comparisons
from ...queries.exploring import listing
from ...queries.metrics.registry import OF_LETTERS, WITHOUT_BLANKS, label_of, usual_metrics
from ...queries.numbers import measured, with_unit
from ...schema.brief import plural
from ...schema.statements import Row, read_rows
from ..api.tracker import Tracker
from ..show.model import (
    Block,
    Brought,
    Card,
    Cell,
    Column,
    Document,
    Line,
    Page,
    Paragraph,
    Section,
    Span,
    Sparkline,
    Table,
)
from . import Request
from .addresses import address
from .sections import list_section, section
from .system import line_of
from .verdicts import outcome_tone, verdict_card

VERDICTS, REASONS, SYSTEMS = 6, 6, 25
POINTS = 60
"""Runs that a system's line is drawn of, the last ones."""
AUDITED = 100_000
"""Outputs up to which the first page runs the audits by itself: with more they take too long."""
_AUDITS = "Do the audits pass?"


def home(tracker: Tracker, request: Request) -> Page:  # noqa: ARG001
    """Return the newest verdicts, the systems over their runs, and what needs attention."""
    database = tracker.database
    pairs = [
        (row["submission_id"], row["base_submission_id"])
        for row in read_rows(database, "latest_verdicts", rows=VERDICTS)
    ]
    comparisons = stored_comparisons(database, pairs)
    cards = [verdict_card(comparisons[pair]) for pair in pairs if pair in comparisons]
    campaigns = listing(database, "listed_campaigns")
    rows = campaigns.rows.to_pylist()
    facts = [
        plural(len(rows), "campaign"),
        plural(sum(row["submissions"] for row in rows), "submission"),
    ]
    document = Document(
        "Home",
        "What happened",
        [
            section("home.verdicts", cards),
            _attention(tracker, rows),
            _systems(tracker),
            list_section("home.campaigns", campaigns),
        ],
        lead=" · ".join(facts),
    )
    return Page(document)


def _attention(tracker: Tracker, campaigns: Sequence[Row]) -> Section:
    """Return why somebody should look at the newest runs, and whether the audits pass."""
    reasons = read_rows(tracker.database, "needs_attention", rows=REASONS)
    blocks: list[Block] = [_reason(row) for row in reasons]
    if campaigns and not reasons:
        blocks.append(Paragraph("The newest runs are complete, and not worse than those before."))
    outputs = sum(row["outputs"] or 0 for row in campaigns)
    if outputs:
        blocks.append(
            Brought("/audits", _AUDITS, "#audits > :not(h2)")
            if outputs <= AUDITED
            else Paragraph([Span(_AUDITS, address="/audits")])
        )
    return section("home.attention", blocks, empty=not reasons and not outputs)


def _reason(row: Row) -> Card:
    """Return why a run needs attention, and where one looks."""
    name, base = row["submission_id"], row["base_submission_id"]
    compared = address("/compare", new=name, base=base)
    texts = {
        "incomplete": f" has outputs for {row['outputs']:,} of {row['sentences']:,} sentences",
        "worse": " is worse than the run before",
        "mixed": " is better and worse than the run before",
        "not comparable": " could not be tested against the run before",
        "not compared": " was not compared with the run before",
    }
    leads = {"incomplete": ("which", address("/sentences", name))}
    what, where = leads.get(row["reason"], ("where", compared))
    return Card(
        [Span(name, address=address("/submission", name)), Span(texts[row["reason"]])],
        blocks=[Paragraph([Span(what, address=where)])],
        tone="worse" if row["reason"] in ("worse", "incomplete") else "doubt",
    )


def _systems(tracker: Tracker) -> Section:
    """Return systems with their scores over their runs, the one with the newest run first."""
    rows = listing(
        tracker.database,
        "followed_systems",
        rows=SYSTEMS,
        points=POINTS,
        measures=usual_metrics(),
        without_blanks=sorted(WITHOUT_BLANKS),
        of_letters=OF_LETTERS,
    ).rows.to_pylist()
    columns = [
        Column("system", "text"),
        Column("test set", "text"),
        Column("by", "text", "the metric that it is followed by"),
        Column("over its runs", "text"),
        Column("runs"),
        Column("latest"),
        Column("since first"),
        Column("best", "text"),
    ]
    table = Table("Systems", columns, [_line(row) for row in rows])
    return section("home.systems", [table], empty=not rows)


def _line(row: Row) -> Line:
    """Return a system's row: its runs as a line, the latest score, and how far it came."""
    measure, scores = row["measure"], row["scores"]
    came = scores[-1] - row["first"]
    label = label_of(measure)
    leads = address("/system", row["system_id"], line=line_of(row), measure=measure)
    several = len(scores) > 1
    return Line(
        [
            Cell([Span(row["system_id"], address=leads)], row["system_id"]),
            Cell(row["treebank_id"]),
            Cell(label),
            Cell(sparkline=_sparkline(label, row)) if several else Cell("one run", tone="muted"),
            Cell(str(row["runs"]), row["runs"]),
            Cell(with_unit(measure, scores[-1]), scores[-1]),
            Cell(measured(measure, came, sign=True), came) if several else Cell(),
            Cell(f"@{row['best_iteration']}"),
        ]
    )


def _sparkline(label: str, row: Row) -> Sparkline:
    """Return the scores of a system's runs as a line, those tested to differ in colour."""
    scores, measure = row["scores"], row["measure"]
    low, high = min(scores), max(scores)
    points = [
        ((score - low) / (high - low) if high > low else 0.5, outcome_tone(outcome))
        for score, outcome in zip(scores, row["outcomes"], strict=True)
    ]
    ends = f"from {measured(measure, scores[0])} to {measured(measure, scores[-1])}"
    last = f"the last {len(scores)} of " if row["runs"] > len(scores) == POINTS else ""
    return Sparkline(points, f"{label} of {last}{row['runs']} runs, {ends}")


def audits(tracker: Tracker, request: Request) -> Page:  # noqa: ARG001
    """Return the audits that found rows that should not exist."""
    cards = [
        Card(
            finding.audit,
            blocks=[Paragraph(f"{plural(finding.rows, 'row')}: {finding.description}")],
            tone="worse",
        )
        for finding in run_audits(tracker.database)
    ]
    document = Document("Home", "Audits", [section("home.audits", cards)])
    return Page(document, [Span("Home", address="/")])
