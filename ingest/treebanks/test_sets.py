"""Test sets without trees: their rows, and those that are known only from judgements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import pyarrow as pa

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.keys import NO_OUTPUTS, RUNS, RUNS_OF_TREEBANK, TEXT_SCHEME, parts_of
from ...schema.names import names_of
from ...schema.staging import Load, commit
from ...schema.statements import row_by_id
from ..campaigns.runs import Run, check_run, parent_of, submission_row
from ..names import TreebankName, kind_of, name_treebank, register_system, sentence_ids
from .loading import link_campaign, treebank_row

_REMAINING = (
    *("output", "output_words", "trial", "human_score", "human_ranking", "human_comparison"),
)


@dataclass(frozen=True)
class TestSet:
    """A test set as a file of judgements names it: its sentences, in the order of the file."""

    __test__ = False

    treebank_id: str
    language: str | None
    sent_ids: Sequence[str]


def text_treebanks(database: Database) -> set[str]:
    """Return the ids of the test sets that have no trees."""
    rows = database.connection.execute(
        "SELECT treebank_id FROM treebank WHERE scheme = ?", [TEXT_SCHEME]
    ).fetchall()
    return {treebank_id for (treebank_id,) in rows}


def register_test_set(
    database: Database, campaign_id: str, test_set: TestSet, source: Path
) -> list[str]:
    """Make a test set known, or add the sentences that it lacks, and return what was made known.

    It is a treebank of scheme ``text`` without words and with hidden text: every score of it is
    NULL, with that reason, until its references are loaded (``ingest_references``).
    Sentences that are added have no output, and the submissions to the test set lose what was
    computed from fewer sentences.

    Raises InputError for sentences that references, loaded before, do not have.
    """
    registered = [str(sent_id) for sent_id in sentence_ids(database, test_set.treebank_id)]
    there = set(registered)
    added = [sent_id for sent_id in test_set.sent_ids if sent_id not in there]
    with database.transaction() as connection:
        link_campaign(database, campaign_id, test_set.treebank_id)
        if not added:
            return []
        language = test_set.language
        if registered:
            about = row_by_id(database, "treebank", test_set.treebank_id, "language", "hidden_text")
            language, hidden = about or (None, True)
            if not hidden:
                raise InputError(
                    f"the references of '{test_set.treebank_id}' have no sentence '{added[0]}'",
                    where=str(source),
                    hint="their sentences are named by line number, from 1, unless their file "
                    "gives ids",
                )
            forget_results(database, test_set.treebank_id)
        name = name_treebank(source, treebank_id=test_set.treebank_id, language=language)
        commit(database, text_load(name, [*registered, *added], source))
        connection.execute(
            f"INSERT INTO output SELECT submission_id, sentence_no, NULL FROM {RUNS} "  # noqa: S608
            "JOIN sentence USING (treebank_id) WHERE treebank_id = ? AND sentence_no > ?",
            [test_set.treebank_id, len(registered)],
        )
    what = f"{len(added)} more sentences" if registered else f"{plural(len(added), 'sentence')}"
    return [f"{test_set.treebank_id}: {what}"]


def register_submissions(
    database: Database,
    runs: Iterable[tuple[Run, str]],
    source: Path,
    references: Collection[str] = (),
) -> list[str]:
    """Make runs known whose outputs are not there, and return their ids.

    Each run comes with its place in the file. Systems that are new are of the kind that their names
    tell, ``references`` being those that are known. Raises InputError where an id cannot be.
    """
    wanted = sorted(runs, key=lambda item: (item[0].iteration or 1, item[0].submission_id()))
    with database.transaction():
        for run, where in wanted:
            check_run(run, where)
        there = names_of(database, "system")
        for system_id in sorted({run.system_id for run, _ in wanted}):
            kind = None if system_id in there else kind_of(system_id, references)
            register_system(database, system_id, kind=kind)
        counts = {
            treebank_id: len(sentence_ids(database, treebank_id))
            for treebank_id in {run.treebank_id for run, _ in wanted}
        }
        # What follows an iteration finds its parent only once that is stored.
        for _, some in groupby(wanted, key=lambda item: item[0].iteration or 1):
            loads = [
                _submission_load(database, run, source, counts[run.treebank_id]) for run, _ in some
            ]
            commit(database, *loads)
    return sorted(run.submission_id() for run, _ in wanted)


def forget_results(database: Database, treebank_id: str) -> None:
    """Remove what was computed from the outputs for a test set; what people said stays."""
    treebank = {"treebank": treebank_id}
    for part in parts_of("submission"):
        if part.table not in _REMAINING:
            database.connection.execute(
                f"DELETE FROM {part.table} WHERE {part.column} IN {RUNS_OF_TREEBANK}",  # noqa: S608
                treebank,
            )
    database.connection.execute(
        f"DELETE FROM scoring WHERE target = $treebank OR target IN {RUNS_OF_TREEBANK}",  # noqa: S608
        treebank,
    )


def text_load(
    name: TreebankName,
    sent_ids: Sequence[str],
    source: Path,
    *,
    texts: Sequence[str] | None = None,
    words: Sequence[str] | None = None,
    comments: Sequence[Sequence[str]] | None = None,
    lines: Sequence[int] | None = None,
    scheme: str = TEXT_SCHEME,
    sha256: str | None = None,
) -> Load:
    """Return what a test set's sentences contribute; without ``texts`` these are hidden.

    ``lines`` are the sentences' lines in the source, ``words`` their words in one. Without, the
    text stands for these as well, as nobody knows where words end. ``sha256`` is the content's.
    """
    count = len(sent_ids)
    sha256 = sha256 or content_hash(TEXT_SCHEME, *sent_ids, *(texts or ()))
    treebank = treebank_row(
        replace(name, scheme=scheme), source, sha256, hidden=texts is None, sentences=count
    )
    texts_or_none: Sequence[str | None] = [None] * count if texts is None else texts
    sentences = {
        "treebank_id": pa.repeat(name.treebank_id, count),
        "sentence_no": pa.array(range(1, count + 1), pa.int32()),
        "sent_id": pa.array(sent_ids, pa.string()),
        "text": pa.array(texts_or_none, pa.string()),
        "text_given": pa.repeat(texts is not None, count),
        "forms_text": pa.array(words or texts_or_none, pa.string()),
        "newdoc": pa.nulls(count, pa.string()),
        "comments": pa.array(comments or [[]] * count, pa.list_(pa.string())),
        "line_no": pa.array(lines or [0] * count, pa.int32()),
    }
    return Load(
        kind="treebank",
        target=name.treebank_id,
        source=source.name,
        sha256=sha256,
        records=count,
        rows={"treebank": treebank, "sentence": pa.table(sentences)},
        replaces=[(table, "treebank_id", name.treebank_id) for table in ("treebank", "sentence")],
    )


def _submission_load(database: Database, run: Run, source: Path, count: int) -> Load:
    submission_id = run.submission_id()
    sha256 = content_hash("no outputs", submission_id)
    outputs = {
        "submission_id": pa.repeat(submission_id, count),
        "sentence_no": pa.array(range(1, count + 1), pa.int32()),
        "text": pa.nulls(count, pa.string()),
    }
    parent = parent_of(database, run, submission_id)
    return Load(
        kind="submission",
        target=submission_id,
        source=source.name,
        sha256=sha256,
        records=0,
        rows={
            "submission": submission_row(run, parent, "text", NO_OUTPUTS, str(source), sha256),
            "output": pa.table(outputs),
        },
    )
