"""Which sentences of a treebank contain the subtree pattern a user asks for, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import nearest
from ...schema.statements import read_tuples, statement
from ..analyses import ENUMERATION_VERSION, label_attributes
from ..functions.patterns import (
    SEPARATOR,
    Pattern,
    grew_request,
    is_request,
    node_label,
    parse_pattern,
    parse_request,
)
from .example_reading import Match, Tree, contains, find_matches


def read_pattern(text: str) -> Pattern:
    """Return the pattern of a text; a single label may go without parentheses.

    Raises InputError, which says where and what is wrong.
    """
    label = text.strip()
    bare = label and not any(letter in "()\\" or letter.isspace() for letter in label)
    return parse_pattern(f"({label})" if bare else text)


def with_requests(rows: pa.Table) -> pa.Table:
    """Return rows that have a pattern and its labels with its Grew request, as a column grew.

    It is NULL where Grew has none.
    """
    pairs = pc.binary_join_element_wise(rows["labels"], rows["pattern"], "\n").combine_chunks()
    coded = pairs.dictionary_encode()
    split = (text.split("\n", 1) for text in coded.dictionary.to_pylist())
    requests = [grew_request(parse_pattern(pattern), labels) for labels, pattern in split]
    return rows.append_column("grew", pa.array(requests, pa.string()).take(coded.indices))


def read_request_or_pattern(text: str, labels: str | None) -> tuple[Pattern, str]:
    """Return the pattern of a text, which may be a Grew request, and its labels.

    Labels are guessed where none are given, and checked. Raises InputError where they are not the
    pattern's, and for a text that is none.
    """
    if is_request(text):
        pattern, its_labels = parse_request(text)
        if labels not in (None, its_labels):
            raise InputError(
                f"the request is about {its_labels}, not {labels}",
                where=f"Grew request: {text.strip()}",
                hint="leave out --labels",
            )
        return pattern, its_labels
    pattern = read_pattern(text)
    labels = labels or guessed_labels(pattern)
    check_labels(labels, pattern)
    return pattern, labels


def guessed_labels(pattern: Pattern) -> str:
    """Return what a pattern's nodes seem to be labelled with.

    Joined labels are upos~deprel, labels in capitals upos, one with a colon relation, others
    deprel.
    """
    labels = [node.label for node in _nodes(pattern)]
    if any(_values(label) > 1 for label in labels):
        return "upos~deprel"
    if all(label.upper() == label for label in labels):
        return "upos"
    return "relation" if any(":" in label for label in labels) else "deprel"


def check_labels(labels: str, pattern: Pattern) -> None:
    """Raise InputError where the labels are not possible or the pattern has others."""
    wanted = len(label_attributes(labels))
    for node in _nodes(pattern):
        if _values(node.label) != wanted:
            raise InputError(
                f"'{node.label}' is no label of the kind {labels}",
                where=f"pattern {pattern.text}",
                hint=f"give every node {wanted} values joined by {SEPARATOR}, or other --labels"
                if wanted > 1
                else "give every node one value, or other --labels",
            )


def sentences_with(
    database: Database, treebank_id: str, labels: str, pattern: Pattern
) -> list[int]:
    """Return the numbers of the sentences that contain the pattern, in order.

    They are looked up where the treebank's subtrees are enumerated and the pattern is among them,
    and found by matching elsewhere. Raises InputError for labels that are not possible.
    """
    looked = {"treebank": treebank_id, "labels": labels, "version": ENUMERATION_VERSION}
    rows = read_tuples(database, "sentences_of_pattern", **looked, pattern=pattern.text)
    if rows:
        return list(rows[0][0])
    return matching_sentences(database, treebank_id, labels, pattern)


def matching_sentences(
    database: Database, treebank_id: str, labels: str, pattern: Pattern
) -> list[int]:
    """Return the same by matching the pattern with the trees of the treebank."""
    trees = _candidates(database, treebank_id, labels, pattern, None)
    return [sentence_no for sentence_no, tree in trees if contains(pattern, tree)]


def matches_in(
    database: Database,
    treebank_id: str,
    labels: str,
    pattern: Pattern,
    sentence_nos: Sequence[int],
) -> dict[int, list[Match]]:
    """Return where the pattern is, for those of the sentences that contain it."""
    trees = _candidates(database, treebank_id, labels, pattern, list(sentence_nos))
    by_sentence = {sentence_no: find_matches(pattern, tree) for sentence_no, tree in trees}
    return {sentence_no: matches for sentence_no, matches in by_sentence.items() if matches}


def unknown_labels(
    database: Database, treebank_id: str, labels: str, pattern: Pattern
) -> dict[str, list[str]]:
    """Return the labels of the pattern that no word of the treebank has, each with those alike."""
    labels_there = sorted(set(_label_nodes(database, treebank_id, labels, None).values()))
    missing = sorted({node.label for node in _nodes(pattern)} - set(labels_there))
    return {label: nearest(label, labels_there) for label in missing}


def nearest_patterns(
    database: Database, treebank_id: str, labels: str, pattern: Pattern
) -> list[tuple[str, int]]:
    """Return the enumerated patterns that are written most alike, with their sentences' number."""
    rows = database.connection.execute(
        "SELECT pattern, len(sentence_nos) FROM subtree WHERE treebank_id = ? AND labels = ? "
        "ORDER BY len(sentence_nos) DESC, pattern",
        [treebank_id, labels],
    ).fetchall()
    sentences = dict(rows)
    return [(near, sentences[near]) for near in nearest(pattern.text, sentences)]


def _values(label: str) -> int:
    """Return how many values an escaped label joins."""
    return label.replace("\\\\", "").replace(f"\\{SEPARATOR}", "").count(SEPARATOR) + 1


def _nodes(pattern: Pattern) -> Iterator[Pattern]:
    yield pattern
    for child in pattern.children:
        yield from _nodes(child)


def _label_nodes(
    database: Database, treebank_id: str, labels: str, sentence_nos: list[int] | None
) -> dict[int, str]:
    """Label the words of sentences, None for all, in a temporary table; return labels by number."""
    connection = database.connection
    connection.execute(
        statement("label_nodes"),
        {
            "treebank_id": treebank_id,
            "attributes": label_attributes(labels),
            "sentence_nos": sentence_nos,
        },
    )
    rows = connection.execute(
        "SELECT label, any_value(attributes) FROM labelled_node GROUP BY label ORDER BY label"
    ).fetchall()
    return {number: node_label(values) for number, values in rows}


def _candidates(
    database: Database,
    treebank_id: str,
    labels: str,
    pattern: Pattern,
    sentence_nos: list[int] | None,
) -> Iterator[tuple[int, Tree]]:
    """Yield the sentences that have all labels of the pattern, with their trees."""
    texts = _label_nodes(database, treebank_id, labels, sentence_nos)
    times = Counter(node.label for node in _nodes(pattern))
    numbers = [number for number, text in texts.items() if text in times]
    if {texts[number] for number in numbers} != set(times):
        return
    rows = read_tuples(
        database,
        "pattern_candidates",
        labels=numbers,
        texts=[texts[number] for number in numbers],
        times=[times[texts[number]] for number in numbers],
    )
    for sentence_no, token_nos, heads, label_numbers in rows:
        words = {t: texts[n] for t, n in zip(token_nos, label_numbers, strict=True)}
        yield sentence_no, Tree(words, dict(zip(token_nos, heads, strict=True)))
