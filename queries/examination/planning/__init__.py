"""Planning an evaluation by people (how much to judge, what, until when) by what was judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....schema.database import Database
from ....schema.errors import InputError, UnknownNameError
from ....schema.names import resolve_criterion, resolve_name, resolve_treebank
from ....schema.statements import read_table
from ...functions.statistics import Floats, Integers
from ...people.human_scores import RAW, SCORES, Z, check_choices

FEWEST_SENTENCES = 10
"""Sentences below which variances and orders of systems say nothing."""


@dataclass(frozen=True)
class Planned:
    """What a plan is about; None for what is chosen where there is one alone."""

    campaign: str | None = None
    treebank: str | None = None
    criterion: str | None = None
    ranked_by: str = Z
    """The scores that judgements count as: z, standardised by annotator, or raw."""


@dataclass(frozen=True)
class Judged:
    """Judgements of one test set and criterion; an array holds a number for each of them."""

    campaign_id: str
    treebank_id: str
    criterion: str
    submissions: Sequence[str]
    sentences: Sequence[int]
    submission: Integers
    """Place of the submission among ``submissions``."""
    sentence: Integers
    """Place of the sentence among ``sentences``."""
    annotator: Integers
    """Number of the annotator; another one for each judgement where it is not known."""
    score: Floats

    def square(self) -> Floats:
        """Return mean scores, a row for each submission; NaN where a sentence was not judged."""
        shape = len(self.submissions), len(self.sentences)
        total, count = np.zeros((2, *shape))
        np.add.at(total, (self.submission, self.sentence), self.score)
        np.add.at(count, (self.submission, self.sentence), 1)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = total / count
        return means


def read_judged(database: Database, planned: Planned) -> Judged:
    """Return the judgements that a plan rests on.

    Raises UnknownNameError for names that are not there, and InputError where several campaigns,
    test sets or criteria were judged and none is named, and for fewer than two systems or ten
    sentences.
    """
    check_choices(("score to rank by", planned.ranked_by, SCORES))
    campaign_id = _campaign(database, planned.campaign)
    rows = read_table(
        database, "planned_judgements", campaign_id=campaign_id, ranked_by=planned.ranked_by
    )
    if not rows.num_rows:
        raise InputError(
            f"nothing has {_SCORES[planned.ranked_by]} in campaign '{campaign_id}'",
            hint=f"{_LOAD}; scores from files may be raw alone: --rank-by raw",
        )
    treebanks, criteria = (
        np.array(rows[name].to_pylist(), object) for name in ("treebank_id", "criterion")
    )
    treebank_id = planned.treebank and resolve_treebank(
        database, planned.treebank, sorted(set(treebanks))
    )
    treebank_id = _only("--treebank", treebank_id, treebanks)
    criterion = resolve_criterion(planned.criterion, set(criteria))
    criterion = _only("--criterion", criterion, criteria[treebanks == treebank_id])
    rows = rows.filter((treebanks == treebank_id) & (criteria == criterion))
    submissions, submission = np.unique(rows["submission_id"].to_pylist(), return_inverse=True)
    sentences, sentence = np.unique(rows["sentence_no"].to_numpy(), return_inverse=True)
    names = [name or str(place) for place, name in enumerate(rows["annotator_id"].to_pylist())]
    _, annotator = np.unique(names, return_inverse=True)
    where = f"{campaign_id}, {treebank_id}, {criterion}"
    if len(submissions) < 2:
        raise InputError("a plan needs judgements of two systems or more", where=where, hint=_LOAD)
    if len(sentences) < FEWEST_SENTENCES:
        raise InputError(
            f"{len(sentences)} judged sentences are too few to plan by",
            where=where,
            hint=f"judge {FEWEST_SENTENCES} or more, or plan by another campaign",
        )
    return Judged(
        campaign_id,
        treebank_id,
        criterion,
        [str(name) for name in submissions],
        [int(number) for number in sentences],
        submission,
        sentence,
        annotator,
        rows["score"].to_numpy(),
    )


_SCORES = {Z: "z-scores by people", RAW: "raw scores by people"}
_LOAD = "load some with 'tracker ingest judgements', or name another campaign"


def _campaign(database: Database, campaign: str | None) -> str:
    if campaign is not None:
        return resolve_name(database, "campaign", campaign)
    rows = database.connection.execute(
        "SELECT campaign_id FROM judgement UNION SELECT campaign_id FROM human_score "
        "JOIN submission USING (submission_id) ORDER BY campaign_id"
    ).fetchall()
    if not rows:
        raise UnknownNameError("there are no judgements", hint=_LOAD)
    if len(rows) > 1:
        raise InputError(
            "several campaigns were judged",
            hint=f"give --campaign: {', '.join(name for (name,) in rows)}",
        )
    (found,) = rows[0]
    return str(found)


def _only(option: str, wanted: str | None, names: NDArray[np.object_]) -> str:
    """Return the name wanted, or the only one. Raises InputError where there are several."""
    if wanted is not None:
        return wanted
    known = sorted(set(names))
    if len(known) > 1:
        raise InputError("several were judged", hint=f"give {option}: {', '.join(known)}")
    return str(known[0])
