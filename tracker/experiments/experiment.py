"""What an experiment says of itself: its kind, its first metric, and a view of its runs' scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .submissions import (
    BETTER,
    CAMPAIGN,
    PRIMARY,
    WORSE,
    headlines,
)

KIND, _CUSTOM = "mlflow.experimentKind", "custom_model_development"
_VIEW = "sr-tracker"
_MADE = 1577836800000
"""When the view was made, for MLflow's list of views: always the same, as the view is."""
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
    state = json.dumps(_state())
    view = {"name": "Scores", "createdAt": _MADE, "updatedAt": _MADE, "state": state}
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


def _state() -> dict[str, Any]:
    """Return a view of MLflow's table of runs: the headline metrics, and what changed."""
    columns = [f"metrics.`{name}`" for name in headlines()]
    widths = {
        "attributes.`Run Name`": 330,
        "runDateAndNestInfo": 130,
        "duration": 80,
        **dict.fromkeys(columns, 95),
        f"tags.`{WORSE}`": 200,
        f"tags.`{BETTER}`": 200,
    }
    selected = [*columns, f"tags.`{WORSE}`", f"tags.`{BETTER}`"]
    return {"selectedColumns": selected, "columnOrder": list(widths), "columnWidths": widths}
