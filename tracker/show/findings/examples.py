"""Outputs with their references and trees as a document."""

from __future__ import annotations

from sr_tracker.queries.errors.example_reading import Example
from sr_tracker.queries.errors.examples import Examples
from sr_tracker.schema.brief import plural
from sr_tracker.tracker.show.findings.sentences import compared_words, tree_of_example
from sr_tracker.tracker.show.model import Card, Document, Section, Span, Tone, Words
from sr_tracker.tracker.show.numbers import number, percent, probability

LEGEND = "◆ pattern · ✓ edge to the head realised, ✗ not · +n words below, drawn with --whole"
TONES: tuple[tuple[Tone, str], ...] = (
    ("missing", "only in the reference"),
    ("extra", "only in the output"),
    ("moved", "moved"),
)
_SHOWN_SCORES = ("bleu", "dea")


def examples_document(found: Examples, *, whole: bool = False) -> Document:
    """Return examples with their trees; ``whole`` draws long trees whole."""
    cards = [_card(found, example, n, whole=whole) for n, example in enumerate(found.examples, 1)]
    title = found.submission_id
    if found.pattern is not None:
        title = f"{found.pattern} · {found.labels} · {title}"
    return Document(
        "Examples",
        title,
        [Section("examples", "Examples", "", blocks=cards)],
        lead=" · ".join(_facts(found)),
        legend=[LEGEND],
        tones=TONES,
        provenance=[("references", found.treebank_id)],
    )


def _facts(found: Examples) -> list[str]:
    facts = []
    if found.pattern is not None:
        facts.append(f"{found.sentences:,} of {plural(found.treebank_sentences, 'sentence')}")
    if found.mean is not None:
        elsewhere = ""
        if found.mean_elsewhere is not None:
            elsewhere = f", {number(found.mean_elsewhere)} elsewhere"
        facts.append(f"mean {found.metric} {number(found.mean)}{elsewhere}")
    if found.suspicion is not None:
        mined = found.suspicion
        facts += [
            f"suspicion {number(mined.suspicion, 2)}",
            f"{percent(mined.failure_rate)} of them failed, {percent(mined.base_rate)} of all",
            f"p {probability(mined.p_holm)} (corrected)",
        ]
    return facts


def _card(found: Examples, example: Example, rank: int, *, whole: bool) -> Card:
    place = f"sentence {example.sentence_no}" + (f" · {example.sent_id}" if example.sent_id else "")
    order = "" if found.single else f"{found.order} {rank} of {found.sentences:,} · "
    return Card(
        [Span(order, "muted"), Span(place, "strong")],
        [
            ("scores", _scores(found, example)),
            ("reference", compared_words(example.reference, example.reference_pieces, "missing")),
            ("output", compared_words(example.output, example.output_pieces, "extra")),
        ],
        blocks=[tree_of_example(example, found.labels or "", whole=whole)] if example.words else [],
        anchor=f"sentence-{example.sentence_no}",
    )


def _scores(found: Examples, example: Example) -> Words:
    human = [name for name in example.scores if name.endswith("_z")]
    names = dict.fromkeys([found.metric, *_SHOWN_SCORES, *human])
    known = [(name, example.scores[name]) for name in names if name in example.scores]
    return [
        span
        for place, (name, score) in enumerate(known)
        for span in (
            Span(f"{'   ' if place else ''}{name} ", "muted"),
            Span(
                "undefined" if score is None else number(score),
                "strong" if name == found.metric else "",
            ),
        )
    ]
