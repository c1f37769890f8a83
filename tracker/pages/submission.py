"""The page of one submission: its scores, where it is lost, and on what."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ...queries.errors.jobs import check_metric, sentence_metrics
from ...queries.exploring import Value, listing
from ...queries.metrics.registry import direction, headline_metrics, metrics, usual_metrics
from ...queries.numbers import interval, number
from ...schema.brief import plural
from ...schema.errors import UnknownNameError
from ...schema.statements import read_rows
from ..api.tracker import Tracker
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
from .people import marked
from .sections import list_section, read_section, section, section_table
from .tested import not_stored, stored_verdict

PATTERNS, SENTENCES = 15, 10
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
        read_section(
            database,
            "submission.complexity",
            {"submission": name, "treebank": looked.treebank},
            bars=headline_metrics(),
        ),
        read_section(
            database,
            "submission.sentences",
            {**looked.of_metric, "rows": SENTENCES},
            about={**looked.about, "among": {"order": metric}},
            after=[Paragraph([Span("All sentences", address=address("/sentences", name))], "")],
        ),
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
    rows = listing(
        tracker.database,
        "listed_relations",
        submission=looked.name,
        base=looked.base,
        treebank=looked.treebank,
    )
    against = rows.rows["base_dea"].null_count < rows.rows.num_rows
    told = ""
    if against:
        told = (
            f" The base is {looked.base}. An edge is lost where only the base has it, and won "
            "where the base misses it."
        )
    elif looked.base:
        told = f" {looked.base} has no comparable figures."
    return list_section(
        "submission.relations",
        rows,
        {"against": told},
        about=looked.about,
        sides=("lost", "won") if against else None,
        hidden=() if against else ("base_dea", "change", "lost", "won"),
    )


def _patterns(tracker: Tracker, looked: _Looked) -> Section:
    rows = listing(tracker.database, "listed_patterns", submission=looked.name, rows=PATTERNS)
    table = section_table("submission.patterns", rows, about={"submission_id": looked.name})
    blocks: list[Block] = [table] if table.lines else []
    with suppress(UnknownNameError):  # none was made
        nodes = tracker.suspicion_tree(looked.name, metric=looked.metric).to_pylist()
        title = f"As a tree: sentences split on the worst pattern, by {looked.metric}"
        blocks += [suspicion_tree(title, nodes), Paragraph(READING)]
    return section("submission.patterns", blocks)


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
