"""N-gram models in ARPA files, as SRILM and KenLM write and read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ....schema.errors import InputError
from ....schema.files import read_text
from ....schema.writing import make_folder, write_file
from .ngram_model import DECIMALS, END, START, UNKNOWN, Grams, NgramModel

_SECTION = re.compile(r"\\(\d+)-grams:")
_HINT = "name a language model in ARPA format"


def write_arpa(model: NgramModel, folder: Path) -> Path:
    """Write a model into a folder, made where there is none, and return the path of its file.

    ``<title>.arpa`` holds the model, ``<title>.json`` what it was trained on. The same model gives
    the same bytes.

    Raises InputError where the folder cannot be made or written.
    """
    make_folder(folder)
    path = folder / f"{model.title}.arpa"
    write_file(path, "".join(_lines(model)).encode())
    about = {"model": model.name, "trained_on": model.trained_on}
    write_file(path.with_suffix(".json"), (json.dumps(about, indent=1) + "\n").encode())
    return path


def read_arpa(path: Path) -> NgramModel:
    """Return the model in an ARPA file.

    Raises InputError (file:line) for a file that is no such model, and for one that gives unknown
    words no probability.
    """
    sections = list(_sections(path, read_text(path).split("\n")))
    if not sections:
        raise InputError("the file holds no n-grams", where=str(path), hint=_HINT)
    vocabulary = [words[0] for _, _, words, _ in sections[0]]
    missing = {START, END, UNKNOWN} - set(vocabulary)
    if missing:
        raise InputError(
            f"the model gives '{min(missing)}' no probability",
            where=str(path),
            hint="train it anew, with unknown words",
        )
    numbers = {word: number for number, word in enumerate(vocabulary)}
    if len(numbers) < len(vocabulary):
        raise InputError("a word stands twice among the single words", where=str(path), hint=_HINT)
    grams: list[Grams] = []
    for section in sections:
        grams.append(_grams(path, section, numbers, grams))
    return NgramModel(path.stem, vocabulary, grams, _trained_on(path))


_Line = tuple[int, float, Sequence[str], float]
"""Number of the line, logarithm of the probability, words, logarithm of the back-off weight."""


def _sections(path: Path, lines: Sequence[str]) -> Iterator[list[_Line]]:
    section: list[_Line] | None = None
    length = 0
    for number, line in enumerate(lines, start=1):
        if found := _SECTION.match(line):
            if section is not None:
                yield section
            section, length = [], length + 1
            if int(found[1]) != length:
                raise InputError(
                    f"n-grams of length {found[1]} stand where {length} is due",
                    where=f"{path}:{number}",
                    hint=_HINT,
                )
        elif line.startswith("\\end\\"):
            break
        elif section is not None and line.strip():
            section.append(_parsed(f"{path}:{number}", number, line.split(), length))
    else:
        raise InputError("the file has no end", where=f"{path}:{len(lines)}", hint=_HINT)
    if section is not None:
        yield section


def _parsed(where: str, number: int, parts: Sequence[str], length: int) -> _Line:
    try:
        if len(parts) not in (length + 1, length + 2):
            raise ValueError
        weight = float(parts[length + 1]) if len(parts) == length + 2 else 0.0
        log = float(parts[0])
        if not (log <= 0 and np.isfinite(weight)):
            raise ValueError
    except ValueError:
        raise InputError(
            f"this is no n-gram of length {length} with its probability", where=where, hint=_HINT
        ) from None
    return number, log, parts[1 : length + 1], weight


def _grams(
    path: Path, section: Sequence[_Line], numbers: dict[str, int], shorter: Sequence[Grams]
) -> Grams:
    """Return the n-grams of a section in the order of their keys."""
    named = ((line, word) for line, _, words, _ in section for word in words)
    for line, word in named:
        if word not in numbers:
            raise InputError(
                f"'{word}' is not among the single words", where=f"{path}:{line}", hint=_HINT
            )
    codes = np.array([[numbers[word] for word in words] for _, _, words, _ in section], np.int64)
    codes = codes.reshape(len(section), len(shorter) + 1)
    contexts = np.zeros(len(section), dtype=np.int64)
    for grams, words in zip(shorter, codes.T, strict=False):
        contexts = grams.find(contexts, words, len(numbers))
    if (contexts < 0).any():
        line = section[int(np.argmax(contexts < 0))][0]
        raise InputError(
            "the n-gram's first words are no n-gram of the file",
            where=f"{path}:{line}",
            hint=_HINT,
        )
    keys = contexts * len(numbers) + codes[:, -1]
    order = np.argsort(keys, kind="stable")
    if (np.diff(keys[order]) == 0).any():
        line = section[int(order[1:][np.diff(keys[order]) == 0][0])][0]
        raise InputError("the n-gram stands there twice", where=f"{path}:{line}", hint=_HINT)
    logs = np.array([log for _, log, _, _ in section], dtype=np.float64)
    weights = np.array([weight for _, _, _, weight in section], dtype=np.float64)
    return Grams(keys[order], logs[order], weights[order])


def _lines(model: NgramModel) -> Iterator[str]:
    yield "\\data\\\n"
    for length, grams in enumerate(model.grams, start=1):
        yield f"ngram {length}={len(grams.keys)}\n"
    texts: list[str] = [""]
    for length, grams in enumerate(model.grams, start=1):
        yield f"\n\\{length}-grams:\n"
        contexts, words = np.divmod(grams.keys, len(model.vocabulary))
        texts = [
            f"{texts[context]} {model.vocabulary[word]}".lstrip()
            for context, word in zip(contexts.tolist(), words.tolist(), strict=True)
        ]
        last = length == len(model.grams)
        for log, text, weight in zip(
            grams.logs.tolist(), texts, grams.weights.tolist(), strict=True
        ):
            end = "" if last else f"\t{weight:.{DECIMALS}f}"
            yield f"{log:.{DECIMALS}f}\t{text}{end}\n"
    yield "\n\\end\\\n"


def _trained_on(path: Path) -> str | None:
    about = path.with_suffix(".json")
    if not about.exists():
        return None
    try:
        found = json.loads(read_text(about)).get("trained_on")
    except (ValueError, AttributeError) as error:
        raise InputError(
            f"this does not say what a model was trained on: {error}",
            where=str(about),
            hint="remove the file, or train the model anew",
        ) from error
    return None if found is None else str(found)
