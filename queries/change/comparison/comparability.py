"""What must not be compared, and why."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ....schema.errors import TrackerError
from .sides import Alike, Pairing, StoredScore

_RESCORE = "'tracker keep rescore' brings both up to date"


class IncomparableError(TrackerError):
    """Submissions whose scores say nothing about each other."""


def objections(pairing: Pairing, metrics: Sequence[str]) -> list[str]:
    """Return why two submissions must not be compared by these measures; empty where they may.

    Their treebank must be the same, and what each metric compares with, what analysed the words it
    rests on, its parameters and versions: where the newest scores differ in these, older ones that
    both have will do. A relation rests on its metric, as dea[nsubj] on dea. Metrics that one of
    them is not scored by are no objection: they are undefined.
    """
    found = []
    if not pairing.same_treebank:
        treebanks = f"{pairing.new.treebank_id} and {pairing.base.treebank_id}"
        found.append(f"they are of different treebanks: {treebanks}")
    reasons: dict[str, list[str]] = {}
    for metric, alike in _alike(pairing, metrics).items():
        if not alike.comparable:
            for reason in _reasons(alike.scores, same_treebank=pairing.same_treebank):
                reasons.setdefault(reason, []).append(metric)
    return found + [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]


def check(pairing: Pairing, metrics: Sequence[str], *, force: bool = False) -> list[str]:
    """Return the objections against comparing two submissions.

    Raises IncomparableError where there are any, unless it is forced.
    """
    found = objections(pairing, metrics)
    if found and not force:
        raise refusal(*pairing.ids, found)
    return found


def refusal(new: str, base: str, found: Sequence[str]) -> IncomparableError:
    """Return the error that says why two submissions are not compared."""
    forced = "--force compares them all the same, and says so"
    outdated = any(_RESCORE in objection for objection in found)
    return IncomparableError(
        f"{new} and {base} must not be compared: {'; '.join(found)}",
        hint=f"{_RESCORE}; {forced}" if outdated else forced,
    )


def notes(pairing: Pairing, metrics: Sequence[str]) -> list[str]:
    """Return which metrics are compared by older scores, because the newest are not alike."""
    older = [
        metric
        for metric, alike in _alike(pairing, metrics).items()
        if alike.comparable and not alike.newest
    ]
    if not older:
        return []
    return [f"{', '.join(older)}: compared by older scores, which both have; {_RESCORE}"]


def _alike(pairing: Pairing, measures: Sequence[str]) -> dict[str, Alike]:
    """Return the scores compared by each metric that both are scored by."""
    names = dict.fromkeys(measure.partition("[")[0] for measure in measures)
    found = {name: pairing.alike(name) for name in names}
    return {name: alike for name, alike in found.items() if alike is not None}


def _reasons(scores: Sequence[StoredScore], *, same_treebank: bool) -> list[str]:
    one, other = scores
    found = []
    if one.text_level != other.text_level:
        found.append(
            f"one is compared with the references' {one.text_level}, "
            f"the other with their {other.text_level}"
        )
    if one.tokeniser != other.tokeniser:
        found.append(f"the words were analysed by {one.tokeniser} and by {other.tokeniser}")
    if (one.parameters, one.versions) != (other.parameters, other.versions):
        found.append(f"computed with {_differences(one, other)}; {_RESCORE}")
    if same_treebank and one.data_sha256 != other.data_sha256:
        found.append(f"the treebank's references changed between the scores; {_RESCORE}")
    return found


def _differences(one: StoredScore, other: StoredScore) -> str:
    """Return what differs: metric version 1 and 2."""
    return ", ".join(
        [
            *_unequal(one.parameters, other.parameters, ""),
            *_unequal(one.versions, other.versions, " version"),
        ]
    )


def _unequal(one: str, other: str, kind: str) -> list[str]:
    first, second = json.loads(one), json.loads(other)
    return [
        f"{name}{kind} {first.get(name)} and {second.get(name)}"
        for name in sorted({*first, *second})
        if first.get(name) != second.get(name)
    ]
