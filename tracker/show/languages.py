"""Languages: what they are called, and which texts run from right to left."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

LEFTWARDS = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of scripts that run from right to left: Hebrew, Arabic, Syriac and others."""
_TIBETAN = (0x0F00, 0x0FFF)
"""Letters without blanks that no analyser cuts into words."""
ISOLATE, END = "\u2068", "\u2069"
"""Around a text whose direction its first letter tells, whatever stands beside it (UAX #9)."""


def language_name(code: str) -> str:
    """Return a language's name in English, or its code where none is known."""
    return _names().get(code, code)


def named_language(code: str) -> str:
    """Return a language's name with its code, as commands take it: Arabic (ar)."""
    name = _names().get(code)
    return f"{name} ({code})" if name else code


def without_blanks(codes: Iterable[str | None]) -> list[str]:
    """Return a remark on each language whose raw text has hardly any words between blanks."""
    from ...queries.metrics.registry import OF_WORDS, WITHOUT_BLANKS

    return [
        f"{language_name(code)} is written without blanks: {', '.join(OF_WORDS[:-1])} and "
        f"{OF_WORDS[-1]} find hardly any words in raw text; chrf, spbleu, dist, dea and bleu_lemma "
        "say more, as do tokenised outputs"
        for code in sorted(WITHOUT_BLANKS.intersection(filter(None, codes)))
    ]


def unnamed_without_blanks(texts: Iterable[str | None]) -> list[str]:
    """Return a remark on texts of an unnamed language that look as if written without blanks."""
    from ...ingest.analysers.segmentation import CONTINUOUS_RANGES

    ranges = [(first, last) for first, last, _ in CONTINUOUS_RANGES]
    letters = "".join(f"{chr(first)}-{chr(last)}" for first, last in [*ranges, _TIBETAN])
    whole = "".join(filter(None, texts))
    unspaced = re.findall(f"[{letters}]", whole)
    if not unspaced or len(unspaced) * 2 <= sum(map(str.isalpha, whole)):
        return []
    remark = (
        "the references look as if written without blanks, and their language is not named: bleu, "
        "on which the verdict rests, finds hardly any words; name it, as by --references FILE "
        "--language zh"
    )
    return [remark]


def isolated(text: str) -> str:
    """Return a text that may stand in a line: letters from right to left turn nothing beside it.

    Texts without such letters are returned as they are.
    """
    return f"{ISOLATE}{text}{END}" if LEFTWARDS.search(text) else text


@cache
def _names() -> dict[str, str]:
    text = files(__package__).joinpath("languages.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {code: name for code, name, *_ in rows}
