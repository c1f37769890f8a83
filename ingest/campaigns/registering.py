"""Campaigns and systems: made known when first named, described by a manifest."""

from __future__ import annotations

import re

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import campaign_treebanks, find_treebank
from ...schema.statements import statement
from .kinds import SYSTEM_KINDS

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


def treebank_named(database: Database, campaign_id: str, given: str) -> str:
    """Return the id of a treebank that a campaign calls by its id or by language and corpus.

    What is not known is returned as it is given: a manifest is read before its treebanks are.

    Raises InputError where several treebanks of the campaign have the short name.
    """
    return find_treebank(database, given, campaign_treebanks(database, campaign_id)) or given


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
