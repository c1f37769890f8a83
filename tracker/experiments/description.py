"""A run in a few lines of Markdown: the verdict, links to more, the course, the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from ...queries.change.comparison.model import Comparison, RelationChange
from ...queries.metrics import metric_named
from ...queries.metrics.registry import usual_metrics
from ...queries.numbers import number
from ..show.findings.history import sparkline
from .results import Moves
from .submissions import BETTER, OUTCOME, PRIMARY, WORSE, Submission, headlines

if TYPE_CHECKING:
    import pyarrow as pa

MOST, ROWS, SENTENCES = 5, 20, 3
REPORT, COMPARE = "report.html", "compare.html"
"""The pages of a run: what its submission fails on, and what changed."""
LEAST = 4
"""Relations of a run that are named with what is found of them."""
_NOT_IN_CODE = str.maketrans("", "", "`|")


@dataclass(frozen=True)
class Place:
    """Where a run is, and where the explorer is; "" for none."""

    experiment_id: str
    run_id: str
    explorer: str

    def artifact(self, text: str, path: str) -> str:
        """Return a link that opens an artifact in MLflow's viewer."""
        at = f"#/experiments/{self.experiment_id}/runs/{self.run_id}/artifacts/{quote(path)}"
        return f"[{text}]({at})"

    def page(self, text: str, page: str, **state: str) -> str:
        """Return a link to a page of the explorer."""
        query = f"?{urlencode(state)}" if state else ""
        return f"[{text}]({self.explorer}{quote(page, safe='/@')}{query})"


def describe(
    submission: Submission,
    own: Mapping[str, float],
    comparison: Comparison | None,
    worst: Sequence[int],
    course: str,
    place: Place,
) -> str:
    """Return the description of a submission's run, ``own`` being its scores by metric.

    MLflow shows the first lines only: the verdict, then links to more, then the ``course``,
    a line of Markdown.
    """
    verdict = " ".join(comparison.verdict) if comparison else _first_of_its_line(own)
    lines = [plain(verdict), "", _links(submission, comparison, worst, place), ""]
    lines += [course, ""] if course else []
    before = {change.measure: change for change in comparison.metrics} if comparison else {}
    base = comparison.base.submission_id.translate(_NOT_IN_CODE) if comparison else ""
    change = f" change against `{base}` |" if comparison else ""
    lines += [f"| metric | score |{change}", f"|---|---:|{'---:|' if comparison else ''}"]
    for name in usual_metrics():
        if name in own:
            moved, note = before.get(name), metric_named(name).note
            difference = f" {number(moved.difference if moved else None, 4, sign=True)} |"
            label = f"{name} ({note})" if note else name
            lines.append(f"| {label} | {number(own[name], 4)} |{difference if comparison else ''}")
    return "\n".join(lines)


def over_iterations(points: Sequence[tuple[int, float]]) -> str:
    """Return the first metric over iterations in a line: bars, the best and the latest value.

    ``points`` are iterations with their values, at least one, by iteration.
    """
    values = [value for _, value in points]
    ends = {"best": points[values.index(max(values))], "latest": points[-1]}
    named = [f"{name} {number(value)} @{iteration}" for name, (iteration, value) in ends.items()]
    return f"{PRIMARY} over the iterations: {sparkline(values)} · {' · '.join(named)}"


def least_accurate(relations: pa.Table) -> str:
    """Return the relations that are found least in a line: accuracy, and reference edges.

    ``relations`` holds a submission's rows of the view dea_by_relation.
    """
    columns = (relations[name].to_pylist() for name in ("dea", "deprel", "edges"))
    rows = sorted(zip(*columns, strict=True))[:LEAST]
    named = [f"{plain(deprel)} {number(dea, 2)} ({edges:,})" for dea, deprel, edges in rows]
    return f"Found least, of reference edges: {', '.join(named)}" if named else ""


def _first_of_its_line(own: Mapping[str, float]) -> str:
    scores = [f"{name} {number(own[name])}" for name in headlines() if name in own]
    return f"The first of its system here: {', '.join(scores)}." if scores else "No scores yet."


def _links(
    submission: Submission, comparison: Comparison | None, worst: Sequence[int], place: Place
) -> str:
    name = submission.submission_id
    links = [place.artifact("Report", REPORT)]
    if comparison is not None:
        links.append(place.artifact("What changed", COMPARE))
    if place.explorer:
        links.append(place.page("Explorer", f"/submission/{name}"))
        if comparison is not None:
            base = comparison.base.submission_id
            links.append(place.page("compare there", "/compare", new=name, base=base))
        at = f"/sentence/{submission['treebank_id']}"
        numbers = [
            place.page(str(sentence), f"{at}/{sentence}", submission=name)
            for sentence in worst[:SENTENCES]
        ]
        if numbers:
            links.append(f"worst sentences {', '.join(numbers)}")
    return " · ".join(links)


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|!" else letter for letter in text)


def change_tags(submission: Submission, moves: Moves) -> dict[str, str]:
    """Return the relations that got worse or better significantly, those that moved most first."""
    moved = _significant(submission.submission_id, moves)
    relations = {
        WORSE: [move.deprel for move in moved if move.is_worse],
        BETTER: [move.deprel for move in moved if not move.is_worse],
    }
    tags = {name: " ".join(names) for name, names in relations.items() if names}
    stored = moves.get(submission.submission_id)
    return {**tags, OUTCOME: stored.outcome} if stored else tags


def describe_lineage(
    members: Sequence[Submission],
    metrics: Mapping[str, Mapping[str, float]],
    moves: Moves,
    place: Place,
) -> str:
    """Return the description of a lineage's run: what changed significantly, by iteration.

    A description shows ``ROWS`` iterations at most: the last of those where a relation changed,
    and the latest.
    """
    changed = {
        member.submission_id: _significant(member.submission_id, moves) for member in members
    }
    rows = [member for member in members if changed[member.submission_id] or member is members[-1]]
    fell = [
        f"{_points(down)} at {member['iteration']}"
        for member in rows
        if (down := [move for move in changed[member.submission_id] if move.is_worse])
    ]
    history = [
        (member["iteration"], metrics[member.submission_id][PRIMARY])
        for member in members
        if PRIMARY in metrics.get(member.submission_id, {})
    ]
    system = members[0]["system_id"]
    links = [place.page("Explorer", f"/system/{system}"), ""] if place.explorer else []
    lines = [
        f"Significantly worse: {'; '.join(fell[-MOST:])}" if fell else "No relation got worse.",
        "",
        *links,
        *([over_iterations(history), ""] if history else []),
        "| iteration | dea | worse ▼ | better ▲ |",
        "|---:|---:|---|---|",
    ]
    for member in rows[-ROWS:]:
        dea = metrics.get(member.submission_id, {}).get("dea")
        moved = changed[member.submission_id]
        worse = _points([move for move in moved if move.is_worse])
        better = _points([move for move in moved if not move.is_worse])
        lines.append(f"| {member['iteration']} | {number(dea, 4)} | {worse} | {better} |")
    lines += [
        "",
        "Relations whose accuracy changed significantly against the parent, in points.",
        "The step of a metric is the iteration, `best/…` the best until then.",
    ]
    return "\n".join(lines)


def _points(moved: Sequence[RelationChange]) -> str:
    shown = ", ".join(
        f"**{plain(move.deprel)}** {number(100 * (move.difference or 0), 1, sign=True)}"
        for move in moved[:MOST]
    )
    return f"{shown}, …" if len(moved) > MOST else shown


def _significant(submission_id: str, moves: Moves) -> list[RelationChange]:
    """Return the relations that changed significantly, those that moved most first."""
    stored = moves.get(submission_id)
    if stored is None:
        return []
    moved = [change for change in stored.relations if change.is_significant(stored.settings.alpha)]
    return sorted(moved, key=lambda move: (-abs(move.difference or 0), move.deprel))
