"""Submissions by name (ids, and iterations of a system such as ours@latest) and by filters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from .brief import listed, plural
from .database import Database
from .errors import InputError, UnknownNameError
from .names import KINDS, SHORT_NAME, resolve_name, resolve_treebank, unknown_name
from .parameters import parse_moment
from .statements import read_tuples

FIRST, PREVIOUS, LATEST, BEST = "first", "previous", "latest", "best:"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FORMS = "write SYSTEM@3, @first, @previous, @latest, @best:MEASURE or @2020-06-12"


@dataclass(frozen=True)
class Run:
    """A submission, as far as it is named."""

    submission_id: str
    campaign_id: str
    system_id: str
    treebank_id: str
    short_name: str | None
    track: str
    iteration: int

    @property
    def line(self) -> tuple[str, str, str]:
        """What the iterations of one system have in common."""
        return self.campaign_id, self.treebank_id, self.track

    @property
    def names(self) -> tuple[str, str, str]:
        """What all iterations are called by: system, id of the first, the same with short name."""
        first = f"{self.campaign_id}/{self.system_id}/"
        return self.system_id, first + self.treebank_id, f"{first}{self.short_name}"


def resolve_submission(
    database: Database, name: str, *, treebank: str | None = None, campaign: str | None = None
) -> str:
    """Return the id of the submission that a name stands for.

    That is an id as it is, or SYSTEM@WHICH: an iteration's number, ``first``, ``latest``,
    ``previous`` (the one before the latest) or ``best:MEASURE`` (of the view submission_measures;
    the earliest of equals), or a date: the last run made until the end of that day, UTC. Instead of
    SYSTEM, the id of its first iteration tells campaign and
    treebank as well (also by its short name). A system with a single run needs no @WHICH.

    Raises UnknownNameError for what is not there, InputError where several runs are meant.
    """
    name = str(name)
    if treebank is campaign is None and _is_id(database, name):
        return name
    runs = read_runs(database)
    called, _, which = name.partition("@")
    exact = [run for run in runs if run.submission_id == name]
    named = exact or [run for run in runs if called in run.names]
    if not named:
        names = {name_of_run for run in runs for name_of_run in (run.submission_id, run.system_id)}
        raise unknown_name(
            "submission",
            called,
            names,
            hint="'tracker show submission_overview' lists what is loaded",
        )
    if campaign is not None:
        campaign = resolve_name(database, "campaign", campaign)
    if treebank is not None:
        treebank = resolve_treebank(database, treebank, {run.treebank_id for run in named})
    wanted = [
        run
        for run in named
        if treebank in (None, run.treebank_id) and campaign in (None, run.campaign_id)
    ]
    if not wanted:
        narrower = " and ".join(f"'{value}'" for value in (campaign, treebank) if value)
        raise UnknownNameError(
            f"there is no submission '{name}' for {narrower}", hint=f"there are {_listed(named)}"
        )
    if exact:
        return name
    chosen = [
        run
        for line in sorted({run.line for run in wanted})
        for run in _chosen(database, [run for run in wanted if run.line == line], which, name)
    ]
    if len(chosen) == 1:
        return chosen[0].submission_id
    if not chosen:
        raise UnknownNameError(
            f"there is no submission '{name}'", hint=f"there are {_listed(wanted)}"
        )
    raise InputError(
        f"'{name}' may be one of {plural(len(chosen), 'submission')}: {_listed(chosen)}",
        hint=_narrower(chosen),
    )


def _is_id(database: Database, name: str) -> bool:
    """Return whether a name is the id of a submission: that needs no list of all runs."""
    row = database.connection.execute(
        "SELECT count(*) FROM submission WHERE submission_id = ?", [name]
    ).fetchone()
    return row == (1,)


def resolve_parent(database: Database, name: str, treebank: str, campaign: str) -> str:
    """Return the id of the submission that another one is developed from, or compared with.

    A system alone (ours@3) is meant on the other's treebank and in its campaign.
    """
    if "/" in name:
        return resolve_submission(database, name)
    return resolve_submission(database, name, treebank=treebank, campaign=campaign)


def resolve_submissions(database: Database, names: Iterable[str] | None) -> list[str] | None:
    """Return the ids of the submissions that names stand for; None, for all, stays None."""
    if names is None:
        return None
    wanted = list(dict.fromkeys(names))
    rows = database.connection.execute(
        "SELECT submission_id FROM submission WHERE list_contains(?::VARCHAR[], submission_id)",
        [wanted],
    ).fetchall()
    there = {submission_id for (submission_id,) in rows}
    ids = (name if name in there else resolve_submission(database, name) for name in wanted)
    return list(dict.fromkeys(ids))


def list_submissions(database: Database, names: Iterable[str] | None) -> list[str]:
    """Return the ids of the submissions that names stand for, of all submissions for None."""
    ids = resolve_submissions(database, names)
    if ids is not None:
        return ids
    rows = database.connection.execute("SELECT submission_id FROM submission ORDER BY ALL")
    return [submission_id for (submission_id,) in rows.fetchall()]


def unknown_measure(
    database: Database, name: str, submissions: Sequence[str] | None = None, message: str = ""
) -> UnknownNameError:
    """Return the error for a measure that nothing is measured by, or none of some submissions."""
    rows = database.connection.execute(
        "SELECT DISTINCT measure FROM submission_measures "
        "WHERE $all OR list_contains($submissions, submission_id)",
        {"all": submissions is None, "submissions": list(submissions or ())},
    ).fetchall()
    return unknown_name(
        "measure",
        name,
        (measure for (measure,) in rows),
        message=message or None,
        hint="'tracker show submission_measures' lists them, 'tracker score' computes what is "
        "missing",
    )


def read_runs(database: Database) -> list[Run]:
    """Return all submissions, each system's in the order of its iterations."""
    rows = database.connection.execute(
        f"SELECT submission_id, campaign_id, system_id, treebank_id, {SHORT_NAME}, track, "  # noqa: S608
        "iteration FROM submission LEFT JOIN treebank USING (treebank_id) "
        "ORDER BY campaign_id, treebank_id, track, iteration, submission_id"
    ).fetchall()
    return [Run(*row) for row in rows]


def runs_of_line(database: Database, submission: str) -> list[str]:
    """Return the ids of the runs of a submission's system, on its treebank in its campaign."""
    runs = read_runs(database)
    (line,) = {run.line for run in runs if run.submission_id == submission}
    return [run.submission_id for run in runs if run.line == line]


def _chosen(database: Database, runs: Sequence[Run], which: str, text: str) -> list[Run]:
    """Return the run that is meant of one system's iterations; all of them where none is named."""
    if not which:
        return [*runs]
    if which.isdecimal():
        return [run for run in runs if str(run.iteration) == which.lstrip("0")]
    if which == FIRST:
        return [runs[0]]
    if which == LATEST:
        return [runs[-1]]
    if which == PREVIOUS:
        return [*runs[-2:-1]]
    if which.startswith(BEST):
        return _best(database, runs, which.removeprefix(BEST))
    if _DATE.match(which):
        return _then(database, runs, parse_moment(which))
    raise InputError(f"'@{which}' in '{text}' says nothing", hint=_FORMS)


def _then(database: Database, runs: Sequence[Run], moment: datetime) -> list[Run]:
    """Return the run that was the last one made until a moment; none where all are later."""
    submissions = [run.submission_id for run in runs]
    then = read_tuples(database, "run_then", submissions=submissions, moment=moment)
    return [run for run in runs if (run.submission_id,) in then]


def _best(database: Database, runs: Sequence[Run], measure: str) -> list[Run]:
    submissions = [run.submission_id for run in runs]
    best = read_tuples(database, "best_run", submissions=submissions, measure=measure)
    if not best:
        message = f"no run of '{runs[0].system_id}' has the measure '{measure}'"
        raise unknown_measure(database, measure, submissions, message)
    return [run for run in runs if (run.submission_id,) in best]


def _listed(runs: Sequence[Run]) -> str:
    return listed([run.submission_id for run in runs])


def _narrower(runs: Sequence[Run]) -> str:
    if len({run.line for run in runs}) == 1:
        return _FORMS
    if len({run.treebank_id for run in runs}) > 1:
        return "say which with --treebank, or give one of these ids"
    if len({run.campaign_id for run in runs}) > 1:
        return "say which with --campaign, or give one of these ids"
    return "give one of these ids"


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
            hint="'tracker show submission_overview' lists what is loaded",
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
