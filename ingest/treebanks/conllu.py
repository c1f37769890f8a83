"""CoNLL-U text → columns: a strict reader that knows the line of everything it finds."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.ingest.treebanks.conllu_layout import Layout, Problem, read_layout
from sr_tracker.schema.errors import InputError

COLUMN_NAMES = (
    *("id", "form", "lemma", "upos", "xpos"),
    *("feats", "head", "deprel", "deps", "misc"),
)
_NUMBER = "[1-9][0-9]{0,8}"
_RANGE = re.compile(f"({_NUMBER})-({_NUMBER})")
_EMPTY = re.compile(rf"(0|{_NUMBER})\.({_NUMBER})")
_COMMENT = re.compile(r"#\s*(sent_id|text|newdoc id|newdoc)\s*(?:=\s?(.*))?$", re.DOTALL)


@dataclass(frozen=True)
class SpecialLine:
    """A line that is not a word: a range (first, last) or an empty node (after, node number)."""

    sentence: int
    first: int
    second: int
    columns: dict[str, str]


@dataclass(frozen=True)
class ConlluFile:
    """The content of a file, column by column, every value as it stands there."""

    source: str
    sent_ids: list[str | None]
    texts: list[str | None]
    newdocs: list[str | None]
    comments: list[list[str]]
    lines: list[int]
    """The line on which each sentence starts."""
    lengths: np.ndarray
    """How many words each sentence has."""
    words: dict[str, pa.Array]
    """The words of all sentences: an array of strings for each of COLUMN_NAMES."""
    word_lines: np.ndarray
    """The line of each word."""
    ranges: list[SpecialLine]
    empty_nodes: list[SpecialLine]

    def word_error(self, word: int, message: str, hint: str) -> InputError:
        """Return an error about a word, counted from 0 through the file."""
        return InputError(message, where=f"{self.source}:{self.word_lines[word]}", hint=hint)


def parse_conllu(text: str, source: str) -> ConlluFile:
    """Return the content of a CoNLL-U file; ``source`` names it in errors.

    Raises InputError (file:line) for lines without ten columns, IDs out of order, broken ranges,
    comments between words, sentences without words and repeated sent_ids.
    """
    layout, columns = read_layout(text, source)
    fields = dict(zip(COLUMN_NAMES, columns, strict=True))
    is_word = ~_special_rows(fields["id"])
    sentences = layout.blocks[layout.rows]
    lengths = np.bincount(sentences[is_word] - 1, minlength=len(layout.starts))
    ranges, empty_nodes = _check_ids(layout, fields, is_word, lengths)
    comments = _comments(layout)
    known = [_known_comments(group) for group in comments]
    sent_ids = [values.get("sent_id", "").strip() or None for values in known]
    _check_unique_ids(layout, sent_ids)
    return ConlluFile(
        source=source,
        sent_ids=sent_ids,
        texts=[values.get("text") for values in known],
        newdocs=[values.get("newdoc id", values.get("newdoc")) for values in known],
        comments=comments,
        lines=(layout.starts + 1).tolist(),
        lengths=lengths,
        words={name: values.filter(pa.array(is_word)) for name, values in fields.items()},
        word_lines=layout.rows[is_word] + 1,
        ranges=ranges,
        empty_nodes=empty_nodes,
    )


def _special_rows(ids: pa.Array) -> np.ndarray:
    special = pc.or_(pc.match_substring(ids, "-"), pc.match_substring(ids, "."))
    return np.asarray(special.to_numpy(zero_copy_only=False))


def _check_ids(
    layout: Layout, fields: dict[str, pa.Array], is_word: np.ndarray, lengths: np.ndarray
) -> tuple[list[SpecialLine], list[SpecialLine]]:
    """Check all IDs and return the ranges and the empty nodes."""
    sentences = layout.blocks[layout.rows]
    words_above = np.cumsum(is_word) - is_word
    count = words_above - np.append(0, np.cumsum(lengths))[sentences - 1]
    expected = pa.array(count + 1).cast(pa.string())
    wrong = is_word & pc.not_equal(fields["id"], expected).to_numpy(zero_copy_only=False)
    problems = [
        Problem(int(layout.rows[row]), *_out_of_order(fields["id"][int(row)].as_py(), count[row]))
        for row in np.flatnonzero(wrong)[:1]
    ]
    for sentence in np.flatnonzero(lengths == 0)[:1]:
        hint = "a sentence has at least one line with a whole number as ID"
        problems.append(Problem(int(layout.starts[sentence]), "the sentence has no words", hint))
    ranges: list[SpecialLine] = []
    empty_nodes: list[SpecialLine] = []
    rows = np.flatnonzero(~is_word)
    special = {name: values.take(pa.array(rows)).to_pylist() for name, values in fields.items()}
    for item, row in enumerate(rows.tolist()):
        sentence, above = int(sentences[row]), int(count[row])
        columns = {name: values[item] for name, values in special.items()}
        problem = (
            _add_range(ranges, sentence, above, int(lengths[sentence - 1]), columns)
            if "-" in columns["id"]
            else _add_empty_node(empty_nodes, sentence, above, columns)
        )
        if problem:
            problems.append(Problem(int(layout.rows[row]), *problem))
            break
    layout.raise_first(problems)
    return ranges, empty_nodes


def _out_of_order(found: str, above: int) -> tuple[str, str]:
    return (
        f"ID '{found}' is out of order: {above + 1} was expected",
        "number the words of a sentence from 1 without gaps; a blank line ends a sentence",
    )


def _add_range(
    ranges: list[SpecialLine], sentence: int, above: int, length: int, columns: dict[str, str]
) -> tuple[str, str] | None:
    """Add a range, or return what is wrong with it."""
    span = _RANGE.fullmatch(columns["id"])
    if span is None:
        return _out_of_order(columns["id"], above)
    first, last = int(span[1]), int(span[2])
    overlaps = bool(ranges) and ranges[-1].sentence == sentence and ranges[-1].second >= first
    if first != above + 1 or last < first or overlaps:
        hint = "a range stands before its first word and overlaps no other"
        return f"the range {columns['id']} is out of place", hint
    if last > length:
        return f"the range {columns['id']} goes beyond the sentence", "correct the range"
    ranges.append(SpecialLine(sentence, first, last, columns))
    return None


def _add_empty_node(
    nodes: list[SpecialLine], sentence: int, above: int, columns: dict[str, str]
) -> tuple[str, str] | None:
    """Add an empty node, or return what is wrong with it."""
    number = _EMPTY.fullmatch(columns["id"])
    if number is None or int(number[1]) != above:
        return _out_of_order(columns["id"], above)
    previous = nodes[-1] if nodes else None
    follows = previous is not None and (previous.sentence, previous.first) == (sentence, above)
    expected = previous.second + 1 if previous is not None and follows else 1
    if int(number[2]) != expected:
        hint = "number the empty nodes that follow a word from 1 without gaps"
        return f"ID '{columns['id']}' is out of order: {above}.{expected} was expected", hint
    nodes.append(SpecialLine(sentence, above, expected, columns))
    return None


def _comments(layout: Layout) -> list[list[str]]:
    comments: list[list[str]] = [[] for _ in layout.starts]
    blocks = layout.blocks[layout.comments]
    for index, block in zip(layout.comments.tolist(), blocks.tolist(), strict=True):
        comments[block - 1].append(layout.lines[index])
    return comments


def _known_comments(comments: list[str]) -> dict[str, str]:
    """Return the values of the comments that have a meaning, the first of each name."""
    known: dict[str, str] = {}
    for comment in comments:
        match = _COMMENT.match(comment)
        if match:
            value = match[2] or ""
            known.setdefault(match[1], value if match[1] == "text" else value.strip())
    return known


def _check_unique_ids(layout: Layout, sent_ids: list[str | None]) -> None:
    seen: dict[str, int] = {}
    for sent_id, start in zip(sent_ids, layout.starts.tolist(), strict=True):
        if sent_id is None:
            continue
        if sent_id in seen:
            message = f"sent_id '{sent_id}' was used before, on line {seen[sent_id] + 1}"
            layout.raise_first([Problem(start, message, "give every sentence its own sent_id")])
        seen[sent_id] = start
