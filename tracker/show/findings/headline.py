"""What a comparison comes to, in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sr_tracker.queries.change.comparison.model import Change, Comparison, RelationChange, Side
from sr_tracker.queries.metrics.registry import in_points
from sr_tracker.queries.metrics.registry import unit_of as unit
from sr_tracker.schema.brief import plural
from sr_tracker.tracker.show.numbers import measured, percent

_NAMED = 3


def names(new: Side, base: Side) -> tuple[str, str]:
    """Return short names of two sides: system@iteration, with what else it takes to tell them."""
    first, second = short_names([new, base])
    return first, second


def short_names(sides: Sequence[Side]) -> list[str]:
    """Return system@iteration of each side, its campaign before it where they have several.

    Where that does not tell them apart, the submissions' ids.
    """
    short = [f"{side.system_id}@{side.iteration}" for side in sides]
    if len({side.campaign_id for side in sides}) > 1:
        short = [f"{side.campaign_id}/{name}" for side, name in zip(sides, short, strict=True)]
    if len({*short}) < len({side.submission_id for side in sides}):
        return [side.submission_id for side in sides]
    return short


def headline(comparison: Comparison) -> list[str]:
    """Return one or two sentences: which scores changed, and where the change is."""
    said = [_scores(comparison)]
    if comparison.relations:
        said.append(_relations(comparison))
    return said


def difference_text(change: Change) -> str:
    """Return a difference as it is said: +1.2 points, −0.034 bits; undefined where it is."""
    if change.difference is None:
        return "undefined"
    return f"{measured(change.measure, change.difference, sign=True)} {unit(change.measure)}"


def difference_in_table(change: Change) -> str:
    """Return a difference with its unit where that is not points, as most are."""
    told = measured(change.measure, change.difference, sign=True)
    if change.difference is None or in_points(change.measure):
        return told
    return f"{told} {unit(change.measure)}"


def facts(comparison: Comparison) -> str:
    """Return what was compared, in a line."""
    sides = (comparison.new, comparison.base)
    campaigns = dict.fromkeys(side.campaign_id for side in sides)
    treebanks = dict.fromkeys(side.treebank_id for side in sides)
    matched = " with the same reference text" if comparison.matched_by == "text" else ""
    level = f"{percent(comparison.settings.level)} intervals"
    parts = [
        " and ".join(campaigns),
        " and ".join(treebanks),
        f"{plural(comparison.sentences, 'sentence')}{matched}",
        *([level] if resampled(comparison.metrics) else []),
        f"significant: p below {comparison.settings.alpha:g}",
    ]
    return " · ".join(parts)


def resampled(changes: Iterable[Change]) -> bool:
    """Return whether some changes have intervals."""
    return any(change.low is not None for change in changes)


def _scores(comparison: Comparison) -> str:
    new, base = names(comparison.new, comparison.base)
    alpha = comparison.settings.alpha
    tested = [change for change in comparison.metrics if change.p_holm is not None]
    moved = [change for change in tested if change.is_significant(alpha)]
    worse = [change for change in moved if change.is_worse]
    better = [change for change in moved if not change.is_worse]
    if not comparison.metrics:
        return f"{new} and {base} have no score in common."
    if not tested:
        shown = ", ".join(_measured(change) for change in comparison.metrics[:_NAMED])
        return f"{new} against {base}, the scores not tested: {shown}."
    if not moved:
        shown = ", ".join(_measured(change) for change in comparison.metrics[:_NAMED])
        return f"No score differs by more than chance between {new} and {base}: {shown}."
    if worse and better:
        return f"{new} is better than {base} by {_listed(better)}, but worse by {_listed(worse)}."
    word, changes = ("worse", worse) if worse else ("better", better)
    count = _count(len(changes), len(comparison.metrics))
    return f"{new} is {word} than {base} by {count}: {_listed(changes)}."


def _count(number: int, of: int) -> str:
    if of == 1:
        return "the metric"
    return f"all {plural(of, 'metric')}" if number == of else f"{number} of {plural(of, 'metric')}"


def _measured(change: Change) -> str:
    return f"{change.measure} {difference_text(change)}"


def _listed(changes: Sequence[Change]) -> str:
    return ", ".join(_measured(change) for change in changes[:_NAMED])


def _relations(comparison: Comparison) -> str:
    alpha = comparison.settings.alpha
    moved = [change for change in comparison.relations if change.is_significant(alpha)]
    if not moved:
        return "No dependency relation changed by more than chance."
    worse = [change for change in moved if change.is_worse]
    better = [change for change in moved if not change.is_worse]
    said: list[str] = []
    if worse:
        said.append(_moved(worse, "fell", "fall"))
    if better:
        said.append(_moved(better, "rose", "rise"))
    return f"Of the relations {'; '.join(said)}."


def _moved(changes: Sequence[RelationChange], past: str, present: str) -> str:
    """Return which relations moved one way, the furthest first."""
    furthest = sorted(changes, key=lambda change: -abs(change.difference or 0))
    first = furthest[0]
    told = f"{first.deprel} {past} most, by {difference_text(first).lstrip('+−')}"
    shares = f"from {percent(first.base, 1)} to {percent(first.new, 1)}"
    told += f" ({shares} of its {first.n:,} edges found)"
    if len(furthest) == 1:
        return f"{told.replace(f' {past} most', f' alone {past}')}"
    others = ", ".join(change.deprel for change in furthest[1 : 1 + _NAMED])
    more = len(furthest) - 1 - _NAMED
    return f"{told}; {others}{f' and {more} more' if more > 0 else ''} {present} too"
