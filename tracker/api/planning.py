"""Planning an evaluation by people: in Python, and by ``tracker examination plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from ...schema.parameters import Campaign, Option, Treebank
from ...schema.progress import Progress, silent
from .given import Fields, settings_of

if TYPE_CHECKING:
    from ...queries.examination.planning.comparing import ItemPlan, ItemSettings
    from ...queries.examination.planning.power import PowerPlan, PowerSettings
    from ...queries.examination.planning.stopping import StopPlan, StopSettings
    from .tracker import Tracker

OfCampaign: TypeAlias = Annotated[
    Campaign | None, Option("The campaign, where several were judged.")
]
OfTreebank: TypeAlias = Annotated[
    Treebank | None, Option("The test set, where several were judged.")
]
OfCriterion: TypeAlias = Annotated[str | None, Option("What was judged, where that is several.")]
RankedBy: TypeAlias = Annotated[
    Literal["z", "raw"],
    Option("Which scores: standardised by annotator, or raw.", flag="--rank-by"),
]


def plan_power(
    tracker: Tracker,
    settings: PowerSettings | Fields | None = None,
    *,
    campaign: OfCampaign = None,
    treebank: OfTreebank = None,
    criterion: OfCriterion = None,
    ranked_by: RankedBy = "z",
    progress: Progress = silent,
    **fields: Any,
) -> PowerPlan:
    """Tell how many sentences and annotators it takes to tell two systems apart.

    Simulated from stored judgements, with the closed form beside it.

    Returns a PowerPlan. ``fields`` are those of ``settings``, see
    ``queries.examination.planning.power.PowerSettings``.

    >>> sizes = {"difference": 10, "items": [50], "annotators": [1], "replicates": 100}
    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> plan = db.plan_power(sizes, **test_set, criterion="fluency", ranked_by="raw")
    >>> round(plan.rows[0].expected, 2)
    0.75
    """
    from ...queries.examination.planning import Planned
    from ...queries.examination.planning.power import PowerSettings, plan_power

    planned = Planned(campaign, treebank, criterion, ranked_by)
    chosen = settings_of(PowerSettings, settings, fields)
    return plan_power(tracker.database, planned, chosen, progress)


def plan_items(
    tracker: Tracker,
    settings: ItemSettings | Fields | None = None,
    *,
    campaign: OfCampaign = None,
    treebank: OfTreebank = None,
    criterion: OfCriterion = None,
    ranked_by: RankedBy = "z",
    progress: Progress = silent,
    **fields: Any,
) -> ItemPlan:
    """Compare ways of choosing sentences by whether they give the ranking that all of them give.

    By the variance of metrics over systems, their disagreement, the coverage of patterns and
    complexity, or at random. 'tracker examination sample-judging --by' chooses so.

    Returns an ItemPlan. ``fields`` are those of ``settings``, see
    ``queries.examination.planning.comparing.ItemSettings``.

    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> plan = db.plan_items(**test_set, criterion="fluency", items=[20], replicates=10)
    >>> len(plan.rows)  # one for each way of choosing them
    4
    """
    from ...queries.examination.planning import Planned
    from ...queries.examination.planning.comparing import ItemSettings, plan_items

    planned = Planned(campaign, treebank, criterion, ranked_by)
    chosen = settings_of(ItemSettings, settings, fields)
    return plan_items(tracker.database, planned, chosen, progress)


def plan_stopping(
    tracker: Tracker,
    settings: StopSettings | Fields | None = None,
    *,
    campaign: OfCampaign = None,
    treebank: OfTreebank = None,
    criterion: OfCriterion = None,
    ranked_by: RankedBy = "z",
    progress: Progress = silent,
    **fields: Any,
) -> StopPlan:
    """Tell how likely the ranking and its clusters stay the same if more is judged.

    Returns a StopPlan. ``fields`` are those of ``settings``, see
    ``queries.examination.planning.stopping.StopSettings``.

    >>> test_set = {"campaign": "SAMPLE25", "treebank": "en_sample-ud1.0-test"}
    >>> db.plan_stopping(**test_set, criterion="fluency").clusters
    2
    """
    from ...queries.examination.planning import Planned
    from ...queries.examination.planning.stopping import StopSettings, plan_stopping

    planned = Planned(campaign, treebank, criterion, ranked_by)
    chosen = settings_of(StopSettings, settings, fields)
    return plan_stopping(tracker.database, planned, chosen, progress)
