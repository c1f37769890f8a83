"""Several references per sentence: BLEU, chrF and TER equal to sacreBLEU, from files to scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.functions.several_references import (
    chrf_plusplus_statistics_of_several,
    chrf_statistics_of_several,
    ngram_statistics_of_several,
    translation_edits_of_several,
)
from sr_tracker.queries.functions.text import normalised_text
from sr_tracker.queries.functions.words import tokens_13a
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests import commands
from tests.building import written
from tests.conftest import Filled

Row = tuple[str, list[str | None]]

words = st.lists(st.sampled_from(["a", "b", "A", "c,", "d.", "é", "1,5"]), max_size=12)
texts = words.map(" ".join)
rows_of_all = st.lists(
    st.tuples(texts, st.tuples(texts, texts | st.none(), texts | st.none()).map(list)),
    min_size=1,
    max_size=6,
)


def columns(rows: list[Row]) -> tuple[pa.Array, pa.Array]:
    outputs = pa.array([output for output, _ in rows], pa.string())
    return outputs, pa.array([references for _, references in rows], pa.list_(pa.string()))


def streams(rows: list[Row]) -> tuple[list[str], list[list[str | None]]]:
    outputs = [output for output, _ in rows]
    return outputs, [list(item) for item in zip(*(row for _, row in rows), strict=True)]


def of_lists(function: object, lists: pa.Array) -> pa.Array:
    return pa.ListArray.from_arrays(lists.offsets, function(lists.values))  # type: ignore[operator]


@given(rows_of_all)
def test_bleu_counts_are_sacrebleu_s(rows: list[Row]) -> None:
    outputs, lists = columns(rows)
    computed = ngram_statistics_of_several(tokens_13a(outputs), of_lists(tokens_13a, lists), 4)
    flat = [
        [row["output_length"], row["reference_length"], *row["matches"], *row["totals"]]
        for row in computed.to_pylist()
    ]
    assert flat == BLEU()._extract_corpus_statistics(*streams(rows))


@pytest.mark.parametrize(
    ("function", "metric"),
    [
        (chrf_statistics_of_several, CHRF()),
        (chrf_plusplus_statistics_of_several, CHRF(word_order=2)),
    ],
)
@given(rows=rows_of_all)
def test_chrf_counts_are_sacrebleu_s(function: object, metric: CHRF, rows: list[Row]) -> None:
    table_rows = function(*columns(rows)).to_pylist()  # type: ignore[operator]
    assert table_rows == metric._extract_corpus_statistics(*streams(rows))


@given(rows_of_all)
def test_edits_are_sacrebleu_s(rows: list[Row]) -> None:
    outputs, lists = columns(rows)
    table_rows = translation_edits_of_several(
        normalised_text(outputs), of_lists(normalised_text, lists)
    ).to_pylist()
    expected = TER()._extract_corpus_statistics(*streams(rows))
    assert [[row["edits"], row["reference_length"]] for row in table_rows] == expected


def test_what_is_missing_is_null() -> None:
    outputs = pa.array(["a", None, "a", "a"], pa.string())
    lists = pa.array([["a"], ["a"], None, [None]], pa.list_(pa.string()))
    for function in (
        chrf_statistics_of_several,
        translation_edits_of_several,
        lambda *both: ngram_statistics_of_several(*both, 4),
    ):
        assert function(outputs, lists).is_valid().to_pylist() == [True, False, False, False]


OUTPUTS = ["The dog runs fast .", "A cat", "no idea at all", "He said 1,000.5 words, twice.", ""]
FIRST = ["The dog runs.", "The cat sat.", "nothing like it", "He said 1,000.5 words.", "Gone."]
OTHER = ["A dog is running fast .", "A cat sat down", "", "Twice he said words.", "It is gone"]
THIRD = ["Dogs run", "", "", "", "Away"]


@pytest.fixture
def db(filled: Filled, tmp_path: Path) -> Tracker:
    for name, lines in {"A": FIRST, "B": OTHER, "C": THIRD}.items():
        (tmp_path / f"ref{name}.txt").write_text("".join(f"{line}\n" for line in lines))

    def fill(db: Tracker) -> None:
        db.ingest_references(tmp_path / "refA.txt", treebank="five", language="en")
        db.submit(OUTPUTS, system="ours", treebank="five", log=False, accept_mismatch=True)

    return filled("references", fill)


def scores(db: Tracker) -> dict[str, float]:
    query = (
        "SELECT metric, score FROM submission_score "
        "SEMI JOIN current_scoring USING (submission_id, metric, signature_id)"
    )
    return {row["metric"]: row["score"] for row in db.sql(query).to_pylist()}


def output_scores(db: Tracker, metric: str) -> list[float]:
    query = (
        "SELECT score FROM sentence_score SEMI JOIN current_scoring "
        f"USING (submission_id, metric, signature_id) WHERE metric = '{metric}' "
        "ORDER BY sentence_no"
    )
    return [row["score"] for row in db.sql(query).to_pylist()]


def test_from_files_to_sacrebleu_s_scores(db: Tracker, tmp_path: Path) -> None:
    single = scores(db)
    for name in ("B", "C"):
        path = tmp_path / f"ref{name}.txt"
        assert db.ingest_references(path, treebank="five", alternative=f"ref{name}") == (
            "five",
            True,
        )
        assert not db.ingest_references(path, treebank="five", alternative=f"ref{name}")[1]
    assert db.score().scores == 6
    assert db.score().scores == 0
    all_of_them = [[line or None for line in item] for item in (FIRST, OTHER, THIRD)]
    lower = [[line and line.lower() for line in item] for item in all_of_them]
    computed = scores(db)
    expected = {
        "bleu_13a": sacrebleu.corpus_bleu(OUTPUTS, all_of_them).score,
        "bleu": BLEU(tokenize="none", force=True)
        .corpus_score([output.lower() for output in OUTPUTS], lower)
        .score,
        "chrf": CHRF().corpus_score(OUTPUTS, all_of_them).score,
        "chrf_plusplus": CHRF(word_order=2).corpus_score(OUTPUTS, all_of_them).score,
        "ter": TER().corpus_score(OUTPUTS, all_of_them).score,
    }
    for metric, score in expected.items():
        assert computed[metric] == pytest.approx(score / 100, abs=1e-12), metric
        assert computed[metric] != pytest.approx(single[metric], abs=1e-6), metric
    for metric in ("nist", "dist", "dist_pooled"):
        assert computed[metric] == single[metric]
    of_sentence = {
        "bleu_13a": sacrebleu.sentence_bleu,
        "chrf": sacrebleu.sentence_chrf,
        "ter": sacrebleu.sentence_ter,
    }
    for metric, function in of_sentence.items():
        wanted = [
            function(output, [item[n] for item in all_of_them if item[n]]).score / 100
            for n, output in enumerate(OUTPUTS)
        ]
        assert output_scores(db, metric) == pytest.approx(wanted, abs=1e-12), metric
    (smoothed,) = db.sql(
        "SELECT parameters ->> 'references' AS of FROM signature WHERE metric = 'bleu_smoothed' "
        "ORDER BY of NULLS LAST LIMIT 1"
    ).to_pylist()
    assert smoothed["of"] == "var"
    with db.reading() as database:
        assert not run_audits(database)


def test_the_first_alone_is_as_before(db: Tracker, tmp_path: Path) -> None:
    single = scores(db)
    db.ingest_references(tmp_path / "refB.txt", treebank="five", alternative="refB")
    db.score()
    several = scores(db)
    assert several != single
    first = db.score(references="first")
    assert (first.scores, first.beside) == (0, {"five": "references: all"})
    assert scores(db) == several
    assert db.score(references="first", elect=True).scores == 0
    assert scores(db) == single
    assert db.score(references="all").scores == 0
    assert scores(db) == single
    assert db.score(references="all", elect=True).scores == 0
    assert scores(db) == several
    with pytest.raises(InputError, match="no choice of references"):
        db.score(references="second")


def test_new_runs_and_rescoring_keep_to_the_choice(db: Tracker, tmp_path: Path) -> None:
    db.ingest_references(tmp_path / "refB.txt", treebank="five", alternative="refB")
    single = scores(db)
    db.score(references="first")
    assert scores(db) == single
    new = db.submit(OUTPUTS, system="theirs", treebank="five", log=False, accept_mismatch=True)
    assert db.score().scores == 0
    assert not db.rescore().outdated
    table_rows = db.sql(
        "SELECT DISTINCT submission_id, parameters ->> 'references' AS of "
        "FROM submission_metrics JOIN signature USING (signature) ORDER BY 1"
    )
    assert table_rows.to_pylist() == [
        {"submission_id": "local/ours/five", "of": None},
        {"submission_id": new.submission_id, "of": None},
    ]
    settings = {row["metric"]: row["settings"] for row in db.show("metrics").to_pylist()}
    assert (settings["bleu"], settings["dist"]) == ("five: references first", None)
    command = (tmp_path / "campaign.duckdb", "score", "--references", "all", "--no-log")
    table_rows = commands.run(*command).stderr
    assert "the score on five is by other settings (references: first)" in table_rows
    assert "other settings" not in commands.run(*command, "--elect").stderr
    rows = db.show("metric_settings").to_pylist()
    assert {row["settings"]: row["is_chosen"] for row in rows} == {"all": True, "first": False}


def test_old_scores_are_brought_up_to_date(db: Tracker, tmp_path: Path) -> None:
    db.ingest_references(tmp_path / "refB.txt", treebank="five", alternative="refB")
    report = db.rescore()
    assert {item.metric for item in report.outdated} == {
        *("bleu", "bleu_13a", "bleu_smoothed", "chrf", "chrf_plusplus", "ter")
    }
    assert "references per sentence: none → var" in report.outdated[0].difference
    report = db.significance()
    assert report.intervals


def test_tokens_have_the_first_alone(db: Tracker, tmp_path: Path) -> None:
    db.ingest_references(tmp_path / "refB.txt", treebank="five", alternative="refB")
    submitted = db.submit(
        OUTPUTS, system="other", treebank="five", log=False, reference_form="tokens"
    )
    query = (
        "SELECT DISTINCT parameters ->> 'references' AS of FROM signature "
        f"JOIN scoring USING (signature_id) WHERE target = '{submitted.submission_id}'"
    )
    assert db.sql(query).to_pylist() == [{"of": None}]


def test_what_does_not_fit_is_refused(db: Tracker, tmp_path: Path) -> None:
    path = tmp_path / "refB.txt"
    db.ingest_references(path, treebank="five", alternative="refB")
    (tmp_path / "short.txt").write_text("one\n")
    (tmp_path / "blank.txt").write_text("\n" * 5)
    cases = {
        "has 1 line, 'five' has 5 sentences": ("short.txt", "refD"),
        "holds no sentence": ("blank.txt", "refD"),
        "cannot be the name of a reference": ("refC.txt", "ref C"),
        "has other references called 'refB' already": ("refC.txt", "refB"),
    }
    for message, (name, reference) in cases.items():
        with pytest.raises(InputError, match=message):
            db.ingest_references(tmp_path / name, treebank="five", alternative=reference)
    with pytest.raises(InputError, match="belong to a treebank that is loaded"):
        db.ingest_references(path, alternative="refB")
    assert db.show("alternative_reference").num_rows == 4
    assert db.ingest_references(
        tmp_path / "refC.txt", treebank="five", alternative="refB", replace=True
    )[1]
    assert db.show("alternative_reference").num_rows == 2
    db.remove("submission", "ours")
    db.remove("treebank", "five")
    assert db.show("alternative_reference").num_rows == 0
    ingested = db.sql("SELECT 1 FROM ingestion WHERE kind = 'alternative_reference'")
    assert ingested.num_rows == 0


def test_a_table_with_ids(db: Tracker, tmp_path: Path) -> None:
    path = written(tmp_path / "refs.tsv", "sent_id\ttext\n4\tLast words\n1\tDogs\n")
    db.ingest_references(path, treebank="five", alternative="refB")
    query = "SELECT sentence_no, text FROM alternative_reference ORDER BY ALL"
    assert [tuple(row.values()) for row in db.sql(query).to_pylist()] == [
        (1, "Dogs"),
        (4, "Last words"),
    ]


def test_lists_of_texts_are_several_references(db: Tracker, tmp_path: Path) -> None:
    """Of a test set those besides the first ones, of other references all, numbered."""
    lists = (["Dogs bark", "x"], ["Dogs bark", "Bark", "x"])
    rows = [{"id": number, "references": texts} for number, texts in enumerate(lists)]
    path = written(tmp_path / "lists.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    for new in (True, False):
        assert db.ingest_references(path, treebank="two") == ("two", new)
        assert db.ingest_references(path, treebank="two", alternative="B") == ("two", new)
    query = "SELECT reference_name, list(text ORDER BY sentence_no) FROM alternative_reference "
    texts = db.sql(f"{query} WHERE treebank_id = 'two' GROUP BY ALL ORDER BY ALL").to_pylist()
    assert [tuple(row.values()) for row in texts] == [
        ("B", ["Dogs bark", "Dogs bark"]),
        ("B-2", ["x", "Bark"]),
        ("B-3", ["x"]),
        ("reference-2", ["x", "Bark"]),
        ("reference-3", ["x"]),
    ]


def test_many_rows_at_once() -> None:
    generator = np.random.default_rng(1)
    drawn = generator.integers(0, 50, (3, 3000, 20)).astype(str)
    outputs, *references = ([" ".join(row) for row in side] for side in drawn)
    lists = pa.array(
        [list(reference) for reference in zip(*references, strict=True)], pa.list_(pa.string())
    )
    computed = ngram_statistics_of_several(pa.array(outputs), lists, 4)
    expected = np.array(BLEU()._extract_corpus_statistics(outputs, references))
    assert [row["matches"] for row in computed.to_pylist()] == expected[:, 2:6].tolist()
