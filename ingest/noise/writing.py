"""Writing a CoNLL-U text again with some of its words replaced and everything else as it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..treebanks.conllu import COLUMN_NAMES, ConlluFile, SpecialLine

ALTERED = "# altered ="
_TEXT = re.compile(r"(#\s*text\s*=\s?)(.*)", re.DOTALL)


@dataclass(frozen=True)
class Replacement:
    """A word that another takes the place of, both as CoNLL-U columns."""

    sentence: int
    """Counted from 1."""
    row: int
    """The word, counted from 0 through the file."""
    feature: str
    old: dict[str, str]
    new: dict[str, str]


def write_sentences(
    text: str, file: ConlluFile, replacements: Sequence[Replacement], *, altered_only: bool
) -> str:
    """Return the text with the words replaced, the text comments to match and the changes marked.

    With ``altered_only`` the other sentences are left out. ``file`` is the text as it was parsed.
    """
    lines = text.split("\n")
    forms = file.words["form"].to_pylist()
    starts, ranges = file.starts, file.ranges_by_sentence()
    for item in replacements:
        start, comments = int(starts[item.sentence - 1]), file.comments[item.sentence - 1]
        first = file.lines[item.sentence - 1] - 1
        pieces = _pieces(forms[start : item.row + 1], ranges[item.sentence])
        for place, comment in enumerate(comments, start=first):
            known = _TEXT.fullmatch(comment)
            if known:
                lines[place] = known[1] + _replaced(known[2], pieces, item.new["form"])
        lines[int(file.word_lines[item.row]) - 1] = "\t".join(
            item.new[name] for name in COLUMN_NAMES
        )
        words = (item.old["id"], item.old["form"], item.new["form"], item.feature)
        first_word = first + len(comments)
        lines[first_word] = f"{ALTERED} {' '.join(words)}\n{lines[first_word]}"
    if altered_only:
        return _chosen(lines, file, {item.sentence for item in replacements})
    return "\n".join(lines)


def _pieces(forms: list[str], ranges: list[SpecialLine]) -> list[str]:
    """Return what stands in the text up to the last of the forms: a range stands for its words."""
    pieces: list[str | None] = list(forms)
    for span in ranges:
        if span.first <= len(forms):
            pieces[span.first - 1 : span.second] = [
                span.columns["form"],
                *([None] * (span.second - span.first)),
            ]
    return [piece for piece in pieces if piece is not None]


def _replaced(text: str, pieces: list[str], new: str) -> str:
    """Return the text with its last piece replaced; as it is where the pieces are not in it."""
    place = end = 0
    for piece in pieces:
        place = text.find(piece, end)
        if place < 0:
            return text
        end = place + len(piece)
    return text[:place] + new + text[end:]


def _chosen(lines: list[str], file: ConlluFile, sentences: set[int]) -> str:
    ends = [*(start - 1 for start in file.lines[1:]), len(lines)]
    blocks = (
        "\n".join(lines[start - 1 : end]).strip("\n")
        for number, (start, end) in enumerate(zip(file.lines, ends, strict=True), start=1)
        if number in sentences
    )
    return "".join(f"{block}\n\n" for block in blocks)
