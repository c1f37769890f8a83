"""Packages that bring metrics: what fails in them is told as theirs, and never passes a gate."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
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
    return subprocess.run(
        command(file, *arguments),
        capture_output=True,
        text=True,
        check=False,
        env=installed(folder, code),
    )


def command(file: Path, *arguments: str, main: str = MAIN) -> list[str]:
    return [sys.executable, "-c", main, "--database", str(file), *arguments]


def installed(folder: Path, code: str) -> dict[str, str]:
    """The environment in which a package 'evil' is installed whose module is this code."""
    place = folder / "site"
    (place / "evil-1.2.dist-info").mkdir(parents=True, exist_ok=True)
    (place / "evil-1.2.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: evil\nVersion: 1.2\n"
    )
    (place / "evil-1.2.dist-info" / "entry_points.txt").write_text(
        "[sr_tracker.metrics]\nevil = evil_metric:METRIC\n"
    )
    (place / "evil_metric.py").write_text(code, encoding="utf-8")
    return {
        **os.environ,
        "PYTHONPATH": f"{place}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
    }


GATE = ("gate", "ours@1", "--base", "ours@2", "--max-drop", "bleu=0")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("import os; os._exit(0)", "SystemExit: 0"),
        ("raise RuntimeError('no model')", "RuntimeError: no model"),
        ("def broken(:", "SyntaxError"),
        ("METRIC = 7", "is not a metric"),
        ("import no_such_module", "ModuleNotFoundError"),
    ],
)
def test_a_package_that_fails_at_its_import_is_named(
    campaign: Path, tmp_path: Path, code: str, message: str
) -> None:
    done = run(tmp_path, campaign, code, *GATE)
    assert done.returncode == 4, done.stderr
    assert message in done.stderr
    assert "evil 1.2" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("pa.array([float('nan')] * len(texts))", "gives nan"),
        ("pa.array([float('inf')] * len(texts))", "gives inf"),
        ("pa.array([5e300] * len(texts))", "gives 5e+300, which is no score from 0.0 to 1.0"),
        ("pa.array([-0.5] * len(texts))", "gives -0.5"),
        ("pa.array([0.5])", "fails"),
        ("pa.array(['words'] * len(texts))", "fails"),
        ("exit(0)", "fails"),
        ("__import__('os')._exit(0)", "SystemExit: 0"),
    ],
)
def test_what_is_no_score_is_not_stored(
    campaign: Path, tmp_path: Path, value: str, message: str
) -> None:
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    code = METRIC.replace("VALUE", value)
    done = run(tmp_path, file, code, "score", "--metric", "evil", "--no-log")
    assert done.returncode == 4, done.stderr
    assert message in done.stderr
    assert "'evil' of evil 1.2" in done.stderr
    requests = "SELECT count(*) AS stored FROM sentence_score WHERE metric = 'evil'"
    result = run(tmp_path, file, code, "sql", requests, "--format", "csv")
    assert result.stdout.split() == ["stored", "0"], result.stderr
    done = run(tmp_path, file, code, "gate", "ours@1", "--base", "ours@2", "--min", "evil=40")
    assert done.returncode == 2, done.stderr


def test_a_sound_package_scores(campaign: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    code = METRIC.replace("VALUE", "pa.array([0.25] * len(texts))")
    done = run(tmp_path, file, code, "score", "--metric", "evil", "--no-log")
    assert done.returncode == 0, done.stderr
    done = run(tmp_path, file, code, "gate", "ours@1", "--base", "ours@2", "--min", "evil=40")
    assert done.returncode == 1, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked as POSIX does")
def test_a_child_process_of_a_package_may_leave(campaign: Path, tmp_path: Path) -> None:
    child = (
        "def child():\n"
        "    number = os.fork()\n"
        "    if number == 0:\n"
        "        os._exit(1)\n"
        "    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])\n"
    )
    code = f"import os\n{child}" + METRIC.replace("VALUE", "pa.array([child() / 4] * len(texts))")
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    done = run(tmp_path, file, code, "score", "--metric", "evil", "--no-log")
    assert done.returncode == 0, done.stderr
    requests = "SELECT DISTINCT score FROM sentence_score WHERE metric = 'evil'"
    result = run(tmp_path, file, code, "sql", requests, "--format", "csv")
    assert result.stdout.split() == ["score", "0.25"], result.stderr


def test_what_a_package_does_elsewhere_reaches_no_result(campaign: Path, tmp_path: Path) -> None:
    """It prints, replaces functions and lets warnings be errors, at its import and as it scores."""
    harm = (
        "import json, math, warnings\n"
        "def harm():\n"
        "    print('HARM')\n"
        "    json.dumps = json.loads = math.sqrt = math.fsum = lambda *_, **__: 'HARM'\n"
        "    warnings.simplefilter('error')\n"
        "harm()\n"
    )
    code = harm + METRIC.replace("VALUE", "harm() or pa.array([0.25] * len(texts))")
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    done = run(tmp_path, file, code, "score", "--metric", "evil", "--no-log")
    assert done.returncode == 0, done.stderr
    assert "HARM" in done.stderr
    assert "HARM" not in done.stdout
    for words in (["show", "leaderboard"], ["compare", "ours@1", "ours@2"]):
        done = run(tmp_path, file, code, *words, "--format", "json")
        assert done.returncode == 0, done.stderr
        assert "HARM" not in done.stdout
        assert json.loads(done.stdout)


def test_two_packages_of_one_metric_are_told_apart(campaign: Path, tmp_path: Path) -> None:
    code = METRIC.replace('name="evil"', 'name="bleu"').replace("VALUE", "None")
    done = run(tmp_path, campaign, code, *GATE)
    assert done.returncode == 2
    assert "'bleu' is registered twice" in done.stderr
    assert "queries.metrics.builtin, and evil 1.2: evil_metric:METRIC" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as POSIX does")
@pytest.mark.parametrize("place", ["import", "score"])
def test_a_package_that_hangs_can_be_ended(campaign: Path, tmp_path: Path, place: str) -> None:
    hang = "(open(HANGS, 'w').close(), time.sleep(1e6))".replace(
        "HANGS", repr(str(tmp_path / "hangs"))
    )
    code = f"import time\n{hang if place == 'import' else ''}\n" + METRIC.replace("VALUE", hang)
    file = written(tmp_path / "campaign.duckdb", campaign.read_bytes())
    soon = "import sr_tracker.tracker.cli as cli; cli.END_SECONDS = 0.5; cli.main()"
    process = subprocess.Popen(
        command(file, "score", "--metric", "evil", "--no-log", main=soon),
        stderr=subprocess.PIPE,
        text=True,
        env=installed(tmp_path, code),
    )
    while not (tmp_path / "hangs").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, message = process.communicate()
    assert process.returncode == 143
    assert "interrupted" in message
    assert run(tmp_path, file, "METRIC = 7", "--help").returncode == 0
