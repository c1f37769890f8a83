"""The quick way to align two graphs: hill climbing from seeded random starts."""

from __future__ import annotations

import numpy as np

from .graph_candidates import (
    PRECISION,
    Alignment,
    Similarity,
    count_bound,
    count_matched,
    describe,
    find_candidates,
    rough_mapping,
)
from .graph_kernels import climb_often
from .graph_triples import GraphTriples

SEED = 12345
RESTARTS = 10


def climb_graphs(
    output: GraphTriples,
    gold: GraphTriples,
    *,
    similarity: Similarity | None = None,
    time_limit: float | None = None,  # noqa: ARG001 - as align_graphs has it; climbing ends by itself
    seed: int = SEED,
    restarts: int = RESTARTS,
) -> Alignment:
    """A good one-to-one mapping of variables, and triples matched (Cai and Knight 2013).

    The first climb starts from the pairs that match most alone, the others from random orders;
    the same seed gives the same mapping. The status is optimal where everything that the
    concepts, attributes and roles of the two graphs have in common is matched, hill climbing
    otherwise; then the gap is what is left of that. Parameters are those of align_graphs.
    """
    bound = count_bound(output, gold, similarity)
    candidates = find_candidates(output, gold, similarity)
    if candidates is None:
        mapping = rough_mapping(output, gold)
        status = "too large"
    else:
        orders = np.tile(candidates.by_worth(), (restarts + 1, 1))
        np.random.default_rng(seed).permuted(orders[1:], axis=1, out=orders[1:])
        chosen = climb_often(*candidates[:6], candidates.lookup(), orders)
        mapping = describe(output, gold, candidates, chosen[chosen >= 0])
        status = "hill climbing"
    matched = count_matched(output, gold, mapping, similarity)
    if matched >= bound:
        return Alignment(matched, "optimal", 0.0, mapping)
    return Alignment(matched, status, round(bound - matched, PRECISION), mapping)
