"""A system through ten iterations: it improves, but from the seventh on it misplaces one relation.

Outputs are made of the sample treebank's own sentences. In iteration n, words are swapped in one
sentence fewer of each ten than before. From ``REGRESSION`` on, a final oblique phrase stands first.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib.resources import files

TREEBANK_FILE = files("sr_tracker.tracker").joinpath(
    "demo", "sample", "treebanks", "en_sample-ud-test.conllu"
)
TREEBANK = "en_sample-ud-test"
SYSTEM, CAMPAIGN = "ours", "STORY26"
ITERATIONS, REGRESSION, RELATION = 10, 7, "obl"

Word = tuple[int, str, str, int, str]
"""Number, form, universal tag, head and relation without subtype."""


def outputs_of(iteration: int) -> list[str]:
    """Return the outputs of an iteration, from 1, in the order of the treebank."""
    return [_output(words, number, iteration) for number, words in enumerate(_sentences(), start=1)]


def _output(words: Sequence[Word], number: int, iteration: int) -> str:
    order = list(words)
    draw = random.Random(number)
    if draw.random() > iteration / (ITERATIONS + 1) and len(order) > 3:
        place = draw.randrange(len(order) - 2)
        order[place], order[place + 1] = order[place + 1], order[place]
    if iteration >= REGRESSION:
        order = _final_phrase_first(order, words)
    return " ".join(word[1] for word in order)


def _final_phrase_first(order: Sequence[Word], words: Sequence[Word]) -> list[Word]:
    last = max(word[0] for word in words if word[2] != "PUNCT")
    for top in words:
        if top[4] == RELATION:
            phrase = _below(top[0], words)
            if last in phrase:
                moved = [word for word in order if word[0] in phrase]
                return moved + [word for word in order if word[0] not in phrase]
    return list(order)


def _below(top: int, words: Sequence[Word]) -> set[int]:
    computed = {top}
    while True:
        more = {word[0] for word in words if word[3] in computed} - computed
        if not more:
            return computed
        computed |= more


def _sentences() -> list[list[Word]]:
    sentences = []
    for block in TREEBANK_FILE.read_text(encoding="utf-8").strip().split("\n\n"):
        columns = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        sentences.append(
            [
                (int(column[0]), column[1], column[3], int(column[6]), column[7].split(":")[0])
                for column in columns
                if column[0].isdigit()
            ]
        )
    return sentences
