"""Scoring by models: BERTScore and COMET from local models, judges at an endpoint."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ...schema.errors import InputError
from ...schema.progress import Progress, silent
from .given import Filters
from .holding import Theme, holding, writes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...queries.judges.judging import JudgePlan, JudgeReport
    from ...queries.judges.scorer import Scorer
    from ...queries.metrics.external import StoredScores
    from . import Tracker

KEY_VARIABLE = "TRACKER_JUDGE_KEY"
"""The environment variable with the key of an endpoint, unless another is named."""


class ScoringWith(Theme):
    """Scores by models: ``db.score_with.judge(…)``."""

    @writes
    def bertscore(
        self,
        *,
        model: Path | str,
        layer: int,
        elect: bool = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> list[StoredScores]:
        """Score by BERTScore the submissions that have no such scores; see ``queries.judges``.

        ``model`` is the folder of a model of transformers, ``layer`` the one whose vectors are
        compared. Nothing is downloaded. ``elect`` lets the scores be the score where those of
        another model are.

        >>> db.score_with.bertscore(model="models/xlm-roberta-large", layer=17)  # doctest: +SKIP
        """
        from ...queries.judges.bertscore import BertScorer

        submissions = self._tracker.select(**filters)
        scorer = BertScorer(Path(model), layer)
        return _run(self._tracker, scorer, submissions, elect, progress)

    @writes
    def comet(
        self,
        *,
        model: Path | str,
        python: Path | str | None = None,
        with_reference: bool = True,
        batch_size: int = 8,
        gpus: int = 0,
        elect: bool = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> list[StoredScores]:
        """Score by COMET the submissions that have no such scores; see ``queries.judges.comet``.

        ``model`` is a checkpoint, or a name that COMET looks up and downloads; ``python`` that of
        the environment which has COMET; None: this one. ``elect`` lets the scores be the score
        where those of another model are.

        >>> db.score_with.comet(model="comet.ckpt", python="comet/bin/python")  # doctest: +SKIP
        """
        from ...queries.judges.comet import CometScorer

        submissions = self._tracker.select(**filters)
        scorer = CometScorer(
            str(model),
            Path(python or sys.executable),
            with_reference=with_reference,
            batch_size=batch_size,
            gpus=gpus,
        )
        return _run(self._tracker, scorer, submissions, elect, progress)

    def judge(
        self,
        *,
        endpoint: str,
        model: str,
        prompt: Path | str,
        name: str = "judge",
        key_variable: str = KEY_VARIABLE,
        temperature: float = 0.0,
        seed: int | None = 0,
        max_tokens: int | None = None,
        lowest: float = 0.0,
        highest: float = 100.0,
        workers: int = 4,
        timeout: float = 120.0,
        attempts: int = 5,
        allow_missing: bool = False,
        elect: bool = False,
        dry_run: bool = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> JudgePlan | JudgeReport:
        """Let a language model at an OpenAI-compatible address judge outputs.

        See ``queries.judges``. ``prompt`` is a file. ``dry_run`` asks nothing and returns what
        would be asked. The key of the endpoint is read from an environment variable, and is
        nowhere written. The database is open only while answers are written. ``elect`` lets the
        scores be the score where those of another model or prompt are.

        >>> judge = {"endpoint": "http://127.0.0.1:8000/v1", "model": "any"}
        >>> prompt = "prompt.txt"
        >>> plan = db.score_with.judge(**judge, prompt=prompt, system="random", dry_run=True)
        >>> len(plan.requests)
        240
        """
        from ...queries.catalog import install
        from ...queries.judges import judging
        from ...queries.judges.endpoint import Endpoint, check_endpoint
        from ...queries.judges.judge import JudgeSettings, checked, read_prompt
        from ...queries.judges.scorer import elect_scoring

        if workers < 1 or attempts < 1 or timeout <= 0:
            raise InputError("workers and attempts are at least 1, and a timeout is above 0")
        with holding(self.database, read_only=True):
            submissions = self._tracker.select(**filters)
        settings = checked(
            JudgeSettings(
                model=model,
                prompt=read_prompt(Path(prompt)),
                name=name,
                temperature=temperature,
                seed=seed,
                max_tokens=max_tokens,
                lowest=lowest,
                highest=highest,
            )
        )
        asked = Endpoint(
            address=endpoint,
            key=os.environ.get(key_variable) or None,
            workers=workers,
            timeout=timeout,
            attempts=attempts,
        )
        check_endpoint(asked)
        with holding(self.database, read_only=True):
            plan = judging.plan_judging(self.database, settings, submissions)
        if dry_run:
            return plan
        report = judging.judge(
            self._tracker.writing,
            settings,
            asked,
            plan,
            allow_missing=allow_missing,
            elect=elect,
            progress=progress,
        )
        with self._tracker.writing() as database:
            if elect:
                elect_scoring(database, settings.scoring, submissions)
            install(database)
        return report


def _run(
    tracker: Tracker, scorer: Scorer, submissions: Sequence[str], elect: bool, progress: Progress
) -> list[StoredScores]:
    from ...queries.catalog import install
    from ...queries.judges.scorer import run_scorer

    stored = run_scorer(tracker.database, scorer, submissions, elect=elect, progress=progress)
    install(tracker.database)
    return stored
