"""Who a name is: a human reference, a made-up one, a baseline or a team; decided here alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

TEAM, BASELINE, HUMAN = SYSTEM_KINDS = ("team", "baseline", "human")
_READ = ("src", "all")
"""What metrics read besides references: the source, or all that there is."""
_REFERENCE = re.compile(r"ref(erence)?s?[A-Z0-9]?", re.IGNORECASE)
_PEOPLE = re.compile(r"human[A-Z0-9]?", re.IGNORECASE)
_LETTER = re.compile(r"[A-Z0-9]", re.IGNORECASE)
_PARTS = re.compile(r"[-_.]+")
_BASELINE = re.compile(r"baseline([-_.].*)?", re.IGNORECASE)


def reference_kind(name: str, references: Collection[str] = ()) -> str | None:
    """Return of what kind a reference of a name is: human, baseline (made up); None: it is none.

    Human references are called ref, refA, ref-B, reference_1, HUMAN or HUMAN.0, or are among the
    ``references`` that are known otherwise. With any other word beside that, as in synthetic_ref,
    they are made up, whichever list they are in.
    """
    parts = [part for part in _PARTS.split(name) if part]
    called = [part for part in parts if _REFERENCE.fullmatch(part) or _PEOPLE.fullmatch(part)]
    others = [part for part in parts if part not in called and not _LETTER.fullmatch(part)]
    if called:
        return BASELINE if others else HUMAN
    return HUMAN if name in references else None


def kind_of(name: str, references: Collection[str] = ()) -> str:
    """Return the kind of a system by its name, and by the names of references that are known."""
    if _BASELINE.fullmatch(name):
        return BASELINE
    return reference_kind(name, references) or TEAM


def split_input(name: str, references: Collection[str] = ()) -> tuple[str, str | None]:
    """Return the metric and what it read, which a name such as COMET-refA or YiSi-2-src ends with.

    What it read is None where the name does not say it; it may be several references (refA.refB).
    """
    for known in sorted(references, key=len, reverse=True):
        if name.endswith(f"-{known}") and len(name) > len(known) + 1:
            return name[: -len(known) - 1], known
    label, _, read = name.rpartition("-")
    several = read.split(".")
    known_kind = all(reference_kind(part, references) for part in several)
    if label and (read in _READ or known_kind):
        return label, read
    return name, None


def kinds_told(names: Iterable[str], references: Collection[str] = ()) -> list[str]:
    """Return what names were taken for that are no teams', and how that is put right."""
    of_kind: dict[str, list[str]] = {}
    for name in sorted({*names}):
        reference = reference_kind(name, references)
        what = {HUMAN: "human references", BASELINE: "made-up references, which are baselines"}
        taken = what[reference] if reference else "baselines"
        if kind_of(name, references) != TEAM:
            of_kind.setdefault(taken, []).append(name)
    right = "'kind' under [[systems]] in a campaign's manifest says otherwise"
    return [f"taken for {what}: {', '.join(of)}; {right}" for what, of in sorted(of_kind.items())]
