"""Changes of measures: in a sentence or two, and as rows of a table with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ....queries.change.comparison.model import EXPLORATORY, Change, Comparison
from ....queries.change.comparison.verdict import names
from ....queries.metrics.registry import label_of
from ....queries.metrics.registry import unit_of as unit
from ....queries.numbers import interval, measured, number, percent, probability, with_unit
from ....schema.brief import plural
from ..model import Cell, Column, Interval, Line, Table, Tone


def difference_in_table(change: Change) -> str:
    """Return a difference with its unit where that is not points, as most are."""
    return with_unit(change.measure, change.difference, sign=True)


def facts(comparison: Comparison) -> str:
    """Return what was compared, in a line."""
    sides = (comparison.new, comparison.base)
    campaigns = dict.fromkeys(side.campaign_id for side in sides)
    treebanks = dict.fromkeys(side.treebank_id for side in sides)
    matched = " with the same reference text" if comparison.matched_by == "text" else ""
    level = f"{percent(comparison.settings.level)} intervals of each change alone"
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


BETTER, WORSE = "▲", "▼"
NAMED = 8
"""Changes that are named where several are undefined for one reason."""


def tone(change: Change, alpha: float) -> Tone:
    """Return whether a change is better or worse by more than chance; else nothing."""
    if not change.is_significant(alpha):
        return ""
    return "worse" if change.is_worse else "better"


def mark(change: Change, alpha: float) -> Cell:
    """Return the mark of a change by more than chance."""
    its_tone = tone(change, alpha)
    return Cell({"better": BETTER, "worse": WORSE}.get(its_tone, ""), tone=its_tone)


def change_table(
    comparison: Comparison,
    caption: str,
    name: str,
    changes: Sequence[Change],
    *,
    labels: Sequence[str] | None = None,
    groups: Sequence[str] = (),
    more: Mapping[str, Sequence[str | int]] | None = None,
    shown: int | None = None,
) -> Table:
    """Return changes as a table; drawings of changes in one unit share a scale with zero amid.

    ``labels`` stand in the first column in place of the measures; ``more`` are further columns, by
    their names, else the number of sentences; between ``groups`` is a line. Intervals and p-values
    that no change has are no column.
    """
    new, base = names(comparison.new, comparison.base)
    further = {**(more or {"sentences": [change.n for change in changes]})}
    if any(change.family == EXPLORATORY for change in changes):
        further = {"family": [change.family for change in changes], **further}
    columns = [
        Column(name, "text"),
        Column(base),
        Column(new),
        Column("change", meaning="new minus base"),
        Column("", "text"),
        Column("interval", "interval", "of this change alone; the line is no change"),
        Column("p", "probability", "corrected over the family (Holm); exploratory: of it alone"),
        *(
            Column(heading, "number" if isinstance(next(iter(cells), 0), int) else "text")
            for heading, cells in further.items()
        ),
    ]
    scales = _scales(changes)
    alpha = comparison.settings.alpha
    lines = [
        Line(
            [
                Cell(labels[place] if labels else label_of(change.measure)),
                *change_cells(change, alpha, scales[unit(change.measure)]),
                *(_further(cells[place]) for cells in further.values()),
            ],
            tone=tone(change, alpha),
            starts=bool(groups and place and groups[place] != groups[place - 1]),
        )
        for place, change in enumerate(changes)
    ]
    filled_columns = [
        n
        for n, column in enumerate(columns)
        if (column.kind != "interval" or resampled(changes))
        and (column.kind != "probability" or any(change.p_holm is not None for change in changes))
    ]
    return Table(
        caption,
        [columns[n] for n in filled_columns],
        [replace(line, cells=[line.cells[n] for n in filled_columns]) for line in lines],
        shown=shown,
        rest=f"{name}s, without a significant change",
        note=_reasons(changes),
    )


def change_cells(change: Change, alpha: float, scale: float = 0.0) -> list[Cell]:
    """Return base, new, difference, mark, interval and p-value."""
    defined = change.difference is not None and change.low is not None and change.high is not None
    drawn = (
        Interval(change.low or 0.0, change.difference or 0.0, change.high or 0.0, scale)
        if defined and scale
        else None
    )
    return [
        Cell(measured(change.measure, change.base), change.base),
        Cell(measured(change.measure, change.new), change.new),
        Cell(difference_in_table(change), change.difference, tone(change, alpha)),
        mark(change, alpha),
        Cell(
            interval(change.measure, change.low, change.high, sign=True),
            change.difference,
            interval=drawn,
        ),
        Cell(probability(change.p_holm), change.p_holm),
    ]


def _further(value: str | int) -> Cell:
    return Cell(number(value) if isinstance(value, int) else value, value, "muted")


def _scales(changes: Sequence[Change]) -> dict[str, float]:
    """Return the furthest end of an interval, by unit."""
    scales: dict[str, float] = {}
    for change in changes:
        ends = [abs(end) for end in (change.difference, change.low, change.high) if end is not None]
        key = unit(change.measure)
        scales[key] = max([scales.get(key, 0.0), *ends])
    return scales


def _reasons(changes: Sequence[Change]) -> str:
    """Return why which of the changes are undefined; of many with one reason some are named."""
    reasons: dict[str, list[str]] = {}
    for change in changes:
        if change.undefined_reason:
            reasons.setdefault(change.undefined_reason, []).append(label_of(change.measure))
    return "; ".join(
        f"{reason}: {', '.join(of[:NAMED])}"
        + (f" and {len(of) - NAMED} more" if len(of) > NAMED else "")
        for reason, of in reasons.items()
    )
