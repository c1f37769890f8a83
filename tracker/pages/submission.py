"""The page of one submission: its scores, where it is lost, and on what."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...queries.errors.measures import check_metric, sentence_metrics
from ...queries.exploring import listing
from ...queries.metrics.registry import direction, headline_metrics, metrics, usual_metrics
from ...queries.numbers import interval, number
from ...schema.brief import plural
from ...schema.errors import UnknownNameError
from ...schema.statements import read_rows
from ..api import Tracker
from ..show.findings.suspicion_tree import READING, suspicion_tree
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
from . import Asked
from .addresses import address
from .errors import marked
from .lists import empty_columns, listed, named_buckets
from .notes import noted
from .verdicts import not_stored, stored_verdict

PATTERNS, SENTENCES = 15, 10


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
    def of_metric(self) -> dict[str, str | float]:
        return {
            "submission": self.name,
            "treebank": self.treebank,
            "metric": self.metric,
            "direction": direction(self.metric),
        }


def submission(tracker: Tracker, asked: Asked, *, logged: bool = False) -> Page:
    """Return one model run: its scores, and where and on what it fails.

    Where it may be ``logged`` it leads to its run in MLflow.
    """
    database = tracker.database
    name = tracker.resolve(asked["submission"])
    scores = listing(database, "listed_scores", submission=name, measures=usual_metrics())
    metric = asked.get("metric") or sentence_metrics(database, [name])[0]
    check_metric(database, metric)
    (run,) = read_rows(database, "submission_facts", submission=name)
    base = asked.get("base") or run["previous_submission_id"] or ""
    looked = _Looked(name, tracker.resolve(base) if base else "", run["treebank_id"], metric)
    told = [
        run["system_kind"]
        if run["team"] in (None, "", run["system_kind"])
        else f"{run['system_kind']} of {run['team']}",
        *([language_name(run["language"])] if run["language"] else []),
        f"iteration {run['iteration']}",
        f"made {run['created_at']:%Y-%m-%d %H:%M}",
        f"{run['outputs']:,} of {run['sentences']:,} sentences have an output",
        f"read from {run['source']}",
    ]
    verdict = stored_verdict(database, name, looked.base) if looked.base else []
    untested = [not_stored(name, looked.base)] if looked.base and not verdict else []
    sections = [
        _relations(tracker, looked),
        _patterns(tracker, looked),
        _complexity(tracker, looked),
        _worst(tracker, looked),
        *_changed(tracker, looked),
        *marked(tracker, [name], "submission", name),
        noted(tracker, "submission", name, address("/submission", name)),
    ]
    document = Document(
        "Submission",
        name,
        sorted(sections, key=lambda section: bool(section.missing)),
        lead=" · ".join(told),
        figures=_figures(scores.rows.to_pylist()),
        notes=[
            *([f"params: {run['params']}"] if run["params"] not in ("{}", None) else []),
            *untested,
        ],
        verdict=verdict,
        provenance=[
            ("references", f"{run['treebank_id']}, as {run['reference_form']}"),
            ("analysed by", run["analysis"]),
        ],
        language=run["language"] or "",
    )
    leads = address("/compare", new=name, base=looked.base)
    beside = [Span(f"what changed since {looked.base}", address=leads)] if looked.base else []
    beside += [Span("its run in MLflow", address=address("/run", name))] if logged else []
    return Page(document, _trail(run), [_choice(tracker, looked, scores.rows)], beside)


def _trail(run: dict[str, Any]) -> list[Span]:
    """Return the pages above a submission's: its campaign, treebank and system."""
    campaign, treebank = run["campaign_id"], run["treebank_id"]
    return [
        Span(campaign, address=address("/leaderboard", campaign=campaign)),
        Span(treebank, address=address("/leaderboard", campaign=campaign, treebank=treebank)),
        Span(run["system_id"], address=address("/system", run["system_id"])),
    ]


def _figures(scores: Sequence[dict[str, Any]]) -> list[KeyFigure]:
    known = {name: metric.label for name, metric in metrics().items()}
    return [
        KeyFigure(
            known.get(each["measure"], each["measure"].replace("_", " ")),
            number(each["score"]),
            " · ".join(
                filter(
                    None,
                    [
                        f"{plural(each['sentences'], 'sentence')}",
                        f"interval {interval(each['measure'], each['low'], each['high'])}"
                        if each["low"] is not None
                        else "",
                        each["signature"],
                    ],
                )
            ),
        )
        for each in scores
        if each["score"] is not None
    ]


def _choice(tracker: Tracker, looked: _Looked, scores: Any) -> Form:
    others = listing(tracker.database, "listed_siblings", submission=looked.name)
    ids = [(each, each) for each in others.rows["submission_id"].to_pylist()]
    ids = ids if looked.base else [("", "no other"), *ids]
    measures = dict.fromkeys([*scores["measure"].to_pylist(), looked.metric])
    return Form(
        address("/submission", looked.name),
        [
            Field("base", "Set against", looked.base, ids),
            Field("metric", "Sentences by", looked.metric, [(each, each) for each in measures]),
        ],
    )


def _relations(tracker: Tracker, looked: _Looked) -> Section:
    found = listing(
        tracker.database,
        "listed_relations",
        submission=looked.name,
        base=looked.base,
        treebank=looked.treebank,
    )
    against = found.rows["base_dea"].null_count < found.rows.num_rows
    table = listed(
        found,
        "Relations",
        about=looked.about,
        bars=("dea", "base_dea"),
        sides=("lost", "won") if against else None,
        hidden=() if against else ("base_dea", "change", "lost", "won"),
    )
    reading = "Where most is lost stands first; a relation leads to the sentences that miss it."
    if against:
        reading += f" The base is {looked.base}: lost are edges that it alone has, won its misses."
    elif looked.base:
        reading += f" {looked.base} has no such figures that were computed alike."
    return Section(
        "relations",
        "Relations",
        "Edges found, by dependency relation",
        reading,
        [table],
        "" if table.lines else "Dependency edge accuracy was not computed: tracker score.",
    )


def _patterns(tracker: Tracker, looked: _Looked) -> Section:
    found = listing(tracker.database, "listed_patterns", submission=looked.name, rows=PATTERNS)
    table = listed(
        found,
        "Suspicious patterns",
        about={"submission_id": looked.name},
        bars=("failure_rate", "base_rate"),
    )
    blocks: list[Block] = [table] if table.lines else []
    with suppress(UnknownNameError):  # none was made
        rows = tracker.suspicion_tree(looked.name, metric=looked.metric).to_pylist()
        title = f"As a tree: sentences split on the worst pattern, by {looked.metric}"
        blocks += [suspicion_tree(title, rows), Paragraph(READING)]
    return Section(
        "patterns",
        "Patterns",
        "What goes with failure",
        "Subtrees of the references whose sentences fail more often than the others by more than "
        "chance; a pattern leads to its sentences, worst first.",
        blocks,
        "" if blocks else "No pattern is suspicious, or none was mined yet: tracker analyse.",
    )


def _complexity(tracker: Tracker, looked: _Looked) -> Section:
    found = listing(
        tracker.database, "listed_buckets", submission=looked.name, treebank=looked.treebank
    )
    table = named_buckets(listed(found, "Complexity", bars=headline_metrics()), found)
    return Section(
        "complexity",
        "Complexity",
        "Simple and complex sentences",
        "Mean scores of sentences, in three parts about as large, counted without punctuation.",
        [table],
        "" if table.lines else "The treebank is not analysed yet: tracker score.",
    )


def _worst(tracker: Tracker, looked: _Looked) -> Section:
    found = listing(tracker.database, "listed_worst", rows=SENTENCES, **looked.of_metric)
    about = {**looked.about, "among": {"order": looked.metric}}
    hidden = empty_columns(found)
    table = listed(found, "Worst sentences", about=about, bars=("score",), hidden=hidden)
    every = Paragraph([Span("All sentences", address=address("/sentences", looked.name))], "")
    return Section(
        "sentences", "Sentences", f"Worst sentences by {looked.metric}", "", [table, every]
    )


def _changed(tracker: Tracker, looked: _Looked) -> list[Section]:
    """Return the sentences that changed most since the base, where there is one."""
    if not looked.base:
        return []
    found = listing(
        tracker.database,
        "listed_pair_sentences",
        submission=looked.name,
        base=looked.base,
        treebank=looked.treebank,
        metric=looked.metric,
        rows=SENTENCES,
        **{"from": None, "to": None, "base_from": None, "base_to": None},
    )
    among = {"base": looked.base, "change": "most", "metric": looked.metric}
    about = {**looked.about, "among": among}
    table = listed(found, "Changed sentences", about=about, bars=("base_score", "score"))
    missing = f"No sentence has scores by {looked.metric} of both that were computed alike."
    return [
        Section(
            "changed",
            "Changed",
            "Most changed sentences",
            f"Since {looked.base}, by {looked.metric}.",
            [table],
            "" if table.lines else missing,
        )
    ]
