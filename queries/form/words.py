"""Words as n-gram models see them."""

from __future__ import annotations

import unicodedata

SCRIPTS_WITHOUT_BLANKS = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
    "TIBETAN",
)


def words_of(text: str) -> list[str]:
    """Return the words of a text, in composed Unicode, their case kept.

    Blanks separate words; each punctuation mark and symbol is a word of its own, and so is each
    character of the scripts that write no blanks, with the marks that go with it.
    """
    return unicodedata.normalize("NFC", text).translate(_SPACING).split()


class _Spacing(dict[int, str]):
    """What each character becomes, found when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = _spaced(chr(code))
        return self[code]


def _spaced(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] in "PS":
        return f" {character} "
    if category[0] == "L" and unicodedata.name(character, "").startswith(SCRIPTS_WITHOUT_BLANKS):
        return f" {character}"
    return character


_SPACING = _Spacing()
