"""What one finds in MLflow at first sight: experiment, table of runs, description, pages."""

from __future__ import annotations

import http.server
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pytest
from mlflow import MlflowClient
from mlflow.utils.proto_json_utils import message_to_json

from sr_tracker.queries.change.comparison.verdict import choose_metrics
from sr_tracker.queries.metrics.registry import usual_metrics
from sr_tracker.queries.tracked_runs import tracked_runs
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker import experiments as log_of_tracker
from sr_tracker.tracker.experiments import EXPLORER_VARIABLE, log_submissions, rest
from sr_tracker.tracker.experiments import runs as run_writing
from sr_tracker.tracker.experiments.description import least_accurate, over_iterations
from sr_tracker.tracker.experiments.results import judged_by, moved, read_numbers, scored
from sr_tracker.tracker.experiments.sheets import read_sheets
from sr_tracker.tracker.experiments.store import FINGERPRINT, Store
from sr_tracker.tracker.experiments.submissions import headlines, missing_tags, read_submissions
from tests.tracker.mlflow_server import serving
from tests.tracker.test_experiments import (
    FAIR,
    TREEBANK,
    add,
    make_store,
    runs_of,
    store_of,
    tiny_campaign,
)

FIRST, SECOND = f"SR99/alpha/{TREEBANK}", f"SR99/alpha/{TREEBANK}@2"
USUAL = usual_metrics()
AGAIN = """
import sys
from sr_tracker.schema.database import open_database
from sr_tracker.tracker.experiments import log_submissions
report = log_submissions(open_database(sys.argv[1], read_only=True))
print(report.logged, report.unchanged, "mlflow" in sys.modules)
"""


@pytest.fixture
def database(logged_copy: Database) -> Database:
    return logged_copy


def again(folder: Path) -> str:
    """What logging once more in a new process does, and whether it imports MLflow."""
    start = [sys.executable, "-c", AGAIN, str(folder / "campaign.duckdb")]
    return subprocess.run(start, capture_output=True, text=True, check=True).stdout.strip()


def test_runs_have_the_headlines_and_what_verdicts_rest_on_as_metrics(database: Database) -> None:
    def metrics() -> set[str]:
        runs = runs_of(store_of(database), "submission").values()
        return {name for run in runs for name in run.data.metrics}

    assert {"bleu", "chrf", "dea", "coverage"} == metrics()
    choose_metrics(database, ["ter", "dea"], "SR99")
    assert log_submissions(database).logged == 3, "another choice is another run"
    assert {"bleu", "chrf", "dea", "coverage", "ter"} == metrics()
    client = store_of(database)
    run = runs_of(client, "submission")[SECOND]
    assert "\nTER over the iterations: " in run.data.tags["mlflow.note.content"]
    folder = Path(client.download_artifacts(run.info.run_id, ""))
    table = json.loads((folder / "worst_sentences.json").read_text(encoding="utf-8"))
    assert table["columns"][:2] == ["sentence_no", "ter"], "as sentences are told everywhere"


def test_the_experiment_leads_to_a_view_of_the_scores(database: Database) -> None:
    experiment = store_of(database).get_experiment_by_name("SR99")
    assert experiment.tags["mlflow.experiment.primaryMetric.name"] == "bleu"
    assert experiment.tags["mlflow.experimentKind"] == "custom_model_development"
    view = json.loads(experiment.tags["mlflow.sharedViewState.sr-tracker"])
    assert view["name"] == "Scores"
    columns = json.loads(view["state"])["selectedColumns"]
    assert columns == ["tags.`verdict`", *(f"metrics.`{name}`" for name in headlines())]
    link = f"#/experiments/{experiment.experiment_id}/runs?viewStateShareKey=sr-tracker"
    assert link in experiment.tags["mlflow.note.content"]


def test_an_experiment_that_was_there_gets_what_it_lacks_and_keeps_what_it_says(
    tmp_path: Path,
) -> None:
    with open_database(tiny_campaign(tmp_path)) as database:
        make_store(database)
        client = store_of(database)
        own = {"mlflow.experimentKind": "genai_development_inferred", "mlflow.note.content": "mine"}
        made = client.create_experiment("SR99", (tmp_path / "own").as_uri(), own)
        log_submissions(database)
        tags = client.get_experiment(made).tags
        assert tags["mlflow.experimentKind"] == "custom_model_development"
        assert tags["mlflow.note.content"] == "mine"
        assert tags["sr_tracker.campaign"] == "SR99"
        client.set_experiment_tag(made, "mlflow.experimentKind", "genai_development")
        note = "[Scores of all runs](#/experiments/1/runs?viewStateShareKey=sr-tracker), of before."
        earlier = {**client.get_experiment(made).tags, "mlflow.note.content": note}
        earlier["mlflow.sharedViewState.sr-tracker"] = "{}"
        assert missing_tags(made, "SR99", "bleu", earlier).keys() == {
            "mlflow.note.content",
            "mlflow.sharedViewState.sr-tracker",
        }
        assert missing_tags(made, "SR99", "bleu", client.get_experiment(made).tags) == {}


def test_a_description_has_the_verdict_then_links_then_the_course(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = runs_of(store_of(database), "submission")[SECOND]
    place = f"#/experiments/{run.info.experiment_id}/runs/{run.info.run_id}/artifacts"
    verdict, _, links, _, course, *_ = run.data.tags["mlflow.note.content"].splitlines()
    chance = "No score differs by more than chance between alpha@2 and alpha@1: BLEU-lc "
    assert verdict.startswith(chance)
    stored = database.connection.execute("SELECT verdict FROM verdicts").fetchall()
    assert [text for (text,) in stored if verdict.startswith(text)]
    explorer = f"in the explorer: `tracker serve --open {SECOND}`"
    pages = f"[Report]({place}/report.html) · [What changed]({place}/compare.html)"
    assert links == f"{pages} · {explorer}"
    assert course.startswith("BLEU-lc over the iterations: ")

    monkeypatch.setenv(EXPLORER_VARIABLE, "http://127.0.0.1:8127/")
    assert log_submissions(database).logged == 3
    run = runs_of(store_of(database), "submission")[FIRST]
    _, _, links, _, course, *_ = run.data.tags["mlflow.note.content"].splitlines()
    assert course.startswith("Found least, of reference edges: ")
    assert f"[Explorer](http://127.0.0.1:8127/submission/{FIRST})" in links
    shown = Path(store_of(database).download_artifacts(run.info.run_id, "report.html"))
    assert f'href="http://127.0.0.1:8127/missed/{FIRST}?relation=' in shown.read_text()
    assert "What changed" not in links
    own = [name for name in run.data.tags if not name.startswith("mlflow.")]
    assert len(own) == 8
    # What was told once holds for those who do not tell it.
    monkeypatch.delenv(EXPLORER_VARIABLE)
    assert log_submissions(database).logged == 0
    monkeypatch.setenv(EXPLORER_VARIABLE, "javascript:alert(1)")
    with pytest.raises(InputError, match="no address of the explorer"):
        log_submissions(database)


def test_pages_and_the_table_of_worst_sentences_need_nothing_else(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Written anew: all copies share the files, which lead to an explorer where one is known.
    monkeypatch.setattr("sr_tracker.tracker.experiments.submissions.LAYOUT", "other")
    assert log_submissions(database).logged == 3
    client = store_of(database)
    run = runs_of(client, "submission")[SECOND]
    folder = Path(client.download_artifacts(run.info.run_id, ""))
    for name in ("report.html", "compare.html"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "default-src &#39;none&#39;" in text
        assert ' href="/' not in text
        assert "http" not in text.replace("http-equiv", "")
    compared = (folder / "compare.html").read_text(encoding="utf-8")
    assert "interval of the change" not in compared, "no score is tested while logging"
    first = Path(client.download_artifacts(runs_of(client, "submission")[FIRST].info.run_id, ""))
    assert not (first / "compare.html").exists()
    table = json.loads((first / "worst_sentences.json").read_text(encoding="utf-8"))
    place = table["columns"].index("bleu")
    scores = [row[place] for row in table["data"]]
    assert scores == sorted(scores)
    assert all(score < 1 for score in scores)
    shown = [{"path": name, "type": "table"} for name in ("scores.json", "worst_sentences.json")]
    assert json.loads(run.data.tags["mlflow.loggedArtifacts"]) == shown


def test_worst_and_changed_sentences_are_written_out(database: Database, tmp_path: Path) -> None:
    """A sentence of six words that is scrambled is the worst, and lost most."""
    texts = [*FAIR]
    texts[2] = "dog big a sees cat The"
    name = add(database, tmp_path, texts, iteration=3)
    by_submission_id = {
        read_submission.submission_id: read_submission
        for read_submission in read_submissions(database)
    }
    (sheet,) = read_sheets(
        database,
        [by_submission_id[name]],
        by_submission_id,
        read_numbers(database, [*by_submission_id]),
        moves={},
    )
    assert sheet.worst == [3]
    assert sheet.comparison is not None
    assert {change.sentence_no for change in sheet.comparison.lost} >= {3}
    words = sheet.examples[name, 3].words
    assert [word.form for word in words] == ["The", "cat", "sees", "a", "big", "dog"]
    assert {word.found for word in words if word.head is not None} == {False}
    assert [point.iteration for point in sheet.courses["dea"]] == [1, 2, 3]
    assert sheet.tags["verdict"] == "not compared"


def test_names_from_outside_stay_text(tmp_path: Path) -> None:
    hostile = "a](evil)<script>|*"
    with open_database(tiny_campaign(tmp_path)) as database:
        name = add(database, tmp_path, FAIR, system_id=hostile)
        add(database, tmp_path, FAIR[::-1], system_id=hostile, iteration=2)
        by_submission_id = {
            read_submission.submission_id: read_submission
            for read_submission in read_submissions(database)
        }
        (sheet,) = read_sheets(
            database,
            [by_submission_id[f"{name}@2"]],
            by_submission_id,
            read_numbers(database, [*by_submission_id]),
            moves={},
        )
        message = sheet.describe(run_writing.Place("1", "r", "/sr-tracker"))
        (tmp_path / "out").mkdir()
        sheet.write(tmp_path / "out")
    verdict_and_links, _, table = message.partition("| metric")
    assert "a](evil" not in verdict_and_links
    assert "<script>" not in verdict_and_links
    assert "`SR99/a](evil)<script>*/" in table
    for page in ("report.html", "compare.html"):
        assert "<script>|" not in (tmp_path / "out" / page).read_text(encoding="utf-8")


def test_nothing_new_is_told_without_mlflow(database: Database, tmp_path: Path) -> None:
    client = store_of(database)
    database.close()
    assert again(tmp_path) == "0 3 False"
    run = runs_of(client, "submission")[SECOND]
    client.update_run(run.info.run_id, status="RUNNING")
    assert again(tmp_path) == "1 2 True"
    assert again(tmp_path) == "0 3 False"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tags SET value = 'other' WHERE key = 'sr_tracker.fingerprint'",
        "UPDATE runs SET lifecycle_stage = 'deleted'",
        "UPDATE experiments SET lifecycle_stage = 'deleted'",
        "ALTER TABLE tags RENAME TO labels",
    ],
)
def test_a_store_that_does_not_say_so_is_not_believed(database: Database, change: str) -> None:
    assert database.path is not None
    file = database.path.with_name("mlflow.db")
    computed = tracked_runs(file, "SR99")
    assert computed is not None
    assert len(computed.runs) == 3
    with sqlite3.connect(file) as store:
        store.execute(change)
    store.close()
    message = tracked_runs(file, "SR99")
    chosen = {run.tags["sr_tracker.fingerprint"] for run in message.runs} if message else set()
    assert not chosen & {run.tags["sr_tracker.fingerprint"] for run in computed.runs}


class Serving(http.server.BaseHTTPRequestHandler):
    """Answers as MLflow's server does, from its file, a run a page; what is to fail does."""

    file: ClassVar[Path] = Path()
    fails: ClassVar[str] = ""
    requests: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: dict[str, Any]) -> None:
        client = MlflowClient(f"sqlite:///{self.file}")
        what = self.path.removeprefix("/api/2.0/mlflow/").partition("?")[0]
        type(self).requests.append(what)
        message: dict[str, Any] = {"answer": "of another server"}
        if what == "experiments/get-by-name":
            assert self.path.endswith("?experiment_name=SR99")
            experiment = client.get_experiment_by_name("SR99")
            message = {"experiment": json.loads(message_to_json(experiment.to_proto()))}
        elif what == "runs/search":
            page = client.search_runs(
                body["experiment_ids"], body["filter"], 1, 1, page_token=body.get("page_token")
            )
            message = {"runs": [json.loads(message_to_json(run.to_proto())) for run in page]}
            message |= {"next_page_token": page.token.decode()} if page.token else {}
        self.send_response(500 if what.partition("/")[0] == self.fails else 200)
        self.end_headers()
        self.wfile.write(b"<html>" if what == self.fails else json.dumps(message).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server of the database's store."""
    assert database.path is not None
    monkeypatch.setattr(Serving, "file", database.path.with_name("mlflow.db"))
    monkeypatch.setattr(Serving, "requests", [])
    with serving(Serving) as address:
        yield f"{address}/"


def test_a_server_tells_what_its_file_does(
    database: Database, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusals() -> set[tuple[str, str, str | None]] | None:
        served_runs = rest.served_runs(served, "SR99")
        return served_runs and {
            (r.run_id, r.status, r.tags.get(FINGERPRINT)) for r in served_runs.runs
        }

    in_file = tracked_runs(Serving.file, "SR99")
    assert in_file is not None
    assert refusals() == {(r.run_id, r.status, r.tags[FINGERPRINT]) for r in in_file.runs}
    assert Serving.requests.count("runs/search") == 3
    with monkeypatch.context() as closed:
        closed.setattr(log_of_tracker, "open_store", None)
        assert log_submissions(database, tracking_uri=served).unchanged == 3
    client = store_of(database)
    deleted = runs_of(client, "submission")[SECOND].info.run_id
    client.delete_run(deleted)
    assert deleted not in {run_id for run_id, *_ in refusals() or ()}
    client.delete_experiment(client.get_experiment_by_name("SR99").experiment_id)
    assert refusals() is None


@pytest.mark.parametrize(
    "fails", ["experiments", "experiments/get-by-name", "runs", "runs/search", "nothing"]
)
def test_a_server_that_answers_otherwise_is_left_to_mlflow(
    served: str, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    monkeypatch.setattr(Serving, "fails", fails)
    if fails == "nothing":
        monkeypatch.setenv("MLFLOW_TRACKING_TOKEN", "what MLflow alone may send")
    assert rest.served_runs(served, "SR99") is None
    assert Serving.requests == [] or fails != "nothing"


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://me:pass@host:x/", "http://"])
def test_what_is_no_server_is_left_to_mlflow(address: str) -> None:
    assert rest.served_runs(address, "SR99") is None


def test_what_is_no_store_is_left_to_mlflow(tmp_path: Path) -> None:
    assert tracked_runs(tmp_path / "none.db", "SR99") is None
    (tmp_path / "other.db").write_bytes(b"no database at all" * 100)
    assert tracked_runs(tmp_path / "other.db", "SR99") is None


def test_a_history_shows_its_best_and_its_latest_value() -> None:
    course = over_iterations("dea", [(1, 0.5), (2, 0.75), (4, 0.6)])
    assert course == "DEA over the iterations: ▁█▄ · best 75.00 @2 · latest 60.00 @4"
    assert "latest 50.00 @3" in over_iterations("dea", [(3, 0.5)])
    assert "best 25.00 @2" in over_iterations("ter", [(1, 0.5), (2, 0.25)]), "lower is better"


def test_relations_that_are_least_accurate_are_named_as_they_are() -> None:
    names, edges = ["a*b", "nsubj", "obj", "det", "amod"], [1, 1200, 3, 4, 5]
    relations = pa.table({"deprel": names, "edges": edges, "dea": [0.5, 0.25, 0.6, 0.7, 0.9]})
    least = "nsubj 25.00 (1,200), a\\*b 50.00 (1), obj 60.00 (3), det 70.00 (4)"
    assert least_accurate(relations) == f"Found least, of reference edges: {least}"
    assert least_accurate(relations.slice(0, 0)) == ""


def test_tables_that_a_user_logged_stay_listed(database: Database) -> None:
    client = store_of(database)
    run = runs_of(client, "submission")[SECOND]
    own = {"path": "mine.json", "type": "table"}
    client.set_tag(run.info.run_id, "mlflow.loggedArtifacts", json.dumps([own]))
    client.update_run(run.info.run_id, status="RUNNING")
    log_submissions(database)
    content = json.loads(client.get_run(run.info.run_id).data.tags["mlflow.loggedArtifacts"])
    ours = [{"path": name, "type": "table"} for name in ("scores.json", "worst_sentences.json")]
    assert content == [own, *ours]


def test_a_server_with_the_explorer_is_recognised(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses: list[str] = []

    def answer(address: str) -> tuple[bytes, str]:
        addresses.append(address)
        return b"", "image/svg+xml"

    monkeypatch.setattr(rest, "_content", answer)
    client = store_of(database)
    experiment = client.get_experiment_by_name("SR99")
    store = Store(client, "http://127.0.0.1:5000/prefix", Path())
    assert store.explorer(experiment, None) == "/sr-tracker"
    assert addresses == ["http://127.0.0.1:5000/sr-tracker/icon.svg"]
    assert Store(client, "sqlite:///x", Path()).explorer(experiment, None) == ""


def test_the_worst_sentences_go_by_what_runs_are_looked_at_by() -> None:
    """By the first usual metric; of equal ones the longest first, no short and no perfect ones."""
    rows = pa.table(
        {
            "sentence_no": [1, 2, 3, 4, 5],
            "dea": [0.2, 0.5, 0.2, 1.0, 0.0],
            "bleu": [0.9, 0.1, 0.9, 0.0, 0.3],
            "length": [6, 9, 8, 7, 4],
        }
    )
    assert scored(rows, judged_by(["dea", *USUAL], rows)).worst(10) == [3, 1, 2]
    plain = rows.set_column(1, "dea", pa.nulls(5, pa.float64()))
    assert scored(plain, judged_by(["dea", *USUAL], plain)).worst(2) == [4, 2]
    assert judged_by(USUAL, rows, plain) == "bleu"
    letters = plain.append_column("chrf", plain["bleu"])
    assert judged_by(["chrf", *USUAL], letters) == "chrf", "as raw text without blanks is told"


def test_sentences_gain_and_lose_by_what_runs_are_looked_at_by() -> None:
    """A sentence that rose by edges gained, whatever BLEU says; of TER a lower score is a gain."""

    def run(**scores: list[float]) -> pa.Table:
        return pa.table({"sentence_no": [1, 2], "length": [6, 9], **scores})

    new, base = run(dea=[0.9, 0.2], bleu=[0.1, 0.8]), run(dea=[0.5, 0.4], bleu=[0.3, 0.2])
    metric = judged_by(["dea", *USUAL], new, base)
    gained, lost = moved(scored(new, metric), scored(base, metric))
    assert ([item.number for item in gained], [item.number for item in lost]) == ([1], [2])
    new, base = run(ter=[0.9, 0.0]), run(ter=[0.5, 0.4])
    gained, lost = moved(scored(new, "ter"), scored(base, "ter"))
    assert ([item.number for item in gained], [item.number for item in lost]) == ([2], [1])
    assert scored(new, "ter").worst(2) == [1]
