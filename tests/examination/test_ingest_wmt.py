"""A language pair of a folder of WMT: whole, in part, twice, and as it was published."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker.queries.catalog import run_audits
from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.tracker.api.tracker import Tracker, connect

PAIR = "he-en"
FILES = {
    f"sources/{PAIR}.txt": "מקור\nb\u2028c\n\n",
    f"references/{PAIR}.refA.txt": "A dog.\nA\u2028cat.\nA mouse.\n",
    f"references/{PAIR}.refB.txt": "One dog.\nOne cat.\nOne mouse.\n",
    f"documents/{PAIR}.docs": "news\td1\nnews\td1\nsocial\td2\n",
    f"system-outputs/{PAIR}/Sys-1.txt": "The dog.\n\nThe mouse.\n",
    f"system-outputs/{PAIR}/ONLINE.B.txt": "Dog.\nCat\u2028.\nMouse.\n",
    f"system-outputs/{PAIR}/refA.txt": "A dog.\nA\u2028cat.\nA mouse.\n",
    f"system-outputs/{PAIR}/synthetic_ref.txt": "A.\nB.\nC.\n",
    f"human-scores/{PAIR}.mqm.seg.score": "Sys-1\t-1.0\nSys-1\tNone\nSys-1\t0\nrefA\tNone\n"
    "refA\t-0.1\nrefA\t0\n",
    f"human-scores/{PAIR}.mqm.sys.score": "Sys-1\t-0.5\nrefA\t-0.06\n",
    f"human-scores/{PAIR}.da-sqm.seg.score": "Sys-1\t50\nSys-1\t70.5\nSys-1\tNone\n",
    f"human-scores/{PAIR}.wmt-z.seg.score": "Sys-1\t-0.5\nSys-1\tNone\nSys-1\t2.5\n",
    f"human-scores/{PAIR}.odd.seg.score": "Sys-1\t500\nSys-1\tNone\nSys-1\t2.5\n",
    f"human-scores/{PAIR}.alone.sys.score": "Sys-1\t50\n",
    f"human-scores/{PAIR}.mqm.merged.seg.rating": 'Sys-1\t{"errors": [{"start": 0, "end": 3, '
    '"category": "accuracy", "severity": "minor", "score": 1}]}\nSys-1\tNone\n'
    'Sys-1\t{"errors": []}\n',
    f"human-scores/{PAIR}.mqm.domain.score": "news\tSys-1\t-1\n",
    f"metric-scores/{PAIR}/COMET-refA.seg.score": "Sys-1\t0.5\nSys-1\t0.6\nSys-1\tNone\n",
    f"metric-scores/{PAIR}/COMET-refB.seg.score": "Sys-1\t0.1\nSys-1\t0.1\nSys-1\t0.1\n",
    f"metric-scores/{PAIR}/COMET-src.seg.score": "Sys-1\t0.2\nSys-1\t0.2\nSys-1\t0.2\n",
    f"metric-scores/{PAIR}/BLEU-refA.sys.score": "Sys-1\t30.5\nrefA\t100\n",
    f"metric-scores/{PAIR}/Kiwi-src.seg.score": "refA\t0.7\nrefA\t0.8\nrefA\t0.9\n",
}
OTHERWISE = "'kind' under [[systems]] in a campaign's manifest says otherwise"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "wmt24" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path / "wmt24"


@pytest.fixture
def db() -> Iterator[Tracker]:
    with connect(None) as opened:
        yield opened


def rows(db: Tracker, query: str) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in db.sql(query).to_pylist()]


def audited(db: Tracker) -> None:
    with db.reading() as database:
        assert run_audits(database) == []


def test_everything_of_a_pair(db: Tracker, folder: Path) -> None:
    report = db.ingest_wmt(folder, PAIR)
    assert (report.treebank_id, report.campaign_id) == ("wmt24.he-en", "WMT24")
    assert (report.reference, report.sentences, report.submissions) == ("refA", 3, 5)
    assert report.human_scores == 2 + 2 + 2 + 2
    assert {metric.metric for metric in report.metrics} == {"comet", "external_bleu", "kiwi"}
    assert rows(db, "SELECT system_id, kind FROM system ORDER BY ALL") == [
        ("ONLINE.B", "team"),
        ("Sys-1", "team"),
        ("refA", "human"),
        ("refB", "human"),
        ("synthetic_ref", "baseline"),
    ]
    assert rows(db, "SELECT year, language FROM campaign, treebank") == [(2024, "en")]
    assert rows(
        db, "SELECT source_text, document_id FROM sentence_source ORDER BY sentence_no"
    ) == [("מקור", "d1"), ("b\u2028c", "d1"), (None, "d2")]
    outputs = (
        "SELECT text FROM output WHERE submission_id = 'WMT24/{}/wmt24.he-en' ORDER BY sentence_no"
    )
    assert rows(db, outputs.format("Sys-1")) == [("The dog.",), (None,), ("The mouse.",)]
    assert rows(db, outputs.format("ONLINE.B"))[1] == ("Cat\u2028.",)
    assert rows(db, outputs.format("refB"))[0] == ("One dog.",)
    human = (
        "SELECT criterion, split_part(submission_id, '/', 2) AS s, sentence_no, raw_mean, z_score "
        "FROM human_score ORDER BY ALL"
    )
    assert rows(db, human) == [
        ("da_sqm", "Sys-1", 1, 50.0, None),
        ("da_sqm", "Sys-1", 2, 70.5, None),
        ("mqm", "Sys-1", 1, -1.0, None),
        ("mqm", "Sys-1", 3, 0.0, None),
        ("mqm", "refA", 2, -0.1, None),
        ("mqm", "refA", 3, 0.0, None),
        ("wmt", "Sys-1", 1, None, -0.5),
        ("wmt", "Sys-1", 3, None, 2.5),
    ]
    assert report.judgements == 2
    marked = "SELECT sentence_no, raw_score, len(error_spans) AS n FROM judgement ORDER BY ALL"
    assert rows(db, marked) == [(1, -1.0, 1), (3, 0.0, 0)]
    board = "SELECT comet, external_bleu, kiwi FROM leaderboard WHERE system_id = '{}'"
    assert rows(db, board.format("Sys-1")) == [(pytest.approx(0.55), 30.5, None)]
    assert rows(db, board.format("refA")) == [(None, 100.0, pytest.approx(0.8))]
    assert report.notes == [
        "1 file of scores against refB left out: --reference refB",
        f"taken for human references: refA, refB; {OTHERWISE}",
        f"taken for made-up references, which are baselines: synthetic_ref; {OTHERWISE}",
        "he-en.odd.seg.score is left out: its scores are 2.5 to 500, not 0 to 100",
        "he-en.alone.sys.score is left out: it has scores of systems alone",
        "he-en.mqm.sys.score: 1 systems differ from the means of their sentences, by up to 0.01",
        "he-en.mqm.domain.score: scores of neither sentences nor systems are not loaded",
    ]
    audited(db)


def test_the_same_again_changes_nothing(db: Tracker, folder: Path) -> None:
    db.ingest_wmt(folder, PAIR)
    counts = "SELECT (SELECT count(*) FROM sentence_score), (SELECT max(revision) FROM scoring)"
    before = rows(db, counts)
    again = db.ingest_wmt(folder, PAIR)
    assert (again.submissions, again.human_scores, again.judgements) == (0, 0, 0)
    assert not any(metric.submissions for metric in again.metrics)
    assert rows(db, counts) == before


def test_references_without_words_are_no_treebank_to_export(
    db: Tracker, folder: Path, tmp_path: Path
) -> None:
    db.ingest_wmt(folder, PAIR)
    with pytest.raises(InputError, match="are text without words"):
        db.export(tmp_path / "none.conllu", treebank="wmt24.he-en")
    assert not (tmp_path / "none.conllu").exists()


def test_merged_ratings_are_not_counted_twice(db: Tracker, folder: Path) -> None:
    merged = folder / f"human-scores/{PAIR}.mqm.merged.seg.rating"
    shutil.copy(merged, folder / f"human-scores/{PAIR}.mqm.rater1.seg.rating")
    report = db.ingest_wmt(folder, PAIR)
    assert report.judgements == 2
    assert f"{merged.name} is left out: its annotators have files of their own" in report.notes


def test_outputs_that_a_parser_analysed_since_are_the_same(db: Tracker, folder: Path) -> None:
    db.ingest_wmt(folder, PAIR)
    with db.writing() as database:
        database.connection.execute("UPDATE submission SET analysis = 'toy/1', sha256 = 'other'")
        database.connection.execute(
            "UPDATE scoring SET data_sha256 = 'other' WHERE target LIKE '%/%'"
        )
    again = db.ingest_wmt(folder, PAIR)
    assert (again.submissions, again.human_scores) == (0, 0)
    assert not any(metric.submissions for metric in again.metrics)
    analysed = rows(db, "SELECT DISTINCT analysis FROM submission")
    assert analysed == [("toy/1",)]
    (folder / f"system-outputs/{PAIR}/Sys-1.txt").write_text("Other.\n\nTexts.\n")
    with pytest.raises(InputError, match="exists with other content"):
        db.ingest_wmt(folder, PAIR)


def test_scores_made_from_judgements_stay(db: Tracker, folder: Path) -> None:
    db.ingest_wmt(folder, PAIR)
    with db.writing() as database:
        database.connection.execute(
            "UPDATE human_score SET source = 'judgements', z_score = 0.5 WHERE criterion = 'mqm'"
        )
    again = db.ingest_wmt(folder, PAIR)
    assert again.human_scores == 0
    message = "he-en.mqm.seg.score is left out: scores on mqm were made from judgements"
    assert message in again.notes
    made = "SELECT DISTINCT z_score FROM human_score WHERE criterion = 'mqm'"
    assert rows(db, made) == [(0.5,)]


def test_another_reference_and_names(db: Tracker, folder: Path) -> None:
    report = db.ingest_wmt(folder, PAIR, reference="refB", campaign="Mine", year=2030)
    assert (report.treebank_id, report.reference) == ("mine.he-en", "refB")
    assert rows(db, "SELECT text FROM sentence ORDER BY sentence_no LIMIT 1") == [("One dog.",)]
    assert rows(db, "SELECT year FROM campaign") == [(2030,)]
    assert rows(db, "SELECT comet FROM leaderboard WHERE system_id = 'Sys-1'") == [
        (pytest.approx(0.1),)
    ]


def test_the_reference_that_wmt_took(db: Tracker, folder: Path) -> None:
    """Of WMT 2023 he-en it is the second: published figures rest on it."""
    report = db.ingest_wmt(folder.rename(folder.with_name("wmt23")), PAIR)
    assert report.reference == "refB"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).write_text(content)


def test_blanks_for_tabs_and_scores_by_several_references(db: Tracker, folder: Path) -> None:
    metrics = f"metric-scores/{PAIR}"
    write(
        folder,
        {
            f"documents/{PAIR}.docs": "news d1\nnews   d1\nsocial d2\n",
            f"human-scores/{PAIR}.mqm.seg.score": "Sys-1 -1.0\nSys-1  None\nSys-1 0\n",
            f"{metrics}/M-refA.refB.seg.score": "Sys-1 1\nSys-1 1\nSys-1 1\n",
            f"{metrics}/M-all.sys.score": "Sys-1 1\n",
        },
    )
    report = db.ingest_wmt(folder, PAIR)
    assert {metric.metric for metric in report.metrics} == {"comet", "external_bleu", "kiwi"}
    assert "1 file of scores against refA.refB left out" in report.notes
    assert "1 file of scores against all left out" in report.notes
    table_rows = rows(db, "SELECT document_id FROM sentence_source ORDER BY sentence_no")
    assert table_rows == [("d1",), ("d1",), ("d2",)]


def test_rounds_of_judging_are_criteria_of_their_own(db: Tracker, folder: Path) -> None:
    """Scores of a pair that are 100 less what errors cost are MQM's too; raw and z go together."""
    rating = '{"errors": [{"start": 0, "end": 3, "severity": "major", "score": 5}]}'
    human = f"human-scores/{PAIR}"
    write(
        folder,
        {
            f"{human}.round2.mqm.seg.score": "Sys-1\t-5\nSys-1\tNone\nSys-1\tNone\n",
            f"{human}.round2.mqm.merged.seg.rating": f"Sys-1\t{rating}\tr7\n" + "Sys-1\tNone\n" * 2,
            f"{human}.mqm-us.seg.score": "Sys-1\t-300\nSys-1\t95.5\nSys-1\tNone\n",
            f"{human}.wmt-raw.seg.score": "Sys-1\t40\nSys-1\tNone\nSys-1\t90\n",
        },
    )
    db.ingest_wmt(folder, PAIR)
    table_rows = rows(
        db,
        "SELECT criterion, sentence_no, raw_mean, z_score FROM human_score "
        "WHERE criterion IN ('mqm_round2', 'mqm_us', 'wmt') ORDER BY ALL",
    )
    assert table_rows == [
        ("mqm_round2", 1, -5.0, None),
        ("mqm_us", 1, -300.0, None),
        ("mqm_us", 2, 95.5, None),
        ("wmt", 1, 40.0, -0.5),
        ("wmt", 3, 90.0, 2.5),
    ]
    judged = rows(db, "SELECT criterion, annotator_id FROM judgement ORDER BY ALL")
    assert judged == [("mqm", "merged"), ("mqm", "merged"), ("mqm_round2", "r7")]
    audited(db)


def test_esa_with_its_errors_and_a_canary(db: Tracker, folder: Path) -> None:
    """WMT 2024: a canary is the first line, errors have no scores of outputs beside them."""
    rating = '{"errors": [{"start": 0, "end": 3, "severity": "minor"}]}'
    human = f"human-scores/{PAIR}"
    write(
        folder,
        {
            f"documents/{PAIR}.docs": "canary\tcanary\nnews\td1\nsocial\td2\n",
            f"{human}.esa.seg.score": "Sys-1\t100\nSys-1\t60\nSys-1\tNone\n",
            f"{human}.esa.sys.score": "Sys-1\t60\n",
            f"{human}.esa.merged.seg.rating": f"Sys-1\tNone\nSys-1\t{rating}\nSys-1\t{rating}\n",
        },
    )
    report = db.ingest_wmt(folder, PAIR)
    computed = "SELECT sentence_no, raw_mean FROM human_score WHERE criterion = 'esa'"
    assert rows(db, computed) == [(2, 60.0)]
    judged = "SELECT sentence_no, raw_score FROM judgement WHERE criterion = 'esa'"
    assert rows(db, judged) == [(2, 60.0)]
    assert f"{PAIR}.esa.seg.score: 1 score of canaries left out" in report.notes
    assert not any("esa.sys.score" in note for note in report.notes)
    assert any("1 ratings of outputs without a score are left out" in n for n in report.notes)
    audited(db)


@pytest.mark.parametrize(
    "missing",
    ["sources", "references", "documents", "system-outputs", "human-scores", "metric-scores"],
)
def test_a_part_may_be_missing(db: Tracker, folder: Path, missing: str) -> None:
    shutil.rmtree(folder / missing)
    report = db.ingest_wmt(folder, PAIR)
    assert report.sentences == 3
    assert (report.human_scores > 0) == (missing != "human-scores")
    assert bool(report.metrics) == (missing != "metric-scores")
    kinds = dict(rows(db, "SELECT system_id, kind FROM system"))
    if missing not in ("human-scores", "metric-scores"):
        assert kinds["Sys-1"] == "team"
        assert kinds["refA"] == "human"
    audited(db)


def test_outputs_and_references_may_come_later(db: Tracker, folder: Path, tmp_path: Path) -> None:
    shutil.move(folder / "references", tmp_path / "references")
    db.ingest_wmt(folder, PAIR)
    shutil.move(tmp_path / "references", folder / "references")
    report = db.ingest_wmt(folder, PAIR)
    assert report.reference == "refA"
    assert rows(db, "SELECT comet, external_bleu FROM leaderboard WHERE system_id = 'Sys-1'") == [
        (pytest.approx(0.55), 30.5)
    ]
    audited(db)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (f"system-outputs/{PAIR}/Sys-1.txt", "The dog.\n", "has 1 output"),
        (f"documents/{PAIR}.docs", "news\n" * 3, "not a domain, a tab and a document"),
        (f"human-scores/{PAIR}.mqm.seg.score", "Sys-1\tx\n", "'x' is no score"),
        (f"human-scores/{PAIR}.mqm.seg.score", "Sys-1\t-1\n", "1 score of"),
        (f"metric-scores/{PAIR}/COMET-refA.seg.score", "Sys 1 0.5\n", "not a system, a tab"),
        (f"sources/{PAIR}.txt", "a\n", "the file has 1 line"),
    ],
)
def test_what_is_broken_leaves_nothing(
    db: Tracker, folder: Path, name: str, content: str, message: str
) -> None:
    (folder / name).write_text(content)
    with pytest.raises(TrackerError, match=message) as caught:
        db.ingest_wmt(folder, PAIR)
    assert str(caught.value.where).startswith(str(folder / name))
    assert rows(db, "SELECT count(*) AS n FROM submission") == [(0,)]
    assert rows(db, "SELECT count(*) AS n FROM treebank") == [(0,)]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("en-de", "the folder has nothing of en-de"),
        ("../x", "is no language pair"),
        ("he", "is no language pair"),
    ],
)
def test_names_that_are_not_there(db: Tracker, folder: Path, pair: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        db.ingest_wmt(folder, pair)
    with pytest.raises(InputError, match="there is no such folder"):
        db.ingest_wmt(folder / "no", PAIR)
    with pytest.raises(InputError, match="there is no reference 'refC'"):
        db.ingest_wmt(folder, PAIR, reference="refC")


def published(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def test_wmt23_comes_out_as_published(db: Tracker, shared_data: Path) -> None:
    """WMT 2023 en-de: all ``.sys.score`` files of metrics and people, to 12 digits."""
    folder = shared_data / "wmt23"
    report = db.ingest_wmt(folder, "en-de")
    assert (report.sentences, report.submissions) == (557, 14)
    assert (report.human_scores, report.judgements) == (13 * 460 + 549 * 13, 13 * 460)
    board = {row["system_id"]: row for row in db.show("leaderboard").to_pylist()}
    compared = 0
    for file in (folder / "metric-scores" / "en-de").glob("*.sys.score"):
        label = file.name.rpartition("-")[0]
        name = {"BLEU": "external_bleu", "chrF": "external_chrf"}.get(
            label, label.lower().replace("-", "_")
        )
        for system, score in published(file).items():
            assert board[system][name] == pytest.approx(float(score), abs=1e-12)
            compared += 1
    assert compared == 13 * 6 + 14 * 2
    people = {
        (row["criterion"], row["system_id"]): row["raw_mean"]
        for row in db.sql(
            "SELECT criterion, submission.system_id, human.raw_mean "
            "FROM human_criterion_means AS human JOIN submission USING (submission_id)"
        ).to_pylist()
    }
    for name in ("mqm", "da-sqm"):
        for system, score in published(folder / f"human-scores/en-de.{name}.sys.score").items():
            mean = people[name.replace("-", "_"), system]
            assert mean == pytest.approx(float(score), abs=1e-12)
    kinds = [row["kind"] for row in db.sql("SELECT kind FROM system").to_pylist()]
    assert sorted(kinds) == ["baseline", "human", *["team"] * 12]
    audited(db)
