"""Whether a metric heeds the relations that outputs get wrong, as people do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sr_tracker.queries.functions.statistics import holm
from sr_tracker.queries.people.examining.model import Scored, ratio
from sr_tracker.queries.people.metric_statistics import interval, number
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import read_table

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats

SIGNIFICANT = 0.05
_FEWEST_ITEMS = 5
_FEW = f"outputs of fewer than {_FEWEST_ITEMS} items differ in it"


def heeded_relations(database: Database, scored: Scored) -> list[dict[str, Any]]:
    """Return a row for each relation: what finding all its edges brings, against finding none.

    ``metric_effect`` and ``people_effect`` are slopes in standard deviations of the scores on the
    share of the relation's edges that an output realises (DEA), both less their item's mean, so
    that outputs to the same sentence are compared. ``p`` is of their difference being chance (by
    the spread of resampled items, t with one degree of freedom less than items), corrected for the
    number of relations (Holm 1979). A relation is ``missed`` where people's effect is the larger
    one and p below SIGNIFICANT, ``overrated`` where the metric's is. Empty where no edges are
    scored.
    """
    import numpy as np
    from scipy.stats import t

    judged = scored.judged
    edges = read_table(
        database,
        "edges_of_judged",
        submissions=list(judged.systems),
        sentence_nos=judged.items.tolist(),
    )
    spreads = [scored.spread(each) for each in (scored.metric, scored.people)]
    if not edges.num_rows or not all(spreads):
        return []
    row = np.searchsorted(judged.systems, np.asarray(edges["submission_id"].to_pylist(), np.str_))
    column = np.searchsorted(judged.items, edges["sentence_no"].to_numpy())
    known = scored.both[row, column]
    relations = np.asarray(edges["deprel"].to_pylist(), np.str_)
    rows = []
    for relation in np.unique(relations[known]):
        mine = known & (relations == relation)
        found = np.full(scored.both.shape, np.nan)
        found[row[mine], column[mine]] = edges["share"].to_numpy()[mine]
        rows.append({**scored.place, "relation": str(relation), **_effects(scored, found, spreads)})
    ratios = np.array([each.pop("t") for each in rows], np.float64)
    freedom = np.array([each["items"] - 1 for each in rows], np.float64)
    corrected = holm(np.asarray(2 * t.sf(np.abs(ratios), freedom), np.float64))
    for each, p in zip(rows, corrected.tolist(), strict=True):
        each["p"] = number(p)
        sure = each["p"] is not None and each["p"] < SIGNIFICANT
        larger = "missed" if (each["difference"] or 0) < 0 else "overrated"
        each["finding"] = larger if sure else None
    return sorted(rows, key=lambda each: (each["p"] is None, each["p"], each["relation"]))


def _effects(scored: Scored, found: Floats, spreads: list[float]) -> dict[str, Any]:
    import numpy as np

    both = np.isfinite(found)
    count = np.maximum(both.sum(axis=0), 1)
    centred = np.where(both, found - np.where(both, found, 0).sum(axis=0) / count, 0)
    squares = (centred**2).sum(axis=0)
    items = int((squares > 0).sum())
    sums = [
        (centred * values).sum(axis=0) / spread
        for values, spread in zip((scored.metric, scored.people), spreads, strict=True)
    ]
    told: dict[str, Any] = {"items": items, "outputs": int(both[:, squares > 0].sum())}
    if items < _FEWEST_ITEMS:
        names = ("metric_effect", "people_effect", "difference", "low", "high")
        return told | dict.fromkeys(names) | {"undefined_reason": _FEW, "t": np.nan}
    effects = [each.sum() / squares.sum() for each in sums]
    drawn = [ratio(scored.draws @ each, scored.draws @ squares) for each in sums]
    apart = drawn[0] - drawn[1]
    difference = float(effects[0] - effects[1])
    spread = float(np.nanstd(apart))
    return told | {
        "metric_effect": float(effects[0]),
        "people_effect": float(effects[1]),
        "difference": difference,
        **interval(apart),
        "undefined_reason": None,
        "t": difference / spread if spread else np.nan,
    }
