"""Where what a run shows is from: what logged it, and the treebank."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from sr_tracker.schema import TOOL_VERSION
from sr_tracker.tracker.experiments.submissions import Submission

if TYPE_CHECKING:
    from mlflow.entities import DatasetInput

_LONGEST_DIGEST = 36


def source_tags() -> dict[str, str]:
    """Return what logged the runs: the tracker's version and the git commit of the folder."""
    tags = {
        "sr_tracker.version": TOOL_VERSION,
        "mlflow.source.name": "sr-tracker",
        "mlflow.source.type": "LOCAL",
    }
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--verify", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return tags
    commit = found.stdout.strip()
    return {**tags, "git_commit": commit, "mlflow.source.git.commit": commit}


def dataset_of(submission: Submission) -> DatasetInput:
    """Return the treebank as MLflow's dataset of a run."""
    from mlflow.entities import Dataset, DatasetInput, InputTag

    sha256 = submission["treebank_sha256"]
    dataset = Dataset(
        name=submission["treebank_id"],
        digest=sha256[:_LONGEST_DIGEST],
        source_type="local",
        source=json.dumps({"uri": submission["treebank_source"], "sha256": sha256}),
        profile=json.dumps(
            {"num_rows": submission["sentences"], "num_tokens": submission["tokens"]}
        ),
    )
    context = InputTag("mlflow.data.context", submission["split"] or "test")
    return DatasetInput(dataset, [context])
