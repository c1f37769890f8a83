"""WMT25's file of the human evaluation: segments as its README documents them, JSON and Parquet."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import campaign, contents, written

ERRORS = [{"start_i": 1, "end_i": 3, "severity": "major"}]


def annotated(*scores: float, errors: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """An output's annotations, one a round."""
    fields: dict[str, Any] = {}
    for n, score in enumerate(scores, start=1):
        fields |= {f"human{n}": score, f"annotator{n}": f"a{n}", f"errors{n}": errors or []}
        fields[f"times{n}"] = [1754386211.0, 1754386251.5]
    return fields


def segment(
    name: str, number: int, scores: dict[str, Any], *, reference: bool = True
) -> dict[str, Any]:
    outputs = {"A": f"Ein Satz\n{name} {number}.", "B": f"Der Satz {number}."}
    references = {"refA": f"Ein Satz {name} {number}."} if reference else {}
    return {
        "doc_id": f"{name}_#_{number}",
        "src_text": f"Věta {name}\n{number}.",
        "tgt_text": {**references, **outputs},
        "scores": scores,
    }


SEGMENTS = [
    segment("cs-de_DE_#_news_#_blesk.cz", 0, {"A": annotated(90, 80), "B": annotated(40)}),
    segment("cs-de_DE_#_news_#_blesk.cz", 1, {"A": annotated(70, errors=ERRORS)}),
    segment("cs-de_DE_#_social_#_x_1", 0, {"B": annotated(60), "refA": annotated(100)}),
    segment("cs-de_DE_#_social_#_x_1", 1, {}),
    segment("en-mas_KE_#_news_#_blesk.cz", 0, {"A": annotated(10)}, reference=False),
]
SEGMENTS[3]["tgt_text"]["B"] = None


def file_of(folder: Path, segments: Any, name: str = "wmt25-genmt-humeval.jsonl") -> Path:
    return written(folder / name, (json.dumps(item, ensure_ascii=False) for item in segments))


def test_a_pair_from_the_file(tracker: Tracker, tmp_path: Path) -> None:
    path = file_of(tmp_path, SEGMENTS)
    report = tracker.ingest_wmt(path, "cs-de_DE")
    assert (report.treebank_id, report.campaign_id, report.reference) == (
        *("wmt25.cs-de_DE", "WMT25", "refA"),
    )
    assert (report.sentences, report.submissions, report.judgements) == (4, 3, 6)
    rows = tracker.sql(
        "SELECT sent_id, text, source_text, document_id, domain FROM sentence "
        "JOIN sentence_source USING (treebank_id, sentence_no) ORDER BY sentence_no"
    ).to_pylist()
    assert [(row["sent_id"], row["document_id"], row["domain"]) for row in rows] == [
        ("news_#_blesk.cz_#_0", "blesk.cz", "news"),
        ("news_#_blesk.cz_#_1", "blesk.cz", "news"),
        ("social_#_x_1_#_0", "x_1", "social"),
        ("social_#_x_1_#_1", "x_1", "social"),
    ]
    assert [row["source_text"] for row in rows] == [item["src_text"] for item in SEGMENTS[:4]]
    assert [row["text"] for row in rows] == [item["tgt_text"]["refA"] for item in SEGMENTS[:4]]
    outputs = tracker.sql(
        "SELECT system_id, system_kind, list(text ORDER BY sentence_no) AS texts FROM output "
        "JOIN submission_identity USING (submission_id) GROUP BY ALL ORDER BY 1"
    ).to_pylist()
    assert {row["system_id"]: row["system_kind"] for row in outputs} == {
        "A": "team",
        "B": "team",
        "refA": "human",
    }
    for row in outputs:
        own = [item["tgt_text"][row["system_id"]] for item in SEGMENTS[:4]]
        assert row["texts"] == own
    (judged,) = tracker.sql(
        "SELECT error_spans, epoch(judged_at) AS time, criterion, hit_id FROM judgement "
        "WHERE len(error_spans) > 0"
    ).to_pylist()
    (span,) = judged["error_spans"]
    assert (span["start_character"], span["end_character"], span["severity"]) == (1, 4, "major")
    assert (judged["time"], judged["criterion"]) == (1754386251.5, "esa")
    tracker.human("WMT25", annotators="all", ranked_by="raw", over="domains")
    ranking = tracker.sql(
        "SELECT system_id, score FROM human_leaderboard WHERE annotators = 'all'"
    ).to_pylist()
    assert {row["system_id"]: row["score"] for row in ranking} == {
        "A": mean([mean([90, 80]), 70]),
        "B": mean([40, 60]),
        "refA": 100,
    }

    again = tracker.ingest_wmt(path, "cs-de_DE")
    assert (again.submissions, again.judgements) == (0, 0)
    # Another pair has the same names of documents; it has no reference.
    other = tracker.ingest_wmt(path, "en-mas_KE")
    assert (other.reference, other.sentences, other.submissions, other.judgements) == (
        None,
        1,
        2,
        1,
    )


def test_lists_of_annotations_are_the_same(tracker: Tracker, tmp_path: Path) -> None:
    """Control segments have lists, of any number of annotators."""
    scores = {
        "A": [
            {"human": 90, "annotator": "a1", "errors": [], "times": []},
            {"human": 30, "annotator": "a2", "errors": ERRORS, "times": [5]},
            {"score": 20, "annotator": "a3"},
        ]
    }
    path = file_of(
        tmp_path, [segment("cs-de_DE_#_news_#_d", 0, scores)], "wmt25-genmt-humeval_control.jsonl"
    )
    assert tracker.ingest_wmt(path, "cs-de_DE").judgements == 3
    rows = tracker.sql("SELECT annotator_id, raw_score FROM judgement ORDER BY 1").to_pylist()
    assert [(*row.values(),) for row in rows] == [("a1", 90), ("a2", 30), ("a3", 20)]


def test_parquet_is_the_same(tracker: Tracker, tmp_path: Path) -> None:
    """Systems as fields, of which absent ones are NULL, and as a map."""
    tracker.ingest_wmt(file_of(tmp_path, SEGMENTS), "cs-de_DE")
    tables = ("sentence", "sentence_source", "output", "judgement")
    wanted = contents(tracker.database, tables)
    pq.write_table(pa.Table.from_pylist(SEGMENTS), tmp_path / "wmt25.parquet")
    texts = pa.array(
        [list(item["tgt_text"].items()) for item in SEGMENTS], pa.map_(pa.string(), pa.string())
    )
    table = pa.Table.from_pylist(SEGMENTS)
    place = table.schema.get_field_index("tgt_text")
    pq.write_table(table.set_column(place, "tgt_text", texts), tmp_path / "wmt25-map.parquet")
    for name in ("wmt25.parquet", "wmt25-map.parquet"):
        with campaign() as other:
            other.ingest_wmt(tmp_path / name, "cs-de_DE")
            assert contents(other.database, tables) == wanted


BROKEN: list[tuple[Any, str]] = [
    (3, "'None' is no id of a segment"),
    ({"doc_id": "cs-de_DE_#_news_#_d"}, "is no id of a segment"),
    ({"doc_id": "cs-de_DE_#_news_#_d_#_0"}, "no source, no outputs or no scores"),
    (segment("cs-de_DE_#_n_#_d", 0, {"A": 5}), "annotations are no object"),
    (segment("cs-de_DE_#_n_#_d", 0, {"A": annotated(101)}), "'101' is no score from 0 to 100"),
    (segment("cs-de_DE_#_n_#_d", 0, {"A": {"human": 5}}), "an annotation of A has no annotator"),
    (segment("cs-de_DE_#_n_#_d", 0, {"A b/c": annotated(1)}), "'A b/c' cannot be the id"),
    (
        segment("cs-de_DE_#_n_#_d", 0, {"A": annotated(5, errors=[{"start_i": 5, "end_i": 2}])}),
        "an error cannot be from 5 to 2",
    ),
    (SEGMENTS[0], "is there twice"),
    ({**segment("cs-de_DE_#_n_#_d", 0, {}), "tgt_text": {"A": 7}}, "an output is no text"),
]


@pytest.mark.parametrize(("row", "message"), BROKEN)
def test_of_a_broken_file_nothing_is_stored(
    tracker: Tracker, tmp_path: Path, row: Any, message: str
) -> None:
    path = file_of(tmp_path, [*SEGMENTS, row])
    with pytest.raises(InputError, match=message) as caught:
        tracker.ingest_wmt(path, "cs-de_DE")
    assert caught.value.where == f"{path}:{len(SEGMENTS) + 1}"
    assert tracker.sql("SELECT count(*) AS n FROM treebank").to_pylist() == [{"n": 0}]


def test_files_that_are_something_else(tracker: Tracker, tmp_path: Path) -> None:
    path = file_of(tmp_path, SEGMENTS)
    for pair, message in (("fr-de", "nothing of fr-de"), ("de", "no language pair")):
        with pytest.raises(InputError, match=message):
            tracker.ingest_wmt(path, pair)
    pointer = written(tmp_path / "wmt25-a.jsonl", "version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(InputError, match="a pointer of Git LFS"):
        tracker.ingest_wmt(pointer, "cs-de_DE")
    cut = written(tmp_path / "wmt25-b.parquet", "PAR1")
    with pytest.raises(InputError, match="cannot be read"):
        tracker.ingest_wmt(cut, "cs-de_DE")
    with pytest.raises(InputError, match="this is not JSON"):
        tracker.ingest_wmt(written(tmp_path / "wmt25-c.jsonl", '{"doc_id"'), "cs-de_DE")
    nameless = file_of(tmp_path, SEGMENTS, "segments.jsonl")
    with pytest.raises(InputError, match="the campaign is not named"):
        tracker.ingest_wmt(nameless, "cs-de_DE")
    assert tracker.ingest_wmt(nameless, "cs-de_DE", campaign="X").judgements == 6
    other = json.loads(json.dumps(SEGMENTS))
    other[0]["scores"]["A"]["human1"] = 1
    path = file_of(tmp_path, other)
    with pytest.raises(InputError, match="judged this item") as caught:
        tracker.ingest_wmt(path, "cs-de_DE", campaign="X")
    assert caught.value.where == str(path)
    assert tracker.ingest_wmt(path, "cs-de_DE", campaign="X", replace=True).judgements > 0
