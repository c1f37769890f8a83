"""Simulations: what a verdict promises, and how often it holds where the truth is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Literal

import numpy as np

ERRORS = 3.0
"""Standard errors by which an observed share may miss its promise."""
ROUNDING = 1e-9
BATCH = 50


@dataclass(frozen=True)
class Promise:
    """A row of the page: what is promised of a verdict."""

    question: str
    share: float
    """The share of runs that is promised, 0 to 1."""
    sense: Literal["at most", "at least", "nothing"]
    """Where nothing is promised, what was observed is shown, and breaks nothing."""
    surface: str
    """The command, option or view whose verdict it is."""
    note: str = ""


Observed = Mapping[str, Sequence[float]]
"""By the name of a promise, whether (or how often) it came so in each independent run."""


@dataclass(frozen=True)
class Study:
    """Runs that share their data, and the promises that they hold to account."""

    name: str
    theme: str
    data: str
    """What is drawn, for the page."""
    promises: Mapping[str, Promise]
    simulate: Callable[[int, int, int], Observed] = field(repr=False)
    """From a number of sentences, a number of runs and a seed to what was observed."""
    whole: Mapping[int, int]
    """Runs by sentences, for the page."""
    quick: tuple[int, int]
    """Sentences and runs of the quick form."""


@dataclass(frozen=True)
class Outcome:
    """What was observed of a promise for so many sentences."""

    study: Study
    name: str
    sentences: int
    values: Sequence[float]
    """Of each run that came to a verdict."""

    @property
    def promise(self) -> Promise:
        """What was promised."""
        return self.study.promises[self.name]

    @property
    def observed(self) -> float:
        """The share that was observed."""
        return float(np.mean(self.values))

    @property
    def error(self) -> float:
        """The standard error of what was observed; of what is promised, where all runs agree."""
        spread = float(np.std(self.values, ddof=1)) if len(self.values) > 1 else 0.0
        return (spread or self._promised) / sqrt(len(self.values))

    @property
    def _promised(self) -> float:
        """The standard deviation of a run that is as promised; of shares within a run, as seen."""
        share = self.promise.share
        if set(self.values) <= {0.0, 1.0}:
            return sqrt(share * (1 - share))
        return float(np.std(self.values, ddof=1))

    @property
    def holds(self) -> bool:
        """Whether the promise is missed by no more than ERRORS of its standard errors."""
        beyond = self.observed - self.promise.share
        beyond = -beyond if self.promise.sense == "at least" else beyond
        return self.promise.sense == "nothing" or beyond <= (
            ERRORS * self._promised / sqrt(len(self.values)) + ROUNDING
        )


def batches(runs: int) -> list[int]:
    """Return in how many runs each a study is done: time rises faster than their number."""
    return [min(BATCH, runs - start) for start in range(0, runs, BATCH)]


def outcomes(study: Study, sentences: int, observed: Sequence[Observed]) -> list[Outcome]:
    """Return the outcome of each promise that came to a verdict, from what batches observed."""
    seen = []
    for name in study.promises:
        values = [float(v) for batch in observed for v in batch.get(name, ()) if np.isfinite(v)]
        if values:
            seen.append(Outcome(study, name, sentences, values))
    return seen
