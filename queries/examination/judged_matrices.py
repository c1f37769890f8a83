"""What people and metrics said of the same outputs, as matrices of systems and items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.names import resolve_criterion
from ...schema.statements import read_rows, read_table
from ..functions.statistics import Booleans, Floats, Integers
from ..metrics.registry import direction
from ..people.human_scores import check_choices

PEOPLE = ("raw", "z")


@dataclass(frozen=True)
class Judged:
    """What people said of a treebank's outputs on a criterion, and metrics of the same."""

    campaign_id: str
    treebank_id: str
    criterion: str
    systems: Sequence[str]
    """The submissions: rows of the matrices."""
    items: Integers
    """The sentences that people judged: their columns."""
    people: Floats
    """NaN where nobody judged an output."""
    metrics: Sequence[str]
    scores: Floats
    """A matrix for each metric, higher being better; NaN where it gives no score."""
    system_scores: Floats
    """A row for each metric, a column for each system: scores of submissions."""

    @property
    def place(self) -> dict[str, str]:
        """What all rows about it begin with."""
        return {
            "campaign_id": self.campaign_id,
            "treebank_id": self.treebank_id,
            "criterion": self.criterion,
        }


def read_judged(
    database: Database,
    *,
    campaigns: Sequence[str] | None = None,
    treebanks: Sequence[str] | None = None,
    criterion: str | None = None,
    people: str = "raw",
) -> list[Judged]:
    """Return what was judged, by campaign, treebank and criterion; ``people`` is raw or z.

    Human references are no systems and left out; baselines and iterations count. Raises
    UnknownNameError where people judged nothing of it, and for an unknown criterion; InputError for
    another kind of human score.
    """
    check_choices(("kind of human score", people, PEOPLE))
    judged_campaigns = [row["campaign_id"] for row in read_rows(database, "judged_campaigns")]
    found = [
        judged
        for campaign_id in campaigns or judged_campaigns
        for judged in judged_matrices(database, campaign_id, people)
        if treebanks is None or judged.treebank_id in treebanks
    ]
    if not found:
        raise UnknownNameError(
            "people judged nothing of it",
            hint="'tracker ingest scores', 'ingest wmt' and 'tracker human' bring human scores; "
            "--people raw or z chooses them",
        )
    wanted = resolve_criterion(criterion, {judged.criterion for judged in found})
    return [judged for judged in found if wanted in (None, judged.criterion)]


def judged_matrices(database: Database, campaign_id: str, people: str) -> Iterator[Judged]:
    """Yield what was judged of a campaign, by treebank and criterion, as ``read_judged`` does."""
    rows = read_table(database, "judged_outputs", campaign_id=campaign_id, people=people)
    if not rows.num_rows:
        return
    scored = _columns(
        read_table(
            database,
            "scores_of_judged",
            submissions=sorted(set(rows["submission_id"].to_pylist())),
        )
    )
    columns = _columns(rows)
    place = np.stack([columns["treebank_id"], columns["criterion"]])
    changes = np.any(place[:, 1:] != place[:, :-1], axis=0)
    starts = [0, *(1 + np.flatnonzero(changes))]
    for start, end in zip(starts, [*starts[1:], place.shape[1]], strict=True):
        yield _judged(
            (campaign_id, str(place[0, start]), str(place[1, start])),
            {name: each[start:end] for name, each in columns.items()},
            scored,
        )


def parts_of(database: Database, treebank_id: str, kind: str) -> dict[str, list[int]]:
    """Return the sentence numbers of each part that a treebank is cut into by a kind of part."""
    parts: dict[str, list[int]] = {}
    for row in read_rows(database, "parts_of_treebank", treebank_id=treebank_id, kind=kind):
        parts.setdefault(row["part"], []).append(row["sentence_no"])
    return parts


def of_part(judged: Judged, sentence_nos: Sequence[int]) -> Judged:
    """Return what was judged of some of the sentences; systems' scores are means over them."""
    chosen = np.isin(judged.items, sentence_nos)
    people, scores = judged.people[:, chosen], judged.scores[:, :, chosen]
    kept: Booleans = np.any(np.isfinite(people), axis=1)
    known = np.isfinite(scores)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(known, scores, 0).sum(axis=2) / known.sum(axis=2)
    return replace(
        judged,
        systems=[
            each for each, is_kept in zip(judged.systems, kept.tolist(), strict=True) if is_kept
        ],
        items=judged.items[chosen],
        people=people[kept],
        scores=scores[:, kept],
        system_scores=means[:, kept],
    )


def _judged(place: tuple[str, str, str], rows: dict[str, Any], scored: dict[str, Any]) -> Judged:
    systems, row = np.unique(rows["submission_id"], return_inverse=True)
    items, column = np.unique(rows["sentence_no"], return_inverse=True)
    people = np.full((len(systems), len(items)), np.nan)
    people[row, column] = rows["score"]
    ours = np.isin(scored["submission_id"], systems)
    metrics, metric = np.unique(scored["metric"][ours], return_inverse=True)
    system = np.searchsorted(systems, scored["submission_id"][ours])
    sentence, value = scored["sentence_no"][ours], scored["score"][ours]
    turned = np.array([direction(str(each)) for each in metrics], np.float64)
    value = value * turned[metric] if len(metrics) else value
    whole = sentence == 0
    system_scores = np.full((len(metrics), len(systems)), np.nan)
    system_scores[metric[whole], system[whole]] = value[whole]
    known = np.isin(sentence, items) & ~whole
    scores = np.full((len(metrics), len(systems), len(items)), np.nan)
    columns = np.searchsorted(items, sentence[known])
    scores[metric[known], system[known], columns] = value[known]
    return Judged(
        *place,
        systems=[str(each) for each in systems],
        items=items,
        people=people,
        metrics=[str(each) for each in metrics],
        scores=scores,
        system_scores=system_scores,
    )


def _columns(rows: Any) -> dict[str, Any]:
    return {
        name: np.asarray(rows[name].to_pylist(), np.str_)
        if name not in ("sentence_no", "score")
        else rows[name].to_numpy()
        for name in rows.column_names
    }
