"""Kinds of findings, and the findings of a file as they are collected."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

FORMAT = 1
CONTENT = 2

KINDS: dict[str, tuple[int, str]] = {
    "encoding": (FORMAT, "bytes that are not UTF-8, or a NUL character"),
    "byte-order-mark": (FORMAT, "a byte-order mark at the start of the file"),
    "carriage-return": (FORMAT, "a line that does not end with a line feed alone"),
    "normalisation": (FORMAT, "text that is not normalised (NFC)"),
    "last-line": (FORMAT, "no blank line behind the last sentence"),
    "extra-blank-line": (FORMAT, "a blank line where no sentence ends"),
    "only-blanks": (FORMAT, "a line of blanks alone"),
    "comment-place": (FORMAT, "a comment that does not stand before the words of a sentence"),
    "columns": (FORMAT, "a line without ten columns"),
    "empty-column": (FORMAT, "a column that is empty"),
    "blanks": (FORMAT, "blanks in a column other than FORM, LEMMA and MISC"),
    "id": (FORMAT, "an ID that is none, or out of order"),
    "range": (FORMAT, "a range out of place, or over words that are not there"),
    "empty-node-id": (FORMAT, "an empty node's ID out of order"),
    "no-words": (FORMAT, "a sentence without words"),
    "sent-id": (CONTENT, "not exactly one sent_id"),
    "sent-id-form": (CONTENT, "a sent_id with blanks or a slash"),
    "sent-id-repeated": (CONTENT, "a sent_id that was used before"),
    "text": (CONTENT, "not exactly one text"),
    "text-end": (CONTENT, "a text that ends with a blank"),
    "text-forms": (CONTENT, "a text that differs from the forms and SpaceAfter"),
    "range-columns": (CONTENT, "a range with more than FORM, MISC and Typo=Yes"),
    "empty-node-columns": (CONTENT, "an empty node with HEAD or DEPREL, or without DEPS"),
    "upos": (CONTENT, "UPOS is none of the 17 tags"),
    "feats-form": (CONTENT, "FEATS are not Name=Value,Value|…"),
    "feats-order": (CONTENT, "features or values out of order, or twice"),
    "head": (CONTENT, "HEAD is not another word of the sentence, or 0"),
    "deprel-form": (CONTENT, "DEPREL is not a relation with a subtype"),
    "deprel": (CONTENT, "the relation is none of the scheme's"),
    "root": (CONTENT, "DEPREL is root and HEAD is not 0, or the other way round"),
    "roots": (CONTENT, "not exactly one word with HEAD 0"),
    "cycle": (CONTENT, "a word whose heads run in a cycle"),
    "deps-form": (CONTENT, "DEPS are not head:relation|…"),
    "deps-order": (CONTENT, "DEPS out of order, or twice"),
    "deps-head": (CONTENT, "DEPS name a head that is not there, or the word itself"),
    "deps-relation": (CONTENT, "a relation in DEPS is none of the scheme's"),
    "deps-root": (
        CONTENT,
        "a relation in DEPS is root and its head is not 0, or the other way round",
    ),
    "deps-missing": (CONTENT, "a word or a sentence without DEPS, where others have them"),
    "deps-unreached": (CONTENT, "no path of DEPS leads to a node from a root"),
}
"""Each kind of finding: its level, and what it is about."""

ROWS = pa.schema(
    [
        ("file", pa.string()),
        ("line", pa.int64()),
        ("level", pa.int8()),
        ("kind", pa.string()),
        ("sentence_no", pa.int64()),
        ("sent_id", pa.string()),
        ("value", pa.string()),
        ("about", pa.string()),
    ]
)
LONGEST_VALUE = 80
"""Characters of a value that are told."""


@dataclass
class Findings:
    """What was found so far, by kind: lines, counted from 0, and what stands there."""

    level: int
    found: list[tuple[str, np.ndarray, pa.Array]] = field(default_factory=list)

    def add(self, kind: str, lines: np.ndarray, values: pa.Array | None = None) -> None:
        """Add findings of a kind, unless its level is not asked for."""
        if len(lines) and KINDS[kind][0] <= self.level:
            told = pa.nulls(len(lines), pa.string()) if values is None else values
            self.found.append((kind, np.asarray(lines, dtype=np.int64), told))

    def rows(self, source: str, blocks: np.ndarray, sent_ids: pa.Array) -> pa.Table:
        """Return a row for each finding in the order of the file; ``blocks`` are those of lines."""
        parts = [
            {
                "line": pa.array(lines + 1),
                "level": pa.repeat(pa.scalar(KINDS[kind][0], pa.int8()), len(lines)),
                "kind": pa.repeat(kind, len(lines)),
                "value": values,
                "about": pa.repeat(KINDS[kind][1], len(lines)),
            }
            for kind, lines, values in self.found
        ]
        if not parts:
            return ROWS.empty_table()
        table = pa.concat_tables([pa.table(part) for part in parts]).sort_by(
            [("line", "ascending"), ("level", "ascending"), ("kind", "ascending")]
        )
        sentence = blocks[table["line"].to_numpy() - 1]
        known = pa.array(sentence, pa.int64(), mask=sentence == 0)
        columns = {name: table[name] for name in table.column_names} | {
            "file": pa.repeat(source, table.num_rows),
            "sentence_no": known,
            "sent_id": sent_ids.take(pc.subtract(known, 1)),
            "value": pc.utf8_slice_codeunits(table["value"], 0, LONGEST_VALUE),
        }
        return pa.table({name: columns[name] for name in ROWS.names}).cast(ROWS)
