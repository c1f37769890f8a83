"""How each measure changed from one submission to another, and whether by more than chance."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from sr_tracker.queries.change.comparison.model import Change, Settings, difference
from sr_tracker.queries.change.comparison.paired import corrected, tested_samples
from sr_tracker.queries.change.comparison.patterns import pattern_changes
from sr_tracker.queries.change.comparison.relations import relation_changes
from sr_tracker.queries.change.comparison.samples import (
    NOT_ALIKE,
    error_samples,
    judged_samples,
    part_samples,
    read_samples,
)
from sr_tracker.queries.change.comparison.sides import Pairing
from sr_tracker.queries.metrics import metrics as known_metrics
from sr_tracker.queries.metrics.registry import parts_by_kind
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import unknown_measure
from sr_tracker.schema.statements import read_tuples

__all__ = ["measure_changes", "relation_changes"]

NO_TEST = "no test is known for this kind of measure"
NEITHER = "neither submission has it"
ONE_WITHOUT = "one of the two submissions does not have it"
NOT_MINED = "it is not in base's mining by the metric of sentences"
UNTESTED = {"relation": NOT_ALIKE, "pattern": NOT_MINED}


@dataclass(frozen=True)
class Measured:
    """A measure as the view submission_measures has it for two submissions."""

    measure: str
    kind: str
    item: str | None
    better: str
    new: float | None
    base: float | None
    n: int
    submissions: int
    """How many of the two have it, be it undefined."""


def measure_changes(
    pairing: Pairing,
    measures: Sequence[str] | None,
    settings: Settings,
    known: Mapping[str, Measured] | None = None,
) -> list[Change]:
    """Return how each measure changed, in the order given; None for all but patterns.

    Measures are names of submission_measures, ``known`` what ``read_measures`` returned. Metrics,
    people's criteria and rates of errors that they marked are tested by approximate randomisation,
    with intervals of the paired bootstrap; relations by an exact test over sentences, see
    relation_changes; patterns by McNemar's test, see pattern_changes; parts of other metrics as
    metrics are. P-values are corrected over the measures of a kind (Holm). What cannot be tested
    has its reason. Where the treebanks differ, all rests on the sentences with the same reference
    text.

    Raises UnknownNameError for a measure that no submission could have.
    """
    wanted = [*dict.fromkeys(measures)] if measures is not None else None
    found = known or {}
    if wanted is None or not found.keys() >= {*wanted}:
        found = read_measures(pairing, wanted)
    names = wanted if wanted is not None else [*found]
    of_kind: dict[str, list[Measured]] = {}
    for name in names:
        each = found.get(name) or _unmeasured(pairing.database, name)
        of_kind.setdefault(each.kind, []).append(each)
    changes: dict[str, Change] = {}
    for kind, some in of_kind.items():
        untested = {each.measure: _untested(each) for each in some}
        tested = _tested(pairing, kind, some, settings)
        changes |= untested | {change.measure: change for change in tested}
    return [changes[name] for name in names]


def read_measures(
    pairing: Pairing, measures: Sequence[str] | None = None, *, parts: bool = True
) -> Mapping[str, Measured]:
    """Return the measures that one of two submissions has, by name; None for all but patterns.

    Of all, parts of metrics take most of the time, where ``parts`` asks for them.
    """
    rows = read_tuples(
        pairing.database,
        "compared_measures",
        **pairing.parameters,
        measures=measures,
        parts=parts,
    )
    return {row[0]: Measured(*row) for row in rows}


def _unmeasured(database: Database, name: str) -> Measured:
    """Return a measure that neither submission has.

    Raises UnknownNameError where no submission has it, nor a metric or a part of one such a name.
    """
    row = database.connection.execute(
        "SELECT any_value(kind), any_value(item), any_value(better) FROM submission_measures "
        "WHERE measure = ? HAVING count(*) > 0",
        [name],
    ).fetchone()
    if row is not None:
        kind, item, better = row
        return Measured(name, kind, item, better, None, None, 0, 0)
    if name in known_metrics():
        return Measured(name, "metric", None, known_metrics()[name].better, None, None, 0, 0)
    raise unknown_measure(database, name)


def _untested(measured: Measured) -> Change:
    new, base = measured.new, measured.base
    missing = NEITHER if new is None and base is None else ONE_WITHOUT
    tested = UNTESTED.get(measured.kind, NO_TEST)
    return Change(
        measure=measured.measure,
        kind=measured.kind,
        new=new,
        base=base,
        difference=difference(new, base),
        n=measured.n,
        better=measured.better,
        undefined_reason=missing if None in (new, base) else tested,
    )


def _tested(
    pairing: Pairing, kind: str, measured: Sequence[Measured], settings: Settings
) -> Sequence[Change]:
    """Return the changes of measures of one kind, of those that can be tested."""
    items = {each.measure: each.item or "" for each in measured}
    if kind == "relation":
        return relation_changes(pairing, settings, [*items.values()])
    if kind == "pattern":
        return _patterns(pairing, items, settings) if pairing.same_treebank else []
    if kind in parts_by_kind():
        samples = part_samples(pairing, kind, items, settings)
    elif kind == "metric":
        samples = read_samples(pairing, [*items], settings)
    elif kind == "human":
        samples = judged_samples(pairing, items)
    elif kind == "errors":
        samples = error_samples(pairing, items)
    else:
        return []
    return [
        replace(change, better=each.better)
        for change, each in zip(
            tested_samples(pairing.database, samples, settings), measured, strict=True
        )
    ]


def _patterns(pairing: Pairing, names: Container[str], settings: Settings) -> Sequence[Change]:
    """Return the changes of patterns in base's mining; of one with several labels the worst."""
    found: dict[str, Change] = {}
    for change in pattern_changes(pairing, settings):
        if change.measure in names:
            kept = found.get(change.measure)
            if kept is None or (change.base or 0) > (kept.base or 0):
                found[change.measure] = change
    return corrected([*found.values()])
