"""The first page: campaigns, and what happened lately."""

from __future__ import annotations

from ...queries.errors.measures import sentence_metrics
from ...queries.exploring import listing
from ...schema.brief import plural
from ..api import Tracker
from ..show.model import Document, Field, Form, Page
from . import Asked
from .sections import list_section, read_section

LATELY = 12


def home(tracker: Tracker, asked: Asked) -> Page:  # noqa: ARG001
    """Return what campaigns there are, and what happened lately."""
    campaigns = listing(tracker.database, "listed_campaigns")
    leading, *_ = sentence_metrics(tracker.database)
    measures = [*dict.fromkeys([leading, "dea"])]
    scores = [name for measure in measures for name in (measure, f"{measure}_change")]
    document = Document(
        "Campaigns",
        "What was evaluated",
        [
            list_section("home.campaigns", campaigns),
            read_section(
                tracker.database, "home.lately", {"rows": LATELY, "scores": scores}, bars=measures
            ),
        ],
        lead=f"{plural(campaigns.rows.num_rows, 'campaign')}. A name leads to its page; "
        "a leaderboard is two clicks from the sentences that broke.",
    )
    search = Form("/search", [Field("words", "Words in references and outputs")], "Search")
    return Page(document, forms=[search])
