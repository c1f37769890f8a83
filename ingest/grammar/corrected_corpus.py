"""Corpora of corrected errors (M2, MultiGED's tokens with labels), and trees of their sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.files import read_text
from ...schema.grammar import AnnotatedSentence, Edit, M2File, Parse
from ...schema.progress import Progress, silent
from ..formats import Format, UserFile, read_file
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import conllu_tables, read_heads
from .gold import bare_sentence, predict

INCORRECT = "i"
_LABELS = ("c", INCORRECT)


def read_corpus(path: Path) -> M2File:
    """Return the sentences and edits of a corpus (.gz and .xz unpack).

    It is an M2 file, or one in the format of the shared task MultiGED 2023 where its first line
    holds a tab: a token, a tab and a label on a line, a blank line after each sentence. The label
    ``i`` marks tokens that are wrong, ``c`` all others. Each wrong token becomes an edit of the
    type ``i``; what is right, and who says so, is not known.

    Raises InputError (file:line) as ``parse_m2``, and for lines that are no token with a label.
    """
    return read_file(path, _FORMATS)


def _is_labelled(file: UserFile) -> bool:
    _, first = next(file.filled_lines(), (1, ""))
    return "\t" in first and not first.startswith("S ")


def _labelled_tokens(file: UserFile) -> M2File:
    lines = enumerate(file.text.split("\n"), start=1)
    sentences = [
        _labelled_sentence(list(block), file.source)
        for filled, block in groupby(lines, key=lambda line: bool(line[1].strip()))
        if filled
    ]
    return M2File(file.source, sentences, [0], corrected=False)


_FORMATS = (
    Format("MultiGED", _labelled_tokens, _is_labelled),
    Format("M2", lambda file: parse_m2(file.text, file.source)),
)


def _labelled_sentence(lines: list[tuple[int, str]], source: str) -> AnnotatedSentence:
    tokens = []
    edits = []
    for place, (number, line) in enumerate(lines):
        token, *labels = line.split("\t")
        if len(labels) != 1 or labels[0].strip() not in _LABELS or not token.strip():
            raise InputError(
                "this is no token with a label",
                where=f"{source}:{number}",
                hint="a token, a tab, then c (correct) or i (incorrect); a blank line between "
                "sentences; test data without labels cannot be evaluated",
            )
        tokens.append(token)
        if labels[0].strip() == INCORRECT:
            edits.append(Edit(place, place + 1, INCORRECT, (), annotator=0, line=number))
    return AnnotatedSentence(tuple(tokens), edits, frozenset({0}), lines[0][0])


NOOP = "noop"
_FIELDS = 6
_SPAN = re.compile(r"(-?\d{1,9}) (-?\d{1,9})")
_EDIT_HINT = "A START END|||TYPE|||CORRECTION|||REQUIRED|||-NONE-|||ANNOTATOR"


def parse_m2(text: str, source: str) -> M2File:
    """Return the sentences and edits of an M2 file's text.

    Raises InputError (file:line) for lines that are neither sentence nor edit, edits without a
    sentence or beyond it, edits of one annotator that overlap, and an annotator who corrects a
    sentence and says that there is nothing to correct.
    """
    blocks = _blocks(text, source)
    if not blocks:
        raise InputError("the file has no sentences", where=source, hint="give an M2 file")
    edits = [[_edit(*line, source, len(tokens)) for line in rows] for _, tokens, rows in blocks]
    everybody = frozenset(
        edit.annotator for of_sentence in edits for edit in of_sentence
    ) or frozenset({0})
    sentences = [
        _sentence(line, tokens, of_sentence, everybody, source)
        for (line, tokens, _), of_sentence in zip(blocks, edits, strict=True)
    ]
    return M2File(source, sentences, sorted(everybody))


_Block = tuple[int, tuple[str, ...], list[tuple[int, str]]]


def _blocks(text: str, source: str) -> list[_Block]:
    """Return the line and tokens of each sentence, and the lines of its edits."""
    blocks: list[_Block] = []
    inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        kind = line[:2].rstrip(" ")
        if not line.strip(" "):
            inside = False
        elif kind == "S" and not inside:
            blocks.append((number, _tokens(line[2:], f"{source}:{number}"), []))
            inside = True
        elif kind == "A" and inside:
            blocks[-1][2].append((number, line[2:]))
        else:
            message = {
                "S": "a second sentence stands where edits should",
                "A": "the edit belongs to no sentence",
            }.get(kind, "the line is neither a sentence ('S …') nor an edit ('A …')")
            hint = (
                "a sentence, the edits of it, then a blank line; in MultiGED's format every line "
                "is a token, a tab and a label"
            )
            raise InputError(message, where=f"{source}:{number}", hint=hint)
    return blocks


def _tokens(text: str, where: str) -> tuple[str, ...]:
    tokens = tuple(text.rstrip(" ").split(" "))
    if "" in tokens or "\t" in text:
        raise InputError(
            "the sentence is empty, or its tokens are not separated by one blank each",
            where=where,
            hint="edits count tokens: separate them by single blanks",
        )
    return tokens


def _edit(line: int, text: str, source: str, length: int) -> Edit:
    where = f"{source}:{line}"
    fields = text.split("|||")
    span = _SPAN.fullmatch(fields[0])
    if len(fields) != _FIELDS or span is None:
        raise InputError("this is no edit", where=where, hint=_EDIT_HINT)
    start, end = int(span[1]), int(span[2])
    if (fields[1] == NOOP) != ((start, end) == (-1, -1)):
        raise InputError(
            "an edit of the type noop, and no other, stands at -1 -1", where=where, hint=_EDIT_HINT
        )
    if fields[1] != NOOP and not 0 <= start <= end <= length:
        raise InputError(
            f"the edit from {start} to {end} goes beyond the sentence, which has "
            f"{plural(length, 'token')}",
            where=where,
            hint="tokens are counted from 0, and the end is the token after the last",
        )
    if not fields[5].isdecimal():
        hint = "annotators are numbered from 0, in the last field"
        raise InputError(f"'{fields[5]}' is no annotator", where=where, hint=hint)
    correction = fields[2].split("||")[0]
    tokens = () if correction == "-NONE-" else tuple(filter(None, correction.split(" ")))
    return Edit(start, end, fields[1], tokens, int(fields[5]), line)


def _sentence(
    line: int,
    tokens: tuple[str, ...],
    all_edits: Sequence[Edit],
    everybody: frozenset[int],
    source: str,
) -> AnnotatedSentence:
    edits = sorted((e for e in all_edits if e.type != NOOP), key=lambda e: (e.start, e.end))
    satisfied = {edit.annotator: edit for edit in all_edits if edit.type == NOOP}
    reached: dict[int, int] = {}
    for edit in edits:
        where = f"{source}:{edit.line}"
        if edit.annotator in satisfied:
            raise InputError(
                f"annotator {edit.annotator} corrects the sentence and says noop",
                where=where,
                hint="remove the noop line or the edits",
            )
        if edit.start < reached.get(edit.annotator, 0):
            raise InputError(
                f"the edit overlaps another one of annotator {edit.annotator}",
                where=where,
                hint="make one edit of the two",
            )
        reached[edit.annotator] = edit.end
    annotators = frozenset(edit.annotator for edit in all_edits) or everybody
    return AnnotatedSentence(tokens, edits, annotators, line)


ANALYSERS = ("udpipe", "stanza")
_COLUMNS = ("sentence_no", "token_no", "upos", "feats", "head", "deprel", "lemma")


def read_parse(path: Path, file: M2File) -> Parse:
    """Return the trees of a CoNLL-U file that holds the source sentences of an M2 file.

    A token of the M2 file is a multiword token or a word outside of them.

    Raises InputError where the sentences or their tokens are not those of the M2 file, and where no
    word has a part of speech and a head.
    """
    parsed = parse_conllu(read_text(path), str(path))
    if len(parsed.lengths) != len(file.sentences):
        raise InputError(
            f"{len(parsed.lengths)} sentences are not the {len(file.sentences)} of {file.source}",
            where=str(path),
            hint="parse every sentence of the M2 file, in its order",
        )
    units = _units(parsed)
    _check_tokens(parsed, units, file)
    return _parse(parsed, units)


def parse_texts(
    texts: Sequence[Sequence[str]], analyser: str, model: Path, progress: Progress = silent
) -> Parse:
    """Return what a model makes of tokenised texts, each one sentence; its tokens stay as they are.

    ``model`` is a UDPipe file, or a folder of Stanza models. The sentences are numbered from 1; a
    text without tokens has no words.

    Raises MissingDependencyError or InputError where the model cannot be used.
    """
    if analyser not in ANALYSERS:
        hint = f"one of {', '.join(ANALYSERS)}, or parse elsewhere and give --parsed"
        raise InputError(f"'{analyser}' does not keep given tokens", hint=hint)
    if model.is_dir() != (analyser == "stanza"):
        hint = "udpipe has a .udpipe file, stanza a folder"
        raise InputError(f"this is no model of {analyser}", where=str(model), hint=hint)
    filled = np.array([number for number, tokens in enumerate(texts, start=1) if tokens])
    bare = "".join(bare_sentence(tokens) for tokens in texts if tokens)
    parsed = predict(parse_conllu(bare, "the sentences"), model, progress=progress)
    return _parse(parsed, _units(parsed), filled)


def _parse(parsed: ConlluFile, units: np.ndarray, numbers: np.ndarray | None = None) -> Parse:
    words = conllu_tables(parsed, read_heads(parsed)).tokens.select(_COLUMNS)
    if not pc.any(pc.and_(pc.is_valid(words["upos"]), pc.is_valid(words["head"]))).as_py():
        raise InputError(
            "no word has a part of speech and a head",
            where=parsed.source,
            hint="rules are checked on dependency trees: tag and parse the sentences",
        )
    if numbers is not None:
        renumbered = numbers.astype(np.int32)[words["sentence_no"].to_numpy() - 1]
        words = words.set_column(0, "sentence_no", pa.array(renumbered))
    return Parse(
        words=words.append_column("target", pa.repeat("given", words.num_rows)),
        units=words.select(["sentence_no", "token_no"]).append_column(
            "unit", pa.array(units, pa.int32())
        ),
    )


def _units(parsed: ConlluFile) -> np.ndarray:
    """Return for each word the number of its surface token in the sentence, from 1."""
    starts = parsed.starts
    begins = np.ones(len(parsed.word_lines), dtype=np.int64)
    for span in parsed.ranges:
        place = int(starts[span.sentence - 1])
        begins[place + span.first : place + span.second] = 0
    running = np.cumsum(begins)
    return np.asarray(running - np.repeat(running[starts] - 1, parsed.lengths))


def _check_tokens(parsed: ConlluFile, units: np.ndarray, file: M2File) -> None:
    """Raise InputError at the first sentence whose tokens are not those of the M2 file."""
    forms = parsed.words["form"].to_pylist()
    spans = {(span.sentence, span.first): span.columns["form"] for span in parsed.ranges}
    place = 0
    for number, (length, sentence) in enumerate(
        zip(parsed.lengths.tolist(), file.sentences, strict=True), start=1
    ):
        inside = range(place, place + length)
        tokens = [
            spans.get((number, word - place + 1), forms[word])
            for word in inside
            if word == place or units[word] != units[word - 1]
        ]
        place += length
        if len(tokens) != len(sentence.tokens):
            problem = f"{len(tokens)} tokens are not the {len(sentence.tokens)}"
        else:
            pairs = zip(tokens, sentence.tokens, strict=True)
            other = [
                pair for pair in pairs if normalize("NFC", pair[0]) != normalize("NFC", pair[1])
            ]
            if not other:
                continue
            problem = f"the token '{other[0][0]}' is not '{other[0][1]}', as in the sentence"
        raise InputError(
            f"{problem} of {file.source}:{sentence.line}",
            where=f"{parsed.source}:{parsed.lines[number - 1]}",
            hint="parse the sentences with the tokens they have: edits count them",
        )
