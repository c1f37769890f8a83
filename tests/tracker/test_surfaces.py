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

import pyarrow as pa
import pytest
from click.testing import CliRunner

from sr_tracker.queries.metrics import metrics
from sr_tracker.queries.metrics.columns import measures_of
from sr_tracker.queries.numbers import measured, probability
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.pages.addresses import address
from sr_tracker.tracker.show.charts.change import BETTER, CHANCE, WORSE
from sr_tracker.tracker.show.tables import rows_table
from tests.building import chain, conllu, random_sentences
from tests.charts import rows_of
from tests.tracker.explorer_server import Ask, charts_of, explorer
from tests.tracker.test_experiments import runs_of, store_of

ADAPT = (
    *("ewt_data_07-Oct_16-06", "augmented_data_and_ewt_11-Oct_22-39"),
    "augmented_data_and_ewt_12-Oct_05-13",
)
MARKS = {"better": "↑", "worse": "↓", "chance": "≈"}
MEANINGS = {"better": BETTER, "worse": WORSE, "chance": CHANCE}


@dataclass
class Surfaces:
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
    """Return a text without line breaks, scripts, tags and the escapes of HTML."""
    text = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def submit_all(folder: Path, treebank: Path, name: str, outputs: list[Path]) -> Surfaces:
    message = Surfaces(folder, name, [])
    with connect(message.path, create=True) as tracker:
        tracker.ingest_treebank(treebank, treebank=name)
    store = f"sqlite:///{folder / 'mlflow.db'}"
    for file in outputs:
        run = ["--system", "ours", "--treebank", name, "--no-analyse", "--tracking-uri", store]
        message.submitted.append(message.command("submit", str(file), *run))
    return message


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Surfaces:
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
def real(tmp_path_factory: pytest.TempPathFactory, shared_data: Path) -> Surfaces:
    """Three iterations of a team on the development set of EWT: 2,002 sentences."""
    files = [shared_data / "sr20" / "adapt" / name / "en_out.txt" for name in ADAPT]
    treebank = shared_data / "ud" / "2.3" / "en_ewt-ud-dev.conllu.gz"
    return submit_all(tmp_path_factory.mktemp("real"), treebank, "en_ewt-ud2.3-dev", files)


@pytest.fixture(params=["made", "real"])
def surfaces(request: pytest.FixtureRequest) -> Surfaces:
    result: Surfaces = request.getfixturevalue(request.param)
    return result


@pytest.fixture
def db(surfaces: Surfaces) -> Iterator[Tracker]:
    with connect(surfaces.path) as db:
        yield db


@pytest.fixture
def ask(surfaces: Surfaces) -> Iterator[Ask]:
    with explorer(surfaces.path) as ask:
        yield ask


def verdict(db: Tracker, message: Surfaces, iteration: int) -> dict[str, Any]:
    """The stored verdict, as analysts read it, with its sentences in one."""
    where = f"submission_id = '{message.id_of(iteration)}' AND base_iteration = {iteration - 1}"
    (row,) = db.show("verdicts", where=where).to_pylist()
    row["words"] = f"{row['verdict']} {row['relations_verdict']}"
    return row


def changes(db: Tracker, message: Surfaces, iteration: int) -> dict[str, dict[str, Any]]:
    where = f"submission_id = '{message.id_of(iteration)}' AND base_iteration = {iteration - 1}"
    return {row["measure"]: row for row in db.show("measure_changes", where=where).to_pylist()}


def digits(row: dict[str, Any]) -> tuple[str, str]:
    """The change and the p-value as people read them."""
    return measured(row["measure"], row["difference"], sign=True), probability(row["p_holm"])


NAME = r"(?<![\w|=-])bleu(?![\w|\\=\[-])"
"""A metric's name where it is neither typed, as in bleu=1, nor in another or in a signature."""


def gate_files(message: Surfaces, new: str, base: str) -> list[str]:
    """Return what a gate that fails writes: its Markdown, and the sentences of its JUnit."""
    files = [message.folder / "gate.md", message.folder / "gate.xml"]
    written = ("--markdown", str(files[0]), "--junit", str(files[1]))
    command = ["-d", str(message.path), "gate", new, "--base", base, "--min", "bleu=100", *written]
    assert CliRunner().invoke(cli, command).exit_code == 1
    markdown, junit = (file.read_text(encoding="utf-8") for file in files)
    return [flat(markdown), " ".join(re.findall(r' message="(.*?); limit', junit))]


STEPS = pytest.mark.parametrize("iteration", [2, 3])


@STEPS
def test_commands_tell_the_words_of_the_row(
    surfaces: Surfaces, db: Tracker, iteration: int
) -> None:
    row = verdict(db, surfaces, iteration)
    assert row["words"] in surfaces.submitted[iteration - 1]
    pair = (f"ours@{iteration}", f"ours@{iteration - 1}")
    assert row["words"] in surfaces.command("compare", *pair)
    as_json = json.loads(surfaces.command("compare", *pair, "--format", "json"))
    assert " ".join(as_json["verdict"]) == row["words"]
    compared = db.compare(*pair)
    assert " ".join(compared.verdict) == row["words"]
    assert compared.outcome == row["outcome"]


@STEPS
def test_all_tell_the_digits_of_the_row(surfaces: Surfaces, db: Tracker, iteration: int) -> None:
    rows = changes(db, surfaces, iteration)
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
    gate = surfaces.command("gate", f"ours@{iteration}", "--base", f"ours@{iteration - 1}", *limits)
    for text in (surfaces.submitted[iteration - 1], gate):
        assert bleu in text
        assert p_value in text


@STEPS
def test_histories_and_charts_mark_what_the_row_says(
    surfaces: Surfaces, db: Tracker, ask: Ask, iteration: int
) -> None:
    rows = changes(db, surfaces, iteration)
    row = rows["bleu"]
    outcome = "chance" if not row["significant"] else "worse" if row["is_worse"] else "better"
    shown = surfaces.command("history", "ours")
    value = f"{measured('bleu', row['score'])} {digits(row)[0]}{MARKS[outcome]}"
    assert value in shown.replace(" bits", "")
    (chart,) = ask(address("/system", "ours", measure="bleu")).charts()
    leads = address("/submission", surfaces.id_of(iteration))
    (point,) = (run for run in rows_of(chart)[0] if run["href"] == leads)
    assert point["meaning"] == MEANINGS[outcome]


@STEPS
def test_pages_tell_the_words_of_the_row(
    surfaces: Surfaces, db: Tracker, ask: Ask, iteration: int
) -> None:
    row = verdict(db, surfaces, iteration)
    new, base = surfaces.id_of(iteration), surfaces.id_of(iteration - 1)
    for page in (
        address("/compare", new=new, base=base),
        address("/tested", new=new, base=base),
        address("/submission", new),
        *([address("/system", "ours")] if iteration == 3 else []),
    ):
        answer = flat(ask(page).text)
        assert row["verdict"] in answer, page
        assert row["relations_verdict"] in answer, page


def test_a_page_says_what_is_not_stored(surfaces: Surfaces, ask: Ask) -> None:
    page = flat(ask(address("/submission", surfaces.id_of(3), base=surfaces.id_of(1))).text)
    assert f"No verdict against {surfaces.id_of(1)} is stored" in page


@STEPS
def test_runs_in_mlflow_tell_the_row(surfaces: Surfaces, db: Tracker, iteration: int) -> None:
    run = runs_of(store_of(db.database), "submission", "local")[surfaces.id_of(iteration)]
    row = verdict(db, surfaces, iteration)
    assert row["words"] in flat(run.data.tags["mlflow.note.content"].replace("\\<", "<"))
    outcome = {"chance": "no difference"}.get(row["outcome"], row["outcome"])
    assert run.data.tags["verdict"].startswith(outcome)


def test_runs_tell_the_checks_that_changed_and_a_gate_calls_them_by_name(tmp_path: Path) -> None:
    texts = [f"the cat {number} sat on the mat" for number in range(12)]
    with connect(tmp_path / "campaign.duckdb", create=True) as db:
        db.submit(texts, system="ours", references=texts)
        db.submit([*texts[:2], *[""] * 10], system="ours")
        run = runs_of(store_of(db.database), "submission", "local")["local/ours/references@2"]
    assert ", Empty +83.33 points" in run.data.tags["verdict"]
    assert "Empty 0.00 → 83.33, worse" in run.data.tags["mlflow.note.content"]
    command = ["-d", str(tmp_path / "campaign.duckdb"), "gate", "ours@2", "--markdown", "-"]
    assert "<summary>Why</summary>" in CliRunner().invoke(cli, command).stdout


def test_the_report_tells_the_row(surfaces: Surfaces, db: Tracker) -> None:
    db.significance({"metrics": ["bleu"]})
    page = surfaces.folder / "report.html"
    surfaces.command("report", "--system", "ours", "-o", str(page))
    row = changes(db, surfaces, 3)["bleu"]
    drawn = [
        rows for chart in charts_of(page.read_text(encoding="utf-8")) for rows in rows_of(chart)
    ]
    new = surfaces.id_of(3)
    points = [point for rows in drawn for point in rows if point.get("submission_id") == new]
    assert pytest.approx(100 * row["difference"]) in [point.get("change") for point in points]


def test_a_score_and_its_label_read_alike_wherever_people_look_and_data_have_share_and_name(
    made: Surfaces,
) -> None:
    second = made.id_of(2)
    with connect(made.path) as db:
        (row,) = db.show("leaderboard", submission=second).to_pylist()
        pair = ("ours@2", "ours@1")
        run = runs_of(store_of(db.database), "submission", "local")[second]
        made.command("report", "--system", "ours", "-o", str(made.folder / "alike.html"))
        view = ("show", "leaderboard", "--submission", second, "--columns", "system_id,bleu")
        crossed = ("show", "leaderboard", "--rows", "system", "--columns", "treebank")
        crossed += ("--measure", "bleu", "--submission", second)
        read = {
            "submit": made.submitted[1],
            "compare": made.command("compare", *pair),
            "compare as Markdown": made.command("compare", *pair, "--format", "markdown"),
            "gate": made.command("gate", *pair[:1], "--against", pair[1], "--min", "bleu=1"),
            "history": made.command("history", "ours"),
            "history as Markdown": made.command("history", "ours", "--format", "markdown"),
            "show": made.command(*view),
            "show as Markdown": made.command(*view, "--format", "markdown"),
            "show as LaTeX": made.command(*view, "--format", "latex"),
            "show as a page": made.command(*view, "--format", "html"),
            "a cross table": made.command(*crossed),
            "a cross table as LaTeX": made.command(*crossed, "--format", "latex"),
            "measures": made.command("show", "submission_measures", "--submission", second),
            "MLflow's description": flat(run.data.tags["mlflow.note.content"]),
            "the report": flat((made.folder / "alike.html").read_text(encoding="utf-8")),
        }
        read["gate as Markdown"], read["gate as JUnit"] = gate_files(made, *pair)
    with explorer(made.path) as ask:
        for page in (
            "/leaderboard?runs=all",
            address("/submission", second),
            address("/compare", new=second, base=made.id_of(1)),
            address("/tested", new=second, base=made.id_of(1)),
            address("/system", "ours"),
            "/view/leaderboard",
        ):
            read[page] = flat(ask(page).text)
    bleu: float = row["bleu"]
    assert 0 < bleu < 1
    in_points, as_share = f"{bleu * 100:.2f}", f"{bleu:.4f}"
    assert [name for name, text in read.items() if in_points not in text] == []
    assert [name for name, text in read.items() if as_share in text] == []
    for format_name in ("csv", "json"):
        assert repr(bleu) in made.command(*view, "--format", format_name)
    assert metrics()["bleu"].label == "BLEU-lc"
    of_sql = ("show", "a cross", "measures", "/view", "history as")
    of_data = {name for name in read if name.startswith(of_sql)}
    assert {name for name, text in read.items() if "BLEU-lc" not in text} == of_data
    assert [name for name in {*read} - of_data if re.search(NAME, read[name])] == []
    as_json = json.loads(made.command("compare", *pair, "--format", "json"))
    assert "bleu" in {change["measure"] for change in as_json["metrics"]}
    query = f"SELECT bleu FROM leaderboard WHERE submission_id = '{second}'"
    assert as_share in made.command("sql", query)
    assert run.data.metrics["bleu"] == bleu


def test_columns_of_scores_are_known_by_their_names_and_what_stands_beside_them() -> None:
    rows = pa.table(
        {
            "measure": ["bleu", "nist", "adequacy_z", "dea[obj]"],
            "score": [0.25, 8.5, 0.125, 0.5],
            "difference": [0.125, 0.5, -0.25, -0.5],
            "p_value": [0.5, 0.5, 0.5, 0.5],
            "coverage": [0.5, 0.5, 0.5, 0.5],
            "best": [1, 2, 3, 4],
        }
    )
    lines = [[cell.text for cell in line.cells[1:]] for line in rows_table(rows).lines]
    assert lines == [
        ["25.00", "+12.50", "0.5000", "0.5000", "1"],
        ["8.500", "+0.500", "0.5000", "0.5000", "2"],
        ["0.125", "−0.250", "0.5000", "0.5000", "3"],
        ["50.00", "−50.00", "0.5000", "0.5000", "4"],
    ]
    assert rows_table(rows, raw=True).lines[0].cells[1].text == "0.2500"
    names = ("metric", "criterion", "value", "low", "difference")
    assert measures_of({name: [] for name in names}) == {}
    named = {"base_dea": [0.5], "bleu_change_mean": [0.5], "mf_05": [0.5], "words_per": [0.5]}
    assert measures_of(named) == {
        "base_dea": ["dea"],
        "bleu_change_mean": ["bleu"],
        "mf_05": ["mf_0.5"],
    }
    assert measures_of({"deprel": ["a"], "dea_lowest": [0.5], "difference": [0.1]}) == {
        "dea_lowest": ["dea"],
        "difference": ["dea"],
    }
