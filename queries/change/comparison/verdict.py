"""What a comparison comes to: an outcome, and a sentence on the scores and on the relations.

Decided here once, by the measures that a campaign's organisers choose, stored with the comparison,
and told as it is wherever a comparison is shown. Measures are called by their labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from ....schema.brief import listed, plural
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.names import check_names, names_of, resolve_name, the_only
from ....schema.statements import read_table, read_tuples
from ...metrics import metrics
from ...metrics.registry import label_of, unit_of
from ...numbers import measured, percent, probability
from .model import PRIMARY, Change, RelationChange, Side

BETTER, WORSE, MIXED = "better", "worse", "mixed"
CHANCE, UNTESTED, NOTHING = "chance", "untested", "nothing in common"
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


def outcome(changes: Sequence[Change], alpha: float) -> str:
    """Return what the primary metrics among some changes come to, as ``comparison.outcome`` has it.

    Where none of them is significant, it is ``chance``; where none could be tested, ``untested``.
    """
    primary = _primary(changes)
    if not primary:
        return NOTHING
    if all(change.p_holm is None for change in primary):
        return UNTESTED
    ways = {change.is_worse for change in primary if change.is_significant(alpha)}
    if not ways:
        return CHANCE
    if len(ways) > 1:
        return MIXED
    return WORSE if ways.pop() else BETTER


def verdict_text(new: Side, base: Side, changes: Sequence[Change], alpha: float) -> str:
    """Return a sentence on what the primary metrics among some changes say, p-values with it.

    A p-value that the replicates leave on either side of alpha is told with its range. Where one
    of the two has several trials, further sentences say how much they vary.
    """
    texts = [_verdict(new, base, changes, alpha), *trial_texts(new, base, changes, alpha)]
    return " ".join(texts)


def trial_texts(new: Side, base: Side, changes: Sequence[Change], alpha: float) -> list[str]:
    """Return sentences on trials, none where neither of two submissions has several.

    They say how many there are, how much the primary metrics vary between them, and which of these
    would be significant if they did not.
    """
    several = [change for change in _primary(changes) if change.trials is not None]
    if not several:
        return []
    first, (ours, theirs) = several[0], names(new, base)
    counts = {ours: first.trials or 1, theirs: first.base_trials or 1}
    varying = [_varying(change, ours, theirs) for change in several[:_NAMED]]
    trials = " and ".join(f"{plural(count, 'trial')} of {name}" for name, count in counts.items())
    texts = [f"Means of {trials}; sd between trials: {', '.join(varying)}."]
    single = [name for name, count in counts.items() if count == 1]
    if single:
        texts.append(f"{single[0]} is taken to vary as much.")
    seeds = [label_of(one.measure) for one in several if one.is_of_trials(alpha)]
    if seeds:
        texts.append(
            f"Over sentences alone {', '.join(seeds)} would differ by more than chance: other "
            "trials could say otherwise."
        )
    return texts


def _varying(change: Change, ours: str, theirs: str) -> str:
    """Return how much trials vary by a measure: BLEU-lc 0.40 points (mt@2), 0.52 points (mt@1)."""
    sides = ((ours, change.trial_sd), (theirs, change.base_trial_sd))
    spread = [
        f"{measured(change.measure, sd)} {unit_of(change.measure)} ({name})"
        for name, sd in sides
        if sd is not None
    ]
    return f"{label_of(change.measure)} {', '.join(spread)}"


def _verdict(new: Side, base: Side, changes: Sequence[Change], alpha: float) -> str:
    ours, theirs = names(new, base)
    primary = _primary(changes)
    reached = outcome(changes, alpha)
    if reached == NOTHING:
        return f"{ours} and {theirs} have no score in common."
    if reached == UNTESTED:
        return f"{ours} against {theirs}: {_listed(primary, alpha)}."
    if reached == CHANCE:
        shown = _listed(primary, alpha)
        return f"No score differs by more than chance between {ours} and {theirs}: {shown}."
    moved = [change for change in primary if change.is_significant(alpha)]
    better = [change for change in moved if not change.is_worse]
    worse = [change for change in moved if change.is_worse]
    rest = [change for change in primary if change not in moved]
    beside = f"; {_listed(rest, alpha)} may be chance" if rest else ""
    if reached == MIXED:
        sides = f"better than {theirs} by {_listed(better, alpha)}"
        return f"{ours} is {sides}, but worse by {_listed(worse, alpha)}{beside}."
    return f"{ours} is {reached} than {theirs} by {_listed(moved, alpha)}{beside}."


def relations_text(changes: Sequence[RelationChange], alpha: float) -> str | None:
    """Return a sentence on which dependency relations moved; None where none are compared."""
    if not changes:
        return None
    moved = [change for change in changes if change.is_significant(alpha)]
    if not moved:
        return "No dependency relation changed by more than chance."
    worse = [change for change in moved if change.is_worse]
    better = [change for change in moved if not change.is_worse]
    sentences = [
        *([_moved(worse, "fell", "fall")] if worse else []),
        *([_moved(better, "rose", "rise")] if better else []),
    ]
    return f"Of the relations {'; '.join(sentences)}."


def labels_text(changes: Sequence[Change], metrics: Sequence[Change], alpha: float) -> str | None:
    """Return a sentence on the value of a label whose sentences changed most; None where none did.

    ``changes`` are those of one metric over values of labels, corrected over each label; here they
    are corrected for the number of labels as well. Where the primary ``metrics`` are better, only
    what became worse is told.
    """
    labels = {change.family for change in changes if change.p_holm is not None}
    corrected = [
        replace(change, p_holm=min(1.0, change.p_holm * len(labels)))
        for change in changes
        if change.p_holm is not None
    ]
    better = outcome(metrics, alpha) == BETTER
    moved = [
        change
        for change in corrected
        if change.is_significant(alpha) and (change.is_worse or not better)
    ]
    if not moved:
        return None
    most = min(moved, key=lambda change: (not change.is_worse, -abs(change.difference or 0)))
    others = [change for change in moved if change.is_worse == most.is_worse and change != most]
    also = f", and in {len(others)} more" if others else ""
    metric, _, name = most.measure.removesuffix("]").partition("[")
    difference = f"{label_of(metric)} {difference_text(most)}, p {probability(most.p_holm)}"
    way = WORSE if most.is_worse else BETTER
    return f"By labels it is {way} in {name} ({difference}){also}."


def difference_text(change: Change) -> str:
    """Return a difference as it is said: +1.2 points, −0.034 bits; undefined where it is."""
    if change.difference is None:
        return "undefined"
    return f"{measured(change.measure, change.difference, sign=True)} {unit_of(change.measure)}"


def _primary(changes: Sequence[Change]) -> list[Change]:
    return [change for change in changes if change.family == PRIMARY]


def _listed(changes: Sequence[Change], alpha: float) -> str:
    """Return some of these changes, each with its p-value: BLEU-lc +0.46 points (p 0.248)."""
    return listed([_with_p_value(change, alpha) for change in changes], _NAMED)


def _with_p_value(change: Change, alpha: float) -> str:
    text = f"{label_of(change.measure)} {difference_text(change)}"
    tested = "not tested" if change.p_holm is None else f"p {probability(change.p_holm)}"
    between = change.monte_carlo_range(alpha)
    if between is not None:
        tested += f", {probability(between[0])} to {probability(between[1])}"
    return f"{text} ({tested})"


def _moved(changes: Sequence[RelationChange], past: str, present: str) -> str:
    """Return which relations moved one way, the furthest first."""
    furthest = sorted(changes, key=lambda change: -abs(change.difference or 0))
    first = furthest[0]
    text = f"{first.deprel} {past} most, by {difference_text(first).lstrip('+−')}"
    shares = f"from {percent(first.base, 1)} to {percent(first.new, 1)}"
    text += f" ({shares} of its {first.n:,} edges found)"
    if len(furthest) == 1:
        return f"{text.replace(f' {past} most', f' alone {past}')}"
    return f"{text}; {listed([change.deprel for change in furthest[1:]], _NAMED)} {present} too"


def chosen_metrics(database: Database, campaign: str | None = None) -> pa.Table:
    """Return campaign_id, place and metric of what was chosen, for one campaign or all.

    Raises UnknownNameError for a campaign that is not there.
    """
    if campaign is not None:
        campaign = resolve_name(database, "campaign", campaign)
    return read_table(database, "chosen_primary_metrics", campaign=campaign)


def choose_metrics(
    database: Database, chosen: Sequence[str], campaign: str | None = None
) -> pa.Table:
    """Let verdicts of a campaign rest on these measures, in this order; none for the default.

    They are metrics, and what people said (adequacy_z). A campaign need not be named where there
    is only one. Verdicts that are stored stay until the next test; see ``stored``.

    Raises UnknownNameError for a measure or a campaign that is not there, InputError for a measure
    named twice, and where it takes the name of a campaign.
    """
    if campaign is None:
        campaigns = names_of(database, "campaign")
        campaign = the_only(campaigns, "campaign of primary metrics", "--campaign")
    campaign = resolve_name(database, "campaign", campaign)
    human = [name for (name,) in read_tuples(database, "human_measures")]
    check_names("metric", chosen, [*metrics(), *human], hint="'tracker show metrics' lists all")
    if len({*chosen}) < len(chosen):
        raise InputError("a metric is named twice", hint="name each once")
    with database.transaction() as connection:
        connection.execute("DELETE FROM primary_metric WHERE campaign_id = ?", [campaign])
        rows = [[campaign, place, name] for place, name in enumerate(chosen, start=1)]
        if rows:
            connection.executemany("INSERT INTO primary_metric VALUES (?, ?, ?)", rows)
    return chosen_metrics(database, campaign)
