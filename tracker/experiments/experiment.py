"""What an experiment says of itself: its kind, its first metric, and a view of its runs' scores."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sr_tracker.tracker.experiments.submissions import (
    BETTER,
    CAMPAIGN,
    HEADLINES,
    PRIMARY,
    WORSE,
)

KIND, _CUSTOM = "mlflow.experimentKind", "custom_model_development"
_VIEW = "sr-tracker"
_MADE = 1577836800000
"""When the view was made, for MLflow's list of views: always the same, as the view is."""
_WIDTHS = {
    "attributes.`Run Name`": 330,
    "runDateAndNestInfo": 130,
    "duration": 80,
    **{f"metrics.`{name}`": 95 for name in HEADLINES},
    f"tags.`{WORSE}`": 200,
    f"tags.`{BETTER}`": 200,
}
_STATE = {
    "selectedColumns": [name for name in _WIDTHS if "`" in name and "Run Name" not in name],
    "columnOrder": list(_WIDTHS),
    "columnWidths": _WIDTHS,
}
"""A saved view of MLflow's table of runs: the headline metrics, and what changed."""
_NOTE = (
    f"[Scores of all runs](#/experiments/{{}}/runs?viewStateShareKey={_VIEW}), also below *Views*. "
    "Runs are called as submissions are; those of several iterations are nested in a run "
    "that shows the system over its iterations (step = iteration, `best/…` the best until "
    "then). "
    f"The columns `{WORSE}` and `{BETTER}` name what changed significantly. "
    "`bleu` is of lower-cased words between blanks, `metrics/bleu_13a` is sacreBLEU's default; "
    "of `metrics/ter` lower is better. "
    "Search for ``tags.`sr_tracker.kind` = 'submission'`` or `'lineage'` to see one sort only."
)


def missing_tags(experiment_id: str, campaign: str, tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags that an experiment with these tags lacks to hold a campaign's runs.

    What a user has set stays, but for the kind of an experiment that held no run of ours: MLflow
    guesses it, or asks, before there is anything to know it by.
    """
    view = {"name": "Scores", "createdAt": _MADE, "updatedAt": _MADE, "state": json.dumps(_STATE)}
    wanted = {
        CAMPAIGN: campaign,
        KIND: _CUSTOM,
        "mlflow.experiment.primaryMetric.name": PRIMARY,
        f"mlflow.sharedViewState.{_VIEW}": json.dumps(view),
        "mlflow.note.content": _NOTE.format(experiment_id),
    }
    new = CAMPAIGN not in tags
    return {
        name: value
        for name, value in wanted.items()
        if name not in tags or (new and name == KIND and tags[name] != value)
    }
