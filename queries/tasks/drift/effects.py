"""How much of a score's change comes from the references, and how much from the system.

A change from one run by old references to another run by new ones is split by the two crossed
scores: each run by the other's references. What the references bring is taken once before and once
after what the system brings, and the mean of both is told, as in the decomposition of a difference
by Kitagawa (1955), who splits rates of two populations in this way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa

from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.names import check_names
from ....schema.statements import read_rows, read_table
from ....schema.temporary import lent
from ...change.comparison.model import difference
from ...change.comparison.samples import not_scored, statistics_scores
from ...change.comparison.sides import Scores, StoredScore, read_scores, scored_alike
from ...change.significance.intervals import interval
from ...change.significance.replicates import drawn_sums, number_of
from ...functions.statistics import Floats, Integers
from ...metrics import metrics as all_metrics
from ...metrics.formulas import formula_of, read_sentences, score_sums
from ...metrics.registry import usual_metrics
from . import Effect, Effects

NOT_ALIKE = "the scores were computed in different ways"
NO_STATISTICS = "not every sentence has statistics by both versions"
NO_EDGE = "a version has no edge of the relation in a shared sentence"
DEA, EVERY = "dea", "*"
OLD_OLD, OLD_NEW, NEW_OLD, NEW_NEW = range(4)
"""Run and references: the places of the four scores."""


def read_effects(
    database: Database,
    old: str,
    new: str,
    *,
    metrics: Sequence[str] | None,
    runs: tuple[str, str] | None,
    replicates: int,
    seed: int,
    level: float,
) -> tuple[list[Effects], list[str]]:
    """Return what changes of scores are made of, and what is to be said of runs left out.

    Reads the temporary table ``drift_pair``. Without ``runs`` each run that is there for both
    versions is told alone. Raises InputError where one of ``runs`` is not.
    """
    twin_rows = read_rows(database, "drift_twins", old=old, new=new)
    same = [row for row in twin_rows if row["same_outputs"]]
    twins = {row["old_submission_id"]: row["new_submission_id"] for row in same}
    notes = [
        f"{row['old_submission_id']} and {row['new_submission_id']} have other outputs for the "
        "same sentences: which part of their change is the references' is not known"
        for row in twin_rows
        if not row["same_outputs"]
    ]
    pairs = [(name, name) for name in twins]
    if runs is not None:
        pairs = [(_by_old(twins, runs[0], old, new), _by_old(twins, runs[1], old, new))]
    shared = read_rows(database, "drift_shared")
    numbers = np.array([[row["old_no"], row["new_no"]] for row in shared], np.int64)
    submissions = [*chain.from_iterable(twins.items())]
    scores = read_scores(database, submissions)
    names = metrics or [
        name
        for name in usual_metrics()
        if any((name, submission) in scores for submission in submissions)
    ]
    settings = (replicates, seed, level)
    relations = [name.removeprefix(f"{DEA}[")[:-1] for name in names if "[" in name]
    results = []
    for older, newer in pairs:
        of_all = ([older, twins[older], newer, twins[newer]], scores, numbers, settings)
        effects = [_effect(database, name, *of_all) for name in names if "[" not in name]
        effects += _of_relations(database, relations, *of_all)
        results.append(Effects(older, twins[newer], older == newer, effects))
    return results, notes


def _by_old(twins: Mapping[str, str], name: str, old: str, new: str) -> str:
    """Return the name by the old version of a run that is given by either."""
    of_new = {twin: name for name, twin in twins.items()}
    if name in twins or name in of_new:
        return of_new.get(name, name)
    raise InputError(
        f"the outputs of '{name}' are not loaded for both {old} and {new}",
        hint=f"'tracker ingest carry {name} --to TREEBANK' loads them for the other version",
    )


def _effect(
    database: Database,
    metric: str,
    crossed: Sequence[str],
    scores: Scores,
    numbers: Integers,
    settings: tuple[int, int, float],
) -> Effect:
    better = all_metrics()[metric].better
    alike = scored_alike(scores, metric, crossed, same_references=False)
    if alike is None:
        return _undefined(metric, better, not_scored(scores, metric, crossed))
    stored = [score.score for score in alike.scores]
    statistics_of = statistics_scores(scores, metric, alike.scores, same_references=False)
    reason = next((one.undefined_reason for one in alike.scores if one.undefined_reason), None)
    if not alike.comparable:
        reason = NOT_ALIKE
    formula = formula_of(metric)
    statistics = None
    if reason is None and statistics_of is not None:
        scored = [(one.submission_id, one.signature_id) for one in statistics_of]
        sentences = read_sentences(database, formula.statement, scored)
        statistics = _of_shared(sentences, numbers)
    if statistics is None:
        return _undefined(metric, better, reason or NO_STATISTICS, stored)
    on_shared = score_sums(database, formula, statistics.sum(axis=1))
    resampled = score_sums(database, formula, drawn_sums(statistics, *settings[:2]))
    return _effect_of(metric, better, stored, on_shared, resampled, len(numbers), settings)


def _of_relations(
    database: Database,
    relations: Sequence[str],
    crossed: Sequence[str],
    scores: Scores,
    numbers: Integers,
    settings: tuple[int, int, float],
) -> list[Effect]:
    """Return what changes of edge accuracy by relation are made of, the references' largest first.

    Edges of a relation are those that each version calls so: one that is called otherwise goes
    from one relation to another. ``*`` among ``relations`` stands for all. Raises UnknownNameError
    for a relation that neither version has.
    """
    if not relations:
        return []
    alike = scored_alike(scores, DEA, crossed, same_references=False)
    if alike is None or not alike.comparable:
        reason = NOT_ALIKE if alike else not_scored(scores, DEA, crossed)
        return [_undefined(f"{DEA}[{relation}]", "higher", reason) for relation in relations]
    edges = read_edges(database, alike.scores, numbers)
    wanted = edges.relations if EVERY in relations else [*dict.fromkeys(relations)]
    check_names("relation", wanted, edges.relations)
    shared = edges.shared
    drawn = drawn_sums(shared.reshape(*shared.shape[:2], -1), *settings[:2])
    with np.errstate(invalid="ignore"):
        stored, on_shared, resampled = (
            sums[..., 0] / sums[..., 1]
            for sums in (edges.whole, shared.sum(axis=1), drawn.reshape(*drawn.shape[:2], -1, 2))
        )
    effects = []
    for relation in wanted:
        at, name = edges.relations.index(relation), f"{DEA}[{relation}]"
        ends = [number_of(score) for score in stored[:, at]]
        if np.isnan(on_shared[:, at]).any():
            effects.append(_undefined(name, "higher", NO_EDGE, ends))
            continue
        parts = on_shared[:, at], resampled[..., at]
        concerned = int(shared[..., at, 1].any(axis=0).sum())
        effects.append(_effect_of(name, "higher", ends, *parts, concerned, settings))
    return sorted(effects, key=lambda relation: -abs(relation.references or 0))


def _effect_of(
    measure: str,
    better: str,
    stored: Sequence[float | None],
    on_shared: Floats,
    resampled: Floats,
    sentences: int,
    settings: tuple[int, int, float],
) -> Effect:
    """Return the effect from the scores of the whole, of what is shared and of what is drawn."""
    *_, level = settings
    (references, system), (low, high) = _split(on_shared), _ends(_split(resampled), level)
    change = difference(stored[NEW_NEW], stored[OLD_OLD])
    whole = number_of(on_shared[NEW_NEW] - on_shared[OLD_OLD])
    return Effect(
        measure=measure,
        better=better,
        old=stored[OLD_OLD],
        new=stored[NEW_NEW],
        change=change,
        composition=difference(change, whole),
        references=number_of(references),
        references_low=number_of(low[0]),
        references_high=number_of(high[0]),
        references_of_old=number_of(on_shared[OLD_NEW] - on_shared[OLD_OLD]),
        references_of_new=number_of(on_shared[NEW_NEW] - on_shared[NEW_OLD]),
        system=number_of(system),
        system_low=number_of(low[1]),
        system_high=number_of(high[1]),
        sentences=sentences,
    )


def _split(scores: Floats) -> Floats:
    """Return what references and system bring, on the last axis; ``scores`` has the four there."""
    by = np.moveaxis(scores, -1, 0)
    references = (by[OLD_NEW] - by[OLD_OLD] + by[NEW_NEW] - by[NEW_OLD]) / 2
    system = (by[NEW_OLD] - by[OLD_OLD] + by[NEW_NEW] - by[OLD_NEW]) / 2
    return np.stack([references, system], axis=-1)


def _ends(replicates: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends of both intervals; NaN where no replicate has a score."""
    defined = replicates[~np.isnan(replicates).any(axis=1)]
    if not len(defined):
        return np.full(2, np.nan), np.full(2, np.nan)
    return interval(defined, level)


def _of_shared(sides: Sequence[tuple[Integers, Floats]], numbers: Integers) -> Floats | None:
    """Return the statistics of the shared sentences: shape (4, sentences, k), None where not all.

    ``numbers`` has each sentence's number in the old and in the new version.
    """
    rows = []
    for place, (sentences, statistics) in enumerate(sides):
        wanted = numbers[:, place % 2]
        if not np.isin(wanted, sentences).all():
            return None
        rows.append(statistics[np.searchsorted(sentences, wanted)])
    if len({values.shape for values in rows}) > 1:
        return None
    return np.stack(rows)


def _undefined(
    metric: str, better: str, reason: str, stored: Sequence[float | None] = (None,) * 4
) -> Effect:
    old, new = stored[OLD_OLD], stored[NEW_NEW]
    return Effect(
        measure=metric,
        better=better,
        old=old,
        new=new,
        change=difference(new, old),
        undefined_reason=reason,
    )


_RUN = ("submission_id", "signature_id")


@dataclass(frozen=True)
class RelationEdges:
    """Edges found and edges, on the last axis, of some submissions by relation."""

    relations: Sequence[str]
    """In alphabetical order."""
    whole: Floats
    """Shape (submissions, relations, 2): of all sentences."""
    shared: Floats
    """Shape (submissions, shared sentences, relations, 2)."""


def read_edges(
    database: Database, scores: Sequence[StoredScore], numbers: Integers
) -> RelationEdges:
    """Return the edges of submissions by old and new references in turn, by their scores.

    ``numbers`` has each shared sentence's number in the old and in the new version.
    """
    runs = {name: [getattr(score, name) for score in scores] for name in _RUN}
    with lent(database, drift_run=pa.table(runs)):
        rows = read_table(database, "drift_edges")
    names, relation = np.unique(rows["deprel"].to_pylist(), return_inverse=True)
    submission = np.array(rows["submission_id"].to_pylist())
    sentence = rows["sentence_no"].to_numpy()
    edges = rows["statistics"].combine_chunks().flatten().to_numpy().reshape(-1, 2)
    whole = np.zeros((len(scores), len(names), 2))
    shared = np.zeros((len(scores), len(numbers), len(names), 2))
    for place, score in enumerate(scores):
        own = np.flatnonzero(submission == score.submission_id)
        np.add.at(whole[place], relation[own], edges[own])
        order = np.argsort(numbers[:, place % 2])
        after = np.searchsorted(numbers[order, place % 2], sentence[own])
        at = order[np.minimum(after, len(order) - 1)]
        own, at = (array[numbers[at, place % 2] == sentence[own]] for array in (own, at))
        shared[place, at, relation[own]] = edges[own]
    return RelationEdges(names.tolist(), whole, shared)
