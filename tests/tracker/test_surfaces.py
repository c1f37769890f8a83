"""One verdict, whatever surface tells it: words, digits and marks are those of the stored row."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mlflow import MlflowClient
from mlflow.entities import Run

from sr_tracker.queries.numbers import measured, probability
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.pages.addresses import address
from sr_tracker.tracker.show.charts.change import BETTER, CHANCE, WORSE
from tests.building import chain, conllu, random_sentences
from tests.charts import rows_of
from tests.tracker.explorer_server import Ask, charts_of, explorer

ADAPT = (
    *("ewt_data_07-Oct_16-06", "augmented_data_and_ewt_11-Oct_22-39"),
    "augmented_data_and_ewt_12-Oct_05-13",
)
MARKS = {"better": "↑", "worse": "↓", "chance": "≈"}
MEANINGS = {"better": BETTER, "worse": WORSE, "chance": CHANCE}


@dataclass
class Told:
    """A system of three runs that were submitted and logged, and what 'submit' said of each."""

    folder: Path
    treebank: str
    submitted: list[str]

    @property
    def path(self) -> Path:
        return self.folder / "campaign.duckdb"

    def command(self, *arguments: str) -> str:
        done = CliRunner().invoke(cli, ["-d", str(self.path), *arguments], catch_exceptions=False)
        return flat(done.stdout)

    def id_of(self, iteration: int) -> str:
        return f"local/ours/{self.treebank}" + (f"@{iteration}" if iteration > 1 else "")


def flat(text: str) -> str:
    """Return a text without line breaks, tags and the escapes of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def submit_all(folder: Path, treebank: Path, name: str, outputs: list[Path]) -> Told:
    told = Told(folder, name, [])
    with connect(told.path, create=True) as tracker:
        tracker.ingest_treebank(treebank, treebank=name)
    store = f"sqlite:///{folder / 'mlflow.db'}"
    for file in outputs:
        run = ["--system", "ours", "--treebank", name, "--no-analyse", "--tracking-uri", store]
        told.submitted.append(told.command("submit", str(file), *run))
    return told


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """The second run is far better than the first, the third differs from it by chance."""
    folder = tmp_path_factory.mktemp("made")
    sentences = random_sentences(60, 5)
    treebank = folder / "en_a-ud1.0-test.conllu"
    treebank.write_text(conllu([chain(words) for words in sentences]), encoding="utf-8")
    files = []
    for seed, share in enumerate((0.9, 0.1, 0.25)):
        rng = random.Random(seed)
        texts = [
            " ".join(rng.sample(words, len(words)) if rng.random() < share else words)
            for words in sentences
        ]
        files.append(folder / f"{seed}.txt")
        files[-1].write_text("\n".join(texts) + "\n", encoding="utf-8")
    return submit_all(folder, treebank, "en_a-ud1.0-test", files)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Told:
    """Three iterations of a team on the development set of EWT: 2,002 sentences."""
    files = [shared_data / "sr20" / "adapt" / name / "en_out.txt" for name in ADAPT]
    treebank = shared_data / "ud" / "2.3" / "en_ewt-ud-dev.conllu.gz"
    return submit_all(tmp_path_factory.mktemp("real"), treebank, "en_ewt-ud2.3-dev", files)


@pytest.fixture(params=["made", "real"])
def told(request: pytest.FixtureRequest) -> Told:
    result: Told = request.getfixturevalue(request.param)
    return result


@pytest.fixture
def db(told: Told) -> Iterator[Tracker]:
    with connect(told.path) as db:
        yield db


@pytest.fixture
def ask(told: Told) -> Iterator[Ask]:
    with explorer(told.path) as ask:
        yield ask


def verdict(db: Tracker, told: Told, iteration: int) -> dict[str, Any]:
    """The stored verdict, as analysts read it, with its sentences in one."""
    where = f"submission_id = '{told.id_of(iteration)}' AND base_iteration = {iteration - 1}"
    (row,) = db.show("verdicts", where=where).to_pylist()
    row["words"] = f"{row['verdict']} {row['relations_verdict']}"
    return row


def changes(db: Tracker, told: Told, iteration: int) -> dict[str, dict[str, Any]]:
    where = f"submission_id = '{told.id_of(iteration)}' AND base_iteration = {iteration - 1}"
    return {row["measure"]: row for row in db.show("measure_changes", where=where).to_pylist()}


def digits(row: dict[str, Any]) -> tuple[str, str]:
    """The change and the p-value as people read them."""
    return measured(row["measure"], row["difference"], sign=True), probability(row["p_holm"])


STEPS = pytest.mark.parametrize("iteration", [2, 3])


@STEPS
def test_commands_tell_the_words_of_the_row(told: Told, db: Tracker, iteration: int) -> None:
    row = verdict(db, told, iteration)
    assert row["words"] in told.submitted[iteration - 1]
    pair = (f"ours@{iteration}", f"ours@{iteration - 1}")
    assert row["words"] in told.command("compare", *pair)
    as_json = json.loads(told.command("compare", *pair, "--format", "json"))
    assert " ".join(as_json["verdict"]) == row["words"]
    compared = db.compare(*pair)
    assert " ".join(compared.verdict) == row["words"]
    assert compared.outcome == row["outcome"]


@STEPS
def test_all_tell_the_digits_of_the_row(told: Told, db: Tracker, iteration: int) -> None:
    rows = changes(db, told, iteration)
    compared = db.compare(f"ours@{iteration}", f"ours@{iteration - 1}")
    for change in [*compared.metrics, *compared.relations]:
        row = rows[change.measure]
        names = ("difference", "low", "high", "p_value", "p_holm", "n", "family")
        assert [getattr(change, name) for name in names] == [row[name] for name in names]
    (line,) = db.history("ours").lines
    for measure, change in line.runs[iteration - 1].changes.items():
        assert (change.difference, change.p_holm) == (
            rows[measure]["difference"],
            rows[measure]["p_holm"],
        )
    (bleu, p_value) = digits(rows["bleu"])
    limits = ["--max-drop", "bleu=0.5", "--significant"]
    gate = told.command("gate", f"ours@{iteration}", "--base", f"ours@{iteration - 1}", *limits)
    for text in (told.submitted[iteration - 1], gate):
        assert bleu in text
        assert p_value in text


@STEPS
def test_histories_and_charts_mark_what_the_row_says(
    told: Told, db: Tracker, ask: Ask, iteration: int
) -> None:
    rows = changes(db, told, iteration)
    row = rows["bleu"]
    outcome = "chance" if not row["significant"] else "worse" if row["is_worse"] else "better"
    shown = told.command("history", "ours")
    value = f"{row['score']:.4f} {digits(row)[0]}{MARKS[outcome]}"
    assert value in shown.replace(" bits", "")
    (chart,) = ask(address("/system", "ours", measure="bleu")).charts()
    leads = address("/submission", told.id_of(iteration))
    (point,) = (run for run in rows_of(chart)[0] if run["href"] == leads)
    assert point["meaning"] == MEANINGS[outcome]


@STEPS
def test_pages_tell_the_words_of_the_row(told: Told, db: Tracker, ask: Ask, iteration: int) -> None:
    row = verdict(db, told, iteration)
    new, base = told.id_of(iteration), told.id_of(iteration - 1)
    for page in (
        address("/compare", new=new, base=base),
        address("/tested", new=new, base=base),
        address("/submission", new),
        *([address("/system", "ours")] if iteration == 3 else []),
    ):
        answer = flat(ask(page).text)
        assert row["verdict"] in answer, page
        assert row["relations_verdict"] in answer, page


def test_a_page_says_what_is_not_stored(told: Told, ask: Ask) -> None:
    page = flat(ask(address("/submission", told.id_of(3), base=told.id_of(1))).text)
    assert f"No verdict against {told.id_of(1)} is stored" in page


@STEPS
def test_runs_in_mlflow_tell_the_row(told: Told, db: Tracker, iteration: int) -> None:
    client = MlflowClient(f"sqlite:///{told.folder / 'mlflow.db'}")
    experiments = [each.experiment_id for each in client.search_experiments()]
    runs: list[Run] = client.search_runs(experiments)
    (run,) = (run for run in runs if run.data.tags.get("iteration") == str(iteration))
    row = verdict(db, told, iteration)
    assert row["words"] in flat(run.data.tags["mlflow.note.content"].replace("\\<", "<"))
    outcome = {"chance": "no difference"}.get(row["outcome"], row["outcome"])
    assert run.data.tags["verdict"].startswith(outcome)


def test_the_report_tells_the_row(told: Told, db: Tracker) -> None:
    db.significance({"metrics": ["bleu"]})
    page = told.folder / "report.html"
    told.command("report", "--system", "ours", "-o", str(page))
    row = changes(db, told, 3)["bleu"]
    drawn = [
        rows for chart in charts_of(page.read_text(encoding="utf-8")) for rows in rows_of(chart)
    ]
    new = told.id_of(3)
    points = [point for rows in drawn for point in rows if point.get("submission_id") == new]
    assert row["difference"] in [point.get("change") for point in points]
