"""How the accuracy of each dependency relation changed."""

from __future__ import annotations

import numpy as np

from ....schema.statements import read_table
from ....schema.temporary import temporary
from ...functions.statistics import holm_of_exact
from ..significance.intervals import (
    SIGN_FLIP,
    paired_intervals,
    sign_flip_p_values,
    smallest_p_values,
)
from ..significance.replicates import number_of
from .model import RelationChange, Settings
from .sides import Pairing

METRIC = "dea"
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
    with temporary(pairing.database):
        pairing.hold()
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
