"""Submitting: numbered, compared with the parent, logged where that is possible; and the docs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import sr_tracker
from sr_tracker.queries.change.comparison.model import ranked
from sr_tracker.queries.metrics import registry
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.experiments import TrackingUnavailableError
from sr_tracker.tracker.submit import SubmitReport
from tests import commands
from tests.building import written
from tests.tracker import story

DOCS = Path(__file__).resolve().parents[2] / "docs"
TREEBANK = "en_few-ud-test"
FEW = 12
NOT_LOGGED: dict[str, Any] = {"analyse": False, "log": False}


def few_sentences(folder: Path) -> Path:
    """Write the first sentences of the sample treebank to a file."""
    blocks = story.TREEBANK_FILE.read_text(encoding="utf-8").strip().split("\n\n")[:FEW]
    return written(folder / "few.conllu", "\n\n".join(blocks) + "\n\n")


def texts(changed: Sequence[int] = ()) -> list[str]:
    """Return the first sentences; those that are named lack their first word."""
    outputs = story.outputs_of(1)[:FEW]
    for place in changed:
        outputs[place] = outputs[place].partition(" ")[2]
    return outputs


def submissions(database: Database, campaign: str) -> list[tuple[Any, ...]]:
    return database.connection.execute(
        "SELECT submission_id, iteration, parent_submission_id FROM submission "
        "WHERE campaign_id = ? ORDER BY iteration",
        [campaign],
    ).fetchall()


def log_to(steps: list[int | None], monkeypatch: pytest.MonkeyPatch, *, active: bool) -> None:
    """Stand in for an MLflow run that is active, or for none; ``steps`` gets what it is asked."""

    def log_to_active_run(_: Database, __: str, step: int | None = None) -> bool:
        steps.append(step)
        return active

    monkeypatch.setitem(sys.modules, "mlflow", ModuleType("mlflow"))
    module = ModuleType("sr_tracker.tracker.experiments.active")
    monkeypatch.setattr(module, "log_to_active_run", log_to_active_run, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.fixture(scope="module")
def treebank_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return few_sentences(tmp_path_factory.mktemp("few"))


@pytest.fixture(scope="module")
def few(treebank_file: Path, regression: SubmitReport) -> Iterator[Tracker]:
    """A database with a small treebank, where there are few metrics; a campaign for each test."""
    metrics = registry.metrics()
    with sr_tracker.connect(None) as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            registry, "metrics", lambda: {item: metrics[item] for item in ("bleu", "dea")}
        )
        opened.ingest_treebank(treebank_file, treebank=TREEBANK)
        yield opened


@pytest.fixture(scope="module")
def regression() -> SubmitReport:
    """The report on the iteration of the story that misplaces one relation."""
    with sr_tracker.connect(None) as opened:
        treebank, _ = opened.ingest_treebank(Path(str(story.TREEBANK_FILE)))
        names: dict[str, Any] = {"system": "ours", "treebank": treebank, "log": False}
        before = story.outputs_of(story.REGRESSION - 1)
        opened.submit(before, **names, analyse=False)
        results: list[SubmitReport] = []
        report = opened.submit(story.outputs_of(story.REGRESSION), **names, tell=results.append)
    verdict, whole = results
    assert verdict.comparison is not None
    assert (verdict.comparison.patterns, whole) == ((), report)
    assert str(report).startswith(str(verdict).split("DEA[")[0].rpartition("measure")[0])
    return report


def test_the_report_points_at_the_relation_that_fell(regression: SubmitReport) -> None:
    comparison = regression.comparison
    assert comparison is not None
    first = ranked(comparison.relations, 0.05)[0]
    assert (first.deprel, first.is_worse, first.is_significant(0.05)) == ("obl", True, True)
    assert comparison.base.iteration == 1
    assert {change.measure for change in comparison.metrics} <= set(regression.scores)
    assert comparison.patterns


def test_the_report_fits_on_a_screen_and_names_the_relation(regression: SubmitReport) -> None:
    lines = str(regression).split("\n")
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    message = next(line for line in lines if line.lstrip().startswith("DEA["))
    assert message.split()[0] == "DEA[obl]"
    assert "▼" in message
    assert "< 0.001" in message
    patterns = [line for line in lines if line.lstrip().startswith("suspicion[(")]
    assert 0 < len(patterns) <= 6


def test_new_content_is_the_next_iteration_and_its_parent_the_one_before(few: Tracker) -> None:
    names: dict[str, Any] = {
        "system": "ours",
        "treebank": TREEBANK,
        "campaign": "next",
        **NOT_LOGGED,
    }
    first = few.submit(texts(), **names, iteration=4)
    assert (first.new, first.comparison) == (True, None)
    assert first.scores["bleu"] is not None
    assert f"BLEU-lc {100 * first.scores['bleu']:.2f}" in str(first)
    second = few.submit(texts([0]), **names)
    third = few.submit(texts([0, 1]), **names, parent="ours@4", base="ours@latest")
    again = few.submit(texts([0]), **names, parent="ours@6")
    first_id = f"next/ours/{TREEBANK}@4"
    second_id, third_id = (f"next/ours/{TREEBANK}@{number}" for number in (5, 6))
    assert submissions(few.database, "next") == [
        (first_id, 4, None),
        (second_id, 5, first_id),
        (third_id, 6, first_id),
    ]
    compared = [r.comparison and r.comparison.base.submission_id for r in (second, third)]
    assert compared == [first_id, second_id]
    assert (again.new, again.submission_id) == (False, second_id)
    assert f"its parent stays {first_id}" in again.notes[0]


def test_a_track_has_its_own_parents_but_numbers_are_told_apart(few: Tracker) -> None:
    names: dict[str, Any] = {
        "system": "ours",
        "treebank": TREEBANK,
        "campaign": "tracks",
        **NOT_LOGGED,
    }
    few.submit(texts(), **names)
    deep = few.submit(texts([0]), **names, track="deep")
    deeper = few.submit(texts([1]), **names, track="deep")
    assert deep.comparison is None
    assert [(row[1], row[2]) for row in submissions(few.database, "tracks")] == [
        (1, None),
        (2, None),
        (3, deep.submission_id),
    ]
    assert deeper.comparison is not None


def test_replacing_needs_its_iteration(few: Tracker) -> None:
    names: dict[str, Any] = {
        "system": "ours",
        "treebank": TREEBANK,
        "campaign": "replaced",
        **NOT_LOGGED,
    }
    few.submit(texts(), **names)
    with pytest.raises(InputError, match="iteration to replace"):
        few.submit(texts([0]), **names, replace=True)
    replaced = few.submit(texts([0]), **names, replace=True, iteration=1)
    assert (replaced.new, len(submissions(few.database, "replaced"))) == (True, 1)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"parent": "ours@7"}, UnknownNameError),
        ({"base": "theirs@latest"}, UnknownNameError),
        ({"treebank": "en_none-ud-test"}, UnknownNameError),
        ({"outputs": texts()[:-1]}, InputError),
        ({"outputs": 3}, InputError),
    ],
)
def test_what_cannot_be_loaded_stores_nothing(
    few: Tracker, changed: dict[str, Any], error: type[Exception]
) -> None:
    names: dict[str, Any] = {
        "system": "ours",
        "treebank": TREEBANK,
        "campaign": "wrong",
        **NOT_LOGGED,
    }
    arguments = {"outputs": texts(), **names, **changed}
    with pytest.raises(error):
        few.submit(arguments.pop("outputs"), **arguments)
    assert submissions(few.database, "wrong") == []


def test_what_must_not_be_compared_is_loaded_with_a_note(few: Tracker) -> None:
    names: dict[str, Any] = {
        "system": "ours",
        "treebank": TREEBANK,
        "campaign": "forms",
        **NOT_LOGGED,
    }
    few.submit(texts(), **names, reference_form="text")
    report = few.submit(texts([0]), **names, reference_form="tokens")
    assert (report.new, report.comparison) == (True, None)
    assert report.notes[0].startswith("not compared: ")
    assert report.notes[0] in re.sub(r"\s+", " ", str(report))


def test_an_active_run_gets_the_step(few: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int | None] = []
    log_to(steps, monkeypatch, active=True)
    report = few.submit(texts(), system="logging", treebank=TREEBANK, analyse=False, step=7)
    assert steps == [7]
    assert report.logged_to == "the active run"


def test_a_store_that_does_not_answer_is_a_note(
    few: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise TrackingUnavailableError("it does not answer", hint="later")

    monkeypatch.setattr("sr_tracker.tracker.experiments.log_submissions", refuse)
    log_to([], monkeypatch, active=False)
    report = few.submit(texts(), system="logging", treebank=TREEBANK, analyse=False)
    assert report.logged_to is None
    assert "it does not answer" in report.notes[0]


def test_the_command_prints_what_the_report_says(tmp_path: Path, treebank_file: Path) -> None:
    path = tmp_path / "campaign.duckdb"
    with sr_tracker.connect(path, create=True) as opened:
        opened.ingest_treebank(treebank_file, treebank=TREEBANK)
        opened.submit(texts(), system="ours", treebank=TREEBANK, **NOT_LOGGED)
    outputs = written(tmp_path / "outputs.txt", "".join(f"{text}\n" for text in texts([0, 3])))
    arguments = ["--system", "ours", "--treebank", TREEBANK, "--no-log"]
    arguments += ["--no-analyse", "-p", "beam=5", "-t", "data=few"]
    printed = commands.run(path, "--quiet", "--yes", "submit", outputs, *arguments)
    with sr_tracker.connect(path) as opened:
        names: dict[str, Any] = {"system": "ours", "treebank": TREEBANK, **NOT_LOGGED}
        report = opened.submit(outputs, **names, base="ours@1")
        message = opened.submit(outputs, **names)
        row = opened.sql("SELECT params, tags FROM submission WHERE iteration = 2").to_pylist()
    first, *lines = printed.stdout.split("\n")
    again = " ".join(str(report).split())
    assert " ".join(" ".join(lines).split()) in again
    assert (": submitted, " in first, ": nothing new, " in again) == (True, True)
    assert message.comparison is None
    assert message.scores == report.scores
    assert f"'tracker compare {message.submission_id} " in message.notes[0]
    assert row == [{"params": '{"beam": 5}', "tags": '{"data": "few"}'}]


class StandIn:
    """What a callback's base class is in the libraries, as far as the examples need it."""


def example(text: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the code block of the docs that holds a text, with stand-ins for the libraries."""
    for name, base in (("transformers", "TrainerCallback"), ("lightning.pytorch", "Callback")):
        module = ModuleType(name)
        setattr(module, base, StandIn)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, "lightning", ModuleType("lightning"))
    page = (DOCS / "submit.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (block,) = [block for block in blocks if text in block]
    names: dict[str, Any] = {}
    exec(block, names)  # noqa: S102
    return names


@pytest.fixture
def stored(
    tmp_path: Path, treebank_file: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, list[int | None]]:
    """A database with a small treebank, and the steps at which submissions are logged to a run."""
    path = tmp_path / "campaign.duckdb"
    with sr_tracker.connect(path, create=True) as opened:
        opened.ingest_treebank(treebank_file, treebank=TREEBANK)
    steps: list[int | None] = []
    log_to(steps, monkeypatch, active=True)
    return path, steps


def test_the_trainer_callback_of_the_docs(
    stored: tuple[Path, list[int | None]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, steps = stored
    callback_class = example("TrainerCallback", monkeypatch)["SubmitOutputs"]
    callback = callback_class(path, lambda model: texts(model), system="ours", treebank=TREEBANK)
    arguments = SimpleNamespace(learning_rate=0.1)
    for step, model, main in ((10, [0, 1], True), (20, [0], True), (20, [5], False)):
        state = SimpleNamespace(epoch=step / 10, global_step=step, is_world_process_zero=main)
        callback.on_evaluate(arguments, state, None, model=model)
    assert steps == [10, 20]
    assert "ours@2 " in capsys.readouterr().out.split("against ours@1")[1]
    with sr_tracker.connect(path) as opened:
        params = opened.sql("SELECT params FROM submission ORDER BY iteration").to_pylist()
    assert params[1] == {"params": '{"epoch": 2.0, "learning_rate": 0.1}'}


def test_the_lightning_callback_of_the_docs(
    stored: tuple[Path, list[int | None]], regression: SubmitReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, steps = stored
    callback_class = example("lightning", monkeypatch)["StopWhereWorse"]
    callback = callback_class(path, lambda model: texts(model), system="ours", treebank=TREEBANK)
    trainer = SimpleNamespace(
        current_epoch=3, should_stop=False, is_global_zero=True, sanity_checking=True
    )
    callback.on_validation_epoch_end(trainer, [0])
    assert steps == [], "the trainer's check of itself is no run"
    trainer.sanity_checking = False
    callback.on_validation_epoch_end(trainer, [0])
    assert (steps, trainer.should_stop) == ([3], False)
    monkeypatch.setattr(Tracker, "submit", lambda *_, **__: regression)
    callback.on_validation_epoch_end(trainer, [0])
    assert trainer.should_stop
