"""Scores and probabilities that were computed elsewhere.

Those of files become rows by submission and sentence, as metrics store them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from unicodedata import normalize

import pyarrow as pa

from ...schema.brief import listed, plural
from ...schema.database import Database
from ...schema.errors import InputError, TrackerError, UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.keys import RUNS
from ...schema.names import (
    campaign_treebanks,
    meant,
    only_one,
    resolve_name,
    resolve_treebank,
)
from ...schema.statements import read_rows, read_tuples
from ...schema.temporary import temporary
from ..names import sentences_by_name
from ..outputs.rows import read_labels
from ..records import Placed, check_once
from .files import MetricScores, read_metric_scores

__all__ = ["MetricScores", "ScoreFile", "read_metric_scores", "sentence_rows", "submission_rows"]


@dataclass(frozen=True)
class ScoreFile:
    """What a user says of a file of scores: the names of its columns, and what all rows have."""

    columns: Mapping[str, str] = field(default_factory=dict)
    campaign_id: str | None = None
    system_id: str | None = None
    treebank_id: str | None = None
    submission_id: str | None = None
    criterion: str | None = None

    @property
    def fixed(self) -> dict[str, str | None]:
        """What all rows have, by field; None where a column tells it."""
        return {
            "system": self.system_id,
            "treebank": self.treebank_id,
            "submission": self.submission_id,
            "criterion": self.criterion,
        }


def resolved(database: Database, settings: ScoreFile) -> ScoreFile:
    """Return what is said of a file, the treebank by its id.

    Raises UnknownNameError for a campaign, system or treebank that is not there.
    """
    for kind, name in (("campaign", settings.campaign_id), ("system", settings.system_id)):
        if name is not None:
            resolve_name(database, kind, name)
    if settings.treebank_id is None:
        return settings
    among = campaign_treebanks(database, settings.campaign_id) if settings.campaign_id else None
    return replace(settings, treebank_id=resolve_treebank(database, settings.treebank_id, among))


def whose(database: Database, owner: ScoreFile) -> ScoreFile:
    """Return what is said of a file, by ids, with the campaign and treebank where there is but one.

    Raises UnknownNameError for what is not there.
    """
    if owner.submission_id is not None:
        submission_id = resolve_submission(
            database,
            owner.submission_id,
            campaign=owner.campaign_id,
            treebank=owner.treebank_id,
        )
        return ScoreFile(submission_id=submission_id)
    campaign = owner.campaign_id or only_one(database, "campaign")
    owner = resolved(database, replace(owner, campaign_id=campaign))
    treebank = owner.treebank_id or only_one(database, "treebank", campaign)
    return replace(owner, treebank_id=treebank)


def sentence_rows(database: Database, scores: MetricScores, owner: ScoreFile) -> pa.Table:
    """Return the scores of sentences: submission_id, sentence_no, score.

    ``owner`` is what ``whose`` returns. Raises UnknownNameError (file:line) for systems and
    sentences that are not there, InputError for sentences that have two scores, and where a
    system's scores, without ids, are not as many as its sentences.
    """
    submissions = _submissions(database, scores, owner)
    if None in scores.sentences:
        numbers = _in_order(database, submissions, scores.source)
    else:
        numbers = sentence_numbers_named(database, scores, submissions, scores.sentences)
    scored = list(zip(submissions, numbers, strict=True))
    if len(set(scored)) < len(scored):
        check_once(scores, scored, lambda key: f"sentence {key[1]} of '{key[0]}' has two scores")
    return pa.table(
        {
            "submission_id": pa.array(submissions, pa.string()),
            "sentence_no": pa.array(numbers, pa.int32()),
            "score": pa.array(scores.scores, pa.float64()),
        }
    )


def sentence_numbers_named(
    database: Database,
    rows: Placed,
    submissions: Sequence[str],
    names: Sequence[str | None],
    texts: Sequence[str | None] | None = None,
) -> list[int]:
    """Return the sentence number of each row: named by sent_id, or by number from 1.

    Numbers that are no sent_ids are believed where they name every sentence of a submission: of
    some alone nobody can tell whether they count from 0 or from 1, or sentences or documents.
    With ``texts``, one per row, they are believed where the text is the submission's output for the
    sentence or its reference.

    Raises UnknownNameError (file:line) for sentences the treebank of the submission lacks,
    InputError for numbers of some sentences alone, and for texts of other sentences.
    """
    numbers_of, called = (_sentences(database, submissions, by_number=how) for how in (True, False))
    composed = [normalize("NFC", str(name)) for name in names]
    numbers = [numbers_of[of].get(name, 0) for of, name in zip(submissions, composed, strict=True)]
    if 0 in numbers:
        row = numbers.index(0)
        raise UnknownNameError(
            f"the treebank of '{submissions[row]}' has no sentence '{names[row]}'",
            where=rows.where(row),
            hint="sentences are named by sent_id, or by number from 1",
        )
    numbered = [
        Numbered(row, of, number, of, None if texts is None else texts[row])
        for row, (of, name, number) in enumerate(zip(submissions, composed, numbers, strict=True))
        if name not in called[of]
    ]
    check_numbered(
        database, rows, numbered, {of: {*names.values()} for of, names in numbers_of.items()}
    )
    return numbers


class Numbered(NamedTuple):
    """A row that names its sentence by a number which is no sent_id."""

    row: int
    of: str
    """The submission or the treebank of which all sentences have to be named."""
    sentence_no: int
    submission_id: str | None
    """The submission whose output the text is; None where it is no output of one."""
    text: str | None


def check_numbered(
    database: Database,
    rows: Placed,
    numbered: Sequence[Numbered],
    sentences: Mapping[str, Collection[int]],
) -> None:
    """Check that numbers can be believed: by the texts beside them, or as all sentences are there.

    ``sentences`` are those of each submission or treebank. Raises InputError (file:line) for
    numbers of some sentences alone, and for texts of other sentences.
    """
    _check_texts(database, rows, numbered)
    places: dict[str, dict[int, int]] = {}
    for score in numbered:
        if score.text is None:
            places.setdefault(score.of, {})[score.sentence_no] = score.row
    for of, named in places.items():
        if len(named) < len(sentences[of]):
            raise InputError(
                f"numbers name {len(named):,} of the {plural(len(sentences[of]), 'sentence')} of "
                f"'{of}': whether they count from 0 or 1 is not clear",
                where=rows.where(min(named.values())),
                hint="name them by sent_id (the table sentence has them), or all of them; human "
                "scores and judgements may have their text beside them, in a column text",
            )


def _check_texts(database: Database, rows: Placed, numbered: Sequence[Numbered]) -> None:
    """Check that texts beside numbers are the output for the sentence, or its reference."""
    with_text = [score._asdict() for score in numbered if score.text is not None]
    if not with_text:
        return
    named = pa.Table.from_pylist(with_text)
    with temporary(database, named_texts=named):
        wrong = read_rows(database, "texts_of_others")
    for row in wrong:
        raise InputError(
            f"the text is not that of sentence {row['sentence_no']} of '{row['submission_id']}'",
            where=rows.where(row["row"]),
            hint=f"that is {row['output']!r}: do numbers begin at 0? Name sentences by sent_id",
        )


def _in_order(database: Database, submissions: Sequence[str], source: str) -> list[int]:
    """Return the number of each row among its submission's, which must be as many as sentences."""
    sentence_numbers = _sentences(database, submissions)
    reached = dict.fromkeys(submissions, 0)
    numbers = []
    for submission in submissions:
        reached[submission] += 1
        numbers.append(reached[submission])
    for submission, count in reached.items():
        sentences = len(set(sentence_numbers[submission].values()))
        if count != sentences:
            raise InputError(
                f"the file has {plural(count, 'score')} of '{submission}', which has "
                f"{plural(sentences, 'sentence')}",
                where=source,
                hint="a line for each sentence, in their order, None where there is no score",
            )
    return numbers


def submission_rows(database: Database, scores: MetricScores, owner: ScoreFile) -> pa.Table:
    """Return the scores of whole submissions: submission_id, score; see ``sentence_rows``."""
    submissions = _submissions(database, scores, owner)
    check_once(scores, submissions, lambda name: f"'{name}' has two scores")
    rows = pa.table(
        {
            "submission_id": pa.array(submissions, pa.string()),
            "score": pa.array(scores.scores, pa.float64()),
        }
    )
    return rows.filter(rows["score"].is_valid())


def _submissions(database: Database, scores: MetricScores, owner: ScoreFile) -> list[str]:
    """Return what each row has scores of: a submission, or a trial of it as C/mt/set@2#3."""
    if owner.submission_id is not None:
        return [owner.submission_id] * len(scores.systems)
    first = {name: row for row, name in reversed(list(enumerate(scores.systems)))}
    whole = {
        name: _whole_name(database, name, owner, scores.where(row)) for name, row in first.items()
    }
    named = [whole[name].partition("#") for name in scores.systems]
    submissions = submissions_by_name(database, scores, [name for name, *_ in named])
    of_trial: dict[tuple[str, str], str] = {}
    rows = []
    for row, (submission_id, (*_, number)) in enumerate(zip(submissions, named, strict=True)):
        key = submission_id, number
        if key not in of_trial:
            of_trial[key] = _trial(database, *key, scores.where(row)) if number else submission_id
        rows.append(of_trial[key])
    return rows


def submissions_by_name(
    database: Database,
    rows: Placed,
    names: Sequence[str],
    *,
    campaign: str | None = None,
    treebank: str | None = None,
) -> list[str]:
    """Return the submission that each row names. Raises what ``resolve_submission`` does there."""
    ids: dict[str, str] = {}
    for row, name in enumerate(names):
        if name not in ids:
            try:
                ids[name] = resolve_submission(database, name, campaign=campaign, treebank=treebank)
            except TrackerError as error:
                hint = f"{error.hint}; load outputs before their scores"
                raise type(error)(error.message, where=rows.where(row), hint=hint) from None
    return [ids[name] for name in names]


def first_runs_meant(
    database: Database, names: Iterable[str | None], submissions: Iterable[str]
) -> list[str]:
    """Return a note where submissions that systems' names alone stand for have later iterations."""
    if any(name and "@" in name for name in names):
        return []
    rows = read_tuples(database, "first_of_several", submissions=sorted({*submissions}))
    names = listed([submission_id for (submission_id,) in rows])
    note = f"no iteration is named: what is loaded is of {names}; SYSTEM@2 names another"
    return [note] if rows else []


def _trial(database: Database, submission_id: str, number: str, where: str) -> str:
    """Return what a submission's trial is stored under. Raises UnknownNameError without one."""
    trials = list(read_labels(database, submission_id))
    if number not in map(str, range(1, len(trials) + 1)):
        raise UnknownNameError(
            f"'{submission_id}' has no trial '{number}'",
            where=where,
            hint=f"it has {plural(len(trials), 'trial')}",
        )
    return trials[int(number) - 1]


def _whole_name(database: Database, name: str, owner: ScoreFile, where: str) -> str:
    """Return a submission's name with the campaign and treebank that are given for all."""
    system, _, rest = (owner.system_id or name).partition("/")
    if not system:
        raise InputError("the system of the scores is not named", where=where, hint="give --system")
    if "/" in rest:
        return name
    treebank, at, iteration = rest.rpartition("@") if "@" in rest else (rest, "", "")
    campaign = meant(database, "campaign", owner.campaign_id, "these scores", where)
    treebank = treebank or meant(
        database, "treebank", owner.treebank_id, "these scores", where, campaign=campaign
    )
    return f"{campaign}/{system}/{treebank}{at}{iteration}"


def _sentences(
    database: Database, submissions: Iterable[str], *, by_number: bool = True
) -> dict[str, dict[str, int]]:
    """Return the numbers of submissions' sentences by submission and name, their place or not."""
    treebank_of = dict(
        database.connection.execute(
            f"SELECT submission_id, treebank_id FROM {RUNS} "  # noqa: S608
            "WHERE list_contains(?::VARCHAR[], submission_id)",
            [sorted(set(submissions))],
        ).fetchall()
    )
    treebanks = sorted(set(treebank_of.values()))
    without = set() if by_number else set(treebanks)
    names = sentences_by_name(database, treebanks, without_numbers=without)
    return {submission: names[treebank] for submission, treebank in treebank_of.items()}
