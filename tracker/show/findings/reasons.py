"""What of plain text goes with a verdict: checks and n-grams that changed by more than chance."""

from __future__ import annotations

from collections.abc import Sequence

from ....queries.change.comparison.model import Change, Comparison, NgramChange, ranked
from ....queries.change.comparison.ngrams import ranked_ngrams
from ....queries.change.comparison.verdict import difference_text, names
from ....queries.metrics.registry import label_of, metric_named
from ....queries.numbers import measured, number, probability
from ....schema.brief import plural
from ..model import Block, Cell, Column, Line, Paragraph, Section, Table
from .changes import mark, tone

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
        _check(change)
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


def _check(change: Change) -> str:
    """Return a check with what it was, is and tells."""
    values = f"{measured(change.measure, change.base)} → {measured(change.measure, change.new)}"
    way = "worse" if change.is_worse else "better"
    tested = f"{difference_text(change)}, p {probability(change.p_holm)}"
    said = metric_named(change.measure).description
    return f"{label_of(change.measure)} {values}, {way} ({tested}): {said}."


def _listed(ngrams: Sequence[NgramChange]) -> str:
    """Return n-grams with in how many sentences new and base alone have them."""
    texts = [f"“{_clipped(change.ngram)}” {change.new:,} to {change.base:,}" for change in ngrams]
    sentences = plural(int(ngrams[0].new or 0), "sentence")
    texts[0] = f"“{_clipped(ngrams[0].ngram)}” in {sentences} to {ngrams[0].base:,}"
    more = len(texts) - NGRAMS
    return ", ".join(texts[:NGRAMS]) + (f" and {more} more" if more > 0 else "")


def _clipped(ngram: str) -> str:
    return ngram if len(ngram) <= LONGEST else f"{ngram[: LONGEST - 1]}…"
