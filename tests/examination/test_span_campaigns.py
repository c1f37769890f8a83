"""Campaigns of Appraise and Pearmut: what is in the files, and their results coming back."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.queries.examination.sampling import JudgingPlan
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests import commands
from tests.conftest import Once
from tests.examination.test_sample_judging import fill

PLAN = JudgingPlan(30, hit_size=20, controls=4)


@pytest.fixture
def database(once: Once, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Three systems, one of them in two iterations, and documents of three sentences each."""

    def make(path: Path) -> None:
        with open_database(path) as made, made.transaction():
            fill(made)
            made.connection.execute("UPDATE sentence SET sent_id = NULL")
            made.connection.execute(
                "INSERT INTO sentence_source SELECT treebank_id, sentence_no, "
                "'source ' || sentence_no, 'news_' || (sentence_no - 1) // 3, 'news' "
                "FROM sentence WHERE sentence_no <= 60"
            )

    copy = tmp_path_factory.mktemp("copy") / "c.duckdb"
    with open_database(Path(shutil.copy(once("span_campaigns.duckdb", make), copy))) as opened:
        yield opened


def texts(database: Database) -> dict[tuple[str, str], str]:
    """The outputs that may be judged, by system and sentence."""
    rows = database.connection.execute(
        "SELECT system_id, iteration, sentence_no, text FROM output JOIN submission "
        "USING (submission_id) WHERE regexp_matches(text, '\\S')"
    ).fetchall()
    return {
        (f"{system}@{iteration}" if iteration > 1 else system, str(number)): text
        for system, iteration, number, text in rows
    }


def test_appraise_batches(database: Database, tmp_path: Path) -> None:
    files = Tracker(database).sample_spans(
        "C", "tb", tmp_path, PLAN, platform="appraise", language_pair="eng-deu"
    )
    assert [path.name for path in files] == ["batches.json", "manifest.json"]
    batches = json.loads(files[0].read_text())
    manifest = json.loads(files[1].read_text())
    assert manifest["TASKS_TO_ANNOTATORS"] == [["eng", "deu", "uniform", *[len(batches)] * 2]]
    assert (manifest["TASK_TYPE"], manifest["TASK_OPTIONS"]) == ("Document", "ESA")
    entries = texts(database)
    seen: Counter[tuple[str, str]] = Counter()
    for number, batch in enumerate(batches, start=1):
        assert batch["task"]["batchNo"] == number
        assert len(batch["items"]) <= PLAN.hit_size
        bad = [item for item in batch["items"] if item["itemType"] == "BAD"]
        assert len(bad) <= PLAN.controls
        originals = {
            (item["targetID"], item["itemID"]): item["documentID"]
            for item in batch["items"]
            if item["itemType"] == "TGT"
        }
        for item in batch["items"]:
            key = item["targetID"], str(item["itemID"])
            if item["itemType"] == "TGT":
                seen[key] += 1
                assert item["targetText"] == entries[key]
            else:
                assert item["targetText"] != entries[key]
                assert item["documentID"] == originals[key[0], item["itemID"]] + "#bad1"
            if item["itemID"] <= 60:
                assert item["sourceText"] == f"source {item['itemID']}"
        named = [(item["documentID"], item["targetID"]) for item in batch["items"]]
        runs = [pair for at, pair in enumerate(named) if at == 0 or named[at - 1] != pair]
        assert len(runs) == len(set(named)), "a document's items stand together"
    assert set(seen.values()) == {1}
    chosen = {number for _, number in seen}
    assert len(chosen) == 30
    assert set(seen) == {
        (system, number)
        for system, number in entries
        if number in chosen and system in ("a", "b", "c@2")
    }
    again = Tracker(database).sample_spans(
        "C", "tb", tmp_path / "again", PLAN, platform="appraise", language_pair="eng-deu"
    )
    assert again[0].read_bytes() == files[0].read_bytes()


def test_pearmut_campaign(database: Database, tmp_path: Path) -> None:
    (file,) = Tracker(database).sample_spans(
        "C", "tb", tmp_path, PLAN, platform="pearmut", protocol="mqm"
    )
    campaign = json.loads(file.read_text())
    assert campaign["info"] == {"assignment": "task-based", "protocol": "MQM"}
    items = [item for task in campaign["data"] for document in task for item in document]
    entries = texts(database)
    for item in items:
        ((system, text),) = item["tgt"].items()
        assert ("validation" in item) == (text != entries[system, item["item_id"]])
        assert ("src" in item) != ("ref" in item)
        assert ("src" in item) == (int(item["item_id"]) <= 60)
    assert any("validation" in item for item in items)


@pytest.mark.parametrize(
    ("plan", "how", "message"),
    [
        (PLAN, {"platform": "appraise"}, "no pair of languages"),
        (PLAN, {"platform": "appraise", "language_pair": "en-de"}, "no pair of languages"),
        (PLAN, {"platform": "appraise", "language_pair": "eng-deu-fra"}, "no pair of languages"),
        (PLAN, {"platform": "paper"}, "no esa on 'paper'"),
        (PLAN, {"platform": "pearmut", "protocol": "da"}, "no da on 'pearmut'"),
        (JudgingPlan(None, hit_size=2, controls=0), {"platform": "pearmut"}, "room for 2"),
        (JudgingPlan(9, hit_size=4, controls=3), {"platform": "pearmut"}, "cannot have 3 control"),
        (JudgingPlan(0), {"platform": "pearmut"}, "0 sentences cannot be drawn"),
    ],
)
def test_what_does_not_fit_is_refused(
    database: Database, tmp_path: Path, plan: JudgingPlan, how: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Tracker(database).sample_spans("C", "tb", tmp_path, plan, **how)
    assert not list(tmp_path.iterdir())


def test_names_that_cannot_come_back_are_refused(database: Database, tmp_path: Path) -> None:
    write = Tracker(database).sample_spans
    database.connection.execute("UPDATE sentence_source SET document_id = 'a#' || sentence_no")
    with pytest.raises(InputError, match="has a # in it"):
        write("C", "tb", tmp_path, JudgingPlan(None), platform="pearmut")
    database.connection.execute("DELETE FROM sentence_source")
    database.connection.execute("UPDATE sentence SET sent_id = 's' || sentence_no")
    with pytest.raises(InputError, match="has no number"):
        write("C", "tb", tmp_path, PLAN, platform="appraise", language_pair="eng-eng")
    assert write("C", "tb", tmp_path, PLAN, platform="pearmut")
    with pytest.raises(InputError, match="there already"):
        write("C", "tb", tmp_path, PLAN, platform="pearmut")


@pytest.mark.parametrize("platform", ["appraise", "pearmut"])
def test_results_come_back(database: Database, tmp_path: Path, platform: str) -> None:
    """Every ordinary output is judged once; scores are 90 and 10 for what was made worse."""
    files = Tracker(database).sample_spans(
        "C", "tb", tmp_path, PLAN, platform=platform, language_pair="eng-deu"
    )
    content = json.loads(files[0].read_text())
    answers = tmp_path / ("answers.csv" if platform == "appraise" else "answers.jsonl")
    expected: Counter[tuple[str, str, float]] = Counter()
    if platform == "appraise":
        with answers.open("w", newline="") as file:
            writer = csv.writer(file)
            for number, batch in enumerate(content):
                for item in batch["items"]:
                    score = 10 if item["itemType"] == "BAD" else 90
                    ids = [item["targetID"], item["itemID"], item["itemType"]]
                    message = ["eng", "deu", score, item["documentID"], "False", "[]", 1.0, 2.0]
                    writer.writerow([f"user{number}", *ids, *message])
                    expected[item["targetID"], str(item["itemID"]), score] += 1
    else:
        with answers.open("w") as file:
            for number, task in enumerate(content["data"]):
                for place, document in enumerate(task):
                    annotation = []
                    for item in document:
                        (system,) = item["tgt"]
                        score = 10 if "validation" in item else 90
                        annotation.append({system: {"score": score, "error_spans": []}})
                        expected[system, item["item_id"], score] += 1
                    entry = {"user_id": f"user{number}", "item_i": place, "item": document}
                    file.write(json.dumps({**entry, "annotation": annotation}) + "\n")
    ingest_judgements(
        database, answers, JudgementFile({}, campaign_id="C", treebank_id="tb", layout=platform)
    )
    rows = database.connection.execute(
        "SELECT system_id || if(iteration > 1, '@' || iteration, ''), sentence_no::VARCHAR, "
        "raw_score, kind, criterion FROM judgement JOIN submission USING (submission_id)"
    ).fetchall()
    assert Counter(row[:3] for row in rows) == expected
    assert {(row[2], row[3]) for row in rows} == {(90, "ordinary"), (10, "degraded")}
    assert {row[4] for row in rows} == {"esa"}


def test_command(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "c.duckdb"
    with open_database(path) as opened:
        fill(opened)
    about = ["--campaign", "C", "--treebank", "tb", "--sentences", 20]
    where = ["--format", "pearmut", "--protocol", "esa", "-o", tmp_path / "judging"]
    commands.run(path, "examination", "sample-judging", *about, *where)
    assert json.loads((tmp_path / "judging" / "campaign.json").read_text())["campaign_id"] == "C"
