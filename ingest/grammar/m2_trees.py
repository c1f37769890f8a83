"""Trees of the sentences of an M2 file: from a file, or by a parser that keeps their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.corrections import M2File, Parse
from ...schema.errors import InputError
from ...schema.files import read_text
from ...schema.progress import Progress, silent
from ..parsing.prediction import bare_sentence, predict
from ..treebanks.conllu import ConlluFile, parse_conllu
from ..treebanks.conllu_columns import conllu_tables, read_heads

ANALYSERS = ("udpipe", "stanza")
_COLUMNS = ("sentence_no", "token_no", "upos", "feats", "head", "deprel")


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
