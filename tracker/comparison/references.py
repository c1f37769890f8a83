"""Naming a submission: by its id, or as an iteration of a system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from queries.catalog import statement
from schema.database import Database
from schema.errors import InputError, UnknownNameError
from tracker.comparison.model import Side

FIRST, PREVIOUS, LATEST, BEST = "first", "previous", "latest", "best:"
_FORMS = "write SYSTEM@3, @first, @previous, @latest or @best:MEASURE"


@dataclass(frozen=True)
class _Run:
    submission_id: str
    campaign_id: str
    system_id: str
    treebank_id: str
    track: str
    iteration: int

    @property
    def line(self) -> tuple[str, str, str]:
        """What the iterations of one system have in common."""
        return self.campaign_id, self.treebank_id, self.track


def resolve(
    database: Database, text: str, *, treebank: str | None = None, campaign: str | None = None
) -> str:
    """Return the id of the submission that ``text`` names.

    That is an id as it is, or SYSTEM@WHICH: an iteration's number, ``first``, ``latest``,
    ``previous`` (the one before the latest) or ``best:MEASURE`` (of the view submission_measures;
    the earliest of equals). Instead of SYSTEM, the id of its first iteration tells campaign and
    treebank as well. A system with a single run needs no @WHICH.

    Raises UnknownNameError for what is not there, InputError where several runs are meant.
    """
    runs = _runs(database)
    if any(run.submission_id == text for run in runs):
        return text
    name, _, which = text.partition("@")
    named = [run for run in runs if name in (run.system_id, run.submission_id.partition("@")[0])]
    if not named:
        raise UnknownNameError(
            f"there is no submission or system '{text}'",
            hint="'tracker show submissions' lists what is loaded",
        )
    wanted = [
        run
        for run in named
        if treebank in (None, run.treebank_id) and campaign in (None, run.campaign_id)
    ]
    if not wanted:
        given = " and ".join(f"'{value}'" for value in (campaign, treebank) if value)
        raise UnknownNameError(
            f"'{name}' has no submission for {given}", hint=f"it has {_listed(named)}"
        )
    chosen = [
        run
        for line in sorted({run.line for run in wanted})
        for run in _chosen(database, [run for run in wanted if run.line == line], which, text)
    ]
    if len(chosen) == 1:
        return chosen[0].submission_id
    if not chosen:
        raise UnknownNameError(f"there is no '{text}'", hint=f"there are {_listed(wanted)}")
    raise InputError(
        f"'{text}' may be one of {len(chosen)} submissions: {_listed(chosen)}",
        hint=_narrower(chosen),
    )


def read_side(database: Database, submission_id: str) -> Side:
    """Return what there is to say of a submission. Raises UnknownNameError where there is none."""
    row = database.connection.execute(
        "SELECT submission_id, campaign_id, year, system_id, iteration, treebank_id, language, "
        "reference_form, analysis, created_at FROM submission "
        "LEFT JOIN campaign USING (campaign_id) LEFT JOIN treebank USING (treebank_id) "
        "WHERE submission_id = ?",
        [submission_id],
    ).fetchone()
    if row is None:
        raise UnknownNameError(
            f"there is no submission '{submission_id}'",
            hint="'tracker show submissions' lists what is loaded",
        )
    return Side(*row)


def _runs(database: Database) -> list[_Run]:
    rows = database.connection.execute(
        "SELECT submission_id, campaign_id, system_id, treebank_id, track, iteration "
        "FROM submission ORDER BY campaign_id, treebank_id, track, iteration, submission_id"
    ).fetchall()
    return [_Run(*row) for row in rows]


def _chosen(database: Database, runs: Sequence[_Run], which: str, text: str) -> list[_Run]:
    """Return the run that is meant of one system's iterations; all of them where none is named."""
    if not which:
        return [*runs]
    if which.isdecimal():
        return [run for run in runs if run.iteration == int(which)]
    if which == FIRST:
        return [runs[0]]
    if which == LATEST:
        return [runs[-1]]
    if which == PREVIOUS:
        return [*runs[-2:-1]]
    if which.startswith(BEST):
        return _best(database, runs, which.removeprefix(BEST))
    raise InputError(f"'@{which}' in '{text}' says nothing", hint=_FORMS)


def _best(database: Database, runs: Sequence[_Run], measure: str) -> list[_Run]:
    submissions = [run.submission_id for run in runs]
    found = database.connection.execute(
        statement("compared_best"), {"submissions": submissions, "measure": measure}
    ).fetchone()
    if found is None:
        raise UnknownNameError(
            f"no run of '{runs[0].system_id}' has the measure '{measure}'",
            hint="'tracker show submission_measures' lists the measures",
        )
    return [run for run in runs if run.submission_id == found[0]]


def _listed(runs: Sequence[_Run]) -> str:
    shown = [run.submission_id for run in runs[:10]]
    more = [f"and {len(runs) - 10} more"] if len(runs) > 10 else []
    return ", ".join([*shown, *more])


def _narrower(runs: Sequence[_Run]) -> str:
    if len({run.line for run in runs}) == 1:
        return _FORMS
    if len({run.treebank_id for run in runs}) > 1:
        return "say which with --treebank, or give one of these ids"
    if len({run.campaign_id for run in runs}) > 1:
        return "say which with --campaign, or give one of these ids"
    return "give one of these ids"
