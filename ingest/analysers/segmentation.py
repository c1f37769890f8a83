"""Cutting a stretch of text without blanks into words: the cheapest path over known words."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from math import inf

# Classes of characters, one letter each, so that patterns run over a text's string of classes.
ALPHABETIC, DIGIT, JOINER, NUMERIC_JOINER, OTHER = "A", "N", "j", "d", "P"
HAN, HIRAGANA, KATAKANA, OTHER_CONTINUOUS = "H", "R", "K", "T"
CONTINUOUS = {HAN, HIRAGANA, KATAKANA, OTHER_CONTINUOUS}  # written without blanks between words

CONTINUOUS_RANGES = (
    (0x0E00, 0x0EFF, OTHER_CONTINUOUS),  # Thai, Lao
    (0x1000, 0x109F, OTHER_CONTINUOUS),  # Myanmar
    (0x1780, 0x17FF, OTHER_CONTINUOUS),  # Khmer
    (0x3041, 0x309F, HIRAGANA),
    (0x30A1, 0x30FA, KATAKANA),
    (0x30FC, 0x30FF, KATAKANA),
    (0x31F0, 0x31FF, KATAKANA),
    (0xFF66, 0xFF9F, KATAKANA),
    (0x3005, 0x3007, HAN),
    (0x3400, 0x4DBF, HAN),
    (0x4E00, 0x9FFF, HAN),
    (0xF900, 0xFAFF, HAN),
    (0x20000, 0x3FFFF, HAN),
)
ALWAYS_JOINING = "._@"
JOINING_DIGITS = ",:/"
REPEATED_MARKS = ".!?-–*=~_#+。…"  # several of one kind are one word

WORD = re.compile("[AN]+(?:j[AN]+)*")
NUMBER = re.compile("N+(?:[jd]N+)*")
ADDRESS = re.compile(
    r"(?:https?://|www\.)\S*[^\s.,;:!?)\]]|[^\s@\"'<>()\[\],;:]{1,64}+@[^\s@]+\.\w+"
)

# What a segment costs. A word of the sentence itself costs 1 (see reference.py); unknown ones must
# cost more than two known ones, or nothing unknown is ever cut, and less than three.
UNKNOWN_WORD = 5.0
UNKNOWN_NUMBER = 4.0
UNKNOWN_MARK = 2.5
UNKNOWN_CONTINUOUS = 4.0
UNKNOWN_CONTINUOUS_CHARACTER = 2.0


@lru_cache(maxsize=65536)
def character_class(character: str) -> str:
    """Return the class of one character; combining marks and the like count as alphabetic."""
    code = ord(character)
    if code >= CONTINUOUS_RANGES[0][0]:
        for first, last, name in CONTINUOUS_RANGES:
            if first <= code <= last:
                return name
    if character in ALWAYS_JOINING:
        return JOINER
    if character in JOINING_DIGITS:
        return NUMERIC_JOINER
    kind = unicodedata.category(character)[0]
    return {"P": OTHER, "S": OTHER, "N": DIGIT}.get(kind, ALPHABETIC)


def is_plain_word(text: str) -> bool:
    """Return whether the text is letters only, of a script that puts blanks between words."""
    return text.isalpha() and (text.isascii() or CONTINUOUS.isdisjoint(map(character_class, text)))


def segment(
    text: str,
    lexicon_cost: Callable[[str], float | None],
    joiners: str,
    clitics: set[str],
    longest: int,
    longest_in_lexicon: int,
) -> tuple[str, ...]:
    """Return the words of a text without blanks; joined they are the text.

    The time grows with the length of the text times that of the longest known word.

    Args:
        text: A chunk, not empty.
        lexicon_cost: The cost of a known word, at most 2.5, None for an unknown one.
        joiners: Characters that the language writes inside words, besides `._@`.
        clitics: Folded short forms with an apostrophe, at which letters may be cut (`n't`).
        longest: No known word of a script without blanks is longer.
        longest_in_lexicon: No known word at all is longer.
    """
    classes = "".join(map(character_class, text))
    cuts, clitic_cuts = possible_cuts(text, classes, clitics)
    unknown = unknown_spans(text, classes, joiners, clitic_cuts)
    run_ends = same_class_ends(text, classes)
    reach = max(longest, longest_in_lexicon)

    # Ways to a cut are pairs (cost, start of the last word): of equal paths the one with the
    # longest last word is the least.
    cost = {0: 0.0}
    start_of: dict[int, int] = {}
    way_into_run = (0.0, 0)
    first = 0
    for number, end in enumerate(cuts[1:], start=1):
        spans = unknown.get(end, {})
        before, start = way_into_run
        best = (inf, end)
        if start not in spans and classes[start] not in CONTINUOUS:
            best = (before + run_cost(classes[start], end - start), start)
        for start, own in spans.items():
            if start in cost and not (end - start > longest and classes[start] in CONTINUOUS):
                best = min(best, (cost[start] + own, start))
        while end - cuts[first] > reach:
            first += 1
        for start in cuts[first:number]:
            continuous = classes[start] in CONTINUOUS
            if continuous and end - start > longest:
                continue
            word_cost = lexicon_cost(text[start:end])
            if word_cost is None and continuous and end <= run_ends[start]:
                word_cost = run_cost(classes[start], end - start)
            if word_cost is not None and (cost[start] + word_cost, start) < best:
                best = (cost[start] + word_cost, start)
        cost[end], start_of[end] = best
        way = (cost[end], end)
        way_into_run = way if run_ends[end - 1] == end else min(way_into_run, way)
    words = []
    end = len(text)
    while end:
        words.append(text[start_of[end] : end])
        end = start_of[end]
    return tuple(reversed(words))


def possible_cuts(text: str, classes: str, clitics: set[str]) -> tuple[list[int], set[int]]:
    """Return the sorted positions where words may meet, and those that clitics alone give."""
    cuts = {0, len(text)}
    for index in range(1, len(text)):
        left, right = classes[index - 1], classes[index]
        if left != right or right not in (ALPHABETIC, DIGIT):
            cuts.add(index)
    clitic_cuts: set[int] = set()
    if clitics and ("'" in text or "’" in text):
        folded = text.lower().replace("’", "'")
        if len(folded) == len(text):
            clitic_cuts = positions_of_clitics(folded, clitics)
    return sorted(cuts | clitic_cuts), clitic_cuts


def positions_of_clitics(folded: str, clitics: set[str]) -> set[int]:
    """Return both ends of the clitics in a folded text: those before a word, and those after."""
    reach = max(map(len, clitics))
    positions = set()
    for start in range(len(folded)):
        for end in range(start + 2, min(start + reach, len(folded)) + 1):
            if folded[start:end] in clitics:
                before_word = folded[end - 1] == "'"
                neighbour = folded[start - 1 : start] if before_word else folded[end : end + 1]
                if not neighbour.isalpha():
                    positions |= {start, end}
    return positions


def unknown_spans(
    text: str, classes: str, joiners: str, clitic_cuts: set[int]
) -> dict[int, dict[int, float]]:
    """Return the unknown words of more than one class: numbers, joined words, addresses.

    A word's end leads to its start, and that to its cost.
    """
    spans: defaultdict[int, dict[int, float]] = defaultdict(dict)
    inner_cuts = sorted(clitic_cuts)
    if any(joiner in text for joiner in joiners):
        classes = "".join(
            JOINER if character in joiners else own
            for character, own in zip(text, classes, strict=True)
        )
    for match in WORD.finditer(classes):
        place = bisect_right(inner_cuts, match.start())
        if place == len(inner_cuts) or inner_cuts[place] >= match.end():
            spans[match.end()][match.start()] = UNKNOWN_WORD
    for match in NUMBER.finditer(classes):
        spans[match.end()][match.start()] = UNKNOWN_NUMBER
    for match in ADDRESS.finditer(text):
        spans[match.end()][match.start()] = UNKNOWN_WORD
    return spans


def same_class_ends(text: str, classes: str) -> list[int]:
    """Return for each position where the run of its class ends; for marks, of a repeated mark."""
    ends = [len(text)] * len(text)
    for index in range(len(text) - 2, -1, -1):
        own = classes[index]
        marks = own in (JOINER, NUMERIC_JOINER, OTHER)
        if marks:
            same = text[index] == text[index + 1] and text[index] in REPEATED_MARKS
        else:
            same = own == classes[index + 1]
        ends[index] = ends[index + 1] if same else index + 1
    return ends


def run_cost(character_class: str, length: int) -> float:
    """Return the cost of an unknown run of one class."""
    if character_class in (ALPHABETIC, KATAKANA):
        return UNKNOWN_WORD
    if character_class == DIGIT:
        return UNKNOWN_NUMBER
    if character_class in CONTINUOUS:
        return UNKNOWN_CONTINUOUS + UNKNOWN_CONTINUOUS_CHARACTER * length
    return UNKNOWN_MARK
