"""The runs of a manifest, each after its parent and after its earlier iterations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

from ...schema.database import Database
from ...schema.errors import InputError
from .manifest import Entry, Manifest
from .registering import treebank_named
from .runs import Run, check_given


def ordered_runs(database: Database, manifest: Manifest) -> list[tuple[Entry, Run]]:
    """Return the runs so that each comes after its parent and after its earlier iterations.

    Raises InputError where two files are the same run, or runs are each other's parents.
    """
    campaign_id = manifest.campaign["id"]
    runs: dict[str, tuple[Entry, Run]] = {}
    treebank_of = cache(partial(treebank_named, database, campaign_id))
    for entry in manifest.submissions:
        run = _run(entry, campaign_id, treebank_of)
        twin = runs.get(run.submission_id())
        if twin is not None:
            raise InputError(
                f"{twin[0].path.name} and {entry.path.name} are both '{run.submission_id()}'",
                where=entry.where,
                hint="give them different systems or iterations",
            )
        runs[run.submission_id()] = (entry, run)
    waiting = _needed_runs(runs)
    ordered: list[tuple[Entry, Run]] = []
    while waiting:
        ready = [name for name, needed in waiting.items() if waiting.keys().isdisjoint(needed)]
        if not ready:
            name = next(iter(waiting))
            raise InputError(
                f"'{name}' has itself among its parents",
                where=runs[name][0].where,
                hint="the parent is the run that this one was developed from",
            )
        for name in ready:
            del waiting[name]
        ordered.extend(runs[name] for name in ready)
    return ordered


def _needed_runs(runs: Mapping[str, tuple[Entry, Run]]) -> dict[str, list[str]]:
    """Return, for each run, its parent and its previous iteration, sorted by system."""
    needed: dict[str, list[str]] = {}
    previous: tuple[str, Run] | None = None
    for name, (_, run) in sorted(runs.items(), key=_place):
        same = previous is not None and line_of(previous[1]) == line_of(run)
        needed[name] = [previous[0]] if previous is not None and same else []
        if run.parent_submission_id is not None:
            needed[name].append(run.parent_submission_id)
        previous = (name, run)
    return needed


def _place(named: tuple[str, tuple[Entry, Run]]) -> tuple[str, str, int]:
    _, (_, run) = named
    return *line_of(run), run.iteration or 1


def line_of(run: Run) -> tuple[str, str]:
    """Return what the iterations of one system have in common within a campaign."""
    return run.system_id, run.treebank_id


def _run(entry: Entry, campaign_id: str, treebank_of: Callable[[str], str]) -> Run:
    values = entry.values
    system = values.get("system", values.get("team"))
    if system is None or values.get("treebank") is None:
        raise InputError(
            f"the system or the treebank of {entry.path.name} is not known",
            where=entry.where,
            hint="give system and treebank, or {system} and {treebank} in the path",
        )
    given = {
        name: values[name]
        for name in (
            *("track", "created_at", "reference_form", "params", "tags"),
            *("id_column", "text_column", "accept_mismatch"),
        )
        if name in values
    }
    run = Run(
        campaign_id=campaign_id,
        system_id=system,
        treebank_id=treebank_of(values["treebank"]),
        iteration=values.get("iteration", 1),
        parent_submission_id=values.get("parent"),
        **given,
    )
    check_given(run, entry.where)
    return run
