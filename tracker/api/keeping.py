"""Looking after a database: audits, pruning, undoing, tags and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Unpack

from ...schema.address import LakeAddress
from ...schema.engine import spill
from ...schema.errors import InputError
from ...schema.folders import HeldFolder
from ...schema.parameters import DryRun, ItsCampaign, ItsTreebank, Kind, Name, Option
from .methods import Filters

if TYPE_CHECKING:
    from ...ingest.undo import Change
    from ...queries.catalog import Finding
    from ...queries.change.versions.pruning import PrunePlan
    from .tracker import Tracker


def check(tracker: Tracker) -> list[Finding]:
    """Run the audits: rows that should not exist. Exit with 0 where there are none.

    Returns those that found rows which should not exist.

    >>> db.check()
    []
    """
    from ...queries.catalog import open_installed, run_audits

    place = getattr(tracker.database, "place", None)
    if not isinstance(place, LakeAddress):
        return run_audits(tracker.database)
    with (
        HeldFolder("audits") as folder,
        open_installed(place, read_only=True, wait_seconds=tracker.wait, say=tracker.say) as lake,
    ):
        spill(lake, folder)
        return run_audits(lake)


def prune(tracker: Tracker, *, dry_run: DryRun = False, **filters: Unpack[Filters]) -> PrunePlan:
    """Show the space that superseded scores and analyses take, and free it.

    The newest scoring of each metric, the newest analysis of each kind and settings, and what
    they rest on always stay. 'tracker show superseded_scorings' lists the old scores.

    Returns what was freed, or would be; see ``queries.change.versions.pruning``.

    >>> db.prune(dry_run=True).scorings
    0
    """
    from ...queries.change.versions.pruning import plan_pruning, prune

    return (plan_pruning if dry_run else prune)(tracker.database, tracker.select(**filters))


def remove(
    tracker: Tracker,
    kind: Kind,
    name: Name,
    *,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    dry_run: DryRun = False,
) -> Change:
    """Remove a submission, system, treebank or campaign, with all that depends on it.

    Shows first how many rows of which tables go. Files and MLflow runs stay.

    Returns how many rows of which tables went, or would go; see ``ingest.undo.removing``.

    >>> db.remove("submission", "random", treebank="en_sample", dry_run=True).rows["output"]
    120
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.remove(tracker.database, kind, target, dry_run=dry_run)


def rename(
    tracker: Tracker,
    kind: Kind,
    name: Name,
    new: str,
    *,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
    dry_run: DryRun = False,
) -> Change:
    """Give a submission, system, treebank or campaign another id, wherever it is named.

    Of a submission, NEW is @4 (its iteration), SYSTEM@4 or the whole id.

    Returns how many rows of which tables were changed, or would be; see ``ingest.undo``.

    >>> db.rename("system", "random", "shuffled", dry_run=True).rows["submission"]
    2
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.rename(tracker.database, kind, target, new, dry_run=dry_run)


def _tags(texts: Sequence[str]) -> dict[str, str]:
    """Return the tags that texts such as kind=baseline say."""
    pairs = [text.partition("=") for text in texts]
    if not all(sign for _, sign, _ in pairs):
        raise InputError("a tag lacks its value", hint="write TAG=VALUE")
    return {name: value for name, _, value in pairs}


def tag(
    tracker: Tracker,
    kind: Kind,
    name: Name,
    tags: Annotated[
        Mapping[str, str] | None,
        Option(argument=True, metavar="[TAG=VALUE]...", convert=_tags),
    ] = None,
    *,
    without: Annotated[Sequence[str], Option("Remove this tag; repeatable.", metavar="TAG")] = (),
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
) -> Change:
    """Tag a submission, system, treebank or campaign, or remove tags.

    Tags of submissions are shown by views, and by MLflow after 'tracker share sync'.

    Returns what changed. Raises InputError where no tag is named.

    >>> db.tag("system", "random", {"kind": "lower bound"}).rows
    {'tag': 1}
    """
    from ...ingest import undo

    if tags is None and not without:
        raise InputError("there is no tag", hint="write TAG=VALUE")
    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.tag(tracker.database, kind, target, tags or {}, without=without)


def note(
    tracker: Tracker,
    kind: Kind,
    name: Name,
    text: str,
    *,
    treebank: ItsTreebank = None,
    campaign: ItsCampaign = None,
) -> Change:
    """Note a text on a submission, system, treebank or campaign: its tag 'note'.

    An empty text removes it.

    Returns what changed.

    >>> db.note("campaign", "SAMPLE23", "judged by three").rows
    {'tag': 1}
    """
    from ...ingest import undo

    target = undo.resolve(tracker.database, kind, name, treebank=treebank, campaign=campaign)
    return undo.note(tracker.database, kind, target, text)
