"""How similar two concepts are, by word vectors (S2match, Opitz et al. 2020)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from schema.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Vectors: TypeAlias = "Mapping[str, NDArray[np.float64]]"

_SENSE = re.compile(r"-[0-9]{2,3}$")


def word_of(concept: str) -> str:
    """Return the word that a concept is called by: without the sense of a predicate."""
    return _SENSE.sub("", concept.strip('"')).lower()


def similarity_of(vectors: Vectors, threshold: float) -> Callable[[str, str], float]:
    """Return the function that says how similar two concepts are, 0 to 1.

    It is 1 for equal ones, else the cosine of their words' vectors; 0 where that is below the
    threshold, or where a word has no vector. Predicates of the same word and another sense are as
    similar as their words: 1, as in S2match without regard to senses.
    """

    def similarity(one: str, other: str) -> float:
        if one == other:
            return 1.0
        first, second = word_of(one), word_of(other)
        if first == second:
            return 1.0
        here, there = vectors.get(first), vectors.get(second)
        if here is None or there is None:
            return 0.0
        cosine = float(here @ there)
        return min(cosine, 1.0) if cosine >= threshold else 0.0

    return similarity


def read_vectors(path: Path, words: Collection[str]) -> tuple[Vectors, str]:
    """Return the vectors, of length 1, of some words, and a name with a hash of what they are.

    ``path`` is a text file in GloVe's format (a word and its numbers, separated by blanks, a line
    each; a first line with two numbers is passed over), or the folder of a model of the package
    sentence-transformers.

    Raises InputError (file:line) for lines that are no vectors and for a file without a vector of
    any of the words, MissingDependencyError for a folder without that package.
    """
    found = _encoded(path, words) if path.is_dir() else _read_text(path, set(words))
    if not found:
        raise InputError(
            "there is no vector of any concept", where=str(path), hint="is it another language?"
        )
    digest = hashlib.sha256()
    for word in sorted(found):
        digest.update(word.encode() + found[word].tobytes())
    return found, f"{path.name}@{digest.hexdigest()[:12]}"


def _read_text(path: Path, words: set[str]) -> dict[str, NDArray[np.float64]]:
    found: dict[str, NDArray[np.float64]] = {}
    size: int | None = None
    try:
        with path.open(encoding="utf-8", errors="strict") as lines:
            for number, line in enumerate(lines, start=1):
                word, *values = line.rstrip("\n").split(" ")
                if number == 1 and len(values) == 1:
                    continue
                size = size or len(values)
                if len(values) != size or not values:
                    raise _no_vector(path, number, f"it has {len(values)} numbers, not {size}")
                if word.lower() in words and word.lower() not in found:
                    found[word.lower()] = _unit(np.array(_numbers(values, path, number)))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the vectors cannot be read: {error}", where=str(path)) from error
    return found


def _numbers(values: list[str], path: Path, number: int) -> list[float]:
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        raise _no_vector(path, number, "what follows the word are no numbers") from None
    if not np.isfinite(numbers).all() or not any(numbers):
        raise _no_vector(path, number, "it is not finite, or zero")
    return numbers


def _no_vector(path: Path, number: int, message: str) -> InputError:
    return InputError(
        f"this is no vector: {message}",
        where=f"{path}:{number}",
        hint="a line is a word and its numbers, separated by single blanks",
    )


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = vector / np.linalg.norm(vector)
    return unit


def _encoded(path: Path, words: Collection[str]) -> dict[str, NDArray[np.float64]]:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingDependencyError(
            "a folder of vectors is a model of the package sentence-transformers",
            hint="pip install 'sr-tracker[vectors]', or give a file in GloVe's format",
        ) from error
    ordered = sorted(words)
    model: Any = SentenceTransformer(str(path))
    vectors = model.encode(ordered, normalize_embeddings=True, show_progress_bar=False)
    return dict(zip(ordered, np.asarray(vectors, np.float64), strict=True))
