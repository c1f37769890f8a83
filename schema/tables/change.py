"""What changed from one submission to another: a comparison that is kept, and its measures."""

from __future__ import annotations

from datetime import datetime

from .columns import Table, column, double, key, list_of, timestamp


class Comparison(Table, table=True):
    """One row per comparison of a submission with its base and way of testing: the verdict."""

    submission_id: str = key("the submission", of="submission")
    base_submission_id: str = key("the one it is compared with", of="submission")
    settings_id: str = key("short hash of how it was tested")
    standard: bool = column("whether it was tested as nobody asks otherwise")
    primary_metrics: list[str] = list_of("VARCHAR", "the measures that the verdict rests on")
    replicates: int = column("resampled test sets for an interval, the fewest for a p-value")
    seed: int = column("seed of the resampling")
    level: float = double("share of the replicates that an interval holds, such as 0.95")
    alpha: float = double("a change is significant where its corrected p-value is below this")
    forced: bool = column("whether what must not be compared was compared all the same")
    matched_by: str = column("sentence, or text where the two are of different treebanks")
    sentences: int = column("sentences compared")
    resampling_unit: str = column("what is drawn and swapped whole: document, text or sentence")
    clusters: int = column("how many of these the sentences are of")
    outcome: str = column("better, worse, mixed, chance, untested or nothing in common")
    verdict: str = column("what the primary metrics say, in words")
    relations_verdict: str | None = column(
        "what the dependency relations say, in words; NULL where no edges are compared"
    )
    objections: str | None = column("why the two must not be compared; NULL unless it was forced")
    tool: str = column("version of sr-tracker")
    compared_at: datetime = timestamp("when")


class Change(Table, table=True):
    """One row per measure of a comparison: how it changed, and whether by more than chance."""

    submission_id: str = key("the submission", of="submission")
    base_submission_id: str = key("the one it is compared with", of="submission")
    settings_id: str = key("how it was tested", of="comparison")
    measure: str = key("as in the view submission_measures: bleu, dea[advcl], adequacy_z")
    kind: str = column("metric, human, errors, relation, or the kind of a metric's parts")
    place: int = column("where it stands in the comparison, from 0")
    family: str = column("the measures tested together: primary, exploratory, or a kind of parts")
    family_size: int = column("how many p-values were corrected together")
    score: float | None = double("the submission's value; NULL where undefined")
    base_score: float | None = double("the base's value")
    difference: float | None = double("score minus base_score")
    low: float | None = double(
        "lower end of the difference's interval, of this measure alone: resampled, where p_value "
        "comes from swaps, so that near 0 the two may disagree"
    )
    high: float | None = double("upper end")
    p_value: float | None = double("two-sided, of this measure alone")
    p_holm: float | None = double("the same, corrected over its family (Holm)")
    replicates: int | None = column("test sets behind the p-value; NULL where it is exact")
    n: int = column("sentences, or edges of a relation, that both have")
    design_effect: float | None = double(
        "variance of the difference over what is resampled by that over sentences; NULL where the "
        "test does not tell it"
    )
    better: str = column("which values are better: higher or lower")
    test: str | None = column("the test behind the p-value")
    gained: int | None = column("edges that the submission alone has; NULL for other measures")
    lost: int | None = column("edges that the base alone has")
    state: str | None = column("what the submission's value rests on: signature and data")
    base_state: str | None = column("what the base's value rests on")
    undefined_reason: str | None = column("why a value, an interval or a test is NULL")


class PrimaryMetric(Table, table=True):
    """One row per measure that verdicts of a campaign rest on, where somebody chose them."""

    campaign_id: str = key("the campaign", of="campaign")
    place: int = key("its place among them, from 1")
    metric: str = column("name of the metric, or of what people said: adequacy_z")
