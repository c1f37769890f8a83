"""Choosing training sentences that contain what a submission does badly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.iterations import resolve_submission
from ...schema.names import check_names, resolve_treebank
from ...schema.statements import read_tuples
from ..analyses import analyse_treebanks, pending_treebanks
from ..catalog import install
from ..functions.patterns import parse_pattern
from ..metrics.loop import treebank_sha256
from . import SIGNIFICANT, TREE, Wanted
from .example_patterns import sentences_with
from .jobs import check_mining


@dataclass(frozen=True)
class Target:
    """Something that sentences are chosen for."""

    kind: str
    """relation, pattern or complexity."""
    name: str
    weight: float
    """Share of a relation's edges not realised, of a pattern's sentences that failed, or 1."""
    sentences: int
    """Sentences of the training treebank that have it."""
    chosen: int
    """Those of them that were chosen."""


@dataclass(frozen=True, repr=False)
class Selection(Brief):
    """The sentences that were chosen, in the order of the treebank, and what for."""

    treebank_id: str
    submission_id: str
    sentence_nos: list[int]
    targets: list[Target]
    wanted: Wanted

    def table(self) -> pa.Table:
        """Return one row per target: kind, name, weight, sentences, chosen."""
        return pa.Table.from_pylist([asdict(target) for target in self.targets])


def select_training(
    database: Database,
    treebank_id: str,
    submission_id: str,
    wanted: Wanted | None = None,
    *,
    budget: int = 1000,
    seed: int = 0,
    allow_same: bool = False,
) -> Selection:
    """Choose at most ``budget`` sentences of a training treebank (section 6 of the paper).

    Sentences are chosen one after the other. Each time it is the one that adds most, where a
    target adds its weight divided by one more than the number of chosen sentences that have it:
    what is covered well counts less and less. Of equal sentences the hash of seed and sentence
    decides. Sentences without a target are never chosen.

    Raises UnknownNameError for a treebank, submission or choice that is not there; InputError
    where the treebank is the one that the submission was made for (unless ``allow_same``), where
    the submission lacks DEA or error mining, and where there is nothing to choose.
    """
    wanted = wanted or Wanted()
    install(database)
    if budget < 1 or wanted.relations < 0 or wanted.patterns < 0:
        raise InputError(
            "a budget is 1 sentence at least, numbers of relations and patterns are not below 0",
            hint="check --budget, --relations and --patterns",
        )
    check_names("choice of patterns", [wanted.suspicious], [SIGNIFICANT, TREE])
    treebank_id = resolve_treebank(database, treebank_id)
    submission_id = resolve_submission(database, submission_id)
    check_mining(database, wanted.labels, wanted.metric)
    _check_treebanks(database, treebank_id, submission_id, allow_same)
    analyse_treebanks(
        database, [pending for pending in pending_treebanks(database) if pending == treebank_id]
    )
    features = [
        *_relations(database, treebank_id, submission_id, wanted),
        *_patterns(database, treebank_id, submission_id, wanted),
        *_complex(database, treebank_id, wanted),
    ]
    if not any(sentence_nos for _, sentence_nos in features):
        raise InputError(
            f"no sentence of treebank '{treebank_id}' has these relations or patterns",
            hint="ask for more --relations or --patterns, or lower the bounds",
        )
    sentence_nos = _cover(database, treebank_id, features, budget, seed)
    chosen = set(sentence_nos)
    targets = [
        Target(kind, name, weight, len(having), len(chosen.intersection(having)))
        for (kind, name, weight), having in features
    ]
    return Selection(treebank_id, submission_id, sorted(sentence_nos), targets, wanted)


_Selected = tuple[tuple[str, str, float], list[int]]
"""A target (kind, name, weight) and the sentences that have it."""


def _check_treebanks(
    database: Database, treebank_id: str, submission_id: str, allow_same: bool
) -> None:
    (own,) = database.connection.execute(
        "SELECT treebank_id, treebank.sha256 FROM submission JOIN treebank USING (treebank_id) "
        "WHERE submission_id = ?",
        [submission_id],
    ).fetchall()
    same = treebank_id == own[0] or treebank_sha256(database, treebank_id) == own[1]
    if not allow_same and same:
        raise InputError(
            f"submission '{submission_id}' is evaluated on the sentences of '{treebank_id}': "
            "a system trained on them cannot be evaluated on them again",
            hint="name a training treebank, or give --allow-same",
        )


def _relations(
    database: Database, treebank_id: str, submission_id: str, wanted: Wanted
) -> list[_Selected]:
    if not wanted.relations:
        return []
    weakest = read_tuples(
        database, "weak_relations", submission=submission_id, min_edges=wanted.min_edges
    )
    if not weakest:
        raise InputError(
            f"submission '{submission_id}' has no DEA",
            hint="run 'tracker score', or give --relations 0",
        )
    weight_of = {deprel: 1 - dea for deprel, dea, frequent in weakest if frequent and dea < 1}
    names = list(weight_of)[: wanted.relations]
    sentence_nos = dict(
        read_tuples(database, "sentences_with_relation", treebank=treebank_id, relations=names)
    )
    return [(("relation", name, weight_of[name]), sentence_nos.get(name, [])) for name in names]


def _patterns(
    database: Database, treebank_id: str, submission_id: str, wanted: Wanted
) -> list[_Selected]:
    if not wanted.patterns:
        return []
    mined = read_tuples(database, "minings_of", submission=submission_id)
    if not any((wanted.labels, wanted.metric) == (labels, metric) for labels, metric, _ in mined):
        raise InputError(
            f"submission '{submission_id}' has no error mining with labels '{wanted.labels}' and "
            f"metric '{wanted.metric}'",
            hint=f"run 'tracker analyse --only mining --labels {wanted.labels} "
            f"--metric {wanted.metric}', or give --patterns 0",
        )
    weight_of = dict(
        read_tuples(
            database,
            "most_suspicious_patterns",
            submission=submission_id,
            labels=wanted.labels,
            metric=wanted.metric,
            patterns=wanted.patterns,
            tree=wanted.suspicious == TREE,
        )
    )
    sentence_nos = {
        pattern: sentences_with(database, treebank_id, wanted.labels, parse_pattern(pattern))
        for pattern in weight_of
    }
    return [(("pattern", name, weight_of[name]), sentence_nos[name]) for name in weight_of]


def _complex(database: Database, treebank_id: str, wanted: Wanted) -> list[_Selected]:
    bounds = {
        "depth": wanted.min_depth,
        "length": wanted.min_length,
        "mdd": wanted.min_mdd,
        "non-projective": wanted.non_projective or None,
    }
    rows = read_tuples(
        database,
        "complex_sentence",
        treebank_id=treebank_id,
        min_depth=wanted.min_depth,
        min_length=wanted.min_length,
        min_mdd=wanted.min_mdd,
        non_projective=wanted.non_projective,
    )
    return [
        (
            ("complexity", name if bound is True else f"{name} >= {bound:g}", 1.0),
            [sentence_no for sentence_no, reached in rows if reached == name],
        )
        for name, bound in bounds.items()
        if bound is not None
    ]


def _cover(
    database: Database, treebank_id: str, features: Sequence[_Selected], budget: int, seed: int
) -> list[int]:
    """Return the numbers of the chosen sentences."""
    rows = database.connection.execute(
        "SELECT sentence_no FROM sentence WHERE treebank_id = $treebank_id "
        "ORDER BY sha256(concat($seed, ' ', sentence_no)), sentence_no",
        {"treebank_id": treebank_id, "seed": str(seed)},
    ).fetchall()
    numbers = np.array([number for (number,) in rows])
    has = np.column_stack([np.isin(numbers, having) for _, having in features])
    weights = np.array([weight for (_, _, weight), _ in features])
    return [int(numbers[row]) for row in cover(has, weights, budget)]


def cover(has: NDArray[np.bool_], weights: NDArray[np.float64], budget: int) -> list[int]:
    """Return the rows that cover targets best, best first, at most ``budget``.

    ``has`` says of each row (in the order in which equal ones are preferred) which targets it has,
    ``weights`` has one number above 0 per target; see ``select_training`` for the rule. Rows
    without a target are left out. Gains are compared to 12 digits.
    """
    rows = np.flatnonzero(has.any(axis=1))
    if not len(rows):
        return []
    # Rows with the same targets gain the same: they are compared once, and taken in their order.
    kinds, kind_of = np.unique(has[rows], axis=0, return_inverse=True)
    by_kind = np.argsort(kind_of, kind="stable")
    waiting = [
        list(rows[group][::-1])
        for group in np.split(by_kind, np.cumsum(np.bincount(kind_of.ravel()))[:-1])
    ]
    first = np.array([places[-1] for places in waiting])
    covered = np.zeros(len(weights))
    exhausted = np.zeros(len(waiting), dtype=bool)
    chosen: list[int] = []
    while len(chosen) < min(budget, len(rows)):
        gains = np.round((kinds * (weights / (1 + covered))).sum(axis=1), 12)
        gains[exhausted] = -1.0
        best = np.flatnonzero(gains == gains.max())
        kind = best[np.argmin(first[best])]
        chosen.append(int(waiting[kind].pop()))
        covered += kinds[kind]
        exhausted[kind] = not waiting[kind]
        first[kind] = waiting[kind][-1] if waiting[kind] else first[kind]
    return chosen
