"""Looking after a database: audits, pruning, undoing, tags and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from .given import Filters

if TYPE_CHECKING:
    from ...ingest.undo import Change
    from ...queries.change.versions.pruning import PrunePlan
    from ...queries.checks import Finding
    from . import Tracker


def check(tracker: Tracker) -> list[Finding]:
    """Run the audits and return those that found rows which should not exist.

    >>> db.check()
    []
    """
    from ...queries.checks import run_audits

    return run_audits(tracker.database)


def prune(tracker: Tracker, *, dry_run: bool = False, **filters: Unpack[Filters]) -> PrunePlan:
    """Remove scores that newer ones superseded; see ``queries.change.versions.pruning``.

    >>> db.prune(dry_run=True).scorings
    0
    """
    from ...queries.change.versions.pruning import plan_pruning, prune

    return (plan_pruning if dry_run else prune)(tracker.database, tracker.select(**filters))


def remove(
    tracker: Tracker,
    kind: str,
    name: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Remove a submission, system, treebank or campaign with all that depends on it.

    See ``ingest.undo.removing``. ``treebank`` and ``campaign`` say which submission a name such
    as ours@3 means; ``dry_run`` only tells how many rows of which tables would go.

    >>> db.remove("submission", "random", treebank="en_sample", dry_run=True).rows["output"]
    120
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.remove(tracker.database, kind, target, dry_run=dry_run)


def rename(
    tracker: Tracker,
    kind: str,
    name: str,
    new: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Give a submission, system, treebank or campaign another id; see ``ingest.undo``.

    >>> db.rename("system", "random", "shuffled", dry_run=True).rows["submission"]
    2
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.rename(tracker.database, kind, target, new, dry_run=dry_run)


def tag(
    tracker: Tracker,
    kind: str,
    name: str,
    tags: Mapping[str, str] | None = None,
    *,
    without: Sequence[str] = (),
    treebank: str | None = None,
    campaign: str | None = None,
) -> Change:
    """Tag a submission, system, treebank or campaign; remove the tags ``without``.

    >>> db.tag("system", "random", {"kind": "lower bound"}).rows
    {'tag': 1}
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.tag(tracker.database, kind, target, tags or {}, without=without)


def note(
    tracker: Tracker,
    kind: str,
    name: str,
    text: str,
    *,
    treebank: str | None = None,
    campaign: str | None = None,
) -> Change:
    """Note a text on a submission, system, treebank or campaign; see ``ingest.undo``.

    >>> db.note("campaign", "SAMPLE23", "judged by three").rows
    {'tag': 1}
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.note(tracker.database, kind, target, text)
