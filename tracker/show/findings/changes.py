"""Changes of measures: in a sentence or two, as rows of a table, and reasons in texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ....queries.change.comparison.model import EXPLORATORY, Change, Comparison, NgramChange, ranked
from ....queries.change.comparison.patterns import ranked_ngrams
from ....queries.change.comparison.verdict import difference_text, names
from ....queries.metrics.registry import label_of, metric_named
from ....queries.metrics.registry import unit_of as unit
from ....queries.numbers import interval, measured, number, percent, probability, with_unit
from ....schema.brief import plural
from ..model import Block, Cell, Column, Interval, Line, Paragraph, Section, Table, Tone


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


LINES, NGRAMS = 6, 4
"""At most so many reasons, and n-grams in one."""
LONGEST = 40
"""Characters of an n-gram that are shown."""
NONE = "No reason stands out: neither checks nor n-grams of words changed by more than chance."
GROUPS = (
    (True, False, "Of the references {new} has less often than {base}"),
    (True, True, "Of the references {new} has more often than {base}"),
    (False, True, "What references lack {new} has more often"),
    (False, False, "What references lack {new} has less often"),
)
"""Whether n-grams are of references, whether new has them more often, and how that is said."""


def reasons(comparison: Comparison) -> list[str]:
    """Return a line for each check that changed, and for n-grams that one has more often.

    At most ``LINES``: checks come first, those of both directions; none where nothing changed.
    """
    alpha = comparison.settings.alpha
    new, base = names(comparison.new, comparison.base)
    lines = [
        check_text(change)
        for change in ranked(comparison.checks, alpha)
        if change.is_significant(alpha)
    ]
    for in_references, more, text in GROUPS:
        ngrams = ranked_ngrams(comparison.ngrams, alpha, in_references=in_references, more=more)
        if ngrams:
            lines.append(f"{text.format(new=new, base=base)}: {_listed(ngrams)}.")
    return lines[:LINES]


def why(comparison: Comparison, *, has_words: bool) -> list[Section]:
    """Return a section of reasons; where no trees give others, it says that there are none."""
    lines = reasons(comparison) or ([] if has_words else [NONE])
    blocks: list[Block] = [Paragraph(line, "") for line in lines]
    return [Section("why", "Why", "", blocks=blocks)] if blocks else []


def ngram_section(comparison: Comparison, top: int) -> Section:
    """Return the n-grams that one of two submissions has more often, and how often."""
    alpha = comparison.settings.alpha
    new, base = names(comparison.new, comparison.base)
    blocks: list[Block] = []
    for in_references, more, text in GROUPS:
        ngrams = ranked_ngrams(comparison.ngrams, alpha, in_references=in_references, more=more)
        if ngrams:
            blocks.append(_table(text.format(new=new, base=base), ngrams, (new, base), alpha, top))
    tested = dict.fromkeys(change.test for change in comparison.ngrams if change.test)
    reading = (
        "N-grams of one to four words, in lower case, and in how many sentences one output alone "
        f"has them. p: {'; '.join(map(str, tested))}, corrected over n-grams of references, and "
        "over others."
    )
    return Section("ngrams", "N-grams", "Words and n-grams", reading, blocks)


def _table(
    title: str, ngrams: Sequence[NgramChange], sides: tuple[str, str], alpha: float, top: int
) -> Table:
    new, base = sides
    columns = [
        Column("n-gram", "text"),
        Column(base, meaning=f"sentences in which {base} alone has it"),
        Column(new, meaning=f"sentences in which {new} alone has it"),
        Column("p", "probability"),
        Column("", "text"),
    ]
    lines = [
        Line(
            [
                Cell(_clipped(change.ngram)),
                Cell(number(change.base), change.base),
                Cell(number(change.new), change.new),
                Cell(probability(change.p_holm), change.p_holm),
                mark(change, alpha),
            ],
            tone=tone(change, alpha),
        )
        for change in ngrams
    ]
    return Table(title, columns, lines, shown=top, rest="n-grams", titled=True)


def check_text(change: Change) -> str:
    """Return a check with what it was, is and tells."""
    values = f"{measured(change.measure, change.base)} → {measured(change.measure, change.new)}"
    way = "worse" if change.is_worse else "better"
    tested = f"{difference_text(change)}, p {probability(change.p_holm)}"
    description = metric_named(change.measure).description
    return f"{label_of(change.measure)} {values}, {way} ({tested}): {description}."


def _listed(ngrams: Sequence[NgramChange]) -> str:
    """Return n-grams with in how many sentences new and base alone have them."""
    texts = [f"“{_clipped(change.ngram)}” {change.new:,} to {change.base:,}" for change in ngrams]
    sentences = plural(int(ngrams[0].new or 0), "sentence")
    texts[0] = f"“{_clipped(ngrams[0].ngram)}” in {sentences} to {ngrams[0].base:,}"
    more = len(texts) - NGRAMS
    return ", ".join(texts[:NGRAMS]) + (f" and {more} more" if more > 0 else "")


def _clipped(ngram: str) -> str:
    return ngram if len(ngram) <= LONGEST else f"{ngram[: LONGEST - 1]}…"
