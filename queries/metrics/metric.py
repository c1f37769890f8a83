"""What a metric is: everything that scoring, tests, views, charts and pages know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...schema.errors import MissingDependencyError
from ..functions.sql_function import SqlFunction

TEXT, LEMMAS, EDGES, TREES, GRAPHS, MODEL = "text", "lemmas", "edges", "trees", "graphs", "model"
EXTERNAL, CHALLENGE = "external", "challenge"
"""What a metric needs of an output: its surface text (or tokens, as references are compared);
lemmas; lemmas with distances; trees with features; meaning graphs; probabilities of a model;
scores that were computed elsewhere; or what a challenge set expects of it."""
SCORED_AT_ONCE = (TEXT, LEMMAS, EDGES)
"""The levels of metrics that need no choice of rules, parser or model: 'tracker score' has them."""
EVERYWHERE, PLAIN_TEXT, SOURCES = "everywhere", "plain text", "sources"
"""Where a metric is scored by that nobody named: everywhere, on test sets of text without words, or
on those of them that have sources."""
HIGHER, LOWER = "higher", "lower"
POINTS, BITS, UNITS = "points", "bits", "units"
"""Units in which scores are told to people: hundredths of a score from 0 to 1, or as they are;
units are those of a metric's own scale."""


@dataclass(frozen=True)
class Formula:
    """How a corpus score comes from sums over sentences: of all of them, or of a replicate."""

    statement: str
    """Name of the statement that reads the sufficient statistics of the submissions in the
    temporary table ``resampled``, one row per output: place, sentence_no, statistics."""
    score: str
    """An SQL expression over the list ``sums`` of the statistics' sums; NULL where undefined."""


SHARE = "sums[1] / nullif(sums[2], 0)"
SENTENCE_MEAN = Formula("resampled_scores", SHARE)
"""The mean of the scores of sentences."""
STATISTICS = "resampled_statistics"
"""The statement for what a metric stores in statistic_match."""


@dataclass(frozen=True)
class Parts:
    """Parts of a metric that are measures of their own, such as relations, rules or aspects.

    Their measures are called METRIC[PART]. A metric of another package stores the statistics of
    its parts in part_match, one row per part and sentence that has it.
    """

    kind: str
    """What one is called, in the column kind of submission_measures."""
    title: str
    """What they are called together."""
    statistics: int
    """How many statistics a part has in a sentence."""
    score: str
    """An SQL expression over the list ``sums`` of the statistics' sums; NULL where undefined."""
    statement: str = "compared_parts"
    """Name of the statement that reads item, sentence_no and a list of statistics, of a submission
    and a signature."""


@dataclass(frozen=True)
class Metric:
    """A metric.

    ``statement`` is an SQL script. It reads ``pending`` (one row per submission to score:
    submission_id, treebank_id, reference_form, signature_id, statistics_signature_id, metric,
    ngram_order) and ``text_pair`` or ``lemma_pair`` (one row per sentence, see the statements of
    these names), calls ``functions``, stores sufficient statistics and fills sentence_score and
    submission_score. Metrics that need trees, graphs or a model have none: their own commands
    score by them, through the same loop.
    """

    name: str
    description: str
    version: str
    text_level: str
    """What it needs of an output, such as text, lemmas or edges."""
    statement: str = ""
    several: str = ""
    """The same script for submissions whose sentences have several references, which it reads from
    ``text_reference`` besides; empty: the metric uses the first reference alone."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    functions: Sequence[SqlFunction] = ()
    better: str = HIGHER
    """Which scores are better: higher or lower."""
    note: str = ""
    """What has to stand beside its scores so that nobody takes them for something else."""
    tokeniser: str = "whitespace"
    """What cuts surface text into words; lemmas and edges have the tokeniser of their analyser."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the libraries the scores depend on."""
    needs: Callable[[], Mapping[str, str]] | None = None
    """What else has to be there, such as the model of a tokeniser: returns what signatures state of
    it beside ``versions``, and raises MissingDependencyError where it is not."""
    on_request: bool = False
    """Whether it is scored only where it is named, or was before in the same database."""
    statistics_of: str | None = None
    """The metric whose sufficient statistics this one is derived from, where it stores none."""
    outputs_per_batch: int | None = None
    """At most so many outputs are scored in one transaction, where memory or time asks for it."""
    label: str = ""
    """Its name in headings and pictures; ``name`` where there is none."""
    title: str = ""
    """Its name in full; ``label`` where there is none."""
    meaning: str = ""
    """What a column of its scores holds; ``description`` where there is none."""
    columns: Sequence[str] = ()
    """Other columns of views that hold its scores or those of its parts."""
    unit: str = POINTS
    lowest: float | None = None
    highest: float | None = None
    """Between what scores must be; None: no limit is known."""
    missing: float | None = None
    """The score of a missing output; None: it is the metric's own affair."""
    formula: Formula | None = None
    """None: nothing is known of how the corpus score comes from sentences; their mean is tried."""
    parts: Parts | None = None
    usual: bool = True
    """Whether comparisons, histories and pages show it without being asked."""
    check: bool = False
    """Whether it tells what is amiss with outputs rather than how good they are: comparisons show
    it where it changed."""
    headline: bool = False
    """Whether it is seen at first sight: in lists of runs, of outputs and of sentences."""
    default: str = EVERYWHERE
    """Where it is scored by without being named, see EVERYWHERE."""
    command: str = "tracker score"
    """The command that computes its scores, or loads those that were computed elsewhere."""
    place: int = 100
    """Where its column stands among those of other metrics; equal ones in the order of names."""

    @property
    def heading(self) -> str:
        """Its label, with an arrow down where lower is better."""
        return (self.label or self.name) + (" ↓" if self.better == LOWER else "")

    @property
    def full_name(self) -> str:
        """Its title, else its label, else its name."""
        return self.title or self.label or self.name

    @property
    def is_ready(self) -> bool:
        """Whether what it needs besides is there."""
        try:
            return self.needs is None or self.needs() is not None
        except MissingDependencyError:
            return False

    @property
    def column_comment(self) -> str:
        """What a column of its scores holds."""
        return self.meaning or self.description

    @property
    def corpus_formula(self) -> Formula:
        """How its corpus score comes from sums; the mean of sentences where nothing is known."""
        return self.formula or SENTENCE_MEAN


def scored_at_once(name: str, script: str, *, several: bool = False, **facts: Any) -> Metric:
    """Return a metric that a script scores by, with several references too where it may.

    Unless other facts are given it is of text, from 0 to 1, and 0 for an output that is not there.
    """
    usual = {"version": "1", "text_level": TEXT, "lowest": 0.0, "highest": 1.0, "missing": 0.0}
    several_script = script if several else ""
    return Metric(name=name, statement=script, several=several_script, **{**usual, **facts})
