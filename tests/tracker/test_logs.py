"""Evaluation logs: those that harnesses wrote (``logs/write_logs.py``), and broken ones."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.tracker.api.tracker import Tracker
from tests.commands import run

LOGS = Path(__file__).with_name("logs")
SUMS = {
    model: next((LOGS / "lm_eval" / model).glob("samples_sums*")) for model in ("small", "large")
}
CHOICE = next((LOGS / "lm_eval" / "small").glob("samples_choice*"))
INSPECT = {form: next((LOGS / "inspect").glob(f"*.{form}")) for form in ("json", "eval")}
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "logs"
WRONG = {"small": 3, "large": 15}
ROWS = [
    {"id": "a", "question": "1 + 1?", "answer": {"text": "2"}, "gold": "2", "ok": True},
    {"id": "b", "question": "2 + 2?", "answer": {"text": "5"}, "gold": "4", "ok": False},
]
NAMED: Mapping[str, Any] = {
    "text_column": "answer.text",
    "reference_column": "gold",
    "score_columns": ["ok"],
    "system": "ours",
    "campaign": "quiz",
}


def rows_of(tracker: Tracker, query: str) -> list[tuple[Any, ...]]:
    return tracker.database.connection.execute(query).fetchall()


def lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def expected(model: str, count: int) -> list[float]:
    """Return the scores that the rule of a model comes to."""
    return [float(place % WRONG[model] != 1) for place in range(count)]


def test_two_logs_of_lm_evaluation_harness_are_two_systems_with_a_tested_verdict(
    tracker: Tracker,
) -> None:
    reports = [tracker.ingest_log(path, filter_name="number") for path in SUMS.values()]
    assert [report.submission_id for report in reports] == ["sums/small/sums", "sums/large/sums"]
    assert [report.chosen for report in reports] == ["exact_match", None]
    for model in SUMS:
        scores = rows_of(
            tracker,
            "SELECT exact_match FROM output_scores "
            f"WHERE system_id = '{model}' ORDER BY sentence_no",
        )
        assert [score for (score,) in scores] == expected(model, 24)
    comparison = tracker.compare("large", "small")
    (change,) = [change for change in comparison.metrics if change.measure == "exact_match"]
    assert change.difference == pytest.approx(6 / 24)
    assert comparison.verdict[0].startswith("large@1 is better than small@1 by exact_match")
    assert rows_of(tracker, "SELECT count(*) FROM treebank") == [(1,)]


def test_prompt_and_settings_are_kept_with_the_run(tracker: Tracker) -> None:
    tracker.ingest_log(SUMS["small"], filter_name="number")
    ((params, tags, created, text),) = rows_of(
        tracker,
        "SELECT params, tags, created_at::DATE::TEXT, source_text FROM submission "
        "JOIN sentence_source USING (treebank_id) WHERE sentence_no = 1",
    )
    assert json.loads(params)["filter"] == "number"
    assert json.loads(params)["generation_kwargs.do_sample"] is False
    assert json.loads(tags) == {"harness": "lm-evaluation-harness"}
    assert (created, text) == ("2026-11-26", "What is 1 + 5?")


def test_the_same_log_is_nothing_new_and_another_one_the_next_iteration(tracker: Tracker) -> None:
    first = tracker.ingest_log(SUMS["small"], filter_name="number")
    again = tracker.ingest_log(SUMS["small"], filter_name="number")
    assert (again.submission_id, again.new) == (first.submission_id, False)
    other = tracker.ingest_log(SUMS["large"], filter_name="number", system="small")
    assert other.submission_id == f"{first.submission_id}@2"


def test_a_task_of_choices_has_the_choice_as_its_output(tracker: Tracker) -> None:
    tracker.ingest_log(CHOICE)
    right = rows_of(
        tracker,
        "SELECT output = reference, acc FROM output_scores ORDER BY sentence_no",
    )
    assert right == [(bool(score), score) for score in expected("small", 24)]


@pytest.mark.parametrize(("form", "model", "epochs"), [("json", "small", 1), ("eval", "large", 2)])
def test_a_log_of_inspect(tracker: Tracker, form: str, model: str, epochs: int) -> None:
    report = tracker.ingest_log(INSPECT[form])
    assert report.submission_id == f"sums/mockllm-{model}/sums"
    assert report.metrics == ["match", "includes"]
    assert bool(report.notes) == (epochs > 1)
    scores = rows_of(tracker, "SELECT sent_id, match FROM output_scores ORDER BY sentence_no")
    assert dict(scores) == {f"sum-{place}": score for place, score in enumerate(expected(model, 8))}
    second = rows_of(tracker, "SELECT text FROM alternative_reference ORDER BY sentence_no")
    assert [text for (text,) in second][:2] == ["6.0", "10.0"]


def test_both_forms_of_inspect_have_one_test_set(tracker: Tracker) -> None:
    for path in INSPECT.values():
        tracker.ingest_log(path)
    assert rows_of(tracker, "SELECT treebank_id FROM treebank") == [("sums",)]


def test_a_table_with_nested_columns(tracker: Tracker, tmp_path: Path) -> None:
    report = tracker.ingest_log(lines(tmp_path / "answers.jsonl", ROWS), **NAMED)
    assert (report.submission_id, report.metrics) == ("quiz/ours/answers", ["ok"])
    assert rows_of(tracker, "SELECT output, ok FROM output_scores ORDER BY sentence_no") == [
        ("2", 1.0),
        ("5", 0.0),
    ]


@pytest.mark.parametrize("spelled", [str, str.title])
def test_a_table_of_mlflow(tracker: Tracker, tmp_path: Path, spelled: type[str]) -> None:
    columns = [*map(spelled, ("inputs", "ground_truth", "outputs")), "exact_match/v1/score"]
    data = [["1 + 1?", "2", "2", 1], ["2 + 2?", "4", "5", 0]] * 2
    path = tmp_path / "eval_results_table.json"
    path.write_text(json.dumps({"columns": columns, "data": data}))
    report = tracker.ingest_log(path, system="ours")
    assert report.metrics == ["exact_match"]
    assert report.submission_id == "eval_results_table/ours/eval_results_table"
    assert rows_of(tracker, "FROM sentence_label WHERE label ILIKE 'inputs'") == []


def test_records_of_every_eval_ever(tracker: Tracker, tmp_path: Path) -> None:
    def record(sample: str, metric: str, score: float) -> dict[str, Any]:
        return {
            "evaluation_id": "quiz/model/1",
            "model_id": "lab/model",
            "evaluation_name": metric,
            "sample_id": sample,
            "sample_hash": f"hash of {sample}",
            "interaction_type": "single_turn",
            "input": {"raw": f"{sample}?", "reference": ["yes"]},
            "output": {"raw": ["yes" if score else "no"]},
            "evaluation": {"score": score, "is_correct": bool(score)},
        }

    results = [
        {"evaluation_name": name, "metric_config": {"metric_name": name, "lower_is_better": lower}}
        for name, lower in (("accuracy", False), ("seconds", True))
    ]
    about = {"model_info": {"id": "lab/model"}, "evaluation_results": results}
    (tmp_path / "q.json").write_text(json.dumps(about))
    records = [
        record(s, m, v) for s, v in (("1", 1.0), ("2", 0.0)) for m in ("accuracy", "seconds")
    ]
    report = tracker.ingest_log(lines(tmp_path / "q_samples.jsonl", records))
    assert report.metrics == ["accuracy", "seconds"]
    assert report.submission_id.split("/")[1] == "lab-model"
    better = rows_of(tracker, "SELECT metric, better FROM external_metric ORDER BY metric")
    assert better == [("accuracy", "higher"), ("seconds", "lower")]
    twice = lines(tmp_path / "twice_samples.jsonl", [records[0], records[0]])
    with pytest.raises(InputError, match="sample '1' stands twice"):
        tracker.ingest_log(twice)


def broken(folder: Path) -> dict[str, tuple[Path, dict[str, Any], str]]:
    """Return broken logs: their files, what is said of them, and the start of the message."""
    harness = [json.loads(line) for line in SUMS["small"].read_text().splitlines()[:2]]
    archive = folder / "cut.eval"
    archive.write_bytes(INSPECT["eval"].read_bytes()[:9000])
    empty = folder / "empty.eval"
    with zipfile.ZipFile(empty, "w") as written:
        written.writestr("header.json", "{}")
    junk = folder / "notes.txt"
    junk.write_text("no log")
    inspect = json.loads(INSPECT["json"].read_text())
    inspect["samples"] = None
    without_samples = folder / "header.json"
    without_samples.write_text(json.dumps(inspect))
    half = json.dumps({**ROWS[0], "answer": {"text": "\ud800"}})
    surrogate = folder / "half.jsonl"
    surrogate.write_text(half)
    return {
        "several filters": (SUMS["small"], {}, "the log has responses of several filters"),
        "no such filter": (SUMS["small"], {"filter_name": "x"}, "the log has no filter 'x'"),
        "doubled": (
            lines(folder / "d.jsonl", harness[:1] * 2),
            {"system": "s"},
            "sample '0' stands",
        ),
        "no model": (lines(folder / "n.jsonl", harness), {}, "the log does not say which system"),
        "no references": (
            lines(folder / "r.jsonl", [{**row, "gold": None} for row in ROWS]),
            dict(NAMED),
            "the log has no references",
        ),
        "no column": (
            lines(folder / "c.jsonl", ROWS),
            {"system": "s"},
            "the log has none of the columns output",
        ),
        "no such column": (
            lines(folder / "s.jsonl", ROWS),
            {**NAMED, "text_column": "answer.txt"},
            "there is no column 'answer.txt'",
        ),
        "no object": (lines(folder / "o.jsonl", [1]), dict(NAMED), "the line is no object"),
        "cut archive": (archive, {}, "the archive cannot be read"),
        "empty archive": (empty, {}, "the log holds no samples"),
        "no samples": (without_samples, {}, "the log holds no samples"),
        "another file": (junk, {}, "the file is no evaluation log"),
        "half a pair": (surrogate, dict(NAMED), "the text holds"),
        "no outputs": (
            lines(folder / "e.jsonl", [{**row, "answer": None} for row in ROWS]),
            {**NAMED, "text_column": "answer"},
            "not one sentence has an output",
        ),
    }


@pytest.mark.parametrize("case", range(14))
def test_a_broken_log_is_refused_and_stores_nothing(
    tracker: Tracker, tmp_path: Path, case: int
) -> None:
    path, options, message = [*broken(tmp_path).values()][case]
    with pytest.raises(TrackerError) as error:
        tracker.ingest_log(path, **options)
    assert error.value.message.startswith(message)
    assert path.name in str(error.value.where)
    for table in ("treebank", "submission", "campaign", "scoring", "primary_metric"):
        assert rows_of(tracker, f"SELECT count(*) FROM {table}") == [(0,)]


def test_the_command_loads_several(tmp_path: Path) -> None:
    database = tmp_path / "campaign.duckdb"
    done = run(database, "ingest", "log", *SUMS.values(), "--filter", "strict")
    assert "sums/small/sums: loaded, 24 samples, scored by exact_match" in done.output
    assert "verdicts rest on exact_match from now on" in done.output
    assert "dea" not in done.output


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared evaluation logs are not there")
def test_real_logs(tracker: Tracker, tmp_path: Path) -> None:
    """The means of the samples' scores: those that the aggregates state, where all are there."""
    harness = next((SHARED / "lm_eval").glob("samples_*"))
    assert tracker.ingest_log(harness).metrics == ["exact_match"]
    arc = tracker.ingest_log(SHARED / "inspect" / "data_arc_qwen.json")
    assert (arc.submission_id, arc.metrics) == ("arc_easy/ollama-qwen2.5-0.5b/arc_easy", ["choice"])
    ((score,),) = rows_of(
        tracker,
        "SELECT score FROM submission_metrics WHERE metric = 'choice' AND campaign_id = 'arc_easy'",
    )
    assert score == pytest.approx(1 / 3)
    pubmed = tracker.ingest_log(SHARED / "inspect" / "data_pubmedqa_gpt4o_mini.json")
    assert pubmed.samples == 2
    (record,) = (SHARED / "every_eval_ever").glob("*_samples.jsonl")
    shutil.copy(record, tmp_path)
    alone = tracker.ingest_log(tmp_path / record.name)
    assert alone.metrics == ["external_score"]
    assert tracker.ingest_log(record).metrics == ["accuracy"]
