"""How the accuracy of each dependency relation changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....schema.statements import read_table
from ....schema.temporary import temporary
from ..significance.intervals import (
    FEWEST_SENTENCES,
    NO_REPLICATE,
    SIGN_FLIP,
    TOO_FEW,
    interval,
    sign_flip_p_values,
)
from ..significance.replicates import drawn_sums, number_of
from .model import RelationChange, Settings
from .paired import corrected
from .sides import Pairing

if TYPE_CHECKING:
    from ...functions.statistics import Floats, Integers

METRIC = "dea"
DEFINED_SHARE = 0.5
"""An interval rests on the replicates with an edge of the relation, at least this share of them."""


_COUNTS = ("edges", "found_new", "found_base", "gained", "lost")
"""What is counted of a relation in a sentence."""


def relation_changes(pairing: Pairing, settings: Settings) -> list[RelationChange]:
    """Return how the accuracy of each relation changed, by name.

    P-values are those of an exact test over sentences, see sign_flip_p_values, corrected over all
    relations (Holm). Intervals are of the paired bootstrap: whole sentences are
    drawn. Where the treebanks differ the edges are compared that both references have, in the
    sentences with the same text. The list is empty where the edges of one of the two are not
    scored, or were analysed in different ways and the settings do not force it.
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
    counts = np.zeros((len(_COUNTS), len(pairing.sentences[0]), len(names)), np.int64)
    place = rows["place"].to_numpy()
    for name, counted in zip(_COUNTS, counts, strict=True):
        counted[place, column] = rows[name].to_numpy()
    edges, found_new, found_base, gained, lost = counts
    sentences = (edges > 0).sum(axis=0)
    low, high = _intervals(found_new - found_base, edges, settings)
    p_values = sign_flip_p_values(gained - lost)
    changes = []
    for n, (all_edges, of_new, of_base, won, gone) in enumerate(counts.sum(axis=1).T.tolist()):
        deprel = str(names[n])
        few = sentences[n] < FEWEST_SENTENCES
        changes.append(
            RelationChange(
                measure=f"{METRIC}[{deprel}]",
                kind="relation",
                family="relation",
                new=of_new / all_edges,
                base=of_base / all_edges,
                difference=(of_new - of_base) / all_edges,
                low=number_of(low[n]),
                high=number_of(high[n]),
                p_value=float(p_values[n]),
                n=all_edges,
                test=SIGN_FLIP,
                undefined_reason=(TOO_FEW if few else NO_REPLICATE) if np.isnan(low[n]) else None,
                deprel=deprel,
                gained=won,
                lost=gone,
            )
        )
    return corrected(changes)


def _intervals(differences: Integers, edges: Integers, settings: Settings) -> tuple[Floats, Floats]:
    """Return the ends of each relation's interval, NaN where it has none.

    Both are counts of the shape (sentences, relations).
    """
    low, high = (np.full(edges.shape[1], np.nan) for _ in range(2))
    if len(edges) < FEWEST_SENTENCES:
        return low, high
    counts = np.stack([differences, edges]).astype(np.float64)
    drawn_counts = drawn_sums(counts, settings.replicates, settings.seed)
    drawn_differences, drawn_edges = np.moveaxis(drawn_counts, 1, 0)
    sentences = (edges > 0).sum(axis=0)
    for place in range(edges.shape[1]):
        drawn = drawn_edges[:, place] > 0
        if sentences[place] >= FEWEST_SENTENCES and drawn.mean() >= DEFINED_SHARE:
            values = drawn_differences[drawn, place] / drawn_edges[drawn, place]
            low[place], high[place] = interval(values, settings.level)
    return low, high
