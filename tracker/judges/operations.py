"""Scoring by models: BERTScore and COMET from local models, judges at an endpoint."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from ...schema.errors import InputError
from ...schema.parameters import DryRun, Elect, Option, Seed
from ...schema.progress import Progress, silent
from ..api.methods import Filters, Theme, holding, writes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...queries.judges.judging import JudgePlan, JudgeReport
    from ...queries.judges.scorer import Scorer
    from ...queries.metrics.external import StoredScores
    from ..api.tracker import Tracker

KEY_VARIABLE = "TRACKER_JUDGE_KEY"
"""The environment variable with the key of an endpoint, unless another is named."""


class ScoringWith(Theme):
    """Score by a model: BERTScore or COMET from a local model, or a judge at an endpoint.

    The scores are a metric like any other then. Submissions that have them stay as they are.
    """

    @writes
    def bertscore(
        self,
        *,
        model: Annotated[Path | str, Option("Folder of a model of transformers.")],
        layer: Annotated[int, Option("The layer whose vectors are compared.", low=1)],
        elect: Elect = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> list[StoredScores]:
        """Score by BERTScore: word pieces matched by their contextual vectors.

        Returns what was stored, see ``queries.judges``. Nothing is downloaded.

        >>> db.score_with.bertscore(model="models/xlm-roberta-large", layer=17)  # doctest: +SKIP
        """
        from ...queries.judges.scorer import BertScorer

        submissions = self._tracker.select(**filters)
        scorer = BertScorer(Path(model), layer)
        return _run(self._tracker, scorer, submissions, elect, progress)

    @writes
    def comet(
        self,
        *,
        model: Annotated[str | Path, Option("Checkpoint, or a name that COMET downloads.")],
        python: Annotated[
            Path | str | None, Option("Python of the environment with unbabel-comet.")
        ] = None,
        with_reference: Annotated[
            bool,
            Option(
                "Whether the model is given references, or estimates quality without.",
                flag="--reference/--no-reference",
            ),
        ] = True,
        batch_size: Annotated[int, Option("Rows in a batch.", low=1)] = 8,
        gpus: Annotated[int, Option("GPUs.", low=0)] = 0,
        elect: Elect = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> list[StoredScores]:
        """Score by COMET, in the environment that has it.

        Returns what was stored, see ``queries.judges.scorer``. Without ``python`` the environment
        is this one.

        >>> db.score_with.comet(model="comet.ckpt", python="comet/bin/python")  # doctest: +SKIP
        """
        from ...queries.judges.scorer import CometScorer

        submissions = self._tracker.select(**filters)
        scorer = CometScorer(
            str(model),
            Path(python or sys.executable),
            with_reference=with_reference,
            batch_size=batch_size,
            gpus=gpus,
        )
        return _run(self._tracker, scorer, submissions, elect, progress)

    @writes
    def meteor(
        self,
        *,
        jar: Annotated[Path | str, Option("The program, meteor-1.5.jar.", path="file")],
        parameters: Annotated[
            str,
            Option(
                "Language whose parameters it takes; other: words match exactly alone.",
                choices=("en", "cz", "de", "es", "fr", "ru", "ar", "other"),
            ),
        ] = "en",
        elect: Elect = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> list[StoredScores]:
        """Score by METEOR, its authors' program in Java.

        Returns what was stored, see ``queries.judges.meteor``.

        >>> db.score_with.meteor(jar="meteor/meteor-1.5.jar")  # doctest: +SKIP
        """
        from ...queries.judges.meteor import MeteorScorer

        submissions = self._tracker.select(**filters)
        scorer = MeteorScorer(Path(jar), parameters)
        return _run(self._tracker, scorer, submissions, elect, progress)

    def judge(
        self,
        *,
        endpoint: Annotated[str, Option("OpenAI-compatible address, up to /v1.")],
        model: Annotated[str, Option("Name of the model at the endpoint.")],
        prompt: Annotated[Path | str, Option("File: a text with {output}, {source}, {reference}.")],
        name: Annotated[str, Option("Name of the metric.")] = "judge",
        key_variable: Annotated[
            str, Option("Environment variable with the endpoint's key.")
        ] = KEY_VARIABLE,
        temperature: Annotated[float, Option("Temperature.")] = 0.0,
        seed: Annotated[Seed | None, Option("Seed sent with requests.")] = 0,
        max_tokens: Annotated[int | None, Option("Longest answer.", low=1)] = None,
        lowest: Annotated[float, Option("Lowest score.")] = 0.0,
        highest: Annotated[float, Option("Highest score.")] = 100.0,
        workers: Annotated[int, Option("Requests at a time.", low=1, high=64)] = 4,
        timeout: Annotated[float, Option("Seconds to wait for an answer.")] = 120.0,
        attempts: Annotated[int, Option("Attempts for each request.", low=1)] = 5,
        allow_missing: Annotated[bool, Option("Store the scores even where some failed.")] = False,
        elect: Elect = False,
        dry_run: DryRun = False,
        progress: Progress = silent,
        **filters: Unpack[Filters],
    ) -> JudgePlan | JudgeReport:
        """Let a language model judge outputs, after showing the number of requests.

        Answers are stored in the database: no question is asked twice, and an interrupted run
        continues.

        Returns what was judged, or with ``dry_run`` what would be asked, see ``queries.judges``.
        The key of the endpoint is nowhere written; the database is open only while answers are
        written.

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
        server = Endpoint(
            address=endpoint,
            key=os.environ.get(key_variable, "").strip() or None,
            workers=workers,
            timeout=timeout,
            attempts=attempts,
        )
        check_endpoint(server)
        apart = nullcontext() if dry_run else judging.alone(self.database.where, settings)
        with apart:
            with holding(self.database, read_only=True):
                plan = judging.plan_judging(self.database, settings, submissions)
            if dry_run:
                return plan
            report = judging.judge(
                self._tracker.writing,
                settings,
                server,
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
    from ...queries.judges.judging import run_scorer

    stored = run_scorer(tracker.database, scorer, submissions, elect=elect, progress=progress)
    install(tracker.database)
    return stored


class Methods:
    """What a Tracker has of models that judge."""

    score_with = property(ScoringWith, doc="Scores by models, here or at an endpoint.")
