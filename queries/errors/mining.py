"""Error mining: which subtrees of the references go with failure (section 3.4, Tables 5 to 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.progress import Progress
from ...schema.statements import fetch_table, read_table, read_tuples, statement
from ..analyses import ENUMERATION_VERSION, check_limits, enumerate_subtrees, label_attributes
from ..functions.statistics import Booleans, Integers, fisher_greater, holm, stratified_greater
from ..metrics import metrics
from ..metrics.registry import direction, is_errors, sentence_metric
from .jobs import Analysis, store_rows
from .suspicion_tree import Occurrences, TreeNode, suspicion_tree

MINING_VERSION, COUNTED_VERSION = "1", "2"
"""Of minings by scores, and of those by what may be a count of errors."""
HUMAN = "_z"  # the ending of a human criterion among the measures


@dataclass(frozen=True)
class _Settings:
    """What one error mining is about."""

    labels: str
    metric: str
    quantile: float
    threshold: float | None
    max_nodes: int
    minimum_support: int

    @property
    def text(self) -> str:
        limit = f"q{self.quantile!r}" if self.threshold is None else repr(self.threshold)
        return (
            f"labels:{self.labels}|fail:{self.metric}<={limit}|"
            f"nodes:{self.max_nodes}|support:{self.minimum_support}"
        )


@dataclass(frozen=True)
class _Candidates:
    """The patterns of a treebank, small ones first, and the sentences they are in."""

    patterns: pa.Table
    """Columns pattern and nodes; the row is the number of the pattern."""
    occurrences: Occurrences
    lengths: Integers | None = None
    """Words of the sentences by number, where failures are compared within those of a length."""


def error_mining(
    labels: str = "deprel",
    metric: str = "bleu",
    quantile: float = 0.25,
    threshold: float | None = None,
    max_nodes: int = 3,
    minimum_support: int = 5,
) -> Analysis:
    """Return the analysis that finds the subtree patterns which go with failed sentences.

    A sentence fails where its score by ``metric`` (or its z-score: ``adequacy_z``) is at most the
    threshold: the given one, or the lowest score that at least a share ``quantile`` of the scored
    sentences does not exceed; the other way round where lower scores are better. All ties at the
    threshold fail. By errors that people marked (``mqm_errors``, ``mqm_errors[critical]``) a
    sentence fails that has one, unless a threshold says how many; long sentences have more errors
    and more of all patterns, so that p-values compare sentences of a length. Patterns have 1 to
    ``max_nodes`` nodes and are in at least ``minimum_support`` scored sentences. Stores
    `error_mining`, `suspicion` and `suspicion_node`.

    Raises InputError for settings that cannot be, UnknownNameError for an unknown metric.
    """
    label_attributes(labels)
    check_limits(max_nodes, minimum_support)
    if threshold is None and not 0 < quantile < 1:
        raise InputError(
            f"a quantile of {quantile} leaves no two groups",
            hint="give the share of sentences that fail, between 0 and 1",
        )
    if threshold is not None and threshold - threshold != 0:
        raise InputError("the threshold must be a finite number")
    marks = metric not in metrics() and is_errors(metric)
    human = metric not in metrics() and metric.endswith(HUMAN)
    used = [metric] if marks else [] if human else [sentence_metric(metric).name]
    if marks and threshold is None:
        threshold = 1
    threshold = None if threshold is None else float(threshold)
    settings = _Settings(labels, metric, float(quantile), threshold, max_nodes, minimum_support)
    return Analysis(
        name="error_mining",
        settings=settings.text,
        version=f"{COUNTED_VERSION if marks or human else MINING_VERSION} {ENUMERATION_VERSION}",
        tables=("error_mining", "suspicion", "suspicion_node"),
        compute=partial(_mine, settings),
        metrics=used,
        prepare=partial(_prepare, settings),
        submissions_at_once=100,
    )


def _prepare(
    settings: _Settings, database: Database, treebank_ids: Sequence[str], progress: Progress
) -> None:
    enumerate_subtrees(
        database,
        treebank_ids,
        labels=settings.labels,
        max_nodes=settings.max_nodes,
        minimum_support=settings.minimum_support,
        progress=progress,
    )


def _mine(settings: _Settings, database: Database) -> None:
    connection = database.connection
    split = {
        "metric": settings.metric,
        "quantile": settings.quantile,
        "threshold": settings.threshold,
    }
    limits = {
        "labels": settings.labels,
        "max_nodes": settings.max_nodes,
        "minimum_support": settings.minimum_support,
    }
    better = {"direction": direction(settings.metric)}
    connection.execute(statement("split_failed"), {**split, **better})
    connection.execute(statement("store_error_mining"), {**split, **limits})
    minable = read_tuples(database, "minable_submissions")
    splits = _splits(database)
    counted = _is_count(database, settings.metric)
    suspicions: list[pa.Table] = []
    nodes: list[dict[str, Any]] = []
    for treebank_id, submission_ids in minable:
        candidates = _candidates(database, settings, treebank_id, by_length=counted)
        for submission_id in submission_ids:
            patterns, tree = _mine_submission(
                settings, submission_id, candidates, splits[submission_id]
            )
            suspicions.append(patterns)
            nodes += tree
    if suspicions:
        store_rows(database, "suspicion", pa.concat_tables(suspicions))
    store_rows(database, "suspicion_node", nodes)


def _is_count(database: Database, measure: str) -> bool:
    """Return whether a measure counts errors, or is a score of people who marked them: mqm_z."""
    if measure in metrics() or is_errors(measure):
        return measure not in metrics()
    criterion = measure.removesuffix(HUMAN)
    marked = "SELECT 1 FROM marked_outputs WHERE criterion = ? LIMIT 1"
    return database.connection.execute(marked, [criterion]).fetchone() is not None


def _candidates(
    database: Database, settings: _Settings, treebank_id: str, *, by_length: bool
) -> _Candidates:

    limits = {
        "treebank_id": treebank_id,
        "labels": settings.labels,
        "max_nodes": settings.max_nodes,
    }
    patterns = fetch_table(
        database.connection,
        "SELECT pattern, nodes FROM subtree WHERE treebank_id = $treebank_id "
        "AND labels = $labels AND nodes <= $max_nodes ORDER BY nodes, pattern",
        limits,
    )
    pairs = read_table(database, "pattern_sentences", **limits)
    words = read_table(database, "sentence_words", treebank_id=treebank_id)
    numbers = words["sentence_no"].to_numpy()
    lengths = np.zeros(numbers.max(initial=0) + 1, np.int64)
    lengths[numbers] = words["words"].to_numpy()
    pattern, sentence = (pairs[name].to_numpy() for name in ("pattern_no", "sentence_no"))
    occurrences = Occurrences.of_pairs(pattern, sentence, len(patterns), len(lengths))
    return _Candidates(patterns, occurrences, lengths if by_length else None)


def _splits(database: Database) -> dict[str, pa.Table]:
    """Return the scored sentences of each submission, in order, and whether they failed."""
    rows = fetch_table(
        database.connection,
        "SELECT submission_id, sentence_no::BIGINT AS sentence_no, failed FROM failed_sentence "
        "ORDER BY submission_id, sentence_no",
    )
    splits = {}
    start = 0
    for count in pc.value_counts(rows["submission_id"]).to_pylist():
        splits[count["values"]] = rows.slice(start, count["counts"])
        start += count["counts"]
    return splits


def _mine_submission(
    settings: _Settings, submission_id: str, candidates: _Candidates, split: pa.Table
) -> tuple[pa.Table, list[dict[str, Any]]]:
    """Return the rows of `suspicion` and of `suspicion_node`."""
    scored = split["sentence_no"].to_numpy().copy()  # not read-only, as what is split later
    failed = np.zeros(len(candidates.occurrences.starts) - 1, np.bool_)
    failed[scored] = split["failed"].to_numpy()
    suspicions = _suspicions(submission_id, settings, candidates, scored, failed)
    tree = suspicion_tree(
        candidates.occurrences, scored, failed, minimum_support=settings.minimum_support
    )
    return suspicions, _tree_rows(submission_id, list(tree), candidates.patterns)


def _suspicions(
    submission_id: str,
    settings: _Settings,
    candidates: _Candidates,
    scored: Integers,
    failed: Booleans,
) -> pa.Table:
    """Return a row for each pattern in enough sentences, with Fisher's exact test.

    With ``lengths`` a sentence is compared with those of its length alone: strata of the test, for
    measures that grow with the length.
    """
    counts = candidates.occurrences.counts(scored, failed)
    mined = np.flatnonzero(counts[0] >= settings.minimum_support)
    sentences, failures = counts[:, mined]
    all_failed = int(np.count_nonzero(failed[scored]))
    if candidates.lengths is None:
        p_values = fisher_greater(sentences, failures, len(scored), all_failed)
    else:
        _, stratum = np.unique(candidates.lengths[scored], return_inverse=True)
        sizes = np.bincount(stratum)
        with_pattern = [
            candidates.occurrences.counts(scored[stratum == place], failed)[0, mined]
            for place in range(len(sizes))
        ]
        failed_of_length = np.bincount(stratum[failed[scored]], minlength=len(sizes))
        p_values = stratified_greater(np.array(with_pattern), failures, sizes, failed_of_length)
    rows = candidates.patterns.take(pa.array(mined))
    columns: dict[str, Any] = {
        "submission_id": pa.repeat(submission_id, len(mined)),
        "pattern": rows["pattern"],
        "nodes": rows["nodes"],
        "sentences": sentences,
        "failed": failures,
        "p_value": p_values,
        "p_holm": holm(p_values),
    }
    return pa.table(columns)


def _tree_rows(
    submission_id: str, nodes: Sequence[TreeNode], patterns: pa.Table
) -> list[dict[str, Any]]:
    numbers = {id(node): number for number, node in enumerate(nodes, start=1)}
    names = patterns["pattern"]
    return [
        {
            "submission_id": submission_id,
            "node_no": numbers[id(node)],
            "parent_node_no": None if node.parent is None else numbers[id(node.parent)],
            "has_pattern": node.has_pattern,
            "depth": node.depth,
            "sentences": node.sentences,
            "failed": node.failed,
            "pattern": None if node.pattern is None else names[node.pattern].as_py(),
            "suspicion": node.suspicion,
            "stop_reason": node.stop_reason,
        }
        for node in nodes
    ]
