"""Judging submissions: what is not scored or answered yet is, and is stored as scores."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import ConflictError, DatabaseBusyError
from ...schema.files import content_hash
from ...schema.progress import Progress
from ...schema.statements import read_tuples
from ...schema.temporary import insert
from ..metrics.external import StoredScores
from .endpoint import Answer, Asking, Endpoint
from .judge import JudgeSettings, Request, read_score, request_of
from .scorer import Item, Scorer, elect_scoring, needed_items, store_scores, unscored

try:
    import fcntl
except ImportError:  # only POSIX systems have it
    fcntl = None  # type: ignore[assignment]

Writing: TypeAlias = Callable[[], AbstractContextManager[Database]]
"""Opens the database for one short write."""
SECONDS_UNKEPT = 2.0
"""Answers are written so often: a machine that fails loses those of as many seconds."""


@contextmanager
def alone(where: str, settings: JudgeSettings) -> Iterator[None]:
    """Keep other processes of this machine from asking the same for a block: it would cost twice.

    Raises ConflictError where one of them is at it.
    """
    if fcntl is None:
        yield
        return
    name = content_hash(where, settings.model, settings.prompt_sha256, str(os.getuid()))
    path = Path(tempfile.gettempdir()) / f"sr-tracker-judge-{name[:16]}.lock"
    held = _held(path)
    if held is None:
        raise ConflictError(
            f"another process asks {settings.model} with the same prompt",
            where=where,
            hint="when it has ended the same command takes its answers, and asks what is left",
        )
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(held)


def _held(path: Path) -> int | None:
    """Return a descriptor that holds a new file; None where another process holds it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        if os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)  # whoever held it removed it before it was locked


def run_scorer(
    database: Database,
    scorer: Scorer,
    submissions: Sequence[str],
    *,
    elect: bool = False,
    progress: Progress,
) -> list[StoredScores]:
    """Score the submissions that a scorer did not score yet, one after the other.

    What is stored stays where a later one fails or is interrupted. ``elect`` lets the scores be
    the score of the test sets where those of another model or version are. Raises what
    ``needed_items`` does.
    """
    stored = []
    for submission_id in unscored(database, scorer.scoring, submissions):
        items = needed_items(database, scorer.scoring, [submission_id])
        scores = scorer.score(items, progress)
        stored.append(
            store_scores(database, scorer.scoring, items, scores, whole=scorer.whole, elect=elect)
        )
    if elect:
        elect_scoring(database, scorer.scoring, submissions)
    return stored


@dataclass(frozen=True, repr=False)
class JudgePlan(Brief):
    """What is to be judged, and what of it has to be asked."""

    items: Sequence[Item]
    requests: Mapping[str, Request]
    """By the hash that answers are kept under; outputs that are the same are asked once."""
    scores: Mapping[str, float]
    """What was answered before."""

    @property
    def submissions(self) -> list[str]:
        """The submissions."""
        return list(dict.fromkeys(item.submission_id for item in self.items))

    @property
    def pending(self) -> list[Request]:
        """The requests without an answer, in the order of the outputs."""
        return [request for sha256, request in self.requests.items() if sha256 not in self.scores]

    @property
    def tokens(self) -> int:
        """About how many tokens the pending requests have."""
        return sum(request.tokens for request in self.pending)


@dataclass(frozen=True, repr=False)
class JudgeReport(Brief):
    """What became of a judging."""

    asked: int
    kept: int
    """Answers that were there from before."""
    input_tokens: int
    output_tokens: int
    """As the endpoint counts them; 0 where it does not."""
    failures: Sequence[str]
    """Why requests gave no score."""
    stored: Sequence[StoredScores]
    left: Sequence[str]
    """Submissions of which some output has no score: nothing of them is stored."""


def plan_judging(
    database: Database, settings: JudgeSettings, submissions: Sequence[str]
) -> JudgePlan:
    """Return what a judge has to be asked about those submissions that it has not scored.

    Raises InputError where the prompt needs a source or a reference that a sentence lacks.
    """
    wanted = unscored(database, settings.scoring, submissions)
    items = needed_items(database, settings.scoring, wanted)
    needed = [request_of(settings, item) for item in items if item.output]
    requests = {request.sha256: request for request in needed}
    rows = read_tuples(database, "known_answers", requests=list(requests))
    return JudgePlan(items, requests, dict(rows))


def judge(
    writing: Writing,
    settings: JudgeSettings,
    endpoint: Endpoint,
    plan: JudgePlan,
    *,
    allow_missing: bool = False,
    elect: bool = False,
    progress: Progress,
) -> JudgeReport:
    """Ask what is pending, keep the answers, store the scores; return what became of it.

    Answers are written as they come, a few together: after an interruption the same call goes on.
    A submission of which an output has no score is left out, unless ``allow_missing``: then that
    sentence has none. A missing output has the lowest score, without being asked about. ``elect``
    lets the scores be the score of the test sets where another model's or prompt's are. Outputs
    that were replaced while the judge was asked leave their submission without scores. While
    others hold the file, it goes on asking, and waits at the end.

    Raises InputError for an address that cannot be, TrackerError where the endpoint refuses.
    """
    scores = dict(plan.scores)
    pending = plan.pending
    failures: list[str] = []
    tokens = [0, 0]
    waiting: list[Answer] = []
    written = monotonic()
    asking = Asking(endpoint, pending)

    def keep() -> None:
        if waiting:
            with writing() as database:
                keep_answers(database, settings, waiting)
            waiting.clear()

    try:
        for done, answer in enumerate(asking, start=1):
            waiting.append(answer)
            score, failure = _scored(settings, answer)
            if score is None:
                failures.append(failure or "")
            else:
                scores[answer.sha256] = score
            tokens[0] += answer.input_tokens or 0
            tokens[1] += answer.output_tokens or 0
            progress(settings.model, done, len(pending))
            if monotonic() - written >= SECONDS_UNKEPT:
                with suppress(DatabaseBusyError):  # these are written with the next ones
                    keep()
                written = monotonic()
        while waiting:
            with suppress(DatabaseBusyError):
                keep()
    finally:
        waiting += asking.stop()
        keep()
    stored, left = [], []
    for submission_id in plan.submissions:
        items = [item for item in plan.items if item.submission_id == submission_id]
        values = [
            scores.get(request_of(settings, item).sha256) if item.output else settings.lowest
            for item in items
        ]
        if None in values and (not allow_missing or not any(value is not None for value in values)):
            left.append(submission_id)
            continue
        try:
            with writing() as database:
                stored.append(store_scores(database, settings.scoring, items, values, elect=elect))
        except ConflictError as error:
            failures.append(error.message)
            left.append(submission_id)
    return JudgeReport(len(pending), len(plan.scores), tokens[0], tokens[1], failures, stored, left)


def keep_answers(database: Database, settings: JudgeSettings, answers: Sequence[Answer]) -> None:
    """Keep answers, and failures, in place of what was kept of the same requests."""
    rows = []
    for answer in answers:
        score, failure = _scored(settings, answer)
        rows.append(
            {
                "request_sha256": answer.sha256,
                "model": settings.model,
                "prompt_sha256": settings.prompt_sha256,
                "answer": answer.text,
                "score": score,
                "failure": failure,
                "attempts": answer.attempts,
                "input_tokens": answer.input_tokens,
                "output_tokens": answer.output_tokens,
                "answered_at": datetime.now(UTC),
            }
        )
    with database.transaction() as connection:
        connection.execute(
            "DELETE FROM judge_answer WHERE list_contains(?, request_sha256)",
            [[row["request_sha256"] for row in rows]],
        )
        insert(database, "judge_answer", rows)


def _scored(settings: JudgeSettings, answer: Answer) -> tuple[float | None, str | None]:
    """Return the score in an answer, or why there is none."""
    if answer.text is None:
        return None, answer.failure
    try:
        return read_score(answer.text, settings.lowest, settings.highest), None
    except ValueError as error:
        return None, str(error)
