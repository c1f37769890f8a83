"""From a submission to its run in MLflow: MLflow's server is asked, by its own interface."""

from __future__ import annotations

from typing import Any

from ...schema.errors import InputError, UnknownNameError
from ..experiments.rest import answer

_MOST_EXPERIMENTS = 1000


def page_of_run(mlflow: str, submission_id: str, pages: str) -> str:
    """Return the address of the page of a submission's newest run on a server.

    ``pages`` is what it begins with: where the server's pages are for who looks at them.

    Raises UnknownNameError where MLflow has none, InputError where it does not answer.
    """
    experiments = _answer(mlflow, "experiments", {"max_results": _MOST_EXPERIMENTS})
    mark = '"' if "'" in submission_id else "'"
    runs = _answer(
        mlflow,
        "runs",
        {
            "experiment_ids": [item["experiment_id"] for item in experiments],
            "filter": f"tags.`sr_tracker.submission_id` = {mark}{submission_id}{mark}",
            "max_results": 1,
        },
    )
    if not runs:
        raise UnknownNameError(
            f"MLflow has no run of '{submission_id}'",
            where=mlflow,
            hint="'tracker share log' makes it",
        )
    info = runs[0]["info"]
    return f"{pages}/#/experiments/{info['experiment_id']}/runs/{info['run_id']}"


def _answer(mlflow: str, what: str, body: dict[str, object]) -> list[dict[str, Any]]:
    try:
        return list(answer(mlflow, f"{what}/search", body).get(what, []))
    except (OSError, ValueError) as error:
        raise InputError(
            f"MLflow does not answer: {error}",
            where=mlflow,
            hint="does it run there? --mlflow, or TRACKER_MLFLOW, says where its pages are",
        ) from error
