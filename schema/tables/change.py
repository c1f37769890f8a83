"""What changed between submissions, and what is computed once of treebanks or of submissions."""

from __future__ import annotations

from datetime import datetime

from . import Entity, OfSentence, Table, column, double, key, list_of, timestamp


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
    labels_verdict: str | None = column(
        "which sentences of one label's value changed most, in words; NULL where none did by more "
        "than chance, or none were compared"
    )


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
    trials: int | None = column(
        "trials whose mean the submission's value is; NULL where neither of the two has several"
    )
    base_trials: int | None = column("the same of the base")
    trial_sd: float | None = double(
        "standard deviation of the submission's trials; NULL of a single one"
    )
    base_trial_sd: float | None = double("the same of the base")
    sentence_p_value: float | None = double(
        "p-value if no trial differed from others: of sentences alone; NULL as trials"
    )


class PrimaryMetric(Table, table=True):
    """One row per measure that verdicts of a campaign rest on, where somebody chose them."""

    campaign_id: str = key("the campaign", of="campaign")
    place: int = key("its place among them, from 1")
    metric: str = column("name of the metric, or of what people said: adequacy_z")


class SentenceComplexity(OfSentence, table=True):
    """One row per reference sentence and convention: its syntactic complexity, punctuation
    stripped.
    """

    convention: str = key("standard or tacl2021")
    depth: int | None = column("edges from the root to the deepest word")
    length: int | None = column("number of words")
    mdd: float | None = double("mean dependency distance, in words")
    mfs: float | None = double("mean flux size, edges per inter-word position")
    mfw: float | None = double("mean flux weight, disjoint edges per inter-word position")
    arity: float | None = double("mean number of dependents of a word")
    projective: bool | None = column("whether the tree is projective")
    undefined_reason: str | None = column("why a value is NULL")


class ReferenceEdge(Table, table=True):
    """One row per dependency edge of a reference tree after punctuation is stripped (the root has
    none).
    """

    treebank_id: str = key("the treebank")
    sentence_no: int = key("the sentence")
    token_no: int = key("the dependent", of="token")
    head_token_no: int = column(
        "the head; the nearest kept ancestor where the head was punctuation"
    )
    deprel: str | None = column("universal relation, subtype dropped")
    lemma: str | None = column("the dependent's lemma, lowercased; its form where it has no lemma")
    head_lemma: str | None = column("the head's lemma, lowercased; its form where it has no lemma")
    upos: str | None = column("the dependent's part of speech")
    head_upos: str | None = column("the head's part of speech")
    distance: int = column(
        "position of the dependent minus position of the head, punctuation not counted"
    )


class ReferenceEdges(OfSentence, table=True):
    """One row per reference sentence that has edges: those of reference_edge as lists, in the order
    of their dependents.
    """

    token_nos: list[int] = list_of("INTEGER", "the dependents")
    deprels: list[str | None] = list_of("VARCHAR", "universal relations, subtype dropped")
    positions: list[int] = list_of(
        "INTEGER", "positions of the dependents among the words that are not punctuation"
    )
    distances: list[int] = list_of("INTEGER", "these minus the positions of their heads")


class ReferenceLemmas(OfSentence, table=True):
    """One row per reference sentence: its lemmas in order, punctuation stripped."""

    lemmas: list[str] = list_of("VARCHAR", "lowercased lemmas; the form where a word has no lemma")


class Analysis(Entity, table=True):
    """One row per statistical analysis of a submission that is complete."""

    signature_id: str = key("short hash of the signature")
    submission_id: str = key("the submission", of="submission")
    analysis: str = column("correlation, projectivity, entropy, error_mining or significance")
    settings: str = column("what tells analyses of one kind apart, such as labels:deprel")
    signature: str = column(
        "what makes it comparable: settings, versions, signatures of the scores"
    )
    data_sha256: str = column("hash of the scores it was computed from")
    tool: str = column("version of sr-tracker")
    analysed_at: datetime = timestamp("when")
    revision: int | None = column(
        "number of the step that wrote the row, counted over ingestions, scorings and analyses:"
        " the higher is the newer"
    )


class Correlation(Table, table=True):
    """One row per pair of measures of a submission: how they go together."""

    signature_id: str = key("how it was computed")
    submission_id: str = key("the submission", of="analysis")
    method: str = column("spearman, pearson or kendall")
    unit: str = column("what is counted: sentence or relation")
    measure: str = key("a metric, a human criterion or a complexity measure")
    other_measure: str = key("the other one")
    n: int = column("sentences or relations that have both")
    coefficient: float | None = double("rho, r or tau-b, -1 to 1; NULL where undefined")
    p_value: float | None = double("two-sided")
    p_holm: float | None = double("the same, corrected over its family (Holm-Bonferroni)")
    undefined_reason: str | None = column("why the coefficient is NULL")
    family: str | None = column(
        "asked: corrected with all pairs of the measures asked for; exploratory: alone; NULL where "
        "all pairs were, as until 1.0"
    )
    family_size: int | None = column("p-values that were corrected together")


class ProjectivityTest(Table, table=True):
    """One row per submission and metric: projective against non-projective sentences."""

    signature_id: str = key("how it was computed")
    submission_id: str = key("the submission", of="analysis")
    metric: str = key("a metric or a human criterion")
    projective: int = column("projective sentences with a score")
    non_projective: int = column("non-projective sentences with a score")
    projective_median: float | None = double("median score of the projective sentences")
    non_projective_median: float | None = double("median score of the non-projective sentences")
    u: float | None = double("Mann-Whitney U of the projective sentences")
    p_value: float | None = double("two-sided")
    rank_biserial: float | None = double(
        "effect size, -1 to 1; above 0 where projective sentences score higher"
    )
    undefined_reason: str | None = column("why U is NULL")


class SubtreeEnumeration(Table, table=True):
    """One row per treebank and kind of label: how far its subtrees are enumerated."""

    treebank_id: str = key("the treebank", of="treebank")
    labels: str = key("what nodes are labelled with, such as deprel or upos~deprel")
    max_nodes: int = column("subtrees have at most so many nodes")
    minimum_support: int = column("and are in at least so many sentences")
    version: str = column("version of the enumeration")
    data_sha256: str = column("hash of the treebank")
    tool: str = column("version of sr-tracker")
    enumerated_at: datetime = timestamp("when")


class Subtree(Table, table=True):
    """One row per treebank, kind of label and subtree pattern: the sentences that contain it."""

    treebank_id: str = key("the treebank")
    labels: str = key(
        "what nodes are labelled with, such as deprel or upos~deprel", of="subtree_enumeration"
    )
    pattern: str = key("the pattern, such as (conj (advmod advmod)); siblings are in no order")
    nodes: int = column("number of nodes")
    sentence_nos: list[int] = list_of("INTEGER", "the sentences that contain it, in order")


class ErrorMining(Table, table=True):
    """One row per submission and mining: which sentences count as failed."""

    signature_id: str = key("how it was computed")
    submission_id: str = key("the submission", of="analysis")
    labels: str = column("what nodes are labelled with")
    metric: str = column("the metric that tells failed sentences from passed ones")
    quantile: float | None = double(
        "share of the sentences meant to fail; NULL where a threshold was given"
    )
    threshold: float | None = double("a sentence fails where its score is at most this")
    sentences: int = column("sentences with a score")
    failed: int = column("those that failed")
    max_nodes: int = column("patterns have at most so many nodes")
    minimum_support: int = column("and are in at least so many sentences")
    undefined_reason: str | None = column("why nothing could be mined")


class Suspicion(Table, table=True):
    """One row per submission, mining and pattern: how often it goes with failure."""

    signature_id: str = key("how it was computed")
    submission_id: str = key("the submission", of="error_mining")
    pattern: str = key("the subtree pattern")
    nodes: int = column("its number of nodes")
    sentences: int = column("scored sentences that contain it")
    failed: int = column("those of them that failed")
    p_value: float = double(
        "one-sided exact test: does it go with failure? Fisher's, or by length for counts of errors"
    )
    p_holm: float = double("the same, corrected over the patterns of this mining (Holm-Bonferroni)")


class SuspicionNode(Table, table=True):
    """One row per node of a suspicion tree: sentences split on the most suspicious pattern."""

    signature_id: str = key("how it was computed")
    submission_id: str = key("the submission", of="error_mining")
    node_no: int = key("number of the node in depth-first order, 1 for the root")
    parent_node_no: int | None = column("the node above; NULL for the root")
    has_pattern: bool | None = column(
        "whether these sentences contain the pattern of the node above; NULL for the root"
    )
    depth: int = column("distance from the root")
    sentences: int = column("sentences of the node")
    failed: int = column("those of them that failed")
    pattern: str | None = column(
        "the most suspicious pattern, on which they are split; NULL for a leaf"
    )
    suspicion: float | None = double("its suspicion among these sentences; NULL for a leaf")
    stop_reason: str | None = column("why a leaf is not split: no failure, no pattern or depth")
