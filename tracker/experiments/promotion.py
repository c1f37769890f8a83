"""Promotion: the best run per system and treebank becomes a version in MLflow's registry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.brief import Brief
from .sheets import RECORD
from .store import Store

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_UNKNOWN = "RESOURCE_DOES_NOT_EXIST"
_NOT_IN_MODEL_NAMES = re.compile(r"[/:]")


@dataclass(frozen=True, repr=False)
class Promotion(Brief):
    """What became of the best submission of a system for a treebank."""

    model: str
    submission_id: str
    score: float
    version: str | None
    """Version in the registry; None where nothing was written."""
    done: str
    """registered, alias moved, unchanged, would be promoted, or not logged."""


def runs_of(store: Store, campaign_id: str) -> dict[str, Run]:
    """Return the runs of a campaign's submissions, by their ids."""
    experiment = store.client.get_experiment_by_name(campaign_id)
    if experiment is None:
        return {}
    return store.runs(experiment.experiment_id, heal=False)


def promoted(
    store: Store, row: dict[str, object], runs: dict[str, Run], alias: str, *, dry_run: bool
) -> Promotion:
    """Let the run of a submission, a row of ``best_submissions``, be the version with the alias.

    A run that has a version already keeps it. A run that was replaced is another run: its version
    stays, and the new run gets one of its own.
    """
    from mlflow.exceptions import MlflowException

    client = store.client
    submission_id, score = str(row["submission_id"]), float(str(row["score"]))
    model = _NOT_IN_MODEL_NAMES.sub("-", f"{row['system_id']}.{row['treebank_id']}")
    run = runs.get(submission_id)
    if run is None:
        return Promotion(model, submission_id, score, None, "not logged")
    try:
        registered = client.get_registered_model(model)
    except MlflowException as error:
        if error.error_code != _UNKNOWN:
            raise
        registered = None
    version = _version_of(client, model, run)
    holds_alias = registered is not None and str(registered.aliases.get(alias)) == version
    if dry_run:
        done = "unchanged" if version and holds_alias else "would be promoted"
        return Promotion(model, submission_id, score, None, done)
    if registered is None:
        client.create_registered_model(
            model, {"system": str(row["system_id"]), "treebank": str(row["treebank_id"])}
        )
    tags = {
        "submission_id": submission_id,
        "metric": str(row["measure"]),
        "score": repr(score),
        "sha256": str(row["sha256"]),
        "signature": str(row["signature"] or ""),
    }
    if version is None:
        source = f"{run.info.artifact_uri}/{Path(RECORD).parent}"
        made = client.create_model_version(model, source, run.info.run_id, tags)
        version, done = str(made.version), "registered"
    else:
        done = "unchanged" if holds_alias else "alias moved"
        for name, value in tags.items():
            client.set_model_version_tag(model, version, name, value)
    if not holds_alias:
        client.set_registered_model_alias(model, alias, version)
    return Promotion(model, submission_id, score, version, done)


def _version_of(client: MlflowClient, model: str, run: Run) -> str | None:
    """Return the model's version that was made of a run, None where there is none."""
    versions = client.search_model_versions(f"run_id = '{run.info.run_id}'")
    return next((str(version.version) for version in versions if version.name == model), None)
