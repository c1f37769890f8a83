"""Campaigns and systems: who a name is, decided here alone; made known when first named."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import campaign_treebanks, find_treebank
from ...schema.statements import statement

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
    for reference in sorted(references, key=len, reverse=True):
        if name.endswith(f"-{reference}") and len(name) > len(reference) + 1:
            return name[: -len(reference) - 1], reference
    label, _, read = name.rpartition("-")
    several = read.split(".")
    all_references = all(reference_kind(part, references) for part in several)
    if label and (read in _READ or all_references):
        return label, read
    return name, None


def kind_notes(names: Iterable[str], references: Collection[str] = ()) -> list[str]:
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


_YEAR = re.compile(r"(?:^|\D)((?:19|20)\d\d|\d\d)$")
_IDENTIFIER = re.compile(r"(?!\.\.?$)[^\s/@\u115f\u1160\u2800\u3164\uffa0]+")
"""What addresses can name; the last are letters that look like blanks."""
_JOINERS = "\u200c\u200d"
"""Letters of no width that words of some languages are written with."""
IDENTIFIER_RULE = "a word without blanks, '/', '@' and what cannot be seen"


def register_campaign(
    database: Database,
    campaign_id: str,
    *,
    name: str | None = None,
    year: int | None = None,
    description: str | None = None,
) -> None:
    """Make a campaign known, or add what is said of it; its year may stand in its id (SR19)."""
    check_identifier(campaign_id, "campaign")
    database.connection.execute(
        statement("register_campaign"),
        {
            "id": campaign_id,
            "name": name,
            "year": year,
            "guess": year_in(campaign_id),
            "text": description,
        },
    )


def register_system(
    database: Database,
    system_id: str,
    *,
    team: str | None = None,
    kind: str | None = None,
    description: str | None = None,
    family: str | None = None,
) -> None:
    """Make a system known, or add what is said of it.

    Systems of one ``family`` are what a team sent in over the years.

    Raises InputError for a kind other than team, baseline and human.
    """
    check_identifier(system_id, "system")
    if kind is not None and kind not in SYSTEM_KINDS:
        raise InputError(
            f"'{kind}' is no kind of system", hint=f"a kind is one of {', '.join(SYSTEM_KINDS)}"
        )
    database.connection.execute(
        statement("register_system"),
        {"id": system_id, "team": team, "kind": kind, "text": description, "family": family},
    )


def treebank_named(database: Database, campaign_id: str, name: str) -> str:
    """Return the id of a treebank that a campaign calls by its id or by language and corpus.

    What is not known is returned as it is given: a manifest is read before its treebanks are.

    Raises InputError where several treebanks of the campaign have the short name.
    """
    return find_treebank(database, name, campaign_treebanks(database, campaign_id)) or name


def year_in(campaign_id: str) -> int | None:
    """Return the year at the end of a campaign's id (SR19, WMT2021), None where there is none."""
    match = _YEAR.search(campaign_id)
    if match is None:
        return None
    number = int(match[1])
    return number if number > 99 else 2000 + number


def is_identifier(value: str) -> bool:
    """Return whether a word can be the id of a campaign or a system: IDENTIFIER_RULE."""
    seen = all(letter.isprintable() or letter in _JOINERS for letter in value)
    return seen and _IDENTIFIER.fullmatch(value) is not None and bool(value.strip(_JOINERS))


def check_identifier(value: str, what: str, where: str | None = None) -> None:
    """Raise InputError where a word cannot be the id of a campaign or a system."""
    if not is_identifier(value):
        raise InputError(
            f"'{value}' cannot be the id of a {what}",
            where=where,
            hint=f"use {IDENTIFIER_RULE}",
        )
