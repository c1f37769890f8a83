"""Explained outputs as one HTML page that needs no network and no other file."""

from __future__ import annotations

from sr_tracker.queries.meaning.explained import Explanations
from sr_tracker.tracker.show.comparison.page import render
from sr_tracker.tracker.show.meaning.page_graphs import graphs_figure, told_scores


def render_page(found: Explanations) -> str:
    """Return the page as HTML; its bytes depend on what was found alone."""
    from markupsafe import Markup

    return render(
        "explain.html",
        title=" against ".join(found.submissions),
        found=found,
        scores=told_scores,
        # Graphs are written by us from escaped text.
        graphs=lambda side: Markup(graphs_figure(side)),  # noqa: S704
    )
