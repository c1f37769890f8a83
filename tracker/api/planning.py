"""Planning an evaluation by people in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.schema.progress import Progress, silent

if TYPE_CHECKING:
    from sr_tracker.queries.people.planning.comparing import ItemPlan, ItemSettings
    from sr_tracker.queries.people.planning.power import PowerPlan, PowerSettings
    from sr_tracker.queries.people.planning.stopping import StopPlan, StopSettings
    from sr_tracker.tracker.api import Tracker


def plan_power(
    tracker: Tracker,
    settings: PowerSettings,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    criterion: str | None = None,
    ranked_by: str = "z",
    progress: Progress = silent,
) -> PowerPlan:
    """Tell how many sentences and annotators tell two systems apart.

    See ``queries.people.planning.power``.
    """
    from sr_tracker.queries.people.planning.judged import Planned
    from sr_tracker.queries.people.planning.power import plan_power

    planned = Planned(campaign, treebank, criterion, ranked_by)
    return plan_power(tracker.database, planned, settings, progress)


def plan_items(
    tracker: Tracker,
    settings: ItemSettings | None = None,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    criterion: str | None = None,
    ranked_by: str = "z",
    progress: Progress = silent,
) -> ItemPlan:
    """Compare ways of choosing sentences to judge; see ``queries.people.planning.comparing``."""
    from sr_tracker.queries.people.planning.comparing import plan_items
    from sr_tracker.queries.people.planning.judged import Planned

    planned = Planned(campaign, treebank, criterion, ranked_by)
    return plan_items(tracker.database, planned, settings, progress)


def plan_stopping(
    tracker: Tracker,
    settings: StopSettings | None = None,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    criterion: str | None = None,
    ranked_by: str = "z",
    progress: Progress = silent,
) -> StopPlan:
    """Tell how likely more judging changes a ranking; see ``queries.people.planning.stopping``."""
    from sr_tracker.queries.people.planning.judged import Planned
    from sr_tracker.queries.people.planning.stopping import plan_stopping

    planned = Planned(campaign, treebank, criterion, ranked_by)
    return plan_stopping(tracker.database, planned, settings, progress)
