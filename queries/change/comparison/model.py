"""What a comparison says: two submissions, and how every measure changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from ....schema import parameters
from ....schema.brief import Brief
from ...resampling import SENTENCE, check_resampling, check_unit

if TYPE_CHECKING:
    from ...errors.example_reading import Piece, Word
    from .stored import Rows

PRIMARY, CHECK, EXPLORATORY = "primary", "check", "exploratory"
"""Families: of the measures that a verdict rests on, of checks, and of each other one alone."""

SLICE = "slice"
"""The kind of measures over the sentences of one value of a label."""
SETTLED_ERRORS = 3.0
"""Standard errors by which a settled p-value is away from alpha."""


@dataclass(frozen=True)
class Settings:
    """What may be chosen about a comparison."""

    metrics: Annotated[
        Sequence[parameters.Measure] | None,
        parameters.Option("Compare by this; may be repeated.", flag="--metric"),
    ] = None
    """What the verdict rests on; None for the usual ones that both submissions have, and a verdict
    that rests on their primary metrics."""
    sentence_metric: Annotated[
        parameters.Measure,
        parameters.Option(
            "Metric by which sentences gain, lose and fail; may be human, such as adequacy_z. "
            "Default: the first that the verdict rests on, else the first that both have."
        ),
    ] = ""
    over: Annotated[
        Sequence[parameters.SentenceLabel] | None,
        parameters.Option(
            "Label of sentences whose values are compared one by one, such as domain; LABEL=VALUE "
            "shows these sentences alone; may be repeated.",
            flag="--over",
            default="labels with few values",
        ),
    ] = None
    """None for labels with few values, see ``slices.slice_names``."""
    replicates: parameters.Replicates = parameters.REPLICATES
    seed: parameters.Seed = parameters.SEED
    level: parameters.Level = parameters.LEVEL
    alpha: parameters.Alpha = parameters.ALPHA
    sentences: Annotated[
        int, parameters.Option("Show so many sentences that gained and lost most.", low=0)
    ] = 5
    force: Annotated[
        bool,
        parameters.Option("Compare although the two must not be compared; the result says so."),
    ] = False
    resampling_unit: parameters.Unit = None
    """None for what suits the treebank, see ``queries.clusters``."""

    def __post_init__(self) -> None:
        """Raise InputError for what cannot be resampled."""
        check_resampling(self.replicates, self.seed, self.level)
        check_unit(self.resampling_unit)


@dataclass(frozen=True)
class Side:
    """One of the two submissions."""

    submission_id: str
    campaign_id: str
    year: int | None
    system_id: str
    iteration: int
    treebank_id: str
    language: str | None
    reference_form: str
    analysis: str
    created_at: datetime


@dataclass(frozen=True)
class Measured:
    """A measure as the view submission_measures has it for two submissions."""

    measure: str
    kind: str
    item: str | None
    better: str
    new: float | None
    base: float | None
    n: int
    submissions: int
    """How many of the two have it, be it undefined."""


@dataclass(frozen=True)
class Change:
    """One measure of both submissions; differences are new minus base."""

    measure: str
    """As in the view submission_measures: bleu, dea[advcl], suspicion[(conj cc)], adequacy_z."""
    kind: str
    """metric, human, relation or pattern."""
    new: float | None
    base: float | None
    difference: float | None
    low: float | None = None
    """Lower end of the difference's bootstrap interval."""
    high: float | None = None
    p_value: float | None = None
    """Two-sided."""
    p_holm: float | None = None
    """The same, corrected over its family."""
    family: str = EXPLORATORY
    """The measures tested together: those that a verdict rests on, checks, or all parts of one
    kind; an exploratory measure is tested alone."""
    family_size: int = 1
    """How many p-values were corrected together."""
    replicates: int | None = None
    """Test sets behind the p-value; None where it is exact, or there is none."""
    n: int = 0
    """Sentences, or edges of the relation, that both have."""
    design_effect: float | None = None
    """Variance of the difference over clusters by that over sentences; None without a formula of
    the measure, or where the test is not over what is resampled."""
    better: str = "higher"
    """Which is better: higher or lower."""
    test: str | None = None
    """The test behind the p-value, in a few words."""
    trials: int | None = None
    """Trials whose mean new's score is; None where neither of the two has several."""
    base_trials: int | None = None
    trial_sd: float | None = None
    """Standard deviation of new's trials; None of a single one."""
    base_trial_sd: float | None = None
    sentence_p_value: float | None = None
    """The p-value if no trial differed from others; None as ``trials``."""
    undefined_reason: str | None = None

    def is_significant(self, alpha: float) -> bool:
        """Return whether the change is more than chance after correction."""
        return self.p_holm is not None and self.p_holm < alpha

    def monte_carlo_range(self, alpha: float) -> tuple[float, float] | None:
        """Return between which values the corrected p-value is, as far as its replicates tell.

        None where it is on one side of alpha by ``SETTLED_ERRORS`` standard errors, or exact: then
        another seed would not change what is said (Gandy 2009).
        """
        if not self.p_value or self.p_holm is None or self.replicates is None:
            return None
        error = sqrt(self.p_value * (1 - self.p_value) / self.replicates)
        far = SETTLED_ERRORS * error * self.p_holm / self.p_value
        if abs(self.p_holm - alpha) > far:
            return None
        return max(self.p_holm - far, 0.0), min(self.p_holm + far, 1.0)

    def is_of_trials(self, alpha: float) -> bool:
        """Return whether it would be significant were it not for what varies between trials."""
        return (
            self.sentence_p_value is not None
            and not self.is_significant(alpha)
            and self.sentence_p_value * self.family_size < alpha
        )

    @property
    def is_worse(self) -> bool:
        """Whether new is worse than base."""
        if self.difference is None:
            return False
        return self.difference < 0 if self.better == "higher" else self.difference > 0


@dataclass(frozen=True)
class RelationChange(Change):
    """Dependency edge accuracy of one relation."""

    deprel: str = ""
    gained: int = 0
    """Edges that new alone has."""
    lost: int = 0
    """Edges that base alone has."""


@dataclass(frozen=True)
class PatternChange(Change):
    """How suspicious a subtree pattern is; failed sentences score at most base's threshold."""

    labels: str = ""
    pattern: str = ""
    sentences: int = 0
    """Sentences with the pattern."""
    failed_new: int = 0
    failed_base: int = 0


@dataclass(frozen=True)
class NgramChange(Change):
    """In how many sentences new alone has an n-gram of words, and base alone."""

    ngram: str = ""
    """Words in lower case, a blank between them."""
    in_references: bool = False
    """Whether references of these sentences have it; else that new has it is no gain."""


@dataclass(frozen=True)
class BucketChange(Change):
    """A metric on the sentences of one sort."""

    feature: str = ""
    """length, depth, projectivity or mdd."""
    bucket: str = ""
    """Such as 'long (21 words or more)'."""


def difference(new: float | None, base: float | None) -> float | None:
    """Return new minus base; None where one of them is."""
    return None if new is None or base is None else new - base


AnyChange = TypeVar("AnyChange", bound=Change)


def ranked(changes: Sequence[AnyChange], alpha: float) -> list[AnyChange]:
    """Return changes as they are told: significant ones by size, others by p-value."""

    def place(change: AnyChange) -> tuple[bool, float, float, str]:
        significant = change.is_significant(alpha)
        p_value = 0.0 if significant else change.p_value
        size = abs(change.difference or 0)
        return not significant, 2.0 if p_value is None else p_value, -size, change.measure

    return sorted(changes, key=place)


@dataclass(frozen=True)
class ReferenceWord:
    """A word of a reference, and which of two outputs have it where it belongs."""

    before: str
    """Blanks between the word before and this one."""
    word: str
    in_base: bool
    in_new: bool


@dataclass(frozen=True)
class SentenceChange:
    """One sentence with both outputs."""

    sentence_no: int
    sent_id: str | None
    reference: str | None
    base_output: str | None
    new_output: str | None
    base_score: float | None
    new_score: float | None
    words: Sequence[Word] = ()
    """The words of the reference's dependency tree, and whether new's output has their edges."""
    base_found: Mapping[int, bool | None] = field(default_factory=dict)
    """Whether base's output has the edge, by token number."""
    reference_words: Sequence[ReferenceWord] = ()
    base_pieces: Sequence[Piece] = ()
    """The words of base's output, each with whether its nearest reference has it."""
    new_pieces: Sequence[Piece] = ()
    other_references: Sequence[str] = ()

    @property
    def difference(self) -> float:
        """New score minus base's; 0 where one is undefined."""
        if self.new_score is None or self.base_score is None:
            return 0.0
        return self.new_score - self.base_score


@dataclass(frozen=True, repr=False)
class Comparison(Brief):
    """Everything that is said of two submissions."""

    new: Side
    base: Side
    settings: Settings
    sentences: int
    """Sentences compared."""
    matched_by: str
    """sentence: the same of one treebank; text: those whose reference text two treebanks share."""
    objections: Sequence[str]
    """Why the two must not be compared; empty unless it was forced."""
    resampling_unit: str = SENTENCE
    """What was drawn and swapped whole: document, text or sentence."""
    clusters: int = 0
    """How many of these the sentences are of."""
    verdict: Sequence[str] = ()
    """What the primary metrics say, and then the relations, a sentence each."""
    outcome: str = ""
    """better, worse, mixed, chance, untested or nothing in common."""
    metrics: Sequence[Change] = ()
    relations: Sequence[RelationChange] = ()
    parts: Sequence[Change] = ()
    """Parts of other metrics that both have, such as grammar rules, and severities of errors."""
    slices: Sequence[Change] = ()
    """Scores in the sentences of each value of a label: bleu[domain=news]."""
    checks: Sequence[Change] = ()
    """Checks of plain text that both have and that no verdict rests on."""
    ngrams: Sequence[NgramChange] = ()
    """N-grams of words that could be significant."""
    patterns: Sequence[PatternChange] = ()
    buckets: Sequence[BucketChange] = ()
    gained: Sequence[SentenceChange] = ()
    lost: Sequence[SentenceChange] = ()
    flaky: Sequence[Mapping[str, Any]] = ()
    """Sentences of new whose score differs most between trials, as the view flaky_sentences has
    them."""
    notes: Sequence[str] = field(default_factory=tuple)
    """What the reader should know, such as what could not be compared and why."""
    unstored: Rows | None = field(default=None, repr=False, compare=False)
    """What is to be stored of it; None where all is."""
