"""Are differences between scores more than chance? Intervals and paired tests over sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sr_tracker.queries.resampling import check_resampling
from sr_tracker.schema.brief import Brief
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.progress import Progress, silent

__all__ = ["Settings", "SignificanceReport", "run_significance"]


@dataclass(frozen=True)
class Settings:
    """How test sets are resampled; the defaults, seed included, are sacreBLEU's."""

    metrics: Sequence[str] | None = None
    """Only these metrics; None for all that are scored."""
    replicates: int = 1000
    seed: int = 12345
    level: float = 0.95
    """Share of the replicates that an interval holds."""
    pairs: bool = True
    """Compare submissions with each other as well."""


@dataclass(frozen=True, repr=False)
class SignificanceReport(Brief):
    """What was computed."""

    intervals: int
    comparisons: int


def run_significance(
    database: Database,
    submissions: Sequence[str] | None = None,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> SignificanceReport:
    """Store a confidence interval of each score, and paired tests of each two comparable scores.

    Scores are comparable where their signature, hence the treebank, is the same. Test sets are
    resampled by sentences (Koehn 2004); outputs are swapped at random for approximate
    randomisation (Riezler and Maxwell 2005). Both fill score_interval and score_comparison, in one
    transaction per treebank and metric. What is there with the same settings and rests on the same
    outputs and scores stays. ``submissions`` restricts what is computed and compared.

    Raises InputError for settings that cannot be, UnknownNameError for submissions and metrics
    that do not exist.
    """
    from sr_tracker.queries.catalog import install
    from sr_tracker.queries.change.significance.computing import compute
    from sr_tracker.queries.change.significance.groups import pending_groups

    settings = settings or Settings()
    _check(settings)
    install(database)
    groups = pending_groups(database, submissions, settings)
    intervals = comparisons = 0
    for done, group in enumerate(groups):
        database.give_way()
        progress(f"{group.metric} {group.treebank_id}", done, len(groups))
        compute(database, group, settings)
        intervals += len(group.without_interval)
        comparisons += len(group.without_comparison)
    if groups:
        progress("tested", len(groups), len(groups))
    return SignificanceReport(intervals, comparisons)


def _check(settings: Settings) -> None:
    check_resampling(settings.replicates, settings.seed, settings.level)
    fewest = round(2 / (1 - settings.level))
    if settings.replicates < fewest:
        raise InputError(
            f"{settings.replicates} replicates are too few for an interval of {settings.level:g}",
            hint=f"take {fewest} or more",
        )
