"""Scores over the years of a campaign: the best, the median, all systems, families, references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from ....schema.brief import Brief
from ....schema.parameters import Campaign, Language, Measure, Option, Treebank

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Choice:
    """Which years, measures and systems; nothing named means all there are."""

    languages: Annotated[Sequence[Language], Option("Only this language.", flag="--language")] = ()
    campaigns: Annotated[Sequence[Campaign], Option("Only this campaign.", flag="--campaign")] = ()
    treebanks: Annotated[
        Sequence[Treebank], Option("Only this test set: id, or en_ewt.", flag="--treebank")
    ] = ()
    measures: Annotated[
        Sequence[Measure],
        Option(
            "A metric, a relation dea[advcl], a pattern suspicion[(conj cc)], adequacy_z.",
            flag="--measure",
            short="-m",
            default="the usual metrics, and human scores",
        ),
    ] = ()
    families: Annotated[
        Sequence[str], Option("Follow this family of systems as well.", flag="--family")
    ] = ()
    system_kind: Annotated[
        Literal["team", "baseline"] | None,
        Option(
            "Kind of systems whose best, median and worst are shown.",
            flag="--kind",
            default="team, or baseline where there is no team",
        ),
    ] = None
    shared: Annotated[bool, Option("Only sentences that all years' test sets share.")] = False
    """Matched by text."""


@dataclass(frozen=True)
class Entry:
    """A test set in a year, on one track: one place on a line through the years."""

    year: int
    campaign_id: str
    treebank_id: str
    language: str | None
    corpus: str | None
    split: str | None
    track: str
    sentences: int
    sha256: str
    """Of the test set's bytes."""

    @property
    def short_name(self) -> str:
        """Language and corpus, such as en_ewt."""
        return "_".join(part for part in (self.language, self.corpus) if part) or self.treebank_id

    def has_data_of(self, other: Entry) -> bool:
        """Return whether both are the same test set."""
        return self.treebank_id == other.treebank_id or self.sha256 == other.sha256


@dataclass(frozen=True)
class YearScore:
    """What a group of systems scored in one year, each system by its latest iteration."""

    measure: str
    kind: str
    better: str
    """Which is better: higher or lower."""
    line: str
    """The language, or the test set where a language has several in one year."""
    year: int
    campaign_id: str
    treebank_id: str
    group: str
    """team, baseline, or 'family …'."""
    systems: int
    best: float
    best_system_id: str
    best_submission_id: str
    change: float | None
    """Best minus the best of the year before on this line; None where the group has no score then,
    or the scores cannot be compared."""
    median: float | None
    mean: float | None
    worst: float | None
    reference: float | None
    """Best score of a human reference."""
    n: int | None
    """Sentences, or edges of the relation, that the scores rest on."""
    same_test_set: bool | None
    """Whether the year before on this line had the same test set."""
    comparable: bool
    """Whether that year's scores are on the same sentences, and computed alike; people's z-scores
    are not, whatever they rest on."""


@dataclass(frozen=True)
class Point:
    """The score of one system's latest iteration."""

    measure: str
    line: str
    year: int
    submission_id: str
    system_id: str
    system_kind: str
    score: float


@dataclass(frozen=True, repr=False)
class Years(Brief):
    """All that was asked for, by measure, line and year."""

    scores: Sequence[YearScore]
    points: Sequence[Point]
    system_kind: str
    """Whose best and median the scores without a family are: team or baseline."""
    notes: Sequence[str]
    """What the reader must know to read them, such as test sets that differ."""


SHOWN = [
    *("line", "year", "of", "systems", "best", "best_system", "change", "median", "mean", "worst"),
    *("reference", "n", "test_set"),
]
"""The columns for a terminal, where each measure has a table."""


def as_table(scores: Sequence[YearScore]) -> pa.Table:
    """Return one row per score, in their order."""
    import pyarrow as pa

    text, number, count = pa.string(), pa.float64(), pa.int64()
    columns = {
        "measure": ("measure", text),
        "line": ("line", text),
        "year": ("year", count),
        "campaign": ("campaign_id", text),
        "of": ("group", text),
        "systems": ("systems", count),
        "best": ("best", number),
        "best_system": ("best_system_id", text),
        "change": ("change", number),
        "median": ("median", number),
        "mean": ("mean", number),
        "worst": ("worst", number),
        "reference": ("reference", number),
        "n": ("n", count),
        "test_set": ("treebank_id", text),
        "same_test_set": ("same_test_set", pa.bool_()),
        "comparable": ("comparable", pa.bool_()),
        "kind": ("kind", text),
        "better": ("better", text),
        "best_submission": ("best_submission_id", text),
    }
    return pa.table(
        {
            name: pa.array([getattr(score, field) for score in scores], kind)
            for name, (field, kind) in columns.items()
        }
    )
