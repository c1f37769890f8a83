"""The pages about many submissions: home, leaderboard, a system, search."""

from __future__ import annotations

from sr_tracker.queries.change.history.model import History
from sr_tracker.queries.change.history.model import Line as HistoryLine
from sr_tracker.queries.exploring import listing, queried
from sr_tracker.queries.reading import view_query
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.addresses import address
from sr_tracker.tracker.explorer.pages import Asked
from sr_tracker.tracker.explorer.tables import (
    IDENTITY,
    IN_THE_ID,
    PAGE_ROWS,
    empty_columns,
    listed,
)
from sr_tracker.tracker.show.findings.history import history_document
from sr_tracker.tracker.show.html.run_chart import RunPoint, run_chart
from sr_tracker.tracker.show.model import (
    Block,
    Document,
    Field,
    Figure,
    Form,
    Page,
    Paragraph,
    Section,
    Span,
)
from sr_tracker.tracker.show.numbers import plural

LATELY = 12
HEADLINES = ("bleu", "bleu_13a", "chrf", "dea", "ter", "nist", "dist")
_RUN_SCORES = ("bleu", "bleu_change", "chrf", "chrf_change", "dea", "dea_change")
_CHANGES = (
    "Each with its change from the run before, which leads to what changed and whether that is "
    "more than chance."
)


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


def system(tracker: Tracker, asked: Asked) -> Page:
    """Return a system over its iterations."""
    name = asked["system"]
    query = view_query(
        tracker.database,
        "submission_history",
        order="campaign_id, treebank_id, iteration",
        filters={"system": (name,)},
    )
    runs = queried(tracker.database, query)
    shown = {"submission_id", "previous_submission_id", "created_at", *_RUN_SCORES}
    hidden = {*runs.rows.column_names} - shown | {*empty_columns(runs)}
    iterations = listed(
        runs, "Model runs", bars=("bleu", "dea"), hidden=hidden, shown=PAGE_ROWS, rest="runs"
    )
    measure = asked.get("measure", "bleu")
    history = tracker.history(name, tests="none")
    followed = history_document(history)
    document = Document(
        "System",
        name,
        [
            Section(
                "runs",
                "Model runs",
                "Model runs",
                _CHANGES,
                [*_charts(history, measure), iterations],
            ),
            *followed.sections,
        ],
        lead=plural(len(iterations.lines), "model run"),
        legend=followed.legend,
    )
    options = [(each, each) for each in HEADLINES]
    chosen = Form(address("/system", name), [Field("measure", "Drawn", measure, options)])
    return Page(document, [Span("Leaderboard", address="/leaderboard")], [chosen])


def _charts(history: History, measure: str) -> list[Figure]:
    """Return a drawing of a measure for each test set on which a system has several runs."""
    return [
        Figure(line.treebank_id, run_chart(measure, _points(line, measure)), measure)
        for line in history.lines
        if len(line.runs) > 1 and any(run.values.get(measure) is not None for run in line.runs)
    ]


def _points(line: HistoryLine, measure: str) -> list[RunPoint]:
    return [
        RunPoint(
            f"@{run.iteration}",
            run.values.get(measure),
            address("/submission", run.submission_id),
        )
        for run in line.runs
    ]


def runs_of(name: str) -> Span:
    """Return the link to a system's page."""
    return Span(name, address=address("/system", name))
