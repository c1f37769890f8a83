"""The first page: campaigns, and what happened lately."""

from __future__ import annotations

from sr_tracker.queries.exploring import listing
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.pages import Asked
from sr_tracker.tracker.explorer.tables import listed
from sr_tracker.tracker.show.model import (
    Document,
    Field,
    Form,
    Page,
    Section,
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
