"""COMET in a process of its own: reads what to score as JSON from stdin, writes scores to stdout.

It imports nothing of this project, so that it runs in whatever environment has the package comet.
The first line out tells the versions, the checkpoint and its hash; the last the scores.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def installed(package: str) -> str:
    """Return the version of an installed package, empty where it tells none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def main() -> None:
    """Load the model that is named, score the rows, write the scores."""
    request = json.load(sys.stdin)
    # Beside this file are modules that are called as packages are.
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).parent]
    # What the packages print must not stand among the answers.
    with contextlib.redirect_stdout(sys.stderr):
        from comet import download_model, load_from_checkpoint

        path = Path(request["model"])
        checkpoint = path if path.exists() else Path(download_model(request["model"]))
        if checkpoint.is_dir():
            checkpoint = checkpoint / "checkpoints" / "model.ckpt"
        digest = hashlib.sha256()
        with checkpoint.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        scores: list[float] = []
        if request["rows"]:
            model = load_from_checkpoint(str(checkpoint))
            output = model.predict(
                request["rows"],
                batch_size=request["batch_size"],
                gpus=request["gpus"],
                progress_bar=False,
            )
            scores = [float(score) for score in output.scores]
    versions = {name: installed(name) for name in ("unbabel-comet", "torch")}
    json.dump({"versions": versions, "sha256": digest.hexdigest(), "scores": scores}, sys.stdout)


if __name__ == "__main__":
    main()
