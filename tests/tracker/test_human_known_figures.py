"""Published figures that the raw judgements in the shared data reproduce."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.queries.catalog import install
from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.schema.database import Database, open_database

PAIRS = ("bn-hi", "hi-bn", "xh-zu", "zu-xh")


@pytest.fixture(scope="module")
def wmt21(shared_data: Path) -> Iterator[Database]:
    """The judgements of four language pairs, each a test set."""
    path = shared_data / "human" / "wmt21-facebook" / "ad-good-raw.csv"
    with open_database(None) as opened:
        install(opened)
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
    found = wmt21.connection.execute(
        "SELECT submission_id, raw_mean, z_mean, sentences, assessments FROM human_rankings "
        "WHERE chosen"
    ).fetchall()
    assert len(published) == 29
    assert {row[0]: pytest.approx(row[1:], abs=1e-6) for row in found} == published


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
    found = wmt21.connection.execute(
        "SELECT annotator_id, raw_mean, sample_deviation FROM annotators "
        "WHERE annotator_id <> 'evaluator5'"
    ).fetchall()
    assert {row[0]: pytest.approx(row[1:], rel=1e-6) for row in found} == published


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
    known = json.loads((folder / "reproduction-accepted-workers.json").read_text())
    batch = folder / "Batch_1234_batch_results.csv"
    load_batch(batch, database, set(known["accepted_workers_18"]))
    evaluate(database, settings=HumanSettings(annotators="all"))
    found = database.connection.execute(
        "SELECT system_id, sent_id, raw_mean, z_score FROM human_score "
        "JOIN submission USING (submission_id) JOIN sentence USING (treebank_id, sentence_no)"
    ).fetchall()
    raw = segments(folder / "seg.ad.cs-en.csv")
    z = segments(folder / "seg.ad.stnd.cs-en.csv")
    assert len(raw) == 70
    assert {row[:2]: pytest.approx(row[2], abs=1e-9) for row in found} == raw
    assert {row[:2]: pytest.approx(row[3], abs=1e-6) for row in found} == z


def test_quality_control_of_mechanical_turk(database: Database, shared_data: Path) -> None:
    """Who passes: the accepted workers, and those listed as passing though not used.

    The list does not mention one more worker, of the second batch.
    """
    folder = shared_data / "human" / "mturk-da"
    known = json.loads((folder / "reproduction-accepted-workers.json").read_text())
    for batch in sorted(folder.glob("Batch_*.csv")):
        load_batch(batch, database)
    evaluate(database)
    passed = database.connection.execute(
        "SELECT annotator_id FROM annotators WHERE passed AND degraded_pairs = 10"
    ).fetchall()
    unused = known["p<=.05_but_not_used_by_authors"].values()
    listed = {worker for workers in unused for worker in workers}
    assert {worker for (worker,) in passed} == {
        *known["accepted_workers_18"],
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
    found = dict(
        database.connection.execute(
            "SELECT system_id, raw_mean FROM human_rankings WHERE chosen"
        ).fetchall()
    )
    assert len(found) == 17
    assert found["WebNLG-2020-reference"] == pytest.approx(94.149, abs=5e-4)
    assert found["bt5"] == pytest.approx(93.583, abs=5e-4)
    assert found["NILC"] == pytest.approx(76.702, abs=5e-4)
