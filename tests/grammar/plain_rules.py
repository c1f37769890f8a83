"""Grammar rules by the letter of Pratapa et al. 2021, section 3, and as its authors' scripts do it.

A sentence is a list of words (upos, features, head, deprel); features are a dict of sets.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    upos: str
    features: dict[str, frozenset[str]]
    head: int
    deprel: str


Sentence = list[Word]
LinkType = tuple[str, str, str]


def links(sentences: list[Sentence]) -> list[tuple[LinkType, Word, Word]]:
    return [
        ((word.deprel, word.upos, sentence[word.head - 1].upos), word, sentence[word.head - 1])
        for sentence in sentences
        for word in sentence
        if word.head > 0
    ]


def agreement_rules(
    sentences: list[Sentence], minimum_pairs: int, minimum_share: float, coverage: float
) -> dict[str, tuple[int, float]]:
    pairs: Counter[tuple[LinkType, str]] = Counter()
    agreeing: Counter[tuple[LinkType, str]] = Counter()
    for link, dependent, head in links(sentences):
        for feature in dependent.features.keys() & head.features.keys():
            pairs[link, feature] += 1
            agreeing[link, feature] += dependent.features[feature] == head.features[feature]
    rest = [
        (count, link, feature)
        for (link, feature), count in pairs.items()
        if count > minimum_pairs and agreeing[link, feature] / count >= minimum_share
    ]
    rest.sort(key=lambda rule: (-rule[0], *rule[1], rule[2]))
    total = sum(count for count, *_ in rest)
    results = {}
    accumulated = 0
    for count, link, feature in rest:
        results[f"{'-'.join(link)}:{feature}"] = (count, agreeing[link, feature] / count)
        accumulated += count
        if accumulated > coverage * total:
            break
    return results


def argument_rules(
    sentences: list[Sentence],
    features: tuple[str, ...],
    minimum_words: int,
    minimum_divergence: float,
    minimum_value_share: float,
) -> dict[str, tuple[list[str], int, float]]:
    everywhere: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for word in sentence:
            for feature in features:
                if feature in word.features:
                    everywhere[word.upos, feature][_value(word, feature)] += 1
    results = {}
    for bearer in ("dependent", "head"):
        here: dict[tuple[LinkType, str], Counter[str]] = defaultdict(Counter)
        for link, dependent, head in links(sentences):
            word = dependent if bearer == "dependent" else head
            for feature in features:
                if feature in word.features:
                    here[link, feature][_value(word, feature)] += 1
        for (link, feature), values in here.items():
            words = sum(values.values())
            upos = link[1] if bearer == "dependent" else link[2]
            world = everywhere[upos, feature]
            divergence = sum(
                n / words * math.log((n / words) / (world[value] / sum(world.values())))
                for value, n in values.items()
            )
            allowed = {
                part
                for value, n in values.items()
                if n / words >= minimum_value_share
                for part in value.split(",")
            }
            if words >= minimum_words and divergence >= minimum_divergence and allowed:
                key = f"{'-'.join(link)}:{feature}@{bearer}"
                results[key] = (sorted(allowed), words, divergence)
    return results


def script_agreement_rules(sentences: list[Sentence], minimum_pairs: int) -> list[str]:
    """The rules of agreement that the authors' scripts write, in the order they come to them."""
    shared: dict[LinkType, Counter[str]] = {}
    agreeing: Counter[tuple[LinkType, str]] = Counter()
    for link, dependent, head in links(sentences):
        counts = shared.setdefault(link, Counter())
        for feature in sorted(dependent.features.keys() & head.features.keys()):
            counts[feature] += 1
            agreeing[link, feature] += dependent.features[feature] == head.features[feature]
    lines: list[tuple[str, int]] = []
    for link, counts in shared.items():
        shares = {f: agreeing[link, f] / n for f, n in sorted(counts.items()) if n > minimum_pairs}
        lines += [
            (f"{'-'.join(link)}:{feature}", counts[feature])
            for feature in sorted(shares, key=lambda f: -shares[f])
            if shares[feature] > 0.9
        ]
    lines.sort(key=lambda line: line[1], reverse=True)
    total = sum(count for _, count in lines)
    computed, accumulated = [], 0
    for rule, count in lines:
        computed.append(rule)
        accumulated += count
        if accumulated > 0.8 * total:
            break
    return computed


def script_argument_rules(
    sentences: list[Sentence], features: tuple[str, ...], minimum_words: int, divergence: float
) -> dict[str, list[str]]:
    """The rules of argument structure that the authors' scripts write, from printed numbers."""
    unrounded = argument_rules(sentences, features, minimum_words, 0.0, 1e-9)
    results = {}
    for rule, (_, _, exact) in unrounded.items():
        if float(f"{exact:.4f}") < divergence:
            continue
        link, _, rest = rule.rpartition(":")
        feature, bearer = rest.split("@")
        values = Counter(
            _value(word, feature)
            for kind, dependent, head in links(sentences)
            for word in [dependent if bearer == "dependent" else head]
            if "-".join(kind) == link and feature in word.features
        )
        words = values.total()
        allowed = {
            part
            for value, n in values.items()
            if float(f"{n / words:.3f}") >= 0.1
            for part in value.split(",")
        }
        if allowed:
            results[rule] = sorted(allowed)
    return results


def _value(word: Word, feature: str) -> str:
    return ",".join(sorted(word.features[feature]))
