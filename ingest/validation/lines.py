"""Level 1, the format: bytes → lines, rows of ten columns and IDs, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import is_normalized

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..treebanks.conllu import COLUMN_NAMES
from .findings import Findings

WORD, RANGE, EMPTY = 0, 1, 2
_MAY_HOLD_BLANKS = ("form", "lemma", "misc")
_BLANK = r"[\s\p{Z}]"


@dataclass(frozen=True)
class Lines:
    """The lines of a file, and those that are rows of ten columns in sentences without a flaw."""

    texts: pa.Array
    blocks: np.ndarray
    """The sentence each line is in, from 1; 0 for blank lines."""
    comments: np.ndarray
    """The lines that are comments."""
    starts: np.ndarray
    """The first line of each sentence."""
    rows: Rows


@dataclass(frozen=True)
class Rows:
    """Words, ranges and empty nodes of the sentences whose lines and IDs are right."""

    lines: np.ndarray
    sentences: np.ndarray
    columns: dict[str, pa.Array]
    kinds: np.ndarray
    """WORD, RANGE or EMPTY."""
    first: np.ndarray
    """The whole number an ID begins with."""
    second: np.ndarray
    """The number behind it: a range's end, or that of an empty node; 0 for words."""

    def where(self, chosen: np.ndarray) -> Rows:
        """Return the rows that are chosen by a mask."""
        mask = pa.array(chosen)
        return Rows(
            self.lines[chosen],
            self.sentences[chosen],
            {name: values.filter(mask) for name, values in self.columns.items()},
            self.kinds[chosen],
            self.first[chosen],
            self.second[chosen],
        )

    def tell(self, findings: Findings, kind: str, chosen: np.ndarray, column: str) -> None:
        """Add findings about rows, chosen by a mask or by places, with what a column holds."""
        places = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        findings.add(kind, self.lines[places], self.columns[column].take(pa.array(places)))


def read_lines(content: bytes, findings: Findings) -> Lines:
    """Return the lines of a file; what is wrong with its format is added to the findings."""
    text = _decoded(content, findings)
    if not is_normalized("NFC", text):
        found = [n for n, line in enumerate(text.split("\n")) if not is_normalized("NFC", line)]
        findings.add("normalisation", np.array(found))
    texts = pa.array(text.split("\n"), pa.string())
    filled = pc.binary_length(texts).to_numpy() > 0
    comment = bools(pc.starts_with(texts, "#"))
    begins = filled & ~np.append(False, filled[:-1])
    blocks = np.where(filled, np.cumsum(begins), 0)
    _check_blank_lines(filled, findings)
    row = filled & ~comment
    starts = np.flatnonzero(begins)
    rows, broken = _rows(texts, blocks, np.flatnonzero(row), findings)
    _check_comments(blocks, comment, row, starts, findings)
    return Lines(
        texts,
        blocks,
        np.flatnonzero(comment),
        starts,
        rows.where(~broken[rows.sentences]),
    )


def _decoded(content: bytes, findings: Findings) -> str:
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
        findings.add("byte-order-mark", np.array([0]))
    if b"\0" in content or not _is_text(content):
        lines = content.split(b"\n")
        wrong = [n for n, line in enumerate(lines) if b"\0" in line or not _is_text(line)]
        findings.add("encoding", np.array(wrong))
        content = content.replace(b"\0", b"")
    if b"\r" in content:
        found = [n for n, line in enumerate(content.split(b"\n")) if b"\r" in line]
        findings.add("carriage-return", np.array(found))
        content = content.replace(b"\r", b"")
    return content.decode(errors="replace")


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _check_blank_lines(filled: np.ndarray, findings: Findings) -> None:
    """Check that one blank line ends each sentence; the text behind the last line feed is empty."""
    count = len(filled) - 1
    if not count and not filled[0]:
        return
    if filled[-1] or (count and filled[count - 1]):
        findings.add("last-line", np.array([count if filled[-1] else count - 1]))
    blank = ~filled[:count]
    findings.add("extra-blank-line", np.flatnonzero(blank & ~np.append(False, filled[: count - 1])))


def _check_comments(
    blocks: np.ndarray,
    comment: np.ndarray,
    row: np.ndarray,
    starts: np.ndarray,
    findings: Findings,
) -> None:
    above = np.cumsum(row) - row
    lines = np.flatnonzero(comment)
    late = above[lines] > above[starts][blocks[lines] - 1]
    findings.add("comment-place", lines[late])
    has_rows = np.zeros(len(starts) + 1, dtype=bool)
    has_rows[blocks[row]] = True
    findings.add("no-words", starts[~has_rows[1:]])


def _rows(
    texts: pa.Array, blocks: np.ndarray, lines: np.ndarray, findings: Findings
) -> tuple[Rows, np.ndarray]:
    """Return the rows of ten filled columns, and which sentences (from 1) have a flaw."""
    broken = np.zeros(int(blocks.max(initial=0)) + 1, dtype=bool)

    def wrong(kind: str, found: np.ndarray, values: pa.Array | None = None) -> None:
        findings.add(kind, found, values)
        broken[blocks[found]] = True

    given = texts.take(pa.array(lines))
    blank = bools(pc.match_substring_regex(given, rf"^{_BLANK}+$"))
    wrong("only-blanks", lines[blank])
    fields = pc.split_pattern(given, "\t")
    ten = np.asarray(pc.list_value_length(fields)) == len(COLUMN_NAMES)
    counts = pc.list_value_length(fields).filter(pa.array(~ten & ~blank)).cast(pa.string())
    wrong("columns", lines[~ten & ~blank], counts)
    lines = lines[ten]
    flat = fields.filter(pa.array(ten)).flatten()
    width = len(COLUMN_NAMES)
    columns = {
        name: flat.take(pa.array(np.arange(place, len(flat), width)))
        for place, name in enumerate(COLUMN_NAMES)
    }
    for name, values in columns.items():
        empty = bools(pc.equal(pc.binary_length(values), 0))
        wrong("empty-column", lines[empty], pa.repeat(name.upper(), int(empty.sum())))
        if name not in _MAY_HOLD_BLANKS:
            held = bools(pc.match_substring_regex(values, _BLANK))
            findings.add("blanks", lines[held], values.filter(pa.array(held)))
    rows = _with_ids(lines, blocks[lines], columns)
    _check_ids(rows, wrong)
    return rows, broken


def _with_ids(lines: np.ndarray, sentences: np.ndarray, columns: dict[str, pa.Array]) -> Rows:
    pattern = r"^(?P<first>0|[1-9][0-9]{0,8})(?:(?P<mark>[-.])(?P<second>[1-9][0-9]{0,8}))?$"
    parts = pc.extract_regex(columns["id"], pattern)
    mark = np.asarray(pc.struct_field(parts, "mark"))
    kinds = np.select([mark == "", mark == "-", mark == "."], [WORD, RANGE, EMPTY], -1)
    first, second = (numbers(pc.struct_field(parts, name)) for name in ("first", "second"))
    return Rows(lines, sentences, columns, kinds, first, second)


def numbers(texts: pa.Array) -> np.ndarray:
    """Return whole numbers, 0 where there is none."""
    given = pc.fill_null(texts, "")
    filled = pc.if_else(pc.equal(given, ""), "0", given)
    return np.asarray(filled.cast(pa.int64()).to_numpy())


def _check_ids(rows: Rows, wrong: Callable[[str, np.ndarray, pa.Array], None]) -> None:
    """Check the IDs; of each kind the first of a sentence is told, as others may follow from it."""
    count = len(rows.lines)
    if not count:
        return
    word, is_range, empty = (rows.kinds == kind for kind in (WORD, RANGE, EMPTY))
    begins = np.append(True, rows.sentences[1:] != rows.sentences[:-1])
    starts = np.maximum.accumulate(np.where(begins, np.arange(count), 0))
    running = np.cumsum(word) - word
    above = running - running[starts]
    total = np.bincount(rows.sentences, weights=word).astype(np.int64)[rows.sentences]
    previous = np.arange(count) - 1
    follows = ~begins & empty[previous] & (rows.first[previous] == rows.first)
    expected = np.where(follows, rows.second[previous] + 1, 1)
    behind_range = ~begins & is_range[previous]
    ends = np.where(is_range, rows.second + rows.sentences * 2**32, 0)
    covered = np.append(0, np.maximum.accumulate(ends)[:-1]) - rows.sentences * 2**32
    flaws = {
        "id": (rows.kinds < 0) | (word & (rows.first != above + 1)),
        "range": is_range
        & (
            (rows.first != above + 1)
            | (rows.second < rows.first)
            | (rows.second > total)
            | (rows.first <= covered)
        ),
        "empty-node-id": empty & ((rows.first != above) | (rows.second != expected) | behind_range),
        "no-words": begins & (total == 0),
    }
    ids = rows.columns["id"]
    for kind, flaw in flaws.items():
        places = np.flatnonzero(flaw)
        _, firsts = np.unique(rows.sentences[places], return_index=True)
        wrong(kind, rows.lines[places[firsts]], ids.take(pa.array(places[firsts])))


def bools(values: pa.Array) -> np.ndarray:
    """Return truth values, NULL as false."""
    return np.array(pc.fill_null(values, False), dtype=bool)
