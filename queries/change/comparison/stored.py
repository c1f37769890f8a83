"""Comparisons that are kept: read where they still hold, tested where they do not, and written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from typing import Any

import pyarrow as pa

from ....schema import TOOL_VERSION
from ....schema.database import Database
from ....schema.progress import Progress, silent
from ....schema.statements import read_rows
from ....schema.temporary import insert, lent
from ...clusters import Clusters
from . import model
from .changes import (
    METRIC,
    complete_measures,
    family_changes,
    primary_metrics,
    relation_changes,
)
from .sides import Pairing, objections, pairing_of, pairings_of, read_sides
from .slices import slice_names
from .verdict import labels_text, outcome, relations_text, verdict_text

RELATION, PATTERN = "relation", "pattern"
_SETTINGS = ("replicates", "seed", "level", "alpha", "force", "resampling_unit")
"""Settings that change what is stored; with their defaults a comparison is the standard one."""


Pair = tuple[str, str]
"""The ids of a submission and of its base."""


@dataclass(frozen=True)
class Rows:
    """What is to be stored of a comparison."""

    comparison: Mapping[str, Any]
    """Its row of the table comparison."""
    changes: Sequence[Mapping[str, Any]]
    """All its rows of the table change, those that are stored and still hold among them."""


class PairTests:
    """How one submission changed against another: read where it is stored, else tested.

    ``rows`` are what ``store`` writes of it. Patterns, which rest on base's mining, are not stored.
    """

    def __init__(self, pairing: Pairing, settings: model.Settings) -> None:
        self.pairing, self.settings = pairing, settings
        self.tested: dict[str, model.Change] = {}
        """What was tested now."""

    @property
    def stored(self) -> bool:
        """Whether all that was asked for so far is in the database."""
        return bool(self._stored) and self._lasting.keys() == self._stored.keys()

    def changes(
        self, measures: Sequence[str] | None, measured: Mapping[str, model.Measured] | None = None
    ) -> list[model.Change]:
        """Return how measures changed, in their order; None for all but patterns.

        ``measured`` is what ``read_measures`` returned. Raises UnknownNameError for a measure that
        no submission could have.
        """
        if measures is None:
            measured = complete_measures(self.pairing, None, measured)
            measures = [*measured]
        _test([(self, measures)], measured)
        there = self.there
        return [there[name] for name in measures]

    @property
    def there(self) -> dict[str, model.Change]:
        """The changes that are stored, or tested now, by measure."""
        return {**self._stored, **self.tested}

    @property
    def _lasting(self) -> dict[str, model.Change]:
        return {name: change for name, change in self.there.items() if change.kind != PATTERN}

    def relations(self) -> list[model.RelationChange]:
        """Return how all relations changed, by name; empty where their edges are not comparable."""
        relations = [item for item in self.there.values() if isinstance(item, model.RelationChange)]
        if not relations:
            relations = relation_changes(self.pairing, self.settings)
            self.tested |= {change.measure: change for change in relations}
        return sorted(relations, key=lambda change: change.deprel)

    @cached_property
    def primary(self) -> list[str]:
        """The measures that the verdict rests on."""
        return primary_metrics(self.pairing, self.settings)

    @cached_property
    def verdict(self) -> Mapping[str, str | None]:
        """What the comparison comes to in words, by columns of ``comparison``.

        Where all that it rests on is stored, these are the words that were stored with it.
        """
        primary, relations = self.changes(self.primary), self.relations()
        labels_verdict = None
        if self.primary and not relations:  # relations tell more
            labels_verdict = self.labels_verdict(slice_names(self.pairing, self.primary[:1], None))
        if self.stored:
            parameters = {**self.pairing.parameters, "settings": self.settings_id}
            for row in read_rows(self.pairing.database, "stored_verdict", **parameters):
                return row
        alpha = self.settings.alpha
        return {
            "verdict": verdict_text(self.pairing.new, self.pairing.base, primary, alpha),
            "relations_verdict": relations_text(relations, alpha),
            "labels_verdict": labels_verdict,
        }

    def labels_verdict(self, slices: Sequence[str]) -> str | None:
        """Return what changed most by a label, of slices by the first primary metric."""
        changes = self.changes(slices)
        return labels_text(changes, self.changes(self.primary), self.settings.alpha)

    @cached_property
    def clusters(self) -> Clusters:
        """What is resampled: documents, equal texts or sentences of new's treebank."""
        return self.pairing.clusters(self.settings.resampling_unit)

    @cached_property
    def settings_id(self) -> str:
        """The short hash of how it is tested; other documents are another way."""
        settings = {name: getattr(self.settings, name) for name in _SETTINGS}
        resampled = [self.clusters.unit, hashlib.sha256(self.clusters.keys.tobytes()).hexdigest()]
        choices = [settings, self.primary, self.settings.metrics is None, resampled]
        how = json.dumps(choices, sort_keys=True)
        return hashlib.sha256(how.encode()).hexdigest()[:12]

    @cached_property
    def _stored(self) -> dict[str, model.Change]:
        """The changes that are stored and rest on what the values rest on now."""
        rows = read_rows(
            self.pairing.database,
            "stored_changes",
            **self.pairing.parameters,
            settings=self.settings_id,
        )
        return {
            row["measure"]: change_of(row)
            for row in rows
            if (row["state"], row["base_state"]) == self._state_of(row["measure"])
        }

    def _state_of(self, measure: str) -> tuple[str | None, str | None]:
        source = measure.partition("[")[0]
        states = [self.pairing.states[side].get(source, (None, False)) for side in self.pairing.ids]
        return states[0][0], states[1][0]

    def rows(self, objections: Sequence[str]) -> Rows | None:
        """Return what is to be stored of all that was asked for; None where it is stored.

        ``objections`` are those against the comparison.
        """
        return None if self.stored else Rows(self._comparison(objections), self._changes())

    def _comparison(self, objections: Sequence[str]) -> dict[str, Any]:
        pairing, settings = self.pairing, self.settings
        primary = self.changes(self.primary)
        new, base = pairing.ids
        standard = settings.metrics is None and all(
            getattr(settings, name) == getattr(model.Settings(), name) for name in _SETTINGS
        )
        return {
            "submission_id": new,
            "base_submission_id": base,
            "settings_id": self.settings_id,
            "standard": standard,
            "primary_metrics": self.primary,
            "replicates": settings.replicates,
            "seed": settings.seed,
            "level": settings.level,
            "alpha": settings.alpha,
            "forced": settings.force,
            "matched_by": "sentence" if pairing.same_treebank else "text",
            "sentences": sentences_of(pairing),
            "resampling_unit": self.clusters.unit,
            "clusters": self.clusters.number,
            "outcome": outcome(primary, settings.alpha),
            **self.verdict,
            "objections": "; ".join(objections) or None,
            "tool": TOOL_VERSION,
            "compared_at": datetime.now(UTC),
        }

    def _changes(self) -> list[dict[str, Any]]:
        new, base = self.pairing.ids
        return [
            {
                "submission_id": new,
                "base_submission_id": base,
                "settings_id": self.settings_id,
                "place": place,
                "score": change.new,
                "base_score": change.base,
                "gained": getattr(change, "gained", None),
                "lost": getattr(change, "lost", None),
                **dict(zip(("state", "base_state"), self._state_of(measure), strict=True)),
                **{name: getattr(change, name) for name in _COPIED},
            }
            for place, (measure, change) in enumerate(self._lasting.items())
        ]


PAIRS_AT_ONCE, SENTENCES_AT_ONCE = 16, 40_000
"""So many pairs are tested at once, where their sentences are no more than the latter."""


def tested_in_turn(wanted: Sequence[tuple[PairTests, Sequence[str]]]) -> Iterator[PairTests]:
    """Yield pairs in their order, measures of each tested: of the same treebanks several at once.

    Raises UnknownNameError for a measure that no submission could have.
    """
    for _, alike in groupby(wanted, lambda pair: pair[0].pairing.treebanks):
        pairs = [*alike]
        sentences = max(len(pairs[0][0].pairing.sentences[0]), 1)
        most = max(min(PAIRS_AT_ONCE, SENTENCES_AT_ONCE // sentences), 1)
        for start in range(0, len(pairs), most):
            batch = pairs[start : start + most]
            _test(batch)
            yield from (tests for tests, _ in batch)


def _test(
    wanted: Sequence[tuple[PairTests, Sequence[str]]],
    measured: Mapping[str, model.Measured] | None = None,
) -> None:
    """Test at once those measures of pairs that are neither stored nor tested yet."""
    missing = {}
    for tests, names in wanted:
        there = tests.there
        if new := [name for name in names if name not in there]:
            missing[tests] = (tests.pairing, new, complete_measures(tests.pairing, new, measured))
    if missing:
        changes = family_changes([*missing.values()], wanted[0][0].settings)
        for tests, by_measure in zip(missing, changes, strict=True):
            tests.tested |= by_measure


_COPIED = (
    *("measure", "kind", "family", "family_size", "difference", "low", "high", "p_value"),
    *("p_holm", "replicates", "n", "design_effect", "better", "test", "undefined_reason"),
    *("trials", "base_trials", "trial_sd", "base_trial_sd", "sentence_p_value"),
)


def pair_tests(database: Database, new: str, base: str, settings: model.Settings) -> PairTests:
    """Return the tests of two submissions. Raises UnknownNameError where one is not there."""
    return PairTests(pairing_of(database, new, base), settings)


def change_of(row: Mapping[str, Any]) -> model.Change:
    """Return a change as its row of ``change`` has it."""
    values = {name: row[name] for name in _COPIED}
    values |= {"new": row["score"], "base": row["base_score"]}
    if row["kind"] == RELATION:
        deprel = row["measure"].removeprefix(f"{METRIC}[").removesuffix("]")
        return model.RelationChange(**values, deprel=deprel, gained=row["gained"], lost=row["lost"])
    return model.Change(**values)


def sentences_of(pairing: Pairing) -> int:
    """Return how many sentences two submissions are compared on."""
    if not pairing.same_treebank:
        return len(pairing.sentences[0])
    ((count,),) = pairing.database.connection.execute(
        "SELECT count(*) FROM output WHERE submission_id = ?", [pairing.new.submission_id]
    ).fetchall()
    return int(count)


def store(database: Database, comparisons: Iterable[Rows | None]) -> int:
    """Write comparisons, all or none, in place of what was stored of them; return how many.

    None are those that are stored.
    """
    new = [rows for rows in comparisons if rows is not None]
    if not new:
        return 0
    key = ("submission_id", "base_submission_id", "settings_id")
    renewed = pa.Table.from_pylist([{name: rows.comparison[name] for name in key} for rows in new])
    is_renewed = f"({', '.join(key)}) IN (SELECT ({', '.join(key)}) FROM renewed)"  # noqa: S608
    with lent(database, renewed=renewed), database.transaction() as connection:
        for table in ("comparison", "change"):
            connection.execute(f"DELETE FROM {table} WHERE {is_renewed}")  # noqa: S608
        insert(database, "comparison", [rows.comparison for rows in new])
        insert(database, "change", [row for rows in new for row in rows.changes])
    return len(new)


def stored_comparisons(database: Database, pairs: Sequence[Pair]) -> dict[Pair, model.Comparison]:
    """Return the verdicts that are stored of some pairs and still hold, metrics and relations."""
    comparisons = read_rows(database, "stored_comparisons", **_pair_parameters(pairs))
    changes = read_rows(database, "stored_comparison_changes", **_pair_parameters(pairs))
    ids = sorted({name for pair in pairs for name in pair})
    sides = dict(zip(ids, read_sides(database, ids), strict=True)) if comparisons else {}
    of_pair: dict[Pair, list[model.Change]] = {}
    for row in changes:
        of_pair.setdefault(_pair(row), []).append(change_of(row))
    return {
        _pair(row): model.Comparison(
            new=sides[row["submission_id"]],
            base=sides[row["base_submission_id"]],
            settings=model.Settings(
                **{name: row[name] for name in ("replicates", "seed", "level", "alpha")}
            ),
            sentences=row["sentences"],
            matched_by=row["matched_by"],
            resampling_unit=row["resampling_unit"],
            clusters=row["clusters"],
            objections=(),
            verdict=[
                row[name]
                for name in ("verdict", "relations_verdict", "labels_verdict")
                if row[name]
            ],
            outcome=row["outcome"],
            metrics=[
                change
                for change in of_pair[_pair(row)]
                if "[" not in change.measure and change.family != model.CHECK
            ],
            checks=[c for c in of_pair[_pair(row)] if c.family == model.CHECK],
            relations=sorted(
                (c for c in of_pair[_pair(row)] if isinstance(c, model.RelationChange)),
                key=lambda change: change.deprel,
            ),
        )
        for row in comparisons
    }


@dataclass(frozen=True)
class Missing:
    """What is not stored of some pairs."""

    rows: Sequence[Rows]
    barred: Sequence[Pair]
    """Pairs that must not be compared."""


def missing_comparisons(
    database: Database,
    pairs: Sequence[Pair],
    metrics: Sequence[str],
    settings: model.Settings | None = None,
    progress: Progress = silent,
) -> Missing:
    """Return what is to be stored of those pairs whose verdict is not, or no longer holds.

    Their changes are those of the metrics that the verdict rests on, and of ``metrics`` that both
    have.
    """
    settings = settings or model.Settings()
    stored = read_rows(database, "stored_comparisons", **_pair_parameters(pairs))
    standard = {_pair(row) for row in stored if settings == model.Settings()}
    rows = read_rows(database, "compared_pairs", **_pair_parameters(pairs), metrics=[*metrics])
    missing = [
        (_pair(row), row["metrics"] or [])
        for row in rows
        if _pair(row) not in standard or not {*(row["metrics"] or ())} <= {*(row["stored"] or ())}
    ]
    tested: list[Rows] = []
    barred: list[Pair] = []
    pairings = pairings_of(database, [pair for pair, _ in missing])
    some: list[tuple[PairTests, list[str]]] = []
    for pairing, (pair, names) in zip(pairings, missing, strict=True):
        tests = PairTests(pairing, settings)
        if objections(pairing, [*tests.primary, METRIC]):
            barred.append(pair)
        else:
            some.append((tests, [*tests.primary, *names]))
    for done, tests in enumerate(tested_in_turn(some)):
        progress(tests.pairing.new.submission_id, done, len(some))
        tested += [rows for rows in [tests.rows([])] if rows is not None]
    return Missing(tested, barred)


def _pair_parameters(pairs: Sequence[Pair]) -> dict[str, list[str]]:
    return {"submissions": [new for new, _ in pairs], "bases": [base for _, base in pairs]}


def _pair(row: Mapping[str, Any]) -> Pair:
    return row["submission_id"], row["base_submission_id"]
