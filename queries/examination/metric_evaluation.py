"""How well metrics agree with people, by the statistics of today's metrics tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, check_choices
from ...schema.parameters import ALPHA, REPLICATES, SEED, Option, People, Replicates, Seed
from ...schema.progress import Progress, silent
from ...schema.statements import statement
from ...schema.temporary import insert
from ..catalog import install
from ..clusters import Clusters, clusters
from ..functions import metric_tests, pair_agreement
from ..functions.pair_agreement import GROUPINGS, ITEM
from ..functions.statistics import Floats, finite
from ..resampling import Resampled
from . import judged_matrices

PARTS = ("domain", "length", "complexity", "relation", "document")


@dataclass(frozen=True)
class MetricSettings(Resampled):
    """How metrics are held against people."""

    people: People = "raw"
    grouping: Annotated[
        str,
        Option(
            "Outputs to compare with each other: those of an item, of a system, or all.",
            flag="--group",
            choices=GROUPINGS,
        ),
    ] = ITEM
    by: Annotated[
        str | None,
        Option(
            "Cut the sentences into parts, each evaluated by itself, without tests.", choices=PARTS
        ),
    ] = None
    replicates: Annotated[
        Replicates, Option("Number of permutations, and of resampled test sets.")
    ] = REPLICATES
    seed: Seed = SEED
    one_place: bool = False
    """Whether several campaigns, treebanks or criteria, and parts, are refused: for a picture."""

    def __post_init__(self) -> None:
        """Raise InputError for what cannot be resampled, and for parts of what is of one place."""
        super().__post_init__()
        if self.one_place and self.by is not None:
            raise InputError("--chart draws all sentences together", hint="leave --by out")


@dataclass(frozen=True, repr=False)
class MetricReport(Brief):
    """What was evaluated."""

    evaluations: int
    """Rows of metric_evaluation that were stored."""
    comparisons: int
    """Rows of metric_comparison."""
    judged: Sequence[tuple[str, str, str]]
    """Campaigns, treebanks and criteria."""


def evaluate_metrics(
    database: Database,
    *,
    campaigns: Sequence[str] | None = None,
    treebanks: Sequence[str] | None = None,
    criterion: str | None = None,
    settings: MetricSettings | None = None,
    progress: Progress = silent,
) -> MetricReport:
    """Hold every metric that scored what people judged against them, and store the outcome.

    At the level of sentences: pairwise accuracy with calibrated ties (acc*_eq, Deutsch et al.
    2023), Kendall's tau-b and Pearson's r, each the mean over groups. At the level of systems:
    pairwise accuracy (Kocmi et al. 2021), soft pairwise accuracy (Thompson et al. 2024), Pearson's
    r with all systems and without outliers (Mathur et al. 2020): people's means against the scores
    of submissions. Metrics are compared by PERM-BOTH (Deutsch et al. 2021), corrected for the
    number of pairs, and by bootstrap, both on scores of sentences. Intervals of systems' statistics
    resample systems and items (BOOT-BOTH: for systems like these), those of outputs items (for
    these systems); items of a document, or with equal texts, are drawn together. Parts have the
    same statistics without tests.

    What was stored of the same campaign, treebank, criterion, scores, grouping and kind of part is
    replaced, in one transaction. Raises UnknownNameError where people judged none of these
    outputs, and InputError for settings that do not exist, and for several places where one is
    wanted.
    """
    settings = settings or MetricSettings()
    check_choices(("grouping", settings.grouping, GROUPINGS))
    if settings.by is not None:
        check_choices(("kind of part", settings.by, PARTS))
    evaluations: list[dict[str, Any]] = []
    comparisons: list[dict[str, Any]] = []
    install(database)
    matrices = judged_matrices.read_judged(
        database,
        campaigns=campaigns,
        treebanks=treebanks,
        criterion=criterion,
        people=settings.people,
    )
    places = [(item.campaign_id, item.treebank_id, item.criterion) for item in matrices]
    if settings.one_place and len(places) > 1:
        raise InputError(
            f"people judged {len(places)} campaigns, treebanks and criteria, a picture is of one",
            hint="--campaign, --treebank and --criterion choose one of "
            + ", ".join(" ".join(place) for place in places),
        )
    for judged in matrices:
        together = clusters(database, judged.treebank_id)
        for part, narrowed in _parts(database, judged, settings.by):
            rows, compared = _evaluated(narrowed, settings, together, part, progress)
            evaluations += rows
            comparisons += compared
    _store(database, matrices, settings, evaluations, comparisons)
    return MetricReport(len(evaluations), len(comparisons), places)


def _evaluated(
    judged: judged_matrices.Judged,
    settings: MetricSettings,
    together: Clusters,
    part: str = "all",
    progress: Progress = silent,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of a part, and of comparisons: parts are not tested."""
    agreements = [
        *judged_matrices.of_sentences(judged, settings.grouping, settings.seed),
        *judged_matrices.of_systems(judged, settings.replicates, settings.seed),
    ]
    compared: list[dict[str, Any]] = []
    if settings.by is None:
        _add_tests(judged, settings, agreements, together, progress)
        compared = [
            row for agreement in agreements for row in _compared(judged, settings, agreement)
        ]
    return [
        row for agreement in agreements for row in _rows(judged, settings, agreement, part)
    ], compared


def _parts(
    database: Database, judged: judged_matrices.Judged, kind: str | None
) -> Iterator[tuple[str, judged_matrices.Judged]]:
    """Yield the parts in which somebody judged something; without a kind all as one."""
    if kind is None:
        yield "all", judged
        return
    parts = judged_matrices.parts_of(database, judged.treebank_id, kind)
    if not parts:
        raise InputError(
            f"no sentence of {judged.treebank_id} has a {kind}",
            hint="complexity and relations need trees, domains and documents 'ingest references'"
            " with --documents",
        )
    for part, items in sorted(parts.items()):
        narrowed = judged_matrices.of_part(judged, items)
        if len(narrowed.systems):
            yield part, narrowed


def _add_tests(
    judged: judged_matrices.Judged,
    settings: MetricSettings,
    agreements: Sequence[judged_matrices.Agreement],
    together: Clusters,
    progress: Progress,
) -> None:
    """Add permutation tests and replicates to the statistics that have them."""
    by_name = {(part.level, part.statistic): part for part in agreements}
    epsilons = [part or 0.0 for part in by_name["sentence", judged_matrices.ACCURACY].epsilons]
    tested = metric_tests.permutation_tests(
        judged.people,
        judged.scores,
        settings.grouping,
        epsilons,
        resamples=settings.replicates,
        seed=settings.seed,
        progress=lambda what, done, total: progress(f"{judged.treebank_id}: {what}", done, total),
    )
    for place, square in tested.items():
        by_name[place].permutation = square
    systems = len(judged.systems)
    draws, drawn_systems = (
        np.vstack(
            [np.ones(len(keys)), metric_tests.draws_of_clusters(keys, settings.replicates, seed)]
        )
        for keys, seed in (
            (together.of(judged.items), settings.seed),
            (np.arange(systems), settings.seed + 1),
        )
    )
    replicates: dict[tuple[str, str], Floats] = {}
    if systems >= judged_matrices.FEWEST_SYSTEMS:
        drawn = [
            metric_tests.resampled_systems(judged.people, part, draws, drawn_systems)
            for part in judged.scores
        ]
        for name in (judged_matrices.PAIRWISE, judged_matrices.SOFT, judged_matrices.PEARSON):
            replicates["system", name] = np.array([part[name] for part in drawn])
    if settings.grouping == ITEM:
        for name, part in judged_matrices.by_item(judged, epsilons, settings.seed).items():
            replicates["sentence", name] = metric_tests.resampled_means(part, draws)
    for place, values in replicates.items():
        by_name[place].seen, by_name[place].replicates = values[:, 0], values[:, 1:]


def _rows(
    judged: judged_matrices.Judged,
    settings: MetricSettings,
    agreement: judged_matrices.Agreement,
    part: str,
) -> Iterator[dict[str, Any]]:
    tested = None if agreement.permutation is None else agreement.permutation.p_corrected
    places = [
        int((agreement.values > v + pair_agreement.ROUNDING).sum()) + 1 for v in agreement.values
    ]
    clusters = _clusters(agreement.values, judged.metrics, tested)
    for at, metric in enumerate(judged.metrics):
        value = finite(agreement.values[at])
        ends: dict[str, float | None] = {"low": None, "high": None}
        if value is not None and agreement.replicates is not None:
            ends = judged_matrices.interval(agreement.replicates[at])
        yield {
            **_place(judged, settings, agreement),
            "part_kind": settings.by or "all",
            "part": part,
            "metric": metric,
            "value": value,
            "epsilon": agreement.epsilons[at] if agreement.epsilons and value is not None else None,
            **ends,
            "place": None if value is None else places[at],
            "cluster": clusters.get(metric),
            "systems": agreement.systems,
            "items": judged.people.shape[1],
            "outputs": int(np.isfinite(judged.people + judged.scores[at]).sum()),
            "resamples": settings.replicates,
            "seed": settings.seed,
            "undefined_reason": _reason(judged, agreement, at) if value is None else None,
        }


def _place(
    judged: judged_matrices.Judged, settings: MetricSettings, agreement: judged_matrices.Agreement
) -> dict[str, Any]:
    return {
        **judged.place,
        "people": settings.people,
        "level": agreement.level,
        "grouping": agreement.grouping,
        "statistic": agreement.statistic,
    }


def _compared(
    judged: judged_matrices.Judged, settings: MetricSettings, agreement: judged_matrices.Agreement
) -> Iterator[dict[str, Any]]:
    boots = None
    if agreement.replicates is not None and agreement.seen is not None:
        boots = metric_tests.bootstrap_p_values(agreement.replicates, agreement.seen)
    order = _order(agreement.values, judged.metrics)
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            yield {
                **_place(judged, settings, agreement),
                "metric": judged.metrics[one],
                "other_metric": judged.metrics[other],
                "difference": float(agreement.values[one] - agreement.values[other]),
                "p_permutation": None
                if agreement.permutation is None
                else finite(agreement.permutation.p_value[one, other]),
                "p_corrected": None
                if agreement.permutation is None
                else finite(agreement.permutation.p_corrected[one, other]),
                "p_bootstrap": None if boots is None else finite(boots[one, other]),
            }


def _order(values: Floats, metrics: Sequence[str]) -> list[int]:
    """Return the places of the metrics that have a value, best first, then by name."""
    defined = [at for at in range(len(metrics)) if finite(values[at]) is not None]
    return sorted(defined, key=lambda at: (-values[at], metrics[at]))


def _clusters(values: Floats, metrics: Sequence[str], tested: Floats | None) -> dict[str, int]:
    """Return the cluster of each metric: a new one begins with the first that is worse than one.

    Freitag et al. 2023, section 6: down from the best, a metric that some metric of the cluster is
    significantly better than begins the next. ``tested`` are corrected for all pairs.
    """
    if tested is None:
        return {}
    clusters: dict[str, int] = {}
    members: list[int] = []
    number = 1
    for at in _order(values, metrics):
        if any(tested[above, at] < ALPHA for above in members):
            number, members = number + 1, []
        members.append(at)
        clusters[metrics[at]] = number
    return clusters


def _reason(judged: judged_matrices.Judged, agreement: judged_matrices.Agreement, at: int) -> str:
    needed = (
        judged_matrices.FEWEST_SYSTEMS
        if agreement.statistic in (judged_matrices.PAIRWISE, judged_matrices.SOFT)
        else judged_matrices.FEWEST_FOR_R
    )
    if agreement.level == "system":
        scored = int(np.isfinite(judged.system_scores[at]).sum())
        if min(scored, agreement.systems) < needed:
            return f"fewer than {needed} systems have both"
        if agreement.statistic == judged_matrices.SOFT:
            return "not all systems have scores of judged sentences"
        return "people's means, or the metric's scores, are the same for all systems"
    if not np.isfinite(judged.people + judged.scores[at]).any():
        return "no judged output has a score"
    if agreement.statistic == judged_matrices.ACCURACY:
        return "no two outputs can be compared"
    return f"in no group (by {agreement.grouping}) do both people's and the metric's scores vary"


def _store(
    database: Database,
    matrices: Sequence[judged_matrices.Judged],
    settings: MetricSettings,
    evaluations: list[dict[str, Any]],
    comparisons: list[dict[str, Any]],
) -> None:
    kind = settings.by or "all"
    with database.transaction():
        connection = database.connection
        for judged in matrices:
            replaced = {
                "campaign": judged.campaign_id,
                "treebank": judged.treebank_id,
                "criterion": judged.criterion,
                "people": settings.people,
                "grouping": settings.grouping,
            }
            connection.execute(statement("delete_metric_evaluation"), {**replaced, "kind": kind})
            if settings.by is None:
                connection.execute(statement("delete_metric_comparison"), replaced)
        for table, rows in (("metric_evaluation", evaluations), ("metric_comparison", comparisons)):
            insert(database, table, rows)
