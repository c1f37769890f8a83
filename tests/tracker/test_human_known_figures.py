"""Published figures from raw judgements; judgements that do not compare, and what that does."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.schema.database import Database
from tests.tracker.test_human import Row, fill

PAIRS = ("bn-hi", "hi-bn", "xh-zu", "zu-xh")


@pytest.fixture(scope="module")
def wmt21(shared_data: Path) -> Iterator[Database]:
    """The judgements of four language pairs, each a test set."""
    path = shared_data / "human" / "wmt21-facebook" / "ad-good-raw.csv"
    with open_installed(None) as opened:
        ingest_judgements(
            opened, path, JudgementFile({}, campaign_id="WMT21", layout="wmt", register=True)
        )
        yield opened


def test_wmt21_systems(wmt21: Database, shared_data: Path) -> None:
    """29 of 29 systems: raw mean, mean z and both counts as in ad-sys-scores-*.csv, to 1e-6.

    The published z-scores were made with means and deviations rounded to seven digits. One
    evaluator judged two language pairs, which are standardised apart.
    """
    folder = shared_data / "human" / "wmt21-facebook"
    evaluate(wmt21, settings=HumanSettings(within="treebank"))
    published = {
        f"WMT21/{row['SYS']}/wmt21-{pair}": [
            float(row[name]) for name in ("RAW.SCR", "Z.SCR", "N", "N.ALL")
        ]
        for pair in PAIRS
        for row in csv.DictReader(
            (folder / f"ad-sys-scores-{pair}.csv").open(), delimiter=" ", skipinitialspace=True
        )
    }
    rows = wmt21.connection.execute(
        "SELECT submission_id, raw_mean, z_mean, sentences, assessments FROM human_leaderboard "
        "WHERE chosen"
    ).fetchall()
    assert len(published) == 29
    assert {row[0]: pytest.approx(row[1:], abs=1e-6) for row in rows} == published


def test_wmt21_annotators(wmt21: Database, shared_data: Path) -> None:
    """Mean and sample deviation of annotators as in ad-*-trk-mean-sd.txt, seven digits.

    The one who judged two language pairs has two of each there, and is left out.
    """
    folder = shared_data / "human" / "wmt21-facebook"
    report = evaluate(wmt21)
    assert any(
        "annotators of several treebanks, standardised over all of them: 1" in note
        for note in report.notes
    )
    published = {}
    for pair in PAIRS:
        text = (folder / f"ad-{pair.replace('-', '')}-trk-mean-sd.txt").read_text()
        cells = [line.split()[1].strip('"') for line in text.splitlines()]
        for at in range(0, len(cells), 3):
            published[cells[at]] = (float(cells[at + 1]), float(cells[at + 2]))
    del published["evaluator5"]
    rows = wmt21.connection.execute(
        "SELECT annotator_id, raw_mean, sample_deviation FROM annotators "
        "WHERE annotator_id <> 'evaluator5'"
    ).fetchall()
    assert {row[0]: pytest.approx(row[1:], rel=1e-6) for row in rows} == published


def load_batch(path: Path, database: Database, annotators: set[str] | None = None) -> None:
    about = JudgementFile(
        {}, campaign_id="DA", layout="mturk", register=True, annotators=annotators
    )
    ingest_judgements(database, path, about)


def segments(path: Path) -> dict[tuple[str, str], float]:
    _, *rows = [line.split() for line in path.read_text().splitlines()]
    return {(system, segment): float(score) for _, system, segment, score in rows}


def test_mechanical_turk(database: Database, shared_data: Path) -> None:
    """70 of 70 segments: raw mean to 1e-9, z to 1e-6, of the workers that were accepted.

    Published in seg.ad.cs-en.csv and seg.ad.stnd.cs-en.csv, made with rounded deviations.
    """
    folder = shared_data / "human" / "mturk-da"
    content = json.loads((folder / "reproduction-accepted-workers.json").read_text())
    batch = folder / "Batch_1234_batch_results.csv"
    load_batch(batch, database, set(content["accepted_workers_18"]))
    evaluate(database, settings=HumanSettings(annotators="all"))
    rows = database.connection.execute(
        "SELECT system_id, sent_id, raw_mean, z_score FROM human_score "
        "JOIN submission USING (submission_id) JOIN sentence USING (treebank_id, sentence_no)"
    ).fetchall()
    raw = segments(folder / "seg.ad.cs-en.csv")
    z = segments(folder / "seg.ad.stnd.cs-en.csv")
    assert len(raw) == 70
    assert {row[:2]: pytest.approx(row[2], abs=1e-9) for row in rows} == raw
    assert {row[:2]: pytest.approx(row[3], abs=1e-6) for row in rows} == z


def test_quality_control_of_mechanical_turk(database: Database, shared_data: Path) -> None:
    """Who passes: the accepted workers, and those listed as passing though not used.

    The list does not mention one more worker, of the second batch.
    """
    folder = shared_data / "human" / "mturk-da"
    content = json.loads((folder / "reproduction-accepted-workers.json").read_text())
    for batch in sorted(folder.glob("Batch_*.csv")):
        load_batch(batch, database)
    evaluate(database)
    passed = database.connection.execute(
        "SELECT annotator_id FROM annotators WHERE passed AND degraded_pairs = 10"
    ).fetchall()
    unused = content["p<=.05_but_not_used_by_authors"].values()
    listed = {worker for workers in unused for worker in workers}
    assert {worker for (worker,) in passed} == {
        *content["accepted_workers_18"],
        *listed,
        "AYQ7I2U7A2CYGI",
    }


def test_webnlg2020_raw_means(database: Database, shared_data: Path, tmp_path: Path) -> None:
    """Raw means of correctness as published (the shared data's README), to three digits.

    The file holds means over annotators it does not name: its z-scores cannot be computed.
    """
    folder = shared_data / "human" / "webnlg2020-en"
    rows = json.loads((folder / "english_humeval_data_all_teams.json").read_text())
    path = tmp_path / "means.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["annotator", "system", "treebank", "sent_id", "criterion", "score"])
        writer.writerows(
            ["all", row["submission_id"], "en", row["sample_id"], "correctness", row["Correctness"]]
            for row in rows
        )
    ingest_judgements(database, path, JudgementFile({}, campaign_id="WebNLG20", register=True))
    evaluate(database)
    table_rows = dict(
        database.connection.execute(
            "SELECT system_id, raw_mean FROM human_leaderboard WHERE chosen"
        ).fetchall()
    )
    assert len(table_rows) == 17
    assert table_rows["WebNLG-2020-reference"] == pytest.approx(94.149, abs=5e-4)
    assert table_rows["bt5"] == pytest.approx(93.583, abs=5e-4)
    assert table_rows["NILC"] == pytest.approx(76.702, abs=5e-4)


SENTENCES = range(1, 9)
HARD = range(5, 9)


def judged(
    systems: Sequence[str],
    sentences: dict[str, Sequence[int]] | None = None,
    annotators: Sequence[str] = ("ann", "bob", "cat"),
    scale: float = 1,
) -> list[Row]:
    """What annotators say: the first system is the best, hard sentences are hard for all."""
    rng = Random(5)
    return [
        (
            annotator,
            "h1",
            f"C/{system}",
            number,
            "ordinary",
            round((80 - 6 * place - 40 * (number in HARD) + rng.random()) * scale, 1),
        )
        for annotator in annotators
        for place, system in enumerate(systems)
        for number in (sentences or {}).get(system, SENTENCES)
    ]


def notes(database: Database, rows: list[Row], settings: HumanSettings | None = None) -> str:
    fill(database, rows)
    return "\n".join(evaluate(database, settings=settings).notes)


def test_systems_judged_on_other_sentences_are_told_with_the_ranking_over_the_shared(
    database: Database,
) -> None:
    """The third was judged on the easy sentences alone, and comes first."""
    message = notes(database, judged(["best", "second", "third"], {"third": range(1, 5)}))
    (first,) = database.connection.execute(
        "SELECT submission_id FROM human_leaderboard WHERE place = 1 AND chosen"
    ).fetchone() or ("",)
    assert first == "C/third"
    assert "the 3 systems of t were judged on different sentences, each on 4 to 8" in message
    assert "over the 4 sentences judged of all, 3 of 3 have another place" in message
    assert "(best > second > third)" in message


def test_systems_without_a_shared_sentence(database: Database) -> None:
    message = notes(database, judged(["a", "b"], {"a": range(1, 5), "b": range(5, 9)}))
    assert "no sentence was judged of all" in message


def test_nothing_is_told_of_judgements_that_compare(database: Database) -> None:
    message = notes(database, judged(["a", "b"]))
    for sign in ("different sentences", "one system", "scale", "count apart", "ratings lie"):
        assert sign not in message


@pytest.mark.parametrize("ranked_by", ["z", "raw"])
def test_annotators_of_one_system(database: Database, ranked_by: str) -> None:
    rows = [*judged(["a", "b"]), *judged(["c"], annotators=["dan"])]
    message = notes(database, rows, HumanSettings(ranked_by=ranked_by))
    assert "1 of 4 annotators judged one system only (8 of 56 judgements)" in message


def test_one_system_has_no_z_score_of_its_own(database: Database) -> None:
    message = notes(database, judged(["a"]))
    assert "its mean z-score is 0 by construction" in message


def test_scales(database: Database) -> None:
    message = notes(database, judged(["a", "b"], scale=0.05))
    assert "ratings lie between 1.7 and 4" in message


def test_penalties_are_no_short_scale(database: Database) -> None:
    assert "ratings lie" not in notes(database, judged(["a", "b"], scale=-0.05))


def test_scales_that_differ_between_annotators(database: Database) -> None:
    message = notes(
        database, [*judged(["a", "b"]), *judged(["a", "b"], annotators=["short"], scale=0.05)]
    )
    assert "1 of 4 annotators rate up to 10 at most" in message
    assert "(short)" in message


def test_names_that_differ_in_case_or_blanks(database: Database) -> None:
    rows = [*judged(["Best Sys", "b"]), *judged(["best-sys"], annotators=["Ann "])]
    message = notes(database, rows)
    assert "the annotators 'Ann ' and 'ann' count apart" in message
    assert "the systems 'Best Sys' and 'best-sys' count apart" in message


def strict_and_lenient(shared: int) -> list[Row]:
    """Two systems that are alike, each with annotators of its own, and sentences all judge."""
    strict = {"ann": 0, "bob": -4, "cat": -25, "dan": -30}
    own = {"a": ("ann", "bob"), "b": ("cat", "dan")}
    rng = Random(8)
    return [
        (annotator, "h1", f"C/{system}", number, "ordinary", round(80 + level + rng.random(), 1))
        for system in "ab"
        for annotator, level in strict.items()
        for number in SENTENCES
        if annotator in own[system] or number <= shared
    ]


def test_raw_scores_of_other_annotators_are_not_tested(database: Database) -> None:
    raw = HumanSettings(ranked_by="raw")
    message = notes(database, strict_and_lenient(0), raw)
    assert "1 of 1 pair of systems in t have no annotator in common and no test" in message
    rows = database.connection.execute(
        "SELECT DISTINCT u, p_value, undefined_reason FROM human_pairs WHERE chosen"
    ).fetchall()
    reason = "no annotator judged both: raw scores do not tell strict people from poor outputs"
    assert rows == [(None, None, reason)]
    clusters = "SELECT DISTINCT cluster FROM human_leaderboard WHERE chosen"
    assert database.connection.execute(clusters).fetchall() == [(1,)]
    assert "in common" not in "\n".join(evaluate(database).notes)
    assert database.connection.execute(
        "SELECT count(p_value) FROM human_pairs WHERE chosen"
    ).fetchone() == (2,)


def test_raw_scores_of_partly_other_annotators_are_told(database: Database) -> None:
    """Each own annotator judged 8 sentences, each other one 1: 2 of 9 judgements by each pair."""
    message = notes(database, strict_and_lenient(1), HumanSettings(ranked_by="raw"))
    assert "1 of 1 pair of systems in t share less than half" in message
    assert "(the least 22%)" in message
    (tested,) = database.connection.execute(
        "SELECT count(p_value) FROM human_pairs WHERE chosen"
    ).fetchone() or (0,)
    assert tested == 2
