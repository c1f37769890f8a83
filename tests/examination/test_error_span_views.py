"""Where marked errors fall: counts, relations, edge accuracy, and what metrics miss."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binomtest, chi2_contingency, fisher_exact, norm

import sr_tracker
from sr_tracker.queries.errors import Settings
from sr_tracker.queries.examination.marked_errors import rates_apart
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.statements import read_rows
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import campaign, conllu, load

# Six sentences; the odd ones have a relative clause.
PLAIN = ["1 it PRON 2 nsubj", "2 rains VERB 0 root"]
RELATIVE = ["1 dogs NOUN 0 root", "2 that PRON 3 nsubj", "3 bark VERB 1 acl:relcl"]
SENTENCES = [RELATIVE, PLAIN] * 3
OUTPUTS = {
    "good": ["dogs that bark", "it rains"] * 3,
    "bad": ["dogs, bark that", "rains it"] * 2 + ["dogs that bark", "it rains"],
}
# What is marked in the outputs of bad: characters, severity and category of one error, or none.
MARKED = [(6, 10, "major", "a"), (0, 5, "minor", "b"), (6, 15, "major", "a"), None, None, None]


@pytest.fixture(scope="module")
def tracker() -> Iterator[Tracker]:
    trees = [
        [(form, head, relation, upos) for _, form, upos, head, relation in map(str.split, words)]
        for words in SENTENCES
    ]
    names = [str(number) for number, _ in enumerate(SENTENCES, start=1)]
    treebanks = {"en_toy-ud-test": conllu(trees, names=names)}
    rows: list[tuple[object, ...]] = [
        ("annotator", "system", "sent_id", "criterion", "score", "error_spans")
    ]
    for system in OUTPUTS:
        for number, mark in enumerate(MARKED, start=1):
            fields = ("start_character", "end_character", "severity", "category")
            marked = system == "bad" and mark
            spans = [dict(zip(fields, mark, strict=True))] if marked and mark else []
            rows.append(("w", system, number, "esa", 50 + number, json.dumps(spans)))
    with campaign(None, treebanks, OUTPUTS, name="C") as tracker:
        where = {"campaign": "C", "treebank_id": "en_toy-ud-test"}
        load(tracker.ingest_judgements, rows, "judged.csv", **where)
        tracker.score()
        tracker.database.connection.execute(
            "UPDATE output_words SET deprels = CASE len(forms) "
            "WHEN 2 THEN ['nsubj', 'root'] WHEN 3 THEN ['root', 'nsubj', 'acl:relcl'] "
            "ELSE ['root', 'punct', 'acl:relcl', 'nsubj'] END, heads = [0 FOR form IN forms]"
        )
        yield tracker


def rows(tracker: Tracker, query: str) -> list[tuple[Any, ...]]:
    with tracker.reading() as database:
        return database.connection.execute(query).fetchall()


def test_counts(tracker: Tracker) -> None:
    table_rows = rows(
        tracker,
        "SELECT system_id, category, severity, errors, per_judgement, judgements "
        "FROM error_span_counts",
    )
    assert table_rows == [("bad", "a", "major", 2, 2 / 6, 6), ("bad", "b", "minor", 1, 1 / 6, 6)]


def test_words_are_found_in_texts(tracker: Tracker) -> None:
    """Each word's characters hold its form, punctuation written without a blank too."""
    table_rows = rows(
        tracker,
        "SELECT form, substr(text, start_character + 1, end_character - start_character) "
        "FROM output_characters JOIN output USING (submission_id, sentence_no)",
    )
    assert all(form == text for form, text in table_rows)
    assert len(table_rows) == 15 + 17


def test_relations_of_outputs(tracker: Tracker) -> None:
    """Words of bad's outputs, by hand: marked are bark, rains, and bark with that."""
    table_rows = rows(
        tracker,
        "SELECT deprel, units, marked, rate, rate_elsewhere, p_value FROM error_spans_by_relation "
        "WHERE system_id = 'bad' AND tree = 'output' ORDER BY deprel",
    )
    assert [row[:3] for row in table_rows] == [
        ("acl", 3, 2),
        ("nsubj", 6, 2),
        ("punct", 2, 0),
        ("root", 6, 0),
    ]
    for _, units, marked, rate, elsewhere, p_value in table_rows:
        others, all_units = 4 - marked, 17
        assert (rate, elsewhere) == (marked / units, others / (all_units - units))
        table = [[marked, units - marked], [others, all_units - units - others]]
        assert p_value == pytest.approx(chi2_contingency(table, correction=False)[1], abs=1e-6)


def test_relations_of_references(tracker: Tracker) -> None:
    """Outputs with a major error are those for two of three relative clauses."""
    table_rows = rows(
        tracker,
        "SELECT deprel, units, marked, rate_elsewhere FROM error_spans_by_relation "
        "WHERE system_id = 'bad' AND tree = 'reference' ORDER BY deprel",
    )
    assert ("acl", 3, 2, 0.0) in table_rows
    assert [row for row in table_rows if row[0] == "nsubj"] == [("nsubj", 6, 2, None)]


def test_edge_accuracy_of_marked_outputs(tracker: Tracker) -> None:
    """Welch's statistic over the outputs' own edge accuracies, by the normal distribution."""
    scores = rows(
        tracker,
        "SELECT sentence_no, dea FROM output_scores WHERE system_id = 'bad' ORDER BY sentence_no",
    )
    marked = [dea for number, dea in scores if number in (1, 3)]
    others = [dea for number, dea in scores if number not in (1, 3)]
    ((n, m, with_error, without, difference, p_value),) = rows(
        tracker,
        "SELECT marked, unmarked, dea_marked, dea_unmarked, difference, p_value "
        "FROM error_span_dea WHERE system_id = 'bad'",
    )
    means = [sum(item) / len(item) for item in (marked, others)]
    assert (n, m) == (2, 4)
    assert (with_error, without) == pytest.approx(means)
    assert difference == pytest.approx(means[0] - means[1])
    variances = [
        sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)
        for values, mean in zip((marked, others), means, strict=True)
    ]
    z = (means[0] - means[1]) / math.sqrt(sum(variances))
    assert p_value == pytest.approx(2 * norm.sf(abs(z)), abs=1e-6)


def test_missed_errors(tracker: Tracker) -> None:
    """The pairs are the outputs for sentences 1 and 3: DEA rates the good ones higher."""
    with tracker.writing() as database:
        database.connection.execute(
            "UPDATE sentence_score SET score = 0.1 WHERE metric = 'chrf' AND sentence_no = 1"
        )
    table_rows = rows(
        tracker,
        "SELECT about, value, sentences, pairs, missed, miss_rate, rate_elsewhere "
        "FROM missed_errors WHERE metric = 'chrf' ORDER BY ALL",
    )
    assert ("all", "all", 2, 2, 1, 0.5, None) in table_rows
    assert ("category", "a", 2, 2, 1, 0.5, None) in table_rows
    assert ("relation", "acl", 2, 2, 1, 0.5, None) in table_rows
    of_dist = rows(
        tracker, "SELECT pairs, missed FROM missed_errors WHERE metric = 'dist' AND about = 'all'"
    )
    assert of_dist == [(2, 0)]


def test_errors_by_whom(tracker: Tracker) -> None:
    """Three errors in 6 outputs of 15 words by bad, none in those of good; nothing costs."""
    rows_by_name = {row["name"]: row for row in tracker.errors("system").to_pylist()}
    assert rows_by_name["bad"]["words"] == rows_by_name["good"]["words"] == 15
    assert [
        rows_by_name["bad"][name] for name in ("errors", "minor", "major", "critical", "other")
    ] == [*(3, 1, 2, 0, 0)]
    assert rows_by_name["bad"]["per_100_words"] == pytest.approx(20)
    assert rows_by_name["bad"]["grave_per_100_words"] == pytest.approx(200 / 15)
    assert (rows_by_name["good"]["errors"], rows_by_name["good"]["per_100_words"]) == (0, 0)
    (campaign,) = tracker.errors("campaign").to_pylist()
    assert (campaign["name"], campaign["errors"], campaign["words"]) == ("C", 3, 30)
    kinds = [
        (row["name"], row["errors"], row["share"], row["grave"], row["outputs"])
        for row in tracker.errors("category").to_pylist()
    ]
    assert kinds == [("a", 2, 2 / 3, 2, 2), ("b", 1, 1 / 3, 0, 1)]


def test_errors_are_measures(tracker: Tracker) -> None:
    """Histories, gates and MLflow's runs see them as they see any measure."""
    table_rows = rows(
        tracker,
        "SELECT system_id, measure, score, better FROM submission_measures "
        "WHERE kind = 'errors' ORDER BY ALL",
    )
    assert table_rows == [
        ("bad", "esa_errors", 20.0, "lower"),
        ("bad", "esa_errors[major]", pytest.approx(200 / 15), "lower"),
        ("bad", "esa_errors[minor]", pytest.approx(100 / 15), "lower"),
        ("good", "esa_errors", 0.0, "lower"),
        ("good", "esa_errors[major]", 0.0, "lower"),
        ("good", "esa_errors[minor]", 0.0, "lower"),
    ]
    assert tracker.resolve("good@best:esa_errors", treebank="en_toy-ud-test").endswith(
        "good/en_toy-ud-test"
    )
    with tracker.reading() as database:
        logged = read_rows(database, "logged_metrics", submissions=["C/bad/en_toy-ud-test"])
    values = {row["measure"]: row["value"] for row in logged}
    assert values["esa_errors"] == 20
    assert values["esa_errors[minor]"] == pytest.approx(100 / 15)


def test_rates_of_errors_are_tested(tracker: Tracker) -> None:
    """Swapping all 64 choices of sentences by hand: three have an error, in 2, 2 and 3 words."""
    bad, good = (f"C/{system}/en_toy-ud-test" for system in ("bad", "good"))
    errors, words = np.array([1, 1, 1, 0, 0, 0]), np.array([3, 2, 3, 2, 3, 2])
    swapped = [
        abs(np.where(coins, errors, -errors).sum() / words.sum() * 100)
        for coins in np.array(np.meshgrid(*[[False, True]] * 6)).reshape(6, -1).T
    ]
    exact = np.mean(np.array(swapped) >= 20 - 1e-9)
    comparison = tracker.compare(bad, good, metrics=["esa_errors"], replicates=4000)
    (change,) = comparison.metrics
    assert (change.difference, change.n, change.is_worse) == (20, 6, True)
    assert change.p_value == pytest.approx(exact, abs=0.03)
    assert (change.low, change.high) == (None, None)
    assert change.undefined_reason == "no interval: fewer than ten sentences differ"
    assert {
        part.measure: part.difference for part in comparison.parts if part.kind == "errors"
    } == {
        "esa_errors[major]": pytest.approx(200 / 15),
        "esa_errors[minor]": pytest.approx(100 / 15),
    }
    passing = tracker.gate(bad, good, max_drop={"esa_errors": 1}, significant=True)
    assert passing.passed, "three errors may be chance"
    assert not tracker.gate(bad, good, max_drop={"esa_errors": 1}).passed
    assert tracker.gate(good, bad, max_drop={"esa_errors": 1}).passed


def test_errors_by_relation(tracker: Tracker) -> None:
    """Over both systems, with scipy's Fisher test and Wilson's interval."""
    computed = [row for row in tracker.errors("relation").to_pylist() if row["tree"] == "output"]
    assert {row["deprel"]: (row["units"], row["marked"]) for row in computed} == {
        "acl": (6, 2),
        "nsubj": (12, 2),
        "punct": (2, 0),
        "root": (12, 0),
    }
    for row in computed:
        units, marked = row["units"], row["marked"]
        others = [4 - marked, 32 - units - 4 + marked]
        fisher = fisher_exact([[marked, units - marked], others], alternative="greater")
        assert row["p_value"] == pytest.approx(fisher.pvalue)
        wilson = binomtest(marked, units).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx((wilson.low, wilson.high), abs=1e-12)
        assert row["expected"] == pytest.approx(units * 4 / 32)


def apart(clusters: list[tuple[int, int, int, int]]) -> tuple[float, float]:
    """Return the difference of two shares and its standard error by the delete-a-cluster jackknife.

    For ratios it agrees with linearisation to the first order.
    """

    def difference(rest: list[tuple[int, int, int, int]]) -> float:
        units, hits, others, other_hits = (sum(column) for column in zip(*rest, strict=True))
        return hits / units - other_hits / others

    n = len(clusters)
    without = [difference(clusters[:place] + clusters[place + 1 :]) for place in range(n)]
    mean = sum(without) / n
    return difference(clusters), math.sqrt(
        (n - 1) / n * sum((item - mean) ** 2 for item in without)
    )


def test_intervals_over_sentences() -> None:
    """Two hundred sentences of clustered counts: the linearised interval is the jackknife's."""
    random = np.random.default_rng(7)
    units, others = random.integers(1, 9, (2, 200))
    hits, other_hits = random.binomial(units, 0.3), random.binomial(others, 0.5)
    clusters = pa.table(
        {
            "criterion": ["esa"] * 200,
            "system_id": ["ours"] * 200,
            "treebank_id": ["t"] * 200,
            "sentence_no": range(200),
            "units": units,
            "hits": hits,
            "other_units": others,
            "other_hits": other_hits,
        }
    )
    (row,) = rates_apart(clusters, ("criterion", "system_id")).to_pylist()
    difference, error = apart(
        [
            (int(a), int(b), int(c), int(d))
            for a, b, c, d in zip(units, hits, others, other_hits, strict=True)
        ]
    )
    assert row["difference"] == pytest.approx(difference)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.959964 * error, rel=0.02)
    few = rates_apart(clusters.slice(0, 9), ("criterion", "system_id")).to_pylist()[0]
    assert (few["low"], few["p_value"]) == (None, None)


def test_edges_near_marks(tracker: Tracker) -> None:
    """Edges whose words bad's outputs have once, near where one is marked or beside a mark."""
    (every, *_) = [
        row for row in tracker.errors("accuracy").to_pylist() if row["system_id"] == "all"
    ]
    # Output 1 'dogs , bark that', marked 'bark': near are ',', 'bark', 'that', so all edges of
    # 'dogs that bark'. Output 2 'rains it', marked 'rains': both words. Output 3 as 1. The other
    # outputs have no mark: 1 edge of 'it rains', 2 of 'dogs that bark', as good's do.
    table_rows = rows(
        tracker,
        "SELECT system_id, sentence_no, count(*), sum(found) FROM edge_match "
        "JOIN submission USING (submission_id) GROUP BY ALL",
    )
    near = [row for row in table_rows if row[0] == "bad" and row[1] in (1, 2, 3)]
    others = [row for row in table_rows if row not in near]
    assert (every["units"], every["hits"]) == (sum(r[2] for r in near), sum(r[3] for r in near))
    assert every["rate_elsewhere"] == sum(r[3] for r in others) / sum(r[2] for r in others)


def test_mining_by_marked_errors(tracker: Tracker) -> None:
    """Sentences with a major error fail: 1 and 3 of bad's; what they have in common is told."""
    settings = Settings(
        kinds=["mining"], labels=["deprel"], metric="esa_errors[major]", minimum_support=1
    )
    assert tracker.analyse(settings).analyses == 2
    assert tracker.analyse(settings).analyses == 0
    mined = rows(
        tracker,
        "SELECT system_id, sentences, failed, undefined_reason FROM error_mining "
        "JOIN submission USING (submission_id) WHERE metric = 'esa_errors[major]' ORDER BY ALL",
    )
    assert mined == [("bad", 6, 2, None), ("good", 6, 0, "no sentence fails")]
    rows_by_pattern = {row["pattern"]: row for row in tracker.errors("pattern").to_pylist()}
    assert (rows_by_pattern["(acl)"]["sentences"], rows_by_pattern["(acl)"]["failed"]) == (3, 2)
    worst = tracker.examples("bad", "(acl)", labels="deprel", metric="esa_errors[major]")
    assert [example.sentence_no for example in worst.examples] == [1, 3, 5]
    with pytest.raises(UnknownNameError, match="esa_errors\\[grave\\]"):
        tracker.analyse(Settings(kinds=["mining"], metric="esa_errors[grave]"))


def test_trees_of_another_treebank(tracker: Tracker, tmp_path: Path) -> None:
    """Relations of other trees with the same numbers, such as those of parsed sources."""
    lines = []
    for number in range(1, 7):
        word = "obj" if number in (1, 3) else "nsubj"
        lines.append(f"# sent_id = {number}\n# text = w v\n1\tw\tw\tNOUN\t_\t_\t2\t{word}\t_\t_\n")
        lines.append("2\tv\tv\tVERB\t_\t_\t0\troot\t_\t_\n\n")
    for name, last in (("de_source-ud-test", 12), ("de_short-ud-test", 10)):
        (tmp_path / f"{name}.conllu").write_text("".join(lines[:last]))
        tracker.ingest_treebank(tmp_path / f"{name}.conllu", campaign="C")
    table_rows = tracker.errors("relation", system="bad", trees="de_source-ud-test").to_pylist()
    of_source = {row["deprel"]: row for row in table_rows if row["tree"] == "de_source-ud-test"}
    assert (of_source["obj"]["units"], of_source["obj"]["marked"]) == (2, 2)
    assert of_source["nsubj"]["marked"] == 0
    missed = tracker.errors("metric", trees="de_source-ud-test").to_pylist()
    pairs = {
        (row["about"], row["value"]): row["units"] for row in missed if row["metric"] == "chrf"
    }
    assert pairs["de_source-ud-test", "obj"] == pairs["all", "all"] == 2
    with pytest.raises(InputError, match="'de_short-ud-test' has 5 sentences"):
        tracker.errors("relation", trees="de_short-ud-test")


def test_what_cannot_be_looked_at(tracker: Tracker, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="there is no way to look at marked errors"):
        tracker.errors("sytem")
    with pytest.raises(UnknownNameError, match="'mqm'"):
        tracker.errors(criterion="mqm")
    with sr_tracker.connect(tmp_path / "c.duckdb", create=True) as empty:
        (tmp_path / "set.txt").write_text("a dog\n")
        empty.ingest_references(tmp_path / "set.txt", treebank="set", language="en")
        empty.submit(["a cat"], system="ours", treebank="set", analyse=False, log=False)
        with pytest.raises(InputError, match="no errors are marked"):
            empty.errors()
