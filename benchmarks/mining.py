"""Error mining against a plain search for the same patterns.

The miners of frequent trees that are published, SLEUTH and TreeMiner, come as sources without a
package. The plain search grows connected sets of words by one word at a time, writes each as text,
counts sentences in sets, and gives every pattern scipy's exact test of Fisher. Both find the same.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from measuring import Row, against, seconds_of
from synthetic import SyntheticCampaign

import sr_tracker
from sr_tracker.queries.errors import Settings
from sr_tracker.tracker.api.tracker import Tracker

SUBMISSIONS, NODES, SUPPORT, QUANTILE = 3, 3, 5, 0.25
STORED = ("subtree", "subtree_enumeration", "analysis", "error_mining", "suspicion")
Pattern = tuple[int, int, float]
"""Sentences that have it, how many of them failed, and the p-value."""


def measure(campaign: SyntheticCampaign, folder: Path) -> list[Row]:
    """Return the row; raises AssertionError where the two do not find the same."""
    treebank = campaign.treebanks[0]
    files = [file for file in campaign.submissions if file.stem.endswith("-en_bench0")]
    with sr_tracker.connect(folder / "mining.duckdb", create=True) as db, db.writing():
        db.ingest_treebank(treebank)
        for file in files[:SUBMISSIONS]:
            db.ingest_submission(file, system=file.stem, treebank=treebank.stem)
        db.score(metrics=["bleu"])
        settings = Settings(
            kinds=["mining"],
            labels=["deprel"],
            max_nodes=NODES,
            minimum_support=SUPPORT,
            quantile=QUANTILE,
        )
        seconds = seconds_of(lambda: db.analyse(settings), 2, before=lambda: _forget(db))
        tokens = db.sql("SELECT * FROM token ORDER BY sentence_no, token_no").to_pylist()
        scores = db.sql("SELECT * FROM sentence_score WHERE metric = 'bleu'").to_pylist()
        by_submission: dict[str, dict[str, Pattern]] = {}
        plain = seconds_of(lambda: by_submission.update(_plain_search(tokens, scores)))
        stored = db.sql("SELECT * FROM suspicion").to_pylist()
    assert len(stored) == sum(map(len, by_submission.values()))
    for row in stored:
        sentences, failed, p_value = by_submission[row["submission_id"]][row["pattern"]]
        assert (sentences, failed) == (row["sentences"], row["failed"])
        assert math.isclose(p_value, row["p_value"], rel_tol=1e-9)
    now = f"{seconds:.2f} s, {len(scores):,} outputs, patterns of {NODES} relations"
    return against(
        "error mining of a treebank", now, seconds, {"a plain search in Python": plain}, "10x"
    )


def _forget(db: Tracker) -> None:
    for table in STORED:
        db.database.connection.execute(f"DELETE FROM {table}")


def _plain_search(
    tokens: Sequence[Mapping], scores: Sequence[Mapping]
) -> dict[str, dict[str, Pattern]]:
    from scipy.stats import fisher_exact

    sentences: dict[int, list[Mapping]] = defaultdict(list)
    for token in tokens:
        sentences[token["sentence_no"]].append(token)
    places: dict[str, set[int]] = defaultdict(set)
    for number, words in sentences.items():
        for pattern in _patterns(words):
            places[pattern].add(number)
    by_submission: dict[str, dict[int, float]] = defaultdict(dict)
    for row in scores:
        if row["score"] is not None:
            by_submission[row["submission_id"]][row["sentence_no"]] = row["score"]
    suspicions: dict[str, dict[str, Pattern]] = {}
    for submission, scored in by_submission.items():
        limit = sorted(scored.values())[math.ceil(QUANTILE * len(scored)) - 1]
        failed = {number for number, score in scored.items() if score <= limit}
        passed = scored.keys() - failed
        suspicions[submission] = {}
        for pattern, numbers in places.items():
            one, other = len(numbers & failed), len(numbers & passed)
            if one + other >= SUPPORT:
                table = [[one, other], [len(failed) - one, len(passed) - other]]
                p_value = float(fisher_exact(table, alternative="greater").pvalue)
                suspicions[submission][pattern] = (one + other, one, p_value)
    return suspicions


def _patterns(words: Sequence[Mapping]) -> set[str]:
    """Return the patterns of a sentence; what hangs on punctuation moves up to the next word."""
    heads = {word["token_no"]: word["head"] for word in words}
    labels = {
        word["token_no"]: word["deprel"].partition(":")[0]
        for word in words
        if word["deprel"] != "punct"
    }
    children: dict[int, list[int]] = defaultdict(list)
    for word in labels:
        head = heads[word]
        while head and head not in labels:
            head = heads[head]
        children[head].append(word)
    size = {(word, frozenset([word])) for word in labels}
    sets = set(size)
    for _ in range(NODES - 1):
        size = {
            (top, chosen | {child})
            for top, chosen in size
            for word in chosen
            for child in children[word]
            if child not in chosen
        }
        sets |= size

    def text(word: int, chosen: frozenset[int]) -> str:
        parts = sorted(text(child, chosen) for child in children[word] if child in chosen)
        return labels[word] + (f" ({' '.join(parts)})" if parts else "")

    return {f"({text(top, chosen)})" for top, chosen in sets}
