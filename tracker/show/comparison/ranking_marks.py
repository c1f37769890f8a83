"""How several submissions stand to each other, told in names and marks."""

from __future__ import annotations

from sr_tracker.queries.change.comparison.ranking import Ranking
from sr_tracker.tracker.show.comparison.headline import short_names

BETTER, WORSE, EVEN, UNKNOWN = "▲", "▼", "=", "?"


def marks(ranking: Ranking, alpha: float) -> list[list[str]]:
    """Return for each submission, best first, how it stands to each, in the same order.

    ▲ better and ▼ worse by more than chance, = no more than chance, ? not tested, nothing for
    itself.
    """
    place = {each.side.submission_id: n for n, each in enumerate(ranking.ranked)}
    square = [[UNKNOWN] * len(place) for _ in place]
    for number in place.values():
        square[number][number] = ""
    for pair in ranking.pairs:
        one, other = place[pair.submission_id], place[pair.other_submission_id]
        if pair.p_holm is None or pair.difference is None:
            continue
        if not pair.is_significant(alpha):
            square[one][other] = square[other][one] = EVEN
        else:
            square[one][other], square[other][one] = BETTER, WORSE
    return square


def summary(ranking: Ranking) -> str:
    """Return in a sentence who is at the top, and whether more than by chance."""
    names = short_names([each.side for each in ranking.ranked])
    first = [
        name
        for name, each in zip(names, ranking.ranked, strict=True)
        if each.cluster is not None and each.cluster == 1
    ]
    if not first:
        return f"None has a score by {ranking.metric}."
    clusters = len({each.cluster for each in ranking.ranked if each.cluster is not None})
    if clusters == 1:
        return f"By {ranking.metric} all are one cluster: none is clearly worse than all above it."
    who = f"{first[0]} is" if len(first) == 1 else f"{', '.join(first)} are"
    return f"By {ranking.metric} {who} best; there are {clusters} clusters."
