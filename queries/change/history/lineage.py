"""Which run was developed from which: chains of runs, branching where one has several children."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sr_tracker.queries.change.history.model import Line, Run


@dataclass(frozen=True)
class Chain:
    """Runs each of which is the only child of the one before, and what follows the last."""

    runs: Sequence[Run]
    branches: Sequence[Chain]


def chains(line: Line) -> list[Chain]:
    """Return the chains that begin with runs whose parent is not in the line.

    The parent is the run a run is compared with, so that runs without a known parent follow the
    iteration before.
    """
    here = {run.submission_id for run in line.runs}
    children: dict[str | None, list[Run]] = {}
    for run in line.runs:
        parent = run.previous_submission_id
        children.setdefault(parent if parent in here else None, []).append(run)
    # Begun anew from a list instead of by recursion: a system may have thousands of runs.
    built: dict[str, Chain] = {}
    for start in _starts(children):
        runs = [start]
        while len(following := children.get(runs[-1].submission_id, [])) == 1:
            runs.append(following[0])
        built[start.submission_id] = Chain(runs, [built[run.submission_id] for run in following])
    return [built[run.submission_id] for run in children.get(None, [])]


def _starts(children: dict[str | None, list[Run]]) -> list[Run]:
    """Return the first run of each chain, those of branches before what they branch from."""
    firsts = {
        run.submission_id
        for parent, found in children.items()
        for run in found
        if parent is None or len(found) > 1
    }
    order = []
    stack = [*children.get(None, [])]
    while stack:
        run = stack.pop()
        order.append(run)
        stack += children.get(run.submission_id, [])
    return [run for run in reversed(order) if run.submission_id in firsts]
