"""Error mining against other implementations and naive ones, on a campaign with planted errors."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.multitest import multipletests

from sr_tracker.ingest.judgements.human_scores import ScoreFile, ingest_human_scores
from sr_tracker.queries.analyses import enumerate_subtrees
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.errors.jobs import Analysis, AnalysisReport, run_analyses
from sr_tracker.queries.errors.mining import error_mining
from sr_tracker.queries.errors.suspicion_tree import (
    Occurrences,
    TreeNode,
    suspicion,
    suspicion_tree,
)
from sr_tracker.queries.functions.statistics import fisher_greater, stratified_greater
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from tests.building import add_outputs, add_treebank, chain, contents, written
from tests.planting import Planted, planted

TREEBANK = "en_mined-ud1.0-test"
SENTENCES = 60
RELATIONS = ("nsubj", "obj", "advmod", "advmod", "conj", "conj")
PLANTED = "(conj (advmod))"
GOOD, BAD, SAME = (f"C21/{system}/{TREEBANK}" for system in ("careful", "careless", "same"))


def some_tree(rng: random.Random) -> list[tuple[int, str]]:
    """Heads and relations of five to nine words."""
    heads = [(0, "root")]
    heads += [(rng.randint(1, n), rng.choice(RELATIONS)) for n in range(1, rng.randint(5, 9))]
    return heads


def has_planted(tree: list[tuple[int, str]]) -> bool:
    return any(
        relation == "advmod" and head and tree[head - 1][1] == "conj" for head, relation in tree
    )


def fill(database: Database, folder: Path) -> None:
    """A system that fails where the planted pattern is, one that fails anywhere, and a copy."""
    rng = random.Random(4)
    trees = [some_tree(rng) for _ in range(SENTENCES)]
    words = [[f"w{rng.randint(1, 400)}" for _ in tree] for tree in trees]
    sentences = [
        [(form, *edge, "X" if edge[0] else "VERB") for form, edge in zip(forms, tree, strict=True)]
        for forms, tree in zip(words, trees, strict=True)
    ]
    add_treebank(database, folder, TREEBANK, sentences, campaign_id="C21")

    def submit(system_id: str, shuffled: list[bool]) -> None:
        texts = [
            " ".join(rng.sample(forms, len(forms)) if shuffle else forms)
            for forms, shuffle in zip(words, shuffled, strict=True)
        ]
        add_outputs(database, folder, texts, system_id, TREEBANK, campaign_id="C21")

    submit("careful", [has_planted(tree) or rng.random() < 0.08 for tree in trees])
    submit("careless", [rng.random() < 0.5 for _ in trees])
    submit("same", [False] * SENTENCES)
    human = folder / "human.csv"
    human.write_text(
        "system,treebank,sent_id,criterion,z_score,raw_mean\n"
        + "".join(
            f"careless,{TREEBANK},s{number},adequacy,{rng.choice([-1, 0, 0.5, 1.25])},50\n"
            for number in range(1, SENTENCES, 2)
        )
    )
    ingest_human_scores(database, human, ScoreFile({}, campaign_id="C21"))


@pytest.fixture(scope="module")
def scored_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mined")
    path = folder / "campaign.duckdb"
    with open_database(path) as database:
        fill(database, folder)
        score(database, metric_names=["bleu"])
    return path


@pytest.fixture(scope="module")
def mined(scored_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The campaign with deprel and upos~deprel mined; not to be changed."""
    copy = written(tmp_path_factory.mktemp("copy") / "mined.duckdb", scored_file.read_bytes())
    with open_database(copy) as database:
        run_analyses(database, [error_mining(), error_mining(labels="upos~deprel")])
        yield database


@pytest.fixture
def database(scored_file: Path, tmp_path: Path) -> Iterator[Database]:
    copy = written(tmp_path / "copy.duckdb", scored_file.read_bytes())
    with open_database(copy) as database:
        yield database


def frame(database: Database, query: str) -> pd.DataFrame:
    return database.connection.execute(query).to_arrow_table().to_pandas()


MINED = ("error_mining", "suspicion", "suspicion_node")


def bleu_of(database: Database, submission_id: str) -> dict[int, float]:
    rows = database.connection.execute(
        "SELECT sentence_no, score FROM sentence_score WHERE metric = 'bleu' AND submission_id = ?",
        [submission_id],
    ).fetchall()
    return dict(rows)


def test_the_lowest_quarter_fails_with_all_its_ties(mined: Database) -> None:
    rows = frame(mined, "FROM error_mining WHERE labels = 'deprel'").set_index("submission_id")
    for submission_id in (GOOD, BAD):
        scores = sorted(bleu_of(mined, submission_id).values())
        threshold = scores[math.ceil(0.25 * len(scores)) - 1]
        row = rows.loc[submission_id]
        assert (row.metric, row["quantile"], row.threshold) == ("bleu", 0.25, threshold)
        assert (row.sentences, row.failed) == (SENTENCES, sum(s <= threshold for s in scores))
        assert pd.isna(row.undefined_reason)
    assert rows.loc[SAME].undefined_reason == "no sentence passes"
    assert rows.loc[SAME].failed == rows.loc[SAME].sentences == SENTENCES


@pytest.mark.parametrize("labels", ["deprel", "upos~deprel"])
@pytest.mark.parametrize("submission_id", [GOOD, BAD])
def test_counts_and_p_values(mined: Database, submission_id: str, labels: str) -> None:
    scores = bleu_of(mined, submission_id)
    limit = sorted(scores.values())[math.ceil(0.25 * len(scores)) - 1]
    failed = {number for number, value in scores.items() if value <= limit}
    patterns = mined.connection.execute(
        "SELECT pattern, sentence_nos FROM subtree WHERE labels = ? AND len(sentence_nos) >= 5",
        [labels],
    ).fetchall()
    expected = {p: (len(numbers), len(failed & set(numbers))) for p, numbers in patterns}
    rows = frame(
        mined,
        f"FROM suspicious_patterns WHERE submission_id = '{submission_id}' "
        f"AND labels = '{labels}' ORDER BY pattern",
    )
    assert len(expected) > 30
    counts = zip(rows.sentences, rows.failed, strict=True)
    assert dict(zip(rows.pattern, counts, strict=True)) == expected
    for row in rows.itertuples():
        table = [
            [row.failed, row.sentences - row.failed],
            [len(failed) - row.failed, 60 - row.sentences - len(failed) + row.failed],
        ]
        assert row.p_value == pytest.approx(fisher_exact(table, "greater").pvalue, rel=1e-9)
    holm = multipletests(rows.p_value, method="holm")[1]
    assert rows.p_holm.tolist() == pytest.approx(holm.tolist(), rel=1e-12)
    assert rows.failure_rate.tolist() == (rows.failed / rows.sentences).tolist()
    assert set(rows.base_rate) == {len(failed) / 60}
    flags = (rows.failure_rate > rows.base_rate) & (rows.p_holm < 0.05)
    assert rows.suspicious.tolist() == flags.tolist()
    scores_expected = suspicion(
        rows.sentences.to_numpy(), rows.failed.to_numpy(), SENTENCES, len(failed)
    )
    assert rows.suspicion.tolist() == pytest.approx(scores_expected.tolist(), rel=1e-12)


def test_the_planted_pattern_is_the_most_suspicious(mined: Database) -> None:
    rows = mined.connection.execute(
        "SELECT pattern FROM suspicious_patterns WHERE submission_id = ? AND labels = 'deprel' "
        "AND suspicious ORDER BY suspicion DESC, nodes, pattern",
        [GOOD],
    ).fetchall()
    assert rows[0] == (PLANTED,)
    (root,) = mined.connection.execute(
        "SELECT pattern, sentences, failed FROM suspicion_trees "
        "WHERE submission_id = ? AND labels = 'deprel' AND node_no = 1",
        [GOOD],
    ).fetchall()
    assert root[:2] == (PLANTED, SENTENCES)
    chance = mined.connection.execute(
        "SELECT count_if(suspicious) FROM suspicious_patterns WHERE submission_id = ?", [BAD]
    ).fetchone()
    assert chance == (0,)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # failed with f, sentences with f, all failed, all: the definition, written out
        ((3, 4, 4, 10), 0.5 * (3 / 4 * math.log(4) + 5 / 6 * math.log(6))),
        ((1, 1, 1, 3), 0.5 * (0 + 2 / 2 * math.log(2))),
        ((2, 8, 2, 8), 0.5 * (2 / 8 * math.log(8))),  # f is everywhere: no second part
        ((0, 0, 3, 8), 0.5 * (5 / 8 * math.log(8))),
        ((0, 5, 4, 9), 0.0),
        ((0, 0, 0, 0), 0.0),
    ],
)
def test_suspicion_score(
    mined: Database, counts: tuple[int, int, int, int], expected: float
) -> None:
    failed, sentences, all_failed, all_sentences = counts
    (macro,) = mined.connection.execute(
        "SELECT suspicion_score(?, ?, ?, ?)", list(counts)
    ).fetchone()
    assert macro == pytest.approx(expected, rel=1e-12)
    computed = suspicion(np.array([sentences]), np.array([failed]), all_sentences, all_failed)
    assert computed.tolist() == pytest.approx([expected], rel=1e-12)


@given(st.data())
def test_fisher_p_values_are_those_of_scipy(data: st.DataObject) -> None:
    total = data.draw(st.integers(1, 400))
    all_failed = data.draw(st.integers(0, total))
    with_pattern, failed = [], []
    for _ in range(data.draw(st.integers(0, 5))):
        sentences = data.draw(st.integers(1, total))
        least = max(0, sentences - total + all_failed)
        with_pattern.append(sentences)
        failed.append(data.draw(st.integers(least, min(sentences, all_failed))))
    p_values = fisher_greater(
        np.array(with_pattern, np.int64), np.array(failed, np.int64), total, all_failed
    )
    expected = [
        fisher_exact([[f, s - f], [all_failed - f, total - s - all_failed + f]], "greater").pvalue
        for s, f in zip(with_pattern, failed, strict=True)
    ]
    assert p_values.tolist() == pytest.approx(expected, rel=1e-9, abs=0)


def naive_tree(
    sets: list[set[int]], scored: set[int], failed: set[int], support: int, levels: int
) -> list[tuple[object, ...]]:
    """Sentences, failed, pattern and reason of the nodes, depth first."""
    bad = scored & failed
    best: tuple[float, int] | None = None
    for number, everywhere in enumerate(sets):
        inside = everywhere & scored
        if len(inside) < support or inside == scored:
            continue
        if len(inside & bad) / len(inside) <= len(bad) / len(scored):
            continue
        rest = scored - inside
        value = 0.5 * (
            len(inside & bad) / len(inside) * math.log(len(inside))
            + len(rest - bad) / len(rest) * math.log(len(rest))
        )
        if best is None or value > best[0] + 1e-12:
            best = (value, number)
    reason = "no failure" if not bad else "no pattern" if not best else "depth"
    if not bad or best is None or not levels:
        return [(len(scored), len(bad), None, reason)]
    inside = sets[best[1]] & scored
    return [
        (len(scored), len(bad), best[1], None),
        *naive_tree(sets, inside, failed, support, levels - 1),
        *naive_tree(sets, scored - inside, failed, support, levels - 1),
    ]


@given(st.data())
def test_stratified_p_values_are_those_of_all_tables(data: st.DataObject) -> None:
    """Against sums of scipy's hypergeometric chances, one stratum against Fisher's test."""
    tables = data.draw(
        st.lists(
            st.integers(1, 6).flatmap(
                lambda size: st.tuples(st.just(size), st.integers(0, size), st.integers(0, size))
            ),
            min_size=1,
            max_size=4,
        )
    )
    sizes, hits, drawn = (np.array(column) for column in zip(*tables, strict=True))
    of_strata = [hypergeom(*table).pmf(range(7)) for table in tables]
    chances = reduce(np.convolve, of_strata)
    failed = np.arange(int(np.flatnonzero(chances > 0).max()) + 1)
    same = np.repeat(drawn[:, np.newaxis], len(failed), axis=1)
    p_values = stratified_greater(same, failed, sizes, hits)
    assert p_values == pytest.approx([chances[least:].sum() for least in failed], rel=1e-9)
    if len(tables) == 1:
        expected = fisher_greater(same[0], failed, int(sizes[0]), int(hits[0]))
        assert p_values == pytest.approx(expected, rel=1e-9)


def test_of_many_strata_the_test_is_nearly_that_of_mantel_and_haenszel() -> None:
    rng = np.random.default_rng(3)
    sizes, hits = rng.integers(20, 40, 30), rng.integers(4, 16, 30)
    drawn = rng.integers(5, 15, 30)
    failed = int((drawn * hits / sizes).sum()) + 12
    # Which cells the failures are in changes neither test: only their sum does.
    inside = np.minimum(drawn * hits // sizes, drawn)
    for place in range(failed - int(inside.sum())):
        inside[place % 30] += 1
    tables = [
        [[a, m - a], [k - a, n - m - k + a]]
        for a, m, k, n in zip(inside, drawn, hits, sizes, strict=True)
    ]
    statistic = StratifiedTable(tables).test_null_odds(correction=True).pvalue / 2
    (computed,) = stratified_greater(drawn[:, np.newaxis], np.array([failed]), sizes, hits)
    assert computed == pytest.approx(statistic, rel=0.05)


def test_errors_that_grow_with_length_make_no_pattern_suspicious(
    database: Database, tmp_path: Path
) -> None:
    """Sentences of two lengths: the long ones have the pattern, and more errors."""
    treebank_id = "en_length-ud1.0-test"
    trees = [
        [("a", 0, "root"), *([("b", 1, "obj"), ("c", 1, "obl")] if number % 2 else [])]
        for number in range(80)
    ]
    add_treebank(database, tmp_path, treebank_id, trees, campaign_id="C21")
    texts = [" ".join(word for word, *_ in tree) for tree in trees]
    add_outputs(database, tmp_path, texts, "marked", treebank_id, campaign_id="C21")
    # Of those with three words 30 of 40 have an error, of those with one 4.
    marked = [(number % 2 and number % 8 < 6) or number % 20 == 0 for number in range(80)]
    names = "start_character", "end_character", "on_source", "category", "severity", "weight"
    error = json.dumps([dict.fromkeys(names)])
    database.connection.executemany(
        "INSERT INTO judgement BY NAME SELECT 'C21' AS campaign_id, ? AS judgement_no, "
        "0 AS raw_score, 'a' AS annotator_id, ? AS submission_id, ? AS treebank_id, "
        "? AS sentence_no, "
        "'mqm' AS criterion, 'ordinary' AS kind, ?::JSON AS error_spans",
        [
            (
                1000 + number,
                f"C21/marked/{treebank_id}",
                treebank_id,
                number,
                error if has_error else "[]",
            )
            for number, has_error in enumerate(marked, start=1)
        ],
    )
    run_analyses(
        database, [error_mining(metric="mqm_errors")], submissions=[f"C21/marked/{treebank_id}"]
    )
    rows = frame(database, f"FROM suspicion WHERE submission_id = 'C21/marked/{treebank_id}'")
    row = rows.set_index("pattern").loc["(obj)"]
    assert (row.sentences, row.failed, row.p_value) == (40, 30, 1)
    assert fisher_exact([[30, 10], [4, 36]], "greater").pvalue < 1e-6


@given(
    st.integers(1, 25).flatmap(
        lambda size: st.tuples(
            st.just(size),
            st.sets(st.integers(0, size - 1)),
            st.lists(st.sets(st.integers(0, size - 1), min_size=1), max_size=8),
        )
    ),
    st.integers(1, 4),
    st.integers(0, 5),
)
def test_tree_is_that_of_a_naive_recursion(
    drawn: tuple[int, set[int], list[set[int]]], support: int, levels: int
) -> None:
    size, failed, sets = drawn
    pairs = [(n, sentence) for n, numbers in enumerate(sets) for sentence in sorted(numbers)]
    columns = np.array(pairs, np.int64).reshape(-1, 2)
    flags = np.isin(np.arange(size), list(failed))
    occurrences = Occurrences.of_pairs(columns[:, 0], columns[:, 1], len(sets), size)
    everything = np.arange(size)
    nodes = list(
        suspicion_tree(occurrences, everything, flags, minimum_support=support, max_depth=levels)
    )
    computed = [(node.sentences, node.failed, node.pattern, node.stop_reason) for node in nodes]
    assert computed == naive_tree(sets, set(range(size)), failed, support, levels)
    assert all(node.depth <= levels for node in nodes)
    for node in nodes:
        children = [child for child in nodes if child.parent is node]
        assert [child.has_pattern for child in children] == ([True, False] if children else [])
        assert is_leaf(node) == (not children)


def is_leaf(node: TreeNode) -> bool:
    assert (node.pattern is None) == (node.suspicion is None) == (node.stop_reason is not None)
    return node.stop_reason is not None


def test_views_agree_with_the_tables(mined: Database) -> None:
    patterns = frame(mined, "FROM suspicious_patterns")
    assert not patterns.duplicated(["submission_id", "labels", "pattern"]).any()
    assert len(patterns) == len(frame(mined, "FROM suspicion"))
    assert set(patterns.language) == {"en"}
    coverage = frame(mined, "FROM pattern_coverage").set_index(["labels", "pattern"])
    for key, rows in patterns.groupby(["labels", "pattern"]):
        row = coverage.loc[key]
        suspicious = rows[rows.suspicious].suspicion
        assert (row.submissions, row.suspicious_in) == (len(rows), len(suspicious))
        assert row.coverage == len(suspicious) / 2
        assert row.coverage_of_score == (rows.suspicion > 0).sum() / 2
        assert row.coverage_above_base == (rows.failure_rate > rows.base_rate).sum() / 2
        for value, expected in (
            (row.suspicion_mean, suspicious.mean()),
            (row.suspicion_median, suspicious.median()),
        ):
            assert value == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert len(coverage) == patterns.groupby(["labels", "pattern"]).ngroups
    trees = frame(mined, "FROM suspicion_trees")
    assert len(trees) == len(frame(mined, "FROM suspicion_node")) > 10
    assert set(trees.system_id) == {"careful", "careless"}


def test_runs_without_a_score_are_named(tmp_path: Path) -> None:
    with open_database(None) as database:
        add_treebank(database, tmp_path, TREEBANK, map(chain, [["a", "dog", "ran"]] * 3))
        name = add_outputs(database, tmp_path, ["a dog ran"] * 3, "late", TREEBANK)
        report = run_analyses(database, [error_mining()])
    assert report == AnalysisReport(0, 0, (name,))


def test_mining_twice_changes_nothing(mined: Database) -> None:
    before = contents(mined, MINED, columns="*")
    assert run_analyses(mined, [error_mining()]) == AnalysisReport(0, 0)
    assert contents(mined, MINED, columns="*") == before


def test_what_else_was_enumerated_makes_no_difference(database: Database, mined: Database) -> None:
    enumerate_subtrees(database, [TREEBANK], labels="deprel", max_nodes=5, minimum_support=1)
    one_at_a_time = error_mining()
    object.__setattr__(one_at_a_time, "submissions_at_once", 1)
    run_analyses(database, [one_at_a_time, error_mining(labels="upos~deprel")])
    assert contents(database, MINED, columns="*") == contents(mined, MINED, columns="*")


def mine(database: Database, analysis: Analysis) -> pd.DataFrame:
    run_analyses(database, [analysis])
    return frame(database, "FROM error_mining").set_index("submission_id")


def test_mines_by_a_human_criterion(database: Database) -> None:
    row = mine(database, error_mining(metric="adequacy_z", quantile=0.4)).loc[BAD]
    z_scores = frame(database, "SELECT z_score FROM human_score ORDER BY z_score").z_score
    threshold = z_scores.iloc[math.ceil(0.4 * 30) - 1]
    assert (row.sentences, row.threshold) == (30, threshold)
    assert row.failed == (z_scores <= threshold).sum()
    rows = frame(database, "FROM suspicion")
    assert rows.sentences.between(5, 30).all()
    assert not run_audits(database)


def test_a_submission_without_scores_is_not_mined(database: Database) -> None:
    rows = mine(database, error_mining(metric="fluency_z"))
    assert set(rows.index) == {BAD}
    assert rows.loc[BAD].undefined_reason == "no sentence has a score"
    assert (rows.loc[BAD].sentences, rows.loc[BAD].failed) == (0, 0)
    assert not run_audits(database)


def test_a_threshold_replaces_the_quantile(database: Database) -> None:
    rows = mine(database, error_mining(threshold=0.5))
    assert set(rows.threshold) == {0.5}
    assert rows["quantile"].isna().all()
    assert rows.loc[BAD].failed == sum(value <= 0.5 for value in bleu_of(database, BAD).values())
    assert rows.loc[SAME].undefined_reason == "no sentence fails"
    assert not run_audits(database)


def test_settings_are_written_out() -> None:
    assert error_mining().settings == "labels:deprel|fail:bleu<=q0.25|nodes:3|support:5"
    other = error_mining("upos~deprel", "dea", threshold=0.5, max_nodes=2, minimum_support=9)
    assert other.settings == "labels:upos~deprel|fail:dea<=0.5|nodes:2|support:9"
    assert list(other.metrics or ()) == ["dea"]
    assert list(error_mining(metric="adequacy_z").metrics or ()) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"labels": "form"},
        {"quantile": 0.0},
        {"quantile": 1.0},
        {"quantile": math.nan},
        {"threshold": math.nan},
        {"threshold": math.inf},
        {"max_nodes": 0},
        {"minimum_support": 0},
    ],
)
def test_impossible_settings_are_errors(wrong: dict[str, object]) -> None:
    with pytest.raises((InputError, UnknownNameError)):
        error_mining(**wrong)


def test_an_unknown_metric_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="bloo"):
        error_mining(metric="bloo")


def test_healthy_results_have_no_findings(mined: Database) -> None:
    assert run_audits(mined) == []


@pytest.mark.parametrize("fault", planted("mining"), ids=str)
def test_planted_fault_is_found(mined: Database, fault: Planted) -> None:
    fault.check(mined)
