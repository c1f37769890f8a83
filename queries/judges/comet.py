"""COMET: scores by a model trained on people's judgements (Rei et al. 2020, 2022).

Its package wants another version of numpy than this one: it runs in an environment of its
own, whose Python is named, and is told what to score on its standard input.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...schema.brief import plural
from ...schema.errors import InputError, MissingDependencyError
from ...schema.progress import Progress
from ..metrics.external import ExternalScoring
from .scorer import BOTH, SOURCE, Item

_WORKER = Path(__file__).with_name("comet_worker.py")
_HASH_DIGITS = 12


class CometScorer:
    """Gives scores by a COMET model: a checkpoint's path, or a name that COMET downloads."""

    def __init__(
        self,
        model: str,
        python: Path,
        *,
        with_reference: bool = True,
        batch_size: int = 8,
        gpus: int = 0,
    ) -> None:
        """Say which model, and the Python in whose environment COMET is installed.

        Models that estimate quality from source and output alone are ``with_reference`` False.
        """
        self._model = model
        self._python = python
        self._with_reference = with_reference
        self._how = {"batch_size": batch_size, "gpus": gpus}

    @cached_property
    def scoring(self) -> ExternalScoring:
        """What its scores are; asks the process for versions and the hash of the checkpoint.

        Raises MissingDependencyError where comet is not installed there, InputError where there is
        no such Python or model.
        """
        told = self._ask([])
        versions = ", ".join(f"{name} {each}" for name, each in told["versions"].items() if each)
        return ExternalScoring(
            label="COMET" if self._with_reference else "COMET-QE",
            version="1",
            model=Path(self._model).name,
            model_hash=told["sha256"][:_HASH_DIGITS],
            input=BOTH if self._with_reference else SOURCE,
            settings=versions or None,
            description="COMET: a model's score of source, output and reference"
            if self._with_reference
            else "COMET's estimate of quality from source and output",
        )

    def score(self, items: Sequence[Item], progress: Progress) -> list[float | None]:
        """Return a score for each item; that of empty text where the output is missing."""
        progress(items[0].submission_id if items else "", 0, 1)
        rows = [
            {
                "src": item.source or "",
                "mt": item.output or "",
                **({"ref": item.reference or ""} if self._with_reference else {}),
            }
            for item in items
        ]
        scores = self._ask(rows)["scores"]
        if len(scores) != len(items) or not all(map(math.isfinite, scores)):
            raise InputError(
                f"COMET gave {len(scores)} numbers for {plural(len(items), 'output')}, or such as "
                f"are none",
                where=self._model,
                hint="does the model need references, or none (--no-reference)?",
            )
        return list(scores)

    def _ask(self, rows: Sequence[dict[str, str]]) -> dict[str, Any]:
        asked = json.dumps({"model": self._model, "rows": rows, **self._how})
        try:
            done = subprocess.run(  # noqa: S603 the user names the program
                [str(self._python), str(_WORKER.resolve())],
                input=asked,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        except OSError as error:
            raise InputError(
                f"this is no Python that runs: {error.strerror}",
                where=str(self._python),
                hint="--python PATH names the python of the environment that has COMET",
            ) from error
        if done.returncode == 0:
            try:
                found: dict[str, Any] = json.loads(done.stdout)
            except ValueError as error:
                raise InputError("COMET's process wrote no answer", where=self._model) from error
            return found
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        if "ModuleNotFoundError" in last:
            raise MissingDependencyError(
                f"COMET cannot be imported there: {last}",
                hint="python -m venv comet && comet/bin/pip install unbabel-comet, then "
                "--python comet/bin/python",
            )
        raise InputError(
            f"COMET failed: {last}", where=self._model, hint="name a checkpoint or a model of COMET"
        )
