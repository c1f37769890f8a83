"""Meaning by graphs and MF-score: counts by hand, published tables, and who takes the scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.sides import pairing_of
from sr_tracker.queries.change.gate import check_gate
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.change.significance import run_significance
from sr_tracker.queries.change.significance.replicates import read_statistics
from sr_tracker.queries.change.thresholds import parse_threshold
from sr_tracker.queries.meaning.form.scoring import score_form
from sr_tracker.queries.meaning.functions.graph_triples import TopConvention
from sr_tracker.queries.meaning.matching import MeaningSettings
from sr_tracker.queries.meaning.mf import score_mf
from sr_tracker.queries.meaning.scoring import match_references, score_meaning
from sr_tracker.queries.metrics.formulas import formula_of, score_sums
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.experiments.results import read_numbers
from tests.building import add_run, campaign, load, measure_changes
from tests.meaning.test_form import Stub

TEXTS = ["The boy wants to go .", "She does not sleep .", "Ann sings .", "It rains ."]
GOLD = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(s / sleep-01 :polarity - :ARG0 (h / she))",
    '(s / sing-01 :ARG0 (p / person :wiki "Ann" :name (n / name :op1 "Ann")))',
    "(r / rain-01)",
]
AFFIRMED = "(s / sleep-01 :ARG0 (h / she))"
OUTPUTS = {
    "good": TEXTS,
    "bad": ["The girl wants to go .", "She sleeps .", "", "Rain rains ."],
    "worse": ["Boys .", "Sleep .", "Singing .", "Yes ."],
}
PARSES: dict[str, list[str | None]] = {
    "good": [GOLD[0], AFFIRMED, GOLD[2], GOLD[3]],
    "bad": ["(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b))", AFFIRMED, None, None],
    "worse": ["(b / boy)", "(s / sleep-01)", "(s / sing-02)", "(y / yes)"],
}
QUALITIES: dict[str, list[float]] = {
    "good": [0.99, 0.97, 0.96, 0.2],
    "bad": [0.98, 0.99, 0, 0],
    "worse": [1, 1, 1, 1],
}
PARSER = MeaningSettings("toy/1", top="none")


def amr(graphs: Sequence[str | None], texts: Sequence[str], quality: Sequence[float] = ()) -> str:
    blocks = [
        f"# ::id s{number}\n# ::snt {text}\n"
        + (f"# ::quality {quality[number - 1]}\n" if quality else "")
        + graph
        for number, (graph, text) in enumerate(zip(graphs, texts, strict=True), start=1)
        if graph is not None
    ]
    return "\n\n".join(blocks) + "\n"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of gold graphs, and of three systems with parses; nothing is computed of them."""
    path = tmp_path_factory.mktemp("meaning") / "campaign.duckdb"
    with campaign(path) as tracker:
        gold = amr(GOLD, TEXTS)
        load(tracker.ingest_amr, gold, "gold.amr", treebank="gold", language="en")
        for system, texts in OUTPUTS.items():
            run = add_run(tracker, system, texts, "gold")
            parses = amr(PARSES[system], texts, QUALITIES[system])
            load(tracker.ingest_graphs, parses, "parses.amr", parser="toy/1", submission=run)
        load(tracker.ingest_graphs, gold, "gold.amr", parser="toy/1", references="gold")
    return path


@pytest.fixture(scope="module")
def tracker(loaded: Path) -> Iterator[Tracker]:
    """Three systems with meaning, form and MF-score; not to be changed."""
    path = loaded.with_name("scored.duckdb")
    path.write_bytes(loaded.read_bytes())
    with connect(path) as tracker, tracker.writing():
        score_meaning(tracker.database, PARSER)
        entries: dict[str, float | None] = dict.fromkeys(
            [*OUTPUTS["worse"], OUTPUTS["bad"][1]], 0.1
        )
        score_form(tracker.database, Stub(entries))
        score_mf(tracker.database)
        yield tracker


@pytest.fixture
def fresh(loaded: Path, tmp_path: Path) -> Iterator[Tracker]:
    path = tmp_path / "campaign.duckdb"
    path.write_bytes(loaded.read_bytes())
    with connect(path) as tracker, tracker.writing():
        yield tracker


def rows(tracker: Tracker, query: str) -> list[tuple[object, ...]]:
    table_rows: list[tuple[object, ...]] = tracker.database.connection.execute(query).fetchall()
    return table_rows


def test_scores_counted_by_hand(tracker: Tracker) -> None:
    """Gold graphs have 6, 4, 7 and 1 triples; two parses of bad match 5 of 6 and 3 of 3."""
    assert rows(
        tracker,
        "SELECT metric, score, sentences FROM submission_metrics "
        "WHERE submission_id = 'local/bad/gold' AND metric LIKE 'smatch%' ORDER BY metric",
    ) == [
        ("smatch", pytest.approx(2 * 8 / (9 + 18)), 4),
        ("smatch_precision", pytest.approx(8 / 9), 4),
        ("smatch_recall", pytest.approx(8 / 18), 4),
    ]
    assert rows(
        tracker,
        "SELECT metric, score, undefined_reason FROM sentence_score "
        "WHERE submission_id = 'local/bad/gold' AND sentence_no = 3 AND metric LIKE 'smatch%' "
        "ORDER BY metric",
    ) == [
        ("smatch", 0, None),
        ("smatch_precision", None, "the output has no graph"),
        ("smatch_recall", 0, None),
    ]


def test_missing_graphs_are_counted_and_said(tracker: Tracker) -> None:
    (row,) = tracker.show("meaning_scores", where="system_id = 'bad'").to_pylist()
    assert (row["sentences"], row["without_graph"], row["unproved"], row["gap"]) == (4, 2, 0, 0)
    assert (row["metric"], row["parser"], row["upper_bound"]) == ("smatch", "toy/1", None)


def test_aspects_of_meaning(tracker: Tracker) -> None:
    rows_by_aspect = {
        row["aspect"]: row
        for row in tracker.show("fine_grained_scores", where="system_id = 'good'").to_pylist()
    }
    negation = rows_by_aspect["negation"]
    assert (negation["precision"], negation["recall"], negation["f1"]) == (None, 0, 0)
    assert (negation["gold_triples"], negation["sentences"]) == (1, 1)
    for aspect in ("named_entities", "wikification", "reentrancies", "concepts", "srl"):
        assert rows_by_aspect[aspect]["f1"] == 1, aspect
    measures = rows(
        tracker,
        "SELECT measure, kind, item, score, n FROM submission_measures "
        "WHERE system_id = 'worse' AND measure IN ('smatch[concepts]', 'smatch[negation]') "
        "ORDER BY measure",
    )
    # Its four concepts match two of gold's nine, which stand in all four sentences.
    assert measures == [
        ("smatch[concepts]", "meaning", "concepts", pytest.approx(2 * 2 / (4 + 9)), 4),
        ("smatch[negation]", "meaning", "negation", 0, 1),
    ]


def test_meaning_and_form_make_mf(tracker: Tracker) -> None:
    """Of 'bad', one output is improbable and one missing: its form is one half."""
    (row,) = tracker.show("mf_scores", where="system_id = 'bad'").to_pylist()
    meaning = 2 * 8 / (9 + 18)
    assert (row["meaning"], row["form"]) == (pytest.approx(meaning), 0.5)
    assert row["mf_1"] == pytest.approx(2 * meaning * 0.5 / (meaning + 0.5))
    assert row["mf_05"] == pytest.approx(1.25 * meaning * 0.5 / (0.25 * meaning + 0.5))
    assert (row["meaning_rank"], row["form_rank"], row["mf_1_rank"]) == (2, 2, 2)
    assert row["measure"] == "smatch"
    shown = tracker.meaning.mf(system="bad").to_pylist()
    assert [(item["mf_1"], item["mf_0.5"]) for item in shown] == [(row["mf_1"], row["mf_05"])]
    stored = rows(
        tracker,
        "SELECT metric, score FROM submission_metrics "
        "WHERE submission_id = 'local/bad/gold' AND metric LIKE 'mf%' ORDER BY metric",
    )
    assert stored == [("mf_0.5", row["mf_05"]), ("mf_1", row["mf_1"])]
    assert rows(
        tracker,
        "SELECT score, undefined_reason FROM sentence_score "
        "WHERE submission_id = 'local/bad/gold' AND metric = 'mf_1' ORDER BY sentence_no",
    ) == [
        (pytest.approx(2 * (5 / 6) / (5 / 6 + 1)), None),
        (0, None),
        (None, "meaning and form are 0"),
        (0, None),
    ]


def test_healthy_scores_pass_the_audits_and_broken_ones_do_not(tracker: Tracker) -> None:
    assert run_audits(tracker.database) == []
    connection = tracker.database.connection
    connection.execute("BEGIN")
    connection.execute("UPDATE graph_match SET matched = 9 WHERE aspect = 'all'")
    audits = {finding.audit for finding in run_audits(tracker.database)}
    connection.execute("ROLLBACK")
    assert audits == {"match_counts"}


def test_sums_of_sentences_give_the_stored_scores(tracker: Tracker) -> None:
    for metric in ("smatch", "smatch_precision", "smatch_recall", "mf_1", "mf_0.5"):
        ((signature_id, names, scores),) = rows(
            tracker,
            "SELECT signature_id, list(submission_id ORDER BY submission_id), "
            "list(score ORDER BY submission_id) FROM submission_score "
            f"WHERE metric = '{metric}' GROUP BY signature_id",
        )
        formula = formula_of(metric)
        _, statistics = read_statistics(tracker.database, formula, str(signature_id), list(names))  # type: ignore[call-overload]
        computed = score_sums(tracker.database, formula, statistics.sum(axis=1))
        assert computed.tolist() == pytest.approx(scores)


def test_comparisons_take_metrics_and_aspects(tracker: Tracker) -> None:
    measures = ["smatch", "smatch_recall", "mf_1", "mf_0.5", "smatch[concepts]", "smatch[srl]"]
    changes = measure_changes(
        pairing_of(tracker.database, "local/good/gold", "local/bad/gold"),
        measures,
        Settings(replicates=50),
    )
    assert [change.measure for change in changes] == measures
    for change in changes:
        assert change.p_value is not None, change
        assert change.difference is not None
        assert change.difference >= 0
    assert (changes[-1].kind, changes[-1].new, changes[-1].n) == ("meaning", 1, 3)


def test_mlflow_takes_metrics_and_aspects(tracker: Tracker) -> None:
    numbers = read_numbers(tracker.database, ["local/good/gold"])["local/good/gold"]
    computed = {**numbers.metrics, **numbers.others}
    assert computed["smatch[concepts]"] == 1
    assert computed["smatch[negation]"] == 0
    overall = ("smatch", "smatch_recall", "form", "mf_1", "mf_0.5")
    assert {*overall} <= computed.keys()


def test_gates_take_metrics_and_aspects(tracker: Tracker) -> None:
    thresholds = [parse_threshold("max-drop", name) for name in ("mf_1=5", "smatch[c*]=1")]
    sides = ("local/good/gold", "local/bad/gold")
    settings = Settings(replicates=50)
    assert check_gate(tracker.database, *sides, thresholds, settings=settings).passed
    failed = check_gate(tracker.database, *sides[::-1], thresholds, settings=settings).failed
    assert {item.change.measure for item in failed} == {"mf_1", "smatch[concepts]"}


def test_significance_takes_the_metrics(tracker: Tracker) -> None:
    run_significance(
        tracker.database,
        settings=SignificanceSettings(metrics=["smatch", "mf_0.5"], replicates=100),
    )
    table_rows = rows(
        tracker,
        "SELECT metric, count(*), count(low) FROM metric_intervals GROUP BY metric ORDER BY metric",
    )
    # Fewer than ten sentences say too little for an interval.
    assert table_rows == [("mf_0.5", 3, 0), ("smatch", 3, 0)]


def test_scoring_again_changes_nothing_and_newer_forms_renew_mf(fresh: Tracker) -> None:
    good = ["local/good/gold"]
    assert score_meaning(fresh.database, PARSER, good).scored == good
    score_form(fresh.database, Stub({}), good)
    assert score_mf(fresh.database) == 1
    before = rows(fresh, "FROM scoring ORDER BY ALL")
    again = score_meaning(fresh.database, PARSER, good)
    assert (again.scored, again.unchanged, again.mf) == ([], 1, 0)
    assert rows(fresh, "FROM scoring ORDER BY ALL") == before
    score_form(fresh.database, Stub(dict.fromkeys(TEXTS[:2], 0.01), "other@1"), good, elect=True)
    assert score_mf(fresh.database, good) == 1
    (row,) = fresh.show("mf_scores").to_pylist()
    assert str(row["model"]).endswith("other@1")


def test_replaced_graphs_take_their_scores_along(fresh: Tracker) -> None:
    good = ["local/good/gold"]
    score_form(fresh.database, Stub({}), good)
    assert score_meaning(fresh.database, PARSER, good).mf == 1
    other = amr(PARSES["worse"], OUTPUTS["worse"], QUALITIES["worse"])
    how = {"parser": "toy/1", "submission": good[0], "replace": True, "accept_mismatch": True}
    load(fresh.ingest_graphs, other, "worse.amr", **how)
    assert rows(
        fresh, "SELECT DISTINCT metric FROM scoring JOIN submission ON target = submission_id"
    ) == [("form",)]
    for table in ("graph_match", "statistic_match"):
        assert rows(fresh, f"SELECT count(*) FROM {table}") == [(0,)]
    assert run_audits(fresh.database) == []


def test_sentences_with_bad_parses_are_left_out_for_all(fresh: Tracker) -> None:
    """Good's fourth and bad's fourth parse are below the bound; bad's third output is missing."""
    match_references(fresh.database, "gold", PARSER)
    score_meaning(fresh.database, PARSER, ["local/bad/gold"])
    bound = MeaningSettings("toy/1", top="none", quality=0.95)
    assert score_meaning(fresh.database, bound, elect=True).left_out == {"gold": 1}
    table_rows = fresh.show("meaning_by_parser", where="system_id = 'bad'").to_pylist()
    scores = {
        row["quality"]: (row["f1"], row["sentences"], row["upper_bound"]) for row in table_rows
    }
    assert scores == {
        None: (pytest.approx(2 * 8 / (9 + 18)), 4, 1),
        0.95: (pytest.approx(2 * 8 / (9 + 17)), 3, 1),
    }
    assert (
        rows(
            fresh,
            "SELECT undefined_reason FROM sentence_score SEMI JOIN current_scoring "
            "USING (submission_id, metric, signature_id) WHERE metric = 'smatch' "
            "AND sentence_no = 4",
        )
        == [("left out: a parse of its outputs has too low a quality",)] * 3
    )
    assert run_audits(fresh.database) == []


def test_a_bound_of_quality_stands_beside_the_score(fresh: Tracker) -> None:
    """In whichever order both are scored: the score and its n stay those of all sentences."""
    scores = (
        "SELECT measure, score, n FROM submission_measures WHERE system_id = 'bad' "
        "AND (measure LIKE 'smatch%' OR measure = 'mf_1') ORDER BY measure"
    )
    bound = MeaningSettings("toy/1", top="none", quality=0.95)
    score_form(fresh.database, Stub({}))
    score_meaning(fresh.database, bound)
    assert score_meaning(fresh.database, PARSER).beside == {}
    whole = rows(fresh, scores)
    assert ("smatch", pytest.approx(2 * 8 / (9 + 18)), 4) in whole
    report = score_meaning(fresh.database, MeaningSettings("toy/1", top="none", quality=0.9))
    assert report.beside.keys() == {"gold"}
    assert rows(fresh, scores) == whole


def test_the_upper_bound_is_that_of_the_references(fresh: Tracker) -> None:
    first = match_references(fresh.database, "gold", PARSER)
    assert (first.precision, first.recall, first.f1, first.sentences, first.missing) == (
        *(1, 1, 1, 4, 0),
    )
    assert match_references(fresh.database, "gold", PARSER) == first
    (row,) = fresh.show(
        "fine_grained_scores", where="system_id = 'upper bound' AND aspect = 'negation'"
    ).to_pylist()
    assert (row["submission_id"], row["parser"], row["f1"]) == (None, "toy/1", 1)


def test_s2match_counts_similar_concepts_in_part(fresh: Tracker, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("boy 1 0\ngirl 0.8 0.6\nrain 0 1\n", encoding="utf-8")
    settings = MeaningSettings("toy/1", top="none", vectors=vectors, threshold=0.7)
    bad = ["local/bad/gold"]
    score_form(fresh.database, Stub({}), bad)
    assert score_meaning(fresh.database, PARSER, bad).mf == 1
    beside = score_meaning(fresh.database, settings, bad)
    assert (beside.mf, beside.beside) == (1, {"gold": "mf: smatch"})
    (row,) = fresh.show("mf_scores", where="system_id = 'bad'").to_pylist()
    assert (row["measure"], row["meaning"]) == ("smatch", pytest.approx(2 * 8 / (9 + 18)))
    assert not score_meaning(fresh.database, settings, bad, elect=True).beside
    table_rows = fresh.show("meaning_scores", where="system_id = 'bad'", order="metric").to_pylist()
    assert {row["metric"]: row["f1"] for row in table_rows} == {
        "s2match": pytest.approx(2 * 8.8 / (9 + 18)),
        "smatch": pytest.approx(2 * 8 / (9 + 18)),
    }
    (row,) = fresh.show("mf_scores", where="system_id = 'bad'").to_pylist()
    assert (row["measure"], row["meaning"]) == ("s2match", pytest.approx(2 * 8.8 / (9 + 18)))
    weights = "SELECT parameters ->> ['threshold', 'sense-weight'] FROM signature"
    assert rows(fresh, f"{weights} WHERE metric = 's2match'") == [(["0.7", "0.5"],)]

    def stale() -> set[str]:
        return {row["fault"] for audit in run_audits(fresh.database) if audit.audit == "scorings"
                for row in audit.first_rows if row["metric"] == "s2match"}  # fmt: skip

    assert not stale()
    fresh.database.connection.execute(
        """UPDATE signature SET parameters = '{"threshold": "0.7"}' WHERE metric = 's2match'"""
    )
    assert stale() == {"senses count in full: score the meaning again"}


def test_a_broken_gold_graph_is_compared_with_nothing(tmp_path: Path) -> None:
    whole, broken = (tmp_path / name for name in ("whole.amr", "broken.amr"))
    whole.write_text(amr(GOLD, TEXTS), encoding="utf-8")
    broken.write_text(amr([f"{GOLD[0]}) :x", *GOLD[1:3], "(r / rain-01"], TEXTS), encoding="utf-8")
    with connect(None) as tracker:
        tracker.ingest_amr(broken, treebank="gold", language="en", accept_broken=True)
        (tmp_path / "ours.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
        tracker.ingest_submission(tmp_path / "ours.txt", system="ours", treebank="gold")
        tracker.ingest_graphs(whole, parser="toy/1", submission="local/ours/gold")
        tracker.ingest_graphs(whole, parser="toy/1", references="gold")
        score_meaning(tracker.database, PARSER)
        assert match_references(tracker.database, "gold", PARSER).sentences == 2
        (row,) = tracker.show("meaning_scores", where="metric = 'smatch'").to_pylist()
        assert (row["f1"], row["sentences"], row["upper_bound"]) == (1, 2, 1)
        table_rows = rows(
            tracker,
            "SELECT score, undefined_reason FROM sentence_score WHERE metric = 'smatch' "
            "ORDER BY sentence_no",
        )
        without = (None, "there is no gold graph")
        assert table_rows == [without, (1.0, None), (1.0, None), without]
        assert not run_audits(tracker.database)


def test_an_interrupted_run_keeps_complete_submissions(fresh: Tracker) -> None:
    def interrupt(item: str, done: int, total: int) -> None:
        if item.startswith("2/"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_meaning(fresh.database, PARSER, progress=interrupt)
    assert rows(fresh, "SELECT count(DISTINCT target) FROM scoring WHERE metric = 'smatch'") == [
        (1,)
    ]
    report = score_meaning(fresh.database, PARSER)
    assert (len(report.scored), report.unchanged) == (2, 1)


@pytest.mark.long
def test_several_processes_give_the_same(fresh: Tracker, monkeypatch: pytest.MonkeyPatch) -> None:
    score_meaning(fresh.database, PARSER)
    query = "SELECT * EXCLUDE (signature_id) FROM graph_match ORDER BY ALL"
    alone = rows(fresh, query)
    fresh.database.connection.execute("DELETE FROM scoring; DELETE FROM graph_match")
    monkeypatch.setattr("sr_tracker.queries.meaning.matching.MANY_PAIRS", 1)
    score_meaning(fresh.database, PARSER, workers=2)
    assert rows(fresh, query) == alone


def test_the_parser_that_is_not_named_is_the_only_one(fresh: Tracker) -> None:
    assert fresh.meaning.score({"top": "none"}).scored
    assert fresh.meaning.references("gold", {"top": "none"}).f1 is not None
    for table in ("output_graph", "reference_graph"):
        fresh.database.connection.execute(
            f"INSERT INTO {table} SELECT * REPLACE ('other/2' AS parser) FROM {table}"
        )
    for scored in (fresh.meaning.score, partial(fresh.meaning.references, "gold")):
        with pytest.raises(InputError, match="the parser is not named") as caught:
            scored()
        assert caught.value.hint == "give --parser: other/2, toy/1"


def test_what_cannot_be_scored_is_said(fresh: Tracker, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"(?s)no submission has graphs by 'jamr'.*toy/1"):
        score_meaning(fresh.database, MeaningSettings("jamr"))
    with pytest.raises(UnknownNameError, match="no submission 'x'"):
        score_meaning(fresh.database, PARSER, ["x"])
    with pytest.raises(UnknownNameError, match="no treebank 'x'"):
        match_references(fresh.database, "x", PARSER)
    with pytest.raises(UnknownNameError, match="no graphs by 'jamr' of the references"):
        match_references(fresh.database, "gold", MeaningSettings("jamr"))
    for wrong in (
        {"mode": "guess"},
        {"top": "bottom"},
        {"time_limit": math.nan},
        {"quality": 95},
        {"vectors": tmp_path / "none.txt"},
    ):
        with pytest.raises(InputError):
            MeaningSettings("toy/1", **wrong)
    fresh.database.connection.execute("UPDATE output_graph SET quality = NULL")
    with pytest.raises(InputError, match="no estimate of quality"):
        score_meaning(fresh.database, MeaningSettings("toy/1", quality=0.9))
    fresh.database.connection.execute(
        "UPDATE output_graph SET penman = '(a / b' WHERE variables > 0"
    )
    with pytest.raises(InputError, match=r"(?s)never closed.*sentence 1"):
        score_meaning(fresh.database, PARSER)
    assert rows(fresh, "SELECT count(*) FROM graph_match") == [(0,)]


def test_known_smatch_example(shared_data: Path, fresh: Tracker) -> None:
    """The example of the smatch tool: .8136 with the top's concept, .8475 with a constant."""
    folder = shared_data / "amr" / "small"
    fresh.ingest_amr(folder / "smatch-2.txt", treebank="known")
    fresh.ingest_graphs(folder / "smatch-1.txt", parser="known", references="known")
    entries: list[tuple[TopConvention, float]] = [("concept", 0.8136), ("constant", 0.8475)]
    for top, f1 in entries:
        settings = MeaningSettings("known", top=top)
        bound = match_references(fresh.database, "known", settings)
        assert bound.f1 == pytest.approx(f1, abs=5e-5)


TABLE_1 = {
    "R19": (27.9, 92.7, 71.9, 51.6, 60.1, 66.6),
    "G19": (27.6, 92.4, 73.9, 47.1, 57.5, 66.3),
    "Wb20": (27.3, 92.6, 71.5, 49.5, 58.5, 65.7),
    "C20": (29.8, 92.7, 73.4, 51.9, 60.3, 67.0),
    "Mb20": (33.0, 93.9, 73.7, 74.0, 73.9, 73.8),
    "M20": (33.0, 94.0, 74.5, 69.8, 72.1, 73.5),
    "W20": (33.9, 93.7, 75.3, 55.7, 64.0, 70.3),
}
"""Opitz & Frank 2021, Table 1: BLEU, BERTscore, Meaning, Form, MF-score with beta 1 and 0.5."""
METRICS = ("bleu", "bertscore", "smatch", "form", "mf_1", "mf_0.5")
TABLE_2 = {
    ("bertscore", "bleu"): (94.6, 83.6),
    ("bleu", "smatch"): (79.3, 75.7),
    ("bleu", "form"): (77.2, 84.6),
    ("bertscore", "smatch"): (63.4, 48.7),
    ("bertscore", "form"): (90.0, 95.5),
    ("bertscore", "mf_0.5"): (96.7, 91.9),
    ("form", "smatch"): (39.9, 42.9),
    ("mf_1", "smatch"): (46.4, 42.9),
    ("mf_0.5", "mf_1"): (98.2, 96.4),
}
"""Opitz & Frank 2021, Table 2: Pearson's and Spearman's correlation, times 100."""


def mf(database: Database, values: Sequence[tuple[float, float, float]]) -> list[float | None]:
    columns = [list(column) for column in zip(*values, strict=True)]
    table_rows = database.connection.execute(
        "SELECT mf(m, f, b) FROM (SELECT unnest(?::DOUBLE[]) m, unnest(?::DOUBLE[]) f, "
        "unnest(?::DOUBLE[]) b)",
        columns,
    ).fetchall()
    return [value for (value,) in table_rows]


def test_mf_of_table_1(tracker: Tracker) -> None:
    """Within rounding; C20's MF-scores are those of its Meaning in Table 4, 72.2."""
    for system, (_, _, meaning, form, one, half) in TABLE_1.items():
        m = 72.2 if system == "C20" else meaning
        computed = mf(tracker.database, [(m / 100, form / 100, 1), (m / 100, form / 100, 0.5)])
        assert computed == pytest.approx([one / 100, half / 100], abs=1e-3), system


@given(
    st.lists(
        st.tuples(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0, 100)),
        min_size=1,
        max_size=20,
    )
)
def test_mf_lies_between_meaning_and_form(
    tracker: Tracker, values: list[tuple[float, float, float]]
) -> None:
    for (meaning, form, beta), item in zip(values, mf(tracker.database, values), strict=True):
        weight = beta * beta
        harmonic = (1 + weight) / (1 / meaning + weight / form)
        assert item == pytest.approx(harmonic)
        assert item is not None
        assert min(meaning, form) - 1e-9 <= item <= max(meaning, form) + 1e-9


def test_limits_of_mf(tracker: Tracker) -> None:
    infinity = math.inf
    values = [(0.7, 0.4, 0), (0.7, 0.4, infinity), (0.7, 0.4, 1e200), (0, 0, 1), (0, 0.5, 1)]
    assert mf(tracker.database, [*values, (0.5, 0, 1)]) == pytest.approx(
        [0.7, 0.4, 0.4, None, 0, 0]
    )


def test_correlations_of_table_2(tracker: Tracker) -> None:
    """Computed from the rounded scores of Table 1: within 0.1 of what is printed."""
    connection = tracker.database.connection
    connection.execute("BEGIN")
    connection.execute(
        "INSERT INTO campaign BY NAME SELECT 'C' AS campaign_id, 'C' AS name, 2021 AS year"
    )
    connection.execute(
        "INSERT INTO treebank BY NAME SELECT 'amr' AS treebank_id, 'en' AS language, "
        "'amr' AS scheme, 1 AS sentences, 0 AS tokens, false AS hidden_text, 's' AS source, "
        "'h' AS sha256, [] AS excluded_relations"
    )
    for system, scores in TABLE_1.items():
        connection.execute(
            "INSERT INTO system BY NAME SELECT ? AS system_id, 'team' AS kind", [system]
        )
        connection.execute(
            "INSERT INTO submission BY NAME SELECT $1 AS submission_id, 'C' AS campaign_id, "
            "$1 AS system_id, 'amr' AS treebank_id, 'shallow' AS track, 1 AS iteration, "
            "now() AS created_at, 'text' AS reference_form, 'a' AS analysis, '{}' AS params, "
            "'{}' AS tags, 's' AS source, 'h' AS sha256",
            [system],
        )
        for metric, score in zip(METRICS, scores, strict=True):
            connection.execute(
                "INSERT INTO scoring SELECT $1, $2, $2, 'h', '1', now(), 1", [system, metric]
            )
            connection.execute(
                "INSERT INTO submission_score SELECT $2, $1, $2, $3, 1, NULL",
                [system, metric, score],
            )
    table_rows = connection.execute(
        "SELECT metric, other_metric, 100 * pearson, 100 * spearman, systems, comparable "
        "FROM mf_correlations WHERE campaign_id = 'C'"
    ).fetchall()
    connection.execute("ROLLBACK")
    assert len(table_rows) == 15
    assert {row[4:] for row in table_rows} == {(7, True)}
    correlations = {row[:2]: row[2:4] for row in table_rows}
    for pair, published in TABLE_2.items():
        assert correlations[pair] == pytest.approx(published, abs=0.11), pair


def test_correlations_need_three_systems_that_differ(tracker: Tracker) -> None:
    table_rows = rows(
        tracker,
        "SELECT systems, pearson, spearman, undefined_reason FROM mf_correlations "
        "WHERE metric = 'mf_1' AND other_metric = 'smatch'",
    )
    scores = np.array(
        rows(tracker, "SELECT mf_1, meaning FROM mf_scores ORDER BY submission_id"), float
    )
    pearson = np.corrcoef(scores.T)[0, 1]
    assert table_rows == [(3, pytest.approx(pearson), pytest.approx(1), None)]


def test_the_command_line(fresh: Tracker, tmp_path: Path) -> None:
    score_form(fresh.database, Stub({}))
    fresh.database.close()
    database = ["--database", str(tmp_path / "campaign.duckdb")]
    runner = CliRunner()
    requests = ["meaning", "score", "--system", "bad", "--mode", "climbing"]
    result = runner.invoke(cli, [*database, *requests])
    assert result.exit_code == 0, result.output
    assert "note: local/bad/gold, 4 sentences: 2 without a graph" in result.stderr
    assert "MF-scores of 1 submission computed" in result.stderr
    requests = ["meaning", "references", "gold", "--parser", "toy/1", "--mode", "climbing"]
    result = runner.invoke(cli, [*database, *requests])
    assert "precision 100.00, recall 100.00, F1 100.00 over 4 sentences" in result.stderr
    result = runner.invoke(
        cli, [*database, "meaning", "mf", "--beta", "2", "--beta", "inf", "-f", "csv"]
    )
    head, row, bound = result.stdout.splitlines()
    assert head.endswith("meaning,form,mf_2,mf_inf,sentences,is_bound")
    assert row.startswith("local/bad/gold,smatch,")
    assert bound == "upper bound of gold,smatch,1.0,1.0,1.0,1.0,1.0,1.0,4,True"
