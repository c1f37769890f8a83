"""The casing of a word, given to the word that takes its place."""

from __future__ import annotations

DOTTED_LANGUAGES = frozenset({"tr", "az", "kk", "crh", "tt"})
"""Languages that write the capital of i with a dot, and that of ı without."""


def cased_like(original: str, form: str, language: str | None = None) -> str:
    """Return a form in capitals, with a capital or without one, as the original has it.

    A form with capitals of its own keeps those behind its first letter.
    """
    if original.isupper() and sum(letter.isalpha() for letter in original) > 1:
        return _upper(form, language)
    if original[:1].isupper():
        return _upper(form[:1], language) + form[1:]
    return _lower(form[:1], language) + form[1:]


def _upper(text: str, language: str | None) -> str:
    if language in DOTTED_LANGUAGES:
        text = text.replace("i", "İ").replace("ı", "I")
    return text.upper()


def _lower(text: str, language: str | None) -> str:
    if language in DOTTED_LANGUAGES:
        text = text.replace("İ", "i").replace("I", "ı")
    return text.lower()
