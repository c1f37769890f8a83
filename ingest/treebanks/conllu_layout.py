"""The lines of a CoNLL-U file as sets: comments, lines with columns, and the blocks they form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.schema.errors import InputError

COLUMNS = 10


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
    lines: list[str]
    blocks: np.ndarray
    """The block each line is in; a block is a run of lines that are not empty."""
    starts: np.ndarray
    """The first line of each block."""
    comments: np.ndarray
    """The lines that are comments."""
    rows: np.ndarray
    """The lines that have columns."""

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
    lines = text.split("\n")
    array = pa.array(lines, pa.string())
    filled = pc.binary_length(array).to_numpy() > 0
    comment = pc.starts_with(array, "#").to_numpy(zero_copy_only=False)
    row = filled & ~comment
    begins = filled & ~np.append(False, filled[:-1])
    layout = Layout(
        source=source,
        lines=lines,
        blocks=np.cumsum(begins),
        starts=np.flatnonzero(begins),
        comments=np.flatnonzero(comment),
        rows=np.flatnonzero(row),
    )
    fields = pc.split_pattern(array.take(pa.array(layout.rows)), "\t")
    layout.raise_first(_comment_problems(layout, row) + _column_problems(layout, fields))
    values = fields.flatten()
    return layout, [
        values.take(pa.array(np.arange(column, len(values), COLUMNS))) for column in range(COLUMNS)
    ]


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


def _column_problems(layout: Layout, fields: pa.ListArray) -> list[Problem]:
    """Return the first line without ten columns or, where all have ten, with an empty one."""
    counts = pc.list_value_length(fields).to_numpy(zero_copy_only=False)
    wrong = np.flatnonzero(counts != COLUMNS)
    if len(wrong):
        index = int(layout.rows[wrong[0]])
        if not layout.lines[index].strip():
            hint = "an empty line ends a sentence"
            return [Problem(index, "the line holds only blanks", hint)]
        message = f"the line has {counts[wrong[0]]} columns, CoNLL-U has {COLUMNS}"
        return [Problem(index, message, "separate ten columns by single tabs")]
    empty = np.flatnonzero(pc.binary_length(fields.flatten()).to_numpy() == 0)
    if len(empty):
        row, column = divmod(int(empty[0]), COLUMNS)
        message = f"column {column + 1} is empty"
        return [Problem(int(layout.rows[row]), message, "write _ where nothing is known")]
    return []
