"""How the accuracy of each dependency relation changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sr_tracker.queries.change.comparison.model import RelationChange, Settings
from sr_tracker.queries.change.comparison.sides import Pairing
from sr_tracker.queries.change.significance.computing import FEWEST_SENTENCES, NO_REPLICATE, TOO_FEW
from sr_tracker.queries.change.significance.intervals import SIGN_FLIP, interval, sign_flip_p_values
from sr_tracker.queries.change.significance.replicates import drawn_sums
from sr_tracker.queries.functions.statistics import holm
from sr_tracker.schema.statements import read_table
from sr_tracker.schema.temporary import temporary

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers

METRIC = "dea"
DEFINED_SHARE = 0.5
"""An interval rests on the replicates with an edge of the relation, at least this share of them."""


@dataclass(frozen=True)
class _Edges:
    """Counts by sentence and relation, each of the shape (sentences, relations)."""

    relations: Sequence[str]
    edges: Integers
    found_new: Integers
    found_base: Integers
    gained: Integers
    lost: Integers


def relation_changes(
    pairing: Pairing, settings: Settings, relations: Sequence[str] | None = None
) -> list[RelationChange]:
    """Return how the accuracy of each relation changed, by name; only some with ``relations``.

    P-values are those of an exact test over sentences, see sign_flip_p_values, corrected over the
    relations tested together (Holm). Intervals are of the paired bootstrap: whole sentences are
    drawn. Where the treebanks differ the edges are compared that both references have, in the
    sentences with the same text. The list is empty where the edges of one of the two are not
    scored, or were analysed in different ways and the settings do not force it.
    """
    found = _read_edges(pairing, settings, relations)
    if found is None:
        return []
    low, high = _intervals(found, settings)
    p_values = sign_flip_p_values(found.gained - found.lost)
    corrected = holm(p_values)
    sentences = (found.edges > 0).sum(axis=0)
    edges, found_new, found_base, gained, lost = (
        counts.sum(axis=0).tolist()
        for counts in (found.edges, found.found_new, found.found_base, found.gained, found.lost)
    )
    changes = [
        RelationChange(
            measure=f"{METRIC}[{deprel}]",
            kind="relation",
            new=found_new[n] / edges[n],
            base=found_base[n] / edges[n],
            difference=(found_new[n] - found_base[n]) / edges[n],
            p_value=float(p_values[n]),
            p_holm=float(corrected[n]),
            n=edges[n],
            test=SIGN_FLIP,
            deprel=deprel,
            gained=gained[n],
            lost=lost[n],
        )
        for n, deprel in enumerate(found.relations)
    ]
    return [
        replace(change, undefined_reason=TOO_FEW if few else NO_REPLICATE)
        if np.isnan(lower)
        else replace(change, low=float(lower), high=float(upper))
        for change, lower, upper, few in zip(
            changes, low, high, sentences < FEWEST_SENTENCES, strict=True
        )
    ]


def _read_edges(
    pairing: Pairing, settings: Settings, relations: Sequence[str] | None
) -> _Edges | None:
    alike = pairing.alike(METRIC)
    if alike is None or not (alike.comparable or settings.force):
        return None
    signatures = [score.signature_id for score in alike.scores]
    with temporary(pairing.database):
        pairing.hold()
        columns = read_table(
            pairing.database,
            "compared_edges",
            **pairing.parameters,
            new_signature=signatures[0],
            base_signature=signatures[1],
        )
    names, column = np.unique(columns["deprel"].to_numpy().astype(str), return_inverse=True)
    row = columns["place"].to_numpy()
    wanted = np.flatnonzero([relations is None or name in relations for name in names.tolist()])
    if not len(wanted):
        return None

    def counted(name: str) -> Integers:
        counts = np.zeros((len(pairing.sentences[0]), len(names)), np.int64)
        counts[row, column] = columns[name].to_numpy()
        return counts[:, wanted]

    return _Edges(
        names[wanted].tolist(),
        counted("edges"),
        counted("found_new"),
        counted("found_base"),
        counted("gained"),
        counted("lost"),
    )


def _intervals(found: _Edges, settings: Settings) -> tuple[Floats, Floats]:
    """Return the ends of each relation's interval, NaN where it has none."""
    low, high = (np.full(len(found.relations), np.nan) for _ in range(2))
    if len(found.edges) < FEWEST_SENTENCES:
        return low, high
    counts = np.stack([found.found_new - found.found_base, found.edges]).astype(np.float64)
    drawn_counts = drawn_sums(counts, settings.replicates, settings.seed)
    differences, edges = np.moveaxis(drawn_counts, 1, 0)
    sentences = (found.edges > 0).sum(axis=0)
    for place in range(len(found.relations)):
        drawn = edges[:, place] > 0
        if sentences[place] >= FEWEST_SENTENCES and drawn.mean() >= DEFINED_SHARE:
            values = differences[drawn, place] / edges[drawn, place]
            low[place], high[place] = interval(values, settings.level)
    return low, high
