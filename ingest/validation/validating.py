"""A CoNLL-U file → everything that levels 1 and 2 of Universal Dependencies find wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ...schema.brief import Brief
from ...schema.errors import InputError
from ...schema.names import check_names
from ...schema.statements import Row
from .content import check_comments, check_words, sentence_ids
from .enhanced import check_enhanced
from .findings import CONTENT, FORMAT, KINDS, Findings
from .labels import SCHEMES
from .lines import WORD, read_lines


@dataclass(frozen=True, repr=False)
class Validation(Brief):
    """What is wrong with treebanks."""

    sentences: int
    words: int
    """Words in sentences whose format is right."""
    level: int
    findings: pa.Table
    """A row for each: file, line, level, kind, sentence_no, sent_id, value, about."""

    def counts(self) -> dict[str, int]:
        """Return how many findings there are of each kind, kinds in the order of the levels."""
        pairs = self.findings["kind"].value_counts().to_pylist()
        found = {pair["values"]: pair["counts"] for pair in pairs}
        return {kind: found[kind] for kind in KINDS if kind in found}

    def grouped(self) -> dict[str, list[Row]]:
        """Return the findings of each file by kind: how many, in how many sentences, the first."""
        grouped = self.findings.group_by(["file", "level", "kind", "about"], use_threads=False)
        rows = grouped.aggregate(
            [
                ("line", "count"),
                ("sentence_no", "count_distinct"),
                ("line", "first"),
                ("value", "first"),
            ]
        ).to_pylist()
        files: dict[str, list[Row]] = {
            file: [] for file in self.findings["file"].unique().to_pylist()
        }
        for row in sorted(rows, key=lambda row: [*KINDS].index(row["kind"])):
            files[row["file"]].append(
                {
                    **{name: row[name] for name in ("level", "kind", "about")},
                    "count": row["line_count"],
                    "sentences": row["sentence_no_count_distinct"],
                    "place": f"line {row['line_first']}",
                    "value": row["value_first"],
                }
            )
        return files


def together(found: Sequence[Validation]) -> Validation:
    """Return what is wrong with several treebanks as one."""
    return Validation(
        sum(each.sentences for each in found),
        sum(each.words for each in found),
        max(each.level for each in found),
        pa.concat_tables([each.findings for each in found]),
    )


def validate(
    content: bytes, source: str, *, level: int = CONTENT, scheme: str = "ud"
) -> Validation:
    """Return everything that is wrong with a CoNLL-U file up to a level.

    Level 1 is the format, level 2 that labels and trees are those of the scheme, as
    universaldependencies.org/validation-rules.html and format.html describe them; level 2 is not
    looked at in sentences whose lines or IDs are wrong. Of IDs out of order, of cycles and of nodes
    out of reach the first of a sentence is told. Of blanks in a text, only whether there are some
    is compared with its forms.

    Raises InputError for a file without sentences, UnknownNameError for a scheme or level that
    there is not.
    """
    check_names("scheme", [scheme], SCHEMES)
    check_names("level", [str(level)], [str(FORMAT), str(CONTENT)])
    findings = Findings(level)
    lines = read_lines(content, findings)
    if not len(lines.starts):
        hint = "is it the right file, and complete?"
        raise InputError("the file holds no sentence", where=source, hint=hint)
    if level >= CONTENT:
        check_comments(lines, findings)
        check_words(lines.rows, scheme, findings)
        check_enhanced(lines.rows, scheme, findings)
    return Validation(
        len(lines.starts),
        int(np.sum(lines.rows.kinds == WORD)),
        level,
        findings.rows(source, lines.blocks, sentence_ids(lines)),
    )
