"""Simulated human judgements of the sample's outputs: no person rated anything.

Every simulated rater sees how well an output's word order agrees with the reference, and reports
it with an own mean, an own spread and noise. What comes out has the shape of a direct assessment:
batches (HITs) with repeated and degraded items, raw scores, and z-scores per rater.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

CRITERIA = ("meaning_similarity", "readability")
RATERS_PER_LANGUAGE = 6
RATERS_PER_HIT = 2
ITEMS_PER_HIT = 20
REPEATED_PER_HIT = 2
DEGRADED_PER_HIT = 2
DEGRADED_SHARE = 0.35  # of the quality that is left when an item is degraded for control


@dataclass(frozen=True)
class Item:
    """An output to be judged, with its reference; both as lists of words."""

    system: str
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


def rate(items: list[Item], campaign: str, language: str, seed: str) -> list[Judgement]:
    """All judgements of the items of one language, batch by batch."""
    rng = random.Random(f"{seed} {campaign} {language}")
    raters = [
        Rater(
            name=f"{language}-rater-{number}",
            mean=40 + 30 * rng.random(),
            spread=55 + 40 * rng.random(),
            noise=5 + 9 * rng.random(),
        )
        for number in range(1, RATERS_PER_LANGUAGE + 1)
    ]
    judgements: list[Judgement] = []
    hits = 0
    for criterion in CRITERIA:
        order = rng.sample(items, len(items))
        for start in range(0, len(order), ITEMS_PER_HIT):
            hits += 1
            batch = _batch(order[start : start + ITEMS_PER_HIT], rng)
            for rater in rng.sample(raters, RATERS_PER_HIT):
                hit = f"{campaign}-{language}-{hits:03d}"
                for position, (item, kind) in enumerate(batch, start=1):
                    seen = quality(item, criterion)
                    seen *= DEGRADED_SHARE if kind == "degraded" else 1.0
                    score = rater.score(seen, rng)
                    judgements.append(
                        Judgement(rater.name, hit, position, item, criterion, kind, score)
                    )
    return judgements


def _batch(items: list[Item], rng: random.Random) -> list[tuple[Item, str]]:
    """The items of a batch with some repeated and some degraded ones among them."""
    controls = rng.sample(items, min(len(items), REPEATED_PER_HIT + DEGRADED_PER_HIT))
    repeated = [(item, "repeat") for item in controls[:REPEATED_PER_HIT]]
    degraded = [(item, "degraded") for item in controls[REPEATED_PER_HIT:]]
    batch = [(item, "ordinary") for item in items]
    for control in degraded:
        batch.insert(rng.randrange(len(batch) + 1), control)
    return batch + repeated


def judgements_csv(judgements: list[Judgement]) -> str:
    """The raw judgements, one a line."""
    lines = ["annotator,hit,item,system,iteration,treebank,sent_id,criterion,kind,score"]
    lines += [
        f"{j.annotator},{j.hit},{j.position},{j.item.system},{j.item.iteration},"
        f"{j.item.treebank},{j.item.sent_id},{j.criterion},{j.kind},{j.score}"
        for j in judgements
    ]
    return "\n".join(lines) + "\n"


def scores_csv(judgements: list[Judgement]) -> str:
    """Mean z-score and mean raw score of each output on each criterion.

    A judgement's z-score is taken by its rater's mean and sample standard deviation over all of
    the rater's judgements; degraded items count there but not in the means of the outputs.
    """
    by_rater: dict[str, list[int]] = defaultdict(list)
    for judgement in judgements:
        by_rater[judgement.annotator].append(judgement.score)
    scale = {rater: _mean_and_deviation(scores) for rater, scores in by_rater.items()}
    by_output: dict[tuple[str, int, str, str, str], list[Judgement]] = defaultdict(list)
    for j in judgements:
        if j.kind != "degraded":
            item = j.item
            key = (item.system, item.iteration, item.treebank, item.sent_id, j.criterion)
            by_output[key].append(j)
    lines = ["system,iteration,treebank,sent_id,criterion,z,raw,judgements"]
    for key in sorted(by_output):
        found = by_output[key]
        z = [(j.score - scale[j.annotator][0]) / scale[j.annotator][1] for j in found]
        mean_z = math.fsum(z) / len(z)
        raw = math.fsum(j.score for j in found) / len(found)
        fields = ",".join(str(field) for field in key)
        lines.append(f"{fields},{mean_z:.6f},{raw:.4f},{len(found)}")
    return "\n".join(lines) + "\n"


def _mean_and_deviation(scores: list[int]) -> tuple[float, float]:
    """Mean and sample standard deviation; a rater with one score or a constant one gets 1."""
    mean = math.fsum(scores) / len(scores)
    variance = math.fsum((score - mean) ** 2 for score in scores) / max(len(scores) - 1, 1)
    return mean, math.sqrt(variance) or 1.0
