"""Simulated human judgements of the sample's outputs: no person rated anything.

Every simulated rater sees how well an output's word order agrees with the reference, and reports
it with an own mean, an own spread and noise; careless raters do not look. What comes out has the
shape of a direct assessment: batches (HITs) of ordinary items with repeated and degraded ones and
references among them, each judged by several raters.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

CRITERIA = ("meaning_similarity", "readability")
ITEMS_PER_HIT = 20
REPEATED_PER_HIT = 4
DEGRADED_PER_HIT = 4
REFERENCES_PER_HIT = 1
DEGRADED_SHARE = 0.25  # of the quality that is left when an item is degraded for control


@dataclass(frozen=True)
class Panel:
    """The raters of one language in one campaign, by their numbers from 1."""

    raters: int
    per_hit: int
    guessing: tuple[int, ...] = ()
    """Those who click anywhere."""
    constant: tuple[int, ...] = ()
    """Those who give nearly the same score to everything."""

    @property
    def careful(self) -> list[int]:
        """Those who look at what they rate."""
        careless = {*self.guessing, *self.constant}
        return [number for number in range(1, self.raters + 1) if number not in careless]


@dataclass(frozen=True)
class Item:
    """An output to be judged, with its reference; both as lists of words."""

    system: str
    """Empty for a reference that is put in as an output."""
    iteration: int
    treebank: str
    sent_id: str
    output: list[str]
    reference: list[str]


@dataclass(frozen=True)
class Judgement:
    """One rating by one rater: 0 to 100."""

    annotator: str
    hit: str
    position: int
    item: Item
    criterion: str
    kind: str
    score: int


@dataclass(frozen=True)
class Rater:
    """How a simulated rater uses the scale."""

    name: str
    mean: float
    spread: float
    noise: float

    def score(self, quality: float, rng: random.Random) -> int:
        """A rating of a quality between 0 and 1."""
        value = self.mean + self.spread * (quality - 0.5) + self.noise * _normal(rng)
        return min(100, max(0, math.floor(value + 0.5)))


def _normal(rng: random.Random) -> float:
    """A nearly normal deviate by exact addition alone, so that it is the same on every machine."""
    return math.fsum(rng.random() for _ in range(12)) - 6.0


def quality(item: Item, criterion: str) -> float:
    """How well the word order agrees with the reference, 0 to 1.

    Readability follows the share of neighbouring words that are neighbours in the reference,
    meaning similarity more the share of word pairs in the right order.
    """
    output = _numbered(word.lower() for word in item.output)
    reference = _numbered(word.lower() for word in item.reference)
    neighbours = set(zip(["", *reference], [*reference, ""], strict=True))
    found = set(zip(["", *output], [*output, ""], strict=True))
    adjacency = len(neighbours & found) / len(neighbours)
    if criterion == "readability":
        return adjacency
    place = {word: index for index, word in enumerate(output)}
    known = [place[word] for word in reference if word in place]
    ordered = [a < b for index, a in enumerate(known) for b in known[index + 1 :]]
    concordance = sum(ordered) / len(ordered) if ordered else 1.0
    return 0.6 * concordance + 0.4 * adjacency


def _numbered(words: Iterable[str]) -> list[str]:
    """The words, those that occur again told apart by a number."""
    seen: Counter[str] = Counter()
    numbered = []
    for word in words:
        seen[word] += 1
        numbered.append(f"{word} {seen[word]}")
    return numbered


def rate(
    items: list[Item], campaign: str, language: str, panel: Panel, seed: str
) -> list[Judgement]:
    """All judgements of the items of one language, batch by batch."""
    rng = random.Random(f"{seed} {campaign} {language}")
    raters = {number: _rater(number, language, panel, rng) for number in range(1, panel.raters + 1)}
    judgements: list[Judgement] = []
    hits = 0
    for criterion in CRITERIA:
        order = rng.sample(items, len(items))
        batches = [order[n : n + ITEMS_PER_HIT] for n in range(0, len(order), ITEMS_PER_HIT)]
        for chosen, numbers in zip(batches, _shifts(panel, len(batches)), strict=True):
            hits += 1
            batch = _batch(chosen, rng)
            for number in numbers:
                for position, (item, kind) in enumerate(batch, start=1):
                    seen = quality(item, criterion)
                    seen *= DEGRADED_SHARE if kind == "degraded" else 1.0
                    rater = raters[number]
                    score = rater.score(seen, rng)
                    judgements.append(
                        Judgement(
                            rater.name,
                            f"{language}-{hits:02d}",
                            position,
                            item,
                            criterion,
                            kind,
                            score,
                        )
                    )
    return judgements


def _rater(number: int, language: str, panel: Panel, rng: random.Random) -> Rater:
    """A rater with an own use of the scale: without spread it is all the same what they see."""
    name = f"{language}-rater-{number}"
    mean, spread, noise = 40 + 30 * rng.random(), 55 + 40 * rng.random(), 5 + 9 * rng.random()
    if number in panel.guessing:
        return Rater(name, mean=50, spread=0, noise=30)
    if number in panel.constant:
        return Rater(name, mean=mean + 15, spread=0, noise=2)
    return Rater(name, mean=mean, spread=spread, noise=noise)


def _shifts(panel: Panel, hits: int) -> list[list[int]]:
    """Who judges each HIT: a careful rater at least, and those who have judged the fewest."""
    done = Counter(dict.fromkeys(range(1, panel.raters + 1), 0))
    shifts = []
    for _ in range(hits):
        shift = [min(panel.careful, key=done.__getitem__)]
        while len(shift) < panel.per_hit:
            shift.append(min(done.keys() - shift, key=lambda number: (done[number], -number)))
        done.update(shift)
        shifts.append(sorted(shift))
    return shifts


def _batch(items: Sequence[Item], rng: random.Random) -> list[tuple[Item, str]]:
    """The items of a batch, degraded ones and references among them, repeated ones at its end."""
    controls = rng.sample(items, REPEATED_PER_HIT + DEGRADED_PER_HIT + REFERENCES_PER_HIT)
    repeated = [(item, "repeat") for item in controls[:REPEATED_PER_HIT]]
    degraded = [(item, "degraded") for item in controls[REPEATED_PER_HIT:-REFERENCES_PER_HIT]]
    references = [
        (replace(item, system="", output=item.reference), "reference")
        for item in controls[-REFERENCES_PER_HIT:]
    ]
    batch = [(item, "ordinary") for item in items]
    for control in [*degraded, *references]:
        batch.insert(rng.randrange(len(batch) + 1), control)
    return batch + repeated


def judgements_csv(judgements: list[Judgement]) -> str:
    """The raw judgements, one a line; a reference that was put in is of no system."""
    lines = ["annotator,hit,item,system,iteration,treebank,sent_id,criterion,kind,score"]
    lines += [
        f"{j.annotator},{j.hit},{j.position},{j.item.system},"
        f"{j.item.iteration if j.item.system else ''},"
        f"{j.item.treebank},{j.item.sent_id},{j.criterion},{j.kind},{j.score}"
        for j in judgements
    ]
    return "\n".join(lines) + "\n"
