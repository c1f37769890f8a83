"""Test sets without trees: sentences, systems and submissions known only from judgements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ingest.campaigns import register_campaign, register_system
from ingest.files import content_hash
from ingest.names import name_treebank
from ingest.runs import Run, check_given, parent_of, submission_row
from ingest.staging import Load, commit
from ingest.submissions import RESULT_TABLES
from schema.database import Database

SCHEME = "text"
ANALYSIS = "none"
_KEPT = ("output", "output_token", "human_score")


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
        "SELECT treebank_id FROM treebank WHERE scheme = ?", [SCHEME]
    ).fetchall()
    return {treebank_id for (treebank_id,) in rows}


def register_test_set(
    database: Database, campaign_id: str, test_set: TestSet, source: Path
) -> list[str]:
    """Make a test set known, or add the sentences that it lacks, and return what was made known.

    It is a treebank of scheme ``text`` without words and with hidden text: every score of it is
    NULL, with that reason. Sentences that are added have no output, and the submissions to the test
    set lose what was computed from fewer sentences.
    """
    known = _sent_ids(database, test_set.treebank_id)
    there = set(known)
    added = [sent_id for sent_id in test_set.sent_ids if sent_id not in there]
    with database.transaction() as connection:
        register_campaign(database, campaign_id)
        connection.execute(
            "INSERT INTO campaign_treebank SELECT $campaign, $treebank WHERE NOT EXISTS "
            "(FROM campaign_treebank WHERE campaign_id = $campaign AND treebank_id = $treebank)",
            {"campaign": campaign_id, "treebank": test_set.treebank_id},
        )
        if not added:
            return []
        if known:
            _forget_results(database, test_set.treebank_id)
            language = connection.execute(
                "SELECT language FROM treebank WHERE treebank_id = ?", [test_set.treebank_id]
            ).fetchone()
            test_set = TestSet(
                test_set.treebank_id, language[0] if language else None, test_set.sent_ids
            )
        commit(database, _treebank_load(test_set, [*known, *added], source))
        connection.execute(
            "INSERT INTO output SELECT submission_id, sentence_no, NULL FROM submission "
            "JOIN sentence USING (treebank_id) WHERE treebank_id = ? AND sentence_no > ?",
            [test_set.treebank_id, len(known)],
        )
    what = f"{len(added)} more sentences" if known else f"{len(added)} sentences"
    return [f"{test_set.treebank_id}: {what}"]


def register_submissions(
    database: Database, runs: Iterable[tuple[Run, str]], source: Path
) -> list[str]:
    """Make runs known whose outputs are not there, and return their ids.

    Each run comes with its place in the file. Raises InputError where an id cannot be.
    """
    made = []
    with database.transaction():
        for run, where in sorted(runs, key=lambda item: item[0].submission_id()):
            check_given(run, where)
            register_system(database, run.system_id)
            commit(database, _submission_load(database, run, source))
            made.append(run.submission_id())
    return made


def _sent_ids(database: Database, treebank_id: str) -> list[str]:
    rows = database.connection.execute(
        "SELECT sent_id FROM sentence WHERE treebank_id = ? ORDER BY sentence_no", [treebank_id]
    ).fetchall()
    return [sent_id for (sent_id,) in rows]


def _forget_results(database: Database, treebank_id: str) -> None:
    of_treebank = "(SELECT submission_id FROM submission WHERE treebank_id = ?)"
    for table in RESULT_TABLES:
        if table not in _KEPT:
            database.connection.execute(
                f"DELETE FROM {table} WHERE submission_id IN {of_treebank}",  # noqa: S608
                [treebank_id],
            )
    database.connection.execute(
        f"DELETE FROM scoring WHERE target = ? OR target IN {of_treebank}",  # noqa: S608
        [treebank_id, treebank_id],
    )


def _treebank_load(test_set: TestSet, sent_ids: list[str], source: Path) -> Load:
    name = name_treebank(source, treebank_id=test_set.treebank_id)
    count = len(sent_ids)
    sha256 = content_hash(SCHEME, *sent_ids)
    treebank: Mapping[str, object] = {
        "treebank_id": [name.treebank_id],
        "language": pa.array([test_set.language or name.language], pa.string()),
        "corpus": pa.array([name.corpus], pa.string()),
        "scheme": [SCHEME],
        "version": pa.array([None], pa.string()),
        "split": pa.array([name.split], pa.string()),
        "excluded_relations": pa.array([[]], pa.list_(pa.string())),
        "hidden_text": [True],
        "sentences": [count],
        "tokens": [0],
        "source": [source.name],
        "sha256": [sha256],
    }
    sentences = {
        "treebank_id": pa.repeat(name.treebank_id, count),
        "sentence_no": pa.array(range(1, count + 1), pa.int32()),
        "sent_id": sent_ids,
        "text": pa.nulls(count, pa.string()),
        "text_given": pa.repeat(False, count),
        "forms_text": pa.nulls(count, pa.string()),
        "newdoc": pa.nulls(count, pa.string()),
        "comments": pa.array([[]] * count, pa.list_(pa.string())),
        "line_no": pa.repeat(pa.scalar(0, pa.int32()), count),
    }
    return Load(
        kind="treebank",
        target=name.treebank_id,
        source=source.name,
        sha256=sha256,
        records=count,
        rows={"treebank": pa.table(treebank), "sentence": pa.table(sentences)},
        replaces=[(table, "treebank_id", name.treebank_id) for table in ("treebank", "sentence")],
    )


def _submission_load(database: Database, run: Run, source: Path) -> Load:
    count = len(_sent_ids(database, run.treebank_id))
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
            "submission": submission_row(run, parent, "text", ANALYSIS, str(source), sha256),
            "output": pa.table(outputs),
        },
    )
