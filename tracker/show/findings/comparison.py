"""A comparison of two submissions as a document."""

from __future__ import annotations

from collections.abc import Sequence

from ....queries.change.comparison.model import (
    PRIMARY,
    Change,
    Comparison,
    PatternChange,
    SentenceChange,
    Side,
    ranked,
)
from ....queries.change.comparison.patterns import ranked_patterns
from ....queries.change.comparison.slices import parse_slice
from ....queries.change.comparison.verdict import names
from ....queries.metrics.registry import checks, label_of, notes, parts_by_kind
from ....queries.numbers import measured, number, percent, probability
from ....queries.resampling import SENTENCE
from ....schema.brief import plural
from ..model import (
    Block,
    Card,
    Cell,
    Column,
    Document,
    KeyFigure,
    Line,
    Paragraph,
    Section,
    Span,
    Table,
    Tone,
)
from .changes import (
    change_table,
    difference_in_table,
    facts,
    mark,
    ngram_section,
    resampled,
    tone,
    why,
)
from .sentences import (
    TREE_LEGEND,
    compared_words,
    reference_words,
    sentence_name,
    tree_of_changes,
)

LEGEND = (
    "▲ better, ▼ worse by more than chance · p: corrected over the family (Holm), of an "
    "exploratory measure alone · interval: of each change alone, not corrected · scores of 0 to 1 "
    "in points, hundredths"
)
TONES: Sequence[tuple[Tone, str]] = (
    ("extra", "in place in the new output alone"),
    ("missing", "in place in the old output alone"),
    ("stray", "not in the reference"),
    ("moved", "elsewhere in the reference"),
)


def comparison_document(comparison: Comparison, *, top: int = 8, trees: bool = True) -> Document:
    """Return what changed, section by section.

    ``top`` limits the patterns that are seen at first, and the relations that did not change by
    more than chance; ``trees`` are the references', with what became of each edge.
    """
    new, base = names(comparison.new, comparison.base)
    sentences = bool(comparison.gained or comparison.lost)
    return Document(
        "Comparison",
        f"{new} against {base}",
        [section for section in _sections(comparison, top, trees=trees) if section.blocks],
        lead=f"{facts(comparison)} · differences are {new} − {base}",
        verdict=comparison.verdict,
        objections=comparison.objections,
        figures=key_figures(comparison),
        notes=comparison.notes,
        legend=[
            LEGEND,
            *notes(change.measure for change in comparison.metrics),
            *([TREE_LEGEND] if sentences and trees else []),
        ],
        tones=TONES if sentences else (),
        provenance=_provenance(comparison),
    )


def key_figures(comparison: Comparison) -> list[KeyFigure]:
    """Return the metrics of new with their changes: those that the verdict rests on stand first.

    The others are folded.
    """
    primary = [change for change in comparison.metrics if change.family == PRIMARY]
    others = [change for change in comparison.metrics if change.family != PRIMARY]
    _, base = names(comparison.new, comparison.base)
    return [
        KeyFigure(
            label_of(change.measure),
            measured(change.measure, change.new),
            f"{base} {measured(change.measure, change.base)}; p {probability(change.p_holm)}",
            tone(change, comparison.settings.alpha),
            difference_in_table(change),
            folded=bool(primary) and change in others,
        )
        for change in [*primary, *others]
    ]


def _sections(comparison: Comparison, top: int, *, trees: bool) -> list[Section]:
    alpha = comparison.settings.alpha
    relations = ranked(comparison.relations, alpha)
    metric = label_of(comparison.settings.sentence_metric)
    titles = {kind: part.title for kind, (_, part) in parts_by_kind().items()}
    of_checks = {kind for kind, (metric, _) in parts_by_kind().items() if metric in checks()}
    parts = [
        _changes(
            comparison,
            (kind.replace(" ", "-"), title, title),
            kind,
            [change for change in of_kind if kind not in of_checks or change.is_significant(alpha)],
            top=top,
        )
        for kind, title in {**titles, "errors": "Marked errors"}.items()
        for of_kind in [ranked([item for item in comparison.parts if item.kind == kind], alpha)]
    ]
    changed = [change for change in comparison.checks if change.is_significant(alpha)]
    return [
        *why(comparison, has_words=bool(comparison.relations or comparison.patterns)),
        _changes(comparison, ("metrics", "Metrics", "Metrics"), "metric", comparison.metrics),
        _changes(comparison, ("checks", "Checks", "Checks of texts"), "check", changed),
        _changes(
            comparison,
            ("relations", "Relations", "Edges found, by dependency relation"),
            "relation",
            relations,
            labels=[change.deprel for change in relations],
            more={
                "won": [change.gained for change in relations],
                "lost": [change.lost for change in relations],
                "edges": [change.n for change in relations],
            },
            top=top,
        ),
        *parts,
        _labels(comparison),
        ngram_section(comparison, top),
        _patterns(comparison, top),
        _buckets(comparison),
        _flaky(comparison),
        *(
            Section(
                name,
                f"Sentences {name}",
                f"Sentences that {name} most (sentence {metric})",
                blocks=[_sentence(change, comparison, trees=trees) for change in changes],
            )
            for name, changes in (("gained", comparison.gained), ("lost", comparison.lost))
        ),
    ]


def _changes(
    comparison: Comparison,
    section: tuple[str, str, str],
    name: str,
    changes: Sequence[Change],
    *,
    top: int | None = None,
    **options: object,
) -> Section:
    """Return a section with one table of changes; the empty one has no blocks."""
    anchor, menu, title = section
    significant = sum(change.is_significant(comparison.settings.alpha) for change in changes)
    table = change_table(
        comparison,
        title,
        name,
        changes,
        shown=None if top is None else max(significant, top),
        **options,  # type: ignore[arg-type]
    )
    blocks = [table] if changes else []
    return Section(anchor, menu, title, _tests(changes), blocks)


def _tests(changes: Sequence[Change]) -> str:
    tests = dict.fromkeys(change.test for change in changes if change.test)
    return f"p: {'; '.join(tests)}" if tests else ""


def _buckets(comparison: Comparison) -> Section:
    buckets = comparison.buckets
    return _changes(
        comparison,
        ("buckets", "Complexity", "Simple and complex sentences"),
        "sentences",
        buckets,
        labels=[change.bucket for change in buckets],
        groups=[change.feature for change in buckets],
        more={
            "metric": [label_of(change.measure) for change in buckets],
            "n": [change.n for change in buckets],
        },
    )


def _labels(comparison: Comparison) -> Section:
    """Return how scores changed in the sentences of each value of a label."""
    named = [
        (*(parse_slice(change.measure) or ("", "", "")), change) for change in comparison.slices
    ]
    order = [*dict.fromkeys((label, metric) for metric, label, _, _ in named)]
    named.sort(key=lambda item: (item[1], order.index((item[1], item[0]))))
    changes = [change for *_, change in named]
    return _changes(
        comparison,
        ("labels", "By label", "By label of the sentences"),
        "sentences",
        changes,
        labels=[f"{label}={value}" for _, label, value, _ in named],
        groups=[change.family for change in changes],
        more={
            "metric": [label_of(metric) for metric, *_ in named],
            "n": [change.n for change in changes],
        },
    )


def _flaky(comparison: Comparison) -> Section:
    """Return the sentences that differ most between the trials of new; without any, no blocks."""
    new, _ = names(comparison.new, comparison.base)
    metric = comparison.settings.sentence_metric
    columns = [
        Column("sentence"),
        Column("trials"),
        Column("outputs", meaning="different outputs of these trials"),
        Column("mean", meaning=f"mean of the trials' {label_of(metric)}"),
        Column("sd", meaning="their standard deviation"),
        Column("lowest"),
        Column("highest"),
        Column("reference", "sentence"),
    ]
    numbers = ("sentence_no", "trials", "distinct_outputs")
    scores = ("mean", "sd", "lowest", "highest")
    lines = [
        Line(
            [
                *(Cell(number(row[name]), row[name]) for name in numbers),
                *(Cell(measured(metric, row[name]), row[name]) for name in scores),
                Cell(row["reference"] or ""),
            ]
        )
        for row in comparison.flaky
    ]
    title = f"Sentences of {new} that differ most between trials (sentence {label_of(metric)})"
    blocks = [Table("Flaky sentences", columns, lines)] if lines else []
    return Section("flaky", "Flaky sentences", title, blocks=blocks)


def _patterns(comparison: Comparison, top: int) -> Section:
    _, base = names(comparison.new, comparison.base)
    blocks: list[Block] = []
    for worse, word in ((True, "more"), (False, "less")):
        changes = ranked_patterns(comparison.patterns, comparison.settings.alpha, worse=worse)
        blocks.append(
            _pattern_table(comparison, f"Became {word} suspicious", changes, top)
            if changes
            else Paragraph(f"No pattern became clearly {word} suspicious.", "strong")
        )
    metric = label_of(comparison.settings.sentence_metric)
    reading = (
        "Subtrees of the references and the share of the sentences with them that fail: whose "
        f"{metric} is at most the threshold of {base}'s error mining, "
        "for both. S is the suspicion score."
    )
    tests = _tests(comparison.patterns)
    return Section(
        "patterns",
        "Patterns",
        "Patterns",
        f"{reading} {tests}".rstrip(),
        blocks if comparison.patterns else [],
    )


def _pattern_table(
    comparison: Comparison, title: str, changes: Sequence[PatternChange], top: int
) -> Table:
    new, base = names(comparison.new, comparison.base)
    columns = [
        Column("pattern", "pattern"),
        Column(f"failed: {base}"),
        Column(new),
        Column("S before", meaning=f"suspicion score S with {base}"),
        Column("S now", meaning=f"suspicion score S with {new}"),
        Column("p", "probability"),
        Column("", "text"),
        Column("sentences", meaning="sentences with the pattern"),
        Column("labels", "text", ends=1),
    ]
    alpha = comparison.settings.alpha
    lines = [
        Line(
            [
                Cell(change.pattern),
                _failed(change.failed_base, change.sentences),
                _failed(change.failed_new, change.sentences, tone(change, alpha)),
                Cell(number(change.base, 2), change.base),
                Cell(number(change.new, 2), change.new),
                Cell(probability(change.p_holm), change.p_holm),
                mark(change, alpha),
                Cell(number(change.sentences), change.sentences),
                Cell(change.labels, tone="muted"),
            ],
            tone=tone(change, alpha),
        )
        for change in changes
    ]
    return Table(title, columns, lines, shown=top, rest="patterns", titled=True)


def _failed(failed: int, sentences: int, tone: Tone = "") -> Cell:
    share = failed / sentences
    return Cell(f"{failed:,} ({percent(share)})", share, tone)


def _sentence(change: SentenceChange, comparison: Comparison, *, trees: bool) -> Card:
    new, base = names(comparison.new, comparison.base)
    title: list[Span] = []
    if change.base_score is not None and change.new_score is not None:
        scores = " → ".join(
            measured(comparison.settings.sentence_metric, score)
            for score in (change.base_score, change.new_score)
        )
        title = [Span(scores, "strong"), Span(" · ", "muted")]
    place = sentence_name(change.sentence_no, change.sent_id)
    tree = [tree_of_changes(change.words, change.base_found)] if trees and change.words else []
    return Card(
        [*title, Span(place, "muted")],
        [
            ("reference", reference_words(change.reference, change.reference_words)),
            *(("or", other) for other in change.other_references),
            (base, compared_words(change.base_output, change.base_pieces, "stray")),
            (new, compared_words(change.new_output, change.new_pieces, "stray")),
        ],
        blocks=tree,
    )


def _provenance(comparison: Comparison) -> list[tuple[str, str]]:
    settings = comparison.settings
    of = plural(comparison.clusters, comparison.resampling_unit)
    drawn = f"{settings.replicates:,} test sets of {of}, seed {settings.seed}"
    defined = resampled(comparison.metrics)
    effects = [
        f"{label_of(change.measure)} {number(change.design_effect, 2)}"
        for change in comparison.metrics
        if change.family == PRIMARY and change.design_effect is not None
    ]
    texts = effects if comparison.resampling_unit != SENTENCE else []
    sides = (("new", comparison.new), ("base", comparison.base))
    return [
        *((name, _made(side)) for name, side in sides),
        *([("resampling", f"{drawn}, {percent(settings.level)} intervals")] if defined else []),
        *([("design effect", ", ".join(texts))] if texts else []),
    ]


def _made(side: Side) -> str:
    return (
        f"{side.submission_id} · made {side.created_at:%Y-%m-%d %H:%M} · references as "
        f"{side.reference_form} · analysed by {side.analysis}"
    )
