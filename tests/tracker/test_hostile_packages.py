"""Packages that bring metrics: what fails in them is told as theirs, and never passes a gate."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sr_tracker
from tests.building import written

MAIN = "from sr_tracker.tracker.cli import main; main()"
STATEMENT = """
INSERT INTO sentence_score
SELECT signature_id, submission_id, sentence_no, metric, evil_value(output_text), NULL
FROM text_pair JOIN pending USING (submission_id);
INSERT INTO submission_score
SELECT signature_id, submission_id, metric, avg(score), count(*), NULL
FROM sentence_score JOIN pending USING (signature_id, submission_id, metric) GROUP BY ALL;
"""
METRIC = f"""
import pyarrow as pa
from sr_tracker.queries.functions.sql_function import SqlFunction
from sr_tracker.queries.metrics.metric import Metric

def evil_value(texts):
    return VALUE

METRIC = Metric(
    name="evil", description="values", version="1", text_level="text", statement={STATEMENT!r},
    functions=[SqlFunction("evil_value", evil_value, ["VARCHAR"], "DOUBLE")],
    lowest=0.0, highest=1.0,
)
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    references = written(folder / "two.txt", "a dog\na cat\n")
    with sr_tracker.connect(folder / "campaign.duckdb", create=True) as db:
        db.ingest_references(references, treebank="two", language="en")
        for texts in (["a dog", "a rat"], ["a dog", "a cat"]):
            db.submit(texts, system="ours", treebank="two", analyse=False, log=False)
    return folder / "campaign.duckdb"


def run(folder: Path, file: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command where a package 'evil' is installed whose module is this code."""
    place = folder / "site"
    (place / "evil-1.2.dist-info").mkdir(parents=True, exist_ok=True)
    (place / "evil-1.2.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: evil\nVersion: 1.2\n"
    )
    (place / "evil-1.2.dist-info" / "entry_points.txt").write_text(
        "[sr_tracker.metrics]\nevil = evil_metric:METRIC\n"
    )
    (place / "evil_metric.py").write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-c", MAIN, "--database", str(file), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{place}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
    )


GATE = ("gate", "ours@1", "--base", "ours@2", "--max-drop", "bleu=0")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise RuntimeError('no model')", "RuntimeError: no model"),
        ("def broken(:", "SyntaxError"),
        ("METRIC = 7", "is not a metric"),
        ("import no_such_module", "ModuleNotFoundError"),
    ],
)
def test_a_package_that_fails_at_its_import_is_named(
    campaign: Path, tmp_path: Path, code: str, said: str
) -> None:
    done = run(tmp_path, campaign, code, *GATE)
    assert done.returncode == 4, done.stderr
    assert said in done.stderr
    assert "evil 1.2" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("pa.array([float('nan')] * len(texts))", "gives nan"),
        ("pa.array([float('inf')] * len(texts))", "gives inf"),
        ("pa.array([5e300] * len(texts))", "gives 5e+300, which is no score from 0.0 to 1.0"),
        ("pa.array([-0.5] * len(texts))", "gives -0.5"),
        ("pa.array([0.5])", "fails"),
        ("pa.array(['words'] * len(texts))", "fails"),
        ("exit(0)", "fails"),
    ],
)
def test_what_is_no_score_is_not_stored(
    campaign: Path, tmp_path: Path, value: str, said: str
) -> None:
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    code = METRIC.replace("VALUE", value)
    done = run(tmp_path, file, code, "score", "--metric", "evil", "--no-log")
    assert done.returncode == 4, done.stderr
    assert said in done.stderr
    assert "'evil' of evil 1.2" in done.stderr
    asked = "SELECT count(*) AS stored FROM sentence_score WHERE metric = 'evil'"
    told = run(tmp_path, file, code, "sql", asked, "--format", "csv")
    assert told.stdout.split() == ["stored", "0"], told.stderr
    done = run(tmp_path, file, code, "gate", "ours@1", "--base", "ours@2", "--min", "evil=40")
    assert done.returncode == 2, done.stderr


def test_a_sound_package_scores(campaign: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    code = METRIC.replace("VALUE", "pa.array([0.25] * len(texts))")
    done = run(tmp_path, file, code, "score", "--metric", "evil", "--no-log")
    assert done.returncode == 0, done.stderr
    done = run(tmp_path, file, code, "gate", "ours@1", "--base", "ours@2", "--min", "evil=40")
    assert done.returncode == 1, done.stderr
