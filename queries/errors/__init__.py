"""Error analysis of submissions (Shimorina et al. 2021, sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .jobs import Analysis

KINDS = ("correlation", "projectivity", "entropy", "mining")
LABELS = ("deprel", "upos", "upos~deprel")


@dataclass(frozen=True)
class Settings:
    """What may be chosen about the analyses; the defaults are those of the paper."""

    kinds: Sequence[str] = KINDS
    method: str = "spearman"
    """Coefficient of the correlations: spearman, pearson or kendall."""
    minimum_share: float = 0.05
    """Projectivity is tested where more than this share of the sentences is non-projective."""
    convention: str = "standard"
    """How complexity is measured: standard, or tacl2021 as the paper's own figures."""
    measures: Sequence[str] | None = None
    """The measures whose correlations are corrected together; None for the ten of the paper."""
    labels: Sequence[str] = LABELS
    """What the nodes of mined subtrees are labelled with, one mining for each."""
    metric: str = "bleu"
    """The metric that tells failed sentences from passed ones."""
    quantile: float = 0.25
    threshold: float | None = None
    """A score that replaces the quantile."""
    max_nodes: int = 3
    minimum_support: int = 5


def analyses(settings: Settings) -> list[Analysis]:
    """Return the analyses that the settings ask for.

    Raises InputError for settings that cannot be.
    """
    from .correlations import correlation
    from .entropy import entropy
    from .measures import CORRELATED
    from .mining import error_mining
    from .projectivity import projectivity

    found: list[Analysis] = []
    if "correlation" in settings.kinds:
        family = settings.measures or CORRELATED
        found.append(correlation(settings.method, settings.convention, family))
    if "projectivity" in settings.kinds:
        found.append(projectivity(settings.minimum_share, settings.convention))
    if "entropy" in settings.kinds:
        found.append(entropy())
    if "mining" in settings.kinds:
        found += [
            error_mining(
                labels=labels,
                metric=settings.metric,
                quantile=settings.quantile,
                threshold=settings.threshold,
                max_nodes=settings.max_nodes,
                minimum_support=settings.minimum_support,
            )
            for labels in settings.labels
        ]
    return found
