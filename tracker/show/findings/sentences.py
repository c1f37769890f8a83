"""Sentences: words that differ, trees with what became of their edges, and trees of suspicion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ....queries.change.comparison.model import ReferenceWord
from ....queries.errors.example_reading import (
    Example,
    Match,
    Piece,
    Word,
    cut_words,
    nearest_difference,
)
from ....queries.errors.examples import Examples
from ....queries.metrics.registry import headline_metrics, label_of
from ....queries.numbers import measured, number, percent, probability
from ....schema.brief import plural
from ....schema.statements import Row
from ..model import Branch, Card, Document, Section, Span, Tone, Tree, Words
from ..text.dependencies import shown_words
from ..trees import DependencyTree, Outcome, TreeWord

TREE_LEGEND = "✓ edge to the head found, ✗ not; ✗→✓ won, ✓→✗ lost; +n words below left out"
EMPTY: Mapping[int, bool | None] = MappingProxyType({})
HIDDEN, NO_OUTPUT = [Span("hidden", "muted")], [Span("no output", "muted")]


def reference_words(reference: str | None, words: Sequence[ReferenceWord]) -> Words:
    """Return a reference whose words are marked that one of two outputs alone has in place."""
    if reference is None:
        return HIDDEN

    def tone(word: ReferenceWord) -> Tone:
        if word.in_base == word.in_new:
            return ""
        return "extra" if word.in_new else "missing"

    return _joined((word.before, word.word, tone(word)) for word in words)


def compared_words(text: str | None, pieces: Sequence[Piece], only: Tone) -> Words:
    """Return a text whose words are marked that the other text lacks, or has elsewhere.

    ``only`` is the tone of those it lacks: missing in a reference, extra or stray in an output.
    """
    if text is None:
        return HIDDEN if only == "missing" else NO_OUTPUT
    tones: dict[str, Tone] = {"same": "", "moved": "moved", "only": only}
    return _joined((piece.before, piece.word, tones[piece.kind]) for piece in pieces)


def marked_output(output: str | None, *references: str | None) -> Words:
    """Return an output whose words are marked that its nearest reference has not, or elsewhere."""
    texts = [cut_words(reference, []) for reference in references if reference is not None]
    if output is None or not texts:
        return output or NO_OUTPUT
    _, _, pieces = nearest_difference(texts, cut_words(output, []))
    return compared_words(output, pieces, "stray")


def _joined(words: Iterable[tuple[str, str, Tone]]) -> list[Span]:
    """Return words, each behind what stands before it; neighbours of one tone are one span."""
    spans: list[Span] = []
    for before, word, tone in words:
        if spans and spans[-1].tone == tone:
            spans[-1] = Span(f"{spans[-1].text}{before}{word}", tone)
        else:
            spans += [Span(before), Span(word, tone)]
    return spans


def tree_of_changes(
    words: Sequence[Word], found_before: Mapping[int, bool | None]
) -> DependencyTree:
    """Return a tree, with each word whether base and new have its edge.

    ``found_before`` tells by token number whether base's output has the edge; ``words`` tell it of
    new's. Of long trees only what is near edges won and lost is drawn.
    """
    tree = tree_of_words(words, found_before=found_before)
    changed = {
        word.token_no for word in words if word.found != found_before.get(word.token_no, word.found)
    }
    return DependencyTree(shown_words(tree.words, changed))


def tree_of_example(example: Example, labels: str, *, whole: bool) -> DependencyTree:
    """Return a tree with the words and edges of a pattern marked, and which edges are realised.

    Each word has what ``labels`` are made of; ``whole`` hides nothing of long trees.
    """
    tree = tree_of_words(example.words, example.matches, labels)
    return tree if whole else DependencyTree(shown_words(tree.words, example.matched))


def tree_of_words(
    words: Sequence[Word],
    matches: Sequence[Match] = (),
    labels: str = "",
    *,
    found_before: Mapping[int, bool | None] = EMPTY,
) -> DependencyTree:
    """Return a whole tree, as ``tree_of_example`` and ``tree_of_changes`` mark it."""
    tops = {match.top for match in matches}
    matched = {token_no for match in matches for token_no in match.tokens}
    inner = {t for match in matches for t in match.tokens if t != match.top}
    edges = matched if tops == matched else inner
    return DependencyTree(
        [
            replace(
                _tree_word(
                    word, _change(word, found_before.get(word.token_no, word.found)), labels
                ),
                matched=word.token_no in matched,
                marked=word.token_no in edges,
            )
            for word in words
        ]
    )


def _tree_word(word: Word, outcome: Outcome, labels: str = "") -> TreeWord:
    named = labels.split("~")
    labels_of_word = [word.upos or "_"]
    labels_of_word += [word.xpos or "_"] if "xpos" in named else []
    labels_of_word += [(word.lemma or word.form or "_").lower()] if "lemma" in named else []
    return TreeWord(
        word.token_no,
        word.head,
        word.form or word.lemma or "_",
        deprel=word.deprel or "_",
        labels=labels_of_word,
        outcome=outcome,
    )


def _change(word: Word, before: bool | None) -> Outcome:
    """Return what became of the edge of a word."""
    if word.found is None or before is None:
        return ""
    if word.found != before:
        return "won" if word.found else "lost"
    if word.found:
        return "found"
    return "misplaced" if word.misplaced else "missed"


PATTERN, EDGES = "◆ pattern", "✓ edge to the head realised, ✗ not"
_LEFT_OUT = "+n words below, drawn with --whole"
TONES: tuple[tuple[Tone, str], ...] = (
    ("missing", "only in the reference"),
    ("extra", "only in the output"),
    ("moved", "moved"),
)


def examples_document(examples: Examples, *, whole: bool = False) -> Document:
    """Return examples with their trees; ``whole`` draws long trees whole."""
    cards = [
        _card(examples, example, n, whole=whole) for n, example in enumerate(examples.examples, 1)
    ]
    title = examples.submission_id
    if examples.pattern is not None:
        title = f"{examples.pattern} · {examples.labels} · {title}"
    return Document(
        "Examples",
        title,
        [Section("examples", "Examples", "", blocks=cards)],
        lead=" · ".join(_facts(examples)),
        legend=[*_legend(examples, whole=whole)],
        tones=TONES,
        provenance=[("references", examples.treebank_id)],
    )


def _legend(examples: Examples, *, whole: bool) -> Iterator[str]:
    if any(example.words for example in examples.examples):
        yield from [PATTERN] if examples.pattern is not None else []
        yield EDGES
        yield from [] if whole else [_LEFT_OUT]


def _facts(examples: Examples) -> list[str]:
    facts = []
    if examples.pattern is not None:
        facts.append(f"{examples.sentences:,} of {plural(examples.treebank_sentences, 'sentence')}")
    if examples.mean is not None:
        elsewhere = ""
        if examples.mean_elsewhere is not None:
            elsewhere = f", {measured(examples.metric, examples.mean_elsewhere)} elsewhere"
        mean = measured(examples.metric, examples.mean)
        facts.append(f"mean {label_of(examples.metric)} {mean}{elsewhere}")
    if examples.suspicion is not None:
        mined = examples.suspicion
        facts += [
            f"suspicion {number(mined.suspicion, 2)}",
            f"{percent(mined.failure_rate)} of them failed, {percent(mined.base_rate)} of all",
            f"p {probability(mined.p_holm)} (corrected)",
        ]
    return facts


def sentence_name(sentence_no: int, sent_id: str | None) -> str:
    """Return what a sentence is called: by its number and, where that is another, by its id."""
    named = sent_id and sent_id != str(sentence_no)
    return f"sentence {sentence_no} · {sent_id}" if named else f"sentence {sentence_no}"


def _card(examples: Examples, example: Example, rank: int, *, whole: bool) -> Card:
    place = sentence_name(example.sentence_no, example.sent_id)
    order = "" if examples.single else f"{examples.order} {rank} of {examples.sentences:,} · "
    return Card(
        [Span(order, "muted"), Span(place, "strong")],
        [
            ("scores", _scores(examples, example)),
            ("reference", compared_words(example.reference, example.reference_pieces, "missing")),
            *(("or", other) for other in example.other_references),
            ("output", compared_words(example.output, example.output_pieces, "extra")),
        ],
        blocks=[tree_of_example(example, examples.labels or "", whole=whole)]
        if example.words
        else [],
        anchor=f"sentence-{example.sentence_no}",
    )


def _scores(examples: Examples, example: Example) -> Words:
    human = [name for name in example.scores if name.endswith("_z")]
    names = dict.fromkeys([examples.metric, *headline_metrics(), *human])
    scores = [
        (name, example.scores[name])
        for name in names
        if name in example.scores and (example.words or example.scores[name] is not None)
    ]
    return [
        span
        for place, (name, score) in enumerate(scores)
        for span in (
            Span(f"{'   ' if place else ''}{label_of(name)} ", "muted"),
            Span(
                "undefined" if score is None else measured(name, score),
                "strong" if name == examples.metric else "",
            ),
        )
    ]


READING = (
    "Each pattern splits the sentences into those with and those without it; S is its suspicion "
    "score among them. Coloured is what fails more, or less, often than all sentences do."
)


def suspicion_document(submission: str, nodes: Sequence[Row]) -> Document:
    """Return the suspicion tree of a submission, whose ``nodes`` come depth first."""
    first = nodes[0]
    metric, threshold = first["metric"], first["threshold"]
    lead = f"{first['labels']} · failed: {label_of(metric)} up to {measured(metric, threshold)}"
    section = Section("tree", "Tree", "", blocks=[suspicion_tree("", nodes)])
    return Document(
        "Suspicion tree",
        submission,
        [section],
        lead=lead,
        legend=[READING],
        provenance=[("mining", first["signature"])],
    )


def suspicion_tree(title: str, nodes: Sequence[Row], *, opened: bool = True) -> Tree:
    """Return the nodes of a tree, which come depth first, as a tree to show."""
    return Tree(title, _branch(nodes[0], nodes, _rate(nodes[0])), opened)


def _branch(node: Row, nodes: Sequence[Row], base: float) -> Branch:
    children = [row for row in nodes if row["parent_node_no"] == node["node_no"]]
    rate = _rate(node)
    tone: Tone = "better" if rate < base else "worse" if rate >= 2 * base else "doubt"
    text = [
        *_split(node, nodes),
        Span(percent(rate), "strong" if rate == base else tone),
        Span(f"  {node['failed']:,} of {node['sentences']:,} failed"),
        *([Span(f"  ({node['stop_reason']})", "muted")] if node["stop_reason"] else []),
    ]
    return Branch(text, [_branch(child, nodes, base) for child in children], rate)


def _split(node: Row, nodes: Sequence[Row]) -> list[Span]:
    """Return on which side of which pattern a node stands."""
    if node["has_pattern"] is None:
        return [Span("all sentences  ", "muted")]
    above = next(row for row in nodes if row["node_no"] == node["parent_node_no"])
    side = "with" if node["has_pattern"] else "without"
    suspicion = f"  S {number(above['suspicion'], 2)}" if node["has_pattern"] else ""
    return [Span(f"{side:<8}", "muted"), Span(above["pattern"], "code"), Span(f"{suspicion}  ")]


def _rate(node: Row) -> float:
    return node["failed"] / node["sentences"] if node["sentences"] else 0.0
