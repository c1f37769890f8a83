"""CoNLL-U text → columns: a strict reader that knows the line of everything it finds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError

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

    @property
    def starts(self) -> np.ndarray:
        """The first word of each sentence, counted from 0 through the file."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    def ranges_by_sentence(self) -> dict[int, list[SpecialLine]]:
        """Return the ranges of each sentence, counted from 1; none for one without."""
        ranges: dict[int, list[SpecialLine]] = defaultdict(list)
        for span in self.ranges:
            ranges[span.sentence].append(span)
        return ranges

    def forms_by_sentence(self) -> Iterator[tuple[list[str], list[SpecialLine]]]:
        """Yield the forms of each sentence's words, and its ranges."""
        forms, ranges = self.words["form"].to_pylist(), self.ranges_by_sentence()
        bounds = zip(self.starts.tolist(), self.lengths.tolist(), strict=True)
        for number, (start, length) in enumerate(bounds, start=1):
            yield forms[start : start + length], ranges[number]

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
    marked = (pc.match_substring(fields["id"], mark) for mark in "-.")
    is_word = ~np.asarray(pc.or_(*marked))
    sentences = layout.blocks[layout.rows]
    lengths = np.bincount(sentences[is_word] - 1, minlength=len(layout.starts))
    ranges, empty_nodes = _check_ids(layout, fields, is_word, lengths)
    comments = _comments(layout)
    of_sentences = [_comment_values(group) for group in comments]
    sent_ids = [values.get("sent_id", "").strip() or None for values in of_sentences]
    _check_unique_ids(layout, sent_ids)
    return ConlluFile(
        source=source,
        sent_ids=sent_ids,
        texts=[values.get("text") for values in of_sentences],
        newdocs=[values.get("newdoc id", values.get("newdoc")) for values in of_sentences],
        comments=comments,
        lines=(layout.starts + 1).tolist(),
        lengths=lengths,
        words={name: values.filter(pa.array(is_word)) for name, values in fields.items()},
        word_lines=layout.rows[is_word] + 1,
        ranges=ranges,
        empty_nodes=empty_nodes,
    )


def _check_ids(
    layout: Layout, fields: dict[str, pa.Array], is_word: np.ndarray, lengths: np.ndarray
) -> tuple[list[SpecialLine], list[SpecialLine]]:
    """Check all IDs and return the ranges and the empty nodes."""
    sentences = layout.blocks[layout.rows]
    words_above = np.cumsum(is_word) - is_word
    count = words_above - np.append(0, np.cumsum(lengths))[sentences - 1]
    expected = pa.array(count + 1).cast(pa.string())
    wrong = is_word & np.asarray(pc.not_equal(fields["id"], expected))
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


def _out_of_order(identifier: str, above: int) -> tuple[str, str]:
    return (
        f"ID '{identifier}' is out of order: {above + 1} was expected",
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
    blocks = layout.blocks[layout.comments].tolist()
    for block, comment in zip(blocks, layout.texts(layout.comments), strict=True):
        comments[block - 1].append(comment)
    return comments


def _comment_values(comments: list[str]) -> dict[str, str]:
    """Return the values of the comments that have a meaning, the first of each name."""
    values: dict[str, str] = {}
    for comment in comments:
        match = _COMMENT.match(comment)
        if match:
            value = match[2] or ""
            values.setdefault(match[1], value if match[1] == "text" else value.strip())
    return values


def _check_unique_ids(layout: Layout, sent_ids: list[str | None]) -> None:
    seen: dict[str, int] = {}
    for sent_id, start in zip(sent_ids, layout.starts.tolist(), strict=True):
        if sent_id is None:
            continue
        if sent_id in seen:
            message = f"sent_id '{sent_id}' was used before, on line {seen[sent_id] + 1}"
            layout.raise_first([Problem(start, message, "give every sentence its own sent_id")])
        seen[sent_id] = start


COLUMNS = 10
_TAB, _LINE_FEED, _NUMBER_SIGN = b"\t\n#"


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line, counted from 0."""

    index: int
    message: str
    hint: str


@dataclass(frozen=True)
class Layout:
    """Which line of a file is what; lines count from 0, blocks from 1."""

    source: str
    content: bytes
    """The text of the file in UTF-8, its last line ended too."""
    bounds: np.ndarray
    """Where each line begins in the content; the last is where a further one would."""
    blocks: np.ndarray
    """The block each line is in; a block is a run of lines that are not empty."""
    starts: np.ndarray
    """The first line of each block."""
    comments: np.ndarray
    """The lines that are comments."""
    rows: np.ndarray
    """The lines that have columns."""

    def texts(self, lines: np.ndarray) -> list[str]:
        """Return the text of some lines."""
        bounds = zip(self.bounds[lines].tolist(), self.bounds[lines + 1].tolist(), strict=True)
        return [self.content[start : end - 1].decode() for start, end in bounds]

    def raise_first(self, problems: list[Problem]) -> None:
        """Raise the problem that stands first in the file as an InputError, if there is one."""
        if problems:
            first = min(problems, key=lambda problem: problem.index)
            where = f"{self.source}:{first.index + 1}"
            raise InputError(first.message, where=where, hint=first.hint)


def read_layout(text: str, source: str) -> tuple[Layout, list[pa.Array]]:
    """Return the layout of a file and its ten columns over all lines that have them.

    Raises InputError (file:line) for lines without ten filled columns, comments between words and
    comments without words.
    """
    content = f"{text}\n".encode()
    codes = np.frombuffer(content, np.uint8)
    separates = (codes == _TAB) | (codes == _LINE_FEED)
    separators = np.flatnonzero(separates)
    last_fields = np.flatnonzero(codes[separators] == _LINE_FEED)
    ends = separators[last_fields]
    bounds = np.append(0, ends + 1)
    filled = ends > bounds[:-1]
    comment = codes[bounds[:-1]] == _NUMBER_SIGN
    row = filled & ~comment
    begins = filled & ~np.append(False, filled[:-1])
    layout = Layout(
        source=source,
        content=content,
        bounds=bounds,
        blocks=np.cumsum(begins),
        starts=np.flatnonzero(begins),
        comments=np.flatnonzero(comment),
        rows=np.flatnonzero(row),
    )
    counts = np.diff(last_fields, prepend=-1)[row]
    offsets = np.zeros(len(separators) + 1, np.int32)
    offsets[1:] = separators
    offsets[1:] -= np.arange(len(separators), dtype=np.int32)
    empty = np.flatnonzero(offsets[1:] == offsets[:-1])
    problems = _column_problems(layout, counts, last_fields, empty)
    layout.raise_first(_comment_problems(layout, row) + problems)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(content.translate(None, b"\t\n"))]
    fields = pa.Array.from_buffers(pa.string(), len(separators), buffers)
    first_fields = last_fields[row].astype(np.int32) - (COLUMNS - 1)
    return layout, [fields.take(pa.array(first_fields + column)) for column in range(COLUMNS)]


def _comment_problems(layout: Layout, row: np.ndarray) -> list[Problem]:
    problems = []
    rows_above = np.cumsum(row) - row
    above_block = rows_above[layout.starts][layout.blocks[layout.comments] - 1]
    late = layout.comments[rows_above[layout.comments] > above_block]
    if len(late):
        message = "a comment stands between words"
        hint = "comments stand before the words; a blank line ends a sentence"
        problems.append(Problem(int(late[0]), message, hint))
    has_rows = np.zeros(len(layout.starts), dtype=bool)
    has_rows[layout.blocks[layout.rows] - 1] = True
    alone = layout.starts[~has_rows]
    if len(alone):
        hint = "add the words or remove the comments; the file may be cut short"
        problems.append(Problem(int(alone[0]), "comments without a sentence", hint))
    return problems


def _column_problems(
    layout: Layout, counts: np.ndarray, last_fields: np.ndarray, empty: np.ndarray
) -> list[Problem]:
    """Return the first line without ten columns or, where all have ten, with an empty one.

    Lines with columns have ``counts`` of them; ``last_fields`` has the last field of each line,
    ``empty`` the fields without a character.
    """
    wrong = np.flatnonzero(counts != COLUMNS)
    if len(wrong):
        line = layout.rows[wrong[:1]]
        if not layout.texts(line)[0].strip():
            hint = "an empty line ends a sentence"
            return [Problem(int(line[0]), "the line holds only blanks", hint)]
        message = f"the line has {counts[wrong[0]]} columns, CoNLL-U has {COLUMNS}"
        return [Problem(int(line[0]), message, "separate ten columns by single tabs")]
    lines = np.searchsorted(last_fields, empty)
    in_rows = np.flatnonzero(np.isin(lines, layout.rows))
    if len(in_rows):
        field, line = empty[in_rows[0]], lines[in_rows[0]]
        column = COLUMNS - (last_fields[line] - field)
        message = f"column {column} is empty"
        return [Problem(int(line), message, "write _ where nothing is known")]
    return []
