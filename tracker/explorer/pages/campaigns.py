"""The pages about many submissions: home, leaderboard."""

from __future__ import annotations

from sr_tracker.queries.exploring import listing, queried
from sr_tracker.queries.reading import view_query
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.pages import Asked
from sr_tracker.tracker.explorer.tables import IDENTITY, IN_THE_ID, PAGE_ROWS, empty_columns, listed
from sr_tracker.tracker.show.model import (
    Block,
    Document,
    Field,
    Form,
    Page,
    Paragraph,
    Section,
    Span,
)
from sr_tracker.tracker.show.numbers import plural

LATELY = 12


def home(tracker: Tracker, asked: Asked) -> Page:  # noqa: ARG001
    """Return what campaigns there are, and what happened lately."""
    campaigns = listing(tracker.database, "listed_campaigns")
    lately = listing(tracker.database, "listed_lately", rows=LATELY)
    document = Document(
        "Campaigns",
        "What was evaluated",
        [
            Section("campaigns", "Campaigns", "Campaigns", blocks=[listed(campaigns, "Campaigns")]),
            Section(
                "lately",
                "Lately",
                "The newest model runs",
                "With what changed since the run before: of the same system, or its parent.",
                [listed(lately, "The newest model runs", bars=("bleu", "dea"))],
            ),
        ],
        lead=f"{plural(campaigns.rows.num_rows, 'campaign')}. A name leads to its page; "
        "a leaderboard is two clicks from the sentences that broke.",
    )
    search = Form("/search", [Field("words", "Words in references and outputs")], "Search")
    return Page(document, forms=[search])


def leaderboard(tracker: Tracker, asked: Asked) -> Page:
    """Return the submissions that were chosen with their scores, best first."""
    filters = {name: (asked[name],) for name in ("campaign", "treebank") if asked.get(name)}
    found = queried(tracker.database, view_query(tracker.database, "leaderboard", filters=filters))
    table = listed(
        found,
        "Leaderboard",
        bars=("bleu", "bleu_13a", "dea", "coverage", "dist", "chrf"),
        hidden=[*empty_columns(found), *IDENTITY, *IN_THE_ID, "judged_sentences"],
        filterable=True,
        shown=PAGE_ROWS,
        rest="submissions",
    )
    blocks: list[Block] = [table] if table.lines else [Paragraph("No submission is there.")]
    note = (
        "Scores of different treebanks, or of one by other references, are not comparable; "
        "z-scores of different campaigns neither."
    )
    document = Document(
        "Leaderboard",
        " · ".join(asked[name] for name in filters) or "Every submission",
        [Section("leaderboard", "Leaderboard", "Scores", note, blocks)],
        lead=plural(len(table.lines), "submission"),
    )
    return Page(document, [Span("Leaderboard", address="/leaderboard")], [_choice(tracker, asked)])


def _choice(tracker: Tracker, asked: Asked) -> Form:
    """Return the choice of a campaign and a treebank."""
    fields = []
    for name, every in (("campaign", "every campaign"), ("treebank", "every treebank")):
        known = tracker.show(name, columns=f"{name}_id", order=f"{name}_id")
        ids = known.column(0).to_pylist()
        options = [("", every), *((each, each) for each in ids)]
        fields.append(Field(name, name, asked.get(name, ""), options))
    return Form("/leaderboard", fields)
