"""Gold treebanks without their analyses, and what a model makes of their words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...schema.errors import InputError, first_line, optional_packages
from ...schema.files import read_text
from ...schema.progress import Progress, silent
from ..treebanks.conllu import ConlluFile, SpecialLine, parse_conllu
from ..treebanks.conllu_columns import check_trees, conllu_tables, read_heads, surface_texts
from .noising import ALTERED

UNIVERSAL_FEATURES = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr"),
        *("Gender", "Animacy", "Number", "Case", "Definite", "Degree"),
        *("VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident"),
        *("Polarity", "Person", "Polite"),
    }
)
"""The features that count as UFeats in the shared task of CoNLL 2018."""
ROOT, NO_HEAD = -1, -2


@dataclass(frozen=True)
class Words:
    """The words of a file and what is said of them; all arrays have one entry per word."""

    lengths: np.ndarray
    """How many words each sentence has."""
    upos: np.ndarray
    feats: np.ndarray
    """Only universal features, in the order of their names."""
    head: np.ndarray
    """The place of the head in the file, ROOT, or NO_HEAD where the tree says nothing."""
    deprel: np.ndarray
    """Universal relation, subtype dropped."""


def read_gold(file: Path) -> ConlluFile:
    """Return a gold treebank.

    Raises InputError with file and line for what is not CoNLL-U or no tree, and for an empty file.
    """
    gold = parse_conllu(read_text(file), str(file))
    if not gold.lines:
        raise InputError("the file has no sentences", where=str(file), hint="give a CoNLL-U file")
    check_trees(gold, read_heads(gold))
    return gold


def words_of(file: ConlluFile) -> Words:
    """Return the words of a CoNLL-U file.

    Raises InputError with the line where a HEAD is not a number of another word of its sentence.
    """
    heads = read_heads(file)
    offsets = np.repeat(file.starts, file.lengths)
    places = np.where(heads > 0, offsets + heads - 1, np.where(heads == 0, ROOT, NO_HEAD))
    columns = {name: file.words[name].to_pylist() for name in ("upos", "feats", "deprel")}
    universal = {feats: _universal(feats) for feats in set(columns["feats"])}
    return Words(
        lengths=file.lengths,
        upos=np.array(columns["upos"], dtype=object),
        feats=np.array([universal[feats] for feats in columns["feats"]], dtype=object),
        head=places,
        deprel=np.array([name.partition(":")[0] for name in columns["deprel"]], dtype=object),
    )


def altered_words(file: ConlluFile) -> np.ndarray:
    """Return which words the sentences' ``# altered`` comments name."""
    altered = np.zeros(len(file.word_lines), dtype=bool)
    for start, length, comments in zip(file.starts, file.lengths, file.comments, strict=True):
        for comment in comments:
            number = comment.removeprefix(ALTERED).split()[:1] if ALTERED in comment else []
            if number and number[0].isdecimal() and 0 < int(number[0]) <= length:
                altered[start + int(number[0]) - 1] = True
    return altered


def _universal(feats: str) -> str:
    universal = (item for item in feats.split("|") if item.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(universal, key=str.lower)) or "_"


def concatenate(files: Sequence[Path]) -> str:
    """Return the sentences of several CoNLL-U files, one file after the other.

    Raises InputError with file and line for what is not CoNLL-U or no tree, and for an empty file.
    """
    for file in files:
        read_gold(file)
    return "".join(f"{read_text(file).strip()}\n\n" for file in files)


SENTENCES_AT_ONCE = 200


def predict(
    gold: ConlluFile, model: Path, *, tokenise: bool = False, progress: Progress = silent
) -> ConlluFile:
    """Return a model's analysis of gold sentences: a UDPipe file, or a Stanza resources folder.

    The model sees the gold words, or with ``tokenise`` the text of each sentence. Columns that it
    has no component for are ``_``.

    Raises:
        MissingDependencyError: The package that runs the model is not installed.
        InputError: The model cannot be loaded, or cannot tokenise.
    """
    if model.is_dir():
        if tokenise:
            raise InputError(
                "Stanza's models are evaluated on the gold words only",
                where=str(model),
                hint="leave out --tokenise",
            )
        return predict_stanza(gold, model)
    return _predict_udpipe(gold, model, tokenise=tokenise, progress=progress)


def _predict_udpipe(
    gold: ConlluFile, path: Path, *, tokenise: bool, progress: Progress
) -> ConlluFile:
    with optional_packages():
        from ufal import udpipe

    model = udpipe.Model.load(str(path))
    if model is None:
        raise InputError(
            "the file is not a model that UDPipe 1 can load",
            where=str(path),
            hint="give a .udpipe file, or a folder of Stanza models",
        )
    reader = model.newTokenizer("presegmented") if tokenise else None
    if tokenise and reader is None:
        raise InputError("the model has no tokeniser", where=str(path), hint="leave out --tokenise")
    reader = reader or udpipe.InputFormat.newConlluInputFormat()
    writer = udpipe.OutputFormat.newConlluOutputFormat()
    sources = (
        _texts(gold) if tokenise else [bare_sentence(*both) for both in gold.forms_by_sentence()]
    )
    total = len(sources)
    blocks: list[str] = []
    for done in range(0, total, SENTENCES_AT_ONCE):
        progress(path.name, done, total)
        reader.setText("".join(sources[done : done + SENTENCES_AT_ONCE]))
        blocks += (writer.writeSentence(sentence) for sentence in _analysed(udpipe, model, reader))
    lines = (line for line in "".join(blocks).split("\n") if not line.startswith("#"))
    return parse_conllu("\n".join(lines), str(path))


def _analysed(udpipe: Any, model: Any, reader: Any) -> Iterator[Any]:
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence):
        if model.tag(sentence, udpipe.Model.DEFAULT):
            model.parse(sentence, udpipe.Model.DEFAULT)
        yield sentence
        sentence = udpipe.Sentence()


def _texts(gold: ConlluFile) -> list[str]:
    """Return the text of each sentence as a line, as the gold forms and SpaceAfter make it up."""
    _, texts = surface_texts(conllu_tables(gold, read_heads(gold)), len(gold.lengths))
    return [f"{' '.join(text.split())}\n" for text in texts.to_pylist()]


def bare_sentence(forms: Sequence[str], ranges: Sequence[SpecialLine] = ()) -> str:
    """Return a sentence as CoNLL-U with words and multiword tokens only."""
    lines = [(number, 1, str(number), form) for number, form in enumerate(forms, start=1)]
    lines += [
        (span.first, 0, f"{span.first}-{span.second}", span.columns["form"]) for span in ranges
    ]
    rows = (f"{name}\t{form}" + "\t_" * 8 for *_, name, form in sorted(lines))
    return "\n".join(rows) + "\n\n"


def predict_stanza(gold: ConlluFile, model: Path) -> ConlluFile:
    """Return the analysis of the gold words by the models of a Stanza resources folder.

    The folder holds the models of one language. The words of a multiword token stand for
    themselves.

    Raises:
        MissingDependencyError: Stanza is not installed.
        InputError: The folder holds no models that Stanza can load.
    """
    pipeline = _pipeline(model)
    forms = gold.words["form"].to_pylist()
    ends = gold.lengths.cumsum().tolist()
    bounds = zip(ends, gold.lengths.tolist(), strict=True)
    document = pipeline([forms[end - length : end] for end, length in bounds])
    lines = [
        "".join(_line(number, word) for number, word in enumerate(sentence.words, start=1))
        for sentence in document.sentences
    ]
    return parse_conllu("\n".join(lines), str(model))


def _pipeline(model: Path) -> Any:
    with optional_packages():
        import stanza
    try:
        resources = json.loads((model / "resources.json").read_text(encoding="utf-8"))
        (language,) = (name for name in resources if (model / name).is_dir())
        return stanza.Pipeline(
            language,
            dir=str(model),
            processors=[
                name
                for name in ("tokenize", "pos", "lemma", "depparse")
                if name in resources[language]["packages"]["default"]
            ],
            tokenize_pretokenized=True,
            download_method=None,
            use_gpu=False,
            logging_level="CRITICAL",
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise InputError(
            f"Stanza cannot load its models: {first_line(error)}",
            where=str(model),
            hint="give a resources folder (resources.json beside one folder of one language)",
        ) from error


def _line(number: int, word: Any) -> str:
    head = "_" if word.head is None else str(word.head)
    values = (word.text, word.lemma, word.upos, word.xpos, word.feats, head, word.deprel)
    return "\t".join([str(number), *(value or "_" for value in values), "_", "_"]) + "\n"
