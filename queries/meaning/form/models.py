"""Which language model a user means: a folder of transformers, an ARPA file, or one to train."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.files import single_line
from ....schema.names import resolve_treebank
from ....schema.statements import row_by_id
from ...functions.statistics import Booleans, Floats, Integers
from ...metrics.loop import chosen_targets, treebank_sha256
from . import DEFAULT_ORDER
from .language_model import LanguageModel
from .ngram_model import DECIMALS, END, START, UNKNOWN, Grams, NgramModel, read_arpa, words_of
from .scoring import FormTarget

NGRAM = "ngram"


def load_model(
    database: Database,
    model: str,
    submissions: Sequence[str] | None = None,
    *,
    kind: str | None = None,
    train_on: str | None = None,
    order: int = DEFAULT_ORDER,
) -> LanguageModel:
    """Return a language model, for scoring submissions where some are named.

    ``model`` is the path of a transformers folder or of an ARPA file, or ngram: a model that is
    trained now on the sentences of the treebank ``train_on``. ``kind`` is causal, masked or ngram;
    without it the folder's configuration tells.

    Raises InputError for what is no such model and for a submission in another language than the
    treebank, UnknownNameError for a treebank that is not loaded, MissingDependencyError where
    transformers are not installed.
    """
    path = Path(model)
    if model == NGRAM:
        if train_on is None or kind not in (None, NGRAM):
            raise InputError(
                "the n-gram model is trained on a treebank",
                hint="give --train-on TREEBANK, of the language and of other texts",
            )
        if submissions is not None:
            check_language(database, train_on, submissions)
        return train_on_treebank(database, train_on, order=order)
    if train_on is not None:
        raise InputError("a model that is there is not trained", hint="--train-on needs ngram")
    if path.is_dir() and kind != NGRAM:
        from .transformer_model import TransformerModel

        return TransformerModel(path, kind)
    if path.is_dir() or kind not in (None, NGRAM):
        raise InputError(
            f"this holds no language model of the kind {kind}",
            where=model,
            hint="causal and masked models are folders, n-gram models files",
        )
    return read_arpa(path)


def train_on_treebank(
    database: Database, treebank_id: str, *, order: int = DEFAULT_ORDER
) -> NgramModel:
    """Return an n-gram model of a treebank's sentences.

    Raises UnknownNameError for a treebank that is not loaded, InputError where its text is hidden.
    """
    treebank_id = resolve_treebank(database, treebank_id)
    sha256 = treebank_sha256(database, treebank_id)
    texts = database.connection.execute(
        "SELECT text FROM sentence WHERE treebank_id = ? AND text IS NOT NULL ORDER BY sentence_no",
        [treebank_id],
    ).fetchall()
    title = single_line(treebank_id).replace("/", "_")
    return train_ngram_model(
        [text for (text,) in texts], f"{order}gram-{title}", order=order, trained_on=sha256
    )


def check_language(
    database: Database, treebank_id: str, submissions: Sequence[str] | None = None
) -> None:
    """Raise InputError where a submission is in another language than a treebank to train on."""
    treebank_id = resolve_treebank(database, treebank_id)
    (language,) = row_by_id(database, "treebank", treebank_id, "language") or (None,)
    for target in chosen_targets(database, FormTarget, "form_submissions", submissions):
        if language and target.language and target.language != language:
            raise InputError(
                f"'{target.submission_id}' is in '{target.language}', the treebank to train on in "
                f"'{language}'",
                hint=f"choose submissions: --language {language}",
            )


LONGEST = 6
USUAL_DISCOUNT = 0.5
"""Where so few n-grams occur once or twice that no discount can be estimated."""
NEVER = -99.0
"""Logarithm for what is never predicted, by the convention of ARPA files."""


@dataclass(frozen=True)
class _Counted:
    """The different n-grams of one length in the training text."""

    keys: Integers
    contexts: Integers
    """Number of each n-gram without its last word among those one shorter."""
    suffixes: Integers
    """Number of each n-gram without its first word among those one shorter."""
    at_start: Booleans
    """Whether the n-gram stands at the beginning of a sentence."""
    counts: Integers


def train_ngram_model(
    texts: Iterable[str],
    title: str,
    *,
    order: int = DEFAULT_ORDER,
    trained_on: str | None = None,
) -> NgramModel:
    """Return a model of the words of texts, each a sentence, and of their ends.

    Shorter n-grams count the different words before them; those at the beginning of a sentence,
    where none can stand, count their occurrences. Each length has one discount, n1 / (n1 + 2 n2) of
    the n-grams that count 1 and 2. Single words are interpolated with the uniform distribution,
    which gives unknown words their probability.

    Raises InputError where the texts have no word, and for lengths below 1 or above LONGEST.
    """
    if not 1 <= order <= LONGEST:
        raise InputError(
            f"{order} is no length of n-grams", hint=f"whole numbers from 1 to {LONGEST}"
        )
    sentences = [[START, *words, END] for words in map(words_of, texts) if words]
    if not sentences:
        raise InputError("there is no text to train a model on", hint="train on another treebank")
    frequent = sorted({word for sentence in sentences for word in sentence[1:-1]})
    vocabulary = [UNKNOWN, START, END, *frequent]
    numbers = {word: number for number, word in enumerate(vocabulary)}
    codes = np.array([numbers[word] for sentence in sentences for word in sentence])
    counted = _counted(codes, len(vocabulary), order)
    return NgramModel(title, vocabulary, _smoothed(counted), trained_on)


def _counted(codes: Integers, vocabulary: int, order: int) -> list[_Counted]:
    """Count the n-grams of all lengths; the single words are the whole vocabulary."""
    start = 1
    occurrences = np.bincount(codes, minlength=vocabulary)
    occurrences[start] = 0
    words = np.arange(vocabulary)
    none = np.zeros(vocabulary, dtype=np.int64)
    counted = [_Counted(words, none, none, words == start, occurrences)]
    numbers = codes
    for _ in range(1, order):
        inside = codes[1:] != start
        contexts = np.where(inside, numbers[:-1], -1)
        ends = np.flatnonzero(contexts >= 0) + 1
        keys, first, inverse, counts = np.unique(
            contexts[ends - 1] * vocabulary + codes[ends],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        parents = keys // vocabulary
        counted.append(
            _Counted(keys, parents, numbers[ends[first]], counted[-1].at_start[parents], counts)
        )
        numbers = np.full(len(codes), -1)
        numbers[ends] = inverse
    return counted


def _smoothed(counted: list[_Counted]) -> list[Grams]:
    """Return the n-grams with interpolated probabilities, and the weights of their contexts."""
    probabilities: Floats = np.full(len(counted[0].keys), 1.0 / (len(counted[0].keys) - 1))
    logs: list[Floats] = []
    weights: list[Floats] = []
    for place, grams in enumerate(counted):
        adjusted = _adjusted(grams, counted[place + 1] if place + 1 < len(counted) else None)
        discount = _discount(adjusted)
        contexts = len(counted[place - 1].keys) if place else 1
        totals = np.bincount(grams.contexts, weights=adjusted, minlength=contexts)
        types = np.bincount(grams.contexts, weights=adjusted > 0, minlength=contexts)
        left = np.divide(discount * types, totals, out=np.ones(contexts), where=totals > 0)
        if place:
            probabilities = probabilities[grams.suffixes]
            weights.append(_rounded(np.log10(left)))
        probabilities = (
            np.maximum(adjusted - discount, 0.0) / totals[grams.contexts]
            + left[grams.contexts] * probabilities
        )
        logs.append(_rounded(np.log10(probabilities)))
    logs[0][counted[0].at_start] = NEVER
    weights.append(np.zeros(len(counted[-1].keys)))
    return [
        Grams(grams.keys, log, weight)
        for grams, log, weight in zip(counted, logs, weights, strict=True)
    ]


def _adjusted(grams: _Counted, longer: _Counted | None) -> Integers:
    """Return the number of different words before each n-gram; occurrences where none can stand."""
    if longer is None:
        return grams.counts
    before = np.bincount(longer.suffixes, minlength=len(grams.keys))
    return np.where(grams.at_start, grams.counts, before)


def _discount(adjusted: Integers) -> float:
    once, twice = int((adjusted == 1).sum()), int((adjusted == 2).sum())
    return once / (once + 2 * twice) if once and twice else USUAL_DISCOUNT


def _rounded(values: Floats) -> Floats:
    rounded: Floats = np.round(values, DECIMALS) + 0.0  # no negative zero
    return rounded
