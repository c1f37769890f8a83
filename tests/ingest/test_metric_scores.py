"""Scores of metrics in files: every format, what is refused, and what a second file changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sr_tracker.ingest import records
from sr_tracker.ingest.scores.files import read_metric_scores
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.metrics.external import ExternalScoring, external_name, store_external
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from tests import building
from tests.building import add_run, load

SEGMENTS = "a\t0.5\na\tNone\na\t0.75\nb\t-1e-3\nb\t2\nb\t1\n"
BY_SYSTEM = {"a": [0.5, None, 0.75], "b": [-0.001, 2.0, 1.0]}


@pytest.fixture
def db(tracker: Tracker) -> Tracker:
    texts = ("A dog.", "A cat.", "A mouse.")
    rows = [("sent_id", "text"), *zip("xyz", texts, strict=True)]
    load(tracker.ingest_references, rows, "refs.csv", treebank="three", language="en")
    for system in BY_SYSTEM:
        add_run(tracker, f"C/{system}/three", texts)
    return tracker


def written(folder: Path, name: str, content: Any) -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    return building.written(folder / name, text)


def stored(db: Tracker, metric: str) -> dict[str, list[float | None]]:
    rows = db.sql(
        "SELECT split_part(submission_id, '/', 2) AS system, list(score ORDER BY sentence_no) AS "
        f"scores FROM sentence_score WHERE metric = '{metric}' GROUP BY ALL ORDER BY ALL"
    )
    return {row["system"]: row["scores"] for row in rows.to_pylist()}


def whole(db: Tracker, metric: str) -> dict[str, tuple[float | None, int]]:
    rows = db.sql(
        "SELECT split_part(submission_id, '/', 2) AS system, score, sentences "
        f"FROM submission_score WHERE metric = '{metric}' ORDER BY ALL"
    )
    return {row["system"]: (row["score"], row["sentences"]) for row in rows.to_pylist()}


def objects(*rows: object) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


BY_ROWS = [
    {"system": system, "sent_id": sent_id, "metric": "M", "score": score}
    for system, scores in BY_SYSTEM.items()
    for sent_id, score in zip("xyz", scores, strict=True)
]
FORMS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "mt-metrics-eval": ("M-refA.seg.score", SEGMENTS, {}),
    "jsonl": ("m.jsonl", objects(*BY_ROWS), {}),
    "csv": (
        "m.csv",
        "who,line,COMET\na,1,0.5\na,2,\na,3,0.75\nb,3,1\nb,2,2\nb,1,-1e-3\n",
        {"name": "M", "columns": {"system": "who", "score": "COMET"}},
    ),
    "tsv in order": (
        "m.tsv",
        "system\tscore\nb\t-0.001\na\t0.5\na\tNone\nb\t2\na\t0.75\nb\t1\n",
        {"name": "M"},
    ),
    "submissions": (
        "m.csv",
        "submission,sent_id,score\n"
        + "".join(f"C/{row['system']}/three,{row['sent_id']},{row['score']}\n" for row in BY_ROWS),
        {"name": "M"},
    ),
    "treebank and iteration": (
        "m.csv",
        "system,treebank,iteration,sent_id,score\n"
        + "".join(f"{row['system']},three,1,{row['sent_id']},{row['score']}\n" for row in BY_ROWS),
        {"name": "M"},
    ),
    "a list of objects": ("m.json", BY_ROWS, {}),
    "a column for each metric": (
        "m.csv",
        (
            "System,segment_id,M,note,ID\na,x,0.5,good,1\na,y,None,,2\na,z,0.75,,3\n"
            "b,x,-1e-3,,4\nb,y,2,,5\nb,z,1,,6\n"
        ),
        {},
    ),
    "objects by system and metric": (
        "m.jsonl",
        objects(
            *(
                {"sent_id": item, "automatic": {s: {"M": v[n]} for s, v in BY_SYSTEM.items()}}
                for n, item in enumerate("xyz")
            )
        ),
        {"columns": {"score": "automatic"}},
    ),
    "objects by metric": (
        "m.jsonl",
        objects(
            *(
                {**{k: row[k] for k in ("system", "sent_id")}, "score": {"M": row["score"]}}
                for row in BY_ROWS
            )
        ),
        {},
    ),
    "comet-score": (
        "comet.json",
        {
            f"out/{system}.txt": [{"src": "s", "mt": "t", "ref": "r", "COMET": v} for v in scores]
            for system, scores in BY_SYSTEM.items()
        },
        {"name": "M"},
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_format_gives_the_same_scores(db: Tracker, tmp_path: Path, form: str) -> None:
    name, content, how = FORMS[form]
    (metric_scores,) = db.ingest_metric_scores(written(tmp_path, name, content), **how)
    assert (metric_scores.metric, metric_scores.submissions, metric_scores.sentences) == ("m", 2, 5)
    assert stored(db, "m") == BY_SYSTEM
    assert whole(db, "m") == {"a": (0.625, 2), "b": (pytest.approx(2.999 / 3), 3)}
    reasons = db.sql("SELECT undefined_reason AS why FROM sentence_score WHERE score IS NULL")
    assert reasons.to_pylist() == [{"why": "no score is given"}]
    (again,) = db.ingest_metric_scores(tmp_path / name, **how)
    assert (again.submissions, again.unchanged) == (0, 2)


def test_columns_of_several_metrics(db: Tracker, tmp_path: Path) -> None:
    rows = "system,metric,score\na,M,1.5\na,N,-2\nb,M,0\nb,N,3\n"
    assert len(db.ingest_metric_scores(written(tmp_path, "rows.csv", rows))) == 2
    before = whole(db, "m"), whole(db, "n")
    path = written(tmp_path, "m.csv", "model;M;N\na;1,5;-2\nb;0;3\n")
    scores = db.ingest_metric_scores(path)
    assert [(of.metric, of.unchanged) for of in scores] == [("m", 2), ("n", 2)]
    assert before == (
        {"a": (1.5, 3), "b": (0, 3)},
        {"a": (-2, 3), "b": (3, 3)},
    )


def test_a_system_with_several_runs_is_its_first_and_a_note_says_so(
    db: Tracker, tmp_path: Path
) -> None:
    path = written(tmp_path, "M.txt", "1\n2\n3\n")
    (alone,) = db.ingest_metric_scores(path, system="a")
    add_run(db, "C/a/three@2", ("A dog.", "A cat.", "A rat."))
    (first,) = db.ingest_metric_scores(path, system="a", replace=True)
    (second,) = db.ingest_metric_scores(path, submission="a@2")
    note = "no iteration is named: what is loaded is of C/a/three; SYSTEM@2 names another"
    assert [[*of.notes] for of in (alone, first, second)] == [[], [note], []]
    judged = written(tmp_path, "j.csv", "rater,system,id,good\nr,a,x,50\nr,a,y,60\n")
    assert note in db.ingest_judgements(judged, campaign="C").warnings
    judged = written(tmp_path, "j.csv", "rater,system,id,good\nr,a@2,x,50\nr,a@2,y,60\n")
    assert note not in db.ingest_judgements(judged, campaign="C").warnings


def test_more_rows_than_any_campaign_has_are_refused(
    db: Tracker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_RECORDS", 5)
    wide = written(tmp_path, "m.csv", "system,sent_id,M,N,O\na,x,1,2,3\na,y,1,2,3\n")
    lines = written(tmp_path, "M.txt", "1\n" * 6)
    for path in (wide, lines):
        with pytest.raises(InputError, match="more than 5 records"):
            db.ingest_metric_scores(path, system="a")


def test_a_score_a_line_of_one_system(db: Tracker, tmp_path: Path) -> None:
    path = written(tmp_path, "M.txt", "0.5\nNone\n0.75\n")
    with pytest.raises(InputError, match="system of the scores is not named"):
        db.ingest_metric_scores(path)
    db.ingest_metric_scores(path, system="a")
    assert stored(db, "m") == {"a": BY_SYSTEM["a"]}
    with pytest.raises(InputError, match="'good' is no score") as error:
        db.ingest_metric_scores(written(tmp_path, "N.txt", "0.5\ngood\n1\n"), system="a")
    assert str(error.value.where).endswith("N.txt:2")


def test_parquet(db: Tracker, tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(BY_ROWS), tmp_path / "m.parquet")
    db.ingest_metric_scores(tmp_path / "m.parquet")
    assert stored(db, "m") == BY_SYSTEM


@pytest.mark.parametrize("order", ["seg sys", "sys seg", "together"])
def test_system_scores_count_where_they_are_given(db: Tracker, tmp_path: Path, order: str) -> None:
    paths = {
        "seg": written(tmp_path, "M-refA.seg.score", SEGMENTS),
        "sys": written(tmp_path, "M-refA.sys.score", "a\t0.7\nb\t0.9996666666666667\n"),
    }
    if order == "together":
        db.ingest_metric_scores([*paths.values()])
    else:
        for kind in order.split():
            db.ingest_metric_scores(paths[kind])
    assert stored(db, "m") == BY_SYSTEM
    assert whole(db, "m") == {"a": (0.7, 2), "b": (pytest.approx(2.999 / 3, abs=1e-15), 3)}
    for path in paths.values():
        (again,) = db.ingest_metric_scores(path)
        assert again.submissions == 0
    assert whole(db, "m")["a"] == (0.7, 2)


def test_a_metric_of_systems_alone(db: Tracker, tmp_path: Path) -> None:
    name = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0"
    arguments = {"name": "BLEU", "score": 44.3, "signature": name, "verbose_score": "…"}
    path = written(tmp_path, "bleu.json", arguments)
    with pytest.raises(InputError, match="the system of the scores is not named"):
        db.ingest_metric_scores(path)
    (metric_scores,) = db.ingest_metric_scores(path, system="a")
    assert metric_scores.metric == "external_bleu"
    assert "settings:nrefs:1 case:mixed" in metric_scores.signatures[0]
    assert "metric-version:2.4.0" in metric_scores.signatures[0]
    assert whole(db, "external_bleu") == {"a": (44.3, 3)}
    assert stored(db, "external_bleu") == {"a": [None] * 3}
    several = [{"system": "a", "TER": {"score": 40}}, {"system": "b", "TER": {"score": 30}}]
    (metric_scores,) = db.ingest_metric_scores(written(tmp_path, "ter.json", several))
    assert whole(db, "external_ter") == {"a": (40.0, 3), "b": (30.0, 3)}
    (row,) = db.sql("SELECT better FROM external_metric WHERE metric = 'external_ter'").to_pylist()
    assert row == {"better": "lower"}
    with db.reading() as database:
        assert run_audits(database) == []


def test_other_scores_need_a_word(db: Tracker, tmp_path: Path) -> None:
    path = written(tmp_path, "M-refA.seg.score", SEGMENTS)
    load(db.ingest_labels, "sent_id,g\nx,n\ny,c\nz,c\n", "g.csv", treebank="three", labels=["g"])
    db.ingest_metric_scores(path)
    db.significance(SignificanceSettings(replicates=50))
    written(tmp_path, path.name, SEGMENTS.replace("0.5", "0.25"))
    with pytest.raises(InputError, match="sentence 1 of 'C/a/three' has another score by m"):
        db.ingest_metric_scores(path)
    assert stored(db, "m") == BY_SYSTEM
    (metric_scores,) = db.ingest_metric_scores(path, replace=True)
    assert (metric_scores.submissions, metric_scores.unchanged) == (1, 1)
    assert whole(db, "m")["a"] == (0.5, 2)
    assert {*db.sql("FROM slice_score WHERE value = 'n'")["score"].to_pylist()} == {0.25, -0.001}
    left = db.sql("SELECT submission_id FROM (FROM score_interval UNION ALL BY NAME FROM analysis)")
    assert {*left["submission_id"].to_pylist()} == {"C/b/three"}
    with pytest.raises(InputError, match="of 'm' higher scores are better"):
        db.ingest_metric_scores(path, better="lower")


def test_another_version_stands_beside(db: Tracker, tmp_path: Path) -> None:
    path = written(tmp_path, "M-refA.seg.score", SEGMENTS)
    db.ingest_metric_scores(path, version="1")
    written(tmp_path, path.name, SEGMENTS.replace("0.5", "0.25"))
    (second,) = db.ingest_metric_scores(path, version="2")
    assert second.beside == {"three": "m: version 1 input refA"}
    assert db.sql("SELECT count(*) AS n FROM submission_score").to_pylist() == [{"n": 4}]
    rows = "SELECT m FROM leaderboard ORDER BY system_id"
    assert [row["m"] for row in db.sql(rows).to_pylist()] == [0.625, pytest.approx(2.999 / 3)]
    (second,) = db.ingest_metric_scores(path, version="2", elect=True)
    assert (second.submissions, second.beside) == (0, {})
    assert [row["m"] for row in db.sql(rows).to_pylist()] == [0.5, pytest.approx(2.999 / 3)]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("XCOMET-Ensemble", "xcomet_ensemble"),
        ("MetricX-23", "metricx_23"),
        ("BLEU", "external_bleu"),
        ("chrF", "external_chrf"),
        ("select", "external_select"),
        ("length", "external_length"),
        ("score", "external_score"),
        ("submission_id", "external_submission_id"),
        ("3-gram", "external_3_gram"),
        ("bleu change", "external_bleu_change"),
        ("a|b; DROP TABLE x --", "a_b_drop_table_x"),
    ],
)
def test_names_are_columns_of_their_own(db: Tracker, label: str, name: str) -> None:
    rows = pa.table({"submission_id": ["C/a/three"], "score": [1.0]})
    with db.writing() as database:
        assert external_name(database, label) == name
        computed = store_external(database, ExternalScoring(label=label), None, rows, source="s")
    assert computed.metric == name
    assert db.sql("SELECT count(*) AS n FROM external_metric").to_pylist() == [{"n": 1}]


def test_a_name_needs_a_letter(db: Tracker) -> None:
    with db.writing() as database, pytest.raises(InputError, match="has no letter"):
        external_name(database, "—")


@pytest.mark.parametrize(
    ("name", "content", "message", "where"),
    [
        ("M-refA.seg.score", "", "the file holds no scores", ""),
        ("M-refA.seg.score", "a\t0.5\na b 0.5\n", "not a system, a tab and a score", ":2"),
        ("M-refA.seg.score", "a\t0.5\n\na\t1\n", "not a system, a tab and a score", ":2"),
        ("M-refA.seg.score", "a\t0.5\na\tnan\na\t1\n", "'nan' is no score", ":2"),
        ("M-refA.seg.score", "a\tinf\n", "'inf' is no score", ":1"),
        ("M-refA.seg.score", "a\t1\na\t-1e300\n", "'-1e300' is no score", ":2"),
        ("M-refA.seg.score", "a\t1_0\n", "'1_0' is no score", ":1"),
        ("M-refA.seg.score", "a\t0.5\na\t1\n", "2 scores of 'C/a/three', which has 3", ""),
        ("M-refA.seg.score", "a\t1\n" * 4, "4 scores of 'C/a/three', which has 3", ""),
        ("M-refA.seg.score", "zz\t0.5\n", "no submission 'C/zz/three'", ":1"),
        ("M-refA.sys.score", "a\t0.5\na\t0.5\n", "has two scores, the first on line 1", ":2"),
        ("M-refA.domain.score", "a\t0.5\n", "the file name does not say what the scores are", ""),
        ("M.score", "a\t0.5\n", "the file name does not say what the scores are", ""),
        ("m.xlsx", "a", "scores of this format are not known", ""),
        ("m.csv", "system,sent_id,score\na,x,1\n", "the metric is not named", ":2"),
        ("m.csv", "system,sent_id,metric\na,x,M\n", "there is no column 'score'", ""),
        ("m.csv", "system,sent_id,metric,score\na,q,M,1\n", "has no sentence 'q'", ":2"),
        ("m.csv", "system,sent_id,metric,score\na,x,M,1\na,x,M,1\n", "has two scores", ":3"),
        ("m.csv", "system,sent_id,metric,score\na,1,M,1\na,2,M,1\n", "count from 0 or 1", ":2"),
        ("m.jsonl", '{"system": "a", "metric": "M", "score": [1]}\n', "no object of scores", ":1"),
        ("m.jsonl", '{"system": "a", "score": {"M": "x"}}\n', "is no score", ":1"),
        ("m.jsonl", '{"system": "a", "score": {"M": NaN}}\n', "is no score", ":1"),
        ("m.json", "{", "this is not JSON", ":1"),
        ("m.json", "[1]", "no score of sacreBLEU", ":1"),
        ("m.json", "[]", "holds no scores", ":1"),
        ("m.json", '{"a.txt": [{"mt": "x"}]}', "item has no score", ":1"),
        ("m.json", '{"name": "BLEU", "score": "high"}', "is no score", ":1"),
    ],
)
def test_what_is_refused_leaves_nothing(
    db: Tracker, tmp_path: Path, name: str, content: str, message: str, where: str
) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(TrackerError, match=message) as caught:
        db.ingest_metric_scores(path)
    assert str(caught.value.where).startswith(f"{path}{where}")
    assert db.sql("SELECT count(*) AS n FROM external_metric").to_pylist() == [{"n": 0}]


def test_one_broken_file_of_several_leaves_nothing(db: Tracker, tmp_path: Path) -> None:
    good = written(tmp_path, "M-refA.seg.score", SEGMENTS)
    bad = written(tmp_path, "N-refA.seg.score", SEGMENTS.replace("b", "c"))
    with pytest.raises(UnknownNameError):
        db.ingest_metric_scores([good, bad])
    assert stored(db, "m") == {}


def test_unknown_fields_are_refused(db: Tracker, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'value' is not a field of metric scores"):
        read_metric_scores(written(tmp_path, "m.csv", "x\n"), columns={"value": "x"})


def test_a_parameter_that_there_is_not_is_named_before_the_file_is_read(
    db: Tracker, tmp_path: Path
) -> None:
    with pytest.raises(TypeError, match="keyword argument 'metric'"):
        db.ingest_metric_scores(tmp_path / "none.csv", metric="x")  # type: ignore[call-arg]
