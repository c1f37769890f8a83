"""Gates: whether a submission may pass, by how far its measures may drop, and against the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.statements import read_tuples
from ..clusters import clusters
from ..metrics.formulas import formula_of
from ..metrics.registry import checks, direction, points
from ..metrics.registry import unit_of as unit
from ..numbers import number
from .comparison.model import Change, Settings, Side
from .comparison.ranking import Sentences, read_alike, replicates_for
from .comparison.sides import SAME, check, read_sides
from .comparison.stored import Rows, pair_tests
from .comparison.trials import trial_scores
from .significance.intervals import TIE
from .thresholds import MAX_DROP, MIN, Threshold, of_measures

PASSED, FAILED, ALLOWED = "passed", "failed", "allowed"
CHOSEN_AS_BEST = (
    "the baseline was chosen as the best of several runs, so that it is likely better than it "
    "would be again: equal builds fail more often than alpha says; take @previous, or a run by its "
    "number"
)
"""What to say of a baseline such as ours@best:dea."""
BEST_IS_KNOWN = (
    "the baseline was chosen as the best of {runs} runs: a metric's drop fails only where the best "
    "of as many equal runs is hardly ever as far ahead; parts of metrics, and what people say, are "
    "tested as against any run"
)
"""What to say of it where a drop must be significant."""


@dataclass(frozen=True)
class Verdict:
    """What became of one threshold for one measure."""

    threshold: Threshold
    change: Change
    verdict: str
    """passed, failed, or allowed: undefined or of too few sentences or edges, which may be so."""
    reason: str | None = None
    """Why, where the numbers alone do not tell."""

    @property
    def unit(self) -> str:
        """The unit of everything that is told of the measure."""
        return unit(self.change.measure)

    @property
    def counted(self) -> str:
        """What the measure rests on: 6 edges, 1,204 sentences."""
        noun = "edge" if self.change.kind == "relation" else "sentence"
        return f"{self.change.n:,} {noun}{'' if self.change.n == 1 else 's'}"

    @property
    def name(self) -> str:
        """What was checked: max-drop dea[advcl]=2, whichever wildcard that came from."""
        return f"{self.threshold.kind} {self.change.measure}={self.threshold.limit:g}"

    def in_unit(self, value: float | None) -> float | None:
        """Return a value of the measure, or a difference, in its unit."""
        return None if value is None else points(self.change.measure, value)


@dataclass(frozen=True, repr=False)
class GateResult(Brief):
    """What a gate found."""

    new: Side
    base: Side
    significant: bool
    """Whether a drop counts only where it is beyond its limit by more than chance."""
    alpha: float
    verdicts: Sequence[Verdict]
    objections: Sequence[str] = ()
    """Why the two must not be compared; empty unless it was forced."""
    notes: Sequence[str] = ()
    non_inferior: bool = False
    """Whether it passes only where a drop beyond the limit is ruled out."""
    settings: Settings = field(default_factory=Settings, repr=False)
    """Those of the comparison that it rests on."""
    checks: Sequence[Change] = ()
    """Checks of texts that no threshold is about and that got worse by more than chance."""
    unstored: Rows | None = field(default=None, repr=False, compare=False)
    """What is to be stored of the comparison that it rests on; None where all is."""

    @property
    def failed(self) -> list[Verdict]:
        """The thresholds that are broken."""
        return [verdict for verdict in self.verdicts if verdict.verdict == FAILED]

    @property
    def passed(self) -> bool:
        """Whether no threshold is broken."""
        return not self.failed


DIGITS = 9
"""A drop that is the limit but for the rounding of sums is the limit."""


def check_gate(
    database: Database,
    new: str,
    base: str,
    thresholds: Sequence[Threshold],
    *,
    significant: bool = False,
    non_inferior: bool = False,
    minimum_n: int = 0,
    settings: Settings | None = None,
    chosen_from: Sequence[str] = (),
) -> GateResult:
    """Return what becomes of thresholds: ``new`` and ``base`` are ids of submissions.

    With ``significant``, a drop fails only where it is more than chance (its p-value, corrected
    over its family as in every comparison of the two, is below the settings' alpha) and its
    interval lies beyond the limit. With ``non_inferior`` it passes only where its interval lies
    within the limit (Blackwelder 1982). Intervals are those of the comparison, of each measure
    alone. Measures that rest on fewer sentences (or edges of a relation) than ``minimum_n``, or
    than their threshold says, are told but cannot fail. ``chosen_from`` are the runs that ``base``
    was chosen from as the best: a significant drop by a metric fails only where ``worse_than_best``
    says so too, at half of alpha, as it is one-sided.

    Without thresholds no primary metric of a comparison of the two may get worse.

    Raises InputError for both rules, and without any threshold where drops are to be ruled out or
    no metric is primary, UnknownNameError for measures that do not exist, IncomparableError where
    the two must not be compared and it is not forced.
    """
    settings = settings or Settings()
    if significant and non_inferior:
        raise InputError(
            "a gate cannot ask for evidence of a drop and of none",
            hint="give significant or non-inferior",
        )
    tests = pair_tests(database, new, base, settings)
    pairing = tests.pairing
    if not (thresholds or non_inferior):
        thresholds = [Threshold(MAX_DROP, metric, 0.0) for metric in tests.primary]
    if not thresholds:
        raise InputError(
            "the gate has no threshold", hint="give --max-drop dea=0.5, or --thresholds FILE"
        )
    of_both = dict(read_tuples(database, "gated_measures", new=new, base=base))
    unlisted = {limit.measure for limit in thresholds} - {*of_both}
    chosen = of_measures(thresholds, [*of_both], _existing_measures(database, sorted(unlisted)))
    measures = list(dict.fromkeys(measure for _, measure in chosen))
    objections = check(pairing, measures, force=settings.force)
    changes = dict(zip(measures, tests.changes(measures), strict=True))
    verdicts = []
    for (kind, measure), threshold in chosen.items():
        change = changes[measure]
        if kind == MIN and change.better == "lower":
            raise InputError(
                f"lower is better for '{measure}': a floor makes no sense",
                where=str(threshold),
                hint="--max-drop limits how far it may rise",
            )
        if kind == MIN:
            # A floor needs no baseline, so the score is not that of the sentences both have.
            verdict = _floor(threshold, replace(change, new=of_both.get(measure)))
        else:
            verdict = (_not_worse(threshold, change) if non_inferior else None) or _drop(
                threshold, change, settings.alpha if significant else None
            )
            if significant and chosen_from and verdict.verdict == FAILED:
                verdict = _beside_the_best(database, verdict, new, base, chosen_from, settings)
        fewest = minimum_n if threshold.minimum_n is None else threshold.minimum_n
        verdicts.append(_enough(verdict, fewest))
    others = [name for name in checks() if name in pairing.shared and name not in measures]
    amiss = [
        change
        for change in tests.changes(others)
        if change.is_worse and change.is_significant(settings.alpha)
    ]
    notes = [SAME] if new == base else []
    if chosen_from and new != base:
        note = BEST_IS_KNOWN.format(runs=len({*chosen_from, base} - {new}))
        notes.append(note if significant else CHOSEN_AS_BEST)
    if all(verdict.verdict == ALLOWED for verdict in verdicts):
        notes.append("nothing was judged: every measure is undefined or rests on too few")
    return GateResult(
        new=pairing.new,
        base=pairing.base,
        significant=significant,
        alpha=settings.alpha,
        verdicts=verdicts,
        objections=objections,
        notes=notes,
        non_inferior=non_inferior,
        settings=settings,
        checks=amiss,
        unstored=tests.rows(objections),
    )


def _existing_measures(database: Database, names: Sequence[str]) -> set[str]:
    """Return those of the names that some submission has a measure of."""
    if not names:
        return set()
    rows = database.connection.execute(
        "SELECT DISTINCT measure FROM submission_measures WHERE measure IN (SELECT unnest(?))",
        [list(names)],
    ).fetchall()
    return {measure for (measure,) in rows}


def _drop(threshold: Threshold, change: Change, alpha: float | None) -> Verdict:
    """Return what becomes of a drop; with ``alpha`` it counts where it is more than chance."""
    verdict = Verdict(threshold, change, PASSED)
    difference = verdict.in_unit(change.difference)
    if difference is None:
        return _undefined(threshold, change)
    drop = -difference if change.better == "higher" else difference
    if round(drop, DIGITS) <= threshold.limit:
        return verdict
    if alpha is not None and change.p_holm is None:
        reason = change.undefined_reason or "without a test"
        return Verdict(threshold, change, FAILED, f"it may be chance or not: {reason}")
    if alpha is not None and not change.is_significant(alpha):
        return Verdict(threshold, change, PASSED, "the drop may be chance")
    least, _ = _drops(verdict)
    if alpha is not None and threshold.limit and least is not None and least <= threshold.limit:
        return Verdict(threshold, change, PASSED, "the drop may be within the limit")
    return Verdict(threshold, change, FAILED)


def _beside_the_best(
    database: Database,
    verdict: Verdict,
    new: str,
    base: str,
    runs: Sequence[str],
    settings: Settings,
) -> Verdict:
    """Return the verdict on a drop: passed where the best of equal runs may be as far ahead."""
    change = verdict.change
    if change.kind != "metric" or change.p_value is None:
        return verdict
    margin = verdict.threshold.limit / points(change.measure, 1.0)
    p_value = worse_than_best(database, new, base, runs, change.measure, settings, margin)
    if p_value is None or p_value < settings.alpha / 2:
        return verdict
    return replace(verdict, verdict=PASSED, reason="the best of equal runs may be as far ahead")


def _not_worse(threshold: Threshold, change: Change) -> Verdict | None:
    """Return what becomes of a drop that must be ruled out; None where the drop itself is told.

    That is where nothing differs, or so few sentences that there is a test and no interval.
    """
    verdict = Verdict(threshold, change, PASSED)
    if change.difference is None or (not change.difference and change.p_value == 1):
        return None
    _, most = _drops(verdict)
    if most is None and change.p_value is not None:
        return None
    if most is None:
        reason = change.undefined_reason or "without an interval"
        return Verdict(threshold, change, FAILED, f"nothing is ruled out: {reason}")
    if most <= threshold.limit:
        return verdict
    doubt = f"a drop of {number(most, 2)} is not ruled out"
    return Verdict(threshold, change, FAILED, doubt)


def _drops(verdict: Verdict) -> tuple[float | None, float | None]:
    """Return the least and the largest drop that the interval of a change holds, in its unit."""
    low, high = verdict.in_unit(verdict.change.low), verdict.in_unit(verdict.change.high)
    if low is None or high is None:
        return None, None
    if verdict.change.better == "higher":
        low, high = -high, -low
    return round(low, DIGITS), round(high, DIGITS)


def _floor(threshold: Threshold, change: Change) -> Verdict:
    value = Verdict(threshold, change, PASSED).in_unit(change.new)
    if value is None:
        return _undefined(threshold, change)
    fits = round(value, DIGITS) >= threshold.limit
    return Verdict(threshold, change, PASSED if fits else FAILED)


def _enough(verdict: Verdict, minimum_n: int) -> Verdict:
    """Return the verdict, which cannot be a failure where the measure rests on too few."""
    if verdict.change.difference is None or verdict.change.n >= minimum_n:
        return verdict
    reason = f"it rests on {verdict.counted}, fewer than {minimum_n:,}"
    return replace(verdict, verdict=ALLOWED, reason=reason)


def _undefined(threshold: Threshold, change: Change) -> Verdict:
    verdict = ALLOWED if threshold.allow_undefined else FAILED
    reason = change.undefined_reason or "without a score"
    return Verdict(threshold, change, verdict, f"undefined: {reason}")


def worse_than_best(
    database: Database,
    new: str,
    best: str,
    runs: Sequence[str],
    metric: str,
    settings: Settings,
    margin: float = 0.0,
) -> float | None:
    """Return the p-value that all are equally good, where ``best`` is more than ``margin`` ahead.

    ``runs`` are those that the best was chosen from. Of runs that are equally good some one is
    ahead by chance, the farther the more there are: the p-value is the share of resampled test sets
    in which some run is as far ahead of ``new``, beyond what it is on the whole, as the best is
    (one-sided; Dunnett 1955; multiple comparisons with the best, Hsu 1984). Documents, equal texts
    or sentences are resampled, for all runs the same; trials of a run count by their mean.
    ``margin`` is in the score's own unit. None where the statistics of new or best are not known,
    or a resampled test set has no score.
    """
    (side,) = read_sides(database, [new])
    together = clusters(database, side.treebank_id, unit=settings.resampling_unit)
    names = [new, best, *(run for run in runs if run not in (new, best))]
    read = read_alike(database, names, metric, together)
    samples = {name: sample for name, sample in read.items() if isinstance(sample, Sentences)}
    if not {new, best} <= samples.keys():
        return None
    sides = [samples[name].trials for name in names if name in samples]
    settings = replace(settings, replicates=replicates_for(2, settings))
    read_scores = trial_scores(database, formula_of(metric), sides, settings)
    means = [np.append(one.scores.mean(), one.drawn.mean(axis=1)) for one in read_scores]
    scores = direction(metric) * np.stack(means, axis=1)
    ahead = scores[:, 1:] - scores[:, :1]
    if np.isnan(ahead).any():
        return None
    farthest = (ahead[1:] - ahead[0]).max(axis=1)
    as_far = (farthest >= ahead[0, 0] - margin - TIE).sum()
    return float((1 + as_far) / (1 + len(farthest)))
