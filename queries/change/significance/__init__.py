"""Are differences between scores more than chance? Intervals and paired tests over sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, ClassVar

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.iterations import resolve_submissions
from ....schema.parameters import (
    LEVEL,
    REPLICATES,
    SEED,
    Level,
    Measure,
    Option,
    Replicates,
    Seed,
    Unit,
)
from ....schema.progress import Progress, silent
from ....schema.statements import read_tuples
from ...resampling import check_resampling, check_unit
from ..comparison.model import Settings as ComparisonSettings

__all__ = ["Settings", "SignificanceReport", "run_significance"]


@dataclass(frozen=True)
class Settings:
    """How test sets are resampled; the defaults, seed included, are sacreBLEU's."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sr18": {"metrics": ("bleu_smoothed", "nist", "dist")},
        "tacl2021": {"metrics": ("bleu_lemma", "dea")},
    }
    """Metrics of papers, neither of which resamples: Mille et al. 2018, section 3.1; Shimorina et
    al. 2021, section 3.2."""

    metrics: Annotated[
        Sequence[Measure] | None, Option("Only this metric; may be repeated.", flag="--metric")
    ] = None
    replicates: Replicates = REPLICATES
    seed: Seed = SEED
    level: Level = LEVEL
    pairs: Annotated[
        bool,
        Option(
            "Compare submissions to the same treebank with each other.", flag="--pairs/--no-pairs"
        ),
    ] = True
    resampling_unit: Unit = None
    """None for what suits the treebank, see ``queries.clusters``."""

    @property
    def compared(self) -> ComparisonSettings:
        """How two submissions are compared."""
        from ..comparison.model import Settings

        return Settings(
            replicates=self.replicates,
            seed=self.seed,
            level=self.level,
            resampling_unit=self.resampling_unit,
        )


@dataclass(frozen=True, repr=False)
class SignificanceReport(Brief):
    """What was computed."""

    intervals: int
    comparisons: int
    """Pairs of submissions."""
    barred: int = 0
    """Pairs that must not be compared, such as with the text and with tokens: they are left out."""


def run_significance(
    database: Database,
    submissions: Sequence[str] | None = None,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> SignificanceReport:
    """Store a confidence interval of each score, and the comparison of each two submissions.

    Test sets are resampled by documents, equal texts or sentences (Koehn 2004; Field and Welsh
    2007); intervals fill score_interval, in one
    transaction per treebank and metric. Each two submissions to one treebank that may be compared
    are compared as ``tracker compare`` does, the later run of a system with the earlier one, else
    by name; all metrics that both have are stored with the verdict, in one transaction per
    treebank. What is there with the same settings and rests on the same outputs and scores stays,
    a comparison the other way round included. ``submissions`` restricts what is computed and
    compared.

    Raises InputError for settings that cannot be, UnknownNameError for submissions and metrics
    that do not exist, InputError for a metric that no submission is scored by.
    """
    from ...catalog import install
    from .computing import compute, pending_groups

    settings = settings or Settings()
    _check(settings)
    install(database)
    groups = pending_groups(database, submissions, settings)
    intervals = 0
    for done, group in enumerate(groups):
        database.give_way()
        progress(f"{group.metric} {group.treebank_id}", done, len(groups))
        compute(database, group, settings)
        intervals += len(group.scored)
    if groups:
        progress("intervals", len(groups), len(groups))
    compared = _compare(database, submissions, settings, progress) if settings.pairs else (0, 0)
    return SignificanceReport(intervals, *compared)


def _compare(
    database: Database,
    submissions: Sequence[str] | None,
    settings: Settings,
    progress: Progress,
) -> tuple[int, int]:
    """Store the missing comparisons; return how many, and how many pairs must not be compared."""
    from ...metrics import metrics as all_metrics
    from ..comparison.stored import missing_comparisons, store

    chosen = resolve_submissions(database, submissions)
    metrics = [*all_metrics()] if settings.metrics is None else settings.metrics
    rows = read_tuples(database, "significance_submissions", metrics=settings.metrics)
    runs: dict[str, list[str]] = {}
    for treebank_id, submission_id in rows:
        if chosen is None or submission_id in chosen:
            runs.setdefault(treebank_id, []).append(submission_id)
    turned = set(read_tuples(database, "compared_with"))
    stored = barred = 0
    for names in runs.values():
        database.give_way()
        pairs = [pair[::-1] if pair[::-1] in turned else pair for pair in combinations(names, 2)]
        missing = missing_comparisons(database, pairs, metrics, settings.compared, progress)
        stored += store(database, missing.rows)
        barred += len(missing.barred)
    return stored, barred


def _check(settings: Settings) -> None:
    check_resampling(settings.replicates, settings.seed, settings.level)
    check_unit(settings.resampling_unit)
    fewest = round(2 / (1 - settings.level))
    if settings.replicates < fewest:
        raise InputError(
            f"{settings.replicates} replicates are too few for an interval of {settings.level:g}",
            hint=f"take {fewest} or more",
        )
