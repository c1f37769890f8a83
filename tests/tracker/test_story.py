"""Ten iterations with a planted regression of one relation: every command points at it.

The runs go to a real MLflow server; see ``story`` for what is planted. Each command alone is asked
for the same in the tests of submitting, comparing, history and gates, with two iterations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.experiments import log_submissions
from sr_tracker.tracker.submit import SubmitReport
from tests.tracker.mlflow_server import Server
from tests.tracker.story import (
    CAMPAIGN,
    ITERATIONS,
    REGRESSION,
    RELATION,
    SYSTEM,
    TREEBANK,
    TREEBANK_FILE,
    outputs_of,
)
from tests.tracker.test_experiments import runs_of

pytestmark = pytest.mark.long
MEASURE = f"dea[{RELATION}]"


@dataclass(frozen=True)
class Story:
    """What is left of the ten submissions."""

    database: Path
    server: Server
    reports: Sequence[SubmitReport]

    def run(self, *arguments: str) -> Result:
        """Run a command on the database."""
        values = ["--database", str(self.database), *arguments]
        return CliRunner().invoke(cli, values, env={"COLUMNS": "140"})


def name_of(iteration: int) -> str:
    return f"{CAMPAIGN}/{SYSTEM}/{TREEBANK}" + (f"@{iteration}" if iteration > 1 else "")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("story")
    server = Server(folder)
    server.begin()
    database = folder / "campaign.duckdb"
    reports = []
    try:
        with connect(database, create=True) as tracker:
            tracker.ingest_treebank(str(TREEBANK_FILE))
            for iteration in range(1, ITERATIONS + 1):
                report = tracker.submit(
                    outputs_of(iteration),
                    system=SYSTEM,
                    treebank=TREEBANK,
                    campaign=CAMPAIGN,
                    params={"step": iteration},
                    analyse=iteration >= REGRESSION - 1,
                    log=iteration == REGRESSION,
                    tracking_uri=server.uri,
                )
                reports.append(report)
                if iteration == REGRESSION - 1:
                    server.start()
            log_submissions(tracker.database, tracking_uri=server.uri)
        yield Story(database, server, reports)
    finally:
        server.stop()


def test_submit_names_the_relation_when_it_breaks(story: Story) -> None:
    assert [report.submission_id for report in story.reports] == [
        name_of(iteration) for iteration in range(1, ITERATIONS + 1)
    ]
    for iteration, report in enumerate(story.reports[1:], start=2):
        comparison = report.comparison
        assert comparison is not None
        fallen = {
            change.deprel
            for change in comparison.relations
            if change.is_significant(comparison.settings.alpha) and change.is_worse
        }
        assert fallen == ({RELATION} if iteration == REGRESSION else set())
    lines = str(story.reports[REGRESSION - 1]).splitlines()
    (line,) = [line for line in lines if MEASURE in line]
    assert "▼" in line


def test_compare_points_at_the_relation(story: Story) -> None:
    pair = (f"{SYSTEM}@{REGRESSION}", f"{SYSTEM}@{REGRESSION - 1}")
    shown = story.run("compare", *pair)
    assert shown.exit_code == 0
    assert RELATION in shown.stdout[: shown.stdout.index("\n\n") + 400]
    content = json.loads(story.run("compare", *pair, "--format", "json").stdout)
    worst = max(content["relations"], key=lambda change: -(change["difference"] or 0))
    assert (worst["deprel"], worst["significant"]) == (RELATION, True)
    suspect = min(content["patterns"], key=lambda change: change["p_value"])
    assert RELATION in suspect["pattern"]


def test_history_points_at_the_iteration_and_the_relation(story: Story) -> None:
    rows = story.run("history", SYSTEM, "--measure", "dea[*]", "--format", "json").stdout
    fallen = [
        (row["iteration"], row["measure"])
        for row in json.loads(rows)
        if row["significant"] and row["change"] < 0
    ]
    assert fallen == [(REGRESSION, MEASURE)]
    shown = story.run("history", SYSTEM)
    assert shown.exit_code == 0
    assert any(RELATION in line and str(REGRESSION) in line for line in shown.stdout.splitlines())


def test_the_gate_fails_on_the_relation_alone(story: Story, tmp_path: Path) -> None:
    result = tmp_path / "gate.json"
    arguments = (
        *("gate", f"{SYSTEM}@{REGRESSION}", "--base", f"{SYSTEM}@{REGRESSION - 1}"),
        *("--max-drop", "dea[*]=2", "--max-drop", "dea=2", "--significant"),
        *("--json", str(result)),
    )
    assert story.run(*arguments).exit_code == 1
    verdicts = json.loads(result.read_text(encoding="utf-8"))
    failed = [check["measure"] for check in checks_of(verdicts) if check["verdict"] == "failed"]
    assert failed == [MEASURE]
    passing = (*arguments[:1], f"{SYSTEM}@6", "--base", f"{SYSTEM}@5", *arguments[4:])
    assert story.run(*passing).exit_code == 0


def checks_of(verdicts: dict[str, Any]) -> list[dict[str, Any]]:
    return next(value for value in verdicts.values() if isinstance(value, list) and value)


def test_the_report_shows_the_relation(story: Story, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert story.run("report", "--system", SYSTEM, "-o", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    section = text[text.index('id="history"') :]
    assert RELATION in section[: section.index("</section>")]


def test_the_runs_in_mlflow_show_the_relation(story: Story) -> None:
    from mlflow import MlflowClient

    client = MlflowClient(story.server.uri)
    tags = runs_of(client, "submission", CAMPAIGN)
    broken = tags[name_of(REGRESSION)]
    assert RELATION in broken.data.tags["mlflow.note.content"]
    assert RELATION not in tags[name_of(REGRESSION - 1)].data.tags["mlflow.note.content"]
    verdict = broken.data.tags["verdict"]
    assert "worse: DEA " in verdict or f"worse: {RELATION} " in verdict
    assert f"{RELATION} −" in verdict
    points = client.get_metric_history(tags[name_of(ITERATIONS)].info.run_id, "dea")
    assert sorted(point.step for point in points) == [*range(1, ITERATIONS + 1)]
