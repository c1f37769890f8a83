"""Scores, what they are derived from, what makes them comparable, and what was loaded and when."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from . import Entity, OfOutput, Table, column, double, json_object, key, list_of, timestamp


class Signature(Entity, table=True):
    """One row per way of computing a metric; scores are comparable only where it is the same."""

    signature_id: str = key("short hash of the signature text")
    metric: str = column("name of the metric")
    signature: str = column("the whole signature as text")
    parameters: dict[str, Any] = json_object("parameters of the metric")
    text_level: str = column("what is compared: lemmas, text, tokens or edges")
    tokeniser: str = column("what cut the output into words")
    versions: dict[str, Any] = json_object(
        "versions of the metric and of the libraries it rests on"
    )
    treebank_id: str = column("the references", of="treebank")
    data_sha256: str = column("hash of the references")
    better: str | None = column("which scores are better: higher or lower", default="higher")
    choices: list[dict[str, Any]] | None = list_of(
        "STRUCT(choice VARCHAR, settings VARCHAR, decides BOOLEAN, is_partial BOOLEAN)",
        "choices of settings that it goes with: what each is of, settings in words, whether scores "
        "make it, whether sentences are left out; NULL until views are installed",
    )


class StandingChoice(Table, table=True):
    """One row per test set and metric with settings of its own: those that are the score."""

    treebank_id: str = key("the test set", of="treebank")
    metric: str = key(
        "grammar, form, smatch, s2match, mf, references, or a metric of a package or computed "
        "elsewhere: what rests on it follows"
    )
    settings: str = column(
        "rules, language model, parser, which references, version or model, and what else is not "
        "as usual"
    )
    chosen_at: datetime = timestamp("when they were chosen, by the first scoring or by somebody")


class ExternalMetric(Entity, table=True):
    """One row per metric whose scores were computed elsewhere: what is known of it."""

    metric: str = key("name of the metric, as in columns of views")
    label: str = column("its name as those who made it write it")
    description: str = column("what its scores are")
    version: str | None = column("version of the metric whose scores were loaded last")
    better: str = column("which scores are better: higher or lower")
    unit: str = column("in what differences are told: points are hundredths, units are as they are")
    lowest: float | None = double("scores are this at least; NULL where no limit is known")
    highest: float | None = double("scores are this at most")


class EdgeOutcome(OfOutput, table=True):
    """One row per output whose reference has edges: which of them it realises (the view edge_match
    has a row for each).
    """

    found: list[int] = list_of(
        "UTINYINT", "1 where the output has the edge, else 0, in the order of reference_edges"
    )


class NgramMatch(OfOutput, table=True):
    """One row per output and n-gram metric: clipped matches and totals by order."""

    output_length: int = column("words of the output")
    reference_length: int = column(
        "words of the reference; of several references of the nearest in length"
    )
    matches: list[int] = list_of("INTEGER", "matched n-grams, element n for order n")
    totals: list[int] = list_of("INTEGER", "n-grams of the output, element n for order n")
    information: list[float] | None = list_of(
        "DOUBLE", "NIST only: bits of the matched n-grams, element n for order n"
    )


class EditMatch(OfOutput, table=True):
    """One row per output and edit-distance metric: the edits that turn it into the reference."""

    edits: int = column("insertions, deletions and substitutions")
    output_length: int = column("characters or words of the output")
    reference_length: float = double(
        "characters or words of the reference; of several references their mean"
    )


class StatisticMatch(OfOutput, table=True):
    """One row per output and plug-in metric: the sufficient statistics that the metric defines."""

    statistics: list[float] = list_of("DOUBLE", "sufficient statistics in the metric's own order")


class PartMatch(OfOutput, table=True):
    """One row per output and part of a plug-in metric: the sufficient statistics of the part."""

    part: str = key("the part: what stands in the brackets of its measure")
    statistics: list[float] = list_of("DOUBLE", "sufficient statistics in the metric's own order")


class SentenceScore(OfOutput, table=True):
    """One row per output and metric."""

    metric: str = column("name of the metric")
    score: float | None = double("the score; 0 for a missing output, NULL where undefined")
    undefined_reason: str | None = column("why the score is NULL")


class SubmissionScore(Table, table=True):
    """One row per submission and metric: the score of the whole submission."""

    signature_id: str = key("how it was computed", of="signature")
    submission_id: str = key("the submission", of="submission")
    metric: str = column("name of the metric")
    score: float | None = double("corpus-level score; NULL where undefined")
    sentences: int = column("sentences it is computed over")
    undefined_reason: str | None = column("why the score is NULL")


class SliceScore(Table, table=True):
    """One row per submission, metric, label and value: the score of its sentences alone."""

    signature_id: str = key("how it was computed", of="signature")
    submission_id: str = key("the submission", of="submission")
    metric: str = column("name of the metric")
    label: str = key("name of the label, as in the view labelled_sentences")
    value: str = key("the sentences' value of it")
    score: float | None = double("score of these sentences alone; NULL where undefined")
    sentences: int = column("sentences with the value")
    undefined_reason: str | None = column("why the score is NULL")


class SchemaVersion(Entity, table=True):
    """One row per migration that was applied to this database."""

    version: int = key("number of the migration file")
    name: str = column("what the migration is called")
    tool: str = column("version of sr-tracker that applied it")
    applied_at: datetime = timestamp("when it was applied")


class Catalog(Table, table=True):
    """One row, which says which set of views and macros is installed."""

    sha256: str = key("hash of the SQL files of the views and macros")
    tool: str = column("version of sr-tracker that installed them")
    installed_at: datetime = timestamp("when")


class ChangeLog(Table, table=True):
    """One row, which says whether the file lacks changes that were written. While a command
    writes, changes lie in NAME.wal. The first of them is that nothing is missing: the file alone
    says that something is.
    """

    missing: bool = key("whether NAME.wal was lost, or is damaged from its start")


class Ingestion(Entity, table=True):
    """One row per file that was loaded."""

    ingestion_id: str = key("hash of kind, target and content")
    kind: str = column("treebank, submission, human_scores or campaign")
    target: str = column("what it was loaded as")
    source: str = column("name of the file")
    sha256: str = column("hash of what was loaded")
    records: int = column("sentences, outputs or scores loaded")
    tool: str = column("version of sr-tracker")
    ingested_at: datetime = timestamp("when")
    revision: int | None = column(
        "number of the step that wrote the row, counted over ingestions, scorings and analyses:"
        " the higher is the newer"
    )


class Removal(Entity, table=True):
    """One row per submission, system, treebank or campaign that was removed: copies of it in other
    databases do not come back unless that is asked for.
    """

    kind: str = key("submission, system, treebank or campaign")
    target: str = key("its id")
    sha256: str | None = column(
        "hash of what it held: of other content it is another; NULL of systems and campaigns"
    )
    tool: str = column("version of sr-tracker")
    removed_at: datetime = timestamp("when")


class Scoring(Entity, table=True):
    """One row per computation that is complete: one metric for one submission, or one analysis of
    one treebank.
    """

    target: str = key("submission_id, or treebank_id for an analysis of a treebank")
    metric: str = column("name of the metric or analysis")
    signature_id: str = key("how it was computed")
    data_sha256: str = column("hash of the data it was computed from")
    tool: str = column("version of sr-tracker")
    scored_at: datetime = timestamp("when")
    revision: int | None = column(
        "number of the step that wrote the row, counted over ingestions, scorings and analyses:"
        " the higher is the newer"
    )
