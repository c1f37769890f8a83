"""Which submissions an ensemble takes outputs from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...schema.database import Database
from ...schema.errors import InputError, UnknownNameError
from ...schema.iterations import LATEST, resolve_submission
from ...schema.names import check_names
from ...schema.statements import read_tuples, statement


@dataclass(frozen=True)
class Candidate:
    """A submission that an ensemble may take outputs from."""

    submission_id: str
    campaign_id: str
    system_id: str
    iteration: int
    reference_form: str
    analysis: str
    track: str
    dea: float | None

    @property
    def name(self) -> str:
        """How ``systems`` names it: the system, with @iteration after the first."""
        return self.system_id if self.iteration == 1 else f"{self.system_id}@{self.iteration}"


def members_of(
    database: Database,
    treebank_id: str,
    name: str,
    *,
    campaign: str | None = None,
    systems: Sequence[str] | None = None,
    all_iterations: bool = False,
) -> list[Candidate]:
    """Return the members of the ensemble called ``name``, in the order of their ids.

    See ``tracker.making.make_ensemble`` for who that is and for what it raises.
    """
    candidates = _candidates(database, treebank_id, campaign, name, named=systems is not None)
    if systems is not None:
        ids = {
            submission_id
            for given in systems
            for submission_id in _named(
                database, given, treebank_id, campaign, all_iterations=all_iterations
            )
        }
        check_names("member", ids, {each.submission_id for each in candidates}, where=name)
        members = [each for each in candidates if each.submission_id in ids]
    else:
        members = candidates if all_iterations else _latest(candidates)
    members.sort(key=lambda member: member.submission_id)
    campaigns = sorted({member.campaign_id for member in members})
    if len(campaigns) > 1:
        raise InputError(
            f"treebank '{treebank_id}' has submissions in several campaigns",
            hint=f"choose one with --campaign: {', '.join(campaigns)}",
        )
    if len(members) < 2:
        raise InputError(
            f"an ensemble needs two submissions, there "
            f"{'is' if len(members) == 1 else 'are'} {len(members)}",
            hint="'tracker show submissions' lists them; --all-iterations takes every iteration "
            "of a system",
        )
    _check_comparable(members)
    return members


def _candidates(
    database: Database, treebank_id: str, campaign: str | None, name: str, *, named: bool
) -> list[Candidate]:
    """Return what may take part; human references and ensembles only where systems are named."""
    rows = database.connection.execute(
        statement("ensemble_candidates"),
        {"treebank_id": treebank_id, "campaign": campaign, "name": name, "named": named},
    ).fetchall()
    if campaign is not None and not rows:
        raise UnknownNameError(
            f"there is no submission for '{treebank_id}' in campaign '{campaign}'",
            hint="'tracker show submissions' lists what is loaded",
        )
    return [Candidate(*row) for row in rows]


def _latest(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return each system's last candidate; they come in the order of iterations."""
    return list({(each.campaign_id, each.system_id): each for each in candidates}.values())


def _named(
    database: Database, given: str, treebank_id: str, campaign: str | None, *, all_iterations: bool
) -> list[str]:
    """Return the submission that is named, of a system its latest, or all of its iterations."""
    which = given if "@" in given else f"{given}@{LATEST}"
    found = resolve_submission(database, which, treebank=treebank_id, campaign=campaign)
    if not all_iterations or "@" in given:
        return [found]
    rows = read_tuples(database, "all_iterations", submission=found)
    return [submission_id for (submission_id,) in rows]


def _check_comparable(members: Sequence[Candidate]) -> None:
    for attribute, what in (
        ("reference_form", "are compared with different forms of the references"),
        ("analysis", "were turned into words by different analysers"),
        ("track", "are of different tracks"),
    ):
        values = {getattr(each, attribute): each.submission_id for each in members}
        if len(values) > 1:
            named = ", ".join(f"{value} ({values[value]})" for value in sorted(values))
            raise InputError(
                f"the submissions {what}: {named}",
                hint="name submissions that have it in common with --systems",
            )
    unscored = [each.submission_id for each in members if each.dea is None]
    if unscored:
        raise InputError(f"submission '{unscored[0]}' has no DEA", hint="run 'tracker score'")
