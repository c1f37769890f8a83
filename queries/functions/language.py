"""Which language texts are in, as py3langid tells it; short and mixed texts are undecided."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

import pyarrow as pa

from ...schema.errors import optional_packages
from .text import Column, Rows, in_one
from .words import check_same_length

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

SURE, LIKELY = 0.9, 0.5
"""The probability from which another language is wrong, and the test set's own is right."""
ALIKE = (
    {"zh", "yue", "wuu"},
    {"no", "nb", "nn"},
    {"sr", "hr", "bs", "sh"},
    {"id", "ms"},
    {"ar", "arz", "ary"},
)
"""Codes of languages that are not told apart."""
LONGEST = 2000
"""Characters of a text that are looked at: more change nothing, and take long."""


def identifier_versions() -> dict[str, str]:
    """Return what a signature states of the identifier: its version.

    Raises MissingDependencyError where the package is not there.
    """
    with optional_packages():
        import_module("py3langid")
    return {"py3langid": version("py3langid")}


def in_another_language(text: Column, language: Column) -> Rows:
    """Return 1.0 for each text that is surely in another language than the one of its code.

    0.0 where it is likely in that language, NULL where neither is told, or either is NULL. A code
    may have a region after it, which says nothing here. Equal texts are looked at once.
    """
    check_same_length(text, language)
    texts, languages = in_one(text).to_pylist(), in_one(language).to_pylist()
    pairs = dict.fromkeys(zip(texts, languages, strict=True))
    verdicts = {pair: _verdict(*pair) for pair in pairs}
    return pa.array(map(verdicts.__getitem__, zip(texts, languages, strict=True)), pa.float64())


def is_identifiable(language: Column) -> Rows:
    """Return whether the identifier has each language, given by its code; NULL for NULL."""
    labels = {*_identifier().labels}
    codes = in_one(language).to_pylist()
    verdicts = [None if code is None else bool(labels & _alike(code)) for code in codes]
    return pa.array(verdicts, pa.bool_())


def _verdict(text: str | None, language: str | None) -> float | None:
    if text is None or language is None:
        return None
    ranked = _identifier().rank(text[:LONGEST])
    own = _alike(language)
    of_own = sum(probability for code, probability in ranked if code in own)
    best, probability = ranked[0]
    if best in own:
        return 0.0 if of_own >= LIKELY else None
    return 1.0 if probability >= SURE else None


def _alike(language: str) -> set[str]:
    code = language.replace("_", "-").partition("-")[0].lower()
    return next((codes for codes in ALIKE if code in codes), {code})


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
