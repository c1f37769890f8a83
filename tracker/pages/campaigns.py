"""The first page: campaigns, and what happened lately."""

from __future__ import annotations

from ...queries.errors.measures import sentence_metrics
from ...queries.exploring import listing
from ...schema.brief import plural
from ..api import Tracker
from ..show.model import (
    Document,
    Field,
    Form,
    Page,
    Section,
)
from . import Asked
from .lists import empty_columns, listed

LATELY = 12


def home(tracker: Tracker, asked: Asked) -> Page:  # noqa: ARG001
    """Return what campaigns there are, and what happened lately."""
    campaigns = listing(tracker.database, "listed_campaigns")
    leading, *_ = sentence_metrics(tracker.database)
    measures = [*dict.fromkeys([leading, "dea"])]
    scores = [name for each in measures for name in (each, f"{each}_change")]
    lately = listing(tracker.database, "listed_lately", rows=LATELY, scores=scores)
    table = listed(lately, "The newest model runs", bars=measures, hidden=empty_columns(lately))
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
                [table],
            ),
        ],
        lead=f"{plural(campaigns.rows.num_rows, 'campaign')}. A name leads to its page; "
        "a leaderboard is two clicks from the sentences that broke.",
    )
    search = Form("/search", [Field("words", "Words in references and outputs")], "Search")
    return Page(document, forms=[search])
