"""Planning an evaluation by people in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...schema.progress import Progress, silent
from .given import Fields, settings_of

if TYPE_CHECKING:
    from ...queries.people.planning.comparing import ItemPlan, ItemSettings
    from ...queries.people.planning.power import PowerPlan, PowerSettings
    from ...queries.people.planning.stopping import StopPlan, StopSettings
    from . import Tracker


def plan_power(
    tracker: Tracker,
    settings: PowerSettings | Fields,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    criterion: str | None = None,
    ranked_by: str = "z",
    progress: Progress = silent,
) -> PowerPlan:
    """Tell how many sentences and annotators tell two systems apart.

    See ``queries.people.planning.power``.

    >>> sizes = {"difference": 10, "items": [50], "annotators": [1], "replicates": 100}
    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> plan = db.plan_power(sizes, **test_set, criterion="fluency", ranked_by="raw")
    >>> round(plan.rows[0].expected, 2)
    0.75
    """
    from ...queries.people.planning import Planned
    from ...queries.people.planning.power import PowerSettings, plan_power

    planned = Planned(campaign, treebank, criterion, ranked_by)
    return plan_power(tracker.database, planned, settings_of(PowerSettings, settings), progress)


def plan_items(
    tracker: Tracker,
    settings: ItemSettings | Fields | None = None,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    criterion: str | None = None,
    ranked_by: str = "z",
    progress: Progress = silent,
) -> ItemPlan:
    """Compare ways of choosing sentences to judge; see ``queries.people.planning.comparing``.

    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> plan = db.plan_items({"items": [20], "replicates": 10}, **test_set, criterion="fluency")
    >>> len(plan.rows)  # one for each way of choosing them
    4
    """
    from ...queries.people.planning import Planned
    from ...queries.people.planning.comparing import ItemSettings, plan_items

    planned = Planned(campaign, treebank, criterion, ranked_by)
    return plan_items(tracker.database, planned, settings_of(ItemSettings, settings), progress)


def plan_stopping(
    tracker: Tracker,
    settings: StopSettings | Fields | None = None,
    *,
    campaign: str | None = None,
    treebank: str | None = None,
    criterion: str | None = None,
    ranked_by: str = "z",
    progress: Progress = silent,
) -> StopPlan:
    """Tell how likely more judging changes a ranking; see ``queries.people.planning.stopping``.

    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> db.plan_stopping(**test_set, criterion="fluency").clusters
    2
    """
    from ...queries.people.planning import Planned
    from ...queries.people.planning.stopping import StopSettings, plan_stopping

    planned = Planned(campaign, treebank, criterion, ranked_by)
    return plan_stopping(tracker.database, planned, settings_of(StopSettings, settings), progress)
