"""``tracker analyse`` and ``Tracker.analyse``: what is run, what is left alone, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import sr_tracker
import sr_tracker.tracker.demo as demo_package
from sr_tracker.queries.errors import Settings
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from tests import commands
from tests.building import written

SAMPLE = Path(demo_package.__file__).parent / "sample"
NGRAM = "SAMPLE24/ngram/de_sample-ud1.0-test"
DEFAULTS = {"correlation": 1, "projectivity": 1, "entropy": 1, "error_mining": 3}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample campaign of 2024, scored by two metrics."""
    path = tmp_path_factory.mktemp("analyse") / "campaign.duckdb"
    with sr_tracker.connect(path, create=True) as db, db.writing():
        db.ingest_campaign(SAMPLE / "SAMPLE24/campaign.toml")
        db.score(metrics=["bleu", "dea"])
        db.human()
    return path


@pytest.fixture
def db(file: Path, tmp_path: Path) -> Tracker:
    copy = written(tmp_path / "campaign.duckdb", file.read_bytes())
    return sr_tracker.connect(copy)


@pytest.fixture
def run(db: Tracker) -> Callable[..., Result]:
    path = db.database.path
    db.close()
    return lambda *arguments, code=0: commands.run(path, "analyse", *arguments, code=code)


def analysed(db: Tracker) -> dict[tuple[str, str], int]:
    rows = db.sql(
        "SELECT analysis, submission_id, count(*) AS times FROM analysis GROUP BY ALL"
    ).to_pylist()
    return {(row["analysis"], row["submission_id"]): row["times"] for row in rows}


def test_every_submission_gets_every_analysis_once(db: Tracker) -> None:
    with db:
        submissions = db.select()
        report = db.analyse()
        assert (report.submissions, report.analyses) == (len(submissions), 6 * len(submissions))
        assert analysed(db) == {
            (analysis, submission): times
            for analysis, times in DEFAULTS.items()
            for submission in submissions
        }
        assert db.analyse().analyses == 0
        assert db.check() == []


def test_only_what_is_asked_for(db: Tracker) -> None:
    with db:
        report = db.analyse(Settings(kinds=["entropy"]), submission=NGRAM)
        assert (report.submissions, report.analyses) == (1, 1)
        assert analysed(db) == {("entropy", NGRAM): 1}
        with pytest.raises(UnknownNameError, match="no system 'nobody'"):
            db.analyse(system="nobody")


def test_other_scores_are_analysed_again_and_human_scores_too(db: Tracker) -> None:
    with db:
        kinds = Settings(kinds=["correlation"])
        db.analyse(kinds, submission=NGRAM)
        db.score(metrics=["dist"], submissions=[NGRAM])
        assert db.analyse(kinds, submission=NGRAM).analyses == 1
        newest = db.show("measure_correlations", by=["measure"])["measure"].to_pylist()
        assert "dist" in newest
        with db.writing() as database:
            database.connection.execute("UPDATE human_score SET z_score = z_score + 1")
        assert db.analyse(kinds, submission=NGRAM).analyses == 1
        assert db.check() == []


def test_outputs_that_are_replaced_lose_their_analyses(db: Tracker, tmp_path: Path) -> None:
    with db:
        db.analyse(Settings(kinds=["correlation", "mining"], labels=["deprel"]), submission=NGRAM)
        texts = db.sql(
            f"SELECT text FROM output WHERE submission_id = '{NGRAM}' ORDER BY sentence_no"
        )["text"].to_pylist()
        file = written(tmp_path / "other.txt", "".join(f"{text} .\n" for text in texts))
        db.ingest_submission(
            file, system="ngram", treebank=NGRAM.split("/")[-1], campaign="SAMPLE24", replace=True
        )
        assert analysed(db) == {}
        for table in ("correlation", "suspicion", "suspicion_node", "error_mining"):
            assert db.sql(f"SELECT count(*) AS n FROM {table}")["n"].to_pylist() == [0]
        assert db.check() == []


def test_impossible_settings_change_nothing(db: Tracker) -> None:
    with db:
        for settings in (
            Settings(method="cosine"),
            Settings(convention="other"),
            Settings(minimum_share=2),
            Settings(quantile=0),
            Settings(labels=["form"]),
            Settings(metric="nothing"),
            Settings(max_nodes=0),
            Settings(minimum_support=0),
        ):
            with pytest.raises((InputError, UnknownNameError)):
                db.analyse(settings)
            assert analysed(db) == {}, settings


def test_the_command_scores_what_is_missing_and_says_what_it_did(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    first = run("--system", "ngram", "--only", "correlation", "--labels", "deprel")
    assert first.exit_code == 0, first.output
    assert "2 analyses of 2 submissions" in first.stderr
    with sr_tracker.connect(tmp_path / "campaign.duckdb", create=True) as db:
        measures = db.show("measure_correlations", by=["measure", "system_id"]).to_pylist()
    assert "chrf" in {row["measure"] for row in measures}
    assert {row["system_id"] for row in measures} == {"ngram"}
    again = run("--system", "ngram", "--only", "correlation")
    assert "nothing to analyse" in again.stderr


def test_the_command_refuses_what_is_not_there(run: Callable[..., Result]) -> None:
    with pytest.raises(UnknownNameError):
        run("--campaign", "SAMPLE99")
    run("--only", "astrology", code=2)
    run("--quantile", "1", code=2)
