"""The settings that stored analyses were made with, turned into the analyses again."""

from __future__ import annotations

from sr_tracker.queries.errors.jobs import Analysis
from sr_tracker.schema.errors import TrackerError


def remade(name: str, settings: str) -> Analysis | None:
    """Return the analysis that is stored under a name with these settings.

    None where this version of the tracker does not make it, or not with such settings.
    """
    from sr_tracker.queries.errors.correlations import correlation
    from sr_tracker.queries.errors.entropy import entropy
    from sr_tracker.queries.errors.projectivity import projectivity

    given = dict(part.partition(":")[::2] for part in settings.split("|"))
    try:
        if name == "correlation":
            analysis = correlation(given["method"], given["convention"])
        elif name == "projectivity":
            analysis = projectivity(float(given["minimum_share"]), given["convention"])
        elif name == "entropy":
            analysis = entropy()
        elif name == "error_mining":
            analysis = _mining(given)
        else:
            return None
    except (KeyError, ValueError, TrackerError):
        return None
    return analysis if analysis.settings == settings else None


def _mining(given: dict[str, str]) -> Analysis:
    from sr_tracker.queries.errors.mining import error_mining

    metric, _, limit = given["fail"].partition("<=")
    by_share = limit.startswith("q")
    return error_mining(
        labels=given["labels"],
        metric=metric,
        quantile=float(limit[1:]) if by_share else 0.25,
        threshold=None if by_share else float(limit),
        max_nodes=int(given["nodes"]),
        minimum_support=int(given["support"]),
    )
