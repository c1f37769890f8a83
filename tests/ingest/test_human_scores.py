"""Human scores: mapping, criteria, idempotence, replacement; errors change nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sr_tracker.ingest.analysers import Analyser
from sr_tracker.ingest.judgements.human_scores import ScoreFile, ingest_human_scores
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError

Counts = Callable[[], dict[str, int]]
GIVEN = ScoreFile({}, campaign_id="C19")
HEAD = "system,treebank,sent_id,criterion,z_score,raw_mean,judgements\n"


def written(tmp_path: Path, content: str, name: str = "scores.csv") -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    return path


def scores(database: Database) -> list[tuple[object, ...]]:
    return database.connection.execute(
        "SELECT submission_id, sentence_no, criterion, z_score, raw_mean, judgements, source "
        "FROM human_score ORDER BY ALL"
    ).fetchall()


def test_rows_named_by_system_and_treebank(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    content = (
        "A,en_toy-ud-test,s-2,Meaning_Similarity,-0.5,40,3\n"
        "A,en_toy,s-3,READABILITY,,100,\n"
        "B,en_toy,s-2,Grammar,1.25,0,1\n"
    )
    path = written(tmp_path, HEAD + content)
    assert ingest_human_scores(database, path, GIVEN) == 3
    assert scores(database) == [
        (submissions[0], 2, "adequacy", -0.5, 40.0, 3, path.name),
        (submissions[0], 3, "fluency", None, 100.0, None, path.name),
        (submissions[2], 2, "grammar", 1.25, 0.0, 1, path.name),
    ]


def test_where_no_campaign_is_named_the_only_one_is_meant(
    database: Database,
    tmp_path: Path,
    submissions: list[str],
    second_campaign: Callable[[], object],
) -> None:
    path = written(tmp_path, "system,sent_id,criterion,z\nA,s-1,x,1\n")
    assert ingest_human_scores(database, path, ScoreFile({})) == 1
    assert [row[:4] for row in scores(database)] == [(submissions[0], 1, "x", 1.0)]
    second_campaign()
    with pytest.raises(InputError, match="campaign of these scores is not named"):
        ingest_human_scores(database, path, ScoreFile({}))


def test_rows_with_iterations(database: Database, tmp_path: Path, submissions: list[str]) -> None:
    rows = "A,en_toy,s-1,x,1,2\nA,en_toy,s-1,x,2,1\nA,en_toy,s-2,x,3,\n"
    path = written(tmp_path, "system,treebank,sent_id,criterion,z_score,iteration\n" + rows)
    assert ingest_human_scores(database, path, GIVEN) == 3
    computed = [(row[0], row[1], row[3]) for row in scores(database)]
    assert computed == [
        (submissions[0], 1, 2.0),
        (submissions[0], 2, 3.0),
        (submissions[1], 1, 1.0),
    ]


def test_rows_named_by_submission_and_mapped(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = tmp_path / "scores.parquet"
    table = {
        "run": submissions,
        "seg": ["s-1", "s-2", "s-30"],
        "z": [0.5, None, -1.0],
        "mean": [1.0, 2.0, 3.0],
    }
    pq.write_table(pa.table(table), path)
    columns = {"submission": "run", "sent_id": "seg", "z_score": "z", "raw_mean": "mean"}
    score_file = ScoreFile(columns, criterion="fluency")
    assert ingest_human_scores(database, path, score_file) == 3
    assert {(row[1], row[3]) for row in scores(database)} == {(1, 0.5), (2, None), (30, -1.0)}
    assert ingest_human_scores(database, path, score_file) == 0


def test_numbers_of_some_sentences_need_their_text(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    """Numbers from 0 shift scores by one: the text beside them, or that all have one, tells."""
    head = HEAD.replace("judgements", "text")
    (own, reference) = database.connection.execute(
        "SELECT output.text, sentence.text FROM output JOIN submission USING (submission_id) "
        "JOIN sentence USING (treebank_id, sentence_no) WHERE sentence_no = 2 "
        "AND submission_id = ?",
        [submissions[0]],
    ).fetchone() or ("", "")
    path = written(tmp_path, HEAD + "A,en_toy,2,x,1,,\n")
    with pytest.raises(InputError, match="count from 0 or 1") as error:
        ingest_human_scores(database, path, GIVEN)
    assert "their text beside them" in (error.value.hint or "")
    for number, text in ((1, own), (3, reference)):
        path = written(tmp_path, head + f'A,en_toy,s-4,x,1,,any\nA,en_toy,{number},x,1,,"{text}"\n')
        with pytest.raises(InputError, match=f"not that of sentence {number} of") as error:
            ingest_human_scores(database, path, GIVEN)
        assert error.value.where == f"{path}:3"
    for criterion, text in (("x", own), ("y", reference)):
        path = written(
            tmp_path, head + f'A,en_toy,s-2,{criterion},1,,"{text} "\n', criterion + ".csv"
        )
        assert ingest_human_scores(database, path, GIVEN) == 1
    whole = "".join(f"A,en_toy,{number},z,1,,\n" for number in range(1, 31))
    assert ingest_human_scores(database, written(tmp_path, head + whole, "z.csv"), GIVEN) == 30


def test_fixed_submission_in_a_tsv(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = written(tmp_path, "sent_id\tz_score\ns-1\t0.1\n", "scores.tsv")
    score_file = ScoreFile({}, submission_id=submissions[1], criterion="Readability")
    assert ingest_human_scores(database, path, score_file) == 1
    assert scores(database)[0][:3] == (submissions[1], 1, "fluency")


def test_a_wide_file_is_loaded_once_for_each_criterion(
    database: Database, tmp_path: Path, submissions: list[str], row_counts: Counts
) -> None:
    content = "seg,a_z,f_z\ns-1,0.1,0.2\ns-2,0.3,0.4\n"
    path = written(tmp_path, content)

    def load(criterion: str, column: str, *, replace: bool = False) -> int:
        columns = {"sent_id": "seg", "z_score": column}
        score_file = ScoreFile(columns, submission_id=submissions[0], criterion=criterion)
        return ingest_human_scores(database, path, score_file, replace=replace)

    assert (load("adequacy", "a_z"), load("fluency", "f_z")) == (2, 2)
    before, rows = row_counts(), scores(database)
    assert (load("adequacy", "a_z"), load("fluency", "f_z")) == (0, 0)
    assert (row_counts(), scores(database)) == (before, rows)
    path.write_text(content.replace("0.2", "0.9"))
    assert load("adequacy", "a_z", replace=True) == 0
    assert load("fluency", "f_z", replace=True) == 2
    assert len(scores(database)) == 4


def test_files_of_one_name_in_several_folders(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    first = written(tmp_path, HEAD + "A,en_toy,s-1,x,0.1,,\n", "a/scores.csv")
    second = written(tmp_path, HEAD + "B,en_toy,s-1,x,0.2,,\n", "b/scores.csv")
    assert ingest_human_scores(database, first, GIVEN) == 1
    assert ingest_human_scores(database, second, GIVEN) == 1
    assert ingest_human_scores(database, first, GIVEN) == 0
    second.write_text(HEAD + "B,en_toy,s-1,x,0.3,,\n")
    assert ingest_human_scores(database, second, GIVEN, replace=True) == 1
    assert [row[3] for row in scores(database)] == [0.1, 0.3]


def test_a_submissions_scores_may_come_from_several_files_of_one_name(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    for folder, sentence in (("a", "s-1"), ("b", "s-2")):
        path = written(tmp_path, HEAD + f"A,en_toy,{sentence},x,0.1,,\n", f"{folder}/scores.csv")
        assert ingest_human_scores(database, path, GIVEN) == 1
    assert [row[1] for row in scores(database)] == [1, 2]


def test_replacing(database: Database, tmp_path: Path, submissions: list[str]) -> None:
    path = written(tmp_path, HEAD + "A,en_toy,s-1,x,0.1,,\nA,en_toy,s-2,x,0.2,,\n")
    other = written(tmp_path, HEAD + "A,en_toy,s-3,x,0.3,,\nB,en_toy,s-1,x,0.4,,\n", "other.csv")
    ingest_human_scores(database, path, GIVEN)
    ingest_human_scores(database, other, GIVEN)
    path.write_text(HEAD + "A,en_toy,s-1,x,0.5,,\n")
    with pytest.raises(InputError, match="has another score on x already") as error:
        ingest_human_scores(database, path, GIVEN)
    assert error.value.where == str(path)
    assert [row[3] for row in scores(database)] == [0.1, 0.2, 0.3, 0.4]
    assert ingest_human_scores(database, path, GIVEN, replace=True) == 1
    assert [row[3] for row in scores(database)] == [0.5, 0.3, 0.4]
    assert ingest_human_scores(database, path, GIVEN, replace=True) == 0


def test_fewer_scores_replace_more(
    database: Database, tmp_path: Path, submissions: list[str]
) -> None:
    path = written(tmp_path, HEAD + "A,en_toy,s-1,x,0.1,,\nA,en_toy,s-2,x,0.2,,\n")
    ingest_human_scores(database, path, GIVEN)
    path.write_text(HEAD + "A,en_toy,s-1,x,0.1,,\n")
    assert ingest_human_scores(database, path, GIVEN) == 0
    assert ingest_human_scores(database, path, GIVEN, replace=True) == 1
    assert len(scores(database)) == 1


def test_scores_come_back_after_their_submission_was_replaced(
    database: Database,
    tmp_path: Path,
    submissions: list[str],
    treebank: str,
    analyser: Callable[[str], Analyser],
) -> None:
    path = written(tmp_path, HEAD + "A,en_toy,s-1,x,0.1,,\n")
    ingest_human_scores(database, path, GIVEN)
    outputs = tmp_path / "outputs.txt"
    outputs.write_text(outputs.read_text() + " at last")
    ingest_submission(database, outputs, Run("C19", "A", treebank, 1), analyser, replace=True)
    assert scores(database) == []
    assert ingest_human_scores(database, path, GIVEN) == 1


GOOD = "A,en_toy,s-1,x,0.1,,\n"
BROKEN: list[tuple[str, ScoreFile, type[TrackerError], str, str]] = [
    (HEAD, GIVEN, InputError, "", "holds no scores"),
    (HEAD + GOOD + "A,en_toy,s-2,x,high,,\n", GIVEN, InputError, ":3", "'high' is not a z score"),
    (HEAD + GOOD + "A,en_toy,s-2,x,nan,,\n", GIVEN, InputError, ":3", "'nan' is not a z score"),
    (HEAD + GOOD + "A,en_toy,s-2,x,,inf,\n", GIVEN, InputError, ":3", "'inf' is not a raw mean"),
    (HEAD + GOOD + "A,en_toy,s-2,x,,100.5,\n", GIVEN, InputError, ":3", "outside 0 to 100"),
    (HEAD + GOOD + "A,en_toy,s-2,x,,-1,\n", GIVEN, InputError, ":3", "outside 0 to 100"),
    (HEAD + GOOD + "A,en_toy,s-2,x,,,3\n", GIVEN, InputError, ":3", "neither a z-score nor"),
    (HEAD + GOOD + "A,en_toy,s-2,x,1,,0\n", GIVEN, InputError, ":3", "number of judgements"),
    (HEAD + GOOD + "A,en_toy,s-2,x,1,,1.5\n", GIVEN, InputError, ":3", "number of judgements"),
    (HEAD + GOOD + "A,en_toy,s-2,x,1,,1e12\n", GIVEN, InputError, ":3", "number of judgements"),
    (HEAD + GOOD + "A,en_toy,,x,1,,\n", GIVEN, InputError, ":3", "'sent_id' is empty"),
    (HEAD + GOOD + "A,en_toy,s-2,,1,,\n", GIVEN, InputError, ":3", "'criterion' is empty"),
    (HEAD + GOOD + ",en_toy,s-2,x,1,,\n", GIVEN, InputError, ":3", "'system' is empty"),
    (
        HEAD + GOOD + "C,en_toy,s-2,x,1,,\n",
        GIVEN,
        UnknownNameError,
        ":3",
        "no submission 'C19/C/en_toy'",
    ),
    (HEAD + GOOD + "A,fr,2,x,1,,\n", GIVEN, UnknownNameError, ":3", "no submission 'C19/A/fr'"),
    (HEAD + GOOD + "A,en_toy,s-31,x,1,,\n", GIVEN, UnknownNameError, ":3", "no sentence 's-31'"),
    (HEAD + GOOD + "A,en_toy,s-0,x,1,,\n", GIVEN, UnknownNameError, ":3", "no sentence 's-0'"),
    (HEAD + GOOD + "A,en_toy,s-1,X,1,,\n", GIVEN, InputError, ":3", "two scores on x"),
    (HEAD + GOOD + "A,en_toy\n", GIVEN, InputError, ":3", "2 values, the header has 7"),
    (HEAD + GOOD, ScoreFile({"z": "a"}, "C19"), InputError, "", "'z' is not a field"),
    (HEAD + GOOD, ScoreFile({"z_score": "a"}, "C19"), InputError, "", "no column 'a'"),
    (HEAD + GOOD, ScoreFile({}, submission_id="no"), UnknownNameError, ":2", "no submission 'no'"),
    ("sent_id,z_score\n1,2\n", GIVEN, InputError, "", "no column 'system'"),
]


def test_a_broken_file_leaves_no_row(
    database: Database, tmp_path: Path, submissions: list[str], row_counts: Counts
) -> None:
    before = row_counts()
    for content, item, kind, place, message in BROKEN:
        path = written(tmp_path, content)
        with pytest.raises(kind, match=message) as error:
            ingest_human_scores(database, path, item)
        assert error.value.hint, message
        assert error.value.where == f"{path}{place}"
        assert row_counts() == before, message
