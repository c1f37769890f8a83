"""The leaderboard: scores side by side where they are comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from ...queries.errors.jobs import sentence_metrics
from ...queries.exploring import Listing, Name, listing, parted
from ...queries.metrics.registry import direction, label_of, tabled_metrics, usual_metrics
from ...queries.numbers import measured
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import check_names, resolve_name, resolve_treebank
from ..api.tracker import Tracker
from ..show.languages import language_name
from ..show.model import (
    Cell,
    Column,
    Document,
    Field,
    Form,
    Page,
    Section,
    Span,
    Table,
    Whisker,
)
from . import Request
from .addresses import address
from .lists import EVERY, IDENTITY, IN_THE_ID, empty_columns, labelled, rest_of, rows_asked
from .sections import analyses_section, section, section_table

PAGE = "/leaderboard"
DOWN, UP = "down", "up"
_HUMAN = ("adequacy_z", "fluency_z", "adequacy_raw", "fluency_raw")
_TEXTS = ("submission_id", "system_id")
_HIDDEN = (
    *("judged_sentences", "signatures", "low", "high", "adequacy_cluster", "fluency_cluster"),
    "listed",
)
_FIRST = ("place", "submission_id", "signature")
_THEN = ("adequacy_z", "adequacy_rank", "fluency_z", "fluency_rank")
_LAST = ("coverage", "system_id")


def leaderboard(tracker: Tracker, request: Request) -> Page:
    """Return the submissions that were chosen, in the order asked for."""
    chosen = {
        kind: resolve(tracker.database, request[kind])
        for kind, resolve in (("campaign", _campaign), ("treebank", resolve_treebank))
        if request.get(kind)
    }
    scored = sentence_metrics(tracker.database, **chosen)
    leading, tabled = scored[0], {column.name for column in tabled_metrics()}
    sort = request.get("sort") or leading
    check_names("column", [sort], {*tabled, *_HUMAN, *_TEXTS})
    metric = sort if sort in tabled else leading
    best_first = UP if direction(sort) < 0 or sort in _TEXTS else DOWN
    order = request.get("order") or best_first
    if order not in (DOWN, UP):
        raise InputError(f"'{order}' is no order", hint=f"{DOWN} or {UP}")
    find, runs = request.get("find", "").strip(), request.get("runs", "")
    if runs not in ("", EVERY):
        raise InputError(f"'{runs}' is no choice of runs", hint=f"{EVERY}, or none for the newest")
    rows = _listed(
        tracker.database,
        metric,
        sort,
        down=order == DOWN,
        find=find,
        every_run=runs == EVERY,
        most=rows_asked(request),
        **chosen,
    )
    state = {**chosen, "find": find, "runs": runs, "rows": request.get("rows", "")}
    shown = _scores(rows, metric, state, (sort, order, best_first))
    document = Document(
        "Leaderboard",
        " · ".join(chosen.values()) or "Every test set",
        [shown, *([analyses_section(**chosen)] if chosen and rows.rows.num_rows else [])],
        lead=plural(_listed_in_all(rows), "submission"),
    )
    trail = [Span("Leaderboard", address=PAGE)]
    return Page(document, trail, [_choice(tracker, state, sort, scored)])


def leaderboard_of(database: Database, submissions: Sequence[str]) -> Section:
    """Return the scores of some submissions, the best of each test set first."""
    metric = sentence_metrics(database, submissions)[0]
    order = UP if direction(metric) < 0 else DOWN
    rows = _listed(
        database, metric, metric, down=order == DOWN, every_run=True, submissions=submissions
    )
    return _scores(rows, metric, {}, (metric, order, order))


def _listed(
    database: Database,
    metric: str,
    sort: str,
    *,
    down: bool,
    every_run: bool,
    most: int | None = None,
    find: str = "",
    campaign: str | None = None,
    treebank: str | None = None,
    submissions: Sequence[str] | None = None,
) -> Listing:
    """Return submissions sorted by a column, with their places by a metric.

    They are at most about so many (``most``), the first ones of each test set.
    """
    return listing(
        database,
        "listed_leaderboard",
        submissions=submissions,
        campaign=campaign,
        treebank=treebank,
        find=find,
        every_run=every_run,
        rows=most,
        metric=metric,
        score=Name(metric),
        direction=direction(metric),
        sort=Name(sort),
        down=down,
    )


def _scores(
    listed: Listing, metric: str, state: Mapping[str, str], sorting: tuple[str, str, str]
) -> Section:
    rows = listed.rows.to_pylist()
    parts = parted(listed, "campaign_id", "treebank_id")
    tables = [
        replace(
            _table(part, metric, state, sorting),
            caption=" · ".join(
                part.rows[name][0].as_py() for name in ("campaign_id", "treebank_id")
            ),
            titled=len(parts) > 1,
        )
        for part in parts
        if part.rows.num_rows
    ]
    sort, order, best_first = sorting
    order = "" if order == best_first else order
    leads = address(PAGE, **{**state, "rows": EVERY}, sort=sort, order=order)
    rest = rest_of(len(rows), _listed_in_all(listed), "submissions", leads)
    return section(
        "leaderboard.leaderboard",
        [*rest, *tables],
        empty=not rows,
        reading=_reading(rows, metric),
    )


def _listed_in_all(listed: Listing) -> int:
    """Return how many submissions there are to the test sets, those not shown included."""
    names = ("campaign_id", "treebank_id", "listed")
    test_sets = {*zip(*(listed.rows[name].to_pylist() for name in names), strict=True)}
    return sum(count for _, _, count in test_sets)


def _campaign(database: Database, name: str) -> str:
    return resolve_name(database, "campaign", name)


def _reading(rows: Sequence[Mapping[str, Any]], metric: str) -> str:
    comparability = (
        "A table is of one test set. A line separates rows that cannot be compared: another way of "
        "computing. Ranks start anew below it. A sentence without an output gets the worst score, "
        "so look at the coverage too."
    )
    sentences = [comparability]
    if not any(row["low"] is not None for row in rows):
        sentences.append(
            f"No interval of {label_of(metric)} was computed yet: tracker why significance draws "
            "them here."
        )
    if any(row["adequacy_rank"] is not None for row in rows):
        sentences.append(
            "Ranks by people are those of the cluster: systems that do not differ clearly."
        )
    if not any(row["judged_sentences"] for row in rows):
        sentences.append("Human scores: none are loaded for these submissions.")
    return " ".join(sentences)


def _table(
    listed: Listing, metric: str, state: Mapping[str, str], sorting: tuple[str, str, str]
) -> Table:
    rows = listed.rows.to_pylist()
    ways = _ways(rows)
    hidden = [*empty_columns(listed), *IDENTITY, *IN_THE_ID, *_HIDDEN]
    hidden += [] if any(ways) else ["signature"]
    hidden += {other.name for other in tabled_metrics()} - {*usual_metrics(), metric}
    table = section_table("leaderboard.leaderboard", listed, hidden=hidden)
    names = [name for name in listed.rows.column_names if name not in hidden]
    whiskers = _whiskers(rows, metric)
    first = [*_FIRST, metric, "trial_sd", "trials", *_THEN]
    between = [name for name in names if name not in {*first, *_LAST}]
    shown = [name for name in (*first, *between, *_LAST) if name in names]
    lines = []
    for place, line in enumerate(table.lines):
        cells = dict(zip(names, line.cells, strict=True))
        if metric in cells:
            cells[metric] = replace(cells[metric], whisker=whiskers[place])
        if "signature" in cells:
            cells["signature"] = Cell(ways[place], tone="doubt", title=rows[place]["signature"])
        lines.append(replace(line, cells=[cells[name] for name in shown]))
    columns = dict(zip(names, table.columns, strict=True))
    heads = [_sorted_by(columns[name], name, state, sorting) for name in shown]
    return replace(table, columns=heads, lines=lines)


def _alike(row: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Return what rows have in common whose scores are comparable."""
    return row["campaign_id"], row["treebank_id"], row["signature"]


def _ways(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return how a row was computed otherwise than the first of its test set; "" for alike."""
    first: dict[tuple[str, str], str] = {}
    ways = []
    for row in rows:
        here = row["signature"] or ""
        usual = first.setdefault((row["campaign_id"], row["treebank_id"]), here)
        parts = [part for part in here.split("|") if part not in usual.split("|")]
        ways.append("not comparable: " + ", ".join(parts) if here and here != usual else "")
    return ways


def _whiskers(rows: Sequence[Mapping[str, Any]], metric: str) -> list[Whisker | None]:
    """Return the interval of each row's score, on one scale where scores are comparable."""
    whiskers: list[Whisker | None] = []
    for _, group in groupby(rows, _alike):
        some = [*group]
        ends = [row[end] for row in some for end in ("low", "high") if row[end] is not None]
        whiskers += [_whisker(row, metric, ends) for row in some]
    return whiskers


def _whisker(row: Mapping[str, Any], metric: str, ends: Sequence[float]) -> Whisker | None:
    if row["low"] is None:
        return None
    left, right = min(ends), max(ends)
    shares = [_share(row[name], left, right) for name in ("low", metric, "high")]
    text = f"interval {measured(metric, row['low'])} to {measured(metric, row['high'])}"
    return Whisker(shares[0], shares[1], shares[2], text)


def _share(value: float, left: float, right: float) -> float:
    return (value - left) / (right - left) if right > left else 0.5


def _sorted_by(
    column: Column, name: str, state: Mapping[str, str], sorting: tuple[str, str, str]
) -> Column:
    """Return a column whose head leads to the rows sorted by it, or the other way round."""
    sort, order, best_first = sorting
    if name == "signature":
        return replace(column, name="computed")
    if name not in {*(metric.name for metric in tabled_metrics()), *_HUMAN, *_TEXTS}:
        return column
    if name != sort:
        return replace(column, leads=address(PAGE, **state, sort=name))
    other = UP if order == DOWN else DOWN
    leads = address(PAGE, **state, sort=name, order="" if other == best_first else other)
    return replace(column, leads=leads, sorted="descending" if order == DOWN else "ascending")


def _choice(tracker: Tracker, state: Mapping[str, str], sort: str, scored: Sequence[str]) -> Form:
    """Return the choice of a campaign, a treebank, names, runs and what is best first."""
    fields = []
    for name, every in (("campaign", "every campaign"), ("treebank", "every treebank")):
        columns = [f"{name}_id", *(["language"] if name == "treebank" else [])]
        rows = tracker.show(name, columns=",".join(columns), order=f"{name}_id").to_pylist()
        options = [
            ("", every),
            *((row[f"{name}_id"], _called(*row.values())) for row in rows),
        ]
        fields.append(Field(name, name, state.get(name, ""), options))
    fields.append(Field("find", "name contains", state["find"]))
    runs = [("", "the newest of each system"), (EVERY, "every run")]
    fields.append(Field("runs", "runs", state["runs"], runs))
    sorts = labelled(dict.fromkeys([sort, *sorted(scored), *_HUMAN]))
    fields.append(Field("sort", "best by", sort, sorts))
    return Form(PAGE, fields)


def _called(name: str, language: str | None = None) -> str:
    return f"{name} · {language_name(language)}" if language else name
