"""The page of a sentence: its tree, every system's output, and what was said and lost of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ...queries.errors.example_reading import cut_words, nearest_difference, read_words
from ...queries.errors.examples import pattern_matches
from ...queries.errors.jobs import sentence_metrics
from ...queries.exploring import Listing, listing
from ...queries.metrics.registry import headline_metrics, label_of, metrics
from ...schema.brief import plural
from ...schema.errors import UnknownNameError
from ..api.tracker import Tracker
from ..show.findings.sentences import (
    compared_words,
    marked_output,
    sentence_name,
    tree_of_words,
)
from ..show.languages import language_name
from ..show.model import (
    Block,
    Card,
    Document,
    Field,
    Form,
    Line,
    Page,
    Paragraph,
    Section,
    Span,
    Table,
    Tone,
    Words,
)
from . import Request
from .addresses import address
from .drawings import runs_chart
from .lists import EVERY, empty_columns, rest_of, rows_asked
from .occurrences import PARAMETERS, Among, among
from .sections import list_section, section, section_table, sections_of_themes

Where: TypeAlias = dict[str, str | int]
TITLE = 300
"""Letters of a sentence at the head of its page; the tree stands below the whole of it."""
_ONE_LINE = dict.fromkeys(("campaign_id", "treebank_id", "track"), "")
"""Of a chart of one sentence: its outputs are on one line, whatever campaign they are from."""


@dataclass(frozen=True)
class Place:
    """What is looked at: a sentence, one output of it, and another it is set against."""

    treebank: str
    sentence_no: int
    text: str | None
    chosen: str
    base: str
    request: Request
    among: Among | None
    source: str | None
    alternatives: Sequence[tuple[str, str]]
    """Other references: their names and texts."""

    @property
    def references(self) -> list[str | None]:
        """The texts of all references."""
        return [self.text, *(text for _, text in self.alternatives)]

    def short(self, submission: str) -> str:
        """Return the id of a submission without its treebank."""
        return submission.replace(f"/{self.treebank}", "")

    def address(self, sentence_no: int | None = None, **state: str) -> str:
        """Return the address of this page, of another sentence or with another state."""
        current = {
            "submission": self.chosen,
            "base": self.base,
            "system": self.request.get("system"),
        }
        current |= self.among.state if self.among else {}
        place = self.sentence_no if sentence_no is None else sentence_no
        return address("/sentence", self.treebank, place, **{**current, **state})


def sentence(tracker: Tracker, request: Request) -> Page:
    """Return a sentence: its reference tree, all outputs, judgements, broken rules, its meaning."""
    treebank, sentence_no = request["treebank"], int(request["sentence_no"])
    where: Where = {"treebank": treebank, "sentence_no": sentence_no}
    (facts,) = listing(tracker.database, "sentences_beside", **where).rows.to_pylist()
    if facts["text"] is None and facts["sent_id"] is None:
        raise UnknownNameError(f"the treebank '{treebank}' has no sentence {sentence_no}")
    names = (request.get("metric", ""), request.get("order", ""))
    metric = next(
        (name for name in names if name in metrics()),
        sentence_metrics(tracker.database, treebank=treebank)[0],
    )
    named = {
        name: tracker.resolve(request[name]) if request.get(name) else ""
        for name in ("submission", "base")
    }
    outputs = listing(
        tracker.database,
        "listed_outputs",
        system=request.get("system") or None,
        metric=metric,
        submissions=[*named.values()],
        rows=rows_asked(request),
        **where,
    )
    rows = outputs.rows.to_pylist()
    for name in named.values():
        _check_output(tracker, rows, where, name)
    chosen = named["submission"] or (rows[0]["submission_id"] if rows else "")
    base = named["base"]
    place = Place(
        treebank=treebank,
        sentence_no=sentence_no,
        text=facts["text"],
        chosen=chosen,
        base=base,
        request=request,
        among=among(
            tracker,
            chosen,
            {name: request.get(name, "") for name in PARAMETERS} | {"base": base},
        ),
        source=facts["source_text"],
        alternatives=[(other["name"], other["text"]) for other in facts["alternatives"] or ()],
    )
    sections = [
        _tree(tracker, place, rows),
        _outputs(place, outputs, rows, metric),
        _judgements(tracker, where),
        *sections_of_themes("judged_outputs", tracker, place),
        *sections_of_themes("sentence_findings", tracker, place),
    ]
    title = facts["text"] or f"sentence {sentence_no}"
    document = Document(
        "Sentence",
        title if len(title) <= TITLE else f"{title[:TITLE].rstrip()}…",
        [section for section in sections if section.blocks or section.missing],
        lead=" · ".join(
            filter(
                None,
                [
                    sentence_name(sentence_no, facts["sent_id"]),
                    treebank,
                    facts["language"] and language_name(facts["language"]),
                    facts["document_id"] and f"document {facts['document_id']}",
                    facts["domain"],
                ],
            )
        ),
        language=facts["language"] or "",
    )
    trail = [Span(treebank, address=address("/leaderboard", treebank=treebank))]
    if chosen:
        trail.append(Span(chosen, address=address("/submission", chosen)))
    beside = _beside(place, facts)
    return Page(document, trail, [_choice(place, rows)], beside)


def _check_output(
    tracker: Tracker, rows: Sequence[dict[str, Any]], where: Where, name: str
) -> None:
    """Raise UnknownNameError where a submission, "" for none, has no output for the sentence.

    ``rows`` are outputs of the sentence, not always all of them.
    """
    if not name or any(row["submission_id"] == name for row in rows):
        return
    own = listing(
        tracker.database,
        "listed_outputs",
        system=None,
        metric=None,
        submissions=[name],
        rows=0,
        **where,
    )
    if not own.rows.num_rows:
        raise UnknownNameError(
            f"{name} has no output for sentence {where['sentence_no']} of {where['treebank']}"
        )


def _beside(place: Place, facts: dict[str, Any]) -> list[Span]:
    """Return what leads to the sentences before and after it, of those among which it is."""
    among = place.among
    if among is None or place.sentence_no not in among.numbers:
        before, after, links = facts["before"], facts["after"], []
    else:
        n = among.numbers.index(place.sentence_no)
        before = among.numbers[n - 1] if n else None
        after = among.numbers[n + 1] if n + 1 < len(among.numbers) else None
        of = f"{n + 1:,} of {plural(len(among.numbers), 'sentence')} {among.words}"
        links = [Span(of, address=among.leads)]
    return [
        *([Span("← sentence before", address=place.address(before))] if before else []),
        *([Span("sentence after →", address=place.address(after))] if after else []),
        *links,
    ]


def _choice(place: Place, rows: Sequence[dict[str, Any]]) -> Form:
    system = place.request.get("system", "")
    systems = sorted({str(row["system_id"]) for row in rows} | ({system} - {""}))
    submissions = [str(row["submission_id"]) for row in rows]
    submissions += [name for name in (place.chosen, place.base) if name and name not in submissions]
    runs = [(name, name) for name in dict.fromkeys(submissions)]
    state = place.among.state if place.among else {}
    return Form(
        address("/sentence", place.treebank, place.sentence_no),
        [
            Field("submission", "Tree with the edges of", place.chosen, runs),
            Field("base", "Against", place.base, [("", "no other"), *runs]),
            Field(
                "system", "Outputs of", system, [("", "every system"), *((s, s) for s in systems)]
            ),
            *(Field(name, "", value) for name, value in state.items() if name != "base"),
        ],
    )


def _tree(tracker: Tracker, place: Place, rows: Sequence[dict[str, Any]]) -> Section:
    """Return the reference's tree, and the output whose edges it shows."""
    if not place.chosen:
        return section("sentence.texts", name="Tree", title="Tree")
    here, outputs = place.sentence_no, {row["submission_id"]: row["output"] for row in rows}
    facts: list[tuple[str, Words]] = [("source", place.source)] if place.source else []
    facts += _references(place, outputs.get(place.chosen))
    facts += [
        (place.short(name), marked_output(outputs[name], *place.references))
        for name in (place.chosen, place.base)
        if name in outputs
    ]
    words = read_words(tracker.database, place.chosen, [here])[here]
    before = (
        listing(tracker.database, "sentence_edges", submission=place.base, sentence_no=here)
        if place.base
        else None
    )
    state = place.among.state if place.among else {}
    labels, pattern = state.get("labels"), state.get("pattern")
    matches = (
        pattern_matches(tracker.database, place.treebank, here, pattern, labels) if pattern else []
    )
    found_before = dict(zip(*before.rows.to_pydict().values(), strict=True)) if before else {}
    tree = tree_of_words(words, matches, labels or "", found_before=found_before)
    if not words:
        return section("sentence.texts", [Card("", facts)])
    against = f" Won and lost: against {place.base}." if place.base else ""
    card = Card("", facts, blocks=[tree])
    return section("sentence.tree", [card], {"against": against})


def _references(place: Place, output: str | None) -> Iterator[tuple[str, Words]]:
    """Yield all references, of the nearest one those words marked that an output lacks."""
    texts = [cut_words(text or "", []) for text in place.references]
    nearest, pieces, _ = nearest_difference(texts, cut_words(output or "", []))
    names = ["reference", *(f"reference {name}" for name, _ in place.alternatives)]
    for number, (name, text) in enumerate(zip(names, place.references, strict=True)):
        is_marked = number == nearest or text is None
        yield name, compared_words(text, pieces, "missing") if is_marked else text or ""


def _outputs(
    place: Place, outputs: Listing, rows: Sequence[dict[str, Any]], metric: str
) -> Section:
    """Return every output, system by system, and what changed from iteration to iteration."""
    hidden = ["campaign_id", "system_id", "submission_before", "listed"]
    hidden += ["score"] if metric in headline_metrics() else []
    hidden += {*empty_columns(outputs)} - {"output"}
    table = section_table("sentence.outputs", outputs, hidden=hidden, bars=headline_metrics())
    several = len({row["system_id"] for row in rows}) < len(rows)
    lines = [
        replace(line, starts=line.starts and several)
        for line in (
            _line(table, line, row, before, place)
            for line, row, before in zip(table.lines, rows, [None, *rows], strict=False)
        )
    ]
    columns = [
        replace(column, kind="sentence")
        if column.name == "output"
        else replace(column, name=label_of(metric))
        if column.name == "score"
        else column
        for column in table.columns
    ]
    count = rows[0]["listed"] if rows else 0
    leads = place.address(system=place.request.get("system", ""), rows=EVERY)
    outcome = [
        *rest_of(len(rows), count, "outputs", leads),
        replace(table, columns=columns, lines=lines),
        *_chart(place, rows, metric),
    ]
    return section("sentence.outputs", outcome, empty=not rows)


def _line(
    table: Table, line: Line, row: dict[str, Any], before: dict[str, Any] | None, place: Place
) -> Line:
    cells = list(line.cells)
    places = {column.name: n for n, column in enumerate(table.columns)}
    follows = before is not None and before["system_id"] == row["system_id"]
    text = marked_output(row["output"], *place.references)
    is_next = before is not None and row["submission_before"] == before["submission_id"]
    if is_next and before and before["output"] == row["output"] is not None:
        text = [Span("as the run before", "muted")]
    leads = f"{place.address(submission=row['submission_id'])}#tree"
    iteration = [Span(f"@{row['iteration']}", address=leads)]
    name = row["submission_id"]
    submission = [Span(place.short(name), address=address("/submission", name))]
    cells[places["submission"]] = replace(cells[places["submission"]], text=submission)
    cells[places["iteration"]] = replace(cells[places["iteration"]], text=iteration)
    cells[places["output"]] = replace(cells[places["output"]], text=text)
    tone: Tone = "strong" if row["submission_id"] == place.chosen else ""
    return replace(line, cells=cells, tone=tone, starts=before is not None and not follows)


def _chart(place: Place, rows: Sequence[dict[str, Any]], metric: str) -> list[Block]:
    """Return how the sentence fared over the iterations of the chosen system, where it has some."""
    (system,) = [row["system_id"] for row in rows if row["submission_id"] == place.chosen] or [""]
    runs = [row for row in rows if row["system_id"] == system]
    measures = ("dea", *headline_metrics(), "score")
    measure = next((m for m in measures if any(row[m] is not None for row in runs)), "")
    if len(runs) < 2 or not measure:
        return []
    newest: dict[str, str] = {}
    scored = []
    for row in runs:
        previous = newest.get(row["campaign_id"])
        newest[row["campaign_id"]] = row["submission_id"]
        scored.append(
            {**row, **_ONE_LINE, "score": row[measure], "previous_submission_id": previous}
        )
    named = metric if measure == "score" else measure
    name = f"{label_of(named)} of this sentence over the iterations of {system}"
    return [
        *runs_chart(name, named, scored, lambda run: place.address(submission=run["submission_id"]))
    ]


def _judgements(tracker: Tracker, where: Where) -> Section:
    rows = listing(tracker.database, "listed_judgements", **where)
    if not rows.rows.num_rows:
        return section("sentence.people")
    note = Paragraph("Raw ratings; z-scores stand with the outputs.")
    return list_section("sentence.people", rows, after=[note])
