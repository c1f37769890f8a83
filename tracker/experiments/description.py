"""A run in a few lines of Markdown: the verdict, links to more, the course, the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from ...queries.change.comparison import verdict
from ...queries.change.comparison.model import PRIMARY, Change, Comparison, RelationChange
from ...queries.metrics import metric_named
from ...queries.metrics.registry import direction, label_of, usual_metrics
from ...queries.numbers import measured, with_unit
from ..show.findings.changes import reasons
from ..show.findings.history import sparkline
from .submissions import Submission, headlines

if TYPE_CHECKING:
    import pyarrow as pa

SENTENCES = 3
FIRST, UNCOMPARED = "first", "not compared"
"""Verdicts of a run without a base, and of one whose base cannot be compared with."""
_OUTCOMES = {verdict.CHANCE: "no difference", verdict.UNTESTED: "not tested"}
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
    own_line = [_first_of_its_line(own)]
    sentences = [*comparison.verdict, *reasons(comparison)] if comparison else own_line
    lines = [plain(" ".join(sentences)), "", _links(submission, comparison, worst, place), ""]
    lines += [course, ""] if course else []
    before = {change.measure: change for change in comparison.metrics} if comparison else {}
    base = comparison.base.submission_id.translate(_NOT_IN_CODE) if comparison else ""
    change = f" change against `{base}` |" if comparison else ""
    lines += [f"| metric | points |{change}", f"|---|---:|{'---:|' if comparison else ''}"]
    for name in usual_metrics():
        if name in own:
            moved, note = before.get(name), metric_named(name).note
            difference = f" {with_unit(name, moved.difference if moved else None, sign=True)} |"
            label = f"{label_of(name)} ({note})" if note else label_of(name)
            score = with_unit(name, own[name])
            lines.append(f"| {label} | {score} |{difference if comparison else ''}")
    return "\n".join(lines)


def over_iterations(metric: str, points: Sequence[tuple[int, float]]) -> str:
    """Return a metric over iterations in a line: bars, the best and the latest value.

    ``points`` are iterations with their values, at least one, by iteration.
    """
    values = [value for _, value in points]
    best = (max if direction(metric) > 0 else min)(values)
    ends = {"best": points[values.index(best)], "latest": points[-1]}
    named = [
        f"{name} {measured(metric, value)} @{iteration}"
        for name, (iteration, value) in ends.items()
    ]
    return f"{label_of(metric)} over the iterations: {sparkline(values)} · {' · '.join(named)}"


def least_accurate(relations: pa.Table) -> str:
    """Return the relations that are found least in a line: accuracy, and reference edges.

    ``relations`` holds a submission's rows of the view dea_by_relation.
    """
    columns = (relations[name].to_pylist() for name in ("dea", "deprel", "edges"))
    rows = sorted(zip(*columns, strict=True))[:LEAST]
    named = [f"{plain(deprel)} {measured('dea', dea)} ({edges:,})" for dea, deprel, edges in rows]
    return f"Found least, of reference edges: {', '.join(named)}" if named else ""


def _first_of_its_line(own: Mapping[str, float]) -> str:
    scores = [
        f"{label_of(name)} {with_unit(name, own[name])}" for name in headlines() if name in own
    ]
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
    elif quote(name, safe="/@:+,") == name:  # a name that a shell takes for something else is none
        links.append(f"in the explorer: `tracker serve --open {name}`")
    return " · ".join(links)


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|!" else letter for letter in text)


def short_verdict(comparison: Comparison | None, stored: Comparison | None) -> str:
    """Return what changed in a few words: the outcome, and what moved significantly.

    What got worse stands first, of relations and of checks the one that moved furthest each way:
    ``no difference; worse: obl −58.4 points and 2 more``. ``comparison`` is None where there is no
    base, ``stored`` where it was not tested.
    """
    if comparison is None:
        return FIRST
    if stored is None:
        return UNCOMPARED
    alpha = stored.settings.alpha
    primary = [change for change in stored.metrics if change.family == PRIMARY]
    families: Sequence[Sequence[Change]] = (primary, stored.relations, stored.checks)
    significant = [[one for one in family if one.is_significant(alpha)] for family in families]
    moved = {
        way: [
            _furthest([one for one in changes if one.is_worse == (way == verdict.WORSE)])
            for changes in significant
        ]
        for way in (verdict.WORSE, verdict.BETTER)
    }
    named = {way: ", ".join(filter(None, texts)) for way, texts in moved.items()}
    first = _OUTCOMES.get(stored.outcome, stored.outcome)
    parts = [f"{way}: {text}" for way, text in named.items() if text]
    if parts and first in named:
        parts.sort(key=lambda part: not part.startswith(first))
        return "; ".join(parts)
    return "; ".join([first, *parts])


def _furthest(changes: Sequence[Change]) -> str:
    """Return the change that is the largest, and how many others there are; "" without any."""
    if not changes:
        return ""
    change = max(changes, key=lambda one: abs(one.difference or 0))
    name = change.deprel if isinstance(change, RelationChange) else label_of(change.measure)
    others = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
    return f"{name} {verdict.difference_text(change)}{others}"
