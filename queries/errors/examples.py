"""From a subtree pattern to the outputs of the sentences that contain it, worst first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...schema.brief import Brief, plural
from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.names import unknown_name
from ...schema.statements import read_tuples
from ..functions.patterns import Pattern, grew_request, is_request
from ..metrics.registry import direction, scoring_hint
from ..metrics.slices import sentences_over
from .example_patterns import (
    matches_in,
    nearest_patterns,
    read_request_or_pattern,
    sentences_with,
    unknown_labels,
)
from .example_reading import Example, Match, read_examples
from .jobs import sentence_metrics

Order = Literal["worst", "best"]


@dataclass(frozen=True)
class Suspicion:
    """How much the pattern goes with failure, as the newest mining by this metric has it."""

    suspicion: float
    sentences: int
    """Scored sentences that contain the pattern."""
    failed: int
    failure_rate: float
    base_rate: float
    """Share of all scored sentences that failed."""
    p_holm: float


@dataclass(frozen=True, repr=False)
class Examples(Brief):
    """What was asked, how often it occurs, and the first examples in the order asked for."""

    submission_id: str
    treebank_id: str
    pattern: str | None
    labels: str | None
    metric: str
    order: Order
    treebank_sentences: int
    sentences: int
    """Sentences that contain the pattern."""
    mean: float | None
    """Mean score of those sentences."""
    mean_elsewhere: float | None
    """Mean score of the other sentences."""
    suspicion: Suspicion | None
    """None where the pattern was not mined."""
    single: bool
    """Whether one sentence was asked for."""
    examples: Sequence[Example]
    grew: str | None = None
    """The pattern as a request of Grew, where there is one."""


def find_examples(
    database: Database,
    submission_id: str,
    pattern: str | None = None,
    *,
    labels: str | None = None,
    metric: str | None = None,
    order: Order = "worst",
    limit: int = 5,
    sentence: str | None = None,
    over: Sequence[str] = (),
) -> Examples:
    """Return outputs of the sentences that contain a pattern, by their score (section 3.4).

    Without a pattern they are of all sentences. ``over`` names values of labels (LABEL=VALUE): of
    those that have one of these. They come in the order of the ``metric``, of that by which the
    submission's sentences are shown where none is named.

    Labels are guessed from the pattern where none are given. Outputs with equal scores come in
    the order of the treebank, those without a score last. ``sentence`` (a number or a sent_id)
    shows this one, whether it contains the pattern or not.

    Raises UnknownNameError for a submission, metric or sentence that is not there and for a
    pattern that never occurs; InputError for a pattern or labels that are wrong.
    """
    submission_id = resolve_submission(database, submission_id)
    ((treebank_id, treebank_sentences),) = read_tuples(
        database, "exported_submission", submission=submission_id
    )
    guessed = labels is None and not is_request(pattern or "")
    wanted = None
    if pattern is not None:
        wanted, labels = read_request_or_pattern(pattern, labels)
    chosen = sentences_over(database, treebank_id, over)
    metric = metric or sentence_metrics(database, [submission_id])[0]
    sentences: list[int] = []
    ranking: dict[int, float | None] = {}
    if wanted is not None and labels is not None:
        ranking = _ranking(database, submission_id, metric)
        sentences = sentences_with(database, treebank_id, labels, wanted)
        if not sentences and sentence is None:
            raise _never(database, treebank_id, labels, wanted, guessed=guessed)
    elif sentence is None or chosen is not None:
        ranking = _ranking(database, submission_id, metric)
        sentences = sorted(ranking)
    if chosen is not None:
        sentences = [number for number in sentences if number in chosen]
    if sentence is None:
        shown = _ordered(sentences, ranking, order, direction(metric))[:limit]
    else:
        shown = [_sentence_no(database, treebank_id, sentence)]
    matches = matches_in(database, treebank_id, labels, wanted, shown) if wanted and labels else {}
    inside = set(sentences)
    return Examples(
        submission_id=submission_id,
        treebank_id=treebank_id,
        pattern=None if wanted is None else wanted.text,
        labels=labels if wanted else None,
        metric=metric,
        order=order,
        treebank_sentences=treebank_sentences,
        sentences=len(sentences),
        mean=_mean([score for number, score in ranking.items() if number in inside]),
        mean_elsewhere=_mean([s for number, s in ranking.items() if number not in inside]),
        suspicion=None
        if wanted is None or labels is None
        else _suspicion(database, submission_id, labels, metric, wanted),
        single=sentence is not None,
        examples=read_examples(database, submission_id, shown, matches),
        grew=grew_request(wanted, labels) if wanted and labels else None,
    )


def pattern_order(
    database: Database,
    submission_id: str,
    pattern: str,
    *,
    labels: str | None = None,
    metric: str = "bleu",
) -> list[int]:
    """Return the numbers of all sentences that contain a pattern, the worst output first.

    Raises what ``find_examples`` raises, but for a pattern that never occurs: that has none.
    """
    ((treebank_id, _),) = read_tuples(database, "exported_submission", submission=submission_id)
    wanted, labels = read_request_or_pattern(pattern, labels)
    sentences = sentences_with(database, treebank_id, labels, wanted)
    return _ordered(
        sentences, _ranking(database, submission_id, metric), "worst", direction(metric)
    )


def pattern_matches(
    database: Database, treebank_id: str, sentence_no: int, pattern: str, labels: str | None
) -> list[Match]:
    """Return where a pattern is in a sentence of a treebank."""
    wanted, labels = read_request_or_pattern(pattern, labels)
    return matches_in(database, treebank_id, labels, wanted, [sentence_no]).get(sentence_no, [])


def _ranking(database: Database, submission_id: str, metric: str) -> dict[int, float | None]:
    """Return the score of every output of the submission."""
    rows = dict(
        read_tuples(database, "example_ranking", submission_id=submission_id, measure=metric)
    )
    if all(score is None for score in rows.values()):
        measures = read_tuples(database, "example_measures", submission_id=submission_id)
        raise unknown_name(
            "metric",
            metric,
            (measure for (measure,) in measures),
            message=f"no output of {submission_id} has a score by '{metric}'",
            hint=scoring_hint(metric),
        )
    return rows


def _ordered(
    sentence_nos: Sequence[int], ranking: dict[int, float | None], order: Order, better: int
) -> list[int]:
    sign = better if order == "worst" else -better

    def key(sentence_no: int) -> tuple[bool, float, int]:
        score = ranking.get(sentence_no)
        return score is None, sign * (score or 0), sentence_no

    return sorted((n for n in sentence_nos if n in ranking), key=key)


def _suspicion(
    database: Database, submission_id: str, labels: str, metric: str, pattern: Pattern
) -> Suspicion | None:
    mined = {"submission_id": submission_id, "labels": labels, "metric": metric}
    rows = read_tuples(database, "example_suspicion", **mined, pattern=pattern.text)
    return Suspicion(*rows[0]) if rows else None


def _mean(scores: Sequence[float | None]) -> float | None:
    values = [score for score in scores if score is not None]
    return math.fsum(values) / len(values) if values else None


def _sentence_no(database: Database, treebank_id: str, sentence: str) -> int:
    matches = read_tuples(database, "sentence_called", treebank=treebank_id, sentence=sentence)
    if not matches:
        rows = database.connection.execute(
            "SELECT sent_id FROM sentence WHERE treebank_id = ? AND sent_id IS NOT NULL",
            [treebank_id],
        ).fetchall()
        raise unknown_name(
            "sentence",
            sentence,
            (sent_id for (sent_id,) in rows),
            message=f"{treebank_id} has no sentence '{sentence}'",
            hint="give its number in the treebank, from 1, or its sent_id",
        )
    return int(matches[0][0])


def _never(
    database: Database, treebank_id: str, labels: str, pattern: Pattern, *, guessed: bool
) -> UnknownNameError:
    """Return the error for a pattern that no sentence contains."""
    missing = unknown_labels(database, treebank_id, labels, pattern)
    reasons = [f"no word there has the {labels} '{label}'" for label in missing]
    hints = [f"nearest: {', '.join(near)}" for near in missing.values() if near]
    if not missing:
        near_patterns = nearest_patterns(database, treebank_id, labels, pattern)
        hints = [
            "nearest: "
            + ", ".join(f"{text} in {plural(count, 'sentence')}" for text, count in near_patterns)
            if near_patterns
            else f"'tracker analyse --labels {labels}' enumerates the patterns there are"
        ]
    if guessed:
        hints.append(f"the labels were taken for {labels}, --labels says otherwise")
    return UnknownNameError(
        f"the pattern {pattern.text} never occurs in {treebank_id}",
        where="; ".join(reasons) or None,
        hint="; ".join(hints),
    )
