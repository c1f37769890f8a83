"""What a gate demands, and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sr_tracker.queries.change.comparison.model import Change, Side
from sr_tracker.queries.change.comparison.points import points, unit
from sr_tracker.schema.brief import Brief

MAX_DROP, MIN = "max-drop", "min"
PASSED, FAILED, ALLOWED = "passed", "failed", "allowed"


@dataclass(frozen=True)
class Threshold:
    """A limit of one measure, or of all that a name with wildcards matches."""

    kind: str
    """max-drop: how far the measure may get worse; min: how low it may be."""
    measure: str
    """As in the view submission_measures; * stands for any letters, as in dea[*]."""
    limit: float
    """In the measure's unit: points (hundredths) for scores of 0 to 1, bits for NIST, z."""
    allow_undefined: bool = False
    """Whether the gate passes where the measure is undefined."""
    minimum_n: int | None = None
    """It counts where the measure rests on so many sentences, or edges; None for the gate's own."""

    def __str__(self) -> str:
        """Return the threshold as it is given: max-drop dea[advcl]=2."""
        return f"{self.kind} {self.measure}={self.limit:g}"


@dataclass(frozen=True)
class Verdict:
    """What became of one threshold for one measure."""

    threshold: Threshold
    change: Change
    verdict: str
    """passed, failed, or allowed: undefined or of too few sentences or edges, which may be so."""
    reason: str | None = None
    """Why, where the numbers alone do not tell."""

    @property
    def unit(self) -> str:
        """The unit of everything that is told of the measure."""
        return unit(self.change.measure)

    @property
    def counted(self) -> str:
        """What the measure rests on: 6 edges, 1,204 sentences."""
        noun = "edge" if self.change.kind == "relation" else "sentence"
        return f"{self.change.n:,} {noun}{'' if self.change.n == 1 else 's'}"

    @property
    def name(self) -> str:
        """What was checked: max-drop dea[advcl]=2, whichever wildcard that came from."""
        return f"{self.threshold.kind} {self.change.measure}={self.threshold.limit:g}"

    def told(self, value: float | None) -> float | None:
        """Return a value of the measure, or a difference, in its unit."""
        return None if value is None else points(self.change.measure, value)


@dataclass(frozen=True, repr=False)
class GateResult(Brief):
    """What a gate found."""

    new: Side
    base: Side
    significant: bool
    """Whether a drop counts only where it is more than chance."""
    alpha: float
    verdicts: Sequence[Verdict]
    objections: Sequence[str] = ()
    """Why the two must not be compared; empty unless it was forced."""
    notes: Sequence[str] = ()

    @property
    def failed(self) -> list[Verdict]:
        """The thresholds that are broken."""
        return [verdict for verdict in self.verdicts if verdict.verdict == FAILED]

    @property
    def passed(self) -> bool:
        """Whether no threshold is broken."""
        return not self.failed
