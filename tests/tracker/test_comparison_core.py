"""Comparing two submissions: against brute force, other libraries and what is stored."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from sr_tracker.ingest.treebanks.sources import ingest_sources
from sr_tracker.queries.change.comparison.changes import relation_changes
from sr_tracker.queries.change.comparison.comparing import bucket_changes
from sr_tracker.queries.change.comparison.model import Change, Settings
from sr_tracker.queries.change.comparison.patterns import pattern_changes
from sr_tracker.queries.change.comparison.ranking import rank
from sr_tracker.queries.change.comparison.sides import (
    IncomparableError,
    check,
    notes,
    objections,
    pairing_of,
    read_sides,
    shared_sentences,
)
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.change.significance import run_significance
from sr_tracker.queries.change.significance.intervals import mcnemar_p_values, sign_flip_p_values
from sr_tracker.queries.errors.jobs import run_analyses
from sr_tracker.queries.errors.mining import error_mining
from sr_tracker.queries.metrics.registry import points, scorable_metrics
from sr_tracker.queries.metrics.registry import unit_of as unit
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.schema.iterations import resolve_submission as resolve
from tests.building import (
    Word,
    add_outputs,
    add_treebank,
    measure_changes,
    random_sentences,
    shuffled,
)

FIRST, OTHER, HIDDEN, ONE = (f"en_{name}-ud1.0-test" for name in ("a", "b", "c", "d"))
RELATIONS = ("nsubj", "obj", "advcl", "det")
SENTENCES = 40
SETTINGS = Settings(replicates=300)
FORCED = Settings(replicates=300, force=True)
BASE, SAME, NEW = (f"C/ours/{FIRST}{iteration}" for iteration in ("", "@2", "@3"))
BAD, TOKENS, ELSEWHERE = f"C/bad/{FIRST}", f"C/tokens/{FIRST}", f"C/ours/{OTHER}"
METRICS = [metric.name for metric in scorable_metrics() if not (metric.on_request or metric.check)]


def tree(number: int, words: list[str]) -> list[Word]:
    """A sentence's words; every seventh tree crosses: word 2 on the last, word 3 on the first."""
    results = []
    for token, word in enumerate(words, start=1):
        head = {2: len(words), 3: 1}.get(token, token - 1) if number % 7 == 0 else token - 1
        head = 1 if head == token else head
        results.append((word, head, RELATIONS[(number + token) % 4] if head else "root"))
    return results


def submit(
    database: Database,
    folder: Path,
    texts: list[str],
    system: str = "ours",
    treebank_id: str = FIRST,
    form: str = "text",
    **run: int,
) -> None:
    add_outputs(database, folder, texts, system, treebank_id, reference_form=form, **run)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs of one system, others on the treebank, and what is hard to compare."""
    folder = tmp_path_factory.mktemp("comparison")
    path = folder / "comparison.duckdb"
    references = random_sentences(SENTENCES, 1)
    with open_database(path) as database:

        def add(treebank_id: str, sentences: list[list[str]]) -> None:
            trees = [tree(number, words) for number, words in enumerate(sentences, start=1)]
            add_treebank(database, folder, treebank_id, trees, hidden=treebank_id == HIDDEN)

        add(FIRST, references)
        # The same sentences in another order, and ten more.
        add(OTHER, [*references[::-1], *random_sentences(10, 2)])
        add(HIDDEN, references[:3])
        add(ONE, references[:1])
        base, new = shuffled(references, 0.2, 3), shuffled(references, 0.7, 4)
        submit(database, folder, base)
        submit(database, folder, [*base[:-1], f"{base[-1]} "], iteration=2)
        submit(database, folder, new, iteration=3)
        submit(database, folder, shuffled(references, 1.0, 5), system="bad")
        submit(database, folder, new, system="tokens", form="tokens")
        submit(database, folder, [*base[::-1], *["dog"] * 10], treebank_id=OTHER)
        for system, output in (("ours", new), ("bad", base)):
            submit(database, folder, output[:3], system, HIDDEN)
            submit(database, folder, output[:1], system, ONE)
        score(database)
        rows = [
            (name, number, criterion, z)
            for name, criterion, shift in (
                (BASE, "adequacy", 0.0),
                (NEW, "adequacy", 0.5),
                (BASE, "fluency", 0.0),
            )
            for number in range(1, 13)
            for z in [None if number == 12 else (number % 5) / 5 - shift * (number % 3)]
        ]
        database.connection.executemany(
            "INSERT INTO human_score VALUES (?, ?, ?, ?, NULL, NULL, 'h.csv')", rows
        )
        run_significance(database, [BASE, NEW], SignificanceSettings(replicates=300))
        run_analyses(database, [error_mining()], submissions=[BASE, NEW])
    return path


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    """The database, open for reading only."""
    with open_database(file, read_only=True) as opened:
        yield opened


@pytest.fixture
def writable(file: Path, tmp_path: Path) -> Iterator[Database]:
    """A copy that a test may change."""
    shutil.copy(file, tmp_path / "copy.duckdb")
    with open_database(tmp_path / "copy.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def tested(file: Path) -> dict[str, Change]:
    """What all metrics say of the newest run against the first."""
    with open_database(file, read_only=True) as opened:
        return by_measure(measure_changes(pairing_of(opened, NEW, BASE), METRICS, SETTINGS))


def by_measure(changes: list[Change]) -> dict[str, Change]:
    return {change.measure: change for change in changes}


# The exact test of relations


@given(st.lists(st.integers(-4, 4), max_size=10))
def test_sign_flips_are_all_tried(differences: list[int]) -> None:
    observed = abs(sum(differences))
    sums = [
        sum(sign * d for sign, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    expected = Fraction(sum(abs(item) >= observed for item in sums), len(sums))
    (computed,) = sign_flip_p_values(np.array(differences, np.int64).reshape(-1, 1))
    assert computed == pytest.approx(float(expected), rel=1e-12)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_one_edge_per_sentence_is_mcnemars_test(gained: int, lost: int) -> None:
    differences = np.array([1] * gained + [-1] * lost + [0] * 5)[:, np.newaxis]
    (computed,) = sign_flip_p_values(differences)
    expected = binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
    assert computed == pytest.approx(expected, rel=1e-9)
    assert mcnemar_p_values(np.array([gained]), np.array([lost]))[0] == pytest.approx(
        expected, rel=1e-9
    )


def test_many_sentences_are_exact_to_the_tail() -> None:
    # 300 sentences differ by 1 and 200 by 2 edges: the distribution in whole numbers.
    ways = [0] * 701
    for ones, twos in product(range(301), range(201)):
        ways[ones + 2 * twos] += comb(300, ones) * comb(200, twos)
    differences = np.array([1] * 280 + [-1] * 20 + [2] * 150 + [-2] * 50)
    expected = Fraction(2 * sum(ways[(700 + int(differences.sum())) // 2 :]), 2**500)
    columns = np.stack([differences, -differences, 0 * differences], axis=1)
    assert sign_flip_p_values(columns) == pytest.approx(
        [float(expected), float(expected), 1.0], rel=1e-9
    )


# Measures


def test_metrics_are_tested_as_significance_stores_them(
    database: Database, tested: dict[str, Change]
) -> None:
    rows = database.connection.execute(
        "SELECT measure, difference, low, high, p_value, submission_id FROM change "
        "JOIN comparison USING (submission_id, base_submission_id, settings_id) "
        "WHERE comparison.replicates = 300 AND kind = 'metric'"
    ).fetchall()
    stored = {row[0]: row[1:] for row in rows}
    assert {*METRICS} <= {*stored}
    assert [*tested] == METRICS
    for metric, change in tested.items():
        difference, low, high, p_value, first = stored[metric]
        if first == BASE:
            difference, low, high = -difference, -high, -low
        assert (change.low, change.high) == (low, high)
        assert change.p_value == p_value
        assert change.difference == pytest.approx(difference, abs=1e-12)
        assert change.n == SENTENCES
        assert change.undefined_reason is None
    primary = [change for change in tested.values() if change.family == "primary"]
    assert [change.measure for change in primary] == ["bleu", "dea"]
    holm = multipletests([change.p_value for change in primary], method="holm")[1]
    assert [change.p_holm for change in primary] == pytest.approx(list(holm))
    assert all(c.p_holm == c.p_value for c in tested.values() if c not in primary)
    assert tested["dea"].is_worse
    assert tested["dea"].is_significant(0.05)


def test_scores_are_those_stored(database: Database, tested: dict[str, Change]) -> None:
    stored = dict(
        database.connection.execute(
            "SELECT metric, score FROM current_scoring JOIN submission_score "
            "USING (submission_id, metric, signature_id) WHERE submission_id = ?",
            [NEW],
        ).fetchall()
    )
    assert {metric: change.new for metric, change in tested.items()} == stored


def test_what_is_tested_together_changes_no_result_but_the_correction(
    database: Database, tested: dict[str, Change]
) -> None:
    for metric in ("nist", "chrf"):
        (alone,) = measure_changes(pairing_of(database, NEW, BASE), [metric], SETTINGS)
        assert alone.p_holm == alone.p_value == tested[metric].p_value
        assert (alone.low, alone.high) == (tested[metric].low, tested[metric].high)


def test_relations_are_counted_edge_by_edge(database: Database) -> None:
    edges = database.connection.execute(
        "SELECT new.deprel, new.sentence_no, new.found, base.found FROM edge_match AS new "
        "JOIN edge_match AS base USING (sentence_no, token_no, signature_id) "
        "WHERE new.submission_id = ? AND base.submission_id = ?",
        [NEW, BASE],
    ).fetchall()
    changes = relation_changes(pairing_of(database, NEW, BASE), SETTINGS)
    assert [change.deprel for change in changes] == sorted(RELATIONS)
    for change in changes:
        own = [
            (number, new, base) for deprel, number, new, base in edges if deprel == change.deprel
        ]
        assert change.n == len(own)
        assert change.new == pytest.approx(sum(new for _, new, _ in own) / len(own))
        assert change.base == pytest.approx(sum(base for *_, base in own) / len(own))
        assert change.gained == sum(new > base for _, new, base in own)
        assert change.lost == sum(new < base for _, new, base in own)
        assert change.difference == pytest.approx((change.gained - change.lost) / change.n)
        moved = [sum(n - b for number, n, b in own if number == no) for no in range(1, 41)]
        assert change.p_value == sign_flip_p_values(np.array([moved]).T)[0]
        assert change.low is not None
        assert change.high is not None
        assert change.low < (change.difference or 0) < change.high
    moved = [change for change in changes if change.gained + change.lost > 6]
    assert {change.family_size for change in changes} == {len(moved)}
    holm = multipletests([change.p_value for change in moved], method="holm")[1]
    assert [change.p_holm for change in moved] == pytest.approx(list(holm))
    assert {change.p_holm for change in changes if change not in moved} <= {1}


def test_sentences_of_a_document_count_as_one(writable: Database, tmp_path: Path) -> None:
    alone = [
        [change.p_value for change in changes(pairing_of(writable, NEW, BASE), SETTINGS)]
        for changes in (relation_changes, pattern_changes)
    ]
    documents = tmp_path / "documents.txt"
    documents.write_text("".join(f"news d{number // 3}\n" for number in range(SENTENCES)))
    ingest_sources(writable, FIRST, documents=documents)
    edges = writable.connection.execute(
        "SELECT new.deprel, (sentence_no - 1) // 3, new.found - base.found FROM edge_match AS new "
        "JOIN edge_match AS base USING (sentence_no, token_no, signature_id) "
        "WHERE new.submission_id = ? AND base.submission_id = ?",
        [NEW, BASE],
    ).fetchall()
    pairing = pairing_of(writable, NEW, BASE)
    relations = relation_changes(pairing, SETTINGS)
    for change in relations:
        moved = [
            sum(d for deprel, of, d in edges if (deprel, of) == (change.deprel, document))
            for document in range(14)
        ]
        assert change.p_value == sign_flip_p_values(np.array([moved]).T)[0]
        assert change.test == "exact sign-flip test over documents"
    failures = writable.connection.execute(
        "SELECT labels, pattern, (sentence_no - 1) // 3, "
        "sum((new.score <= threshold)::INT - (base.score <= threshold)::INT)::INT "
        "FROM (SELECT *, unnest(sentence_nos) AS sentence_no FROM subtree WHERE treebank_id = ?) "
        "JOIN error_mining USING (labels) "
        "JOIN sentence_score AS base USING (submission_id, metric, sentence_no) "
        "JOIN sentence_score AS new USING (metric, sentence_no) "
        "WHERE base.submission_id = ? AND new.submission_id = ? GROUP BY ALL",
        [FIRST, BASE, NEW],
    ).fetchall()
    patterns = pattern_changes(pairing, SETTINGS)
    for change in patterns:
        numbers = [d for *key, _, d in failures if key == [change.labels, change.pattern]]
        assert change.p_value == sign_flip_p_values(np.array([numbers]).T)[0]
        assert change.test == "exact sign-flip test over documents with the pattern"
    assert [[change.p_value for change in changes] for changes in (relations, patterns)] != alone


def test_a_family_is_the_same_whichever_measures_are_asked_for(database: Database) -> None:
    every = by_measure([*relation_changes(pairing_of(database, NEW, BASE), SETTINGS)])
    names = ["dea[nsubj]", "bleu", "chrf", "dea[advcl]"]
    changes = measure_changes(pairing_of(database, NEW, BASE), names, SETTINGS)
    assert [change.measure for change in changes] == names
    nsubj, bleu, chrf, advcl = changes
    assert nsubj == replace(every["dea[nsubj]"], better=nsubj.better)
    assert advcl == replace(every["dea[advcl]"], better=advcl.better)
    assert (bleu.family, bleu.family_size) == ("primary", 2)
    assert (chrf.family, chrf.p_holm) == ("exploratory", chrf.p_value)
    (dea,) = measure_changes(pairing_of(database, NEW, BASE), ["dea"], SETTINGS)
    holm = multipletests([bleu.p_value, dea.p_value], method="holm")[1]
    assert [bleu.p_holm, dea.p_holm] == pytest.approx(list(holm))


def test_human_criteria_are_compared_on_what_both_have(database: Database) -> None:
    adequacy, fluency = measure_changes(
        pairing_of(database, NEW, BASE), ["adequacy_z", "fluency_z"], SETTINGS
    )
    assert (adequacy.kind, adequacy.n) == ("human", 11)
    assert adequacy.difference == pytest.approx(-0.5 * sum(n % 3 for n in range(1, 12)) / 11)
    assert adequacy.p_value is not None
    assert adequacy.p_value < 0.1
    assert fluency.difference is None
    assert fluency.undefined_reason


def test_patterns_are_tested_by_mcnemar(database: Database) -> None:
    names = [
        name
        for (name,) in database.connection.execute(
            "SELECT measure FROM submission_measures WHERE submission_id = ? "
            "AND kind = 'pattern' ORDER BY measure LIMIT 4",
            [BASE],
        ).fetchall()
    ]
    changes = measure_changes(pairing_of(database, NEW, BASE), names, SETTINGS)
    assert [change.measure for change in changes] == names
    assert len(names) == 4
    every = pattern_changes(pairing_of(database, NEW, BASE), SETTINGS)
    of_labels = [change for change in every if change.labels == every[0].labels]
    counted = [change for change in of_labels if change.p_holm != 1]
    assert 0 < of_labels[0].family_size == len(counted) < len(of_labels)
    holm = multipletests([change.p_value for change in counted], method="holm")[1]
    assert [change.p_holm for change in counted] == pytest.approx(list(holm))
    assert all(change in every for change in changes)
    assert all(change.better == "lower" for change in changes)
    (untested,) = measure_changes(
        pairing_of(database, NEW, BASE), names[:1], Settings(sentence_metric="dea", replicates=300)
    )
    assert "mining" in (untested.undefined_reason or "")


def test_without_names_all_but_patterns_are_compared(database: Database) -> None:
    changes = measure_changes(pairing_of(database, NEW, BASE), None, SETTINGS)
    assert {change.kind for change in changes} == {"metric", "human", "relation"}
    assert {f"dea[{relation}]" for relation in RELATIONS} <= {c.measure for c in changes}


def test_equal_outputs_do_not_differ(database: Database) -> None:
    for change in measure_changes(pairing_of(database, SAME, BASE), ["bleu", "dea[det]"], SETTINGS):
        assert change.difference == 0
        if change.kind != "relation":
            assert (change.low, change.high) == (None, None)
            assert change.undefined_reason == "no interval: fewer than ten sentences differ"
        assert change.p_value == 1
    assert [change.low, change.high] == pytest.approx([-0.1161, 0.1161], abs=1e-4)
    assert (change.family_size, change.p_holm) == (0, 1)


@pytest.mark.parametrize(("treebank_id", "reason"), [(HIDDEN, "hidden"), (ONE, "fewer than two")])
def test_what_cannot_be_tested_has_its_reason(
    database: Database, treebank_id: str, reason: str
) -> None:
    new, base = f"C/ours/{treebank_id}", f"C/bad/{treebank_id}"
    changes = measure_changes(pairing_of(database, new, base), METRICS, SETTINGS)
    assert all(reason in (change.undefined_reason or "") for change in changes)
    assert all(change.p_value is change.low is change.p_holm is None for change in changes)
    for bucket in bucket_changes(pairing_of(database, new, base), METRICS, SETTINGS):
        assert bucket.p_value is None
        assert bucket.undefined_reason
    for relation in relation_changes(pairing_of(database, new, base), SETTINGS):
        assert relation.low is None
        assert relation.undefined_reason
    assert all(r.cluster is None for r in rank(database, [new, base], "bleu", SETTINGS).ranked)


def test_missing_statistics_are_a_reason(writable: Database) -> None:
    writable.connection.execute(
        "DELETE FROM ngram_match WHERE submission_id = ? AND sentence_no = 3", [NEW]
    )
    bleu, dea = measure_changes(pairing_of(writable, NEW, BASE), ["bleu", "dea"], SETTINGS)
    assert "tracker keep check" in (bleu.undefined_reason or "")
    assert bleu.difference is not None
    assert bleu.p_value is None
    assert dea.p_value is not None
    writable.connection.execute("DELETE FROM scoring WHERE target = ? AND metric = 'dea'", [NEW])
    (dea,) = measure_changes(pairing_of(writable, NEW, BASE), ["dea"], SETTINGS)
    assert "tracker score" in (dea.undefined_reason or "")
    assert relation_changes(pairing_of(writable, NEW, BASE), SETTINGS) == []


def test_a_corpus_score_of_unknown_making_is_not_tested(writable: Database) -> None:
    writable.connection.execute("UPDATE submission_score SET score = 0.5 WHERE metric = 'chrf'")
    pairing = pairing_of(writable, NEW, BASE)
    (chrf,) = measure_changes(pairing, ["chrf"], SETTINGS)
    assert (chrf.new, chrf.p_value) == (0.5, None)
    for change in (chrf, *bucket_changes(pairing, ["chrf"], SETTINGS)):
        assert "not known" in (change.undefined_reason or "")


def test_unknown_measures_are_told(database: Database) -> None:
    with pytest.raises(UnknownNameError, match=r"dea\[obj\]"):
        measure_changes(pairing_of(database, NEW, BASE), ["dea[obk]"], SETTINGS)


# Buckets


def test_buckets_are_parts_of_the_treebank(database: Database) -> None:
    changes = bucket_changes(pairing_of(database, NEW, BASE), ["dea", "bleu"], SETTINGS)
    for feature in ("length", "depth", "projectivity"):
        own = [c for c in changes if c.feature == feature and c.measure == "dea"]
        assert sum(change.n for change in own) == SENTENCES
        assert len({change.bucket for change in own}) == len(own) > 1
    holm = multipletests([c.p_value for c in changes if c.measure == "dea"], method="holm")[1]
    assert [c.p_holm for c in changes if c.measure == "dea"] == pytest.approx(list(holm))
    (long,) = [c for c in changes if "long" in c.bucket and c.measure == "dea"]
    least = int("".join(character for character in long.bucket if character.isdigit()))
    expected = database.connection.execute(
        "SELECT avg(found) FROM edge_match JOIN (SELECT sentence_no, count(*) AS words FROM token "
        "WHERE treebank_id = ? GROUP BY ALL) USING (sentence_no) "
        "WHERE submission_id = ? AND words >= ?",
        [FIRST, NEW, least],
    ).fetchone()
    assert expected is not None
    assert long.new == pytest.approx(expected[0])


# What must not be compared


def test_alike_is_comparable(database: Database) -> None:
    assert check(pairing_of(database, NEW, BASE), [*METRICS, "dea[nsubj]"]) == []
    assert notes(pairing_of(database, NEW, BASE), METRICS) == []


def test_other_treebank_is_refused_or_matched_by_text(database: Database) -> None:
    with pytest.raises(IncomparableError, match="different treebanks") as refused:
        check(pairing_of(database, NEW, ELSEWHERE), ["bleu"])
    assert refused.value.exit_code == 2
    assert "--force" in (refused.value.hint or "")
    assert len(check(pairing_of(database, NEW, ELSEWHERE), ["bleu"], force=True)) == 1
    # The other treebank has the same sentences and outputs as BASE, in another order.
    names = [*METRICS, "dea[nsubj]"]
    for forced, plain in zip(
        measure_changes(pairing_of(database, NEW, ELSEWHERE), names, FORCED),
        measure_changes(pairing_of(database, NEW, BASE), names, FORCED),
        strict=True,
    ):
        if forced.measure.startswith("nist"):  # information of n-grams depends on all references
            continue
        assert forced.new == pytest.approx(plain.new)
        if forced.measure in ("bleu", "dist", "chrf"):
            assert forced.base == pytest.approx(plain.base)
            assert forced.p_value == plain.p_value
    assert bucket_changes(pairing_of(database, NEW, ELSEWHERE), ["bleu"], FORCED)[0].n > 0


def test_other_reference_form_is_refused_for_surface_metrics(database: Database) -> None:
    (objection,) = objections(pairing_of(database, NEW, TOKENS), ["bleu", "chrf", "dea"])
    assert "BLEU-lc, chrF" in objection
    assert "tokens" in objection
    assert "DEA" not in objection
    assert objections(pairing_of(database, NEW, TOKENS), ["dea", "dea[nsubj]", "bleu_lemma"]) == []
    (bleu,) = measure_changes(pairing_of(database, NEW, TOKENS), ["bleu"], SETTINGS)
    assert bleu.p_value is None
    assert "different ways" in (bleu.undefined_reason or "")
    (bleu,) = measure_changes(pairing_of(database, NEW, TOKENS), ["bleu"], FORCED)
    assert bleu.p_value is not None


def make_old(database: Database, submission: str, column: str, value: str) -> None:
    """Let the scores of a submission by BLEU be computed otherwise."""
    database.connection.execute(
        "INSERT INTO signature SELECT * REPLACE ('old' AS signature_id, $value AS "
        f"{column}) FROM signature WHERE metric = 'bleu' AND treebank_id = $treebank "
        "AND text_level = 'text' AND 'old' NOT IN (SELECT signature_id FROM signature)",
        {"value": value, "treebank": FIRST},
    )
    for table, where in (("submission_score", "metric"), ("sentence_score", "metric")):
        database.connection.execute(
            f"INSERT INTO {table} SELECT * REPLACE ('old' AS signature_id) FROM {table} "
            f"WHERE submission_id = ? AND {where} = 'bleu'",
            [submission],
        )
    database.connection.execute(
        "INSERT INTO ngram_match SELECT * REPLACE ('old' AS signature_id) FROM ngram_match "
        "SEMI JOIN (SELECT target AS submission_id, signature_id FROM scoring "
        "WHERE target = ? AND metric = 'bleu') USING (submission_id, signature_id)",
        [submission],
    )
    database.connection.execute(
        "INSERT INTO scoring SELECT * REPLACE ('old' AS signature_id, "
        "revision - 1 AS revision) FROM scoring "
        "WHERE target = ? AND metric = 'bleu'",
        [submission],
    )


def forget_newest(database: Database, submission: str) -> None:
    for table, column in (("scoring", "target"), ("submission_score", "submission_id")):
        database.connection.execute(
            f"DELETE FROM {table} WHERE {column} = ? AND metric = 'bleu' AND signature_id <> 'old'",
            [submission],
        )


def test_another_version_asks_for_scoring_anew(writable: Database) -> None:
    make_old(writable, BASE, "versions", '{"metric": "0"}')
    forget_newest(writable, BASE)
    (objection,) = objections(pairing_of(writable, NEW, BASE), METRICS)
    assert objection.startswith("BLEU-lc: ")
    assert "metric version 1 and 0" in objection
    with pytest.raises(IncomparableError) as refused:
        check(pairing_of(writable, NEW, BASE), ["bleu"])
    assert "tracker keep rescore" in (refused.value.hint or "")


def test_older_scores_that_both_have_are_compared(writable: Database) -> None:
    for submission in (NEW, BASE):
        make_old(writable, submission, "versions", '{"metric": "0"}')
    forget_newest(writable, BASE)
    assert objections(pairing_of(writable, NEW, BASE), METRICS) == []
    (note,) = notes(pairing_of(writable, NEW, BASE), METRICS)
    assert note.startswith("BLEU-lc: ")
    assert "tracker keep rescore" in note
    (bleu,) = measure_changes(pairing_of(writable, NEW, BASE), ["bleu"], SETTINGS)
    assert bleu.p_value is not None


def test_other_analyser_is_refused_for_what_rests_on_it(writable: Database) -> None:
    writable.connection.execute(
        "INSERT INTO signature SELECT * REPLACE ('other' AS signature_id, 'stanza' AS tokeniser) "
        "FROM signature WHERE metric = 'dea' AND treebank_id = ?",
        [FIRST],
    )
    for table, column in (("scoring", "target"), ("submission_score", "submission_id")):
        writable.connection.execute(
            f"UPDATE {table} SET signature_id = 'other' WHERE {column} = ? AND metric = 'dea'",
            [BASE],
        )
    (objection,) = objections(pairing_of(writable, NEW, BASE), ["bleu", "dea[nsubj]"])
    assert objection.startswith("DEA: ")
    assert "stanza" in objection
    assert relation_changes(pairing_of(writable, NEW, BASE), SETTINGS) == []


# Names, shared sentences, units, rankings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BASE, BASE),
        (NEW, NEW),
        ("ours@3", NEW),
        ("ours@latest", NEW),
        ("ours@previous", SAME),
        ("ours@first", BASE),
        ("ours@best:dea", BASE),
        (f"{BASE}@latest", NEW),
        ("bad", BAD),
    ],
)
def test_a_submission_is_named(database: Database, text: str, expected: str) -> None:
    assert resolve(database, text, treebank=FIRST, campaign="C") == expected


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("ours@latest", InputError, "--treebank"),
        ("nobody", UnknownNameError, "show submission_overview"),
        ("ours@9", UnknownNameError, NEW),
        ("ours@soon", InputError, "@latest"),
        ("ours@best:blue", UnknownNameError, "submission_measures"),
        ("tokens@previous", UnknownNameError, TOKENS),
    ],
)
def test_what_names_no_submission_is_told(
    database: Database, text: str, error: type[TrackerError], message: str
) -> None:
    with pytest.raises(error) as raised:
        resolve(database, text)
    assert message in (raised.value.hint or "")


def test_names_outside_a_treebank_or_campaign_are_unknown(database: Database) -> None:
    for narrow in ({"treebank": "nl"}, {"campaign": "D"}):
        with pytest.raises(UnknownNameError, match=r"no (treebank|campaign)"):
            resolve(database, "ours@1", **narrow)
    with pytest.raises(InputError) as several:
        resolve(database, "ours", treebank=FIRST)
    assert "@latest" in (several.value.hint or "")
    assert NEW in several.value.message


def test_a_side_is_read(database: Database) -> None:
    (side,) = read_sides(database, [NEW])
    assert (side.system_id, side.iteration, side.treebank_id) == ("ours", 3, FIRST)
    with pytest.raises(UnknownNameError):
        pairing_of(database, NEW, "C/none/here")


def test_sentences_are_shared_by_text(writable: Database) -> None:
    ours, theirs = shared_sentences(writable, FIRST, OTHER)
    assert sorted(ours) == ours == [*range(1, SENTENCES + 1)]
    assert sorted(theirs) == [*range(1, SENTENCES + 1)]
    for number, text in ((1, "Zoë  ran"), (2, "dog"), (4, "dog")):
        writable.connection.execute(
            "UPDATE sentence SET text = ? WHERE treebank_id = ? AND sentence_no = ?",
            [text, FIRST, number],
        )
    for number, text in ((50, "Zoe\u0308\u00a0ran "), (9, "dog"), (7, "dog")):
        writable.connection.execute(
            "UPDATE sentence SET text = ? WHERE treebank_id = ? AND sentence_no = ?",
            [text, OTHER, number],
        )
    pairs = dict(zip(*shared_sentences(writable, FIRST, OTHER), strict=True))
    assert (pairs[1], pairs[2], pairs[4]) == (50, 7, 9)
    assert shared_sentences(writable, FIRST, HIDDEN) == ([], [])


def test_units() -> None:
    assert [unit(m) for m in ("bleu", "dea[obj]", "nist4", "adequacy_z", "suspicion[(a)]")] == [
        "points",
        "points",
        "bits",
        "z",
        "suspicion",
    ]
    assert points("bleu", 0.25) == 25
    assert points("nist", 0.25) == 0.25


def test_a_ranking_has_clusters_and_every_pair(database: Database) -> None:
    ranking = rank(database, [BAD, NEW, SAME, BASE], "dea", SETTINGS)
    scores = [ranked.score or 0 for ranked in ranking.ranked]
    assert scores == sorted(scores, reverse=True)
    assert [ranked.side.submission_id for ranked in ranking.ranked] == [BASE, SAME, NEW, BAD]
    assert [ranked.cluster for ranked in ranking.ranked][:3] == [1, 1, 2]
    assert len(ranking.pairs) == comb(4, 2)
    holm = multipletests([pair.p_value for pair in ranking.pairs], method="holm")[1]
    assert [pair.p_holm for pair in ranking.pairs] == pytest.approx(list(holm))
    pair = next(p for p in ranking.pairs if {p.submission_id, p.other_submission_id} == {BASE, NEW})
    settings = Settings(replicates=ranking.replicates)
    (change,) = measure_changes(pairing_of(database, BASE, NEW), ["dea"], settings)
    assert pair.p_value == pytest.approx(change.p_value, abs=4 / ranking.replicates)
    assert (pair.difference, pair.low, pair.high) == (
        change.difference,
        change.low,
        change.high,
    )


def test_what_cannot_be_ranked(database: Database) -> None:
    with pytest.raises(IncomparableError, match="one treebank"):
        rank(database, [NEW, ELSEWHERE], "bleu", FORCED)
    with pytest.raises(IncomparableError, match="tokens"):
        rank(database, [NEW, BASE, TOKENS], "bleu", SETTINGS)
    assert rank(database, [NEW, BASE, TOKENS], "bleu", FORCED).objections
    with pytest.raises(InputError):
        rank(database, [NEW, NEW], "bleu", SETTINGS)
    with pytest.raises(UnknownNameError):
        rank(database, [NEW, BASE], "blue", SETTINGS)
