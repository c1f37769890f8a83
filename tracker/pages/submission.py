"""The page of one submission: its scores, where it is lost, and on what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...queries.change.comparison.model import PRIMARY, Comparison
from ...queries.errors.jobs import check_metric, sentence_metrics
from ...queries.exploring import Listing, Value, listing
from ...queries.metrics.registry import direction, headline_metrics, label_of, usual_metrics
from ...queries.numbers import interval, measured
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.statements import Row, read_rows
from ..api.tracker import Tracker
from ..show.findings.changes import difference_in_table, tone
from ..show.findings.sentences import READING, suspicion_tree
from ..show.languages import language_name
from ..show.model import (
    Block,
    Document,
    Field,
    Form,
    KeyFigure,
    Page,
    Paragraph,
    Section,
    Span,
)
from . import Request
from .addresses import address
from .lists import PAGE_ROWS, labelled
from .sections import (
    analyses_section,
    list_section,
    read_rows_of,
    read_section,
    section,
    section_table,
    sections_of_themes,
    without_trees,
)
from .verdicts import not_stored, outcome_tone, stored_verdict

PATTERNS, SENTENCES = 15, 10
RESULTS = (
    "submission.relations",
    "submission.patterns",
    "submission.complexity",
    "submission.labels",
    "submission.metrics",
)
"""Sections about results, that are read for many submissions as for one."""
ANALYSES = ", ".join(
    f"main > #{name}"
    for name in ("grammar", "meaning", "significance", "correlations", "projectivity", "entropy")
)
"""Those analyses that the page does not have itself, as a selector of CSS."""
_OF_BASE = ("base_dea", "change", "lost", "won")
"""Columns of relations that are about a base."""
EDIT = "/edit"
NOTE = "note"


@dataclass(frozen=True)
class _Looked:
    """A submission that is looked at, the one it is set against, and by which metric."""

    name: str
    base: str
    treebank: str
    metric: str

    @property
    def about(self) -> dict[str, str]:
        return {"submission_id": self.name, "treebank_id": self.treebank}

    @property
    def of_metric(self) -> dict[str, Value]:
        return {
            "submission": self.name,
            "treebank": self.treebank,
            "metric": self.metric,
            "direction": direction(self.metric),
        }


def submission(tracker: Tracker, request: Request, *, logged: bool = False) -> Page:
    """Return one model run: its scores, and where and on what it fails.

    Where it may be ``logged`` it leads to its run in MLflow.
    """
    database = tracker.database
    name = tracker.resolve(request["submission"])
    metric = request.get("metric") or sentence_metrics(database, [name])[0]
    check_metric(database, metric)
    (run,) = read_rows(database, "submission_facts", submission=name)
    base = request.get("base") or run["previous_submission_id"] or ""
    looked = _Looked(name, tracker.resolve(base) if base else "", run["treebank_id"], metric)
    facts = [
        run["system_kind"]
        if run["team"] in (None, "", run["system_kind"])
        else f"{run['system_kind']} of {run['team']}",
        *([language_name(run["language"])] if run["language"] else []),
        f"iteration {run['iteration']}",
        f"made {run['created_at']:%Y-%m-%d %H:%M}",
        f"{run['outputs']:,} of {run['sentences']:,} sentences have an output",
        f"read from {run['source']}",
    ]
    verdict = stored_verdict(database, name, looked.base) if looked.base else None
    untested = [not_stored(name, looked.base)] if looked.base and verdict is None else []
    results = read_results(database, {name: looked.base})
    measures = results["submission.metrics"].rows
    sections = [
        *_changed(tracker, looked),
        *result_sections(results, looked.base, _tree(tracker, looked)),
        *_trials(database, looked),
        read_section(
            database,
            "submission.sentences",
            {**looked.of_metric, "rows": SENTENCES},
            about={**looked.about, "among": {"order": metric}},
            after=[Paragraph([Span("All sentences", address=address("/sentences", name))], "")],
        ),
        analyses_section(ANALYSES, submission=name),
        *sections_of_themes("marked_sections", tracker, [name], "submission", name),
        noted(tracker, "submission", name, address("/submission", name)),
    ]
    document = Document(
        "Submission",
        name,
        sorted(
            without_trees(database, sections, [name]), key=lambda section: bool(section.missing)
        ),
        lead=" · ".join(facts),
        figures=key_figures(measures.to_pylist(), verdict),
        notes=[
            *([f"params: {run['params']}"] if run["params"] not in ("{}", None) else []),
            *untested,
        ],
        verdict=verdict.verdict if verdict else [],
        tone=outcome_tone(verdict.outcome) if verdict else "",
        provenance=[
            ("references", f"{run['treebank_id']}, as {run['reference_form']}"),
            ("analysed by", run["analysis"]),
        ],
        language=run["language"] or "",
    )
    leads = address("/compare", new=name, base=looked.base)
    beside = [Span(f"what changed since {looked.base}", address=leads)] if looked.base else []
    beside += [Span("its run in MLflow", address=address("/run", name))] if logged else []
    return Page(document, _trail(run), [_choice(tracker, looked, measures)], beside)


def _trials(database: Database, looked: _Looked) -> list[Section]:
    """Return how much the trials of a submission differ, and on which sentences."""
    name = looked.name
    if not listing(database, "listed_trials", submission=name).rows.num_rows:
        return []
    flaky: dict[str, Value] = {"submission": name, "metric": looked.metric, "rows": SENTENCES}
    return [
        read_section(database, "submission.trials", {"submission": name}),
        read_section(
            database,
            "submission.flaky",
            flaky,
            about={**looked.about, "among": {"order": looked.metric}},
        ),
    ]


def _trail(run: dict[str, Any]) -> list[Span]:
    """Return the pages above a submission's: its campaign, treebank and system."""
    campaign, treebank = run["campaign_id"], run["treebank_id"]
    return [
        Span(campaign, address=address("/leaderboard", campaign=campaign)),
        Span(treebank, address=address("/leaderboard", campaign=campaign, treebank=treebank)),
        Span(run["system_id"], address=address("/system", run["system_id"])),
    ]


def key_figures(scores: Sequence[Row], verdict: Comparison | None = None) -> list[KeyFigure]:
    """Return the scores of a submission that are defined, each with what it rests on.

    With a verdict they have their changes; those that it rests on stand first, the others are
    folded.
    """
    changes = {change.measure: change for change in verdict.metrics} if verdict else {}
    primary = [name for name, change in changes.items() if change.family == PRIMARY]
    defined = {row["measure"]: row for row in scores if row["score"] is not None}
    order = [*(name for name in primary if name in defined), *defined]
    return [
        KeyFigure(
            label_of(name),
            measured(name, defined[name]["score"]),
            " · ".join(filter(None, _rests_on(defined[name]))),
            tone(changes[name], verdict.settings.alpha) if verdict and name in changes else "",
            difference_in_table(changes[name]) if name in changes else "",
            folded=bool(primary) and name not in primary,
        )
        for name in dict.fromkeys(order)
    ]


def _rests_on(row: Row) -> list[str | None]:
    """Return the sentences, the interval and the signature of a score; some may be missing."""
    has_interval = row["low"] is not None
    return [
        plural(row["sentences"], "sentence"),
        f"interval {interval(row['measure'], row['low'], row['high'])}" if has_interval else None,
        row["signature"],
    ]


def _choice(tracker: Tracker, looked: _Looked, scores: Any) -> Form:
    others = listing(tracker.database, "listed_siblings", submission=looked.name, rows=PAGE_ROWS)
    names = [looked.base, *others.rows["submission_id"].to_pylist()]
    ids = [(name, name) for name in dict.fromkeys(names) if name]
    ids = ids if looked.base else [("", "no other"), *ids]
    measures = dict.fromkeys([*scores["measure"].to_pylist(), looked.metric])
    return Form(
        address("/submission", looked.name),
        [
            Field("base", "Set against", looked.base, ids),
            Field("metric", "Sentences by", looked.metric, labelled(measures)),
        ],
    )


Results: TypeAlias = Mapping[str, Listing]
"""Rows of submissions by the section that shows them; the column submission_id says whose."""


def read_results(database: Database, bases: Mapping[str, str]) -> Results:
    """Return what pages show of some submissions' results, read in one go.

    ``bases`` holds the id of the base of each submission, "" for none.
    """
    parameters: dict[str, Value] = {
        "submissions": [*bases],
        "bases": [*bases.values()],
        "rows": PATTERNS,
        "measures": usual_metrics(),
    }
    return {place: read_rows_of(database, place, parameters) for place in RESULTS}


def result_sections(results: Results, base: str, tree: Sequence[Block] = ()) -> list[Section]:
    """Return the sections about the results of one submission and its base, "" for none.

    The suspicion ``tree`` stands below the patterns.
    """
    relations = results["submission.relations"]
    compared = relations.rows["base_dea"].null_count < relations.rows.num_rows
    against = ""
    if compared:
        against = (
            f" The base is {base}. An edge is lost where only the base has it, and won "
            "where the base misses it."
        )
    elif base:
        against = f" {base} has no comparable figures."
    patterns = section_table("submission.patterns", results["submission.patterns"])
    return [
        list_section(
            "submission.relations",
            relations,
            {"against": against},
            sides=("lost", "won") if compared else None,
            hidden=["submission_id", *(() if compared else _OF_BASE)],
        ),
        section("submission.patterns", [*([patterns] if patterns.lines else []), *tree]),
        list_section(
            "submission.complexity", results["submission.complexity"], bars=headline_metrics()
        ),
        list_section("submission.labels", results["submission.labels"], bars=headline_metrics()),
        list_section("submission.metrics", results["submission.metrics"]),
    ]


def _tree(tracker: Tracker, looked: _Looked) -> list[Block]:
    """Return the suspicion tree of a submission with how to read it; nothing where none is made."""
    try:
        nodes = tracker.suspicion_tree(looked.name, metric=looked.metric).to_pylist()
    except UnknownNameError:
        return []
    title = f"As a tree: sentences split on the worst pattern, by {label_of(looked.metric)}"
    return [suspicion_tree(title, nodes, opened=False), Paragraph(READING)]


def _changed(tracker: Tracker, looked: _Looked) -> list[Section]:
    """Return the sentences that changed most since the base, where there is one."""
    if not looked.base:
        return []
    among = {"base": looked.base, "change": "most", "metric": looked.metric}
    return [
        read_section(
            tracker.database,
            "submission.changed",
            {
                **looked.of_metric,
                "base": looked.base,
                "rows": SENTENCES,
                **dict.fromkeys(("from", "to", "base_from", "base_to")),
            },
            about={**looked.about, "among": among},
        )
    ]


def noted(tracker: Tracker, kind: str, target: str, back: str) -> Section:
    """Return the tags and the note of a system or submission; ``back`` is the page they are on."""
    rows = listing(tracker.database, "listed_tags", kind=kind, target=target)
    tags = {row["name"]: row["value"] for row in rows.rows.to_pylist()}
    none = Paragraph("There is none yet: tracker keep note, tracker keep tag.")
    blocks: list[Block] = [section_table("submission.notes", rows) if tags else none]
    of = [Field("kind", "", kind), Field("target", "", target), Field("back", "", back)]

    def form(deed: str, fields: list[Field], button: str) -> Form:
        return Form(EDIT, [Field("deed", "", deed), *of, *fields], button, posts=True)

    blocks.append(form("note", [Field("value", "Note", tags.get(NOTE, ""), lines=2)], "Save"))
    named = [Field("name", "Tag"), Field("value", "Value")]
    blocks.append(form("tag", named, "Add or change"))
    if tags:
        names = [(name, name) for name in tags]
        blocks.append(form("untag", [Field("name", "Tag", names[0][0], names)], "Remove"))
    return section("submission.notes", blocks)
