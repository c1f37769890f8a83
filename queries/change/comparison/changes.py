"""How each measure changed from one submission to another, and whether by more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ....schema.database import Database
from ....schema.iterations import unknown_measure
from ....schema.statements import Row, read_rows, read_table, read_tuples
from ...functions.statistics import holm_of_exact
from ...metrics import metrics as all_metrics
from ...metrics.registry import checks, parts_by_kind
from ..significance.intervals import (
    SIGN_FLIP,
    paired_intervals,
    sign_flip_p_values,
    smallest_p_values,
)
from ..significance.replicates import number_of
from .model import (
    CHECK,
    EXPLORATORY,
    PRIMARY,
    SLICE,
    Change,
    Measured,
    RelationChange,
    Settings,
    difference,
)
from .paired import sample_changes
from .patterns import pattern_changes
from .samples import NOT_ALIKE, Sample, error_samples, judged_samples, part_samples, read_samples
from .sides import Pairing
from .slices import measured_slices, slice_family, slice_samples

NO_TEST = "no test is known for this kind of measure"
NEITHER = "neither submission has it"
ONE_WITHOUT = "one of the two submissions does not have it"
NOT_MINED = "it is not in base's mining by the metric of sentences"
UNTESTED = {"relation": NOT_ALIKE, "pattern": NOT_MINED}


def complete_measures(
    pairing: Pairing,
    measures: Sequence[str] | None,
    before: Mapping[str, Measured] | None = None,
) -> Mapping[str, Measured]:
    """Return what ``read_measures`` does, in which these measures are, and those beside them.

    ``before`` is what it returned before. Measures that neither of the two has are not in it.
    """
    names = measures or ()
    parts = measures is None or any("[" in name for name in names)
    measured = dict(before) if before else dict(read_measures(pairing, parts=parts))
    missing = [name for name in names if name not in measured]
    if missing and before and parts:
        measured |= read_measures(pairing)
    measured |= measured_slices(pairing, missing)
    missing = [name for name in missing if name not in measured]
    return measured | dict(read_measures(pairing, missing)) if missing else measured


def family_changes(
    wanted: Sequence[tuple[Pairing, Sequence[str], Mapping[str, Measured]]], settings: Settings
) -> list[dict[str, Change]]:
    """Return how measures of pairings changed, and all that are tested with one of them, by name.

    Metrics, people's criteria and rates of errors that they marked are tested by approximate
    randomisation, with intervals of the paired bootstrap; documents or equal texts are drawn and
    swapped whole, see ``queries.clusters``. Those that the verdict rests on are one
    family, see ``primary_metrics``, and so are checks of plain text; each other one is
    exploratory, and tested alone. All relations
    are a family, tested by an exact test over sentences, see relation_changes; so are all parts of
    another metric, tested as metrics are, all values of a label by one metric, see slices, and all
    patterns with the same labels, see pattern_changes. P-values are corrected over the family
    (Holm), whichever measures are asked for. What cannot be tested has its reason. Where the
    treebanks differ, all rests on the sentences with the same reference text. With each pairing
    and its measures stands what ``complete_measures`` returns. Several pairings, which must be of
    the same two treebanks, are read and tested at once, and their changes are those of each alone.

    Raises UnknownNameError for a measure that no submission could have.
    """
    primary = [primary_metrics(pairing, settings) for pairing, _, _ in wanted]
    measured = [_beside(*parts, first) for parts, first in zip(wanted, primary, strict=True)]
    changes = [{name: _untested(item) for name, item in items.items()} for items in measured]
    tested = _tested([pairing for pairing, _, _ in wanted], measured, primary, settings)
    for by_measure, items, of_pairing in zip(changes, measured, tested, strict=True):
        for change in of_pairing:
            measure = items.get(change.measure)
            better = measure.better if measure else change.better
            by_measure[change.measure] = replace(change, better=better)
    return changes


def _beside(
    pairing: Pairing,
    measures: Sequence[str],
    of_all: Mapping[str, Measured],
    primary: Sequence[str],
) -> dict[str, Measured]:
    """Return measures, and those that are tested together with one of them, by name."""
    measured = {
        name: of_all.get(name) or _unmeasured(pairing.database, name)
        for name in dict.fromkeys(measures)
    }
    if not measured.keys().isdisjoint(primary):
        measured |= {name: of_all[name] for name in primary if name in of_all}
    measured |= measured_slices(pairing, measured)
    if not measured.keys().isdisjoint(checks()):
        measured |= {name: of_all[name] for name in checks() if name in of_all}
    kinds = {item.kind for item in measured.values() if "[" in item.measure} - {SLICE}
    beside = (item for item in of_all.values() if item.kind in kinds and "[" in item.measure)
    return measured | {item.measure: item for item in beside}


def primary_metrics(pairing: Pairing, settings: Settings) -> list[str]:
    """Return the measures that a verdict rests on, of those that both submissions have.

    Those that the settings name; else those that were chosen for the campaign; else what sentences
    are shown by and the accuracy of edges where there are trees.
    """
    if settings.metrics is not None:
        return [name for name in settings.metrics if "[" not in name]
    rows = read_tuples(pairing.database, "primary_metrics", campaign=pairing.new.campaign_id)
    shared = pairing.shared
    chosen = [metric for (metric,) in rows if metric in shared]
    if chosen:
        return chosen
    usual = [name for name in pairing.usual_metrics if name in shared]
    first = [name for name in [*usual, *shared] if name != METRIC][:1]
    return [*first, *([METRIC] if METRIC in shared else [])]


def read_measures(
    pairing: Pairing, measures: Sequence[str] | None = None, *, parts: bool = True
) -> Mapping[str, Measured]:
    """Return the measures that one of two submissions has, by name; None for all but patterns.

    Of all, parts of metrics take most of the time, where ``parts`` asks for them.
    """
    key = ("measures", None if measures is None else tuple(measures), parts)
    by_measure = pairing.once(key, lambda: _of_submissions(pairing, measures, parts))
    measured = {}
    for name, by_submission in by_measure.items():
        new, base = (by_submission.get(side, {}) for side in pairing.ids)
        if row := new or base:
            about = (row["kind"], row["item"], row["better"])
            scores = (new.get("score"), base.get("score"))
            there = len({*pairing.ids} & by_submission.keys())
            measured[name] = Measured(name, *about, *scores, new.get("n") or 0, there)
    return measured


def _of_submissions(
    pairing: Pairing, measures: Sequence[str] | None, parts: bool
) -> Mapping[str, Mapping[str, Row]]:
    """Return the rows of all submissions that are read at once, by measure and submission."""
    by_measure: dict[str, dict[str, Row]] = {}
    for row in read_rows(
        pairing.database,
        "compared_measures",
        submissions=pairing.submissions,
        measures=measures,
        parts=parts,
    ):
        by_measure.setdefault(row["measure"], {})[row["submission_id"]] = row
    return by_measure


def _unmeasured(database: Database, name: str) -> Measured:
    """Return a measure that neither submission has.

    Raises UnknownNameError where no submission has it, nor a metric or a part of one such a name.
    """
    row = database.connection.execute(
        "SELECT any_value(kind), any_value(item), any_value(better) FROM submission_measures "
        "WHERE measure = ? HAVING count(*) > 0",
        [name],
    ).fetchone()
    if row is None and name not in all_metrics():
        raise unknown_measure(database, name)
    kind, item, better = row or ("metric", None, all_metrics()[name].better)
    return Measured(
        measure=name,
        kind=kind,
        item=item,
        better=better,
        new=None,
        base=None,
        n=0,
        submissions=0,
    )


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
    pairings: Sequence[Pairing],
    measured: Sequence[Mapping[str, Measured]],
    primary: Sequence[Sequence[str]],
    settings: Settings,
) -> list[list[Change]]:
    """Return the changes of those measures of pairings that can be tested."""
    database = pairings[0].database
    of_metrics = [
        (pairing, [name for name, item in items.items() if item.kind == "metric"])
        for pairing, items in zip(pairings, measured, strict=True)
    ]
    read = read_samples(database, of_metrics, settings)
    changes: list[list[Change]] = [[] for _ in pairings]
    samples: list[Sample] = []
    places: list[int] = []
    for place, (pairing, measures) in enumerate(zip(pairings, measured, strict=True)):
        of_kind: dict[str, dict[str, str]] = {}
        for item in measures.values():
            of_kind.setdefault(item.kind, {})[item.measure] = item.item or ""
        for kind, items in of_kind.items():
            if kind == "relation":
                changes[place] += relation_changes(pairing, settings)
            elif kind == "pattern" and pairing.same_treebank:
                changes[place] += _patterns(pairing, settings)
            elif kind in parts_by_kind():
                samples += part_samples(pairing, kind, items, settings)
            elif kind == "metric":
                samples += read[place]
            elif kind == SLICE:
                samples += slice_samples(pairing, [*items], settings)
            elif kind == "human":
                samples += judged_samples(pairing, items)
            elif kind == "errors":
                samples += error_samples(pairing, items)
        places += [place] * (len(samples) - len(places))
    families = [
        _family(sample, primary[place]) for sample, place in zip(samples, places, strict=True)
    ]
    alone = [
        sample.measure if family == EXPLORATORY else family
        for sample, family in zip(samples, families, strict=True)
    ]
    clusters = pairings[0].clusters(settings.resampling_unit)
    tested = sample_changes(database, samples, settings, alone, clusters, places)
    for place, change, family in zip(places, tested, families, strict=True):
        changes[place].append(replace(change, family=family))
    return changes


def _family(sample: Sample, primary: Sequence[str]) -> str:
    """Return the name of the family that a measure is tested in."""
    if sample.measure in primary:
        return PRIMARY
    if sample.kind == SLICE:
        return slice_family(sample.measure)
    if sample.measure in checks():
        return CHECK
    return sample.kind if "[" in sample.measure else EXPLORATORY


def _patterns(pairing: Pairing, settings: Settings) -> list[Change]:
    """Return the changes of patterns in base's mining; of one with several labels the worst."""
    worst: dict[str, Change] = {}
    for change in pattern_changes(pairing, settings):
        other = worst.get(change.measure)
        if other is None or (change.base or 0) > (other.base or 0):
            worst[change.measure] = change
    return [*worst.values()]


METRIC = "dea"
"""The metric whose parts the relations are."""
FEWEST_WITH_RELATION = 10
"""An interval rests on at least so many sentences (documents, texts) with the relation."""
TOO_FEW = "fewer than ten {unit}s with the relation"

_COUNTS = ("edges", "found_new", "found_base", "gained", "lost")
"""What is counted of a relation in a sentence, or in all of a document."""


def relation_changes(pairing: Pairing, settings: Settings) -> list[RelationChange]:
    """Return how the accuracy of each relation changed, by name.

    P-values are those of an exact test over sentences, see sign_flip_p_values. They are corrected
    over the relations that could be significant, see holm_of_exact: one with few sentences that
    differ does not count. Intervals are those of paired_intervals, of relations in ten sentences
    or more. Sentences that belong together (see clusters: a document, or equal texts) count as one
    in both, with the sum of their edges. Where the treebanks differ the edges are compared that
    both references have, in the sentences with the same text. The list is empty where the edges of
    one of the two are not scored, or were analysed in different ways and the settings do not force
    it.
    """
    alike = pairing.alike(METRIC)
    if alike is None or not (alike.comparable or settings.force):
        return []
    with pairing.lent():
        rows = read_table(
            pairing.database,
            "compared_edges",
            **pairing.parameters,
            new_signature=alike.scores[0].signature_id,
            base_signature=alike.scores[1].signature_id,
        )
    names, column = np.unique(rows["deprel"].to_numpy().astype(str), return_inverse=True)
    if not len(names):
        return []
    together = pairing.clusters(settings.resampling_unit)
    keys, cluster = np.unique(together.keys, return_inverse=True)
    counts = np.zeros((len(_COUNTS), len(keys), len(names)), np.int64)
    place = cluster[rows["place"].to_numpy()]
    for name, counted in zip(_COUNTS, counts, strict=True):
        np.add.at(counted, (place, column), rows[name].to_numpy())
    edges, *_, gained, lost = counts
    low, high = paired_intervals(gained, lost, edges, settings.level)
    few = (edges > 0).sum(axis=0) < FEWEST_WITH_RELATION
    low[few] = high[few] = np.nan
    p_values = sign_flip_p_values(gained - lost)
    smallest = smallest_p_values(np.count_nonzero(gained - lost, axis=0))
    p_holm, family_size = holm_of_exact(p_values, smallest, settings.alpha)
    changes = []
    for n, (all_edges, of_new, of_base, won, gone) in enumerate(counts.sum(axis=1).T.tolist()):
        deprel = str(names[n])
        changes.append(
            RelationChange(
                measure=f"{METRIC}[{deprel}]",
                kind="relation",
                family="relation",
                family_size=family_size,
                new=of_new / all_edges,
                base=of_base / all_edges,
                difference=(of_new - of_base) / all_edges,
                low=number_of(low[n]),
                high=number_of(high[n]),
                p_value=float(p_values[n]),
                p_holm=float(p_holm[n]),
                n=all_edges,
                test=SIGN_FLIP.format(unit=together.unit),
                undefined_reason=TOO_FEW.format(unit=together.unit) if few[n] else None,
                deprel=deprel,
                gained=won,
                lost=gone,
            )
        )
    return changes
