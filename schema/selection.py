"""Which submissions are selected: by campaign, year, system, treebank, language, or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .database import Database
from .errors import InputError, UnknownNameError
from .iterations import list_submissions, read_runs, resolve_submission
from .names import KINDS, resolve_name, resolve_treebank, unknown_name

FILTERS = ("submission", "campaign", "year", "system", "treebank", "language")
"""By what submissions are selected."""
COLUMNS = {kind: kind if kind in ("year", "language") else f"{kind}_id" for kind in FILTERS}
"""The columns that hold what they select by."""
SELECTED = (
    "submission LEFT JOIN treebank USING (treebank_id) "
    "LEFT JOIN (SELECT campaign_id, year FROM campaign) USING (campaign_id)"
)
"""What has these columns, in SQL: a row per submission."""
Names: TypeAlias = str | int | Sequence[str | int] | None
"""One name (years may be numbers), several of which any will do, or None for no restriction."""


def as_names(names: Names) -> list[str]:
    """Return names as a list without repetitions, empty where there is no restriction."""
    several = [names] if isinstance(names, str | int) else names or ()
    return list(dict.fromkeys(map(str, several)))


def resolve_filters(database: Database, filters: Mapping[str, Names]) -> dict[str, list[str]]:
    """Return the ids that filters (among FILTERS) stand for; those without a name are left out.

    A short treebank name is looked up among the treebanks that the selected campaigns, years,
    systems and languages have submissions to. Raises UnknownNameError and InputError as for single
    names.
    """
    names_of = {name: names for name in FILTERS if (names := as_names(filters.get(name)))}
    ids_of = {
        kind: [resolve_name(database, kind, name) for name in names_of[kind]]
        for kind in KINDS
        if kind in names_of
    }
    if "treebank" in names_of:
        among = {row[1] for row in _selected(database, ids_of)}
        ids_of["treebank"] = [
            resolve_treebank(database, name, among) for name in names_of["treebank"]
        ]
    if "submission" in names_of:
        narrower = {
            kind: ids_of[kind][0]
            for kind in ("campaign", "treebank")
            if len(ids_of.get(kind, ())) == 1
        }
        ids_of["submission"] = (
            [resolve_submission(database, name, **narrower) for name in names_of["submission"]]
            if narrower
            else list_submissions(database, names_of["submission"])
        )
    return ids_of


def select_submissions(database: Database, filters: Mapping[str, Names]) -> list[str]:
    """Return the ids of the submissions that pass all filters, all of them without any.

    Raises UnknownNameError where a name is not there or none passes, InputError where a name
    stands for several.
    """
    submissions = passing(database, resolve_filters(database, filters))
    if not submissions:
        wanted = ", ".join(
            f"{kind} '{name}'" for kind in FILTERS for name in as_names(filters.get(kind))
        )
        raise UnknownNameError(
            f"there is no submission of {wanted}" if wanted else "there is no submission",
            hint="'tracker show submissions' lists what is loaded",
        )
    return submissions


def passing(database: Database, chosen: Mapping[str, list[str]]) -> list[str]:
    """Return the ids of the submissions that have one of the ids of each filter, perhaps none."""
    return [submission_id for submission_id, _ in _selected(database, chosen)]


def add_name(database: Database, name: str, filters: Mapping[str, Names]) -> dict[str, Names]:
    """Return the filters with a name added: of a submission, a system or a campaign.

    Raises UnknownNameError where nothing has the name, InputError where several kinds have it, or
    the filters name another one of its kind.
    """
    runs = read_runs(database)
    names_of = {
        "submission": {run.submission_id for run in runs},
        "system": {run.system_id for run in runs},
        "campaign": {run.campaign_id for run in runs},
    }
    kinds = [kind for kind, names in names_of.items() if name in names]
    if len(kinds) > 1:
        raise InputError(
            f"'{name}' is the name of a {' and of a '.join(kinds)}",
            hint="say which: " + " or ".join(f"--{kind} {name}" for kind in kinds),
        )
    if not kinds and any(name.partition("@")[0] in run.names for run in runs):
        kinds, name = ["submission"], resolve_submission(database, name)
    if not kinds:
        raise unknown_name(
            "submission, system or campaign with outputs", name, set().union(*names_of.values())
        )
    (kind,) = kinds
    other = [other_name for other_name in as_names(filters.get(kind)) if other_name != name]
    if other:
        raise InputError(
            f"two {kind}s are named: '{name}' and '{other[0]}'", hint=f"name one {kind}"
        )
    return {**filters, kind: name}


def _selected(database: Database, chosen: Mapping[str, list[str]]) -> list[tuple[str, str]]:
    """Return the submissions, with their treebanks, that have one of the ids of each filter."""
    conditions = [f"list_contains(${kind}, {COLUMNS[kind]}::VARCHAR)" for kind in chosen]
    return database.connection.execute(
        f"SELECT submission_id, treebank_id FROM {SELECTED} "  # noqa: S608
        f"WHERE {' AND '.join(['true', *conditions])} ORDER BY submission_id",
        dict(chosen),
    ).fetchall()
